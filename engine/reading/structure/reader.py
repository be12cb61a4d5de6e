"""Walks the blocks of a source text in reading order and grows the clause tree and the sentences."""

from __future__ import annotations

from engine.document import ClauseKind
from engine.reading.source import Block, BlockKind, SourceText
from engine.reading.structure import sections
from engine.reading.structure.headings import heading_after_label, is_heading_line, schedule_heading
from engine.reading.structure.labels import Label
from engine.reading.structure.numbering import numbered_node
from engine.reading.structure.prepare import PreparedBlock
from engine.reading.structure.tree import ClauseStack, Node
from engine.reading.structure.words import SentenceSpan, SentenceWriter

#: How many labels ahead an ambiguous one's neighbours are looked for.
_LOOK_AHEAD = 60
#: Recitals stand among this many first clauses (the parties may be numbered before them).
_EARLY = 10
_ASIDE = (ClauseKind.TITLE, ClauseKind.CONTENTS, ClauseKind.PREAMBLE, ClauseKind.SIGNATURE)


class StructureReader:
    """Takes the blocks one by one; afterwards :attr:`nodes` and :attr:`sentences` are complete.

    Both are in reading order. Spans of nodes grow with the blocks that they take in.
    """

    def __init__(self, source: SourceText, blocks: list[PreparedBlock]) -> None:
        self._text = source.text
        self.blocks = blocks
        self._ahead = [prepared.label for prepared in self.blocks if prepared.label is not None]
        self._taken = 0
        self._stack = ClauseStack()
        self._writer = SentenceWriter(source.text, self._stack)
        self._mode = ClauseKind.PREAMBLE

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
            self._taken += 1
        if prepared.contents:
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
        if self._mode is ClauseKind.SIGNATURE:
            self._mode = ClauseKind.CLAUSE  # a second document begins behind the signatures
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
        self._writer.cell(block, node)

    def _take_footnote(self, block: Block) -> None:
        here = self._stack.innermost()
        node = Node(ClauseKind.FOOTNOTE, block.start, here, body_start=block.start, end=block.end)
        self._stack.attach(node)
        self._grow(here, block.end)
        self._writer.plain(block.start, block.end, node)

    def _take_schedule(self, block: Block, label: Label) -> None:
        text = self._text[block.start : block.end]
        if not any(node.number for node in self.nodes) and len(self.nodes) < 3 and label.readings[0].style == "exhibit":
            self._take_unnumbered(block)  # "Exhibit 10.55" above the title is the filing's number, not ours.
            return
        heading, body = schedule_heading(self._text, label.end, block.end)
        node = self._node(ClauseKind.SCHEDULE, block, None, body)
        reading = label.readings[0]
        node.style, node.value, node.path = reading.style, reading.value, reading.path
        node.label = node.number = text[label.start - block.start : label.end - block.start].rstrip(" .:：、")
        node.heading = heading
        self._stack.enter_scope(node)
        self._mode = ClauseKind.SCHEDULE
        self._writer.body(block, node, body)

    def _take_bullet(self, block: Block, label: Label) -> None:
        parent = self._stack.innermost()
        while parent is not None and parent.style == label.readings[0].style:
            parent = parent.parent
        if parent is not None and parent.kind in (ClauseKind.TITLE, ClauseKind.CONTENTS, ClauseKind.SIGNATURE):
            parent = parent.parent
        node = self._node(ClauseKind.ITEM, block, parent, label.end)
        node.style = label.readings[0].style
        node.label = self._text[label.start : label.end]
        self._writer.body(block, node, self._writer.skip_space(label.end, block.end))

    def _take_numbered(self, block: Block, label: Label) -> None:
        recital = (
            self._mode is ClauseKind.RECITAL and label.kind == "single" and not self._leaves_recitals(block, label)
        )
        before = self._text[max(0, block.start - 3) : block.start].rstrip()
        ahead = self._ahead[self._taken : self._taken + _LOOK_AHEAD]
        reading, parent = self._stack.place(label, ahead, before[-1:] in (":", "："))
        if label.kind == "single" and block.outline_level >= 0:
            parent = self._outline_parent(block)
        if parent is not None and parent.kind in _ASIDE:
            parent = parent.parent
        if not recital and self._mode in (ClauseKind.RECITAL, ClauseKind.PREAMBLE, ClauseKind.SIGNATURE):
            if self._mode is ClauseKind.RECITAL and parent is not None and parent.kind is ClauseKind.RECITAL:
                parent = None
            self._mode = ClauseKind.CLAUSE
        node = numbered_node(self._text, block.start, label, reading, parent, self._stack.scope)
        if block.outline_level >= 0:
            node.outline = block.outline_level
            node.kind = ClauseKind.CLAUSE if node.kind is ClauseKind.ITEM else node.kind
        self._stack.push(node)
        self._grow(node, block.end)
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
        node.heading, node.body_start = heading, body
        self._writer.body(block, node, body)

    def _leaves_recitals(self, block: Block, label: Label) -> bool:
        """The first numbered clause behind recitals that nothing closed: "1. DEFINITIONS"."""
        reading = label.readings[0]
        if reading.style not in ("1.", "1", "I.") or reading.value != 1:
            return False
        return bool(heading_after_label(self._text, label.end, block.end, block)[0])

    def _item_heading(self, block: Block) -> bool:
        """A short list item ("(a) Cash") is an item; it is a heading when the file shows it as one."""
        return block.bold or block.outline_level >= 0 or self._text[block.start : block.end].isupper()

    def _take_unnumbered(self, block: Block) -> None:
        line = self._text[block.start : block.end]
        if sections.opens_recitals(line) and (self._mode is not ClauseKind.CLAUSE or len(self.nodes) < _EARLY):
            self._mode = ClauseKind.RECITAL
            node = self._node(ClauseKind.RECITAL, block, None, block.end)
            node.heading = line.strip(" .:：")
            return
        if sections.closes_recitals(line) and self._mode is ClauseKind.CLAUSE and len(self.nodes) < _EARLY:
            self._writer.body(block, self._node(ClauseKind.PREAMBLE, block, None), block.start)
            return
        if sections.opens_signatures(line) and (self._mode is not ClauseKind.PREAMBLE or not self._ahead):
            self._mode = ClauseKind.SIGNATURE
            node = self._node(ClauseKind.SIGNATURE, block, self._scope())
            self._writer.plain(block.start, block.end, node)
            return
        if self._mode is ClauseKind.SIGNATURE:
            self._take_signature(block)
        elif self._mode is ClauseKind.PREAMBLE:
            self._take_preamble(block, line)
        elif self._mode is ClauseKind.RECITAL:
            self._take_recital(block, line)
        else:
            self._take_running(block, line)

    def _take_signature(self, block: Block) -> None:
        here = self._stack.innermost()
        while here is not None and here.kind is not ClauseKind.SIGNATURE:
            here = here.parent
        if here is None or here is not self._stack.innermost():
            here = self._node(ClauseKind.SIGNATURE, block, self._scope())
        self._grow(here, block.end)
        self._writer.plain(block.start, block.end, here)

    def _scope(self) -> Node | None:
        return self._stack.scope if self._stack.scope in self._stack.open else None

    def _take_preamble(self, block: Block, line: str) -> None:
        here = self._stack.innermost()
        emphasised = block.bold or block.centred or block.outline_level >= 0
        opening = here is None or here.kind in (ClauseKind.TITLE, ClauseKind.CONTENTS)
        if opening and is_heading_line(line, emphasised):
            self._take_title(block, line)
            return
        if sections.is_recital(line):
            self._mode = ClauseKind.RECITAL
            self._take_recital(block, line)
            return
        if not self._ahead and (block.outline_level >= 0 or (emphasised and is_heading_line(line, emphasised))):
            self._mode = ClauseKind.CLAUSE
            self._take_running(block, line)
            return
        if here is None or here.kind is not ClauseKind.PREAMBLE:
            here = self._node(ClauseKind.PREAMBLE, block, None)
        self._grow(here, block.end)
        self._writer.body(block, here, block.start)

    def _take_title(self, block: Block, line: str) -> None:
        here = self._stack.innermost()
        if here is None or here.kind is not ClauseKind.TITLE:
            here = self._node(ClauseKind.TITLE, block, None, block.end)
            here.heading = line.strip()
        self._grow(here, block.end)
        here.body_start = here.end

    def _take_recital(self, block: Block, line: str) -> None:
        here = self._stack.innermost()
        if sections.closes_recitals(line):
            self._mode = ClauseKind.PREAMBLE
            self._writer.body(block, self._node(ClauseKind.PREAMBLE, block, None), block.start)
            return
        root = here
        while root is not None and root.parent is not None:
            root = root.parent
        if root is None or root.kind is not ClauseKind.RECITAL:
            root = None
        self._writer.body(block, self._node(ClauseKind.RECITAL, block, root), block.start)

    def _take_running(self, block: Block, line: str) -> None:
        """A paragraph without a number, below the first clause."""
        emphasised = block.bold or block.centred or block.outline_level >= 0
        term = sections.defined_term(self._text, block.start, block.end)
        shown = emphasised or line.isupper() or self._bare() is not None
        if not term and shown and is_heading_line(line, emphasised):
            self._take_heading(block, line)
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
            self._writer.body(block, node, block.start)
            return
        here = self._flush_target(line)
        aside = here is not None and here.kind in (ClauseKind.CONTENTS, ClauseKind.TITLE)
        if here is None or here.children or aside:
            here = self._node(ClauseKind.PARAGRAPH, block, self._scope() if aside else here)
        if here.body_start >= here.end:
            here.body_start = block.start  # its number and heading stood on lines of their own
        self._grow(here, block.end)
        self._writer.body(block, here, block.start)

    def _take_heading(self, block: Block, line: str) -> None:
        """A heading without a number: the title of the article just above, or a clause of its own."""
        here = self._bare()
        if here is not None:
            here.heading = line.strip(" .:：")
            self._grow(here, block.end)
            here.body_start = block.end
            return
        node = self._node(ClauseKind.CLAUSE, block, self._heading_parent(block), block.end)
        node.heading = line.strip(" .:：")
        node.style = f"heading {block.outline_level}"
        node.outline = block.outline_level

    def _bare(self) -> Node | None:
        """The innermost clause when only its number has been seen, so that the next line may be its title."""
        here = self._stack.innermost()
        if here is None or here.kind not in (ClauseKind.ARTICLE, ClauseKind.SCHEDULE, ClauseKind.CLAUSE):
            return None
        return here if here.label and not here.heading and not here.children and here.body_start >= here.end else None

    def _heading_parent(self, block: Block) -> Node | None:
        """Above the heading in the file's own outline, or where the next number will hang."""
        if block.outline_level > 0:
            return self._outline_parent(block)
        ahead = self._ahead[self._taken : self._taken + _LOOK_AHEAD]
        if block.outline_level < 0 and ahead and ahead[0].kind in ("decimal", "single"):
            reading, host = self._stack.place(ahead[0], ahead[1:], False)
            if host is not None and host.kind in (ClauseKind.ARTICLE, ClauseKind.SCHEDULE) and reading.value >= 1:
                return host
        return self._scope()

    def _outline_parent(self, block: Block) -> Node | None:
        """The nearest open clause above a heading in the file's own outline."""
        for node in self._stack.hosts():
            if node is not None and 0 <= node.outline < block.outline_level:
                return node
        return self._scope()

    def _flush_target(self, line: str) -> Node | None:
        """The clause that an unnumbered paragraph continues: behind a finished list, the list's parent."""
        here = self._stack.innermost()
        if here is not None and here.kind is ClauseKind.TABLE_ROW:
            here = here.parent
        if here is None or (here.label and here.body_start >= here.end and not here.children):
            return here
        finished = self._text[here.start : here.end].rstrip()[-1:] in ".;。；" or line[:1].islower()
        while (
            finished
            and here is not None
            and here.kind in (ClauseKind.ITEM, ClauseKind.PARAGRAPH)
            and here.parent is not None
        ):
            here = here.parent
        return here
