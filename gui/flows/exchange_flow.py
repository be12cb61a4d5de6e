"""Links in and out: a file is looked at line by line first, and taken when the person agrees."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog

from engine.matter.errors import MatterError
from gui.commands.names import Name
from gui.main_window import MainWindow
from gui.right.import_panel import ImportPanel
from gui.state.desk import Desk
from gui.state.wording import matter_error_words

if TYPE_CHECKING:
    from engine.matter import Matter
    from engine.matter.exchange import ImportPlan

#: Asks for the file to read, or the one to write, of the name given; None when the person gives up.
AskPath = Callable[[bool, str], Path | None]


class ExchangeFlow(QObject):
    """Import and export of ``antinomy.links/1`` in the window; other tools' formats are on the command line."""

    def __init__(self, window: MainWindow, desk: Desk, ask_path: AskPath | None = None) -> None:
        super().__init__(window)
        self._window = window
        self._desk = desk
        self.ask_path = ask_path or self._ask_with_dialog
        self._panel: ImportPanel | None = None
        self._plan: ImportPlan | None = None
        window.actions_by_name[Name.IMPORT_LINKS].triggered.connect(self.on_import_triggered)
        window.actions_by_name[Name.EXPORT_LINKS].triggered.connect(self.on_export_triggered)

    @property
    def panel(self) -> ImportPanel:
        """The panel, made when it is first wanted."""
        if self._panel is None:
            self._panel = ImportPanel()
            self._window.right.addWidget(self._panel)
            self._panel.agreed.connect(self.on_panel_agreed)
            self._panel.left.connect(self.on_panel_left)
        return self._panel

    @Slot()
    def on_import_triggered(self) -> None:
        """Ask for a file and show what it would bring."""
        path = self.ask_path(False, "") if self._may_write() else None
        if path is not None:
            self.look_at(path)

    def look_at(self, path: Path) -> None:
        """Show what a file would bring; nothing is changed."""
        from engine.matter.exchange import plan_import_file

        try:
            plan = self._plan = self._with_matter(lambda matter: plan_import_file(matter, path))
        except MatterError as error:
            self._window.pages.banner.say(matter_error_words(error))
            return
        good = (len(plan.links), len(plan.decisions))
        self._window.right.setCurrentWidget(self.panel)
        self.panel.show_plan(path.name, good, plan.already, [(each.line, each.sentence) for each in plan.problems])

    def _with_matter(self, look: Callable[[Matter], ImportPlan]) -> ImportPlan:
        # Not through ``ask``: what is wrong with the file is said here, in its own place.
        found: list[ImportPlan] = []
        problems: list[MatterError] = []

        def plan(matter: Matter) -> None:
            try:
                found.append(look(matter))
            except MatterError as error:
                problems.append(error)

        self._desk.book.ask(plan, None)
        if problems:
            raise problems[0]
        return found[0]

    @Slot()
    def on_panel_agreed(self) -> None:
        """Take the good lines: one act, which undo takes back."""
        from engine.matter.exchange import apply_import

        plan, self._plan = self._plan, None
        if plan is not None and self._desk.book.keep(lambda matter: apply_import(matter, plan)) is not None:
            self._desk.book.reload()
            words = self.tr("{n} links imported. U takes them back.")
            self._window.status.say(words.format(n=len(plan.links)))
        self._leave()

    @Slot()
    def on_panel_left(self) -> None:
        """Nothing is taken."""
        self._plan = None
        self._window.status.say(self.tr("Nothing was imported."))
        self._leave()

    def _leave(self) -> None:
        self._window.right.show_evidence()
        self._window.pages.view.setFocus()

    @Slot()
    def on_export_triggered(self) -> None:
        """Write links and decisions, nobody's suggestions."""
        from engine.matter.exchange import export_links

        if not self._desk.book.is_open:
            self._window.status.say(self.tr("Open a contract first, and wait until it has been read."))
            return
        path = self.ask_path(True, self.tr("links") + ".jsonl")
        if path is not None and self._desk.book.ask(lambda matter: export_links(matter, path) + 1, 0):
            self._window.status.say(self.tr("Saved {file}.").format(file=path.name))

    def _may_write(self) -> bool:
        book = self._desk.book
        if not book.is_open:
            self._window.status.say(self.tr("Open a contract first, and wait until it has been read."))
        elif book.read_only:
            self._window.status.say(self.tr("This matter can only be read here, so no link can be kept."))
        return book.is_open and not book.read_only

    def _ask_with_dialog(self, to_write: bool, name: str) -> Path | None:
        kinds = "antinomy.links/1 (*.jsonl)"
        if to_write:
            chosen, _ = QFileDialog.getSaveFileName(self._window, self.tr("Export links"), name, kinds)
        else:
            chosen, _ = QFileDialog.getOpenFileName(self._window, self.tr("Import links"), name, kinds)
        return Path(chosen) if chosen else None
