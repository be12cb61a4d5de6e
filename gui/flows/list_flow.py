"""The list of findings as a file: CSV, a workbook, or JSON."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog

from gui.commands.names import Name
from gui.flows.findings_flow import FindingsFlow
from gui.main_window import MainWindow
from gui.state.desk import Desk
from gui.state.finding_export import write_findings_json, write_issue_book
from gui.state.issue_list import issue_list, write_issue_list

#: Asks where to write a file of the name given; a test puts its own in.
AskTarget = Callable[[str], Path | None]


class ListFlow(QObject):
    """Asks where to, and writes what the inbox lists; the file's ending says as what."""

    def __init__(
        self, window: MainWindow, desk: Desk, findings: FindingsFlow, ask_target: AskTarget | None = None
    ) -> None:
        super().__init__(window)
        self._window = window
        self._desk = desk
        self._findings = findings
        self.ask_target = ask_target or self._ask_with_dialog
        window.actions_by_name[Name.SAVE_LIST].triggered.connect(self.on_save_list_triggered)

    @Slot()
    def on_save_list_triggered(self) -> None:
        """Write the findings that are shown, and every decision, as a table."""
        path = self.ask_target(self.tr("findings") + ".csv")
        if path is None:
            return
        rows = self._findings.shown_rows()
        try:
            if path.suffix.lower() == ".xlsx":
                write_issue_book(path, rows, self._document_name)
            elif path.suffix.lower() == ".json":
                documents = [each.document for each in self._desk.documents.values() if each.document is not None]
                write_findings_json(path, rows, documents, self._desk.review.status)
            else:
                write_issue_list(path, issue_list(rows, self._document_name))
        except OSError as error:
            words = self.tr("The list could not be written to {file}: {why}. Choose another folder.")
            self._window.pages.banner.say(words.format(file=path, why=error.strerror or error))
        else:
            self._window.status.say(self.tr("Saved {file}.").format(file=path.name))

    def _ask_with_dialog(self, name: str) -> Path | None:
        kinds = ("CSV (*.csv)", "Excel (*.xlsx)", "JSON (*.json)")
        title = self.tr("Save the list of findings")
        chosen, kind = QFileDialog.getSaveFileName(self._window, title, name, ";;".join(kinds))
        # A name without an ending gets that of the kind chosen.
        ending = "" if Path(chosen).suffix else kind.partition("(*")[2].rstrip(")")
        return Path(chosen + ending) if chosen else None

    def _document_name(self, document_id: str) -> str:
        entry = self._desk.documents.get(document_id)
        return entry.name if entry else document_id
