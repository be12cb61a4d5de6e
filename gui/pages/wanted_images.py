"""Which images a view wants now, the most urgent first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSizeF

from gui.pages.page_images import tiles, whole_or_underlay
from gui.pages.page_layout import PageLayout
from gui.pages.page_painter import device_scale, part_on_page
from gui.pages.page_source import ImageKey

_AHEAD, _BEHIND = 2, 1


def wanted_images(
    layout: PageLayout, sizes: Sequence[QSizeF], view: QRectF, ratio: float, main_page: int, heading_down: bool
) -> list[ImageKey]:
    """What shows, the main page first; then around it, then the pages ahead and behind.

    Args:
        layout: where the pages stand.
        sizes: their sizes in points.
        view: what shows, in content pixels.
        ratio: device pixels per device-independent pixel.
        main_page: the page that fills the most of the view.
        heading_down: the direction of the last movement.
    """
    shown = layout.pages_between(view.top(), view.bottom())
    if not shown:
        return []
    scale = device_scale(layout, ratio)
    wanted: list[ImageKey] = []
    ahead: list[ImageKey] = []
    for page in sorted(shown, key=lambda p: abs(p - main_page)):
        key, sharp = whole_or_underlay(page, sizes[page], scale)
        wanted.append(key)
        if not sharp:
            sheet = layout.sheet(page)
            wanted += tiles(page, sizes[page], scale, part_on_page(layout, sheet, view & sheet))
            more = view.adjusted(0, -view.height() / 2, 0, view.height() / 2) & sheet
            ahead += tiles(page, sizes[page], scale, part_on_page(layout, sheet, more))
    later = [shown[-1] + i for i in range(1, (_AHEAD if heading_down else _BEHIND) + 1)]
    earlier = [shown[0] - i for i in range(1, (_BEHIND if heading_down else _AHEAD) + 1)]
    for page in (*later, *earlier) if heading_down else (*earlier, *later):
        if 0 <= page < layout.count:
            ahead.append(whole_or_underlay(page, sizes[page], scale)[0])
    return wanted + ahead
