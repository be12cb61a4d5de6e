"""Which amounts, dates, periods, percentages and quantities a changed clause has otherwise than before."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from engine.anchors.amounts import find_amounts
from engine.anchors.dates import find_dates
from engine.anchors.model import Anchor, AnchorKind
from engine.anchors.percents import find_percents
from engine.anchors.periods import find_periods
from engine.anchors.quantities import find_quantities
from engine.anchors.references import find_references
from engine.anchors.scan import Scan
from engine.protocol.comparison import ValueChange, WordChange, WordSign

#: The kinds whose change a reader must not miss.
KINDS = frozenset(
    {AnchorKind.AMOUNT, AnchorKind.DATE, AnchorKind.PERIOD, AnchorKind.PERCENT, AnchorKind.RATE, AnchorKind.QUANTITY}
)
#: A change of words without one of these signs changes no value.
_NUMBER_WORD = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy"
    r"|eighty|ninety|hundred|thousand|million|billion|half|quarter|days?|weeks?|months?|years?|percent|january|february"
    r"|march|april|may|june|july|august|september|october|november|december)\b",
    re.IGNORECASE,
)
_FIGURES = re.compile(r"[0-9０-９][0-9０-９.,，]*|[〇零一二三四五六七八九十百千万亿两]+")
_NUMBER_SIGNS = frozenset("0123456789%$€£¥〇零一二三四五六七八九十百千万亿两半壹贰叁肆伍陆柒捌玖拾佰仟元日月年周")


def may_change_values(old: str, new: str, words: Sequence[WordChange]) -> bool:
    """Whether the changed words hold anything that could be a value; spans are of the texts given."""
    for change in words:
        if change.sign is WordSign.EQUAL:
            continue
        run = old[change.old_start : change.old_end] + " " + new[change.new_start : change.new_end]
        if not _NUMBER_SIGNS.isdisjoint(run) or _NUMBER_WORD.search(run):
            return True
    return False


def value_changes(
    old: str, new: str, old_at: int, new_at: int, language: str, words: Sequence[WordChange] = ()
) -> tuple[ValueChange, ...]:
    """The values of two texts that differ, in reading order.

    Args:
        old, new: a clause's words on either side.
        old_at, new_at: where they begin in their documents, in code points.
        language: ``en`` or ``zh``.
        words: the clause's changed words: "thirty (30)" that became "thirty (45)" is still P30D, but not as it was.
    """
    before, after = _values(old, language), _values(new, language)
    kinds_before, kinds_after = [_key(a) for a in before], [_key(a) for a in after]
    changes: list[ValueChange] = []
    for tag, i, i_end, j, j_end in SequenceMatcher(None, kinds_before, kinds_after, autojunk=False).get_opcodes():
        if tag != "equal":
            changes += _paired(before[i:i_end], after[j:j_end], old_at, new_at, len(old), len(new))
    same = set(kinds_before) & set(kinds_after)
    old_side = (old, [anchor for anchor in before if _key(anchor) in same], old_at)
    new_side = (new, [anchor for anchor in after if _key(anchor) in same], new_at)
    return (*_without_moved(changes), *_written(old_side, new_side, words))


def _values(text: str, language: str) -> list[Anchor]:
    scan = Scan.of(text, language)
    # In the order of engine.anchors.extract, which settles who owns a number; parties, terms and norms are no values.
    for find in (find_references, find_dates, find_amounts, find_percents, find_periods, find_quantities):
        find(scan)
    return sorted((a for a in scan.found if a.kind in KINDS), key=lambda a: (a.start, -a.end, a.kind))


def _key(anchor: Anchor) -> tuple[str, str, str]:
    return (anchor.kind.value, anchor.value, anchor.bound)


def _paired(
    before: Sequence[Anchor], after: Sequence[Anchor], old_at: int, new_at: int, old_length: int, new_length: int
) -> list[ValueChange]:
    """Values of one kind stand against each other in order; what is left stands alone."""
    out: list[ValueChange] = []
    left = list(after)
    for anchor in before:
        other = next((each for each in left if each.kind is anchor.kind), None)
        if other is not None:
            left.remove(other)
            new_span = (new_at + other.start, new_at + other.end)
        else:
            new_span = (new_at + new_length, new_at + new_length)
        span = (old_at + anchor.start, old_at + anchor.end)
        out.append(ValueChange(anchor.kind.value, _shown(anchor), _shown(other), *span, *new_span))
    end = old_at + old_length
    for other in left:
        span = (new_at + other.start, new_at + other.end)
        out.append(ValueChange(other.kind.value, "", _shown(other), end, end, *span))
    return out


#: A clause's words on one side, their values that are on both sides, and where they begin in the document.
_Side = tuple[str, list[Anchor], int]


def _written(old: _Side, new: _Side, words: Sequence[WordChange]) -> list[ValueChange]:
    """Values that count as equal although a figure in them was changed: one of two ways of writing it was."""
    out: list[ValueChange] = []
    for deleted, inserted in itertools.pairwise(words):
        if deleted.sign is not WordSign.DELETED or inserted.sign is not WordSign.INSERTED:
            continue
        before, anchor = _touched(old, deleted.old_start, deleted.old_end)
        after, other = _touched(new, inserted.new_start, inserted.new_end)
        if anchor and other and _FIGURES.findall(before) != _FIGURES.findall(after):
            kind = anchor.kind.value
            out.append(ValueChange(kind, before.strip(), after.strip(), deleted.old_start, deleted.old_end,
                                   inserted.new_start, inserted.new_end))  # fmt: skip
    return out


def _touched(side: _Side, start: int, end: int) -> tuple[str, Anchor | None]:
    """The words of a span of the document, and the value they are part of."""
    text, anchors, at = side
    touched = next((a for a in anchors if a.start + at < end and start < a.end + at), None)
    return text[start - at : end - at], touched


def _shown(anchor: Anchor | None) -> str:
    """The canonical value, with its bound where it has one: ``≤ P30D`` is not ``P30D``."""
    if anchor is None:
        return ""
    sign = {"at_most": "≤ ", "at_least": "≥ ", "more_than": "> ", "less_than": "< ", "about": "≈ "}
    return sign.get(anchor.bound, "") + anchor.value


def _without_moved(changes: list[ValueChange]) -> tuple[ValueChange, ...]:
    """A value that only changed its place within the clause has not changed."""
    gone = [c for c in changes if c.old and not c.new]
    come = [c for c in changes if c.new and not c.old]
    for change in gone:
        same = next((c for c in come if (c.kind, c.new) == (change.kind, change.old)), None)
        if same is not None:
            come.remove(same)
            changes = [c for c in changes if c is not change and c is not same]
    return tuple(changes)
