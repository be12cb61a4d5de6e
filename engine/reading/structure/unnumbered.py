"""Paragraphs without a number: titles, parties, recitals, headings, definitions, running text, signatures."""

from __future__ import annotations

import re

from engine.document import ClauseKind
from engine.reading.source import Block
from engine.reading.structure import sections
from engine.reading.structure.growth import Growth
from engine.reading.structure.headings import heading_after_label, is_heading_line
from engine.reading.structure.tree import Node, is_larger

#: So many list items may stand between a heading without a number and the next number.
_LISTS_AHEAD = 12
#: Recitals stand among this many first clauses (the parties may be numbered before them).
_EARLY = 10
#: A sum that was set on a line of its own: "TWO HUNDRED THOUSAND EUROS (200,000 €)".
_AMOUNT = re.compile(r"[€$£¥￥]\s?\d|\d\s?[€£¥]|\d{1,3}(?:,\d{3})+(?!\d)")
#: A bold line so far in stands in the middle, also on a page that says too little about its margins.
_FAR_IN_PT = 100.0


class UnnumberedParagraphs:
    """Puts paragraphs without a number into the tree."""

    def __init__(self, tree: Growth) -> None:
        self._tree = tree
        self._text = tree.text
        self._stack = tree.stack
        self._writer = tree.writer

    def take(self, block: Block) -> None:
        """Read one of them."""
        line = self._text[block.start : block.end]
        early = self._tree.mode is not ClauseKind.CLAUSE or len(self._stack.nodes) < _EARLY
        if sections.opens_recitals(line) and early:
            self._tree.mode = ClauseKind.RECITAL
            node = self._tree.node(ClauseKind.RECITAL, block, None, block.end)
            node.heading = line.strip(" .:：")
            return
        if sections.closes_recitals(line) and self._tree.mode is ClauseKind.CLAUSE and len(self._stack.nodes) < _EARLY:
            self._writer.body(block, self._tree.node(ClauseKind.PREAMBLE, block, None), block.start)
            return
        if sections.opens_signatures(line) and (self._tree.mode is not ClauseKind.PREAMBLE or not self._tree.labels):
            self._tree.mode = ClauseKind.SIGNATURE
            node = self._tree.node(ClauseKind.SIGNATURE, block, self._tree.scope())
            self._writer.plain(block.start, block.end, node)
            return
        if self._tree.mode is ClauseKind.SIGNATURE:
            self._take_signature(block)
        elif self._tree.mode is ClauseKind.PREAMBLE:
            self._take_preamble(block, line)
        elif self._tree.mode is ClauseKind.RECITAL:
            self._take_recital(block, line)
        else:
            self._take_running(block, line)

    def _take_signature(self, block: Block) -> None:
        here = self._stack.innermost()
        while here is not None and here.kind is not ClauseKind.SIGNATURE:
            here = here.parent
        if here is None or here is not self._stack.innermost():
            here = self._tree.node(ClauseKind.SIGNATURE, block, self._tree.scope())
        self._tree.grow(here, block.end)
        self._writer.plain(block.start, block.end, here)

    def _take_preamble(self, block: Block, line: str) -> None:
        here = self._stack.innermost()
        emphasised = block.bold or block.centred or block.outline_level >= 0
        opening = here is None or here.kind in (ClauseKind.TITLE, ClauseKind.CONTENTS)
        opening = opening or self._names_contract(block, line)
        if opening and is_heading_line(line, emphasised) and not self._heads_part(block, line):
            self._take_title(block, line)
            return
        if sections.is_recital(line):
            self._tree.mode = ClauseKind.RECITAL
            self._take_recital(block, line)
            return
        unnumbered = not self._tree.labels and (
            block.outline_level >= 0 or (emphasised and is_heading_line(line, emphasised))
        )
        if unnumbered or self._heads_part(block, line):
            self._tree.mode = ClauseKind.CLAUSE
            self._take_running(block, line)
            return
        if here is None or here.kind is not ClauseKind.PREAMBLE:
            here = self._tree.node(ClauseKind.PREAMBLE, block, None)
        self._tree.grow(here, block.end)
        self._writer.body(block, here, block.start)

    def _names_contract(self, block: Block, line: str) -> bool:
        """The title below words of the filing: "EMPLOYMENT AGREEMENT"."""
        titled = any(
            node.kind is ClauseKind.TITLE and not sections.is_filing_number(node.heading) for node in self._stack.nodes
        )
        shown = line.isupper() or (block.bold and block.centred)
        return not titled and shown and sections.names_contract(line)

    def _heads_part(self, block: Block, line: str) -> bool:
        """A heading below the document's title that is not the title's second line: "Cover Terms"."""
        title = next((node for node in self._stack.nodes if node.kind is ClauseKind.TITLE), None)
        if title is None or block.centred or not is_heading_line(line, True):
            return False
        if block.outline_level >= 0:
            return block.outline_level > title.outline
        below_title = is_larger(title.size, block.font_size_pt)
        return block.bold and below_title and is_larger(block.font_size_pt, self._tree.body_size)

    def _take_title(self, block: Block, line: str) -> None:
        here = self._stack.innermost()
        if here is not None and here.kind is ClauseKind.TITLE and sections.is_filing_number(here.heading):
            here.heading, here.size, here.outline = sections.title_of(line), block.font_size_pt, block.outline_level
        if here is None or here.kind is not ClauseKind.TITLE:
            here = self._tree.node(ClauseKind.TITLE, block, None, block.end)
            here.heading, here.size, here.outline = sections.title_of(line), block.font_size_pt, block.outline_level
        self._tree.grow(here, block.end)
        here.body_start = here.end

    def _take_recital(self, block: Block, line: str) -> None:
        here = self._stack.innermost()
        if sections.closes_recitals(line):
            self._tree.mode = ClauseKind.PREAMBLE
            self._writer.body(block, self._tree.node(ClauseKind.PREAMBLE, block, None), block.start)
            return
        emphasised = block.bold or block.centred or block.outline_level >= 0 or line.isupper()
        if emphasised and here is not None and here.kind is ClauseKind.RECITAL and is_heading_line(line, True):
            self._tree.mode = ClauseKind.CLAUSE  # "Key Terms", "Examining the docket": the recitals are over
            self._take_running(block, line)
            return
        root = here
        while root is not None and root.parent is not None:
            root = root.parent
        if root is None or root.kind is not ClauseKind.RECITAL or not root.heading:
            root = None
        self._writer.body(block, self._tree.node(ClauseKind.RECITAL, block, root), block.start)

    def _take_running(self, block: Block, line: str) -> None:
        """A paragraph without a number, below the first clause."""
        larger = is_larger(block.font_size_pt, self._tree.body_size)
        emphasised = block.bold or block.centred or block.outline_level >= 0 or larger
        term = sections.defined_term(self._text, block.start, block.end)
        shown = emphasised or line.isupper() or self._bare() is not None
        if not term and shown and is_heading_line(line, emphasised) and not _AMOUNT.search(line):
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
            node = self._tree.node(ClauseKind.DEFINITION, block, here)
            node.heading = term
            self._writer.body(block, node, block.start)
            return
        if self._take_run_in(block):
            return
        here = self._flush_target(line)
        aside = here is not None and here.kind in (ClauseKind.CONTENTS, ClauseKind.TITLE)
        if here is None or here.children or aside:
            here = self._tree.node(ClauseKind.PARAGRAPH, block, self._tree.scope() if aside else here)
        if here.body_start >= here.end:
            here.body_start = block.start  # its number and heading stood on lines of their own
        self._tree.grow(here, block.end)
        self._writer.body(block, here, block.start)

    def _take_run_in(self, block: Block) -> bool:
        """ "1.1" on a line of its own, "Term. The Company …" on the next: the heading is the number's."""
        here = self._bare()
        if here is None:
            return False
        heading, body = heading_after_label(self._text, block.start, block.end, block)
        if not heading:
            return False
        here.heading, here.body_start = heading, body
        self._tree.grow(here, block.end)
        self._writer.body(block, here, body)
        return True

    def _take_heading(self, block: Block, line: str) -> None:
        """A heading without a number: the title of the article just above, or a clause of its own."""
        here = self._bare()
        if here is not None:
            here.heading = line.strip(" .:：")
            self._tree.grow(here, block.end)
            here.body_start = block.end
            return
        here = self._stack.innermost()
        titled = here is not None and here.kind is ClauseKind.SCHEDULE and here.body_start >= here.end
        if here is not None and titled and self._is_set_off(block):
            self._tree.grow(here, block.end)  # a second line of the attachment's title
            here.body_start = block.end
            return
        node = self._tree.node(ClauseKind.CLAUSE, block, self._heading_parent(block), block.end)
        node.heading = line.strip(" .:：")
        node.style = f"heading {block.outline_level}"
        node.outline, node.size = block.outline_level, block.font_size_pt

    def _is_set_off(self, block: Block) -> bool:
        """Centred, or as good as that."""
        large = block.bold and is_larger(block.font_size_pt, self._tree.body_size)
        return block.centred or large or (block.bold and block.indent_pt > _FAR_IN_PT)

    def _bare(self) -> Node | None:
        """The innermost clause when only its number has been seen, so that the next line may be its title."""
        here = self._stack.innermost()
        if here is None or here.kind not in (ClauseKind.ARTICLE, ClauseKind.SCHEDULE, ClauseKind.CLAUSE):
            return None
        return here if here.label and not here.heading and not here.children and here.body_start >= here.end else None

    def _heading_parent(self, block: Block) -> Node | None:
        """Above the heading in the file's own outline, or where the next number will hang."""
        if block.outline_level > 0:
            return self._tree.outline_parent(block)
        ahead = self._tree.ahead
        # A list below the heading may come before the number that goes on with the article.
        numbered = next((at for at, label in enumerate(ahead[:_LISTS_AHEAD]) if label.kind == "decimal"), 0)
        if block.outline_level < 0 and ahead and ahead[numbered].kind in ("decimal", "single"):
            reading, host = self._stack.place(ahead[numbered], ahead[numbered + 1 :], False)
            if host is not None and host.kind in (ClauseKind.ARTICLE, ClauseKind.SCHEDULE) and reading.value >= 1:
                return host
        return self._tree.scope()

    def _flush_target(self, line: str) -> Node | None:
        """The clause that an unnumbered paragraph continues: behind a finished list, the list's parent."""
        here = self._stack.innermost()
        if here is not None and here.kind is ClauseKind.TABLE_ROW:
            here = here.parent
        if here is None or (here.label and here.body_start >= here.end and not here.children):
            return here
        # Words that lead to a further list are no part of the last one, whose items may end without a mark.
        leads = line.rstrip()[-1:] in (":", "：") and not line[:1].islower()
        finished = self._text[here.start : here.end].rstrip()[-1:] in ".;。；" or line[:1].islower() or leads
        while (
            finished
            and here is not None
            and here.kind in (ClauseKind.ITEM, ClauseKind.PARAGRAPH)
            and here.parent is not None
        ):
            here = here.parent
        return here
