"""Our own page layout: from one canonical text with styled paragraphs and tables to pages with boxes.

DOCX and plain text are shown as pages that are laid out here. The caller builds the canonical text
first; paragraphs then point into it, in increasing order, and every code point gets its box:

    text = "1. Payment\\nThe Buyer pays within 30 days."
    flow = [
        Paragraph(0, 10, style=ParagraphStyle(space_after_pt=6), spans=(Span(0, 10, TextStyle(bold=True)),)),
        Paragraph(11, 41),                       # without spans: all of it in ``TextStyle()``
    ]
    layout = Layout(text, flow, PageGeometry.a4())
    for done, total in layout.steps():           # steps of some 20 ms at most; code points laid out so far
        ...
    laid_out = layout.result                     # LaidOut(pdf, boxes, pages, furniture)
    file = pymupdf.open("pdf", laid_out.pdf)     # what is drawn; boxes are exact for it

A flow may also hold ``Table`` (cells with paragraphs and tables), ``Section`` (page size, header, footer),
``Footnotes`` (set at the foot of the page on which the item before ends) and ``Picture``.

``lay_out(text, flow, geometry)`` does the same in one call. A line feed inside a paragraph's span ends
the line. Code points outside all paragraphs (the line feeds between them) get empty boxes.
The same input gives the same bytes, always.
"""

from engine.reading.layout.engine import LaidOut, Layout, lay_out
from engine.reading.layout.model import (
    Alignment,
    Border,
    Cell,
    Flow,
    Footnotes,
    LabelFollow,
    PageFurniture,
    PageGeometry,
    Paragraph,
    ParagraphStyle,
    Picture,
    Row,
    Section,
    Span,
    Table,
    TabStop,
    TextStyle,
    Vertical,
)

__all__ = [
    "Alignment",
    "Border",
    "Cell",
    "Flow",
    "Footnotes",
    "LabelFollow",
    "LaidOut",
    "Layout",
    "PageFurniture",
    "PageGeometry",
    "Paragraph",
    "ParagraphStyle",
    "Picture",
    "Row",
    "Section",
    "Span",
    "TabStop",
    "Table",
    "TextStyle",
    "Vertical",
    "lay_out",
]
