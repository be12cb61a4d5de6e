"""The small form after a drop: what kind of conflict (one key), on what, in which direction, a note."""

from __future__ import annotations

import dataclasses
import html
from collections.abc import Sequence

import msgspec
from PySide6.QtCore import QEvent, QObject, QStringListModel, Qt, Signal, Slot
from PySide6.QtGui import QColor, QIcon, QKeyEvent, QPixmap
from PySide6.QtWidgets import (
    QComboBox,
    QCompleter,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from engine.matter.records import Direction, Link, LinkEnd
from engine.protocol.findings import Severity
from gui.right.digit_keys import digit_with_shift
from gui.state.link_draft import LinkDraft
from gui.state.wording import CONFLICT_CODES, DISMISSAL_REASONS, code_words, direction_words, severity_words
from gui.theme import grid, scaled_font

_QUOTE_CHARACTERS = 220
_KEY_ROLE = Qt.ItemDataRole.UserRole + 1
#: What "sure", "likely" and "unsure" are kept as.
CONFIDENCES = (1.0, 0.75, 0.5)


@dataclasses.dataclass(frozen=True, slots=True)
class FormLabel:
    """A kind that the form offers: its code, its name, the key ("1" to "9" or ""), its colour ("" for none)."""

    code: str
    words: str
    key: str = ""
    colour: str = ""
    example: str = ""


def standard_form_labels() -> list[FormLabel]:
    """The program's own kinds; the first nine conflicts and the nine reasons answer to keys."""
    kinds = [FormLabel(c.code, code_words(c.code), str(i) if i < 10 else "") for i, c in enumerate(CONFLICT_CODES, 1)]
    return kinds + [FormLabel(r.code.value, code_words(r.code), str(i)) for i, r in enumerate(DISMISSAL_REASONS, 1)]


def _nearest(confidence: float) -> int:
    """Which of :data:`CONFIDENCES` comes nearest (an imported link may have any)."""
    return min(range(len(CONFIDENCES)), key=lambda i: abs(CONFIDENCES[i] - confidence))


class LinkForm(QWidget):
    """Joins two passages.

    ``1`` to ``9`` pick a kind, letters filter the list, Enter saves, Esc gives up. ``0`` turns to the kinds of
    "no conflict"; Shift with ``1`` to ``9`` keeps the link as one of those at once.

    Signals:
        draft_saved(LinkDraft): keep this as a new link.
        link_changed(Link): keep this in the place of the link with its id.
        given_up(): Esc.
        end_entered(LinkEnd): show this end on its page.
    """

    draft_saved = Signal(object)
    link_changed = Signal(object)
    given_up = Signal()
    end_entered = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._ends: tuple[LinkEnd, ...] = ()
        self._link: Link | None = None
        self._no_conflict = False
        self._labels = standard_form_labels()
        self.title = QLabel()
        self.title.setFont(scaled_font(self.font(), 1.08, bold=True))
        self.quotes = QLabel()
        self.quotes.setWordWrap(True)
        self.quotes.setTextFormat(Qt.TextFormat.RichText)
        self.quotes.linkActivated.connect(self.on_quotes_link_activated)
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("1–9 picks, or type. No conflict: 0, or Shift+1–9"))
        self.search.setAccessibleName(self.tr("Kind of conflict"))
        self.kinds = QListWidget()
        self.kinds.setAccessibleName(self.tr("Kinds of conflict"))
        self.kinds.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.aspect = QLineEdit()
        self.aspect.setPlaceholderText(self.tr("for example: notice period"))
        self._aspects = QStringListModel(self)
        completer = QCompleter(self._aspects, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.aspect.setCompleter(completer)
        self.direction = QComboBox()
        for direction in Direction:
            self.direction.addItem(direction_words(direction), direction.value)
        self.severity = QComboBox()
        self.severity.setAccessibleName(self.tr("How grave"))
        for severity in Severity:
            self.severity.addItem(severity_words(severity), severity.value)
        self.confidence = QComboBox()
        self.confidence.setAccessibleName(self.tr("How sure"))
        for words, value in zip((self.tr("Sure"), self.tr("Likely"), self.tr("Unsure")), CONFIDENCES, strict=True):
            self.confidence.addItem(words, value)
        self.note = QLineEdit()
        self.save = QPushButton(self.tr("Save link") + "  ⏎")
        self.save.setProperty("role", "main")
        self.cancel = QPushButton(self.tr("Cancel") + "  Esc")
        self.said = QLabel()
        self.said.setProperty("faint", "true")
        self.said.setWordWrap(True)
        self._lay_out()
        self.search.textChanged.connect(self.on_search_text_changed)
        self.save.clicked.connect(self.on_save_clicked)
        self.cancel.clicked.connect(self.given_up)
        self.kinds.itemClicked.connect(self.on_kinds_item_clicked)
        for field in (self.search, self.kinds, self.aspect, self.direction, self.severity, self.confidence, self.note):
            field.installEventFilter(self)

    def _lay_out(self) -> None:
        fields = QFormLayout()
        fields.setHorizontalSpacing(grid(3))
        fields.setVerticalSpacing(grid(2))
        fields.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        fields.addRow(self.tr("On what"), self.aspect)
        fields.addRow(self.tr("Direction"), self.direction)
        weights = QHBoxLayout()
        weights.setSpacing(grid(2))
        weights.addWidget(self.severity, 1)
        weights.addWidget(self.confidence, 1)
        fields.addRow(self.tr("How grave"), weights)
        fields.addRow(self.tr("Note"), self.note)
        buttons = QHBoxLayout()
        buttons.setSpacing(grid(2))
        buttons.addWidget(self.save, 1)
        buttons.addWidget(self.cancel, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(grid(3), grid(3), grid(3), grid(3))
        column.setSpacing(grid(3))
        column.addWidget(self.title)
        column.addWidget(self.quotes)
        column.addWidget(self.search)
        column.addWidget(self.kinds, 1)
        column.addLayout(fields)
        column.addWidget(self.said)
        column.addLayout(buttons)

    # --- what the window tells it -------------------------------------------------------------------

    def begin(self, ends: Sequence[LinkEnd], aspects: Sequence[str]) -> None:
        """A new link between ``ends``; ``aspects`` used before complete the field."""
        self._fill(tuple(ends), None, aspects)
        self.title.setText(self.tr("Link these passages"))
        self.search.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_link(self, link: Link, aspects: Sequence[str], other: str = "") -> None:
        """A link that is there, to look at and to change; ``other`` names who made it when somebody else did."""
        self._fill(link.ends, link, aspects)
        self.title.setText(self.tr("Judged by {name}").format(name=other) if other else self.tr("Link"))
        if other:
            self.said.setText(self.tr("What you save here is your own judgement; this one stays."))
        self._no_conflict = link.code.startswith("not.")
        self._list_kinds()
        self._pick(link.code)
        self.aspect.setText(link.aspect)
        self.direction.setCurrentIndex(self.direction.findData(link.direction.value))
        self.severity.setCurrentIndex(self.severity.findData(link.severity.value))
        self.confidence.setCurrentIndex(_nearest(link.confidence))
        self.note.setText(link.note)

    def set_labels(self, labels: Sequence[FormLabel]) -> None:
        """Offer the project's label set."""
        self._labels = list(labels)
        self._list_kinds()

    @property
    def draft_ends(self) -> tuple[LinkEnd, ...]:
        """The ends of the link in the making; empty while a kept one is shown."""
        return self._ends if self._link is None else ()

    def add_end(self, end: LinkEnd) -> None:
        """One more passage for the link in the making; what was chosen stays, and the keyboard comes back here."""
        self._ends = (*self._ends, end)
        self.search.setFocus(Qt.FocusReason.OtherFocusReason)
        self.quotes.setText("".join(self._quote(i, each) for i, each in enumerate(self._ends)))

    def correct(self, ends: Sequence[LinkEnd], code: str, severity: str, aspects: Sequence[str]) -> None:
        """A suggestion to be corrected: its kind and severity stand there already."""
        self._fill(tuple(ends), None, aspects)
        self.title.setText(self.tr("Correct the suggestion"))
        self._pick(code)
        self.severity.setCurrentIndex(self.severity.findData(severity))
        self.search.setFocus(Qt.FocusReason.OtherFocusReason)

    def _fill(self, ends: tuple[LinkEnd, ...], link: Link | None, aspects: Sequence[str]) -> None:
        self._ends, self._link, self._no_conflict = ends, link, False
        self._aspects.setStringList(sorted(set(aspects)))
        self.quotes.setText("".join(self._quote(i, end) for i, end in enumerate(ends)))
        self.search.clear()
        self.aspect.clear()
        self.note.clear()
        self.said.clear()
        self.direction.setCurrentIndex(0)
        self.severity.setCurrentIndex(self.severity.findData(Severity.MEDIUM.value))
        self.confidence.setCurrentIndex(0)
        self._list_kinds()

    def _quote(self, i: int, end: LinkEnd) -> str:
        words = " ".join(end.quote.split())
        if end.clause_number and words.startswith(end.clause_number):
            words = words[len(end.clause_number) :].lstrip(" .、．")
        shown = words if len(words) <= _QUOTE_CHARACTERS else words[: _QUOTE_CHARACTERS - 1] + "…"
        number = html.escape(end.clause_number or self.tr("Passage {n}").format(n=i + 1))
        return f'<p style="margin:0 0 8px 0"><a href="{i}"><b>{number}</b></a> {html.escape(shown)}</p>'

    def _list_kinds(self) -> None:
        needle = self.search.text().casefold()
        self.kinds.clear()
        for label in self._labels:
            if label.code.startswith("not.") is not self._no_conflict:
                continue
            if needle and needle not in label.words.casefold() and needle not in label.code:
                continue
            item = QListWidgetItem((f"{label.key}   " if label.key and not needle else "     ") + label.words)
            item.setData(Qt.ItemDataRole.UserRole, label.code)
            item.setData(_KEY_ROLE, label.key)
            item.setToolTip(f"{label.code}\n{label.example}".rstrip())
            if label.colour:
                item.setIcon(_swatch(label.colour))
            self.kinds.addItem(item)
        if needle:
            self.kinds.setCurrentRow(0)

    def _pick(self, code: str) -> None:
        if not self._pick_by(Qt.ItemDataRole.UserRole, code):
            # An imported link may have a label that the project's set lacks: it stays what it is.
            item = QListWidgetItem("     " + code_words(code))
            item.setData(Qt.ItemDataRole.UserRole, code)
            self.kinds.addItem(item)
            self.kinds.setCurrentItem(item)

    def _pick_by(self, role: int, value: str) -> bool:
        for i in range(self.kinds.count()):
            if self.kinds.item(i).data(role) == value:
                self.kinds.setCurrentRow(i)
                return True
        return False

    def _code(self) -> str:
        item = self.kinds.currentItem()
        return str(item.data(Qt.ItemDataRole.UserRole)) if item is not None else ""

    # --- slots ------------------------------------------------------------------------------------------

    @Slot()
    def on_search_text_changed(self) -> None:
        """Typing narrows the list."""
        self._list_kinds()

    @Slot(str)
    def on_quotes_link_activated(self, position: str) -> None:
        """An end's number was clicked."""
        self.end_entered.emit(self._ends[int(position)])

    @Slot(QListWidgetItem)
    def on_kinds_item_clicked(self, _item: QListWidgetItem) -> None:
        """The mouse picked a kind; the keyboard goes on to the aspect."""
        self.aspect.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def on_save_clicked(self) -> None:
        """Keep it; without a kind, say what is missing."""
        code = self._code()
        if not code:
            self.said.setText(self.tr("Pick a kind first: a key from 1 to 9, or type a few letters."))
            self.search.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        direction = str(self.direction.currentData())
        severity, confidence = str(self.severity.currentData()), float(self.confidence.currentData())
        aspect, note = self.aspect.text().strip(), self.note.text().strip()
        if self._link is None:
            self.draft_saved.emit(LinkDraft(self._ends, code, aspect, direction, severity, confidence, note))
        else:
            self.link_changed.emit(
                msgspec.structs.replace(
                    self._link,
                    code=code,
                    aspect=aspect,
                    direction=Direction(direction),
                    severity=Severity(severity),
                    confidence=confidence,
                    note=note,
                )
            )

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The form's keys, in whichever of its fields the keyboard is."""
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        if watched in (self.search, self.kinds) and self._refuse(digit_with_shift(event)):
            return True
        return self._press(watched, event.key()) or super().eventFilter(watched, event)

    def _refuse(self, digit: str) -> bool:
        """No conflict, for the reason that answers to a key: kept at once."""
        reason = next((x.code for x in self._labels if digit and x.key == digit and x.code.startswith("not.")), "")
        if reason:
            self._no_conflict = True
            self.search.clear()
            self._list_kinds()
            self._pick(reason)
            self.on_save_clicked()
        return bool(reason)

    def _press(self, watched: QObject, key: int) -> bool:
        """What a key means here; False when it means what it always means."""
        if key == Qt.Key.Key_Escape:
            self.given_up.emit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.on_save_clicked()
        elif watched is self.search and key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            step = 1 if key == Qt.Key.Key_Down else -1
            self.kinds.setCurrentRow(max(0, min(self.kinds.count() - 1, self.kinds.currentRow() + step)))
        elif watched not in (self.search, self.kinds) or self.search.text():
            return False
        elif Qt.Key.Key_1 <= key <= Qt.Key.Key_9:
            self._pick_by(_KEY_ROLE, chr(key))
            self.aspect.setFocus(Qt.FocusReason.OtherFocusReason)
        elif key == Qt.Key.Key_0:
            self._no_conflict = not self._no_conflict
            self._list_kinds()
        else:
            return False
        return True


def _swatch(colour: str) -> QIcon:
    pixmap = QPixmap(grid(3), grid(3))
    pixmap.fill(QColor(colour))
    return QIcon(pixmap)
