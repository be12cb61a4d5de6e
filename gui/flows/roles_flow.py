"""Documents and their roles: the panel, the palette's questions, the roles in the list of documents."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction

from engine.matter.records import DocumentRole
from gui.commands.names import Name
from gui.flows.comparison_flow import ComparisonFlow
from gui.main_window import MainWindow
from gui.right.documents_panel import DocumentsPanel
from gui.state.comparison_words import document_role_words
from gui.state.desk import Desk
from gui.state.versions import ROLES, Versions


class RolesFlow(QObject):
    """Between the documents panel and the matter. The panel is made when it is first wanted."""

    def __init__(self, window: MainWindow, desk: Desk, versions: Versions, comparison: ComparisonFlow) -> None:
        super().__init__(window)
        self._window = window
        self._desk = desk
        self._versions = versions
        self._comparison = comparison
        self._panel: DocumentsPanel | None = None
        #: The palette's second question: these live until the next one.
        self._choices: list[QAction] = []
        actions = window.actions_by_name
        actions[Name.DOCUMENTS].triggered.connect(self.show_documents)
        actions[Name.ROLE].triggered.connect(self.on_role_triggered)
        actions[Name.COMPARE].triggered.connect(self.on_compare_triggered)
        versions.roles_changed.connect(self.refresh)
        desk.current_changed.connect(self.refresh)
        desk.document_opened.connect(self.refresh)
        self.refresh()

    @property
    def panel(self) -> DocumentsPanel:
        """The documents of the matter."""
        if self._panel is None:
            panel = self._panel = DocumentsPanel()
            self._window.right.addWidget(panel)
            panel.document_chosen.connect(self._desk.show)
            panel.role_given.connect(self.on_panel_role_given)
            panel.compare_wanted.connect(self._comparison.compare)
            panel.left.connect(self.leave)
        return self._panel

    @Slot()
    def show_documents(self) -> None:
        """The panel."""
        if self._has_matter():
            self._window.right.setCurrentWidget(self.panel)
            self.refresh()
            self.panel.list.setFocus()

    @Slot()
    def leave(self) -> None:
        """Esc: back to the pages."""
        self._window.right.show_evidence()
        self._window.pages.view.setFocus()

    @Slot()
    def refresh(self) -> None:
        """Other roles, another list, another document shown."""
        entries = self._versions.entries()
        several = len(entries) > 1
        actions = self._window.actions_by_name
        actions[Name.COMPARE].setEnabled(several)
        for name in (Name.DOCUMENTS, Name.ROLE):
            actions[name].setEnabled(bool(entries))
        roles = {entry.id: self._role_words(entry.role, entry.is_proposed) for entry in entries} if several else {}
        names = {each.id: each.name for each in self._desk.documents.values()}
        self._window.top_bar.show_roles(roles, names)
        if self._panel is not None and self._window.right.currentWidget() is self._panel:
            self._panel.show_documents(entries, self._desk.current, self._desk.book.read_only)

    def _role_words(self, role: DocumentRole, is_proposed: bool) -> str:
        words = document_role_words(role)
        return self.tr("{role} (proposed)").format(role=words) if is_proposed else words

    def _has_matter(self) -> bool:
        if not self._desk.book.is_open:
            self._window.status.say(self.tr("Open a contract first, and wait until it has been read."))
        return self._desk.book.is_open

    # --- what the person asks -------------------------------------------------------------------------------

    @Slot(str, str)
    def on_panel_role_given(self, document_id: str, role: str) -> None:
        """Keep it, and say so."""
        entry = self._versions.entry(document_id)
        if entry is not None and self._versions.give(document_id, DocumentRole(role)):
            words = self.tr("{name}: {role}. U takes it back.")
            said = document_role_words(DocumentRole(role))
            self._window.status.say(words.format(name=entry.name, role=said))

    @Slot()
    def on_role_triggered(self) -> None:
        """The palette asks which role the document that is shown has."""
        current = self._desk.current
        if not self._has_matter() or not current:
            return
        self._ask([(document_role_words(role), (current, role.value)) for role in ROLES], self.on_role_chosen)

    @Slot()
    def on_role_chosen(self) -> None:
        """A role was chosen in the palette."""
        action = self.sender()
        if isinstance(action, QAction):
            self.on_panel_role_given(*action.data())

    @Slot()
    def on_compare_triggered(self) -> None:
        """With the only other document; the palette asks with which one of several."""
        current = self._desk.current
        others = [entry for entry in self._versions.entries() if entry.id != current]
        if not current or not others:
            self._window.status.say(self.tr("Add the other version to this matter first."))
        elif len(others) == 1:
            self._comparison.compare(current, others[0].id)
        else:
            words = self.tr("Compare with {name}")
            choices = [(words.format(name=entry.name.replace("&", "&&")), (current, entry.id)) for entry in others]
            self._ask(choices, self.on_other_chosen)

    @Slot()
    def on_other_chosen(self) -> None:
        """Another document was chosen in the palette."""
        action = self.sender()
        if isinstance(action, QAction):
            self._comparison.compare(*action.data())

    def _ask(self, choices: Sequence[tuple[str, tuple[str, str]]], slot: object) -> None:
        for action in self._choices:
            action.deleteLater()
        self._choices = []
        for words, data in choices:
            action = QAction(words, self)
            action.setData(data)
            action.triggered.connect(slot)
            self._choices.append(action)
        self._window.palette_of_commands.ask(self._choices)
