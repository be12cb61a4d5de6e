"""Blocks made ready for the clause tree: contents set apart, labels found, run-together items split."""

from __future__ import annotations

import dataclasses
from collections.abc import Generator, Iterator, Sequence

from engine.reading.source import Block, BlockKind
from engine.reading.structure.contents import contents_steps
from engine.reading.structure.headings import heading_after_label
from engine.reading.structure.labels import Label, label_at
from engine.reading.structure.lists import following_items

#: A later "2" is looked for this many bare numbers ahead before a bare "1 Definitions" is believed.
_WEAK_LOOK_AHEAD = 30
#: The second item of a list begins one of so many paragraphs behind the first.
_ITEMS_AHEAD = 4
#: Blocks between two steps.
_BLOCKS_A_STEP = 250


@dataclasses.dataclass(frozen=True, slots=True)
class PreparedBlock:
    """A block, or a part of one that begins with an item's mark."""

    block: Block
    label: Label | None
    contents: bool


def prepare_steps(
    text: str, blocks: Sequence[Block], by_depth: bool = False
) -> Generator[None, None, list[PreparedBlock]]:
    """The blocks of a text in reading order, with their labels, in steps of some milliseconds.

    ``by_depth``: lists of different depth count apart, as in Markdown, where 1. may stand below 1.
    """
    blocks = [block for block in blocks if text[block.start : block.end].strip()]
    labels: list[Label | None] = []
    for block in blocks:
        label = _label_of(text, block)
        labels.append(_at_depth(label, block.list_level) if by_depth else label)
        if len(labels) % _BLOCKS_A_STEP == 0:
            yield
    contents = yield from contents_steps(text, blocks, labels)
    yield
    believed = _believed([None if index in contents else label for index, label in enumerate(labels)])
    repeated = _repeated(text, blocks, believed)
    prepared: list[PreparedBlock] = []
    for index, (block, label) in enumerate(zip(blocks, believed, strict=True)):
        if index % _BLOCKS_A_STEP == 0:
            yield
        first = _first_item(text, block, label, believed, index) if label is not None else None
        inner = repeated.get(index)
        if inner is not None and inner.readings[0].value > 1:
            prepared.append(PreparedBlock(block, inner, False))
            continue
        first = first or inner
        if first is not None:
            end = block.start + len(text[block.start : first.start].rstrip())
            prepared.append(PreparedBlock(dataclasses.replace(block, end=end), label, False))
            prepared += _parts(text, dataclasses.replace(block, start=first.start, label_end=first.start), first)
        elif label is None or label.kind != "single":
            prepared.append(PreparedBlock(block, label, index in contents))
        else:
            prepared += _parts(text, block, label)
    return prepared


def _repeated(text: str, blocks: Sequence[Block], labels: Sequence[Label | None]) -> dict[int, Label]:
    """The letters behind a number that is printed before each: "21. a. …", "21. b. …" are items of one clause."""
    groups: dict[tuple[str, int], list[tuple[int, Label]]] = {}
    for index, (block, label) in enumerate(zip(blocks, labels, strict=True)):
        if label is None or label.kind != "single" or not text[label.start].isdigit():
            continue
        inner = label_at(text, label.end, block.end)
        if inner is not None and inner.kind == "single" and text[label.end : inner.start].isspace() and not inner.weak:
            reading = label.readings[0]
            groups.setdefault((reading.style, reading.value), []).append((index, inner))
    found: dict[int, Label] = {}
    for members in groups.values():
        values = [inner.readings[0].value for _, inner in members]
        if len(members) > 1 and values == list(range(1, len(members) + 1)):
            found.update(members)
    return found


def _first_item(
    text: str, block: Block, label: Label, believed: Sequence[Label | None], index: int
) -> Label | None:
    """The "(a)" behind a heading on its line, when the next paragraph is "(b)": "2.2 USE. (a) The software …"."""
    if label.kind not in ("decimal", "word", "single"):
        return None
    heading, body = heading_after_label(text, label.end, block.end, block)
    first = label_at(text, body, block.end) if heading and body < block.end else None
    if first is None or first.kind != "single" or first.weak:
        return None
    following = next((other for other in believed[index + 1 : index + 1 + _ITEMS_AHEAD] if other is not None), None)
    if following is None or following.kind != "single":
        return None
    ones = {reading.style for reading in first.readings if reading.value == 1}
    twos = {reading.style for reading in following.readings if reading.value == 2}
    return first if ones & twos else None


def _parts(text: str, block: Block, label: Label) -> Iterator[PreparedBlock]:
    """A block of one list's items as one block an item."""
    starts = [(block.start, label), *following_items(text, label, block.end)]
    ends = [start for start, _ in starts[1:]] + [block.end]
    for (start, item), end in zip(starts, ends, strict=True):
        label_end = block.label_end if start == block.start else start
        stop = start + len(text[start:end].rstrip())
        yield PreparedBlock(dataclasses.replace(block, start=start, end=stop, label_end=label_end), item, False)


def _label_of(text: str, block: Block) -> Label | None:
    if block.kind is not BlockKind.PARAGRAPH:
        return None
    if block.label_end > block.start:
        label = label_at(text, block.start, block.label_end) or label_at(text, block.start, block.end)
        return (
            dataclasses.replace(label, end=max(label.end, block.label_end), weak=False) if label is not None else None
        )
    return label_at(text, block.start, block.end)


def _at_depth(label: Label | None, depth: int) -> Label | None:
    if label is None or label.kind != "single" or depth < 1:
        return label
    readings = tuple(dataclasses.replace(reading, style=f"{reading.style}@{depth}") for reading in label.readings)
    return dataclasses.replace(label, readings=readings)


def _without_dot(labels: list[Label | None]) -> set[int]:
    """Bare numbers that go on where dotted ones stopped: "22 NOTICES" behind "20. LAW", "21. TERM"."""
    found: set[int] = set()
    last, counted = 0, False
    for index, label in enumerate(labels):
        if label is None or label.kind != "single" or label.readings[0].style not in ("1.", "1"):
            continue
        value = label.readings[0].value
        if label.weak:
            if not counted or value != last + 1:
                continue
            found.add(index)
        counted, last = value == last + 1, value
    return found


def _believed(labels: list[Label | None]) -> list[Label | None]:
    """Drop bare numbers ("1 Definitions") that do not count on."""
    weak = [(index, label.readings[0].value) for index, label in enumerate(labels) if label is not None and label.weak]
    without_dot = _without_dot(labels)
    keep: set[int] = set()
    expected = 1
    for place, (index, value) in enumerate(weak):
        following = next((label for label in labels[index + 1 :] if label is not None), None)
        if index in without_dot:
            keep.add(index)
            continue
        if following is not None and following.readings[0].path in ((value, 1), (value, 0)):
            keep.add(index)
            expected = value + 1
            continue
        counts_on = any(later == 2 for _, later in weak[place + 1 : place + _WEAK_LOOK_AHEAD])
        if value == expected and (expected > 1 or counts_on):
            keep.add(index)
            expected += 1
    return [label if label is None or not label.weak or index in keep else None for index, label in enumerate(labels)]
