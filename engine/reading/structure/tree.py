"""The clause tree: labels in reading order, each given its parent and its meaning."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from engine.document import ClauseKind
from engine.reading.structure.labels import Label, Reading

#: How far ahead the neighbours of an ambiguous label are looked for.
_LOOK_AHEAD = 60


@dataclasses.dataclass(slots=True, eq=False)
class Node:
    """A clause under construction. ``style`` and ``value`` are its place in its sequence."""

    kind: ClauseKind
    start: int
    parent: Node | None
    style: str = ""
    value: int = 0
    path: tuple[int | str, ...] = ()
    absolute: bool = False
    label: str = ""
    number: str = ""
    heading: str = ""
    body_start: int = -1
    end: int = -1
    level: int = 0
    children: int = 0


class ClauseStack:
    """The open clauses around the place that is being read, outermost first.

    ``scope`` is the node (or None) inside which numbering stands alone: the main body, or a schedule.
    """

    def __init__(self) -> None:
        self.open: list[Node] = []
        self.nodes: list[Node] = []
        self.scope: Node | None = None
        self._seen: set[tuple[int, str, int]] = set()

    def innermost(self) -> Node | None:
        """The clause that running text belongs to now."""
        return self.open[-1] if self.open else None

    def push(self, node: Node) -> Node:
        """Make a node the innermost one, under ``node.parent``; closes what is not around it."""
        while self.open and self.open[-1] is not node.parent:
            self.open.pop()
        node.level = node.parent.level + 1 if node.parent is not None else 0
        if node.parent is not None:
            node.parent.children += 1
        self.open.append(node)
        self.nodes.append(node)
        self._seen.add((id(self.scope), node.style, node.value))
        return node

    def enter_scope(self, node: Node) -> None:
        """From now on numbering stands for itself below ``node``."""
        self.scope = node

    def has_seen(self, style: str, value: int) -> bool:
        """Whether this place of this sequence was given out already in this scope."""
        return (id(self.scope), style, value) in self._seen

    def in_scope(self) -> list[Node]:
        """The open nodes of this scope, outermost first, the scope's own node left out."""
        if self.scope is None or self.scope not in self.open:
            return self.open
        return self.open[self.open.index(self.scope) + 1 :]

    def place(self, label: Label, ahead: Sequence[Label]) -> tuple[Reading, Node | None]:
        """The reading of a label that fits best here, and its parent.

        Args:
            label: what is printed.
            ahead: the labels that follow in the document, for telling (i) after (h) from the first (i).
        """
        best: tuple[float, Reading, Node | None] | None = None
        for order, reading in enumerate(label.readings):
            score, parent = self._fit(label, reading)
            score += _support(label, reading, ahead) - 0.1 * order
            if best is None or score > best[0]:
                best = (score, reading, parent)
        if best is None:
            raise ValueError("a label without readings")
        return best[1], best[2]

    def expects(self, reading: Reading) -> bool:
        """Whether an open sequence continues with this reading."""
        return any(node.style == reading.style and node.value + 1 == reading.value for node in self.in_scope())

    def _fit(self, label: Label, reading: Reading) -> tuple[float, Node | None]:
        if label.kind == "decimal" and len(reading.path) > 1:
            return self._fit_decimal(reading)
        open_nodes = self.in_scope()
        for node in reversed(open_nodes):
            if node.style == reading.style and node.value + 1 == reading.value:
                return 3.0, node.parent
        same = [node for node in open_nodes if node.style == reading.style]
        if reading.value == 1 and not same:
            return 2.0, self._host(reading)
        if same:
            node = same[-1]
            return (0.6 if reading.value > node.value else 0.3), node.parent
        for node in reversed(open_nodes):
            # "4." after "3" or "Section 3": the author's style drifted, the count did not.
            if _counts_alike(node.style, reading.style) and node.value + 1 == reading.value:
                return 1.5, node.parent
        return 0.0, self._host(reading)

    def _fit_decimal(self, reading: Reading) -> tuple[float, Node | None]:
        open_nodes = self.in_scope()
        prefix = reading.path[:-1]
        for node in reversed(open_nodes):
            if node.absolute and node.path == prefix:
                return 3.0, node
        for node in reversed(open_nodes):
            if node.style.endswith("decimal") and len(node.path) == len(reading.path):
                return 1.5, node.parent
        for node in reversed(open_nodes):
            if node.absolute and len(node.path) < len(reading.path):
                return 1.0, node
        return 0.5, self._root()

    def _root(self) -> Node | None:
        return self.scope if self.scope is not None and self.scope in self.open else None

    def _host(self, reading: Reading) -> Node | None:
        """Where the first of a new sequence hangs: words and top numbers at the top, lists where we are."""
        if _rank(reading.style) == 0:
            return self._root()
        for node in reversed(self.in_scope()):
            if _rank(node.style) < _rank(reading.style) or (node.style and _rank(reading.style) >= 2):
                return node
            if not node.style and node.kind is not ClauseKind.DEFINITION:
                return node
        return self._root()


def _rank(style: str) -> int:
    """Coarse order of numbering styles: parts and articles over sections over decimals over lists."""
    if style in ("part", "article", "chapter", "第章", "第编", "第篇", "第部分"):
        return 0
    if style in ("section", "clause", "第条", "第节", "一、", "n.0") or style.endswith("decimal"):
        return 1
    return 2


def _counts_alike(one: str, other: str) -> bool:
    digit = {"1.", "1", "1)", "1、", "section", "clause", "article", "n.0"}
    return one in digit and other in digit


def _support(label: Label, reading: Reading, ahead: Sequence[Label]) -> float:
    """What the labels that follow say about a reading: the next of its sequence comes soon, or a rival's does."""
    if len(label.readings) < 2:
        return 0.0
    for following in ahead[:_LOOK_AHEAD]:
        for other in following.readings:
            if other.style == reading.style and other.value == reading.value + 1 and len(following.readings) == 1:
                return 1.5
        for rival in label.readings:
            if rival.style != reading.style and any(
                other.style == rival.style and other.value == rival.value + 1 for other in following.readings
            ):
                return -0.5
    return 0.0
