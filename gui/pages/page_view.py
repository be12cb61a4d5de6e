"""The pages of one document with their text: marks, selection, links."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSizeF, Signal, Slot
from PySide6.QtGui import (
    QContextMenuEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QGuiApplication,
    QHelpEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from engine.document import Document, Quad, quads
from gui.pages.clause_linker import ClauseLinker
from gui.pages.connection import Stub
from gui.pages.current_clause import CurrentClause
from gui.pages.history import Fit
from gui.pages.marks import Mark, MarkSet, Places
from gui.pages.overlays import draw_overlays
from gui.pages.overview_strip import STRIP_WIDTH_PX, OverviewStrip
from gui.pages.page_area import PageArea
from gui.pages.page_keys import PageKeys
from gui.pages.page_painter import Canvas
from gui.pages.page_pointer import PagePointer
from gui.pages.page_source import PageSource
from gui.pages.pages_overview import PagesOverview
from gui.pages.revealing import REVEAL_AT, box_of, offset_to_show
from gui.pages.span_mime import DraggedSpan
from gui.pages.text_places import ClausePlaces
from gui.pages.text_selection import TextSelection
from gui.pages.zooming import text_edges
from gui.theme import Layer, Theme

#: Characters in which a span's first line surely ends; clauses may have thousands.
_FIRST_LINE = 400
#: Layers whose marks of one id are the ends of the chosen connection, the first that has any.
_END_LAYERS = (Layer.CONFLICT, Layer.LINK, Layer.REVIEWED)


class PageView(PageArea):
    """Pages, and everything that can be seen and done on their text.

    Works before the :class:`Document` has come: pages show and scroll, there are no marks, no text.
    """

    #: (offset) a character was clicked
    passage_clicked = Signal(int)
    #: (start, end), equal when nothing is selected
    selection_changed = Signal(int, int)
    #: (mark id)
    mark_clicked = Signal(str)
    #: (clause id, "" when none)
    clause_hovered = Signal(str)
    #: (source start, source end, target start, target end), all in this document
    link_dropped = Signal(int, int, int, int)
    #: (document id of the source, source start, source end, target start, target end); the target is here
    link_dropped_from = Signal(str, int, int, int, int)
    #: (DraggedSpan or None) the passage marked as a link's source by key
    link_source_changed = Signal(object)
    #: (number in ``elsewhere`` of :meth:`set_chosen`)
    elsewhere_clicked = Signal(int)
    #: (sentence for the status line) what a key could not do, and what to do instead
    hint_changed = Signal(str)
    #: the marks, or the text that they stand on, have changed
    marks_changed = Signal()
    #: (global position, offset or -1)
    context_menu_requested = Signal(QPoint, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.document: Document | None = None
        self.clauses: ClausePlaces | None = None
        self.marks = MarkSet()
        self.selection = TextSelection(self)
        self.linker = ClauseLinker(self)
        self.pointer = PagePointer(self)
        self.current_clause = CurrentClause(self)
        self.strip = OverviewStrip(self)
        self.chosen = ""
        self.elsewhere: tuple[str, ...] = ()
        #: What to say of the character (an offset) under the pointer, "" for nothing; comes before a mark's tip.
        self.words_at: Callable[[int], str] | None = None
        #: Told of the character that the pointer rests on (or is asked of, when True), and where on the screen; answers
        #: whether something opens there.
        self.rest_at: Callable[[int, QPoint, bool], bool] | None = None
        self._overview = PagesOverview(self)
        self._stubs: list[Stub] = []
        self._keys = PageKeys(self)
        self.setViewportMargins(0, 0, STRIP_WIDTH_PX, 0)
        self.setAcceptDrops(True)
        self.viewport().setAcceptDrops(True)
        self._name_for_readers()
        self.selection.changed.connect(self.on_selection_changed)
        self.pointer.passage_clicked.connect(self.passage_clicked)
        self.pointer.mark_clicked.connect(self.mark_clicked)
        self.pointer.clause_hovered.connect(self.clause_hovered)
        self.linker.link_made.connect(self.on_linker_link_made)
        self.linker.source_changed.connect(self.link_source_changed)
        self.current_clause.hint_changed.connect(self.hint_changed)
        self.linker.looks_changed.connect(self.on_linker_looks_changed)
        self.current_page_changed.connect(self.on_current_page_changed)

    # --- what is shown ---------------------------------------------------------------------------

    def set_source(self, source: PageSource | None) -> None:
        """Show another document's pages; its text and marks come later."""
        self.set_document(None)
        self.set_chosen("")
        for layer in Layer:
            self.marks.set_layer(layer, ())
        super().set_source(source)

    def set_document(self, document: Document | None) -> None:
        """Give the pages their text; marks that are set already appear."""
        self.document = document
        self.clauses = ClausePlaces(document) if document is not None else None
        self._edges = text_edges(document) if document is not None else None
        self.current_clause.set_caret(None)
        self.marks.set_document(document)
        self.selection.set_document(document, self.clauses)
        self.linker.set_document(document, self.clauses)
        self.pointer.stop()
        if self.fit is Fit.TEXT and document is not None:
            self.set_fit(self.fit)
        self._marks_changed()

    def set_marks(self, layer: Layer, marks: Iterable[Mark]) -> None:
        """Replace one layer's marks."""
        self.set_layers({layer: marks})

    def set_layers(self, layers: Mapping[Layer, Iterable[Mark] | Places]) -> None:
        """Replace the marks of several layers at once."""
        for layer, marks in layers.items():
            self.marks.set_layer(layer, marks)
        self._marks_changed()

    def set_chosen(self, mark_id: str, elsewhere: Sequence[str] = (), *, reveal: bool = False) -> None:
        """Stress one id's marks and draw the connection of its passages; "" for none.

        Args:
            mark_id: the finding or link.
            elsewhere: names of its passages in other documents, shown as stubs.
            reveal: scroll to its passages (the place left can be gone back to).
        """
        self.chosen, self.elsewhere = mark_id, tuple(elsewhere)
        self.strip.set_chosen(mark_id)
        self.viewport().update()
        if reveal:
            self._reveal([(mark.start, mark.end) for mark in self._chosen_marks()], record=True)

    def set_theme(self, theme: Theme) -> None:
        """Show pages and strip in another light."""
        super().set_theme(theme)
        self.strip.set_theme(theme)

    def first_quad(self, start: int, end: int) -> Quad | None:
        """The first line of a span, on its page."""
        if self.document is None:
            return None
        found = next(iter(quads(self.document, start, min(end, start + _FIRST_LINE))), None)
        return found if found is not None and found.page < self.layout_now.count else None

    def ends(self) -> list[Quad]:
        """The first line of each of the chosen one's passages in this document."""
        found = (self.first_quad(m.start, m.end) for m in self._chosen_marks())
        return [quad for quad in found if quad is not None]

    def _chosen_marks(self) -> list[Mark]:
        layers = (self.marks.of_id(self.chosen, (layer,)) for layer in _END_LAYERS if self.chosen)
        return next((marks for marks in layers if marks), [])

    def _marks_changed(self) -> None:
        self._overview.fill()
        self.viewport().update()
        self.marks_changed.emit()

    # --- going to passages -----------------------------------------------------------------------

    def reveal(self, start: int, end: int, *, record: bool = True) -> bool:
        """Scroll until a span shows; False before the document has come or when the span has no ink.

        What shows already is left where it is. One of the chosen one's passages brings the others
        along when they fit into the view together.
        """
        ends = [(mark.start, mark.end) for mark in self._chosen_marks()]
        with_others = [(start, end), *ends] if (start, end) in ends else [(start, end)]
        return self._reveal(with_others, record)

    def _reveal(self, spans: Sequence[tuple[int, int]], record: bool) -> bool:
        """Show all spans when they fit into the view together, else the first."""
        document = self.document
        if document is None:
            return False
        boxes = [box for span in spans if (box := box_of(document, self.layout_now, *span)) is not None]
        if not boxes:
            return False
        self.current_clause.set_caret(spans[0][0])
        offset = offset_to_show(boxes, QRectF(self.content_offset(), QSizeF(self.viewport().size())))
        if offset is not None:
            if record:
                self.leave_place()
            self.jump_to(offset)
            self._after_moving()
        return True

    # --- selection, caret, links by key ----------------------------------------------------------

    def selected_text(self) -> str:
        """The selected text, exactly as the document has it."""
        return self.selection.text

    def copy(self) -> bool:
        """Put the selected text on the clipboard; False when nothing is selected."""
        if self.selection.is_empty:
            return False
        QGuiApplication.clipboard().setText(self.selection.text)
        return True

    def select_all(self) -> None:
        """Select the whole text."""
        if self.document is not None:
            self.selection.select(0, len(self.document.text))

    def mark_source(self) -> None:
        """Mark the current passage as the source of a link."""
        self.current_clause.mark_source()

    def link_here(self) -> None:
        """Link the marked source to the current passage."""
        self.current_clause.link_here()

    def set_link_source(self, span: DraggedSpan | None) -> None:
        """Show and use a source that was marked elsewhere (another view, the clause tree)."""
        self.linker.set_marked(span)

    def give_up(self) -> bool:
        """Drop the marked source or the selection; False when there was neither."""
        if self.linker.marked is not None:
            self.linker.set_marked(None)
        elif not self.selection.is_empty:
            self.selection.clear()
        else:
            return False
        return True

    # --- painting --------------------------------------------------------------------------------

    def draw_over(self, canvas: Canvas, pages: range) -> None:
        """Marks, selection, links; and the strip's window."""
        self._stubs = draw_overlays(self, canvas, pages)

    def on_layout_changed(self) -> None:
        """Places in pixels are looked up anew."""
        self.linker.set_layout(self.layout_now)
        self._overview.show_window()

    def _after_moving(self) -> None:
        super()._after_moving()
        self._overview.show_window()

    def stub_at(self, position: QPointF) -> Stub | None:
        """The stub under a place in the viewport."""
        return next((stub for stub in self._stubs if stub.rect.contains(position)), None)

    def click_stub(self, position: QPointF) -> bool:
        """Go where the stub under a place leads; False when there is none."""
        stub = self.stub_at(position)
        if stub is None:
            return False
        ends = self.ends()
        if stub.target < len(ends):
            quad = ends[stub.target]
            above_pt = REVEAL_AT * self.viewport().height() / self.layout_now.scale
            self.go_to_page(quad.page, quad.y0 - above_pt)
        else:
            self.elsewhere_clicked.emit(stub.target - len(ends))
        return True

    # --- slots -----------------------------------------------------------------------------------

    @Slot(int, int)
    def on_selection_changed(self, start: int, end: int) -> None:
        """Another text is selected."""
        self.viewport().update()
        self.selection_changed.emit(start, end)

    @Slot(str, int, int, int, int)
    def on_linker_link_made(self, document: str, start: int, end: int, to_start: int, to_end: int) -> None:
        """Two passages are to be linked."""
        if self.document is not None and document == self.document.id:
            self.link_dropped.emit(start, end, to_start, to_end)
        else:
            self.link_dropped_from.emit(document, start, end, to_start, to_end)

    @Slot()
    def on_linker_looks_changed(self) -> None:
        """A source or target is shown otherwise."""
        self.viewport().update()

    @Slot(int)
    def on_current_page_changed(self, _page: int) -> None:
        """Say the page to who cannot see it."""
        self._name_for_readers()

    def _name_for_readers(self) -> None:
        self.setAccessibleName(self.tr("Contract pages"))
        text = self.tr("Page %1 of %2").replace("%1", str(self.current_page + 1)).replace("%2", str(self.page_count))
        self.setAccessibleDescription(text if self.page_count else "")

    # --- events ----------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The strip stands between pages and scroll bar."""
        super().resizeEvent(event)
        area = self.viewport().geometry()
        self.strip.setGeometry(area.right() + 1, area.top(), STRIP_WIDTH_PX, area.height())

    def changeEvent(self, event: QEvent) -> None:
        """Another language: what is drawn and said is looked up again."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self._name_for_readers()
            self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Our keys; all others are for the window."""
        if self._keys.press(event):
            event.accept()
        else:
            event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """See :class:`PagePointer`."""
        self.pointer.on_pressed(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """See :class:`PagePointer`."""
        self.pointer.on_double_clicked(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """See :class:`PagePointer`."""
        self.pointer.on_moved(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """See :class:`PagePointer`."""
        self.pointer.on_released(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """See :class:`ClauseLinker`."""
        self.linker.on_drag_entered(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """See :class:`ClauseLinker`."""
        self.linker.on_drag_moved(event)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """See :class:`ClauseLinker`."""
        self.linker.on_drag_left(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """See :class:`ClauseLinker`."""
        self.linker.on_dropped(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The window decides what the menu offers."""
        offset = self.pointer.character_under(QPointF(event.pos()))
        self.context_menu_requested.emit(event.globalPos(), -1 if offset is None else offset)

    def viewportEvent(self, event: QEvent) -> bool:
        """Tool tips, and the pointer leaving."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            self.pointer.show_tip(event)
            return True
        if event.type() is QEvent.Type.Leave:
            self.pointer.on_left()
        return super().viewportEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing runs while nobody looks."""
        self.pointer.stop()
        self.linker.stop()
        super().hideEvent(event)
