"""A page's image, as RGB rows in memory that someone else gave."""

from __future__ import annotations

from typing import Any

from engine.reading.mupdf import pymupdf


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
        ValueError: there is no such page, the clip is not on it, or the image does not fit.
    """
    if not 0 <= page < file.page_count:
        raise ValueError(f"there is no page {page} in a file of {file.page_count} pages")
    sheet = file.load_page(page)
    area = pymupdf.Rect(clip) & sheet.rect if clip else sheet.rect
    if area.is_empty or area.is_infinite:
        raise ValueError("the part asked for is not on the page")
    # Asked before it is drawn: a page of 200 inches at 4 pixels a point would fill the memory.
    if area.width * scale * area.height * scale * 3 > len(target) * 1.02 + 1024:
        raise ValueError("the image does not fit into the memory given")
    pixmap = sheet.get_pixmap(matrix=pymupdf.Matrix(scale, scale), clip=area, colorspace=pymupdf.csRGB, alpha=False)
    samples = pixmap.samples_mv
    if len(samples) > len(target):
        raise ValueError("the image does not fit into the memory given")
    target[: len(samples)] = samples
    return pixmap.width, pixmap.height, pixmap.stride
