"""Links in and out: a file is looked at line by line first, and taken when the person agrees."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog

from engine.matter.errors import MatterError
from gui.commands.names import Name
from gui.main_window import MainWindow
from gui.right.import_panel import ImportPanel, Preview
from gui.state.desk import Desk
from gui.state.keeping import MATTER_SUFFIX
from gui.state.labelling import Labelling
from gui.state.wording import filled, matter_error_words

if TYPE_CHECKING:
    from engine.matter import Matter
    from engine.matter.formats import Written
    from engine.matter.import_plan import ImportPlan, ImportProblem
    from engine.matter.merge import MergeReport

#: Asks for the file to read, or the one to write, of the name given; None when the person gives up.
AskPath = Callable[[bool, str], Path | None]
Answer = TypeVar("Answer")
#: ``antinomy.links/1`` among the names of formats, and the others as they are offered.
LINKS = "links"
_FORMATS = (
    (LINKS, "antinomy.links/1 (*.jsonl)"),
    ("csv", "CSV (*)"),
    ("label-studio", "Label Studio (*)"),
    ("doccano", "doccano (*)"),
    ("brat", "brat (*)"),
    ("pawls", "PAWLS (*)"),
    ("uima-cas-json", "INCEpTION, UIMA CAS JSON (*)"),
)


class ExchangeFlow(QObject):
    """Import of every format and of other matter files, export to every format."""

    def __init__(
        self, window: MainWindow, desk: Desk, labelling: Labelling, ask_path: AskPath | None = None
    ) -> None:
        super().__init__(window)
        self._window = window
        self._desk = desk
        self._labelling = labelling
        self.ask_path = ask_path or self._ask_with_dialog
        #: The format to export to; the dialog sets it.
        self.format = LINKS
        self._panel: ImportPanel | None = None
        self._plan: ImportPlan | None = None
        self._other: Path | None = None
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

    # --- import -------------------------------------------------------------------------------------------

    @Slot()
    def on_import_triggered(self) -> None:
        """Ask for a file and show what it would bring."""
        path = self.ask_path(False, "") if self._may_write() else None
        if path is not None:
            self.look_at(path)

    def look_at(self, path: Path) -> None:
        """Show what a file would bring; nothing is changed. A matter file is merged, anything else imported."""
        self._plan = self._other = None
        try:
            preview = self._merge_preview(path) if path.suffix == MATTER_SUFFIX else self._import_preview(path)
        except MatterError as error:
            self._window.pages.banner.say(matter_error_words(error))
            return
        self._window.right.setCurrentWidget(self.panel)
        self.panel.show_preview(preview)

    def _import_preview(self, path: Path) -> Preview:
        from engine.matter.formats import plan_path

        plan = self._plan = self._looked(lambda matter: plan_path(matter, path))
        words = [self.tr("{links} links and {decisions} decisions can be imported.")]
        if plan.already:
            words.append(self.tr("{already} are in this matter already."))
        if plan.problems:
            words.append(self.tr("{bad} lines cannot be taken:"))
        counts = {
            "links": len(plan.links), "decisions": len(plan.decisions), "already": plan.already,
            "bad": len(plan.problems),
        }  # fmt: skip
        more = self.tr("Add to the label set and take with their links: {labels} ({n})")
        can_take = bool(plan.links or plan.decisions)
        return Preview(
            self.tr("Import {file}").format(file=path.name),
            tuple(each.format(**counts) for each in words),
            tuple((_place(each, plan.name), filled(each.template, each.values)) for each in plan.problems),
            (self.tr("Import the good ones") if plan.problems else self.tr("Import")) if can_take else "",
            more.format(labels=", ".join(plan.new_labels), n=len(plan.doubtful)) if plan.doubtful else "",
        )

    def _merge_preview(self, path: Path) -> Preview:
        from engine.matter.merge import preview_merge

        report = self._looked(lambda matter: preview_merge(matter, path))
        self._other = path
        counts = {
            "documents": len(report.documents), "findings": len(report.findings), "judgements": len(report.added),
            "taken": len(report.taken), "kept": len(report.kept),
        }  # fmt: skip
        words = [self.tr("{documents} documents, {findings} findings and {judgements} judgements are new.")]
        if report.taken:
            words.append(self.tr("{taken} judgements are newer there and take the place of those here."))
        if report.kept:
            words.append(self.tr("{kept} judgements are older there; they are kept in the history."))
        if report.is_empty:
            words = [self.tr("All that it holds is in this matter already.")]
        guide = self.tr("Guide")
        return Preview(
            self.tr("Merge {file} into this matter").format(file=path.name),
            tuple(each.format(**counts) for each in words),
            tuple((guide, filled(each.template, each.values)) for each in report.guide),
            "" if report.is_empty else self.tr("Merge"),
        )

    def _looked(self, look: Callable[[Matter], Answer]) -> Answer:
        # Not through ``ask``: what is wrong with the file is said here, in its own place.
        found: list[Answer] = []
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

    @Slot(bool)
    def on_panel_agreed(self, new_labels: bool) -> None:
        """Take what is good: one act, which undo takes back."""
        plan, other = self._plan, self._other
        self._plan = self._other = None
        if plan is not None:
            self._import(plan, new_labels)
        elif other is not None:
            self._merge(other)
        self._leave()

    def _import(self, plan: ImportPlan, new_labels: bool) -> None:
        from engine.matter.exchange import apply_import

        if self._desk.book.keep(lambda matter: apply_import(matter, plan, new_labels)) is not None:
            self._desk.book.reload()
            # There may be people and labels that were not known before.
            self._labelling.people_changed.emit()
            words = self.tr("{n} links imported. U takes them back.")
            self._window.status.say(words.format(n=len(plan.links) + (len(plan.doubtful) if new_labels else 0)))

    def _merge(self, other: Path) -> None:
        from engine.matter.merge import merge

        report: MergeReport | None = self._desk.book.keep(lambda matter: merge(matter, other))
        path = self._desk.book.path
        if report is None or path is None:
            return
        if report.documents:
            # The matter is opened again, so that its new documents come onto the desk.
            self._desk.open_matter(path)
        else:
            self._desk.book.reload()
        self._labelling.people_changed.emit()
        self._window.status.say(self.tr("{file} was merged into this matter.").format(file=other.name))

    @Slot()
    def on_panel_left(self) -> None:
        """Nothing is taken; or what was exported has been read."""
        if self._plan is not None or self._other is not None:
            self._window.status.say(self.tr("Nothing was imported."))
        self._plan = self._other = None
        self._leave()

    def _leave(self) -> None:
        self._window.right.show_evidence()
        self._window.pages.view.setFocus()

    # --- export -------------------------------------------------------------------------------------------

    @Slot()
    def on_export_triggered(self) -> None:
        """Write links and decisions, nobody's suggestions."""
        if not self._desk.book.is_open:
            self._window.status.say(self.tr("Open a contract first, and wait until it has been read."))
            return
        self.format = LINKS
        path = self.ask_path(True, self.tr("links") + ".jsonl")
        if path is None:
            return
        try:
            written = self._looked(lambda matter: _write(matter, path, self.format))
        except MatterError as error:
            self._window.pages.banner.say(matter_error_words(error))
            return
        self._window.status.say(self.tr("Saved {file}.").format(file=path.name))
        if written is not None and written.losses:
            self._window.right.setCurrentWidget(self.panel)
            self.panel.show_preview(self._export_preview(path, written))

    def _export_preview(self, path: Path, written: Written) -> Preview:
        words = self.tr("{n} files were written. What the format cannot hold:")
        return Preview(
            self.tr("Exported to {file}").format(file=path.name),
            (words.format(n=len(written.files)),),
            tuple(("", filled(loss.template, {"n": str(loss.n)})) for loss in written.losses),
            close=self.tr("Close"),
        )

    def _may_write(self) -> bool:
        book = self._desk.book
        if not book.is_open:
            self._window.status.say(self.tr("Open a contract first, and wait until it has been read."))
        elif book.read_only:
            self._window.status.say(self.tr("This matter can only be read here, so no link can be kept."))
        return book.is_open and not book.read_only

    def _ask_with_dialog(self, to_write: bool, name: str) -> Path | None:
        if not to_write:
            kinds = self.tr("Links and matters") + f" (*.jsonl *.json *.csv *.ann *{MATTER_SUFFIX})"
            chosen, _ = QFileDialog.getOpenFileName(self._window, self.tr("Import links"), "", kinds)
            return Path(chosen) if chosen else None
        filters = [words for _, words in _FORMATS]
        chosen, kind = QFileDialog.getSaveFileName(
            self._window, self.tr("Export links"), name, ";;".join(filters), filters[0]
        )
        if not chosen:
            return None
        self.format = _FORMATS[filters.index(kind)][0] if kind in filters else LINKS
        path = Path(chosen)
        # All but our own are several files, in a folder of that name.
        return path.with_suffix("") if self.format != LINKS and path.suffix == ".jsonl" else path


def _write(matter: Matter, path: Path, name: str) -> Written | None:
    """Write links to a file of ours, or to a folder of another tool's files; what the latter could not hold."""
    from engine.matter.exchange import export_links
    from engine.matter.formats import bundle_of, write_format

    if name == LINKS:
        export_links(matter, path)
        return None
    return write_format(bundle_of(matter), name, path)


def _place(problem: ImportProblem, name: str) -> str:
    """Where in the file: the line alone where there is only one file."""
    line = str(problem.line) if problem.line else ""
    place = "" if problem.place == name and line else problem.place
    return ":".join(part for part in (place, line) if part)
