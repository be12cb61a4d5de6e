"""Percentages, in per cent whatever the wording: ``5%``, ``0.5%`` for fifty basis points, ``3%`` for 百分之三."""

from __future__ import annotations

import re
from decimal import Decimal

from engine.anchors.bounds import bound_of
from engine.anchors.chinese_numerals import ALL, chinese_value
from engine.anchors.model import AnchorKind
from engine.anchors.scan import Scan, pair_detail, plain
from engine.anchors.values import Value

_UNIT = re.compile(
    r"[ \n-]{0,3}(?:(?P<percent>%|per[ -]?cent(?:um)?(?![A-Za-z])|percentage points?|pct\.?(?![A-Za-z]))"
    r"|(?P<basis>basis points?|bps?(?![A-Za-z]))|(?P<mille>‰)|(?P<ten>‱)"
    r"|(?P<zh>个百分点)|(?P<zhbasis>个?基点))",
    re.IGNORECASE,
)
_FACTORS = {"percent": Decimal(1), "basis": Decimal("0.01"), "mille": Decimal("0.1"), "ten": Decimal("0.01"),
            "zh": Decimal(1), "zhbasis": Decimal("0.01")}  # fmt: skip
_ZH = re.compile(
    rf"(?P<base>百|千|万)分之(?P<number>\d{{1,6}}(?:\.\d{{1,6}})?|[{ALL}点]{{1,12}})(?P<bracket>["
    rf"(]\d{{1,6}}(?:\.\d{{1,6}})?[%‰][)])?"
)
_ZH_BASE = {"百": Decimal(1), "千": Decimal("0.1"), "万": Decimal("0.01")}
_TENTHS = re.compile(rf"(?P<number>[{ALL}]|\d{{1,2}})成(?![立为本员果交功就都长分品])")


def _factor(unit: str) -> Decimal | None:
    match = _UNIT.match(unit)
    return _FACTORS[match.lastgroup or ""] if match else None


def _percent(scan: Scan, value: Value) -> tuple[Decimal, int] | None:
    """The value in per cent and the end of its span, or None."""
    outer = _UNIT.match(scan.text, value.end)
    end = outer.end() if outer else value.end
    if value.paired:
        for unit in (value.between_unit, outer.group() if outer else "", value.inner_unit):
            factor = _factor(unit.strip()) if unit else None
            if factor is not None:
                number = value.words_value if value.words_value is not None else value.number
                if value.part and factor == 1 and value.agrees and value.figures_value is not None:
                    number = value.figures_value if "%" in value.inner_unit else number
                return number * factor, end
        return None
    return (value.number * _FACTORS[outer.lastgroup or ""], end) if outer else None


def find_percents(scan: Scan) -> None:
    """Note every percentage of the text."""
    for i, value in enumerate(scan.values):
        if i in scan.claimed or value.ordinal:
            continue
        percent = _percent(scan, value)
        if percent is None:
            continue
        number, end = percent
        scan.claimed.add(i)
        scan.add(
            AnchorKind.PERCENT, f"{plain(number)}%", value.start, end, bound=bound_of(scan.text, value.start, end),
            detail=pair_detail(value),
        )  # fmt: skip
    if scan.has_han:
        _chinese(scan)


def _chinese(scan: Scan) -> None:
    for match in _ZH.finditer(scan.text):
        number = chinese_value(match["number"])
        if number is None:
            continue
        percent = number * _ZH_BASE[match["base"]]
        detail: dict[str, str] = {}
        if match["bracket"]:
            shown = Decimal(match["bracket"].strip("()%‰")) * (1 if "%" in match["bracket"] else Decimal("0.1"))
            detail = {
                "words": match.group()[: match.start("bracket") - match.start()],
                "figures": match["bracket"].strip("()"),
                "words_value": plain(percent),
                "figures_value": plain(shown),
                "agree": "yes" if shown == percent else "no",
            }
        _claim(scan, match.start(), match.end())
        scan.add(
            AnchorKind.PERCENT, f"{plain(percent)}%", match.start(), match.end(),
            bound=bound_of(scan.text, match.start(), match.end()), detail=detail,
        )  # fmt: skip
    for match in _TENTHS.finditer(scan.text):
        number = chinese_value(match["number"])
        if number is not None and 0 < number < 10:
            scan.add(AnchorKind.PERCENT, f"{plain(number * 10)}%", match.start(), match.end(), 0.6)


def _claim(scan: Scan, start: int, end: int) -> None:
    for i in scan.values_between(start, end):
        scan.claimed.add(i)
