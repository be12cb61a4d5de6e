"""The matter's documents with their roles: who is the main agreement, what amends it, which version is earlier."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engine.matter.records import DocumentRole
from gui.state.comparison_words import document_role_words
from gui.state.versions import ROLES, RoleEntry
from gui.theme import grid, scaled_font

_ID_ROLE = Qt.ItemDataRole.UserRole


class DocumentsPanel(QWidget):
    """A list; its context menu, and the line below it for the keyboard, give a role or compare with another document.

    Signals:
        document_chosen(id): show it.
        role_given(id, role)
        compare_wanted(id, id of the other)
        left(): Esc.
    """

    document_chosen = Signal(str)
    role_given = Signal(str, str)
    compare_wanted = Signal(str, str)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._entries: tuple[RoleEntry, ...] = ()
        title = QLabel(self.tr("Documents of this matter"))
        title.setFont(scaled_font(self.font(), 1.15, bold=True))
        self.list = QTreeWidget()
        self.list.setAccessibleName(self.tr("Documents of this matter"))
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setHeaderLabels([self.tr("Document"), self.tr("Role")])
        self.list.header().setStretchLastSection(False)
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.role = QComboBox()
        self.role.setAccessibleName(self.tr("Role of the chosen document"))
        for role in ROLES:
            self.role.addItem(document_role_words(role), role.value)
        self.accept = QPushButton(self.tr("Yes, it is"))
        self.accept.setToolTip(self.tr("The role is a proposal, made from the document's name. Say that it is right."))
        self.compare = QPushButton(self.tr("Compare with…"))
        self.hint = QLabel()
        self.hint.setWordWrap(True)
        self.hint.setProperty("faint", "true")
        row = QHBoxLayout()
        row.setSpacing(grid(2))
        row.addWidget(self.role, 1)
        row.addWidget(self.accept)
        column = QVBoxLayout(self)
        column.setContentsMargins(grid(3), grid(3), grid(3), grid(3))
        column.setSpacing(grid(3))
        for part in (title, self.list):
            column.addWidget(part)
        column.addLayout(row)
        column.addWidget(self.compare)
        column.addWidget(self.hint)
        column.setStretchFactor(self.list, 1)
        self.setFocusProxy(self.list)
        self.list.itemActivated.connect(self.on_list_item_activated)
        self.list.currentItemChanged.connect(self.on_list_current_item_changed)
        self.list.customContextMenuRequested.connect(self.on_list_menu_requested)
        self.role.activated.connect(self.on_role_activated)
        self.accept.clicked.connect(self.on_role_activated)
        self.compare.clicked.connect(self.on_compare_clicked)

    # --- what the window tells it ---------------------------------------------------------------------------

    def show_documents(self, entries: Sequence[RoleEntry], current: str, read_only: bool) -> None:
        """List them; the chosen row stays, at first it is the document that is shown."""
        chosen = self.chosen or current
        self._entries = tuple(entries)
        self.list.blockSignals(True)
        self.list.clear()
        for entry in entries:
            role = document_role_words(entry.role)
            # In the narrow column a question mark; the tool tip says it in full.
            item = QTreeWidgetItem([entry.name, self.tr("{role}?").format(role=role) if entry.is_proposed else role])
            item.setData(0, _ID_ROLE, entry.id)
            item.setToolTip(0, entry.name)
            item.setToolTip(1, self.words_of(entry))
            font = item.font(0)
            font.setBold(entry.id == current)
            item.setFont(0, font)
            font = item.font(1)
            font.setItalic(entry.is_proposed)
            item.setFont(1, font)
            self.list.addTopLevelItem(item)
            if entry.id == chosen:
                self.list.setCurrentItem(item)
        self.list.blockSignals(False)
        if self.list.currentItem() is None:
            self._choose_first()
        self.role.setEnabled(not read_only)
        self._follow()

    def _choose_first(self) -> None:
        first = self.list.topLevelItem(0)
        if first is not None:
            self.list.setCurrentItem(first)

    def words_of(self, entry: RoleEntry) -> str:
        """A role, and that it is only proposed."""
        words = document_role_words(entry.role)
        return self.tr("{role} (proposed)").format(role=words) if entry.is_proposed else words

    @property
    def chosen(self) -> str:
        """The chosen document's id, "" for none."""
        item = self.list.currentItem()
        return str(item.data(0, _ID_ROLE)) if item is not None else ""

    def _follow(self) -> None:
        entry = next((each for each in self._entries if each.id == self.chosen), None)
        self.compare.setEnabled(len(self._entries) > 1)
        self.accept.setVisible(entry is not None and entry.is_proposed and self.role.isEnabled())
        if entry is None:
            return
        self.role.setCurrentIndex(self.role.findData(entry.role.value))
        hint = self.tr("The list's menu (right mouse button) gives a role and compares two documents.")
        if entry.role is DocumentRole.EARLIER_VERSION:
            hint = self.tr(
                "Once you say that it is, an earlier version is reviewed apart from the other documents: what is found "
                "in it stands in the comparison with the later one, not among the findings."
            )
        self.hint.setText(hint)

    # --- slots ----------------------------------------------------------------------------------------------

    @Slot(QTreeWidgetItem)
    def on_list_item_activated(self, item: QTreeWidgetItem) -> None:
        """Enter or a double click: show it."""
        self.document_chosen.emit(str(item.data(0, _ID_ROLE)))

    @Slot()
    def on_list_current_item_changed(self) -> None:
        """Another row."""
        self._follow()

    @Slot()
    def on_role_activated(self) -> None:
        """A role was chosen, or the proposal accepted."""
        if self.chosen:
            self.role_given.emit(self.chosen, str(self.role.currentData()))

    @Slot()
    def on_compare_clicked(self) -> None:
        """With the only other document, or one of several."""
        others = [entry for entry in self._entries if entry.id != self.chosen]
        if len(others) == 1:
            self.compare_wanted.emit(self.chosen, others[0].id)
        elif others:
            menu = self._own_menu()
            self._add_others(menu)
            menu.popup(self.compare.mapToGlobal(QPoint(0, self.compare.height())))

    @Slot(QPoint)
    def on_list_menu_requested(self, place: QPoint) -> None:
        """What can be done with a document."""
        item = self.list.itemAt(place)
        if item is not None:
            self.list.setCurrentItem(item)
            self.menu().popup(self.list.viewport().mapToGlobal(place))

    def menu(self) -> QMenu:
        """The chosen document's menu; it goes by itself."""
        menu = self._own_menu()
        entry = next(each for each in self._entries if each.id == self.chosen)
        show = menu.addAction(self.tr("Show"))
        show.setData(("show", entry.id))
        menu.addSeparator()
        for role in ROLES:
            action = menu.addAction(document_role_words(role))
            action.setCheckable(True)
            action.setChecked(role is entry.role and not entry.is_proposed)
            action.setEnabled(self.role.isEnabled())
            action.setData(("role", role.value))
        if len(self._entries) > 1:
            menu.addSeparator()
            self._add_others(menu)
        return menu

    def _add_others(self, menu: QMenu) -> None:
        for entry in self._entries:
            if entry.id != self.chosen:
                action = menu.addAction(self.tr("Compare with {name}").format(name=entry.name.replace("&", "&&")))
                action.setData(("compare", entry.id))

    def _own_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.triggered.connect(self.on_menu_triggered)
        return menu

    @Slot(QAction)
    def on_menu_triggered(self, action: QAction) -> None:
        """Show, a role, or another document to compare with."""
        what, value = action.data()
        if what == "show":
            self.document_chosen.emit(value)
        elif what == "role":
            self.role_given.emit(self.chosen, value)
        else:
            self.compare_wanted.emit(self.chosen, value)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leaves."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return
        super().keyPressEvent(event)
