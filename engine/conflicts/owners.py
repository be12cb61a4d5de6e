"""Whose a value is: the date of another document and the months of a rent are no rivals of this contract's own."""

from __future__ import annotations

import re

from engine.anchors.model import Anchor, AnchorKind
from engine.conflicts.units import Unit

_PAPERS = (
    r"(?:Agreement|Contract|Lease|Amendment|Addendum|Indenture|Term Sheet|Letter(?: of Intent)?|Memorandum|Licen[sc]e|"
    r"Note|Deed|Plan|Order|Permit|Policy|Undertaking|Guaranty|Guarantee|Certificate|Report|Statement|Act|Rules?)"
)
#: What speaks of this contract.
_OWN = re.compile(
    rf"\b(?:this|present)\s+(?:[\"“(]|(?:[A-Z][\w&/-]*\s+){{0,8}}(?i:{_PAPERS})\b)|\bhereof\b|\bEffective ?Date\b|"
    r"\bthe (?:Agreement|Contract|Lease|Term)\b|本(?:合同|协议|租约|约定书)",
)
#: What speaks of another document.
_OTHER = re.compile(
    r"\b(?:the|a|an|its|their) (?:Term Sheet|Letter of Intent|Memorandum|Indenture|Operating Agreement)\b|"
    r"\b(?:that certain|certain|prior|previous|earlier|existing|original|superseded|separate|another)\s+"
    rf"(?:[\w&/-]+\s+){{0,8}}?(?i:{_PAPERS})s?\b|"
    rf"(?<!this )(?<!This )(?<!THIS )\b(?:the|The|an?|its|their)\s+(?:[A-Z][\w&/-]*\s+){{1,6}}(?i:{_PAPERS})s?\b|"
    r"\b[Aa]greement,? (?:\([^)]*\) )?dated\b|《[^》]{2,40}》|(?:原|主|补充|另一?份?)(?:合同|协议)",
)
#: Behind a date: it was signed then, and is not this one.
_SIGNED_ZH = re.compile(r"^日?[^，。；]{0,14}(?:签订|签署|订立|生效)的(?!本)(?:《|[^，。；]{0,16}(?:合同|协议))")
#: What a number of months or years multiplies or measures when it is no time for doing something.
_MULTIPLIED = re.compile(
    r"^\s*(?:['’]s?\s*)?(?:(?:worth\s+)?of\s+)?(?:the\s+|such\s+|monthly\s+|average\s+|then[- ]current\s+|base\s+)*"
    r"(?:rent(?:al)?|salary|wages?|fees?|(?:professional |relevant )?experience|compensation|pay|old|of age)\b|"
    r"^的?(?:月)?(?:租金|房租|工资|服务费|物业费|基本工资|薪酬)|^(?:以上)?(?:的)?[^，。；]{0,6}(?:经验|工龄|周岁|资历)",
    re.IGNORECASE,
)
_HYPHENED = re.compile(r"-(?:day|week|month|year|hour|minute)s?$", re.IGNORECASE)
#: "four-month blocks": a length of something, unless that something is itself a time for doing.
_ADJECTIVE = re.compile(
    r"^\s*(?:\w+\s+){0,2}?(?:periods?|terms?|notices?|extensions?|windows?|cure|grace|warrant\w*|delays?|deadlines?|"
    r"payments?|renewals?|limits?|anniversar\w+)\b",
    re.IGNORECASE,
)
#: Where an act is not done in time: what follows is a period of grace and no time for the act.
_DEFAULT = re.compile(
    r"\b(?:fail\w*|does not|do not|not (?:been )?(?:paid|remedied|received)|unpaid|default\w*|late|overdue|delay\w*|"
    r"delinquent|past due)\b|逾期|拖欠|未(?:按|支付|付|交|能|在)|迟延|延迟",
    re.IGNORECASE,
)
_IF = re.compile(r"\b(?:if|where|when|upon|after|in the event|in case|should|unless)\b", re.IGNORECASE)
#: How far before a date its document is looked for, in code points.
REACH = 200


def foreign(unit: Unit, anchor: Anchor, other: Unit) -> bool:
    """Whether a value in ``unit`` is none of this contract's own terms.

    Args:
        other: the passage it is compared with; a document that it calls "this" one is no other document.
    """
    text = unit.text
    if anchor.kind is AnchorKind.PERIOD:
        behind = text[anchor.end :]
        hyphened = _HYPHENED.search(text[anchor.start : anchor.end]) is not None and _ADJECTIVE.match(behind) is None
        return hyphened or _MULTIPLIED.match(behind) is not None
    if anchor.kind is not AnchorKind.DATE:
        return False
    if _SIGNED_ZH.match(text[anchor.end :]):
        return True
    before = text[max(0, anchor.start - REACH) : anchor.start]
    own = max((m.end() for m in _OWN.finditer(before)), default=-1)
    named = [m for m in _OTHER.finditer(before) if not _is_own_name(m.group(), unit, other)]
    return max((m.end() for m in named), default=-1) > own


def _is_own_name(name: str, *units: Unit) -> bool:
    """Whether a passage says "this" of the same name: "this Development Agreement"."""
    bare = re.sub(r"^(?:the|an?|its|their)\s+", "", name, flags=re.IGNORECASE)
    return any(re.search(rf"\bthis\s+{re.escape(bare)}", unit.text, re.IGNORECASE) for unit in units)


def grace(unit: Unit, anchor: Anchor) -> bool:
    """Whether a period is one after which a delay has consequences: "if it does not pay in 30 days", 逾期超过30日的."""
    if anchor.kind is not AnchorKind.PERIOD:
        return False
    low = max((m.end() for m in re.finditer(r"[,;，；。]", unit.text[: anchor.start])), default=0)
    stop = re.search(r"[,;，；。]", unit.text[anchor.end :])
    words = unit.text[low : anchor.end + (stop.end() if stop else len(unit.text))]
    conditional = words.rstrip("，,").endswith("的") if unit.chinese else _IF.search(words) is not None
    return conditional and _DEFAULT.search(words) is not None
