"""The anchors of the matter: asked of the engine, listed in the panel, shown over the pages, exported."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, QTimer, Slot
from PySide6.QtWidgets import QFileDialog

from engine.document import Document
from engine.matter.records import DecisionState
from engine.protocol.messages import AnchorsFound
from gui.centre.places_popup import Line, PlacesPopup
from gui.flows.list_flow import AskTarget
from gui.main_window import MainWindow
from gui.processes.interface import Processes
from gui.state.anchor_book import AnchorBook, Spot, Standing, Value, place_words, spot_of
from gui.state.anchor_export import Table, lines, write_csv, write_xlsx
from gui.state.desk import Desk
from gui.state.file_pool import FilePool
from gui.state.wording import anchor_words, page_words, role_words


class AnchorsFlow(QObject):
    """Keeps the panel in step with the matter's anchor table, and opens the list of places."""

    def __init__(
        self, window: MainWindow, desk: Desk, processes: Processes, ask_target: AskTarget | None = None
    ) -> None:
        super().__init__(window)
        self._window = window
        self._desk = desk
        self._processes = processes
        self._ask_target = ask_target or self._ask_with_dialog
        self._pool = FilePool(self)
        self._listing = 0
        self._found: AnchorsFound | None = None
        self._book = AnchorBook([], True)
        self._asking = 0
        self._asked: tuple[Value, Spot, QPoint, bool] | None = None
        self.popup = PlacesPopup(window)
        # Several things that happen at once (a review kept, a document known) ask for one list.
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.on_soon_timeout)
        desk.book.rows_reset.connect(self.refresh)
        desk.document_known.connect(self.on_desk_document_known)
        desk.current_changed.connect(self.on_desk_current_changed)
        processes.anchors_found.connect(self.on_processes_anchors_found)
        processes.job_failed.connect(self.on_processes_job_ended)
        processes.job_cancelled.connect(self.on_processes_job_ended)
        window.pages.view.rest_at = self.rest_at
        panel = window.left.anchors
        panel.place_chosen.connect(self.go)
        panel.value_rested.connect(self.on_panel_value_rested)
        panel.export_wanted.connect(self.on_panel_export_wanted)
        self.popup.place_chosen.connect(self.go)
        window.pages.view.verticalScrollBar().valueChanged.connect(self.on_view_scrolled)
        window.closing.connect(self.close)

    @property
    def book(self) -> AnchorBook:
        """What is listed."""
        return self._book

    def close(self) -> None:
        """End what runs."""
        self._soon.stop()
        self.popup.close_list()
        self._pool.close()

    # --- the list ---------------------------------------------------------------------------------------------

    @Slot()
    def refresh(self) -> None:
        """Ask for the list, soon."""
        self._soon.start()

    @Slot()
    def on_soon_timeout(self) -> None:
        """Ask for the list."""
        table = self._desk.book.anchor_table
        if self._listing:
            self._processes.cancel(self._listing)
        self._listing = 0
        if table is None:
            self._found = None
            self._show(AnchorBook([], True))
        else:
            self._listing = self._processes.list_anchors(table, self._desk.current)

    @Slot(str)
    def on_desk_document_known(self, _document: str) -> None:
        """The words of its values are known now."""
        if self._found is not None:
            self._list(self._found)

    @Slot(str)
    def on_desk_current_changed(self, document: str) -> None:
        """Of a large matter only the shown document's anchors are listed."""
        self.popup.close_list()
        if document and not self._book.is_whole:
            self.refresh()

    @Slot(int, object)
    def on_processes_anchors_found(self, job: int, found: AnchorsFound) -> None:
        """The engine has looked into the table."""
        if job == self._listing:
            self._listing = 0
            self._list(found)
        elif job == self._asking:
            self._asking = 0
            if self._asked is not None:
                self._open(found, *self._asked)

    @Slot(int)
    def on_processes_job_ended(self, job: int, _fault: object = None) -> None:
        """Nothing will come."""
        self._listing = 0 if job == self._listing else self._listing
        self._asking = 0 if job == self._asking else self._asking

    def _list(self, found: AnchorsFound) -> None:
        """Compare the values beside the window, for there may be ten thousand of them."""
        self._found = found
        documents, clashes = self._documents(), self._clashes()
        self._pool.run(lambda: AnchorBook.of(found, documents, clashes), self._take)

    def _take(self, book: object) -> None:
        if isinstance(book, AnchorBook):
            self._show(book)

    def _show(self, book: AnchorBook) -> None:
        self._book = book
        self._window.left.anchors.set_book(book, self._documents())

    def _documents(self) -> dict[str, Document]:
        return {name: entry.document for name, entry in self._desk.documents.items() if entry.document is not None}

    def _clashes(self) -> dict[tuple[str, str], set[tuple[str, str]]]:
        """What findings hold against each other: values that only one of two passages gives."""
        clashes: dict[tuple[str, str], set[tuple[str, str]]] = {}
        for row in self._desk.book.rows():
            finding = row.finding
            is_sure = finding.tier == "conflict" and finding.code.startswith("value.") and len(finding.passages) > 1
            if row.is_gone or row.verdict is DecisionState.DISMISSED or not is_sure:
                continue
            sides = [{(a.kind, a.value) for a in passage.anchors} for passage in finding.passages]
            common = set.intersection(*sides)
            for side, other in itertools.permutations(sides, 2):
                for pair in side - common:
                    against = {each for each in other - common if each[0] == pair[0]}
                    if against:
                        clashes.setdefault(pair, set()).update(against)
        return clashes

    # --- every place of one value -----------------------------------------------------------------------------

    def rest_at(self, offset: int, at: QPoint, by_key: bool = False) -> bool:
        """The pointer rests on a character of the shown document: True when an anchor stands there."""
        found = self._book.at(self._desk.current, offset)
        if found is None:
            if by_key:
                self._window.status.say(self.tr("No value stands there."))
            return False
        self._ask(*found, at, by_key)
        return True

    @Slot(object, QPoint)
    def on_panel_value_rested(self, value: Value, at: QPoint) -> None:
        """The pointer rests on a value of the panel."""
        self._ask(value, value.spots[0], at, False)

    def _ask(self, value: Value, spot: Spot, at: QPoint, by_key: bool) -> None:
        table = self._desk.book.anchor_table
        if table is None:
            return
        if self._asking:
            self._processes.cancel(self._asking)
        self._asked = (value, spot, at, by_key)
        self._asking = self._processes.find_places(table, value.kind, value.value, spot.role)

    def _open(self, found: AnchorsFound, value: Value, spot: Spot, at: QPoint, by_key: bool) -> None:
        if not found.values:
            return
        documents = self._documents()
        title = f"{anchor_words(value.kind)}: {value.words}"
        if spot.role:
            title += f"  ·  {role_words(spot.role)}"
        listed: list[Line] = []
        for each in found.values:
            is_rival = (each.kind, each.value) != (value.kind, value.value)
            spots = [spot_of(found, place) for place in each.places]
            words = self._words(each.value, spots, documents) if is_rival else value.words
            standing = Standing.DIFFERS if is_rival else Standing.AGREES if len(spots) > 1 else Standing.ALONE
            listed.append(Line(words, right=str(len(spots)), standing=standing))
            listed += [self._line(each, documents, len(found.documents) > 1) for each in spots]
        told = {(each.kind, each.value) for each in found.values}
        for rival in value.rivals:
            # What a finding holds against it, although it has another role.
            if (rival.kind, rival.value) not in told:
                listed.append(Line(rival.words, right=str(len(rival.spots)), standing=Standing.DIFFERS))
                listed += [self._line(each, documents, len(found.documents) > 1) for each in rival.spots]
        if found.left_out:
            listed.append(Line(self.tr("and {n} more places").format(n=found.left_out)))
        self.popup.open(title, listed, at, by_key)

    @staticmethod
    def _words(value: str, spots: list[Spot], documents: dict[str, Document]) -> str:
        for spot in spots:
            document = documents.get(spot.document)
            if document is not None and spot.end <= len(document.text):
                return " ".join(document.text[spot.start : spot.end].split())
        return value

    def _line(self, spot: Spot, documents: dict[str, Document], several: bool) -> Line:
        document = documents.get(spot.document)
        number, page, around = place_words(document, spot)
        entry = self._desk.documents.get(spot.document)
        name = entry.name if entry is not None else ""
        where = number or (page_words(page) if document is not None else name)
        return Line(
            where, around, name if several else "", None, (spot.document, spot.start, spot.end),
            "\n".join(part for part in (name, where, around) if part),
        )  # fmt: skip

    @Slot(str, int, int)
    def go(self, document: str, start: int, end: int) -> None:
        """Show a place, in another document too."""
        if document not in self._desk.documents:
            self._window.status.say(self.tr("That document is not open here."))
            return
        if document != self._desk.current:
            self._desk.show(document)
        self._window.pages.view.reveal(start, end)

    @Slot(int)
    def on_view_scrolled(self, _value: int) -> None:
        """What the list belonged to has moved away."""
        self.popup.close_list()

    # --- export -------------------------------------------------------------------------------------------------

    @Slot(str)
    def on_panel_export_wanted(self, suffix: str) -> None:
        """Write what is listed."""
        path = self._ask_target(f"{self.tr('anchors')}.{suffix}")
        if path is None:
            return
        values = self._window.left.anchors.model.shown()
        names = {entry.id: entry.name for entry in self._desk.documents.values()}
        write = write_xlsx if suffix == "xlsx" else write_csv
        table = lines(values, self._documents(), names)
        self._pool.run(functools.partial(_written, write, path, table), functools.partial(self._exported, path))

    def _exported(self, path: Path, problem: object) -> None:
        if problem:
            words = self.tr("The list could not be written to {file}: {why}. Choose another folder.")
            self._window.pages.banner.say(words.format(file=path, why=problem))
        else:
            self._window.status.say(self.tr("Saved {file}.").format(file=path.name))

    def _ask_with_dialog(self, name: str) -> Path | None:
        kind = "XLSX (*.xlsx)" if name.endswith(".xlsx") else "CSV (*.csv)"
        chosen, _ = QFileDialog.getSaveFileName(self._window, self.tr("Save the list of anchors"), name, kind)
        return Path(chosen) if chosen else None


def _written(write: Callable[[Path, Table], None], path: Path, table: Table) -> str:
    """Write a table; why it could not be written, "" when it was."""
    try:
        write(path, table)
    except OSError as error:
        return str(error.strerror or error)
    return ""
