"""The bar along the top: open, the matter's documents, back and forward, search, the engine's state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QToolButton

from gui.theme import grid
from gui.top_bar.engine_state import EngineState
from gui.top_bar.search_line import SearchLine


class TopBar(QFrame):
    """One row of quiet buttons.

    Signals:
        search_wanted(text): Enter in the search line.
        document_chosen(id): another document of the matter.
    """

    search_wanted = Signal(str)
    document_chosen = Signal(str)

    def __init__(
        self, open_action: QAction, back: QAction, forward: QAction, matter_actions: Sequence[QAction],
        search_switches: Sequence[QAction],
    ) -> None:
        super().__init__()
        self.setObjectName("top_bar")
        self._matter_actions = tuple(matter_actions)
        self._roles: Mapping[str, str] = {}
        self.open = self._button(open_action)
        self.matter = QToolButton()
        self.matter.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.matter.setAccessibleName(self.tr("Documents of this matter"))
        self.matter.setToolTip(self.tr("Documents of this matter"))
        self.menu = QMenu(self)
        self.matter.setMenu(self.menu)
        self.back = self._button(back, "‹")
        self.forward = self._button(forward, "›")
        self.search_line = SearchLine(search_switches)
        self.search = self.search_line.words
        self.engine = EngineState()
        row = QHBoxLayout(self)
        row.setContentsMargins(grid(2), grid(2), grid(2), grid(2))
        row.setSpacing(grid(1))
        for button in (self.open, self.matter, self.back, self.forward):
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self.search_line, 6)
        row.addStretch(1)
        row.addWidget(self.engine)
        self.menu.triggered.connect(self.on_menu_triggered)
        self.search.returnPressed.connect(self.on_search_return_pressed)
        self.show_documents([], "")

    def _button(self, action: QAction, sign: str = "") -> QToolButton:
        button = QToolButton()
        button.setDefaultAction(action)
        if sign:
            button.setText(sign)
            font = button.font()
            font.setPointSizeF(font.pointSizeF() * 1.3)
            button.setFont(font)
            action.changed.connect(lambda: button.setText(sign))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        button.setAccessibleName(action.text().replace("&", ""))
        return button

    def show_documents(self, documents: Sequence[tuple[str, str]], current: str) -> None:
        """List the matter's documents as (id, name); mark the one that is shown."""
        self.menu.clear()
        for document_id, name in documents:
            action = self.menu.addAction(self._menu_words(document_id, name))
            action.setData(document_id)
            action.setCheckable(True)
            action.setChecked(document_id == current)
        if documents:
            self.menu.addSeparator()
        self.menu.addActions(self._matter_actions)
        name = next((name for document_id, name in documents if document_id == current), "")
        metrics = self.matter.fontMetrics()
        shown = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, grid(70)) if name else self.tr("No document")
        more = f"  +{len(documents) - 1}" if len(documents) > 1 else ""
        self.matter.setText(f"{shown}{more} ▾")
        self.matter.setToolTip(name or self.tr("Documents of this matter"))

    def show_roles(self, roles: Mapping[str, str], names: Mapping[str, str]) -> None:
        """Say behind each document's name (both by id) what it is in the matter."""
        self._roles = roles
        for action in self.menu.actions():
            document_id = action.data()
            if isinstance(document_id, str) and document_id in names:
                action.setText(self._menu_words(document_id, names[document_id]))

    def _menu_words(self, document_id: str, name: str) -> str:
        shown = name.replace("&", "&&")
        role = self._roles.get(document_id, "")
        # What stands behind a tab is set at the menu's right side.
        return f"{shown}\t{role}" if role else shown

    @Slot(QAction)
    def on_menu_triggered(self, action: QAction) -> None:
        """A document was chosen; the menu's own actions see to themselves."""
        document_id = action.data()
        if isinstance(document_id, str) and document_id:
            self.document_chosen.emit(document_id)

    @Slot()
    def on_search_return_pressed(self) -> None:
        """Enter: find the words."""
        self.search_wanted.emit(self.search.text())
