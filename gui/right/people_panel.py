"""Who labels, who has which document, whether blind, and how far people agree."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engine.matter.records import Annotator, Assignment, DocumentRecord
from gui.state.wording import code_words
from gui.theme import grid, scaled_font

if TYPE_CHECKING:
    # They bring the database's library, which must not be loaded before the first frame.
    from engine.matter.agreement import Agreement
    from engine.matter.coefficients import Coefficient


class PeoplePanel(QWidget):
    """Annotators, assignments, agreement.

    Signals:
        person_chosen(annotator id): label as her from now on.
        person_added(name): a new annotator.
        assigned(annotator id, document id, state): ``open`` or ``done``.
        blind_chosen(bool)
        left(): Esc.
    """

    person_chosen = Signal(str)
    person_added = Signal(str)
    assigned = Signal(str, str, str)
    blind_chosen = Signal(bool)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.person = QComboBox()
        self.person.setAccessibleName(self.tr("Annotator"))
        self.name = QLineEdit()
        self.name.setPlaceholderText(self.tr("A new annotator's name"))
        self.name.setAccessibleName(self.tr("A new annotator's name"))
        self.add = QPushButton(self.tr("Add"))
        self.blind = QCheckBox(self.tr("Blind: hide others' links until mine are done"))
        self.table = QTableWidget(0, 3)
        self.table.setAccessibleName(self.tr("Assignments"))
        self.table.verticalHeader().hide()
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        self.table.setMinimumHeight(grid(24))
        self.document = QComboBox()
        self.document.setAccessibleName(self.tr("Document"))
        self.to = QComboBox()
        self.to.setAccessibleName(self.tr("Annotator to assign it to"))
        self.assign = QPushButton(self.tr("Assign"))
        self.done = QPushButton(self.tr("Done, or open again"))
        self.agreement = QLabel()
        self.agreement.setWordWrap(True)
        self.agreement.setTextFormat(Qt.TextFormat.RichText)
        self._assignments: list[Assignment] = []
        self._lay_out()
        self.person.activated.connect(self.on_person_activated)
        self.name.returnPressed.connect(self.on_add_clicked)
        self.add.clicked.connect(self.on_add_clicked)
        self.blind.clicked.connect(self.blind_chosen)
        self.assign.clicked.connect(self.on_assign_clicked)
        self.done.clicked.connect(self.on_done_clicked)

    def _lay_out(self) -> None:
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(grid(3), grid(3), grid(3), grid(3))
        column.setSpacing(grid(2))
        column.addWidget(_heading(self.tr("Labelling as")))
        column.addWidget(self.person)
        row = QHBoxLayout()
        row.addWidget(self.name, 1)
        row.addWidget(self.add)
        column.addLayout(row)
        column.addWidget(_heading(self.tr("Assignments")))
        column.addWidget(self.table)
        chosen = QGridLayout()
        chosen.setSpacing(grid(2))
        for box in (self.document, self.to, self.person):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(8)
        chosen.addWidget(self.document, 0, 0)
        chosen.addWidget(self.to, 0, 1)
        chosen.addWidget(self.assign, 1, 0)
        chosen.addWidget(self.done, 1, 1)
        column.addLayout(chosen)
        column.addWidget(self.blind)
        column.addWidget(_heading(self.tr("Agreement")))
        column.addWidget(self.agreement)
        column.addStretch(1)
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(body)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(area)

    # --- what the window tells it -----------------------------------------------------------------------

    def show_people(self, people: Sequence[Annotator], me: str, is_blind: bool) -> None:
        """Everyone, and who labels now."""
        for box in (self.person, self.to):
            box.clear()
            for each in people:
                box.addItem(each.name, each.id)
            box.setCurrentIndex(max(0, box.findData(me)))
        self.blind.setChecked(is_blind)

    def show_assignments(
        self, assignments: Sequence[Assignment], documents: Sequence[DocumentRecord], names: Mapping[str, str]
    ) -> None:
        """Who has which document."""
        chosen = self.document.currentData()
        self.document.clear()
        for document in documents:
            self.document.addItem(document.name, document.id)
        self.document.setCurrentIndex(max(0, self.document.findData(chosen)))
        files = {document.id: document.name for document in documents}
        row = self.table.currentRow()
        self._assignments = list(assignments)
        self.table.setHorizontalHeaderLabels([self.tr("Document"), self.tr("Annotator"), self.tr("State")])
        self.table.setRowCount(len(assignments))
        for i, each in enumerate(assignments):
            state = self.tr("done") if each.state == "done" else self.tr("open")
            for j, words in enumerate((files.get(each.document, ""), names.get(each.annotator, ""), state)):
                self.table.setItem(i, j, QTableWidgetItem(words))
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.setCurrentCell(min(row, len(assignments) - 1), 0)
        self.done.setEnabled(bool(assignments))
        self.assign.setEnabled(bool(documents))

    def show_agreement(self, agreement: Agreement | None, names: Mapping[str, str], is_hidden: bool) -> None:
        """The coefficients; while others' links are hidden, that they are."""
        if is_hidden:
            self.agreement.setText(self.tr("Hidden until your documents are done."))
            return
        if agreement is None or not agreement.units:
            self.agreement.setText(self.tr("No pair has been judged yet."))
            return
        words = self.tr("{units} pairs of clauses, {people} annotators").format(
            units=agreement.units, people=len(agreement.annotators)
        )
        if len(agreement.annotators) < 2:
            alone = self.tr("One person has labelled so far. Agreement is shown when two have labelled the same pairs.")
            self.agreement.setText(f"<p>{html.escape(words)}</p><p>{html.escape(alone)}</p>")
            return
        reasons: list[str] = []
        parts = [f"<p>{html.escape(words)}</p><table width='100%'>"]
        for heading, rows in self._groups(agreement, names):
            if rows:
                words = html.escape(heading)
                parts.append(f'<tr><td colspan="3" style="padding:10px 0 2px 0"><b>{words}</b></td></tr>')
                parts += [self._row(name, coefficient, reasons) for name, coefficient in rows]
        parts.append("</table>")
        parts += [f"<p>{_mark(i)} {html.escape(reason)}</p>" for i, reason in enumerate(reasons)]
        self.agreement.setText("".join(parts))

    def _groups(
        self, agreement: Agreement, names: Mapping[str, str]
    ) -> list[tuple[str, list[tuple[str, Coefficient]]]]:
        """Headings with their coefficients: all together, by two annotators, by kind, by aspect."""
        together = [
            (self.tr("Conflict or not (Krippendorff)"), agreement.conflict),
            (self.tr("Kind (Krippendorff)"), agreement.code),
            (self.tr("Kind (Fleiss)"), agreement.fleiss),
            (self.tr("Aspect (Krippendorff)"), agreement.aspect),
        ]
        pairs = [
            (f"{names.get(pair.first, pair.first)} / {names.get(pair.second, pair.second)}", pair.kappa)
            for pair in agreement.pairwise
        ]
        kinds = [(f"{code_words(each.code)} ({each.given})", each.alpha) for each in agreement.by_code]
        aspects = [(f"{each.aspect} ({each.given})", each.alpha) for each in agreement.by_aspect]
        return [
            (self.tr("All together"), together), (self.tr("Two annotators (Cohen)"), pairs),
            (self.tr("Each kind against all else"), kinds), (self.tr("On each aspect"), aspects),
        ]  # fmt: skip

    def _row(self, name: str, coefficient: Coefficient, reasons: list[str]) -> str:
        """A line; why there is no value stands below the table once, by its mark."""
        if coefficient.value is not None:
            value = f"<b>{coefficient.value:.2f}</b>"
        else:
            why = self._because(coefficient)
            if why not in reasons:
                reasons.append(why)
            value = f"– {_mark(reasons.index(why))}"
        return (
            f'<tr><td style="padding:2px 8px 2px 0">{html.escape(name)}</td>'
            f'<td style="padding:2px 8px" align="right">{value}</td>'
            f'<td style="padding:2px 0" align="right">n = {coefficient.units}</td></tr>'
        )

    def _because(self, coefficient: Coefficient) -> str:
        """Why there is no value, in the person's language."""
        if coefficient.units:
            return self.tr("everybody gave every pair the same label, so chance alone would agree as well")
        return self.tr("no pair was judged by all who would have to")

    # --- slots ------------------------------------------------------------------------------------------

    @Slot()
    def on_person_activated(self) -> None:
        """Somebody else labels."""
        self.person_chosen.emit(str(self.person.currentData()))

    @Slot()
    def on_add_clicked(self) -> None:
        """Somebody new."""
        name = self.name.text().strip()
        if name:
            self.name.clear()
            self.person_added.emit(name)

    @Slot()
    def on_assign_clicked(self) -> None:
        """The chosen document to the chosen person."""
        if self.document.currentData() and self.to.currentData():
            self.assigned.emit(str(self.to.currentData()), str(self.document.currentData()), "open")

    @Slot()
    def on_done_clicked(self) -> None:
        """The chosen row: done, or open again."""
        row = max(0, self.table.currentRow())
        if row < len(self._assignments):
            each = self._assignments[row]
            self.assigned.emit(each.annotator, each.document, "open" if each.state == "done" else "done")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leaves."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return
        super().keyPressEvent(event)


def _mark(number: int) -> str:
    """The sign of a remark below a table: *, †, ‡, then more of them."""
    return "*†‡"[number % 3] * (number // 3 + 1)


def _heading(words: str) -> QLabel:
    label = QLabel(words)
    label.setFont(scaled_font(label.font(), 1.08, bold=True))
    return label
