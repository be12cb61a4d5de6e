"""Annotations that a PDF brings: who wrote what, where on the page, and about which words."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from engine.document import CharacterBoxes, Remark
from engine.reading.mupdf import DAMAGE, pymupdf

#: More annotations of a file, and longer texts, are not kept.
MAX_REMARKS, MAX_CHARACTERS = 5_000, 5_000
#: Kinds that lie on the words they concern, and those that stand beside a line of them.
_ON_WORDS = frozenset(["highlight", "underline", "strike_out", "squiggly"])
_BESIDE = frozenset(["text", "caret"])
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_DATE = re.compile(r"D:(\d{4})(\d{2})?(\d{2})?")

Area = tuple[float, float, float, float]


@dataclasses.dataclass(frozen=True, slots=True)
class Annotation:
    """A remark whose words are not known yet, with the rectangles on the page as displayed that it lies on."""

    remark: Remark
    areas: tuple[Area, ...]


def annotations_of(page: Any, index: int) -> Iterator[Annotation]:
    """The annotations of a page but for pop-ups, links and form fields; damaged ones are passed over."""
    turn = page.rotation_matrix
    for annotation in page.annots():
        try:
            if annotation.type[0] == pymupdf.PDF_ANNOT_POPUP:
                continue
            kind = _CAPITAL.sub("_", annotation.type[1]).lower()
            about, corners = annotation.info, annotation.vertices or []
            box = _area(annotation.rect * turn)
            areas = []
            if kind in _ON_WORDS:
                for first in range(0, len(corners) - 3, 4):
                    quad = pymupdf.Quad(corners[first : first + 4])
                    areas.append(_area(quad.rect * turn))
        except DAMAGE:
            continue
        said = about.get("content", "").strip()[:MAX_CHARACTERS]
        author = about.get("title", "").strip()[:200]
        date = _iso(about.get("modDate", "") or about.get("creationDate", ""))
        yield Annotation(Remark(kind, author, said, index, box=box, date=date), tuple(areas))


def _area(rect: Any) -> Area:
    return round(rect.x0, 2), round(rect.y0, 2), round(rect.x1, 2), round(rect.y1, 2)


def _iso(date: str) -> str:
    match = _DATE.match(date)
    return "-".join(part for part in match.groups() if part) if match else ""


def remarks_of(annotations: Sequence[Annotation], boxes: CharacterBoxes) -> tuple[Remark, ...]:
    """The annotations with the words of the text that they concern, in the order of the pages."""
    found = []
    places: dict[int, NDArray[np.int64]] = {}
    for annotation in annotations[:MAX_REMARKS]:
        page = annotation.remark.page
        if page not in places:
            places[page] = np.flatnonzero(boxes.page == page)
        start, end = _words(annotation, places[page], boxes)
        found.append(msgspec.structs.replace(annotation.remark, start=start, end=end))
    return tuple(found)


def _words(annotation: Annotation, on_page: NDArray[np.int64], boxes: CharacterBoxes) -> tuple[int, int]:
    rect = boxes.rect[on_page]
    inked = rect[:, 2] > rect[:, 0]
    x, y = (rect[:, 0] + rect[:, 2]) / 2, (rect[:, 1] + rect[:, 3]) / 2
    inside = np.zeros(len(on_page), np.bool_)
    for x0, y0, x1, y1 in annotation.areas:
        inside |= (x >= x0) & (x <= x1) & (y >= y0) & (y <= y1)
    if annotation.remark.kind in _BESIDE:
        _, y0, _, y1 = annotation.remark.box
        inside = (y >= y0) & (y <= y1)
    hit = on_page[inside & inked]
    return (int(hit[0]), int(hit[-1]) + 1) if len(hit) else (-1, -1)
