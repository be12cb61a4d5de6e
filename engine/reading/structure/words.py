"""The sentences inside clauses: lists taken apart into items, each with the words that introduce it."""

from __future__ import annotations

import dataclasses

from engine.document import ClauseKind
from engine.reading.sentences import split
from engine.reading.source import Block
from engine.reading.structure.headings import heading_after_label
from engine.reading.structure.lists import InlineItem, inline_items
from engine.reading.structure.numbering import numbered_node
from engine.reading.structure.tree import ClauseStack, Node

_MAX_LIST_DEPTH = 4
#: Words of a table row up to this length are one sentence with the cell that follows them.
_MAX_ROW_HEAD = 120
#: How many sentences back the words that introduce an item are looked for.
_LEAD_IN_WITHIN = 200
_LEAD_IN_KINDS = (ClauseKind.ITEM, ClauseKind.CLAUSE, ClauseKind.DEFINITION)


@dataclasses.dataclass(slots=True)
class SentenceSpan:
    """A sentence under construction."""

    start: int
    end: int
    node: Node
    lead_in: int = -1


class SentenceWriter:
    """Collects the sentences of a document in reading order; makes the items of lists clauses of their own."""

    def __init__(self, text: str, stack: ClauseStack) -> None:
        self._text = text
        self._stack = stack
        self.sentences: list[SentenceSpan] = []
        self._cell: tuple[int, int, int] | None = None

    def body(self, block: Block, node: Node, start: int) -> None:
        """The sentences of a block's words from ``start`` on."""
        if start < block.end:
            self._words(block, start, block.end, node, self._lead_in_for(node), 0)

    def plain(self, start: int, end: int, node: Node, lead_in: int = -1) -> None:
        """The sentences of a span, no lists looked for."""
        for place, (first, last) in enumerate(split(self._text, start, end)):
            self.sentences.append(SentenceSpan(first, last, node, lead_in if place == 0 else -1))

    def cell(self, block: Block, node: Node) -> None:
        """The sentences of a table cell; the short words of the cell before it ("Term") begin the first one."""
        last = self.sentences[-1] if self.sentences else None
        spans = split(self._text, block.start, block.end)
        if block.table is not None and block.table == self._cell:
            last = None  # another paragraph of the same cell
        self._cell = block.table
        short = last is not None and last.node is node and last.end - last.start <= _MAX_ROW_HEAD
        if spans and last is not None and short and self._text[last.end - 1] not in ".。;；!?！？":
            last.end = spans[0][1]
            spans = spans[1:]
        self.sentences += [SentenceSpan(first, stop, node) for first, stop in spans]

    def skip_space(self, at: int, end: int) -> int:
        """The first offset from ``at`` on that is no white space."""
        while at < end and self._text[at].isspace():
            at += 1
        return at

    def _lead_in_for(self, node: Node) -> int:
        """Index of the sentence that introduces an item: the last of its parent's own, when it was left open."""
        if node.kind not in _LEAD_IN_KINDS or node.parent is None:
            return -1
        for index in range(len(self.sentences) - 1, max(-1, len(self.sentences) - _LEAD_IN_WITHIN), -1):
            sentence = self.sentences[index]
            if sentence.node is node.parent:
                last = self._text[sentence.end - 1]
                listed = node.kind is ClauseKind.ITEM and last.isalnum()
                return index if last in ":：—–-,，" or listed else -1
            if sentence.start < node.parent.start:
                return -1
        return -1

    def _words(self, block: Block, start: int, end: int, node: Node, lead_in: int, depth: int) -> None:
        items = inline_items(self._text, start, end) if depth < _MAX_LIST_DEPTH else []
        if not items:
            self.plain(start, end, node, lead_in)
            return
        self.plain(start, items[0].start, node, lead_in)
        opened = len(self.sentences) - 1 if self.sentences and items[0].start > start else -1
        if opened >= 0 and self._text[self.sentences[opened].end - 1] in ".。!?！？":
            opened = -1
        single = True
        for place, item in enumerate(items):
            first_end = self._first_end(item)
            stop = first_end if place == len(items) - 1 and single else item.end
            single = single and first_end >= item.end
            self._item(block, item, stop, node, opened, depth)
            if stop < item.end:
                self.plain(stop, item.end, node)

    def _item(self, block: Block, item: InlineItem, stop: int, node: Node, opened: int, depth: int) -> None:
        while stop > item.start and self._text[stop - 1].isspace():
            stop -= 1
        child = numbered_node(self._text, item.start, item.label, item.reading, node, self._stack.scope)
        child.kind = ClauseKind.ITEM
        child.end = stop
        body = self.skip_space(item.label.end, stop)
        heading, after = heading_after_label(self._text, item.label.end, stop, block)
        if heading and after < stop:
            child.heading, body = heading, after
        child.body_start = body
        self._stack.attach(child)
        self._words(block, body, stop, child, opened, depth + 1)

    def _first_end(self, item: InlineItem) -> int:
        spans = split(self._text, item.label.end, item.end)
        return spans[0][1] if len(spans) > 1 else item.end
