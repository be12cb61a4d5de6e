"""A scrolled column of pages: geometry, zoom, images, navigation. It knows nothing of text."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QCloseEvent,
    QHideEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QWidget

from gui.pages.gliding_area import GlidingArea
from gui.pages.history import Fit, History, Place
from gui.pages.page_images import PageImages
from gui.pages.page_layout import GAP_PX, PageLayout
from gui.pages.page_painter import Canvas, draw_desk, draw_sheet
from gui.pages.page_source import PageSource, sizes_of
from gui.pages.wanted_images import wanted_images
from gui.pages.zooming import clamp_zoom, fitting_zoom, step_zoom, text_left
from gui.theme import Palette, Theme, colours, grid

_ZOOM_SETTLES_MS = 70


class PageArea(GlidingArea):
    """Pages of a :class:`PageSource`, one below the other.

    ``zoom`` is 1.0 at a page's natural size on this screen. All places are in PDF points of a page,
    origin top left. Movement by wheel and keys glides while :attr:`glides` is set.
    """

    #: (page index)
    current_page_changed = Signal(int)
    #: (zoom)
    zoom_changed = Signal(float)
    #: (can go back, can go forward)
    history_changed = Signal(bool, bool)
    #: (page index) the first time that all that shows is sharp after a source was set
    first_page_shown = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.viewport().setMouseTracking(True)
        self._source: PageSource | None = None
        self._sizes: list[QSizeF] = []
        self._zoom, self._fit = 1.0, Fit.WIDTH
        self._theme = Theme.LIGHT
        self._page = -1
        self._heading = 1
        self._laying_out = False
        self._first_shown = False
        self.is_sharp = False
        self._edges: tuple[float, float] | None = None
        self.history = History()
        self.images = PageImages(self)
        self.images.image_stored.connect(self.on_images_image_stored)
        self.layout_now = PageLayout((), 1.0)
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(_ZOOM_SETTLES_MS)
        self._settle.timeout.connect(self.on_settle_timeout)

    # --- what is shown ---------------------------------------------------------------------------

    def set_source(self, source: PageSource | None) -> None:
        """Show another document's pages from their beginning, or nothing."""
        self.stop_gliding()
        self._source = source
        self._sizes = sizes_of(source)
        self._edges = None
        self._first_shown = False
        self.images.set_source(source)
        self.history.clear()
        self.history_changed.emit(False, False)
        self._page = -1
        self._lay_out(Place(0, 0.0, 0.0, self._zoom, self._fit))
        self.verticalScrollBar().setValue(0)
        self._after_moving()

    @property
    def page_count(self) -> int:
        """How many pages are shown."""
        return len(self._sizes)

    @property
    def page_sizes(self) -> Sequence[QSizeF]:
        """The pages' sizes in PDF points."""
        return self._sizes

    @property
    def current_page(self) -> int:
        """The page that fills the most of the view, or -1 without pages."""
        return self._page

    @property
    def theme(self) -> Theme:
        """The light in which pages are shown."""
        return self._theme

    @property
    def palette_now(self) -> Palette:
        """The theme's colours."""
        return colours(self._theme)

    def set_theme(self, theme: Theme) -> None:
        """Show pages in another light."""
        self._theme = theme
        self.images.set_theme(theme)
        self.viewport().update()

    # --- zoom ------------------------------------------------------------------------------------

    @property
    def zoom(self) -> float:
        """The zoom, 1.0 for natural size."""
        return self._zoom

    @property
    def fit(self) -> Fit:
        """What decides the zoom."""
        return self._fit

    @property
    def is_zooming(self) -> bool:
        """Whether the zoom has changed a moment ago, so that stretched images stand in for sharp ones."""
        return self._settle.isActive()

    def pixels_per_point(self) -> float:
        """Device-independent pixels per PDF point at zoom 1."""
        return self.logicalDpiX() / 72.0

    def set_zoom(self, zoom: float, around: QPointF | None = None) -> None:
        """Zoom, keeping the place under ``around`` (viewport pixels, the view's centre by default) where it is."""
        zoom = clamp_zoom(zoom)
        if not self._sizes or (abs(zoom - self._zoom) < 1e-6 and self._fit is Fit.CUSTOM):
            self._zoom, self._fit = zoom, Fit.CUSTOM
            return
        self.stop_gliding()
        fixed = around if around is not None else QRectF(self.viewport().rect()).center()
        page, x_pt, y_pt = self.page_place(fixed)
        self._fit = Fit.CUSTOM
        self._show_sideways_bar()
        self._change_zoom(zoom)
        self.jump_to(self.layout_now.to_content(page, x_pt, y_pt) - fixed)
        self._settle.start()

    def zoom_by(self, factor: float, around: QPointF) -> None:
        """Zoom by a factor around a place in the viewport."""
        self.set_zoom(self._zoom * factor, around)

    def zoom_in(self) -> None:
        """The next larger step."""
        self.set_zoom(step_zoom(self._zoom, 1))

    def zoom_out(self) -> None:
        """The next smaller step."""
        self.set_zoom(step_zoom(self._zoom, -1))

    def set_fit(self, fit: Fit) -> None:
        """Let the page, its width, or the text's width decide the zoom, also when the view's size changes."""
        place = self.place()
        self._fit = fit
        self._show_sideways_bar()
        self._lay_out(place)
        if fit is Fit.TEXT and self._edges is not None and self._sizes:
            self.jump_to(QPointF(self.layout_now.to_content(place.page, text_left(self._edges), 0).x(), self._y()))
        self._after_moving()

    def _show_sideways_bar(self) -> None:
        """When the text fits the width there is nothing to scroll sideways but blank margins."""
        fits = self._fit is Fit.TEXT
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if fits else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setHorizontalScrollBarPolicy(policy)

    def _change_zoom(self, zoom: float) -> None:
        changed = abs(zoom - self._zoom) > 1e-9
        self._zoom = zoom
        scale = zoom * self.pixels_per_point()
        viewport = self.viewport().size()
        self.layout_now = PageLayout(self._sizes, scale, viewport.width(), self.devicePixelRatioF())
        self._laying_out = True
        self.horizontalScrollBar().setRange(0, max(0, math.ceil(self.layout_now.width) - viewport.width()))
        self.verticalScrollBar().setRange(0, max(0, math.ceil(self.layout_now.height) - viewport.height()))
        self.horizontalScrollBar().setPageStep(viewport.width())
        self.verticalScrollBar().setPageStep(viewport.height())
        self._laying_out = False
        self.on_layout_changed()
        self.viewport().update()
        if changed:
            self.zoom_changed.emit(zoom)

    def _lay_out(self, place: Place) -> None:
        """Compute the layout anew and show the same place."""
        zoom = self._fitting_zoom(place.page)
        self._change_zoom(zoom if zoom is not None else self._zoom)
        if self._sizes:
            self.jump_to(self.layout_now.to_content(place.page, place.x_pt, place.y_pt))

    def _fitting_zoom(self, page: int) -> float | None:
        viewport = QSizeF(self.viewport().size())
        page = max(0, min(page, len(self._sizes) - 1))
        return fitting_zoom(self._fit, self._sizes, page, viewport, self.pixels_per_point(), self._edges)

    # --- places ----------------------------------------------------------------------------------

    def _y(self) -> float:
        return float(self.verticalScrollBar().value())

    def page_place(self, position: QPointF) -> tuple[int, float, float]:
        """The page and the place on it (points) under a place in the viewport."""
        return self.layout_now.to_page(position + self.content_offset())

    def place(self) -> Place:
        """What is shown now."""
        if not self._sizes:
            return Place(0, 0.0, 0.0, self._zoom, self._fit)
        page, x_pt, y_pt = self.layout_now.to_page(self.content_offset())
        return Place(page, x_pt, y_pt, self._zoom, self._fit)

    def set_place(self, place: Place) -> None:
        """Show a place again, exactly: page, offset and zoom."""
        if not self._sizes:
            self._zoom, self._fit = place.zoom, place.fit
            return
        self.stop_gliding()
        page = max(0, min(place.page, len(self._sizes) - 1))
        self._fit = place.fit
        self._show_sideways_bar()
        self._change_zoom(self._fitting_zoom(page) or clamp_zoom(place.zoom))
        self.jump_to(self.layout_now.to_content(page, place.x_pt, place.y_pt))
        self._after_moving()

    # --- movement --------------------------------------------------------------------------------

    def leave_place(self) -> None:
        """Remember the present place in the history, before a jump away from it."""
        self.history.leave(self.place())
        self._emit_history()

    def go_to_page(self, page: int, y_pt: float = 0.0, *, record: bool = True) -> None:
        """Show a page from a height (points) on; ``record`` remembers the present place for going back."""
        if not self._sizes:
            return
        if record:
            self.leave_place()
        page = max(0, min(page, len(self._sizes) - 1))
        top = self.layout_now.to_content(page, 0, y_pt).y() - (GAP_PX / 2 if y_pt <= 0 else 0)
        self.jump_to(QPointF(self.horizontalScrollBar().value(), top))
        self._after_moving()

    def go_to_start(self) -> None:
        """Show the document's first line."""
        self.go_to_page(0)

    def go_to_end(self) -> None:
        """Show the document's last line."""
        if self._sizes:
            self.leave_place()
            self.jump_to(QPointF(self.horizontalScrollBar().value(), self.verticalScrollBar().maximum()))

    def go_back(self) -> None:
        """Show the place before the last jump."""
        self._step_history(self.history.back(self.place()))

    def go_forward(self) -> None:
        """Undo :meth:`go_back`."""
        self._step_history(self.history.forward(self.place()))

    def _step_history(self, place: Place | None) -> None:
        if place is not None:
            self.set_place(place)
            self._emit_history()

    def _emit_history(self) -> None:
        self.history_changed.emit(self.history.can_go_back, self.history.can_go_forward)

    # --- images ----------------------------------------------------------------------------------

    def shown_pages(self) -> range:
        """The pages of which something shows."""
        top = self._y()
        return self.layout_now.pages_between(top, top + self.viewport().height())

    def canvas(self, painter: QPainter) -> Canvas:
        """Where to draw now."""
        size = QSizeF(self.viewport().size())
        smooth = not self.is_zooming
        return Canvas(
            painter, self.layout_now, self.content_offset(), size, self._theme, self.devicePixelRatioF(), smooth
        )

    def _want_images(self) -> None:
        if not self.isVisible() or not self._sizes:
            self.images.want(())
            return
        view = QRectF(self.content_offset(), QSizeF(self.viewport().size()))
        ratio = self.devicePixelRatioF()
        self.images.want(
            wanted_images(self.layout_now, self._sizes, view, ratio, self._page, self._heading > 0)
        )

    @Slot(int)
    def on_images_image_stored(self, page: int) -> None:
        """A new image has come."""
        if page in self.shown_pages():
            self.viewport().update()

    @Slot()
    def on_settle_timeout(self) -> None:
        """The zoom has come to rest: draw sharp."""
        self._after_moving()
        self.viewport().update()

    def _after_moving(self) -> None:
        """What follows every movement: the current page, the images."""
        if self._sizes:
            top = self._y()
            page = self.layout_now.main_page(top, top + self.viewport().height())
            if page != self._page:
                self._page = page
                self.current_page_changed.emit(page)
        if not self.is_zooming:
            self._want_images()

    def on_layout_changed(self) -> None:
        """The layout is another one."""

    def draw_over(self, canvas: Canvas, pages: range) -> None:
        """Draw what lies over the sheets."""

    # --- events ----------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Sheets, then what lies over them."""
        painter = QPainter(self.viewport())
        canvas = self.canvas(painter)
        pages = self.shown_pages()
        draw_desk(canvas, pages)
        sharp = True
        for page in pages:
            sharp = draw_sheet(canvas, page, self._sizes[page], self.images) and sharp
        self.draw_over(canvas, pages)
        painter.end()
        self.is_sharp = sharp
        if sharp and pages and not self._first_shown:
            self._first_shown = True
            self.first_page_shown.emit(self._page)

    def scrollContentsBy(self, _dx: int, dy: int) -> None:
        """Scrolled, by whatever means."""
        if dy:
            self._heading = -1 if dy > 0 else 1
        self.viewport().update()
        if not self._laying_out:
            self._after_moving()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the place at the top left; fits follow."""
        place = self.place()
        super().resizeEvent(event)
        self._lay_out(place)
        self._after_moving()

    def event(self, event: QEvent) -> bool:
        """Another screen may have another density."""
        if event.type() is QEvent.Type.DevicePixelRatioChange:
            self._lay_out(self.place())
            self._after_moving()
        return bool(super().event(event))

    def showEvent(self, event: QShowEvent) -> None:
        """Ask for images."""
        super().showEvent(event)
        self._after_moving()

    def hideEvent(self, event: QHideEvent) -> None:
        """Ask for nothing while nobody looks."""
        super().hideEvent(event)
        self.stop_gliding()
        self._settle.stop()
        self.images.want(())

    def closeEvent(self, event: QCloseEvent) -> None:
        """Leave no request and no movement behind."""
        self.set_source(None)
        super().closeEvent(event)

    def sizeHint(self) -> QSize:
        """A page at three quarters of its natural size."""
        return QSize(grid(160), grid(200))
