"""Parties: their names, short names and roles, from the opening and the definitions, and every mention.

The value is the short name or role ("Buyer", 甲方); ``detail["name"]`` the full name where the place gives it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from engine.anchors.model import AnchorKind
from engine.anchors.normal import alternatives
from engine.anchors.scan import Scan
from engine.anchors.terms import Definition, canonical_term, term_uses

#: Roles that name a party even where no definition does.
ROLE_NOUNS = alternatives(
    "Buyer|Seller|Purchaser|Vendor|Supplier|Customer|Client|Contractor|Subcontractor|Owner|Lessor|Lessee|Landlord"
    "|Tenant|Licensor|Licensee"
    "|Lender|Borrower|Company|Employee|Employer|Executive|Consultant|Distributor|Manufacturer|Franchisor|Franchisee"
    "|Guarantor|Agent|Trustee"
    "|Provider|Recipient|Discloser|Disclosing Party|Receiving Party|Reseller|Shipper|Carrier|Service Provider"
    "|Developer|Sublessor|Sublessee|Assignor|Assignee"
    "|Investor|Issuer|Holder|Pledgor|Mortgagor|Mortgagee|Grantor|Grantee|Processor|Controller|Principal|Publisher"
    "|Sponsor|Insurer|Indemnitor|Indemnitee"
)  # fmt: skip
ROLE_NOUNS_ZH = alternatives(
    "甲方|乙方|丙方|丁方|戊方|买方|卖方|出租人|承租人|出租方|承租方|发包人|承包人|发包方|承包方|委托人|受托人"
    "|委托方|受托方|贷款人|借款人|保证人|担保人|许可方|被许可方"
    "|供方|需方|转让方|受让方|采购人|采购方|供应商|供货方|投资方|目标公司|出卖人|买受人|用人单位|劳动者|披露方"
    "|接收方|居间方|定作人|承揽人|抵押人|抵押权人"
)  # fmt: skip
_ENTITY = re.compile(
    r"\b(?:Inc|Incorporated|Corp|Corporation|LLC|L\.L\.C|Ltd|Limited|L\.?P|LLP|PLC|plc|GmbH|AG|S\.A|N\.V|B\.V|Co"
    r"|Company|Bank|N\.A|Trust|partnership|individual|resident|corporation"
    r"|company|association|University|Foundation|Pty)(?![A-Za-z])"
)
_NAME = re.compile(
    r"(?P<name>[A-Z0-9][\w&.’'-]{0,30}(?:[ \n]{1,2}(?:of|and|the|for|de|&|[A-Z(][\w&.’')-]{0,30})){0,9}?,?[ ]{1,2}"
    r"(?:Inc|Incorporated|Corp|Corporation|LLC|L\.L\.C|Ltd|Limited|L\.P|LP|LLP|PLC|plc|GmbH|AG|S\.A|N\.V|B\.V|Co"
    r"|Company|Bank|N\.A|Trust|Partnership|University|Foundation|INC|CORP|CORPORATION|COMPANY|LIMITED"
    r"|LTD)(?![A-Za-z])\.?)"
)
_ZH_PARTY = re.compile(
    r"(?:^|\n|[ ;；。])[ \t\u3000]{0,6}(?P<role>(?:[\u4e00-\u9fff]{2,5})(?:[ ]{0,2}[(（][\u4e00-\u9fff]{2,6}[)）])?)[ "
    r"]{0,2}[:：][ ]{0,4}(?P<name>[\u4e00-\u9fffA-Za-z（）()·\d]{2,40})"
)
_ZH_LABEL = re.compile(r"[\u4e00-\u9fff]{2,6}")
#: The parties are named at the front; a definition farther in names something else unless it is a known role.
OPENING = 8000


class Party(NamedTuple):
    """A party: short name, full name (may be empty), and the span of the place that introduces it."""

    short: str
    name: str
    start: int
    end: int


def _antecedent(text: str, at: int) -> tuple[str, bool]:
    """The name before a bracket such as ``(the "Seller")``, and whether a legal person's mark stands there."""
    before = text[max(0, at - 320) : at]
    cut = max(before.rfind("\n\n"), before.rfind('")'), before.rfind("”)"))
    before = before[cut + 2 :] if cut >= 0 else before
    names = list(_NAME.finditer(before))
    if names:
        return canonical_term(names[0]["name"]), True
    return "", bool(_ENTITY.search(before))


def parties(scan: Scan, found: list[Definition]) -> list[Party]:
    """The parties that the definitions and the opening introduce, each once."""
    text = scan.text
    out: dict[str, Party] = {}
    for definition in found:
        if definition.term in out or definition.how != "bracket":
            continue
        role = definition.term in ROLE_NOUNS or definition.term in ROLE_NOUNS_ZH
        opening = definition.start < OPENING and len(definition.term) <= 40
        if not (role or opening) or definition.term in ("Parties", "Party", "Agreement"):
            continue
        name, entity = _antecedent(text, definition.at)
        if role or (entity and name and definition.term.split()[-1] not in _NO_PARTY):
            out[definition.term] = Party(definition.term, name, definition.start, definition.end)
    if scan.has_han:
        for match in _ZH_PARTY.finditer(text):
            labels = [label for label in _ZH_LABEL.findall(match["role"]) if label in ROLE_NOUNS_ZH]
            for label in labels:
                if label not in out:
                    out[label] = Party(label, match["name"].strip(), match.start("role"), match.end("name"))
    return list(out.values())


_NO_PARTY = alternatives(
    "Agreement|Date|Parties|Party|Property|Premises|Products|Product|Services|Term|Territory|Act|Plan|Note|Lease"
    "|Contract|Project|Shares|Stock|Program|Software|Site|Closing"
    "|Notes|Loan|Technology|System|Business|Facility|Facilities|Code|Commission|Board|Purchase|Transaction|Merger"
    "|Marks|Trademarks"
)  # fmt: skip


def find_parties(scan: Scan, found: list[Definition]) -> frozenset[str]:
    """Note parties where they are introduced and mentioned; the short names that they go by."""
    known = parties(scan, found)
    introduced = {party.start for party in known}
    for party in known:
        detail = {"name": party.name} if party.name else {}
        scan.add(AnchorKind.PARTY, party.short, party.start, party.end, 0.9, role="definition", detail=detail)
    shorts = {party.short for party in known}
    confidence = dict.fromkeys(shorts, 0.95)
    defined = {definition.term for definition in found}
    for noun in (ROLE_NOUNS | ROLE_NOUNS_ZH) - defined:
        confidence.setdefault(noun, 0.6)
    for short, start, end in term_uses(scan.text, set(confidence)):
        if start not in introduced:
            scan.add(AnchorKind.PARTY, short, start, end, confidence[short], role="mention")
    names = {party.name: party.short for party in known if len(party.name) > 4}
    for name, start, end in term_uses(scan.text, set(names)):
        scan.add(AnchorKind.PARTY, names[name], start, end, 0.9, role="mention", detail={"name": name})
    return frozenset(shorts)


def company_names(text: str) -> Iterator[tuple[int, int, str]]:
    """The names with a legal form (Inc., LLC, 有限公司) in a text: start, end and the name."""
    for match in _NAME.finditer(text):
        if match["name"].split()[0] in _NO_NAME:
            continue
        yield match.start("name"), match.end("name"), canonical_term(match["name"])
    for match in _ZH_COMPANY.finditer(text):
        start = match.start() + _lead(match.group())
        if match.end() - start >= 6:
            yield start, match.end(), text[start : match.end()]


_ZH_COMPANY = re.compile(r"[\u4e00-\u9fff()（）]{4,30}?(?:股份有限公司|有限责任公司|有限公司|集团公司)")
_NO_NAME = frozenset(
    {
        "Company",
        "Bank",
        "The",
        "This",
        "Each",
        "Party",
        "Parties",
        "Agreement",
        "If",
        "In",
        "All",
        "Any",
        "No",
        "Such",
        "Company's",
    }
)
_ZH_LEAD = re.compile(r".{0,20}(?:[：:]|甲方|乙方|丙方|由|与|和|向|为|是|在|及|系|称)(?=.{4})")


def _lead(name: str) -> int:
    """How many characters before the name proper were caught with it."""
    match = _ZH_LEAD.match(name)
    return match.end() if match else 0
