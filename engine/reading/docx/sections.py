"""Sections: page sizes, margins, headers and footers.

Source: ECMA-376 part 1, sections 17.6 (sections) and 17.10 (headers and footers).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from engine.reading.docx.names import RELATION_ID, VAL, w
from engine.reading.docx.records import ParagraphRecord, SectionRecord
from engine.reading.docx.styles import is_on, number, points
from engine.reading.layout import PageFurniture, PageGeometry, Section, TextStyle

#: A page is kept between these sizes (points), whatever the file says.
MIN_PAGE_PT, MAX_PAGE_PT = 200.0, 3000.0
DEFAULT_MARGIN_PT = 72.0
#: At least this much of a page, in each direction, is left for text.
MIN_TEXT_PT = 144.0


class SectionReader:
    """Reads ``sectPr`` elements in order; what one does not say is taken from the one before."""

    def __init__(self, read_part: Callable[[str], list[ParagraphRecord]]) -> None:
        """``read_part``: relationship id of a header or footer → its paragraphs."""
        self._read_part = read_part
        self._parts: dict[tuple[str, str], list[ParagraphRecord]] = {}
        self._known: dict[str, list[ParagraphRecord]] = {}

    def read(self, element: Any | None) -> SectionRecord:
        """A section; A4 with margins of an inch for None."""
        if element is None:
            return SectionRecord(PageGeometry.a4(), False, -1, [], [])
        for reference in element.iterchildren(w("headerReference"), w("footerReference")):
            sort = "header" if reference.tag == w("headerReference") else "footer"
            which = reference.get(w("type"), "default")
            self._parts[sort, which] = self._part(reference.get(RELATION_ID, ""))
        title_page = is_on(element.find(w("titlePg")))
        sort = element.find(w("type"))
        numbers = element.find(w("pgNumType"))
        return SectionRecord(
            _geometry(element),
            sort is not None and sort.get(VAL) in ("continuous", "nextColumn"),
            int(number(numbers.get(w("start")), -1.0)) if numbers is not None else -1,
            self._parts.get(("header", "default"), []),
            self._parts.get(("footer", "default"), []),
            self._parts.get(("header", "first"), []) if title_page else None,
            self._parts.get(("footer", "first"), []) if title_page else None,
            _distance(element, "header"),
            _distance(element, "footer"),
            _line_grid(element.find(w("docGrid"))),
        )

    def _part(self, relation: str) -> list[ParagraphRecord]:
        if relation not in self._known:
            self._known[relation] = self._read_part(relation)
        return self._known[relation]


def _distance(element: Any, side: str) -> float:
    margin = element.find(w("pgMar"))
    return max(12.0, points(margin.get(w(side)), 36.0)) if margin is not None else 36.0


def _line_grid(element: Any | None) -> float:
    """Pitch of the line grid in points, 0 without one."""
    if element is None or element.get(w("type")) not in ("lines", "linesAndChars", "snapToChars"):
        return 0.0
    pitch = points(element.get(w("linePitch")))
    return pitch if 8.0 <= pitch <= 60.0 else 0.0


def _geometry(element: Any) -> PageGeometry:
    size, margin = element.find(w("pgSz")), element.find(w("pgMar"))
    width, height = 595.3, 841.9
    if size is not None:
        width, height = points(size.get(w("w")), width), points(size.get(w("h")), height)
    width, height = (max(MIN_PAGE_PT, min(MAX_PAGE_PT, v)) for v in (width, height))
    sides = {
        "top": DEFAULT_MARGIN_PT,
        "right": DEFAULT_MARGIN_PT,
        "bottom": DEFAULT_MARGIN_PT,
        "left": DEFAULT_MARGIN_PT,
    }
    if margin is not None:
        for side in sides:
            # A negative top or bottom margin means "exactly", whatever the header needs.
            sides[side] = max(18.0, abs(points(margin.get(w(side)), DEFAULT_MARGIN_PT)))
    if sides["left"] + sides["right"] > width - MIN_TEXT_PT:
        sides["left"] = sides["right"] = (width - MIN_TEXT_PT) / 2
    if sides["top"] + sides["bottom"] > height - MIN_TEXT_PT:
        sides["top"] = sides["bottom"] = max(18.0, (height - MIN_TEXT_PT) / 2)
    return PageGeometry(width, height, sides["top"], sides["right"], sides["bottom"], sides["left"])


def section_of(record: SectionRecord) -> Section:
    """A section as the layout wants it."""
    return Section(
        record.geometry,
        _furniture(record.header),
        _furniture(record.footer),
        _furniture(record.first_header) if record.first_header is not None else None,
        _furniture(record.first_footer) if record.first_footer is not None else None,
        record.continuous,
        max(-1, record.first_number),
        record.header_pt,
        record.footer_pt,
    )


def _furniture(paragraphs: list[ParagraphRecord]) -> tuple[PageFurniture, ...]:
    found = []
    for paragraph in paragraphs:
        text = (paragraph.label + " " if paragraph.label else "") + paragraph.text.replace("\n", " ")
        style = paragraph.runs[0].style if paragraph.runs else TextStyle(size_pt=min(paragraph.size_pt, 9.0))
        style = dataclasses.replace(style, size_pt=min(style.size_pt, 12.0), raised=0)
        found.append(PageFurniture(text, paragraph.style.alignment, style, paragraph.style.border))
    while found and not found[-1].text.strip() and not found[-1].border.top + found[-1].border.bottom:
        found.pop()
    return tuple(found[:8])
