"""Counts and measures: ``2345678.125 unit``, ``1234.5 t``, ``500 股``; bare numbers only where a scale says value."""

from __future__ import annotations

import re

from engine.anchors.bounds import bound_of
from engine.anchors.model import AnchorKind
from engine.anchors.normal import alternatives
from engine.anchors.scan import Scan, pair_detail, plain
from engine.anchors.values import Value

_MEASURE = re.compile(
    r"[ \n-]{0,2}(?P<unit>kilograms?|kg|tons?|tonnes?|t|metric tons?|lbs?|pounds|ounces?|oz|barrels?|gallons?"
    r"|lit(?:er|re)s?|MMBtu|MW|kWh?|MWh|GB|TB|MB"
    r"|square feet|sq\. ?ft\.?|square met(?:er|re)s?|sqm|m2|acres?|hectares?|miles?|kilomet(?:er|re)s?|km|met(?:er"
    r"|re)s?|cm|mm|feet|inch(?:es)?)(?![A-Za-z])"
)
_NOUN = re.compile(
    r"[ \n]{1,2}(?:(?:additional|original|separate|duplicate|shares? of|full|identical|successive|consecutive"
    r"|non-?refundable|complete|printed)[ ])?(?P<unit>shares?|units?|cop(?:y|ies)|counterparts?|licen[cs]es?|users?"
    r"|seats?|persons?|people|employees?|members?|directors?|arbitrators?"
    r"|parties|hours|stores?|locations?|vehicles?|items?|pieces?|sets?|pages?|installments?|instalments?|times"
    r"|occasions?|originals?|products?|samples?|votes?|points?|each|[a-z]{4,18}s)(?![A-Za-z])"
)
_ZH_UNIT = re.compile(
    r"[ ]{0,2}(?P<unit>平方米|立方米|公斤|千克|克|吨|公里|千米|厘米|毫米|米|亩|公顷|升|份|台|套|件|名|位|人|次|辆"
    r"|间|层|页|批|期|股|只|瓶|箱|包|本|册|张|块|平米|㎡|m2"
    r"|kg|km)(?!民|体|口|日|间的|币)"
)
_STOP = alternatives(
    "days|weeks|months|years|hours|minutes|sections|clauses|articles|paragraphs|exhibits|schedules|dollars|cents"
    "|this|shall|less|unless|thus|business|previous|various|whereas|terms|cents"
)


def _is_label(text: str, value: Value) -> bool:
    """Whether a dotted number at the start of a line is a clause's number: "6.2 本合同"."""
    if value.form != "figures" or "." not in text[value.start : value.end] or text[value.end : value.end + 1] != " ":
        return False
    before = text[max(0, value.start - 9) : value.start]
    return before.rpartition("\n")[2].strip(" \t#*") == "" and ("\n" in before or value.start < 9)


def _singular(noun: str) -> str:
    lower = noun.lower()
    if lower.endswith("ies"):
        return lower[:-3] + "y"
    return lower[:-1] if lower.endswith("s") and not lower.endswith("ss") else lower


def find_quantities(scan: Scan) -> None:
    """Note counts and measures among the numbers that no other kind has taken."""
    text = scan.text
    for i, value in enumerate(scan.values):
        if i in scan.claimed or value.part or _is_label(text, value):
            continue
        if value.ordinal:
            if value.paired:
                scan.add(
                    AnchorKind.QUANTITY, f"#{plain(value.number)}", value.start, value.end, 0.8, role="ordinal",
                    detail=pair_detail(value),
                )  # fmt: skip
            continue
        measure = _MEASURE.match(text, value.end)
        noun = None if measure else _NOUN.match(text, value.end)
        chinese = _ZH_UNIT.match(text, value.end) if scan.has_han and not measure and not noun else None
        match = measure or noun or chinese
        if match and match["unit"].lower() in _STOP:
            match = None
        if match is None and not (value.scaled or value.paired):
            continue
        if (
            match is None
            and value.paired
            and not value.agrees
            and value.number == int(value.number)
            and value.number <= 3
        ):
            continue
        unit = ("" if match is None else match["unit"] if chinese or measure else _singular(match["unit"])).strip()
        end = match.end() if match else value.end
        if chinese and value.form == "chinese" and value.number == 1:
            # 一次, 一份, 一人 are mostly grammar, no counts.
            continue
        scan.claimed.add(i)
        scan.add(
            AnchorKind.QUANTITY, f"{plain(value.number)} {unit}".strip(), value.start, end, 0.7,
            bound=bound_of(text, value.start, end), detail=pair_detail(value),
        )  # fmt: skip
