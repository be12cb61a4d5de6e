"""The clause tree: labels in reading order, each given its parent and its meaning."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from engine.document import ClauseKind
from engine.reading.structure.labels import Label, Reading


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
    outline: int = -1
    #: Size of its letters in points, 0 if unknown.
    size: float = 0.0
    children: int = 0
    #: The last value given out per numbering style among this node's children.
    sequences: dict[str, int] = dataclasses.field(default_factory=dict)
    #: Styles of the lists that a colon opened among its children.
    lists: set[str] = dataclasses.field(default_factory=set)


class ClauseStack:
    """The open clauses around the place that is being read, outermost first.

    ``scope`` is the node (or None) inside which numbering stands alone: the main body, or a schedule.
    """

    def __init__(self) -> None:
        self.open: list[Node] = []
        self.nodes: list[Node] = []
        self.scope: Node | None = None
        #: Size of the letters that :meth:`place` is asked about.
        self.size = 0.0
        self._top: dict[str, int] = {}

    def innermost(self) -> Node | None:
        """The clause that running text belongs to now."""
        return self.open[-1] if self.open else None

    def push(self, node: Node) -> Node:
        """Make a node the innermost one, under ``node.parent``; closes what is not around it."""
        while self.open and self.open[-1] is not node.parent:
            self.open.pop()
        self.attach(node)
        self.open.append(node)
        return node

    def attach(self, node: Node) -> None:
        """Record a node under its parent without opening it."""
        node.level = node.parent.level + 1 if node.parent is not None else 0
        if node.parent is not None:
            node.parent.children += 1
        if node.value:
            self.sequences_of(node.parent)[node.style] = node.value
        self.nodes.append(node)

    def leave_table(self) -> None:
        """What follows a table does not belong to its last row, nor to a heading inside it."""
        while self.open and (self.open[-1].kind is ClauseKind.TABLE_ROW or self.open[-1].style == IN_TABLE):
            self.open.pop()

    def sequences_of(self, host: Node | None) -> dict[str, int]:
        """The last value per style among a node's children (None: the top)."""
        return self._top if host is None else host.sequences

    def enter_scope(self, node: Node) -> None:
        """From now on numbering stands for itself below ``node``."""
        self.scope = node

    def hosts(self) -> list[Node | None]:
        """The open nodes of this scope that could take a child, innermost first, the scope's root last."""
        if self.scope is not None and self.scope in self.open:
            inside: list[Node | None] = list(reversed(self.open[self.open.index(self.scope) :]))
            return inside
        return [*reversed(self.open), None]

    def reopen(self, label: Label) -> None:
        """Go back into a list that a paragraph without a number interrupted: (1), "If the Seller fails …", (2).

        Only where no open sequence waits for the label; the paragraph then stands in the list's clause.
        """
        asides: list[Node] = []
        for node in reversed(self.nodes):
            if node.kind is ClauseKind.PARAGRAPH and not node.children and len(asides) < _MOST_ASIDES:
                asides.append(node)
            else:
                break
        last = self.nodes[-len(asides) - 1] if asides and len(self.nodes) > len(asides) else None
        if last is None or self.innermost() is not asides[0]:
            return
        for reading in label.readings:
            waits = any(self.sequences_of(host).get(reading.style, 0) + 1 == reading.value for host in self.hosts())
            if reading.value > 1 and waits:
                return
        host = _list_of(last, label)
        above = asides[0].parent
        if host is None or any(aside.parent is not above for aside in asides) or not _is_within(host, above):
            return
        if above is not None:
            above.children -= len(asides)
        for aside in asides:
            aside.parent, aside.level = host, host.level + 1
            host.children += 1
        around: list[Node] = []
        outer: Node | None = host
        while outer is not None:
            around.append(outer)
            outer.end = max(outer.end, asides[0].end)
            outer = outer.parent
        self.open = around[::-1]

    def place(self, label: Label, ahead: Sequence[Label], introduced: bool) -> tuple[Reading, Node | None]:
        """The reading of a label that fits best here, and its parent.

        Args:
            label: what is printed.
            ahead: the labels that follow in the document, for telling (i) after (h) from the first (i).
            introduced: the words before end in a colon, so that a list begins here.
        """
        best: tuple[float, Reading, Node | None] | None = None
        for order, reading in enumerate(label.readings):
            score, parent = self._fit(label, reading, introduced)
            score += _support(label, reading, ahead) - 0.1 * order
            if best is None or score > best[0]:
                best = (score, reading, parent)
        if best is None:
            raise ValueError("a label without readings")
        return best[1], best[2]

    def is_listed(self, node: Node, introduced: bool) -> bool:
        """Whether a numbered paragraph is an item of a list that a colon opened, not a clause.

        Lasts until the numbering starts anew without a colon before it.
        """
        host = node.parent
        while host is not None and host.kind is ClauseKind.PARAGRAPH and not host.path:
            host = host.parent
        if node.parent is None or host is None or not host.path:
            return False
        if node.value == 1:
            (node.parent.lists.add if introduced else node.parent.lists.discard)(node.style)
        return node.style in node.parent.lists

    def _fit(self, label: Label, reading: Reading, introduced: bool) -> tuple[float, Node | None]:
        """How well a reading fits (3: the next of an open sequence, 0: nowhere), and under which parent."""
        if label.kind == "decimal" and len(reading.path) > 1:
            return self._fit_decimal(reading)
        hosts = self.hosts()
        lasts = [(host, self.sequences_of(host).get(reading.style, 0)) for host in hosts]
        inner = hosts[0]
        starts_list = introduced and reading.value == 1 and _rank(reading.style) == LIST
        if starts_list and inner is not None and not lasts[0][1]:
            return 2.5, inner
        for host, last in lasts:
            if last and last + 1 == reading.value:
                return 3.0, host
        after = self._after_decimals(hosts, reading) or self._after_other_style(hosts, reading)
        return after if after is not None else self._fit_loosely(reading, lasts)

    def _fit_loosely(self, reading: Reading, lasts: Sequence[tuple[Node | None, int]]) -> tuple[float, Node | None]:
        """The first of a new sequence, or a number that its sequence did not expect."""
        inner = lasts[0][0]
        known = [(host, last) for host, last in lasts if last]
        if not known:
            return (2.0 if reading.value == 1 else 0.0), self._host(reading)
        host, last = known[0]
        if reading.value == 1 and inner is not host and inner is not None and inner.style.startswith("heading"):
            return 1.0, inner  # numbering starts anew below a heading without a number
        return (0.6 if reading.value > last else 0.3), host

    def _after_decimals(self, hosts: Sequence[Node | None], reading: Reading) -> tuple[float, Node | None] | None:
        """As "3 OBJECT" after 2.1 … 2.9 goes on where "2" stood, or would have stood."""
        if reading.style not in _TOP_NUMBERS:
            return None
        for node in hosts:
            if node is not None and self._decimal_top(node) + 1 == reading.value > 1:
                above = node.parent
                stood = above is not None and above.absolute and above.style in _TOP_NUMBERS
                return 2.6, above.parent if above is not None and stood else above
        return None

    def _after_other_style(self, hosts: Sequence[Node | None], reading: Reading) -> tuple[float, Node | None] | None:
        """As "4." after "3" or "Section 3": the author's style drifted, the count did not."""
        if reading.value == 1:
            return None
        for host in hosts:
            for style, last in self.sequences_of(host).items():
                if last + 1 == reading.value and _counts_alike(style, reading.style):
                    return 1.5, host
        return None

    def _decimal_top(self, node: Node) -> int:
        """The first number of a two-level decimal clause of this scope, else -1."""
        path = node.path[len(self.scope.path) :] if self.scope is not None else node.path
        return path[0] if node.style.endswith("decimal") and len(path) == 2 and isinstance(path[0], int) else -1

    def _fit_decimal(self, reading: Reading) -> tuple[float, Node | None]:
        nodes = [host for host in self.hosts() if host is not None and host is not self.scope]
        prefix = reading.path[:-1]
        base = self.scope.path if self.scope is not None else ()
        for node in nodes:
            if node.absolute and node.path[len(base) :] == prefix:
                return 3.0, node
        for node in nodes:
            if node.style.endswith("decimal") and len(node.path) - len(base) == len(reading.path):
                return 1.5, node.parent
        for node in nodes:
            if node.absolute and len(node.path) - len(base) < len(reading.path):
                return 1.0, node
        return 0.5, self._root()

    def _root(self) -> Node | None:
        return self.scope if self.scope is not None and self.scope in self.open else None

    def _host(self, reading: Reading) -> Node | None:
        """Where the first of a new sequence hangs: words and top numbers at the top, lists where we are."""
        rank = _rank(reading.style)
        if rank == DIVISION:
            return self._root()
        for node in self.hosts():
            if node is None or node is self.scope:
                return node
            leads = node.style == "heading -1" and not is_larger(node.size, self.size)
            if leads and reading.style in _TOP_NUMBERS and not self.sequences_of(node.parent):
                return node.parent  # the first numbered clauses, below the line that leads to them
            if _takes(node, rank):
                return node
        return self._root()


def _list_of(last: Node, label: Label) -> Node | None:
    """The clause around ``last`` whose list goes on with a label, None without."""
    node: Node | None = last
    while node is not None and node.parent is not None:
        for reading in label.readings:
            follows = node.style == reading.style and node.value + 1 == reading.value > 1
            if follows and _rank(reading.style) == LIST and node.parent.path:
                return node.parent
        node = node.parent
    return None


def _is_within(node: Node, other: Node | None) -> bool:
    """Whether ``other`` is around a node, and not the node itself."""
    above = node.parent
    while above is not None and above is not other:
        above = above.parent
    return above is other


#: So many paragraphs without a number may stand between two items of a list.
_MOST_ASIDES = 2
#: The style of a heading that fills a row of a table.
IN_TABLE = "heading in table"
#: A heading's letters are larger than the words below by this factor when it leads a part of the document.
_LARGER = 1.15


def is_larger(size: float, other: float) -> bool:
    """Whether letters of one size lead words of another (points); False when either is unknown."""
    return size > 0 and other > 0 and size >= _LARGER * other


#: Styles that count the top clauses whose children are decimals (1, then 1.1, 1.2).
_TOP_NUMBERS = ("1", "1.", "1、", "n.0", "section", "clause", "article")
#: Coarse order of numbering styles: parts and articles over sections and decimals over lists.
DIVISION, SECTION, LIST = 0, 1, 2


def _rank(style: str) -> int:
    if style in ("part", "article", "chapter", "第章", "第编", "第篇", "第部分"):
        return DIVISION
    if (
        style in ("section", "clause", "第条", "第节", "一、", "n.0")
        or style.endswith("decimal")
        or style.startswith("heading")
    ):
        return SECTION
    return LIST


def _takes(node: Node, rank: int) -> bool:
    """Whether the first of a sequence of this rank may hang below the node."""
    if _rank(node.style) < rank or (rank == LIST and node.style):
        return True
    if rank == SECTION and node.style == "第条":
        return True  # 一、二、 below an article
    if rank == LIST and node.kind in (ClauseKind.PARAGRAPH, ClauseKind.DEFINITION):
        return True
    return not node.style and node.kind not in (ClauseKind.DEFINITION, ClauseKind.PARAGRAPH, ClauseKind.PREAMBLE)


def _counts_alike(one: str, other: str) -> bool:
    digit = {"1.", "1", "1)", "1、", "section", "clause", "article", "n.0"}
    return (one in digit and other in digit) or {one, other} == {"(1)", "[1]"}


def _support(label: Label, reading: Reading, ahead: Sequence[Label]) -> float:
    """What the labels that follow say about a reading: the next of its sequence comes soon, or a rival's does."""
    if len(label.readings) < 2:
        return 0.0
    for following in ahead:
        for other in following.readings:
            if other.style == reading.style and other.value == reading.value + 1 and len(following.readings) == 1:
                return 1.5
        for rival in label.readings:
            if rival.style != reading.style and any(
                other.style == rival.style and other.value == rival.value + 1 for other in following.readings
            ):
                return -0.5
    return 0.0
