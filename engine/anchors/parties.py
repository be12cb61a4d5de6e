"""Parties: their names, short names and roles, from the opening and the definitions, and every mention.

The value is the short name or role ("Buyer", 甲方); ``detail["name"]`` the full name where the place gives it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from engine.anchors.introductions import SUFFIX, name_before, opening_of, segment_before, stands_beside
from engine.anchors.mentions import forms, term_uses
from engine.anchors.model import AnchorKind
from engine.anchors.normal import alternatives
from engine.anchors.scan import Scan
from engine.anchors.terms import Definition, canonical_term, note_definitions

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


#: In a text shorter than this (code points) a role noun counts as a party without a verb that shows it acting.
SHORT = 4000
_ACTS = re.compile(
    rf"(?<![A-Za-z])(?P<noun>{'|'.join(sorted(ROLE_NOUNS, key=len, reverse=True))})[ ]{{1,2}}(?:shall|will|may|must"
    r"|agrees?|hereby|acknowledges?|represents?|warrants?|has|is|can|does)(?![A-Za-z])"
)
_OR = re.compile(r"[”\"’]?,?[ ]{0,2}(?:or|and)[ ]{0,2}(?:the[ ])?[“\"‘]")
_MEANS_NAME = re.compile(
    r"[”\"’]?[ ]{1,3}(?:shall mean|means)[ ]{1,2}(?:[A-Z][\w.&'’-]{0,24},?[ ]{1,2}){1,7}" + SUFFIX + r"(?![A-Za-z])"
)
_PERSONAL = re.compile(
    r"(?<=[\w.])[ ]{1,2}(?:hereby|agrees?|acknowledges?|covenants?|warrants"
    r"|(?:shall|will|may|must)[ ](?:not[ ])?(?:pay|provide|deliver|have the right"
    r"|notify|indemnify|use|maintain|promptly|permit|furnish|perform|give|make|execute"
    r"|be (?:responsible|liable|entitled|obligated)))(?![A-Za-z])"
)
_ABBREVIATED = re.compile(r"(?:Inc|INC|inc|Corp|CORP|Co|CO|Ltd|Ltda|LTD|L\.P|L\.L\.C|L\.L\.P|S\.A|N\.V|B\.V|N\.A)$")
_BLANK_NAME = re.compile(r"[_＿\s]{0,40}$")


class Party(NamedTuple):
    """A party: short name, full name (may be empty), the span that introduces it, and where the name stands."""

    short: str
    name: str
    start: int
    end: int
    name_at: int = -1


def parties(scan: Scan, found: list[Definition]) -> list[Party]:
    """The parties that the definitions and the opening introduce, each once."""
    text = scan.text
    out: dict[str, Party] = {}
    low, high = opening_of(text)
    acting, agents = {match["noun"] for match in _ACTS.finditer(text)}, _agents(text)
    for definition in found:
        role = definition.term in ROLE_NOUNS or definition.term in ROLE_NOUNS_ZH
        if definition.term in out or not (role or definition.term.split()[-1] not in _NO_PARTY):
            continue
        if definition.how != "bracket":
            # "Provider" means …: a role that acts in the text is a party's.
            named_so = definition.term in agents and _MEANS_NAME.match(text, definition.end)
            if (role and definition.term in acting) or named_so:
                out[definition.term] = Party(definition.term, "", definition.start, definition.end)
            continue
        inside = low <= definition.start < high
        # Without an opening of the usual form, a company's short name near the front is taken for a party's.
        front = (not high or definition.start < low) and definition.start < OPENING and len(definition.term) <= 40
        # Elsewhere, a company's short name that acts: "CARS shall".
        named = front or definition.term in agents
        if not (role or inside or named):
            continue
        name = name_before(text, definition.at, low if inside else 0)
        # In the opening the words before the bracket are a legal person's, or nothing but a name or a blank for it.
        beside = inside and (
            stands_beside(text, definition.at, name, low) or _ENTITY.search(segment_before(text, definition.at, low))
        )
        if role or beside or (named and name and _ENTITY.search(name)):
            out[definition.term] = Party(definition.term, name.rstrip("."), definition.start, definition.end)
    _with_siblings(text, found, out)
    if scan.has_han:
        _chinese_parties(text, out)
    return list(out.values())


def _with_siblings(text: str, found: list[Definition], out: dict[str, Party]) -> None:
    """Add the other number of a party's short name ("Lenders") and its second short name ('"Acme" or the "Agent"')."""
    known = {form: party for party in out.values() for form in forms(party.short)}
    for before, definition in pairwise(found):
        for one, other in ((before, definition), (definition, before)):
            if one.term in out and other.term not in out and other.how == "bracket":
                between = text[before.end : definition.start]
                if len(between) < 12 and _OR.fullmatch(between):
                    out[other.term] = Party(other.term, out[one.term].name, other.start, other.end)
    for definition in found:
        party = known.get(definition.term)
        if party is not None and definition.term not in out and definition.how == "bracket":
            out[definition.term] = Party(definition.term, party.name, definition.start, definition.end)


def _agents(text: str) -> frozenset[str]:
    """Whatever does what only a person can (agree, pay, be liable): the one to five words before such a verb."""
    found: set[str] = set()
    for match in _PERSONAL.finditer(text):
        words = text[max(0, match.start() - 44) : match.start()].split()
        found.update(" ".join(words[-count:]) for count in range(1, min(5, len(words)) + 1))
    return frozenset(found)


def _chinese_parties(text: str, out: dict[str, Party]) -> None:
    for match in _ZH_PARTY.finditer(text):
        labels = list(_ZH_LABEL.finditer(match["role"]))
        known = [label for label in labels if label.group() in ROLE_NOUNS_ZH]
        if not known:
            continue
        # "甲方（合租人）": the bracket holds the role in which the party acts.
        for label in [*known, *(x for x in labels if x.group()[-1] in "人方" and x not in known)]:
            start = match.start("role") + label.start()
            short = label.group()
            if short not in out and not _BLANK_NAME.match(match["name"]):
                out[short] = Party(short, match["name"].strip(), start, start + len(short), match.start("name"))


_NO_PARTY = alternatives(
    "Agreement|AGREEMENT|Amendment|Addendum|Date|DATE|Parties|PARTIES|Party|Property|Premises|Products|Product|Services|Term|Territory|Act|Plan|Note|Lease"
    "|Contract|Project|Shares|Stock|Program|Software|Site|Closing"
    "|Notes|Loan|Technology|System|Business|Facility|Facilities|Code|Commission|Board|Purchase|Transaction|Merger"
    "|Marks|Trademarks"
)  # fmt: skip


def _acting(text: str) -> set[str]:
    """The role nouns that act in the text ("Buyer shall"); in a short text every one may."""
    if len(text) < SHORT:
        return set(ROLE_NOUNS)
    return {match["noun"] for match in _ACTS.finditer(text)}


def find_parties_and_terms(scan: Scan, found: list[Definition]) -> None:
    """Note parties and defined terms: where they are introduced and every place that uses them."""
    known = parties(scan, found)
    shorts = {party.short for party in known}
    note_definitions(scan, frozenset(shorts), found)
    places = {definition.start for definition in found} | {party.start for party in known}
    for party in known:
        detail = {"name": party.name} if party.name else {}
        scan.add(AnchorKind.PARTY, party.short, party.start, party.end, 0.9, role="definition", detail=detail)
    terms = {definition.term for definition in found} - shorts
    names = {party.name: party.short for party in reversed(known) if len(party.name) > 3}
    # A role noun is no party of its own where its other number is defined ("Lenders").
    spoken = {form for term in terms | shorts for form in forms(term)}
    nouns = ((_acting(scan.text) | ROLE_NOUNS_ZH) if scan.has_han else _acting(scan.text)) - spoken
    for term, start, end in term_uses(scan.text, shorts | nouns | set(names) | terms):
        if start in places:
            continue
        if term in shorts:
            scan.add(AnchorKind.PARTY, term, start, end, 0.95, role="mention")
        elif term in names:
            stop = end + 1 if _ABBREVIATED.search(term) and scan.text[end : end + 1] == "." else end
            scan.add(AnchorKind.PARTY, names[term], start, stop, 0.9, role="mention", detail={"name": term})
        elif term in terms:
            scan.add(AnchorKind.TERM, term, start, end, 0.8, role="use")
        else:
            scan.add(AnchorKind.PARTY, term, start, end, 0.6, role="mention")


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
