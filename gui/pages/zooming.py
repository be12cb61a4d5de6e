"""Zoom: its limits and steps, and the zoom at which a page, its width or its text fits a view."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QSizeF

from engine.document import Document
from gui.pages.history import Fit
from gui.pages.page_layout import MARGIN_PX

MIN_ZOOM = 0.25
MAX_ZOOM = 8.0
#: What the keys step through, as in the readers that people know.
STEPS = (0.25, 0.33, 0.5, 0.67, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0)
WHEEL_FACTOR = 1.2  # per notch
_TEXT_MARGIN_PT = 26.0  # room for a clause's handle and the margin ticks
_SAMPLED = 20_000  # characters looked at: the edges of long documents need no more
_OUTLIERS = 0.002  # characters left aside when the text's edges are sought (a stray stamp)


def clamp_zoom(zoom: float) -> float:
    """The nearest zoom that is allowed."""
    return max(MIN_ZOOM, min(MAX_ZOOM, zoom))


def step_zoom(zoom: float, direction: int) -> float:
    """The next step above (1) or below (-1)."""
    if direction > 0:
        return next((s for s in STEPS if s > zoom * 1.001), MAX_ZOOM)
    return next((s for s in reversed(STEPS) if s < zoom * 0.999), MIN_ZOOM)


def text_edges(document: Document) -> tuple[float, float] | None:
    """Left and right edge of the text of all pages, in points; None without text."""
    rect = document.boxes.rect
    inked = rect[:: max(1, len(rect) // _SAMPLED)]
    inked = inked[inked[:, 2] > inked[:, 0]]
    if len(inked) == 0:
        return None
    # Not np.quantile: its first call costs 25 ms.
    aside = int(len(inked) * _OUTLIERS)
    left = float(np.partition(inked[:, 0], aside)[aside])
    right = float(np.partition(inked[:, 2], -1 - aside)[-1 - aside])
    return (left, right) if right > left else None


def fitting_zoom(
    fit: Fit, sizes: Sequence[QSizeF], page: int, viewport: QSizeF, pixels_per_point: float,
    edges: tuple[float, float] | None,
) -> float | None:
    """The zoom for a fit, or None for :attr:`Fit.CUSTOM` and for a view or document without extent.

    Args:
        sizes: the pages' sizes in points.
        page: the page to fit, for :attr:`Fit.PAGE`; widths fit the widest page, so that scrolling never rescales.
        viewport: the view's size in device-independent pixels.
        pixels_per_point: device-independent pixels per point at zoom 1.
        edges: left and right edge of the text in points, for :attr:`Fit.TEXT`.
    """
    if fit is Fit.CUSTOM or not sizes or viewport.width() <= 2 * MARGIN_PX:
        return None
    width_px = viewport.width() - 2 * MARGIN_PX
    widest = max(s.width() for s in sizes)
    if fit is Fit.PAGE:
        size = sizes[page]
        height_px = max(1.0, viewport.height() - 2 * MARGIN_PX)
        zoom = min(width_px / size.width(), height_px / size.height())
    elif fit is Fit.TEXT and edges is not None:
        zoom = viewport.width() / min(widest, edges[1] - edges[0] + 2 * _TEXT_MARGIN_PT)
    else:
        zoom = width_px / widest
    return clamp_zoom(zoom / pixels_per_point)


def text_left(edges: tuple[float, float]) -> float:
    """The x (points) that stands at the view's left edge when the text fits its width."""
    return max(0.0, edges[0] - _TEXT_MARGIN_PT)
