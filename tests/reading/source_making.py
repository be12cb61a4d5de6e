"""Source texts and Documents out of paragraphs, for tests of the structure."""

from __future__ import annotations

import document_invariants
import numpy as np

from engine.document import CharacterBoxes, Document, Media, Page
from engine.reading.source import Block, BlockKind, SourceText
from engine.reading.structure import build_document


def source_of(*paragraphs: str, media: Media = Media.TEXT, bold: tuple[int, ...] = ()) -> SourceText:
    """One block a paragraph; those whose index is in ``bold`` are bold."""
    blocks, start = [], 0
    for index, paragraph in enumerate(paragraphs):
        blocks.append(Block(start, start + len(paragraph), label_end=start, bold=index in bold))
        start += len(paragraph) + 1
    return source_of_blocks("\n".join(paragraphs), tuple(blocks), media)


def table_source(rows: list[list[str]]) -> SourceText:
    """One block a cell."""
    blocks, cells, start = [], [], 0
    for row, texts in enumerate(rows):
        for column, text in enumerate(texts):
            end = start + len(text)
            blocks.append(Block(start, end, BlockKind.TABLE_CELL, label_end=start, table=(0, row, column)))
            cells.append(text)
            start += len(text) + 1
    return source_of_blocks("\n".join(cells), tuple(blocks), Media.DOCX)


def source_of_blocks(text: str, blocks: tuple[Block, ...], media: Media) -> SourceText:
    """A source on one page, without real boxes."""
    boxes = CharacterBoxes(np.zeros((len(text), 4), np.float32), np.zeros(len(text), np.int32))
    return SourceText(media, text, boxes, (Page(0, 595.0, 842.0, 0, len(text)),), blocks)


def document_of(*paragraphs: str, media: Media = Media.TEXT, bold: tuple[int, ...] = ()) -> Document:
    """The Document of paragraphs, its invariants checked."""
    return built(source_of(*paragraphs, media=media, bold=bold))


def built(source: SourceText) -> Document:
    """The Document of a source, its invariants checked."""
    document = build_document(source, "sha256:" + "0" * 64, "made")
    document_invariants.check(document)
    assert document_invariants.words_outside(document) == []
    return document


def outline(document: Document) -> list[tuple[int, str, str]]:
    """(level, number, heading) of the clauses that have a number or a heading."""
    return [(c.level, c.number, c.heading) for c in document.clauses if c.number or c.heading]


def sentences_of(document: Document) -> list[str]:
    """The words of the sentences."""
    return [document.quote(s.start, s.end) for s in document.sentences]
