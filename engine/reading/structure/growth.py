"""The growing clause tree: what every kind of paragraph needs to put itself into it."""

from __future__ import annotations

from collections.abc import Sequence

from engine.document import ClauseKind
from engine.reading.source import Block
from engine.reading.structure.labels import Label
from engine.reading.structure.tree import ClauseStack, Node
from engine.reading.structure.words import SentenceWriter

#: How many labels ahead an ambiguous one's neighbours are looked for.
_LOOK_AHEAD = 60


class Growth:
    """The tree and its sentences so far, and in which part of a contract the reading is.

    Attributes:
        text: the canonical text.
        labels: all labels of the document, in reading order.
        taken: how many of them have been read.
        mode: preamble, recitals, clauses, schedules or signatures.
        body_size: the size in points of most letters, 0 if unknown.
    """

    def __init__(self, text: str, labels: Sequence[Label], body_size: float) -> None:
        self.text = text
        self.labels = labels
        self.taken = 0
        self.stack = ClauseStack()
        self.writer = SentenceWriter(text, self.stack)
        self.mode = ClauseKind.PREAMBLE
        self.body_size = body_size

    @property
    def ahead(self) -> Sequence[Label]:
        """The labels that follow, as far as they are looked at."""
        return self.labels[self.taken : self.taken + _LOOK_AHEAD]

    def node(self, kind: ClauseKind, block: Block, parent: Node | None, body_start: int = -1) -> Node:
        """A new node that begins with a block; ``body_start`` -1: all of the block is its words."""
        node = Node(kind, block.start, parent, body_start=block.start if body_start < 0 else body_start)
        self.stack.push(node)
        self.grow(node, block.end)
        return node

    def grow(self, node: Node | None, end: int) -> None:
        """A node, and all around it, reach at least to ``end``."""
        while node is not None:
            node.end = max(node.end, end)
            node = node.parent

    def scope(self) -> Node | None:
        """The attachment that is being read; None in the main body."""
        return self.stack.scope if self.stack.scope in self.stack.open else None

    def outline_parent(self, block: Block) -> Node | None:
        """The nearest open clause above a heading in the file's own outline."""
        for node in self.stack.hosts():
            if node is not None and 0 <= node.outline < block.outline_level:
                return node
        return self.scope()
