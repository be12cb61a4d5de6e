"""Walks the blocks of a source text in reading order and grows the clause tree and the sentences."""

from __future__ import annotations

import dataclasses

from engine.document import ClauseKind
from engine.reading.sentences import split
from engine.reading.source import Block, BlockKind, SourceText
from engine.reading.structure import sections
from engine.reading.structure.headings import heading_after_label, is_heading_line
from engine.reading.structure.labels import Label, Reading, label_at
from engine.reading.structure.lists import InlineItem, inline_items
from engine.reading.structure.tree import ClauseStack, Node

#: A later "2" is looked for this many labels ahead before a bare "1 Definitions" is believed.
_WEAK_LOOK_AHEAD = 200
_MAX_LIST_DEPTH = 4


@dataclasses.dataclass(slots=True)
class SentenceSpan:
    """A sentence under construction."""

    start: int
    end: int
    node: Node
    lead_in: int = -1


class StructureReader:
    """Takes the blocks one by one; afterwards :attr:`nodes` and :attr:`sentences` are complete.

    Both are in reading order. Spans of nodes grow with the blocks that they take in.
    """

    def __init__(self, source: SourceText) -> None:
        self._text = source.text
        self._blocks = source.blocks
        self._contents = sections.contents_blocks(source.text, source.blocks)
        self._labels = self._believed([self._label_of(index) for index in range(len(source.blocks))])
        order = [label for label in self._labels if label is not None]
        self._ahead = order
        self._taken = 0
        self._stack = ClauseStack()
        self._mode = ClauseKind.PREAMBLE
        self._numbered = bool(order)
        self.sentences: list[SentenceSpan] = []

    @property
    def nodes(self) -> list[Node]:
        """All clauses found so far."""
        return self._stack.nodes

    # --- labels -------------------------------------------------------------------------------

    def _label_of(self, index: int) -> Label | None:
        block = self._blocks[index]
        if index in self._contents or block.kind is not BlockKind.PARAGRAPH:
            return None
        if block.label_end > block.start:
            label = label_at(self._text, block.start, block.label_end) or label_at(self._text, block.start, block.end)
            if label is not None:
                return dataclasses.replace(label, end=max(label.end, block.label_end), weak=False)
            return None
        return label_at(self._text, block.start, block.end)

    def _believed(self, labels: list[Label | None]) -> list[Label | None]:
        """Drop bare numbers ("1 Definitions") that do not count on."""
        values = [
            (index, label.readings[0].value) for index, label in enumerate(labels) if label is not None and label.weak
        ]
        keep: set[int] = set()
        expected = 1
        for place, (index, value) in enumerate(values):
            if value == expected and (
                expected > 1 or any(v == 2 for _, v in values[place + 1 : place + _WEAK_LOOK_AHEAD])
            ):
                keep.add(index)
                expected += 1
        return [
            label if label is None or not label.weak or index in keep else None for index, label in enumerate(labels)
        ]

    # --- blocks -------------------------------------------------------------------------------

    def take(self, index: int) -> None:
        """Read one block."""
        block = self._blocks[index]
        label = self._labels[index]
        if label is not None:
            self._taken += 1
        if index in self._contents:
            self._take_contents(block)
        elif block.kind is BlockKind.TABLE_CELL:
            self._take_cell(block)
        elif block.kind is BlockKind.FOOTNOTE:
            self._take_footnote(block)
        elif label is None:
            self._take_unnumbered(block)
        elif label.kind == "schedule":
            self._take_schedule(block, label)
        elif label.kind == "bullet":
            self._take_bullet(block, label)
        else:
            self._take_numbered(block, label)

    def _node(self, kind: ClauseKind, block: Block, parent: Node | None, body_start: int = -1) -> Node:
        node = Node(kind, block.start, parent, body_start=block.start if body_start < 0 else body_start)
        self._stack.push(node)
        self._grow(node, block.end)
        return node

    def _grow(self, node: Node | None, end: int) -> None:
        while node is not None:
            node.end = max(node.end, end)
            node = node.parent

    def _take_contents(self, block: Block) -> None:
        node = self._stack.innermost()
        if node is None or node.kind is not ClauseKind.CONTENTS:
            self._node(ClauseKind.CONTENTS, block, None, block.end)
        else:
            self._grow(node, block.end)
            node.body_start = node.end

    def _take_cell(self, block: Block) -> None:
        node = self._stack.innermost()
        row = f"row {block.table[0]} {block.table[1]}" if block.table else "row"
        if node is None or node.kind is not ClauseKind.TABLE_ROW or node.style != row:
            parent = node
            while parent is not None and parent.kind in (ClauseKind.TABLE_ROW, ClauseKind.CONTENTS, ClauseKind.TITLE):
                parent = parent.parent
            node = self._node(ClauseKind.TABLE_ROW, block, parent)
            node.style = row
        self._grow(node, block.end)
        self._add_sentences(block.start, block.end, node, -1)

    def _take_footnote(self, block: Block) -> None:
        here = self._stack.innermost()
        node = Node(ClauseKind.FOOTNOTE, block.start, here, body_start=block.start, end=block.end)
        node.level = here.level + 1 if here is not None else 0
        self._stack.nodes.append(node)
        self._grow(here, block.end)
        self._add_sentences(block.start, block.end, node, -1)

    def _take_schedule(self, block: Block, label: Label) -> None:
        text = self._text[block.start : block.end]
        if not any(node.number for node in self._stack.nodes) and len(self._stack.nodes) < 3 and "." in label.number:
            self._take_unnumbered(block)  # "Exhibit 10.55" above the title is the filing's number, not ours.
            return
        node = self._node(ClauseKind.SCHEDULE, block, None, block.end)
        reading = label.readings[0]
        node.style, node.value, node.path = reading.style, reading.value, reading.path
        node.label = node.number = text[label.start - block.start : label.end - block.start].rstrip(" .:：、")
        node.heading = self._text[label.end : block.end].strip(' .:：–—-\t"”')
        self._stack.enter_scope(node)
        self._mode = ClauseKind.SCHEDULE

    def _take_bullet(self, block: Block, label: Label) -> None:
        parent = self._stack.innermost()
        while parent is not None and parent.style == label.readings[0].style:
            parent = parent.parent
        if parent is not None and parent.kind in (ClauseKind.TITLE, ClauseKind.CONTENTS, ClauseKind.SIGNATURE):
            parent = parent.parent
        node = self._node(ClauseKind.ITEM, block, parent, label.end)
        node.style = label.readings[0].style
        node.label = self._text[label.start : label.end]
        self._body(block, node, self._skip_space(label.end, block.end))

    def _take_numbered(self, block: Block, label: Label) -> None:
        recital = self._mode is ClauseKind.RECITAL and label.kind == "single"
        reading, parent = self._stack.place(label, self._ahead[self._taken :])
        if parent is not None and parent.kind in (
            ClauseKind.TITLE,
            ClauseKind.CONTENTS,
            ClauseKind.PREAMBLE,
            ClauseKind.SIGNATURE,
        ):
            parent = parent.parent
        if not recital and self._mode in (ClauseKind.RECITAL, ClauseKind.PREAMBLE, ClauseKind.SIGNATURE):
            if self._mode is ClauseKind.RECITAL and parent is not None and parent.kind is ClauseKind.RECITAL:
                parent = None
            self._mode = ClauseKind.CLAUSE
        node = self._numbered_node(block.start, label, reading, parent)
        self._stack.push(node)
        self._grow(node, block.end)
        heading, body = heading_after_label(self._text, label.end, block.end, block)
        term = sections.defined_term(self._text, body, block.end) if body < block.end else ""
        if recital:
            node.kind, heading, body = ClauseKind.RECITAL, "", self._skip_space(label.end, block.end)
        elif node.kind is ClauseKind.ITEM and heading and body >= block.end and not self._item_heading(block, node):
            heading, body = "", self._skip_space(label.end, block.end)
        elif term and not heading:
            node.kind, heading = ClauseKind.DEFINITION, term
        node.heading, node.body_start = heading, body
        self._body(block, node, body)

    def _item_heading(self, block: Block, node: Node) -> bool:
        """A short list item ("(a) Cash") is an item; it is a heading when the file shows it as one."""
        return block.bold or block.outline_level >= 0 or self._text[block.start : block.end].isupper()

    def _numbered_node(self, start: int, label: Label, reading: Reading, parent: Node | None) -> Node:
        node = Node(_kind(label, reading), start, parent, reading.style, reading.value)
        node.label = self._text[label.start : label.end].strip().rstrip(".:：、．") or label.number
        if label.kind == "single":
            node.label = self._text[label.start : label.end].strip()
        node.absolute = label.kind in ("decimal", "word") or parent is self._stack.scope or parent is None
        node.path, node.number = _path_and_number(label, reading, parent, node.label, self._stack.scope)
        return node

    def _take_unnumbered(self, block: Block) -> None:
        line = self._text[block.start : block.end]
        if sections.opens_recitals(line) and self._mode is not ClauseKind.CLAUSE:
            self._mode = ClauseKind.RECITAL
            node = self._node(ClauseKind.RECITAL, block, None, block.end)
            node.heading = line.strip(" .:：")
            return
        if sections.opens_signatures(line) and (self._mode is not ClauseKind.PREAMBLE or not self._numbered):
            self._mode = ClauseKind.SIGNATURE
            node = self._node(ClauseKind.SIGNATURE, block, self._scope())
            self._add_sentences(block.start, block.end, node, -1)
            return
        if self._mode is ClauseKind.SIGNATURE:
            here = self._stack.innermost()
            if here is None:
                raise RuntimeError("a signature block without a node")
            self._grow(here, block.end)
            self._add_sentences(block.start, block.end, here, -1)
        elif self._mode is ClauseKind.PREAMBLE:
            self._take_preamble(block, line)
        elif self._mode is ClauseKind.RECITAL:
            self._take_recital(block, line)
        else:
            self._take_running(block, line)

    def _scope(self) -> Node | None:
        return self._stack.scope if self._stack.scope in self._stack.open else None

    def _take_preamble(self, block: Block, line: str) -> None:
        here = self._stack.innermost()
        emphasised = block.bold or block.centred or block.outline_level >= 0
        if here is None or here.kind in (ClauseKind.TITLE, ClauseKind.CONTENTS):
            if is_heading_line(line, emphasised):
                if here is not None and here.kind is ClauseKind.TITLE:
                    self._grow(here, block.end)
                    here.body_start = here.end
                else:
                    node = self._node(ClauseKind.TITLE, block, None, block.end)
                    node.heading = line.strip()
                return
        if sections.is_recital(line):
            self._mode = ClauseKind.RECITAL
            self._take_recital(block, line)
            return
        if not self._numbered and (block.outline_level >= 0 or (emphasised and is_heading_line(line, emphasised))):
            self._mode = ClauseKind.CLAUSE
            self._take_running(block, line)
            return
        if here is None or here.kind is not ClauseKind.PREAMBLE:
            here = self._node(ClauseKind.PREAMBLE, block, None)
        self._grow(here, block.end)
        self._body(block, here, block.start)

    def _take_recital(self, block: Block, line: str) -> None:
        here = self._stack.innermost()
        if sections.closes_recitals(line):
            self._mode = ClauseKind.PREAMBLE
            self._body(block, self._node(ClauseKind.PREAMBLE, block, None), block.start)
            return
        root = here
        while root is not None and root.parent is not None:
            root = root.parent
        if root is None or root.kind is not ClauseKind.RECITAL:
            root = None
        self._body(block, self._node(ClauseKind.RECITAL, block, root), block.start)

    def _take_running(self, block: Block, line: str) -> None:
        """A paragraph without a number, below the first clause."""
        emphasised = block.bold or block.centred or block.outline_level >= 0
        term = sections.defined_term(self._text, block.start, block.end)
        if not term and (emphasised or line.isupper()) and is_heading_line(line, emphasised):
            node = self._node(ClauseKind.CLAUSE, block, self._heading_parent(block), block.end)
            node.heading = line.strip(" .:：")
            node.style = f"heading {block.outline_level}"
            return
        here = self._stack.innermost()
        if term:
            while here is not None and here.kind in (
                ClauseKind.DEFINITION,
                ClauseKind.ITEM,
                ClauseKind.TABLE_ROW,
                ClauseKind.PARAGRAPH,
            ):
                here = here.parent
            node = self._node(ClauseKind.DEFINITION, block, here)
            node.heading = term
            self._body(block, node, block.start)
            return
        here = self._flush_target(line)
        if here is None or here.children or here.kind in (ClauseKind.CONTENTS, ClauseKind.TITLE):
            parent = (
                here if here is not None and here.kind not in (ClauseKind.CONTENTS, ClauseKind.TITLE) else self._scope()
            )
            here = self._node(ClauseKind.PARAGRAPH, block, parent)
        self._grow(here, block.end)
        self._body(block, here, block.start)

    def _heading_parent(self, block: Block) -> Node | None:
        if block.outline_level > 0:
            for node in reversed(self._stack.in_scope()):
                if node.style.startswith("heading ") and int(node.style.split()[1]) < block.outline_level:
                    return node
        return self._scope()

    def _flush_target(self, line: str) -> Node | None:
        """The clause that an unnumbered paragraph continues: behind a finished list, the list's parent."""
        here = self._stack.innermost()
        if here is not None and here.kind is ClauseKind.TABLE_ROW:
            here = here.parent
        if here is None:
            return None
        finished = self._text[here.start : here.end].rstrip()[-1:] in ".;。；" or line[:1].islower()
        while (
            finished
            and here is not None
            and here.kind in (ClauseKind.ITEM, ClauseKind.PARAGRAPH)
            and here.parent is not None
        ):
            here = here.parent
        return here

    # --- sentences ----------------------------------------------------------------------------

    def _skip_space(self, at: int, end: int) -> int:
        while at < end and self._text[at].isspace():
            at += 1
        return at

    def _body(self, block: Block, node: Node, start: int) -> None:
        """The sentences of a block's words, lists inside them taken apart."""
        if start >= block.end:
            return
        self._read_words(start, block.end, node, self._lead_in_for(node), 0)

    def _lead_in_for(self, node: Node) -> int:
        """Index of the sentence that introduces an item: the last of its parent's own, when it was left open."""
        if node.kind not in (ClauseKind.ITEM, ClauseKind.CLAUSE, ClauseKind.DEFINITION) or node.parent is None:
            return -1
        for index in range(len(self.sentences) - 1, max(-1, len(self.sentences) - 200), -1):
            sentence = self.sentences[index]
            if sentence.node is node.parent:
                open_end = self._text[sentence.end - 1] in ":：—–-,，" or (
                    node.kind is ClauseKind.ITEM and self._text[sentence.end - 1].isalnum()
                )
                return index if open_end else -1
            if sentence.start < node.parent.start:
                return -1
        return -1

    def _read_words(self, start: int, end: int, node: Node, lead_in: int, depth: int) -> None:
        items = inline_items(self._text, start, end) if depth < _MAX_LIST_DEPTH else []
        if not items:
            self._add_sentences(start, end, node, lead_in)
            return
        self._add_sentences(start, items[0].start, node, lead_in)
        opened = len(self.sentences) - 1 if items[0].start > start and self.sentences else -1
        single = True
        for place, item in enumerate(items):
            stop, rest = item.end, item.end
            if place == len(items) - 1 and single:
                stop = self._first_end(item)
            single = single and self._first_end(item) >= item.end
            child = self._numbered_node(item.start, item.label, item.reading, node)
            child.kind, child.level = ClauseKind.ITEM, node.level + 1
            child.body_start = self._skip_space(item.label.end, stop)
            child.end = len(self._text[:stop].rstrip()) if stop < 4096 else self._trim(stop)
            self._stack.nodes.append(child)
            self._read_words(child.body_start, stop, child, opened, depth + 1)
            if stop < rest:
                self._add_sentences(stop, rest, node, -1)

    def _trim(self, end: int) -> int:
        while end > 0 and self._text[end - 1].isspace():
            end -= 1
        return end

    def _first_end(self, item: InlineItem) -> int:
        spans = split(self._text, item.label.end, item.end)
        return spans[0][1] if len(spans) > 1 else item.end

    def _add_sentences(self, start: int, end: int, node: Node, lead_in: int) -> None:
        for place, (first, last) in enumerate(split(self._text, start, end)):
            self.sentences.append(SentenceSpan(first, last, node, lead_in if place == 0 else -1))


def _kind(label: Label, reading: Reading) -> ClauseKind:
    if reading.style in ("article", "part", "chapter", "第章", "第编", "第篇", "第部分"):
        return ClauseKind.ARTICLE
    if label.kind in ("word", "decimal") or reading.style in ("1.", "1、", "一、", "I.", "1", "n.0"):
        return ClauseKind.CLAUSE
    return ClauseKind.ITEM


def _path_and_number(
    label: Label, reading: Reading, parent: Node | None, printed: str, scope: Node | None
) -> tuple[tuple[int | str, ...], str]:
    """The number as a path and as displayed with its ancestors."""
    tail = tuple(int(part) if part.isdigit() else part.lower() for part in label.tail)
    tail_text = "".join(f"({part})" for part in label.tail)
    base: tuple[int | str, ...] = scope.path if scope is not None else ()
    base_text = f"{scope.number}, " if scope is not None and scope.number else ""
    if label.kind in ("decimal", "word"):
        shown = label.number
        if label.kind == "word" and reading.style in ("article", "part", "chapter"):
            shown = f"{reading.style.capitalize()} {label.number}"
        return base + reading.path + tail, base_text + shown + tail_text
    bare = printed.rstrip(".．、:：")
    if parent is None or parent is scope or not parent.path:
        shown = label.number if not printed.startswith(("(", "（", "[", "［", "【")) or reading.style == "(1)" else bare
        return base + reading.path + tail, base_text + shown + (
            "" if tail_text and printed.endswith(tail_text) else tail_text
        )
    if bare[0] not in "(（[［【①②③④⑤⑥⑦⑧⑨⑩⑴⑵⑶⑷⑸⒈" and not bare.endswith((")", "）")):
        bare = f".{bare}" if parent.number[-1:].isdigit() else bare
    elif bare.endswith(")") and not bare.startswith("("):
        bare = f"({bare}"
    return parent.path + reading.path + tail, parent.number + bare
