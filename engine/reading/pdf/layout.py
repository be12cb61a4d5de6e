"""The paragraphs of a page in reading order: running text, and the cells of ruled tables between it."""

from __future__ import annotations

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


def arrange_page(lines: Sequence[Line], tables: Sequence[RuledTable], first_table: int) -> Iterator[PdfParagraph]:
    """The paragraphs of a page.

    Args:
        lines: its lines without furniture.
        tables: the ruled tables on it, top to bottom.
        first_table: the number that its first table gets in the document.
    """
    rest = list(lines)
    for offset, table in enumerate(tables):
        cells = lines_in(table, rest)
        if not _is_tabular(cells):
            continue
        inside = {line for members in cells.values() for line in members}
        above = [line for line in rest if line not in inside and not line.turned and line.baseline < table.top + 2]
        yield from paragraphs_of_page(in_reading_order(above))
        for (row, column), members in cells.items():
            for paragraph in paragraphs_of_page(in_reading_order(members)):
                paragraph.cell = (first_table + offset, row, column)
                yield paragraph
        taken = inside.union(above)
        rest = [line for line in rest if line not in taken]
    yield from paragraphs_of_page(in_reading_order(rest))


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
