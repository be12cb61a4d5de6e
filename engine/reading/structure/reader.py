"""Walks the blocks of a source text in reading order and grows the clause tree and the sentences."""

from __future__ import annotations

from engine.document import ClauseKind
from engine.reading.source import Block, BlockKind, SourceText
from engine.reading.structure import sections
from engine.reading.structure.growth import Growth
from engine.reading.structure.headings import heading_after_label, is_heading_line, schedule_heading
from engine.reading.structure.labels import Label
from engine.reading.structure.looks import body_size, headings_above, lettered_recitals, stands_alone
from engine.reading.structure.numbering import numbered_node
from engine.reading.structure.prepare import PreparedBlock
from engine.reading.structure.tree import IN_TABLE, Node, is_larger
from engine.reading.structure.unnumbered import UnnumberedParagraphs
from engine.reading.structure.words import SentenceSpan

_ASIDE = (ClauseKind.TITLE, ClauseKind.CONTENTS, ClauseKind.PREAMBLE, ClauseKind.SIGNATURE)


class StructureReader:
    """Takes the blocks one by one; afterwards :attr:`nodes` and :attr:`sentences` are complete.

    Both are in reading order. Spans of nodes grow with the blocks that they take in.
    """

    def __init__(self, source: SourceText, blocks: list[PreparedBlock]) -> None:
        labels = [prepared.label for prepared in blocks if prepared.label is not None]
        self._text = source.text
        self.blocks = blocks
        self._tree = Growth(source.text, labels, body_size(blocks))
        self._stack = self._tree.stack
        self._writer = self._tree.writer
        self._unnumbered = UnnumberedParagraphs(self._tree)
        self._above = headings_above(source.text, blocks)
        self._facts = lettered_recitals(source.text, blocks)
        self._pending: Block | None = None

    @property
    def nodes(self) -> list[Node]:
        """All clauses found so far."""
        return self._stack.nodes

    @property
    def sentences(self) -> list[SentenceSpan]:
        """All sentences found so far."""
        return self._writer.sentences

    def take(self, index: int) -> None:
        """Read one of :attr:`blocks`."""
        prepared = self.blocks[index]
        block, label = prepared.block, prepared.label
        if label is not None:
            self._tree.taken += 1
        if index in self._facts and self._tree.mode is ClauseKind.PREAMBLE:
            self._tree.mode = ClauseKind.RECITAL
        if block.kind is BlockKind.PARAGRAPH:
            self._stack.leave_table()
        if prepared.contents:
            self._take_contents(block)
        elif index in self._above:
            self._pending = block
        elif block.kind is BlockKind.TABLE_CELL:
            following = self.blocks[index + 1].block if index + 1 < len(self.blocks) else None
            self._take_cell(block, stands_alone(block, following))
        elif block.kind is BlockKind.FOOTNOTE:
            self._take_footnote(block)
        elif label is None:
            self._unnumbered.take(block)
        elif label.kind == "schedule":
            self._take_schedule(block, label)
        elif label.kind == "bullet":
            self._take_bullet(block, label)
        else:
            self._take_numbered(block, label)

    def _take_contents(self, block: Block) -> None:
        node = self._stack.innermost()
        if self._tree.mode is ClauseKind.SIGNATURE:
            self._tree.mode = ClauseKind.CLAUSE  # a second document begins behind the signatures
        if node is None or node.kind is not ClauseKind.CONTENTS:
            self._tree.node(ClauseKind.CONTENTS, block, None, block.end)
        else:
            self._tree.grow(node, block.end)
            node.body_start = node.end

    def _take_cell(self, block: Block, alone: bool) -> None:
        if alone and self._heads_table(block):
            self._stack.leave_table()
            if self._tree.mode is ClauseKind.PREAMBLE:
                self._tree.mode = ClauseKind.CLAUSE
            titled = self._tree.node(ClauseKind.CLAUSE, block, self._tree.scope(), block.end)
            titled.heading, titled.style = self._text[block.start : block.end].strip(" .:："), IN_TABLE
            return
        node = self._stack.innermost()
        row = f"row {block.table[0]} {block.table[1]}" if block.table else "row"
        if node is None or node.kind is not ClauseKind.TABLE_ROW or node.style != row:
            parent = node
            while parent is not None and parent.kind in (ClauseKind.TABLE_ROW, ClauseKind.CONTENTS, ClauseKind.TITLE):
                parent = parent.parent
            node = self._tree.node(ClauseKind.TABLE_ROW, block, parent)
            node.style = row
        self._tree.grow(node, block.end)
        self._writer.cell(block, node)

    def _heads_table(self, block: Block) -> bool:
        """A row of nothing but a heading in larger letters: cover pages are tables whose parts have titles."""
        line = self._text[block.start : block.end]
        return block.bold and is_larger(block.font_size_pt, self._tree.body_size) and is_heading_line(line, True)

    def _take_footnote(self, block: Block) -> None:
        here = self._stack.innermost()
        node = Node(ClauseKind.FOOTNOTE, block.start, here, body_start=block.start, end=block.end)
        self._stack.attach(node)
        self._tree.grow(here, block.end)
        self._writer.plain(block.start, block.end, node)

    def _take_schedule(self, block: Block, label: Label) -> None:
        text = self._text[block.start : block.end]
        if not any(node.number for node in self.nodes) and len(self.nodes) < 3 and label.readings[0].style == "exhibit":
            self._unnumbered.take(block)  # "Exhibit 10.55" above the title is the filing's number, not ours.
            return
        heading, body = schedule_heading(self._text, label.end, block.end)
        node = self._tree.node(ClauseKind.SCHEDULE, block, None, body)
        reading = label.readings[0]
        node.style, node.value, node.path = reading.style, reading.value, reading.path
        node.label = node.number = text[label.start - block.start : label.end - block.start].rstrip(" .:：、")
        node.heading = heading
        self._stack.enter_scope(node)
        self._tree.mode = ClauseKind.SCHEDULE
        self._writer.body(block, node, body)

    def _take_bullet(self, block: Block, label: Label) -> None:
        parent = self._stack.innermost()
        alike = next((node for node in reversed(self._stack.open) if node.style == label.readings[0].style), None)
        if alike is not None and all(
            node.style.startswith("bullet") for node in self._stack.open[self._stack.open.index(alike) :]
        ):
            parent = alike.parent
        if parent is not None and parent.kind in (ClauseKind.TITLE, ClauseKind.CONTENTS, ClauseKind.SIGNATURE):
            parent = parent.parent
        node = self._tree.node(ClauseKind.ITEM, block, parent, label.end)
        node.style = label.readings[0].style
        node.label = self._text[label.start : label.end]
        self._writer.body(block, node, self._writer.skip_space(label.end, block.end))

    def _take_numbered(self, block: Block, label: Label) -> None:
        recital = (
            self._tree.mode is ClauseKind.RECITAL and label.kind == "single" and not self._leaves_recitals(block, label)
        )
        before = self._text[max(0, block.start - 3) : block.start].rstrip()
        introduced = before[-1:] in (":", "：")
        self._stack.size = block.font_size_pt
        if label.kind == "single" and not introduced:
            self._stack.reopen(label)
        reading, parent = self._stack.place(label, self._tree.ahead, introduced)
        # Where the file numbers by itself, its levels are told by the numbers; outline levels are often left over.
        by_outline = block.outline_level >= 0 and block.list_level < 0
        if label.kind == "single" and by_outline:
            parent = self._tree.outline_parent(block)
        if parent is not None and parent.kind in _ASIDE:
            parent = parent.parent
        if not recital and self._tree.mode in (ClauseKind.RECITAL, ClauseKind.PREAMBLE, ClauseKind.SIGNATURE):
            if self._tree.mode is ClauseKind.RECITAL and parent is not None and parent.kind is ClauseKind.RECITAL:
                parent = None
            self._tree.mode = ClauseKind.CLAUSE
        node = numbered_node(self._text, block.start, label, reading, parent, self._stack.scope)
        if label.kind == "single" and node.kind is ClauseKind.CLAUSE and self._stack.is_listed(node, introduced):
            node.kind = ClauseKind.ITEM
        if by_outline:
            node.outline = block.outline_level
            node.kind = ClauseKind.CLAUSE if node.kind is ClauseKind.ITEM else node.kind
        self._stack.push(node)
        self._tree.grow(node, block.end)
        heading, body = heading_after_label(self._text, label.end, block.end, block)
        term = sections.defined_term(self._text, body, block.end) if body < block.end else ""
        if recital:
            node.kind, heading, body = ClauseKind.RECITAL, "", self._writer.skip_space(label.end, block.end)
        elif node.kind is ClauseKind.ITEM and heading and body >= block.end and not self._item_heading(block):
            heading, body = "", self._writer.skip_space(label.end, block.end)
        elif term and not heading:
            node.kind, heading = ClauseKind.DEFINITION, term
        elif heading and sections.goes_on_defining(self._text, body, block.end):
            node.kind, body = ClauseKind.DEFINITION, self._writer.skip_space(label.end, block.end)
        elif heading and sections.states_value(self._text, body, block.end):
            body = self._writer.skip_space(label.end, block.end)
        node.heading, node.body_start = heading, body
        self._take_pending(node)
        self._writer.body(block, node, body)

    def _take_pending(self, node: Node) -> None:
        """The heading that stood above the number."""
        above, self._pending = self._pending, None
        if above is not None:
            node.start = above.start
            node.heading = node.heading or self._text[above.start : above.end].strip(" .:：")

    def _leaves_recitals(self, block: Block, label: Label) -> bool:
        """The first numbered clause behind recitals that nothing closed: "1. DEFINITIONS"."""
        reading = label.readings[0]
        if reading.style not in ("1.", "1", "I.") or reading.value != 1:
            return False
        return bool(heading_after_label(self._text, label.end, block.end, block)[0])

    def _item_heading(self, block: Block) -> bool:
        """A short list item ("(a) Cash") is an item; it is a heading when the file shows it as one."""
        return block.bold or block.outline_level >= 0 or self._text[block.start : block.end].isupper()
