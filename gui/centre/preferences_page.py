"""Preferences: each line is a choice among commands; a change works at once, and can be taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from gui.theme import grid, scaled_font


class ActionChoice(QComboBox):
    """One of a group of commands that exclude each other; it follows when one is given elsewhere."""

    def __init__(self, name: str, actions: Sequence[QAction]) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._actions = tuple(actions)
        for action in self._actions:
            self.addItem(action.text().replace("&", ""))
            action.toggled.connect(self.follow)
        self.activated.connect(self.on_activated)
        self.follow()

    @Slot(bool)
    def follow(self) -> None:
        """Show what is chosen now."""
        checked = next((i for i, action in enumerate(self._actions) if action.isChecked()), -1)
        self.setCurrentIndex(checked)

    @Slot(int)
    def on_activated(self, index: int) -> None:
        """The person chose."""
        if not self._actions[index].isChecked():
            self._actions[index].trigger()

    @property
    def chosen(self) -> QAction | None:
        """The command that is in force."""
        return next((action for action in self._actions if action.isChecked()), None)


class PreferencesPage(QScrollArea):
    """Stands where the pages stand, so that colours can be judged; Esc goes back.

    Signals:
        left(): back to the pages.
        name_given(name): the person wants to be called that.
    """

    left = Signal()
    name_given = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.choices: list[ActionChoice] = []
        self._switches: list[tuple[QAction, bool]] = []
        self._before: list[QAction] = []
        self._name_before = ""
        self.name = QLineEdit()
        self.as_before = QPushButton(self.tr("As before"))
        self.as_before.setToolTip(self.tr("Put back what was chosen when this page was opened"))
        self.done = QPushButton(self.tr("Done"))
        self.done.setProperty("role", "main")
        self.as_before.clicked.connect(self.on_as_before_clicked)
        self.done.clicked.connect(self.left)

    def fill(
        self, groups: Mapping[str, Sequence[QAction]], switches: Sequence[QAction], facts: Mapping[str, str], name: str
    ) -> None:
        """Make the lines: the person's name, groups of commands, switches, and facts that cannot be changed here."""
        body = QWidget()
        title = QLabel(self.tr("Preferences"))
        title.setFont(scaled_font(self.font(), 1.6, bold=True))
        form = QFormLayout()
        form.setHorizontalSpacing(grid(6))
        form.setVerticalSpacing(grid(3))
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._add_name(form, name)
        self.choices = [ActionChoice(words, actions) for words, actions in groups.items()]
        for words, choice in zip(groups, self.choices, strict=True):
            form.addRow(words, choice)
        for action in switches:
            box = QCheckBox(action.text().replace("&", ""))
            box.setChecked(action.isChecked())
            box.toggled.connect(action.setChecked)
            action.toggled.connect(box.setChecked)
            form.addRow("", box)
        for words, fact in facts.items():
            form.addRow(words, _faint(fact))
        self._switches = [(action, action.isChecked()) for action in switches]
        self._before = [choice.chosen for choice in self.choices if choice.chosen is not None]
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.as_before)
        buttons.addWidget(self.done)
        middle = QWidget()
        middle.setMaximumWidth(grid(150))
        column = QVBoxLayout(middle)
        column.setContentsMargins(grid(6), grid(6), grid(6), grid(6))
        column.setSpacing(grid(5))
        column.addWidget(title)
        column.addLayout(form)
        column.addLayout(buttons)
        column.addStretch(1)
        row = QHBoxLayout(body)
        row.addStretch(1)
        row.addWidget(middle, 8)
        row.addStretch(1)
        self._take(body)

    def _add_name(self, form: QFormLayout, name: str) -> None:
        self.name = QLineEdit(name)
        self.name.setAccessibleName(self.tr("Your name"))
        self.name.setMaxLength(80)
        self.name.editingFinished.connect(self.on_name_editing_finished)
        self._name_before = name
        words = self.tr("Stands beside your decisions, links and notes, in the open matter and in those to come.")
        both = QVBoxLayout()
        both.setSpacing(grid(1))
        both.addWidget(self.name)
        both.addWidget(_faint(words))
        form.addRow(self.tr("Your name"), both)

    def _take(self, body: QWidget) -> None:
        # The buttons outlive the page they stood on.
        old = self.takeWidget()
        self.setWidget(body)
        if old is not None:
            old.deleteLater()

    @Slot()
    def on_as_before_clicked(self) -> None:
        """Put everything back."""
        if self.name.text().strip() != self._name_before:
            self.name.setText(self._name_before)
            self.name_given.emit(self._name_before)
        for action, was_on in self._switches:
            action.setChecked(was_on)
        for action in self._before:
            if not action.isChecked():
                action.trigger()

    @Slot()
    def on_name_editing_finished(self) -> None:
        """Enter, or the keyboard goes elsewhere: an empty name is none."""
        name = " ".join(self.name.text().split())
        if name:
            self.name_given.emit(name)
        else:
            self.name.setText(self._name_before)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc goes back."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return
        super().keyPressEvent(event)


def _faint(words: str) -> QLabel:
    label = QLabel(words)
    label.setWordWrap(True)
    label.setProperty("faint", "true")
    return label
