"""The paragraphs of a page in reading order: running text, and the cells of ruled tables between it."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterator, Mapping, Sequence

from engine.reading.pdf.line import Line
from engine.reading.pdf.order import in_reading_order
from engine.reading.pdf.paragraphs import PdfParagraph, paragraphs_of_page
from engine.reading.pdf.tables import RuledTable, lines_in
from engine.reading.structure.labels import label_at

#: Cells with more characters than this are prose set in two columns, not entries of a table.
_PROSE = 700
#: … unless the cells of the first column are as short as this.
_HEAD = 80
#: A footnote's size as a share of the body's, the part of the page above which none begins, its mark.
_NOTE_SIZE, _NOTE_ABOVE = 0.9, 0.45
_NOTE_MARK = re.compile(r"(?:\d{1,3}|\*{1,3}|†|‡|[①-⑳]|\[\d{1,3}\]|注)[\s.]?\S")


def arrange_page(
    lines: Sequence[Line], tables: Sequence[RuledTable], first_table: int, breaks: Sequence[float] = ()
) -> Iterator[PdfParagraph]:
    """The paragraphs of a page.

    Args:
        lines: its lines without furniture.
        tables: the ruled tables on it, top to bottom.
        first_table: the number that its first table gets in the document.
        breaks: see :func:`paragraphs_of_page`.
    """
    rest = list(lines)
    for offset, table in enumerate(tables):
        cells = lines_in(table, rest)
        if not _is_tabular(cells):
            continue
        inside = {line for members in cells.values() for line in members}
        above = [line for line in rest if line not in inside and not line.turned and line.baseline < table.top + 2]
        yield from paragraphs_of_page(in_reading_order(above), breaks)
        for (row, column), members in cells.items():
            for paragraph in paragraphs_of_page(in_reading_order(members)):
                paragraph.cell = (first_table + offset, row, column)
                yield paragraph
        taken = inside.union(above)
        rest = [line for line in rest if line not in taken]
    yield from paragraphs_of_page(in_reading_order(rest), breaks)


def _is_tabular(cells: Mapping[tuple[int, int], Sequence[Line]]) -> bool:
    """Entries rather than a contract that was set inside a grid (numbers left, text right; two languages)."""
    if len(cells) < 2:
        return False
    texts = {cell: " ".join(line.text for line in members) for cell, members in cells.items()}
    numbered = sum(1 for text in texts.values() if (label := label_at(text, 0, len(text))) and not label.weak)
    if numbered > 0.3 * len(texts):
        return False
    heads = [len(text) for (_, column), text in texts.items() if column == 0]
    long = statistics.quantiles([len(text) for text in texts.values()], n=4)[2] > _PROSE
    return not long or (bool(heads) and statistics.median(heads) <= _HEAD)


def footnotes_of(paragraphs: Sequence[PdfParagraph], page_height: float) -> list[PdfParagraph]:
    """The footnotes among a page's paragraphs: small, low on the page, each with its mark before it.

    They are marked as such; a note without a mark of its own goes on with the one above it.
    """
    sizes = [line.size for paragraph in paragraphs for line in paragraph.lines]
    if not sizes:
        return []
    body = statistics.median(sizes)
    notes: list[PdfParagraph] = []
    for paragraph in reversed(paragraphs):
        first = paragraph.lines[0]
        size = statistics.median(line.size for line in paragraph.lines)
        if paragraph.cell or size > _NOTE_SIZE * body or first.y0 < _NOTE_ABOVE * page_height:
            break
        notes.append(paragraph)
    notes.reverse()
    while notes and _NOTE_MARK.match(notes[0].lines[0].text) is None:
        notes.pop(0)
    for paragraph in notes:
        paragraph.footnote = True
    return notes
