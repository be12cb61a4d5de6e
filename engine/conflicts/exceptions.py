"""Exceptions that say for whom they are made: the clause or the part of the contract that they name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.anchors.model import AnchorKind
from engine.conflicts.units import Unit

#: Where words begin that yield to, or override, something else.
_OPENS = re.compile(
    r"\b(?:unless|except(?:ed|ing)?|other than|save(?: as| for)?|subject to|notwithstanding|without prejudice to|"
    r"in addition to|as an exception to|instead of|in lieu of)\b|"
    r"(?<![解删扣免消拆清排开])除非?|尽管|在(?:不违反|遵守|符合)|以(?=[^，。；]{1,20}为准)|不受|不适用|受(?=[^，。；]{1,12}限制)|不影响",
    re.IGNORECASE,
)
#: Where they end.
_ENDS = re.compile(r"[,;，；。]|\.(?:\s|$)")
#: A part of the contract that is filled in apart from its clauses.
_PART = re.compile(
    r"\b(?:cover page|order form|order|key terms|statement of work|sow|special (?:conditions|terms|provisions)|"
    r"schedule|exhibit|annex|appendix|attachment|summary of terms|term sheet|variables|particulars|data sheet)\b|"
    r"封面|订单|订货单|附件|附表|附录|专用条款|特别约定|特别条款|补充条款|工作说明书|要素表",
    re.IGNORECASE,
)
#: What is said of such a part when it may hold something else.
_SAYS = re.compile(
    r"\b(?:identif\w+|sa(?:y|ys|id)|stat(?:e|es|ed)|specif\w+|provid\w+|set (?:out|forth)|indicat\w+|describ\w+|"
    r"permit\w*|allow\w*|list(?:s|ed)?|contain\w*|requir\w+|include\w*|"
    r"in (?:the|an?|any)|under (?:the|an?|any)|on the)\b|"
    r"另有|约定|载明|规定|列明|注明|说明|所列",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+|[a-z]+", re.IGNORECASE)


def _path(label: str) -> tuple[str, ...]:
    """14.4(a) as 14, 4, a."""
    return tuple(part.lower() for part in _NUMBER.findall(label))


def _exceptions(unit: Unit) -> Iterator[tuple[int, int]]:
    """The spans of a passage's exceptions."""
    for match in _OPENS.finditer(unit.text):
        end = _ENDS.search(unit.text, match.end())
        yield match.start(), end.start() if end else len(unit.text)


def _references(unit: Unit, start: int, end: int) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The clauses of this contract that are named in a span, as ranges (equal ends for a single one)."""
    found = []
    for anchor in unit.values(AnchorKind.REFERENCE):
        if not (start <= anchor.start < end + 60) or not anchor.value.startswith("clause:"):
            continue
        # "Section 14.1 and Section 14.4,": a comma between two references ends nothing.
        if anchor.start > end and not re.fullmatch(r"[\s,，、and或和or至to]*", unit.text[end : anchor.start]):
            continue
        detail = anchor.detail
        low, high = detail.get("from", detail.get("number", "")), detail.get("to", detail.get("number", ""))
        if low:
            found.append((_path(low), _path(high)))
    return found


def _stands_in(unit: Unit, low: tuple[str, ...], high: tuple[str, ...]) -> bool:
    clause = unit.first.clause
    if clause is None or not clause.path:
        return False
    path = tuple(str(part).lower() for part in clause.path)
    if low == high:
        return path[: len(low)] == low
    size = len(low)
    return size == len(high) and _order(low) <= _order(path[:size]) <= _order(high)


def _order(path: tuple[str, ...]) -> tuple[tuple[int, str], ...]:
    return tuple((int(part), "") if part.isdigit() else (0, part) for part in path)


def names(unit: Unit, other: Unit) -> bool:
    """Whether an exception in ``unit`` names the clause or the part of the contract in which ``other`` stands."""
    for start, end in _exceptions(unit):
        if any(_stands_in(other, low, high) for low, high in _references(unit, start, end)):
            return True
        part = _PART.search(unit.text, start, end)
        if part is not None and _SAYS.search(unit.text, start, end) and _outside(unit, other, part.group()):
            return True
    return False


def names_others_only(unit: Unit, other: Unit) -> bool:
    """Whether all exceptions in ``unit`` name clauses by number, and none of them is that of ``other``."""
    if other.first.clause is None or not other.first.clause.path:
        return False
    spans = list(_exceptions(unit))
    named = [_references(unit, start, end) for start, end in spans]
    return bool(spans) and all(named) and not names(unit, other)


def _outside(unit: Unit, other: Unit, part: str) -> bool:
    """Whether ``other`` may stand in a part that is filled in apart from the clause of ``unit``."""
    if unit.first.document != other.first.document:
        return True
    mine, theirs = unit.first.clause, other.first.clause
    if mine is None or not mine.path:
        return False
    if theirs is None or not theirs.path:
        return True
    heads = (theirs.number.casefold(), theirs.heading.casefold())
    return any(part.casefold() in head for head in heads)
