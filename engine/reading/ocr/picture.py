"""A page as a grey picture, turned level, and the way back from its pixels to the page."""

from __future__ import annotations

import math

import numpy as np

from engine.reading.mupdf import pymupdf
from engine.reading.ocr.model import GreyImage, MupdfPage, PagePicture
from engine.reading.ocr.skew import dark_below, find_skew
from engine.reading.render import draw_through

#: Pixels per point for recognising (250 dots an inch: ten-point text is 48 pixels from line to line) and for looking.
SCALE = 3.5
_LOOKING_SCALE = 1.2
#: Posters are drawn smaller.
_MOST_PIXELS = 30_000_000
#: A page with a smaller share of dark pixels is blank; paper must be lighter than ink by so many grey values.
_LEAST_INK, _LEAST_CONTRAST = 2e-5, 40


def page_picture(page: MupdfPage) -> PagePicture | None:
    """Draw a page level for recognition; None for a blank one.

    Raises:
        DAMAGE: the page cannot be drawn (see :mod:`engine.reading.mupdf`).
    """
    area = page.rect.width * page.rect.height
    smaller = min(1.0, math.sqrt(_MOST_PIXELS / max(1.0, area * SCALE * SCALE)))
    look, _, _ = _drawn(page, pymupdf.Matrix(_LOOKING_SCALE * smaller, _LOOKING_SCALE * smaller))
    if _is_blank(look):
        return None
    skew = find_skew(look)
    matrix = pymupdf.Matrix(SCALE * smaller, SCALE * smaller).prerotate(-skew)
    grey, x, y = _drawn(page, matrix)
    back = ~matrix
    to_page = np.array([[back.a, back.b], [back.c, back.d], [back.e, back.f]])
    # Pixels are counted from the picture's own corner.
    to_page[2] += np.array([x, y]) @ to_page[:2]
    return PagePicture(grey, SCALE * smaller, to_page)


def _drawn(page: MupdfPage, matrix: object) -> tuple[GreyImage, int, int]:
    pixmap = draw_through(page, matrix, tuple(page.rect), grey=True)
    grey = np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.stride)[:, : pixmap.width]
    return grey, pixmap.x, pixmap.y


def _is_blank(grey: GreyImage) -> bool:
    dark = grey < dark_below(grey)
    if not dark.any() or dark.mean() < _LEAST_INK or dark.all():
        return True
    return bool(float(grey[~dark].mean()) - float(grey[dark].mean()) < _LEAST_CONTRAST)
