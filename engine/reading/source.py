"""What a format's reader hands to the structure finder: text with boxes, and hints per block.

PDF, DOCX and text readers differ in how they get here; everything after (clause tree, sentences,
language) is the same for all. A block is a paragraph, a table cell or a heading, as the file has it.
"""

from __future__ import annotations

import dataclasses
import enum

from engine.document import (
    CharacterBoxes,
    CrossReference,
    Furniture,
    Media,
    Notice,
    OutlineEntry,
    Page,
    UncertainWord,
)


class BlockKind(enum.StrEnum):
    """What a file itself says a block is."""

    PARAGRAPH = "paragraph"
    TABLE_CELL = "table_cell"
    FOOTNOTE = "footnote"


@dataclasses.dataclass(frozen=True, slots=True)
class Block:
    """A paragraph of the canonical text, with what the file says about its look and its number.

    Attributes:
        start, end: its span in the canonical text, without the line break that ends it.
        label_end: where a number that the file itself supplied (automatic numbering) ends; equal to
            ``start`` without one. The label is part of the canonical text, as displayed.
        list_level: depth in the file's own numbering, 0 for its top level, -1 without one.
        outline_level: heading level that the file declares (style or outline), 0 for the top, -1 none.
        indent_pt: left edge of its first line from the left edge of the text area.
        font_size_pt: size of most of its characters, 0 if unknown.
        bold, centred, upper: of the whole block (for ``bold``: of at least its first words).
        table: (table index, row, column) for a cell, else None.
        title_end: where the heading ends that the file's own outline names here, -1 without one.
    """

    start: int
    end: int
    kind: BlockKind = BlockKind.PARAGRAPH
    label_end: int = -1
    list_level: int = -1
    outline_level: int = -1
    indent_pt: float = 0.0
    font_size_pt: float = 0.0
    bold: bool = False
    centred: bool = False
    table: tuple[int, int, int] | None = None
    title_end: int = -1


@dataclasses.dataclass(frozen=True, slots=True)
class SourceText:
    """A file's whole content before its structure is known.

    Blocks are in reading order, do not overlap, and are separated in ``text`` by line breaks.
    """

    media: Media
    text: str
    boxes: CharacterBoxes
    pages: tuple[Page, ...]
    blocks: tuple[Block, ...]
    furniture: tuple[Furniture, ...] = ()
    notices: tuple[Notice, ...] = ()
    uncertain: tuple[UncertainWord, ...] = ()
    outline: tuple[OutlineEntry, ...] = ()
    #: Their ``clause`` is still empty.
    cross_references: tuple[CrossReference, ...] = ()
