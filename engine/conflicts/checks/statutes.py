"""value.percent, value.period: a value beyond what a statute allows, which the finding names.

The limits are those of the knowledge packs; besides them a deposit in money is held against the contract's one total,
and a lease's two dates against the longest that a lease may last.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

import msgspec

from engine.anchors.model import Anchor, AnchorKind
from engine.conflicts.checks.evidence import Evidence, make
from engine.conflicts.checks.said import CONFLICT, DIFFERENT, SAME, Said
from engine.document import Clause, Sentence
from engine.protocol.findings import Finding, Severity
from engine.states.knowledge import Knowledge
from engine.states.knowledge_pack import Limit

#: So many code points of a document's beginning say what kind of contract it is.
TITLE = 80
SCORE = 0.85
_CODES = {AnchorKind.PERCENT: "value.percent", AnchorKind.PERIOD: "value.period"}
_DEPOSIT = re.compile(r"定金(?!罚则)[^。；;，,]{0,12}$")
_TOTAL = re.compile(
    r"(?:合同总价款?|合同总金额|合同总额|合同金额|合同价款|总价款|货款总额|标的额|成交价款?|房屋总价)[^。；;，,]{0,14}$"
)
_LEASE = re.compile(r"租赁期限?|租期")
_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})$")
#: A lease "from 1 April 2026 to 31 March 2046" lasts twenty years; a day more or less is a way of counting.
_SPARE_DAYS = 2


def check_statutes(evidence: Evidence, knowledge: Knowledge) -> Iterator[Finding]:
    """A finding for each value that a sentence sets beyond a statute's limit."""
    title = evidence.text[:TITLE]
    limits = {entry.id: entry for pack in knowledge.packs if pack.language == "zh" for entry in pack.limits}
    for sentence in evidence.document.sentences:
        anchors = evidence.between(sentence.start, sentence.end)
        if not anchors:
            continue
        text = evidence.text[sentence.start : sentence.end]
        own = [msgspec.structs.replace(a, start=a.start - sentence.start, end=a.end - sentence.start) for a in anchors]
        for breach in knowledge.breaches(text, own, f"{title}\n{_headings(evidence, sentence)}"):
            if isinstance(breach.entry, Limit) and breach.anchor is not None:
                at = next(a for a, b in zip(anchors, own, strict=True) if b is breach.anchor)
                yield _finding(evidence, breach.entry, _spoken(at), [at])
        if "lease_term" in limits and _LEASE.search(text):
            yield from _long_lease(evidence, anchors, limits["lease_term"])
    if "earnest" in limits:
        yield from _large_deposit(evidence, limits["earnest"])


def _headings(evidence: Evidence, sentence: Sentence) -> str:
    clause: Clause | None = evidence.document.clause_by_id.get(sentence.clause)
    if clause is None:
        return ""
    return " ".join((clause.heading, *(parent.heading for parent in evidence.document.ancestors(clause))))


def _spoken(anchor: Anchor) -> str:
    """A value as a person reads it: ``30%``, ``25 years``."""
    match = re.fullmatch(r"P(\d+)(Y|M|W|D|BD)", anchor.value)
    units = {"Y": "years", "M": "months", "W": "weeks", "D": "days", "BD": "business days"}
    return f"{match[1]} {units[match[2]]}" if match else anchor.value


def _spoken_zh(value: str) -> str:
    units = {"years": "年", "months": "个月", "weeks": "周", "days": "天", "business days": "个工作日"}
    number, _, unit = value.partition(" ")
    return number + units.get(unit, unit)


def _finding(evidence: Evidence, limit: Limit, given: str, marks: list[Anchor]) -> Finding:
    chinese, at = evidence.chinese(marks[0].start), marks[0].start
    place, source = evidence.place(at), limit.source
    if chinese:
        given = _spoken_zh(given)
        said = Said(
            f"{place}约定为{given}，而{limit.summary}（{source}）。",
            (
                (SAME, f"该条款约定的事项由{source}规定。"),
                (DIFFERENT, f"约定为{given}，超出法定限度。"),
                (CONFLICT, f"{limit.summary}。"),
            ),
            "改为法律允许的数值，或说明不适用该规定的理由。",
        )
    else:
        said = Said(
            f"{place} gives {given}, but {limit.summary} ({source}).",
            (
                (SAME, f"{source} governs what this passage agrees."),
                (DIFFERENT, f"It gives {given}, which is beyond the limit."),
                (CONFLICT, f"{limit.summary[:1].upper()}{limit.summary[1:]}."),
            ),
            "Bring the value within the law, or say why the rule does not apply.",
        )
    return make(
        _CODES[limit.anchor], SCORE, Severity.HIGH, said, [evidence.passage(m.start, m.end, [m]) for m in marks]
    )


def _long_lease(evidence: Evidence, anchors: list[Anchor], limit: Limit) -> Iterator[Finding]:
    """A lease whose two dates, the only ones of its sentence, lie farther apart than a lease may last."""
    dates = [(a, m) for a in anchors if a.kind is AnchorKind.DATE and (m := _DAY.fullmatch(a.value))]
    if len(dates) != 2:
        return
    try:
        first, last = (datetime.date(*map(int, match.groups())) for _, match in dates)
        longest = first.replace(year=first.year + int(limit.value[1:-1]), day=min(first.day, 28))
    except ValueError:
        return
    if last > longest + datetime.timedelta(days=_SPARE_DAYS + 3):
        yield _finding(evidence, limit, f"{(last - first).days / 365.25:.1f} years", [dates[1][0]])


def _money(evidence: Evidence, words: re.Pattern[str]) -> list[tuple[Anchor, str, Decimal]]:
    """The amounts that follow some words within their sentence, with currency and number."""
    found = []
    for anchor in evidence.of_kind(AnchorKind.AMOUNT):
        low, _ = evidence.sentence_span(anchor.start, anchor.end)
        currency, _, number = anchor.value.partition(" ")
        if words.search(evidence.text, low, anchor.start):
            try:
                found.append((anchor, currency, Decimal(number)))
            except InvalidOperation:
                continue
    return found


def _large_deposit(evidence: Evidence, limit: Limit) -> Iterator[Finding]:
    """A deposit of more than its share of the contract's total, where the contract names one total only."""
    totals = _money(evidence, _TOTAL)
    if len({(currency, number) for _, currency, number in totals}) != 1 or totals[0][2] <= 0:
        return
    total, currency, whole = totals[0]
    for deposit, other, number in _money(evidence, _DEPOSIT):
        share = 100 * number / whole
        if other == currency and Decimal(limit.value.rstrip("%")) < share <= 100:
            yield _finding(evidence, limit, f"{share:.4g}%", [deposit, total])
