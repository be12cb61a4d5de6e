"""Two places side by side: a second view beside the pages, and the chosen finding's other passage in it."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, Qt, QTimer, Slot
from PySide6.QtWidgets import QMenu

from gui.commands.names import Name
from gui.flows.findings_flow import FindingsFlow
from gui.flows.links_flow import LinksFlow
from gui.flows.references_flow import reference_words
from gui.main_window import MainWindow
from gui.pages.history import Fit, Place
from gui.pages.span_mime import DraggedSpan
from gui.pages.supervisor_source import SupervisorSource
from gui.processes.interface import Processes
from gui.state.desk import Desk


class BesideFlow(QObject):
    """Opens and closes the second view, and keeps its document, marks and passage in step with the inbox."""

    def __init__(
        self, window: MainWindow, desk: Desk, processes: Processes, findings: FindingsFlow, links: LinksFlow
    ) -> None:
        super().__init__(window)
        self._window = window
        self._desk = desk
        self._processes = processes
        self._findings = findings
        self._links = links
        self._pane = window.pages.beside
        self._view = window.pages.beside.view
        self._source: SupervisorSource | None = None
        self._shown = ""
        self._has_fitted = False
        self._to_show: tuple[int, int] | Place | None = None
        # A view that has just been made visible has its size in the next turn of the event loop.
        self._settled = QTimer(self, singleShot=True, interval=0)
        self._settled.timeout.connect(self.on_settled_timeout)
        self._marking = QTimer(self, singleShot=True, interval=0)
        self._marking.timeout.connect(self.mark)
        actions = window.actions_by_name
        actions[Name.SHOW_BESIDE].toggled.connect(self.on_show_beside_toggled)
        actions[Name.OTHER_BESIDE].triggered.connect(self.on_other_beside_triggered)
        self._pane.closing_wanted.connect(self.on_pane_closing_wanted)
        self._pane.document_chosen.connect(self.on_pane_document_chosen)
        findings.passage_shown.connect(self.on_findings_passage_shown)
        for changed in (desk.book.rows_reset, desk.book.rows_changed, window.left.findings.sieve_changed):
            changed.connect(self._marking.start)
        desk.document_known.connect(self.on_desk_document_known)
        desk.document_opened.connect(self.on_desk_document_opened)
        desk.document_removed.connect(self.on_desk_document_removed)
        self._connect_view()
        self._enable()

    def _connect_view(self) -> None:
        main, view = self._window.pages.view, self._view
        view.words_at = self.words_at
        view.hint_changed.connect(self._window.status.say)
        view.mark_clicked.connect(self._findings.on_view_mark_clicked)
        view.link_dropped.connect(self.on_view_link_dropped)
        view.link_dropped_from.connect(self.on_view_link_dropped_from)
        view.context_menu_requested.connect(self.on_view_context_menu_requested)
        # A clause marked in one view can be linked with one in the other.
        view.link_source_changed.connect(main.set_link_source)
        main.link_source_changed.connect(view.set_link_source)

    @property
    def is_open(self) -> bool:
        """Whether there is a second view."""
        return bool(self._shown)

    # --- opening and closing --------------------------------------------------------------------------------

    @Slot(bool)
    def on_show_beside_toggled(self, wanted: bool) -> None:
        """Ctrl and backslash: the place that is read, once more; again: one view as before."""
        if not wanted:
            self.close()
        elif not self.is_open and self._desk.current:
            place = self._window.pages.view.place()
            row = self._findings.chosen
            if row is not None and len(row.finding.passages) > 1:
                self._show_passage_after(self._findings.passage)
            else:
                self._show(self._desk.current, Place(place.page, 0.0, place.y_pt, place.zoom, Fit.TEXT))

    @Slot()
    def on_other_beside_triggered(self) -> None:
        """The chosen finding's passages beside each other."""
        row = self._findings.chosen
        if row is None or len(row.finding.passages) < 2:
            said = self.tr("Choose a finding first; its two passages can be shown side by side.")
            if row is not None:
                said = self.tr("This finding has one passage only.")
            self._window.status.say(said)
            return
        self._findings.show_passage(self._findings.passage)
        self._show_passage_after(self._findings.passage)

    @Slot()
    def on_pane_closing_wanted(self) -> None:
        """The button."""
        self._window.actions_by_name[Name.SHOW_BESIDE].setChecked(False)

    def close(self) -> None:
        """One view, as before."""
        if not self._shown:
            return
        self._shown, self._to_show = "", None
        self._settled.stop()
        self._view.set_source(None)
        if self._source is not None:
            self._source.deleteLater()
            self._source = None
        self._pane.hide()
        main = self._window.pages.view
        if self._has_fitted and main.fit is Fit.TEXT:
            main.set_fit(Fit.WIDTH)
        self._has_fitted = False
        self._window.actions_by_name[Name.SHOW_BESIDE].setChecked(False)
        self._window.pages.view.setFocus()

    def show_place(self, document_id: str, start: int, end: int) -> None:
        """A span of a document of the matter in the second view, which is opened for it."""
        self._show(document_id, (start, end))
        self.mark()

    def _show(self, document_id: str, where: tuple[int, int] | Place | None) -> None:
        entry = self._desk.documents.get(document_id)
        if entry is None or not entry.pages:
            return
        fresh = document_id != self._shown
        if fresh:
            self._shown = document_id
            self._take_source()
        self._pane.show_documents([(each.id, each.name) for each in self._desk.documents.values()], document_id)
        if self._pane.isHidden():
            self._pane.show()
            half = max(1, self._window.pages.halves.width() // 2)
            self._window.pages.halves.setSizes([half, half])
            self._fit_text()
        self._window.actions_by_name[Name.SHOW_BESIDE].setChecked(True)
        self._to_show = where
        self._settled.start()

    def _fit_text(self) -> None:
        """Half as wide, whole pages are too small to read: both views leave the blank margins out."""
        main = self._window.pages.view
        self._has_fitted = main.fit is Fit.WIDTH
        for view in (main, self._view):
            if view.fit is Fit.WIDTH:
                view.set_fit(Fit.TEXT)

    def _take_source(self) -> None:
        old, entry = self._source, self._desk.documents[self._shown]
        self._source = SupervisorSource(self._processes, entry.id, entry.pages, self)
        self._view.set_source(self._source)
        if old is not None:
            old.deleteLater()
        if entry.document is not None:
            self._view.set_document(entry.document)
            self.mark()

    def _show_passage_after(self, position: int) -> None:
        row = self._findings.chosen
        if row is not None and len(row.finding.passages) > 1:
            passage = row.finding.passages[(position + 1) % len(row.finding.passages)]
            self._show(passage.document, (passage.start, passage.end))
            self.mark()

    @Slot()
    def on_settled_timeout(self) -> None:
        """The view has its size: go to the place."""
        where, self._to_show = self._to_show, None
        if isinstance(where, Place):
            self._view.set_place(where)
        elif where is not None:
            self._view.reveal(*where)

    # --- keeping in step ------------------------------------------------------------------------------------

    @Slot()
    def mark(self) -> None:
        """The findings' marks, as on the pages."""
        if not self._shown:
            return
        self._view.set_layers(self._findings.layers_of(self._shown))
        row = self._findings.chosen
        self._view.set_chosen(row.id if row is not None else "")

    @Slot(int)
    def on_findings_passage_shown(self, position: int) -> None:
        """The pages show one passage, the view beside the next one."""
        if self._shown:
            self._show_passage_after(position)

    @Slot(str)
    def on_pane_document_chosen(self, document_id: str) -> None:
        """Another document of the matter."""
        if document_id != self._shown:
            self._show(document_id, None)

    @Slot(str)
    def on_desk_document_opened(self, document_id: str) -> None:
        """Its pages can be drawn, perhaps anew."""
        self._enable()
        if document_id == self._shown:
            self._take_source()
        elif self._shown:
            self._show(self._shown, None)

    @Slot(str)
    def on_desk_document_known(self, document_id: str) -> None:
        """Its text can be marked."""
        document = self._desk.document(document_id)
        if document_id == self._shown and document is not None and document is not self._view.document:
            self._view.set_document(document)
            self.mark()

    @Slot(str)
    def on_desk_document_removed(self, document_id: str) -> None:
        """It has left the desk."""
        self._enable()
        if document_id == self._shown:
            self.close()

    def _enable(self) -> None:
        there_are = any(entry.pages for entry in self._desk.documents.values())
        for name in (Name.SHOW_BESIDE, Name.OTHER_BESIDE):
            self._window.actions_by_name[name].setEnabled(there_are)

    # --- what is done on it ---------------------------------------------------------------------------------

    def words_at(self, offset: int) -> str:
        """The clause that a reference under the pointer names."""
        return reference_words(self._desk.document(self._shown), offset)

    @Slot(int, int, int, int)
    def on_view_link_dropped(self, start: int, end: int, to_start: int, to_end: int) -> None:
        """A drop inside this view."""
        self.on_view_link_dropped_from(self._shown, start, end, to_start, to_end)

    @Slot(str, int, int, int, int)
    def on_view_link_dropped_from(self, document: str, start: int, end: int, to_start: int, to_end: int) -> None:
        """A drop from the other view."""
        self._links.on_link_dropped(DraggedSpan(document, start, end), DraggedSpan(self._shown, to_start, to_end))

    @Slot(QPoint, int)
    def on_view_context_menu_requested(self, place: QPoint, offset: int) -> None:
        """Copy, and the two ends of a link."""
        view = self._view
        if offset >= 0:
            view.current_clause.set_caret(offset)
        menu = QMenu(view)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy = menu.addAction(self.tr("Copy"), view.copy)
        copy.setEnabled(not view.selection.is_empty)
        menu.addSeparator()
        mark = menu.addAction(self.tr("Mark this clause as one end of a link"), view.mark_source)
        link = menu.addAction(self.tr("Link the marked clause with this one"), view.link_here)
        mark.setEnabled(offset >= 0)
        link.setEnabled(offset >= 0 and view.linker.marked is not None)
        menu.popup(place)
