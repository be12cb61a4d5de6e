"""What the look of a whole document tells: its usual size of letters, and headings that stand above numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.reading.source import Block, BlockKind
from engine.reading.structure.headings import heading_after_label, is_heading_line
from engine.reading.structure.labels import Label
from engine.reading.structure.prepare import PreparedBlock
from engine.reading.structure.sections import closes_recitals

#: So many headings above numbers make a habit of the author's.
_ENOUGH_ABOVE = 3
_FEWEST_SINGLE = 0.7
#: Recitals are looked for among so many paragraphs.
_EARLY_BLOCKS = 400


def body_size(blocks: Sequence[PreparedBlock]) -> float:
    """The size in points of most characters, 0 when the file does not say."""
    sizes: Counter[float] = Counter()
    for prepared in blocks:
        block = prepared.block
        sizes[round(block.font_size_pt, 1)] += block.end - block.start
    return sizes.most_common(1)[0][0] if sizes else 0.0


def headings_above(text: str, blocks: Sequence[PreparedBlock]) -> frozenset[int]:
    """Indexes of headings that belong to the number in the next paragraph, not to a clause of their own.

    Canadian and British drafters set "Definitions" on a line and "1.1 In this Agreement …" below it. It is
    a habit when most such headings are followed by a single number each.
    """
    above: list[int] = []
    single = 0
    for index in range(len(blocks) - 1):
        if not _is_heading(text, blocks[index]) or not _is_bare_number(text, blocks[index + 1]):
            continue
        above.append(index)
        single += _next_number_has_its_own(text, blocks, index + 1)
    if len(above) < _ENOUGH_ABOVE or single < _FEWEST_SINGLE * len(above):
        return frozenset()
    return frozenset(above)


def _is_heading(text: str, prepared: PreparedBlock) -> bool:
    block = prepared.block
    if prepared.label is not None or prepared.contents or block.kind is not BlockKind.PARAGRAPH or block.centred:
        return False
    line = text[block.start : block.end]
    emphasised = block.bold or block.outline_level >= 0
    return (emphasised or not line.isupper()) and is_heading_line(line, emphasised)


def _is_bare_number(text: str, prepared: PreparedBlock) -> bool:
    """A clause number with words behind it and no heading of its own."""
    label, block = prepared.label, prepared.block
    if label is None or not _counts(label):
        return False
    return label.end < block.end and not heading_after_label(text, label.end, block.end, block)[0]


def _counts(label: Label) -> bool:
    return label.kind in ("decimal", "word") or (label.kind == "single" and label.readings[0].style in ("1.", "1"))


def _next_number_has_its_own(text: str, blocks: Sequence[PreparedBlock], index: int) -> bool:
    """Whether the next number of that depth (or the next part) has a heading above it as well, or is none."""
    label = blocks[index].label
    depth = len(label.readings[0].path) if label is not None else 0
    for at in range(index + 1, len(blocks)):
        other = blocks[at].label
        if other is None or not _counts(other):
            continue
        path = other.readings[0].path
        if len(path) < depth or (len(path) == depth and other.readings[0].value == 1):
            return True
        if len(path) == depth:
            return _is_heading(text, blocks[at - 1])
    return True


def lettered_recitals(text: str, blocks: Sequence[PreparedBlock]) -> frozenset[int]:
    """Indexes of the facts "A. …", "B. …" before "NOW, THEREFORE" where no heading says RECITALS."""
    for index, prepared in enumerate(blocks[:_EARLY_BLOCKS]):
        if prepared.label is None and closes_recitals(text[prepared.block.start : prepared.block.end]):
            first = index
            while first > 0 and _is_lettered(blocks[first - 1].label):
                first -= 1
            label = blocks[first].label
            if first < index and label is not None and label.readings[0].value == 1:
                return frozenset(range(first, index))
            return frozenset()
    return frozenset()


def _is_lettered(label: Label | None) -> bool:
    return label is not None and label.kind == "single" and label.readings[0].style in ("A.", "(A)", "A)")


def stands_alone(block: Block, following: Block | None) -> bool:
    """Whether a table cell is the only one of its row that holds words."""
    if block.table is None or following is None or following.table is None:
        return block.table is not None
    table, row, column = block.table
    return following.table[:2] != (table, row) or following.table[2] == column
