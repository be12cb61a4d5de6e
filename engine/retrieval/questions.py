"""What a question asks for: the kinds and roles of value that its answer would hold, and the values it names."""

from __future__ import annotations

import re
from typing import NamedTuple

from engine.anchors.extract import extract_from_text
from engine.anchors.model import Anchor, AnchorKind
from engine.anchors.roles import role_of

_HAN = re.compile(r"[\u3400-\u9fff]")

_PERIOD = (
    r"how long|how many (?:business |working |calendar )?(?:days|months|years|weeks)|within what time|notice period"
    r"|what (?:is the )?(?:\w+ ){0,3}(?:period|term|deadline|duration)|how (?:soon|quickly|much notice)"
    r"|多久|多长时间|期限|几(?:天|日|个月|年)|多少(?:天|日|个月|年)|何时(?:前|内)|时限"
)
_DATE = r"\bwhen\b|what date|by which date|on which day|何时|什么时候|哪一?[天日年]|日期"
_AMOUNT = (
    r"how much|what (?:is the )?(?:\w+ ){0,3}(?:price|fee|amount|cost|cap|limit|sum|deposit|rent|penalty|salary)"
    r"|liability cap|多少钱|多少元|金额|价款|租金|费用|押金|定金|违约金|上限|报酬"
)
_PERCENT = r"what (?:percentage|share|rate)|how many per ?cent|interest rate|百分之几|比例|利率|费率"
_QUANTITY = r"how many|how often|多少(?:个|台|套|件|份|平方米)?|几次|数量|面积"
_LAW = r"(?:which|what|whose) law|governing law|governed by|适用.{0,6}法律|哪国法律|准据法"
_COURT = (
    r"which court|what court|jurisdiction|arbitrat|venue|where .{0,30}(?:dispute|sue)"
    r"|哪个法院|管辖|仲裁|争议.{0,6}解决"
)
_PARTY = r"\bwho\b|which party|谁|哪一方|何方"
_ADDRESS = r"(?:to )?what address|where .{0,20}notices?|地址|送达"

#: What asks for a kind of value, both languages; the first that matches counts.
_ASKS: tuple[tuple[re.Pattern[str], frozenset[AnchorKind]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), frozenset(kinds))
    for pattern, kinds in (
        (_PERIOD, {AnchorKind.PERIOD, AnchorKind.DATE}),
        (_DATE, {AnchorKind.DATE, AnchorKind.PERIOD}),
        (_AMOUNT, {AnchorKind.AMOUNT, AnchorKind.PERCENT}),
        (_PERCENT, {AnchorKind.PERCENT, AnchorKind.RATE}),
        (_QUANTITY, {AnchorKind.QUANTITY, AnchorKind.RATE}),
        (_LAW, {AnchorKind.LAW}),
        (_COURT, {AnchorKind.COURT, AnchorKind.ARBITRATION}),
        (_PARTY, {AnchorKind.PARTY, AnchorKind.PERSON}),
        (_ADDRESS, {AnchorKind.ADDRESS}),
    )
)
_COMPARED = frozenset(
    {AnchorKind.AMOUNT, AnchorKind.PERCENT, AnchorKind.PERIOD, AnchorKind.DATE, AnchorKind.QUANTITY, AnchorKind.RATE,
     AnchorKind.LAW, AnchorKind.COURT, AnchorKind.ARBITRATION, AnchorKind.REFERENCE}
)  # fmt: skip


class Asked(NamedTuple):
    """A question taken apart.

    Attributes:
        text: the question as it was put.
        language: ``en`` or ``zh``.
        kinds: kinds of value that an answer would hold; empty when it asks for none.
        roles: what those would be the value of ("payment period"), as far as the question says.
        anchors: the values in the question itself.
    """

    text: str
    language: str
    kinds: frozenset[AnchorKind]
    roles: frozenset[str]
    anchors: tuple[Anchor, ...]


def read_question(text: str) -> Asked:
    """Take a question apart; never raises."""
    language = "zh" if _HAN.search(text) else "en"
    kinds = next((kinds for pattern, kinds in _ASKS if pattern.search(text)), frozenset[AnchorKind]())
    # The question's own words stand around the value that is missing at its end.
    roles = {role_of(kind, text, len(text), len(text))[0] for kind in kinds}
    anchors = [anchor for anchor in extract_from_text(text, language) if anchor.kind in _COMPARED]
    return Asked(text, language, kinds, frozenset(role for role in roles if role), tuple(anchors))
