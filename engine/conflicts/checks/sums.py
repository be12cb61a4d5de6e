"""value.arithmetic in running text: parts of a price, equal instalments, shares of a whole, quantity times price.

Each looks only where the text itself says that the numbers belong together ("in three instalments", "as follows",
"shared", 分三期), and says nothing where something else may be added (tax, interest, a deposit).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from engine.anchors.chinese_numerals import ALL as CHINESE
from engine.anchors.chinese_numerals import chinese_value
from engine.anchors.model import Anchor, AnchorKind
from engine.anchors.number_words import number_words
from engine.conflicts.checks.evidence import Evidence, make
from engine.conflicts.checks.sentences import say
from engine.protocol.findings import Finding, Passage, Severity

_TOTAL = re.compile(
    r"(?:(?:purchase|contract|total|aggregate|sale|overall) (?:price|sum|fees?|amount|consideration|cost|rent|payment)"
    r"|\b(?:the|a|total) (?:price|fees?|consideration)|total)[^.;\n]{0,60}$"
    r"|(?:总价款?|总金额|总额|总费用|合同(?:总)?(?:价款?|金额|额)|价款总计|(?:服务|转让|工程|设计)(?:费用?|价款|款)(?:总[计额])?|共计|合计)"
    r"[^，。；\n]{0,20}$",
    re.IGNORECASE,
)
_NUMBER = rf"(?:\d{{1,3}}|[{CHINESE}]{{1,3}})"
_SPLIT = re.compile(
    r"\b(?:payable|paid|pay (?:it|this|the same)|payments? (?:shall|will) be made|due|divided|split|shared|allocated"
    r"|apportioned)\b[^.;]{0,80}\b(?:as follows|according to the following|in (?:the following|(?:\w+|\w+ \(\d{1,3}\))"
    r" (?:\w+ ){0,2}(?:instal?lments?|payments?|parts|stages|tranches)))"
    rf"|分{_NUMBER}(?:期|次|笔|个?阶段|批)|按(?:以下|下列|如下)[^，。；]{{0,16}}(?:支付|付款|分配)"
    r"|(?:支付|付款|分配)[^，。；]{0,12}如下",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    rf"\bin (?P<en>\w+)(?: \(\d{{1,3}}\))? (?:\w+ ){{0,2}}(?:instal?lments?|payments?|parts|stages|tranches)"
    rf"|分(?P<zh>{_NUMBER})(?:期|次|笔|个?阶段|批)",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"\b(?:additional(?:ly)?|plus|in addition|per|option(?:al)?|refundable|interest|tax(?:es)?|vat|expenses?"
    r"|reimburs\w+|late|penalt\w+|deposit|each|every|monthly|annual(?:ly)?)\b"
    r"|另|额外|利息|税|违约|逾期|每|押金|质保金以外|罚",
    re.IGNORECASE,
)
_EQUAL = re.compile(
    r"(?P<n>\d{1,3}|[A-Za-z]+(?:-[A-Za-z]+)?)(?: ?\((?P<figure>\d{1,3})\))? (?:(?:equal|consecutive|successive|monthly"
    r"|quarterly|annual|yearly|semi-?annual|weekly),? (?:and )?){0,4}(?:instal?lments?|payments?)"
    r" (?:of|in the amount of)(?: (?:a|the sum of|an amount of))? ?$"
    rf"|分(?P<zh>{_NUMBER})(?:期|次|笔)[^。；]{{0,16}}每(?:期|次|笔)[^，。；\d]{{0,12}}$",
    re.IGNORECASE,
)
_LIST_END = re.compile(r"\n\s*\n|\n(?=\s*(?:\d{1,2}\.\d|第[一二三四五六七八九十百]+[条章]|(?:Section|Article) ))")
#: A total and its parts stand within so many characters, and a part so near to the one before it.
REACH, BETWEEN = 900, 260
_BY_HEADS = re.compile(
    r"\b(?:shared?|divided?|split|allocated?|apportion\w*|distribut\w+)\b[^.;]{0,80}(?:as follows|following"
    r"|proportions?|ratio|percentages?)|(?:如下|以下|下列)比例|按[^，。；]{0,14}比例(?:分配|分享|分担|承担)",
    re.IGNORECASE,
)
_OWNED = re.compile(r"股|出资|\b(?:shares?|equity|ownership|interests?|stake)\b", re.IGNORECASE)
_NOT_PARTS = re.compile(
    r"违约金|滞纳金|逾期|利息|以上|以下(?!比例)|超过|不低于|不足|表决|折|penalt|interest at|late|exceed|at least"
    r"|more than|less than|vote|majority|increase|decrease|discount",
    re.IGNORECASE,
)


def _money(anchor: Anchor) -> tuple[str, Decimal]:
    currency, _, number = anchor.value.partition(" ")
    return currency, Decimal(number)


def _count(text: str) -> int | None:
    """A small number in figures, English words or Chinese signs."""
    if text.isdigit():
        return int(text)
    if text.isascii():
        found = number_words(text)
        return int(found[0].value) if len(found) == 1 else None
    value = chinese_value(text)
    return None if value is None else int(value)


def _passages(evidence: Evidence, anchors: list[Anchor]) -> list[Passage]:
    grouped: dict[tuple[int, int], list[Anchor]] = {}
    for anchor in anchors:
        grouped.setdefault(evidence.sentence_span(anchor.start, anchor.end), []).append(anchor)
    return [evidence.passage(marks[0].start, marks[0].end, marks) for marks in list(grouped.values())[:4]]


def _differ(evidence: Evidence, total: Anchor, added: Decimal, sum_text: str, anchors: list[Anchor]) -> Finding | None:
    """The finding that a price is not what its parts come to; None when they agree or are far apart."""
    currency, shown = _money(total)
    if not shown or not shown / 2 <= added <= shown * 2:
        return None
    return make(
        "value.arithmetic",
        0.78,
        Severity.HIGH,
        say(
            "value.arithmetic/product" if "×" in sum_text else "value.arithmetic/parts",
            evidence.chinese(total.start),
            place=evidence.place(total.start),
            where=evidence.where(total.start),
            currency=currency,
            shown=f"{shown:,f}",
            added=f"{added:,f}",
            sum=sum_text,
        ),
        _passages(evidence, [total, *anchors]),
    )


def _is_total(evidence: Evidence, anchor: Anchor) -> bool:
    """Whether the words before an amount, with no other amount between, call it a price or a sum."""
    near = [a.end for a in evidence.between(max(0, anchor.start - 110), anchor.start) if a.kind is AnchorKind.AMOUNT]
    before = evidence.text[max(0, anchor.start - 110, *near) : anchor.start]
    return "per" not in anchor.detail and anchor.bound == "exact" and bool(_TOTAL.search(before))


def called_totals(evidence: Evidence) -> int:
    """How many amounts the text calls a price, a sum or a total."""
    return sum(_is_total(evidence, anchor) for anchor in evidence.of_kind(AnchorKind.AMOUNT))


def check_parts(evidence: Evidence) -> Iterator[Finding]:
    """A price that the text says is paid in parts, with all of them listed."""
    amounts = evidence.of_kind(AnchorKind.AMOUNT)
    for i, total in enumerate(amounts):
        if total.detail.get("agree") == "no" or not _is_total(evidence, total):
            continue
        parts = _parts(evidence, total, amounts[i + 1 : i + 14])
        if len(parts) < 2 or not _SPLIT.search(evidence.text[max(0, total.start - 60) : parts[0].start]):
            continue
        counted = _COUNTED.search(evidence.text[max(0, total.end - 60) : parts[0].start])
        number = _count(counted["en"] or counted["zh"]) if counted else None
        if number is not None and number != len(parts):
            continue
        if _MORE.search(evidence.text[total.end : parts[-1].end + 40]):
            continue
        added = sum((_money(part)[1] for part in parts), Decimal(0))
        if added == _money(total)[1]:
            continue
        finding = _differ(evidence, total, added, " + ".join(f"{_money(p)[1]:,f}" for p in parts), parts)
        if finding is not None:
            yield finding


def _parts(evidence: Evidence, total: Anchor, following: list[Anchor]) -> list[Anchor]:
    """The amounts after a total, to the end of its sentence or of the list that follows it."""
    text, currency = evidence.text, _money(total)[0]
    parts: list[Anchor] = []
    last = total.end
    for part in following:
        gap = text[last : part.start]
        stop = re.search(r"[.。](?:\s+(?=[A-Z])|\s*\n|(?=[\u4e00-\u9fff]))", gap)
        if part.start - total.end > REACH or len(gap) > BETWEEN or (stop and parts) or _LIST_END.search(gap):
            break
        if _money(part)[0] != currency or "per" in part.detail or _is_total(evidence, part):
            return []
        parts.append(part)
        last = part.end
    return parts


def check_equal(evidence: Evidence) -> Iterator[Finding]:
    """A price in so many equal instalments of so much."""
    amounts = evidence.of_kind(AnchorKind.AMOUNT)
    for i, each in enumerate(amounts):
        match = _EQUAL.search(evidence.text, max(0, each.start - 90), each.start)
        number = _count(match["figure"] or match["n"] or match["zh"]) if match else None
        if number is None or not 2 <= number <= 480:
            continue
        before = [a for a in amounts[max(0, i - 3) : i] if each.start - a.end <= 300]
        totals = [a for a in before if _is_total(evidence, a) and _money(a)[0] == _money(each)[0]]
        if not totals or totals[-1].detail.get("agree") == "no":
            continue
        total = totals[-1]
        first = [_money(a)[1] for a in before if a.start > total.start and a is not total]
        added = number * _money(each)[1]
        wanted, slack = _money(total)[1], number * _rounding(_money(each)[1])
        if any(abs(w - wanted) <= slack for w in (added, added + sum(first, Decimal(0)))) or first:
            continue
        if _MORE.search(re.sub(r"(?i)each|every|monthly|annual|每", "", evidence.text[total.end : each.end + 30])):
            continue
        finding = _differ(evidence, total, added, f"{number} × {_money(each)[1]:,f}", [each])
        if finding is not None:
            yield finding


def _rounding(value: Decimal) -> Decimal:
    """Half of a value's last digit, to the whole unit at most."""
    exponent = value.normalize().as_tuple().exponent
    return Decimal(5) * Decimal(10) ** (min(0, exponent if isinstance(exponent, int) else 0) - 1)


_MONTHLY = re.compile(
    r"(?:monthly|per month|each month)[^.;,]{0,40}$|(?:月租金?|每月租金|月费|每月)[^，。；\d]{0,12}$", re.IGNORECASE
)
_YEARLY = re.compile(
    r"(?:annual|yearly|per (?:year|annum))[^.;,]{0,40}$|(?:年租金?|全年|每年租金|年费)[^，。；\d]{0,12}$", re.IGNORECASE
)
_UNIT_PRICE = re.compile(r"\b(?:at|for|price of)\b[^.;,]{0,30}$|单价[^，。；\d]{0,12}$", re.IGNORECASE)
_WHOLE = re.compile(
    r"\btotal(?:l?ing)?\b[^.;]{0,50}$|(?:总价|合计|共计|总计|总金额)[^，。；\d]{0,14}$", re.IGNORECASE
)
_CHANGES = re.compile(r"discount|tax|vat|plus|increas|折|税|优惠|递增", re.IGNORECASE)
_EACH_PAID = re.compile(
    r"(?:\s+of (?:the|such|its) [\w ]{1,30}?)?,?\s+(?:shall be (?:paid|payable|due) |is (?:due|payable) )?(?:up)?on\b"
    r"|\s+(?:at|after) (?:the )?(?:signing|delivery|completion|acceptance|closing)",
    re.IGNORECASE,
)


def check_products(evidence: Evidence) -> Iterator[Finding]:
    """A month's rent beside a year's, and a quantity and price a unit beside their total, in one sentence."""
    for sentence in evidence.document.sentences:
        anchors = evidence.between(sentence.start, sentence.end)
        amounts = [a for a in anchors if a.kind is AnchorKind.AMOUNT]
        if len(amounts) != 2 or amounts[0].value.split()[0] != amounts[1].value.split()[0]:
            continue
        if any(a.bound != "exact" or a.detail.get("agree") == "no" for a in amounts):
            continue
        yield from _times(evidence, sentence.start, amounts, [a for a in anchors if a.kind is AnchorKind.QUANTITY])


def _times(evidence: Evidence, start: int, amounts: list[Anchor], quantities: list[Anchor]) -> Iterator[Finding]:
    text = evidence.text
    cues = [text[max(start, a.start - 60) : a.start] for a in amounts]
    one, whole = amounts
    number = 0
    if _MONTHLY.search(cues[0]) and _YEARLY.search(text[one.end : whole.start]):
        number = 12
    elif _YEARLY.search(cues[0]) and _MONTHLY.search(text[one.end : whole.start]):
        one, whole, number = whole, one, 12
    elif len(quantities) == 1 and _UNIT_PRICE.search(cues[0]) and _WHOLE.search(text[one.end : whole.start]):
        counted = quantities[0].value.split()[0]
        number = int(counted) if counted.isdigit() else 0
        if not ("per" in one.detail or "单价" in cues[0] or re.match(r"\s{0,2}(?:per|each|a)\b", text[one.end :])):
            number = 0
    added = number * _money(one)[1]
    if not number or abs(added - _money(whole)[1]) <= number * _rounding(_money(one)[1]):
        return
    between = text[max(start, min(one.start, whole.start) - 40) : max(one.end, whole.end) + 24]
    if _CHANGES.search(between):
        return
    finding = _differ(evidence, whole, added, f"{number} × {_money(one)[1]:,f}", [one])
    if finding is not None:
        yield finding


def check_parts_of_whole(evidence: Evidence) -> Iterator[Finding]:
    """Percentages that the text says divide one thing, and that miss 100."""
    percents = evidence.of_kind(AnchorKind.PERCENT)
    i = 0
    while i < len(percents):
        group = [percents[i]]
        while i + len(group) < len(percents) and _goes_on(evidence.text, group[-1], percents[i + len(group)]):
            group.append(percents[i + len(group)])
        i += len(group)
        added = sum((Decimal(p.value.rstrip("%")) for p in group if p.value.endswith("%")), Decimal(0))
        if _divides(evidence, group, added):
            chinese = evidence.chinese(group[0].start)
            yield make(
                "value.arithmetic",
                0.7,
                Severity.HIGH,
                say(
                    "value.arithmetic/shares",
                    chinese,
                    place=evidence.place(group[0].start),
                    where=evidence.where(group[0].start),
                    added=f"{added:f}",
                    sum=" + ".join(p.value.rstrip("%") for p in group),
                ),
                _passages(evidence, group),
            )


def _goes_on(text: str, last: Anchor, part: Anchor) -> bool:
    gap = text[last.end : part.start]
    return len(gap) < 120 and not re.search(r"[.。](?:\s+(?=[A-Z])|\s*\n)|\n\s*\n", gap)


def _divides(evidence: Evidence, group: list[Anchor], added: Decimal) -> bool:
    if len(group) < 2 or added == 100 or any(p.bound != "exact" or not p.value.endswith("%") for p in group):
        return False
    text = evidence.text[max(0, group[0].start - 120) : group[-1].end + 30]
    before = evidence.text[max(0, group[0].start - 120) : group[0].start]
    low = before.rfind("\n\n")
    before = before[low + 1 :]
    if _NOT_PARTS.search(text) or any(Decimal(p.value.rstrip("%")) >= 100 for p in group):
        return False
    counted = _COUNTED.search(before)
    number = _count(counted["en"] or counted["zh"]) if counted else None
    if number is not None:
        return number == len(group) and 70 <= added <= 130
    if len(group) < 3:
        return False
    if _OWNED.search(text) and not _BY_HEADS.search(before):
        # Others may hold the rest; more than everything nobody can hold.
        return 100 < added <= 130 and bool(re.search(r"占股|持股|出资|股权|\bhold|\bown", text))
    return 80 <= added <= 120 and bool(_SPLIT.search(before) or _BY_HEADS.search(before) or _each_paid(evidence, group))


def _each_paid(evidence: Evidence, group: list[Anchor]) -> bool:
    """Whether each share is due at an event of its own: "30% on signing, 40% on delivery and 20% on acceptance"."""
    return all(_EACH_PAID.match(evidence.text, p.end) for p in group)


def check_sums(evidence: Evidence) -> Iterator[Finding]:
    """All of the above."""
    yield from check_parts(evidence)
    yield from check_equal(evidence)
    yield from check_products(evidence)
    yield from check_parts_of_whole(evidence)
