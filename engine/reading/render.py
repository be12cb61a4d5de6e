"""A page's image, as RGB rows in memory that someone else gave."""

from __future__ import annotations

from typing import Any

from engine.protocol.messages import FaultCode
from engine.reading.errors import ReadingError
from engine.reading.mupdf import DAMAGE, pymupdf


def render_page(
    file: Any, page: int, scale: float, clip: tuple[float, ...], target: memoryview
) -> tuple[int, int, int]:
    """Draw a page as displayed into ``target``.

    Args:
        file: an open PDF.
        page: index of the page.
        scale: pixels per point.
        clip: (x0, y0, x1, y1) in points on the page as displayed, or empty for all of it.
        target: writable memory for rows of RGB.

    Returns:
        (width, height, stride): pixels, pixels, bytes.

    Raises:
        ReadingError: the page is damaged, or larger than the memory given.
        ValueError: there is no such page, or the clip is not on it.
    """
    if not 0 <= page < file.page_count:
        raise ValueError(f"there is no page {page} in a file of {file.page_count} pages")
    try:
        sheet = file.load_page(page)
        bounds = sheet.rect
    except DAMAGE as error:
        raise damaged_page(page) from error
    area = pymupdf.Rect(clip) & bounds if clip else bounds
    if area.is_empty or area.is_infinite:
        if clip:
            raise ValueError("the part asked for is not on the page")
        raise damaged_page(page)
    # Asked before it is drawn: a page of 200 inches at 4 pixels a point would fill the memory.
    if area.width * scale * area.height * scale * 3 > len(target) * 1.02 + 1024:
        raise _too_large(page)
    try:
        pixmap = draw_page(sheet, scale, tuple(area))
    except DAMAGE as error:
        raise damaged_page(page) from error
    samples = pixmap.samples_mv
    if len(samples) > len(target):
        raise _too_large(page)
    target[: len(samples)] = samples
    return pixmap.width, pixmap.height, pixmap.stride


def draw_page(sheet: Any, scale: float, area: tuple[float, ...], *, grey: bool = False) -> Any:
    """A part of a page as a pixmap of MuPDF's.

    Args:
        sheet: an open page.
        scale: pixels per point.
        area: (x0, y0, x1, y1) in points on the page as displayed.
        grey: one channel instead of three.

    Raises:
        DAMAGE: it cannot be drawn (see :mod:`engine.reading.mupdf`).
    """
    return draw_through(sheet, pymupdf.Matrix(scale, scale), area, grey=grey)


def draw_through(sheet: Any, matrix: Any, area: tuple[float, ...], *, grey: bool = False) -> Any:
    """Like :func:`draw_page` through any matrix from points to pixels.

    Drawn at once, not through a display list as ``Page.get_pixmap`` does: recording one of a damaged page makes
    MuPDF 1.28.2 free the same memory twice, which ends the process.

    Args:
        sheet, area, grey: as there.
        matrix: a ``pymupdf.Matrix``.

    Raises:
        DAMAGE: it cannot be drawn (see :mod:`engine.reading.mupdf`).
    """
    library = pymupdf.mupdf
    page = sheet.this if isinstance(sheet.this, library.FzPage) else sheet.this.super()
    matrix = library.FzMatrix(*matrix)
    box = library.fz_round_rect(library.fz_transform_rect(library.FzRect(*area), matrix))
    space = library.FzColorspace.Fixed_GRAY if grey else library.FzColorspace.Fixed_RGB
    pixmap = library.FzPixmap(library.FzColorspace(space), box, library.FzSeparations(), 0)
    library.fz_clear_pixmap_with_value(pixmap, 255)
    device = library.FzDevice(matrix, pixmap)
    library.fz_run_page(page, device, library.FzMatrix(), library.FzCookie())
    library.fz_close_device(device)
    return pymupdf.Pixmap("raw", pixmap)


def damaged_page(page: int) -> ReadingError:
    """What to raise for a page that cannot be drawn."""
    return ReadingError(FaultCode.UNREADABLE_FILE, "Page {page} is damaged and cannot be shown.", page=str(page + 1))


def _too_large(page: int) -> ReadingError:
    words = "Page {page} is too large to be drawn at this size; zoom out."
    return ReadingError(FaultCode.TOO_LARGE, words, page=str(page + 1))
