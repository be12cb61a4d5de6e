"""Periods in ISO 8601, extended by ``BD`` for business days: ``P30D``, ``P10BD``, ``P6M``, ``P2Y``, ``PT24H``.

Equal lengths get equal values: weeks are written in days, months that fill years in years, half a year in months.
"""

from __future__ import annotations

import re
from decimal import Decimal

from engine.anchors.bounds import bound_of
from engine.anchors.model import AnchorKind
from engine.anchors.scan import Scan, pair_detail, plain
from engine.anchors.values import Value

_DAY_TYPES = (
    r"business|working|banking|trading|calendar|consecutive|full|successive|clear|additional|more|fiscal|lunar"
    r"|contract|whole|continuous|further|extra|natural|lease"
)
_UNIT = re.compile(
    rf"[ \t-]{{0,3}}(?:\n[ \t]{{0,40}})?(?:\[[ ]?|[(])?(?P<type>(?:(?:{_DAY_TYPES})[ \n-]{{1,2}}){{0,3}})"
    r"(?P<unit>days?|weeks?|months?|years?|quarters?|hours?|minutes?|seconds?|hrs?"
    r"|mos?\.|yrs?)(?![A-Za-z])(?P<tail>['’]s?|s['’])?",
    re.IGNORECASE,
)
_HALF = re.compile(r"[ ]{1,2}(?:an?[ ])?(?P<unit>year|month|hour|day)(?![A-Za-z])", re.IGNORECASE)
_UNITS = {
    "day": ("D", 1), "week": ("D", 7), "month": ("M", 1), "mo": ("M", 1), "year": ("M", 12), "yr": ("M", 12),
    "quarter": ("M", 3), "hour": ("H", 1), "hr": ("H", 1), "minute": ("MIN", 1), "second": ("S", 1),
}  # fmt: skip
_UNIT_ZH = re.compile(
    r"[ ]{0,2}(?P<open>[(])?(?P<half>个半)?(?P<unit>个?(?:连续)?(?:工作日|银行工作日|营业日|交易日)"
    r"|个?(?:日历[日天]|自然[日天])|个?日(?!元|均|常|程|历"
    r"|后续)|[个]?天(?!然|津|府)|周(?!年|转|边|围|一|二|三|四|五|六|日)|个?星期|个?礼拜"
    r"|个月|个?月(?=内|之内|以内|以上|期限|届满|租金)|(?<=个半)月|年(?!度|月|内完成|检|终|初|底|份|代|审|报)|个?周年|个?季度"
    r"|个?小时"
    r"|个钟头|分钟|秒钟?)(?P<extra>半)?"
)
_UNITS_ZH = (
    ("工作日", "BD", 1), ("营业日", "BD", 1), ("交易日", "BD", 1), ("日历", "D", 1), ("自然", "D", 1), ("季度", "M", 3),
    ("周年", "M", 12), ("小时", "H", 1), ("钟头", "H", 1), ("分钟", "MIN", 1), ("秒", "S", 1), ("星期", "D", 7),
    ("礼拜", "D", 7), ("周", "D", 7), ("月", "M", 1), ("年", "M", 12), ("天", "D", 1), ("日", "D", 1),
)  # fmt: skip
_HALF_ZH = re.compile(r"(?<![一大过多减个年])半(?:个)?(?P<unit>年|月|小时|日|天)(?![\u4e00-\u9fff]?月)")
_EVENT = re.compile(
    r"[ ]{0,2}(?:[(][^()]{0,30}[)][ ]?)?[,]?[ ]?(?:(?P<direction>after|following|from|of|prior to|before|preceding"
    r"|in advance of)[ ]{1,2})"
    r"(?P<event>[^,.;:()\n]{3,80})",
    re.IGNORECASE,
)
_EVENT_ZH = re.compile(
    r"(?:自|从|在|于)?(?P<event>[^，。；：、\n]{2,40}?)(?:之日)?(?:起|后|之后)(?:的|满|算)?[ ]{0,2}(?:第)?$"
)
#: What stands before the event itself: "甲方应在收到发票" is about 收到发票.
_EVENT_LEAD = re.compile(r".{0,30}(?:应当?|须|必须|可以?|[自从在于])")
#: "每逾期一日" counts days; it is no period.
_EACH_ZH = re.compile(r"每(?:逾期|延期|迟延|拖延|延迟|超过|超|拖欠)?[ ]{0,2}$")
_PRIOR_ZH = re.compile(r"提前[ ]{0,2}(?:至少)?[ ]{0,2}$")
_DAY_OF_MONTH_BEFORE = re.compile(
    r"(?:每个?[月季年]|当月|次月|下个?月|本月|\d月|[一二三四五六七八九十]月)度?(?:的)?(?:第)?[ ]{0,2}$"
)
_ORDINAL_BEFORE = re.compile(r"第[ ]{0,2}$")
_YEAR_LIKE = re.compile(r"(?:19|20)\d\d")


def canonical(number: Decimal, unit: str) -> str:
    """``number`` of a unit (``D``, ``BD``, ``M``, ``H``, ``MIN``, ``S``) as a period in ISO 8601 (with ``BD``)."""
    if unit == "M":
        if number >= 12 and number % 12 == 0:
            return f"P{plain(number / 12)}Y"
        return f"P{plain(number)}M"
    if unit in ("H", "MIN", "S"):
        if unit == "MIN" and number % 60 == 0 and number:
            return f"PT{plain(number / 60)}H"
        return f"PT{plain(number)}{unit[0]}"
    return f"P{plain(number)}{unit}"


def _unit(word: str, day_type: str) -> tuple[str, int]:
    base = word.lower().rstrip(".").rstrip("s")
    letter, factor = _UNITS[base]
    if letter == "D" and factor == 1 and re.search(r"business|working|banking|trading", day_type, re.IGNORECASE):
        return "BD", 1
    return letter, factor


def _english(scan: Scan, i: int, value: Value) -> bool:
    text = scan.text
    inner = _UNIT.fullmatch(value.inner_unit) or _UNIT.fullmatch(value.between_unit) if value.paired else None
    match = _UNIT.match(text, value.end)
    if match and match["unit"].lower() in ("second", "mo.") and value.number != 1:
        match = None
    found = match or inner
    if found is None:
        half = _HALF.match(text, value.end) if value.number == Decimal("0.5") else None
        if half is None:
            return False
        found = match = half
        day_type, unit = "", half["unit"]
    else:
        day_type, unit = (found["type"] or "").strip().lower(), found["unit"]
    start, end = value.start, match.end() if match else value.end
    if unit.lower().startswith("year") and _YEAR_LIKE.fullmatch(text[value.start : value.end]):
        return False  # "the 1999 Fiscal Year" is a year, no period.
    letter, factor = _unit(unit, day_type)
    detail = pair_detail(value)
    if "calendar" in day_type or "natural" in day_type:
        detail["day_type"] = "calendar"
    if event := _EVENT.match(text, end):
        detail["event"] = " ".join(event["event"].split())
        detail["direction"] = (
            "before" if event["direction"].lower().startswith(("pri", "bef", "prec", "in")) else "after"
        )
    scan.claimed.add(i)
    scan.add(
        AnchorKind.PERIOD,
        canonical(value.number * factor, letter),
        start,
        end,
        bound=bound_of(text, start, end),
        detail=detail,
    )
    return True


def _chinese(scan: Scan, i: int, value: Value) -> None:
    text = scan.text
    match = _UNIT_ZH.match(text, value.end)
    unit_text = match["unit"] if match else (value.inner_unit or value.between_unit)
    if not unit_text:
        return
    found = next(((letter, factor) for word, letter, factor in _UNITS_ZH if word in unit_text), None)
    if found is None or (not match and not any(word in unit_text for word, _, _ in _UNITS_ZH)):
        return
    if match and match["open"]:
        return
    before = text[max(0, value.start - 8) : value.start]
    written = text[value.start : value.end]
    year_like = unit_text == "年" and (_YEAR_LIKE.fullmatch(written) or (len(written) == 4 and value.number >= 1900))
    day_of_month = unit_text == "日" and (_DAY_OF_MONTH_BEFORE.search(before) or before.endswith(("月", "/", "-")))
    if year_like or day_of_month or _ORDINAL_BEFORE.search(before) or _EACH_ZH.search(before):
        return
    letter, factor = found
    number = value.number + (Decimal("0.5") if match and (match["half"] or match["extra"]) else 0)
    end = match.end() if match else value.end
    detail = pair_detail(value)
    if "日历" in unit_text or "自然" in unit_text:
        detail["day_type"] = "calendar"
    prior = _PRIOR_ZH.search(text, max(0, value.start - 8), value.start)
    if prior:
        detail["direction"] = "before"
    elif event := _EVENT_ZH.search(text, max(0, value.start - 44), value.start):
        lead = _EVENT_LEAD.match(event["event"])
        said = event["event"][lead.end() :] if lead and lead.end() < len(event["event"]) - 1 else event["event"]
        detail["event"], detail["direction"] = said, "after"
    scan.claimed.add(i)
    scan.add(
        AnchorKind.PERIOD, canonical(number * factor, letter), value.start, end, bound=bound_of(text, value.start, end),
        detail=detail,
    )  # fmt: skip


def find_periods(scan: Scan) -> None:
    """Note every period of the text; days of the month and calendar years are none."""
    for i, value in enumerate(scan.values):
        if i in scan.claimed or value.ordinal or value.number > 10**6:
            continue
        if _english(scan, i, value):
            continue
        if scan.has_han:
            _chinese(scan, i, value)
    if scan.has_han:
        for match in _HALF_ZH.finditer(scan.text):
            letter, factor = next((u, f) for word, u, f in _UNITS_ZH if word in match["unit"])
            scan.add(
                AnchorKind.PERIOD, canonical(Decimal("0.5") * factor, letter), match.start(), match.end(),
                bound=bound_of(scan.text, match.start(), match.end()),
            )  # fmt: skip
