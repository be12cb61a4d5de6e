"""value.arithmetic: instalments against a total, shares against 100 %, dates against a term or a weekday."""

from __future__ import annotations

import calendar
import datetime
import re
from collections.abc import Iterator
from decimal import Decimal

from engine.anchors.model import Anchor, AnchorKind
from engine.conflicts.checks.evidence import Evidence, make, quoted
from engine.conflicts.checks.sentences import WEEKDAYS, say
from engine.protocol.findings import Finding, Passage, Severity

_FULL = re.compile(r"\d{4}-\d{2}-\d{2}")
_TOTAL = re.compile(
    r"(?:purchase price|contract price|contract sum|total (?:price|fee|amount|consideration|cost)|aggregate (?:price"
    r"|fee)|price is|fee is)[^.;]{0,80}$|(?:总价款?|总金额|总额|合同价款?|合同金额|价款总计|共计|合计)[^，。；]{0,20}$",
    re.IGNORECASE,
)
_BALANCE = re.compile(
    r"(?:balance|remainder|remaining (?:amount|sum|balance)|final (?:payment|instal?lment))[^.;]{0,60}$|(?:余款|尾款"
    r"|剩余(?:款项|价款)?|其余款项?)[^，。；]{0,20}$",
    re.IGNORECASE,
)
_INSTALMENT_AFTER = re.compile(r"[^.;\n]{0,40}?\b(?:upon|on|at|within|due|payable|as|down|deposit)\b", re.IGNORECASE)
_INSTALMENT_ZH = re.compile(r"(?:首付款?|首期款?|预付款?|定金|第[一二三四五]期|进度款|支付)[^，。；]{0,16}$")
_OPTIONAL = re.compile(
    r"\b(?:additional|plus|in addition|per|each|option|deposit|interest|tax(?:es)?|expenses)\b|另|额外|利息",
    re.IGNORECASE,
)
#: A total and its instalments stand within so many characters.
REACH = 700
_SHARES_ZH = re.compile(r"总价|合同(?:总)?(?:价款?|金额|额)|货款|股权|出资|份额|工程款|服务费")
_SHARES = re.compile(
    r"\bof the (?:total |contract |purchase )?(?:price|fees?|amount|sum"
    r"|contract)\b|\binstal?lments?\b|payment schedule",
    re.IGNORECASE,
)


def _money(anchor: Anchor) -> tuple[str, Decimal]:
    currency, _, number = anchor.value.partition(" ")
    return currency, Decimal(number)


def check_instalments(evidence: Evidence) -> Iterator[Finding]:
    """A price whose parts, down to "the balance", do not add up to it."""
    amounts = evidence.of_kind(AnchorKind.AMOUNT)
    for i, total in enumerate(amounts):
        before = evidence.text[max(0, total.start - 110) : total.start]
        if not _TOTAL.search(before) or "per" in total.detail:
            continue
        currency = _money(total)[0]
        parts: list[Anchor] = []
        for part in amounts[i + 1 : i + 9]:
            if part.start - total.end > REACH or _money(part)[0] != currency or "per" in part.detail:
                break
            if _TOTAL.search(evidence.text[max(total.end, part.start - 60) : part.start]):
                break
            parts.append(part)
            if _BALANCE.search(evidence.text[max(total.end, part.start - 70) : part.start]):
                yield from _sum(evidence, total, parts)
                break


def _shown(total: Anchor) -> list[Decimal]:
    """The total in each form it is given in: words and figures may differ, and the parts fit one of them."""
    values = [_money(total)[1]]
    if total.detail.get("agree") == "no":
        values += [Decimal(total.detail["words_value"]), Decimal(total.detail["figures_value"])]
    return values


def _sum(evidence: Evidence, total: Anchor, parts: list[Anchor]) -> Iterator[Finding]:
    if len(parts) < 2 or _OPTIONAL.search(evidence.text[total.end : parts[-1].end]):
        return
    added = sum((_money(p)[1] for p in parts), Decimal(0))
    wanted = _shown(total)
    if added in wanted or not any(w / 2 <= added <= w * 2 for w in wanted):
        return
    currency = _money(total)[0]
    shown = min(wanted, key=lambda w: abs(w - added))
    sum_text = " + ".join(f"{_money(p)[1]:,f}" for p in parts)
    yield make(
        "value.arithmetic",
        0.8,
        Severity.HIGH,
        say(
            "value.arithmetic/instalments",
            evidence.chinese(total.start),
            place=evidence.place(total.start),
            where=evidence.where(total.start),
            currency=currency,
            shown=f"{shown:,f}",
            added=f"{added:,f}",
            sum=sum_text,
        ),
        _passages(evidence, [total, *parts]),
    )


def _passages(evidence: Evidence, anchors: list[Anchor]) -> list[Passage]:
    grouped: dict[tuple[int, int], list[Anchor]] = {}
    for anchor in anchors:
        grouped.setdefault(evidence.sentence_span(anchor.start, anchor.end), []).append(anchor)
    return [evidence.passage(marks[0].start, marks[0].end, marks) for marks in grouped.values()]


def check_shares(evidence: Evidence) -> Iterator[Finding]:
    """Shares of one price in one sentence or list that come close to 100 % and miss it."""
    percents = evidence.of_kind(AnchorKind.PERCENT)
    i = 0
    while i < len(percents):
        group = [percents[i]]
        while i + len(group) < len(percents) and percents[i + len(group)].start - group[-1].end < 120:
            group.append(percents[i + len(group)])
        i += len(group)
        if len(group) < 3:
            continue
        text = evidence.text[max(0, group[0].start - 80) : group[-1].end + 40]
        balance = re.search(r"balance|remaining|余款|剩余|尾款|质保金", text, re.IGNORECASE)
        if (
            not balance
            or not (_SHARES.search(text) or _SHARES_ZH.search(text))
            or any(p.bound != "exact" for p in group)
        ):
            continue
        values = [Decimal(p.value.rstrip("%")) for p in group]
        added = sum(values, Decimal(0))
        if added == 100 or not 80 <= added <= 120 or any(v >= 100 for v in values):
            continue
        if re.search(r"违约金|滞纳金|逾期|利息|penalt|interest|late", text, re.IGNORECASE):
            continue
        yield make(
            "value.arithmetic",
            0.7,
            Severity.HIGH,
            say(
                "value.arithmetic/shares",
                evidence.chinese(group[0].start),
                place=evidence.place(group[0].start),
                where=evidence.where(group[0].start),
                added=f"{added:f}",
                sum=" + ".join(f"{v:f}" for v in values),
            ),
            _passages(evidence, group),
        )


_WEEKDAY_BEHIND = re.compile(rf"[ ,]{{0,2}}[(（\[][ ]?({'|'.join(WEEKDAYS[0])})[ ]?[)）\]]", re.IGNORECASE)


def check_dates(evidence: Evidence) -> Iterator[Finding]:
    """A weekday that is not the date's, and a day that no calendar has."""
    for anchor in evidence.of_kind(AnchorKind.DATE):
        written = quoted(evidence.text[anchor.start : anchor.end])
        if anchor.detail.get("invalid") == "yes" and not anchor.value.endswith("-00"):
            yield _date(evidence, anchor, "no_day", written=written)
        behind = _WEEKDAY_BEHIND.match(evidence.text, anchor.end)
        weekday = anchor.detail.get("weekday") or (behind[1].lower() if behind else "")
        if weekday and _FULL.fullmatch(anchor.value):
            day = datetime.date.fromisoformat(anchor.value).weekday()
            if WEEKDAYS[0][day].lower() != weekday:
                real = WEEKDAYS[evidence.chinese(anchor.start)][day]
                yield _date(evidence, anchor, "weekday", written=written, weekday=real, date=anchor.value)


def _date(evidence: Evidence, anchor: Anchor, variant: str, **parts: str) -> Finding:
    passages = [evidence.passage(anchor.start, anchor.end, [anchor])]
    place = evidence.place(anchor.start)
    said = say(f"value.arithmetic/{variant}", evidence.chinese(anchor.start), place=place, **parts)
    return make("value.arithmetic", 0.88, Severity.MEDIUM, said, passages)


_TERM_CUE = re.compile(r"\bterm\b|\bperiod\b|commenc|期限|租期|有效期|为期|共计|自.{0,30}起", re.IGNORECASE)
_RENEWAL = re.compile(r"renew|extend|extension|additional|prior to|notice|续|延长|提前", re.IGNORECASE)
_ENDS = re.compile(r"\b(?:end|expir|terminat|until|through|to)\w*\b|至|止|届满", re.IGNORECASE)


def _add_months(day: datetime.date, months: int) -> datetime.date:
    month = day.month - 1 + months
    year = day.year + month // 12
    month = month % 12 + 1
    return datetime.date(year, month, min(day.day, calendar.monthrange(year, month)[1]))


def _expected_end(start: datetime.date, period: str) -> datetime.date | None:
    match = re.fullmatch(r"P(\d{1,4})([YMD])", period)
    if not match:
        return None
    count = int(match[1])
    try:
        if match[2] == "D":
            return start + datetime.timedelta(days=count)
        return _add_months(start, count * (12 if match[2] == "Y" else 1))
    except (ValueError, OverflowError):
        return None


def check_terms(evidence: Evidence) -> Iterator[Finding]:
    """A term of n years whose start and end, in the same sentence, lie another span apart."""
    for sentence in evidence.document.sentences:
        anchors = evidence.between(sentence.start, sentence.end)
        dates = [a for a in anchors if a.kind is AnchorKind.DATE and _FULL.fullmatch(a.value)]
        periods = [a for a in anchors if a.kind is AnchorKind.PERIOD and a.bound in ("exact", "about")]
        if len(dates) != 2 or len(periods) != 1:
            continue
        text = evidence.text[sentence.start : sentence.end]
        between = evidence.text[dates[0].end : dates[1].start]
        if not _TERM_CUE.search(text) or not _ENDS.search(between) or len(between) > 80:
            continue
        start, end = (datetime.date.fromisoformat(d.value) for d in dates)
        expected = _expected_end(start, periods[0].value)
        distance = min(abs(periods[0].start - dates[1].end), abs(dates[0].start - periods[0].end))
        if expected is None or end <= start or distance > 80 or abs((expected - end).days) <= 3:
            continue
        if _RENEWAL.search(text):
            continue
        written = quoted(evidence.text[periods[0].start : periods[0].end])
        yield make(
            "value.arithmetic",
            0.8,
            Severity.HIGH,
            say(
                "value.arithmetic/term",
                evidence.chinese(sentence.start),
                place=evidence.place(sentence.start),
                written=written,
                start=start,
                end=end,
                expected=expected,
            ),
            [evidence.passage(sentence.start, sentence.start + 1, [*dates, *periods])],
        )


def check_arithmetic(evidence: Evidence) -> Iterator[Finding]:
    """All of value.arithmetic."""
    yield from check_instalments(evidence)
    yield from check_shares(evidence)
    yield from check_dates(evidence)
    yield from check_terms(evidence)
