"""The layout of a whole document, in steps, and what comes out of it."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator

import numpy as np

from engine.document import CharacterBoxes, Furniture, Page
from engine.reading.layout.boxes import BoxBuilder
from engine.reading.layout.flow import FlowSetter
from engine.reading.layout.measure import MeasuredText, paragraphs_of
from engine.reading.layout.model import Flow, PageGeometry, Section
from engine.reading.layout.pages import Pages
from engine.reading.layout.pdf import PdfWriter

#: The layout hands back control after this long, in seconds.
STEP_S = 0.015
#: Pages written or compressed between two steps.
PAGES_A_STEP = 20


@dataclasses.dataclass(frozen=True, slots=True)
class LaidOut:
    """Pages of a text.

    ``pdf`` is a whole PDF file; ``boxes`` has one entry per code point; ``pages`` cover the text
    without gaps; ``furniture`` are the headers and footers as drawn.
    """

    pdf: bytes
    boxes: CharacterBoxes
    pages: tuple[Page, ...]
    furniture: tuple[Furniture, ...]


class Layout:
    """Lays a text out; run :meth:`steps` to its end, then take :attr:`result`."""

    def __init__(self, text: str, flow: Flow, geometry: PageGeometry | None = None) -> None:
        self._text = text
        self._flow = flow
        first = next(iter(flow), None)
        self._section = first if isinstance(first, Section) else Section(geometry or PageGeometry.a4())
        self._result: LaidOut | None = None

    @property
    def result(self) -> LaidOut:
        """What :meth:`steps` made; RuntimeError before it is exhausted."""
        if self._result is None:
            raise RuntimeError("the layout has not been run to its end")
        return self._result

    def steps(self) -> Iterator[tuple[int, int]]:
        """Do the work; yields (code points done, code points in all) at least every 20 ms or so.

        Raises:
            ReadingError: it would be far too many pages.
        """
        total = len(self._text)
        measured = MeasuredText(self._text)
        measured.set_spans([span for paragraph in paragraphs_of(self._flow) for span in paragraph.spans])
        for _ in measured.measure():
            yield 0, total
        pages = Pages(measured, self._section)
        since = time.perf_counter()
        for done in FlowSetter(measured, self._flow, pages).set_all():
            if time.perf_counter() - since > STEP_S:
                yield done, total
                since = time.perf_counter()
        pages.finish()
        furniture: list[Furniture] = []
        for found in pages.draw_furniture():
            furniture.extend(found)
            if time.perf_counter() - since > STEP_S:
                yield total, total
                since = time.perf_counter()
        builder = BoxBuilder(measured, pages.placed)
        for _ in builder.steps():
            yield total, total
        spans = _page_spans(pages, total)
        writer = PdfWriter()
        for i, page in enumerate(pages.pages):
            writer.add_page(page.geometry.width_pt, page.geometry.height_pt, page.drawing.content())
            if i % PAGES_A_STEP == PAGES_A_STEP - 1:
                yield total, total
        self._result = LaidOut(writer.finish(measured.used, pages.images), builder.boxes, spans, tuple(furniture))


def lay_out(text: str, flow: Flow, geometry: PageGeometry | None = None) -> LaidOut:
    """Lay a text out in one go. See the package's documentation."""
    layout = Layout(text, flow, geometry)
    for _ in layout.steps():
        pass
    return layout.result


def _page_spans(pages: Pages, total: int) -> tuple[Page, ...]:
    """The pages with the spans of the text they show; together they cover it."""
    count = len(pages.pages)
    first = np.full(count + 1, total, np.int64)
    starts = np.array([line[0] for line in pages.placed], np.int64)
    on = np.array([line[2] for line in pages.placed], np.int64)
    np.minimum.at(first, on, starts)
    first[0] = 0
    first = np.minimum.accumulate(first[::-1])[::-1]
    return tuple(
        Page(i, p.geometry.width_pt, p.geometry.height_pt, int(first[i]), int(first[i + 1]), str(p.number))
        for i, p in enumerate(pages.pages)
    )
