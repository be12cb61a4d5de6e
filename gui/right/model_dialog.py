"""Which model writes answers: none until a person says so here."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from engine.protocol.writing import ANTHROPIC_URL, Kind, ModelDescribed, ModelSettings
from gui.theme import grid

_LOCAL_EXAMPLE = "http://localhost:11434/v1"


class ModelDialog(QDialog):
    """Stays open until what was entered is kept, so that a refusal can be mended where it stands.

    Signals:
        save_wanted(ModelSettings or None, key): keep this; None switches written answers off.
    """

    save_wanted = Signal(object, str)

    def __init__(self, told: ModelDescribed, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Written answers"))
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self._before = told.settings
        self.lead = QLabel(
            self.tr(
                "A model may write an answer from the quoted passages. It is off until you choose one. Passages are "
                "sent only when you ask for a written answer, and the first time only after you have seen them."
            )
        )
        self.lead.setWordWrap(True)
        self.provider = QComboBox()
        self.provider.addItem(self.tr("Off"), None)
        self.provider.addItem(self.tr("Anthropic"), Kind.ANTHROPIC.value)
        self.provider.addItem(self.tr("OpenAI-compatible, also on this machine"), Kind.OPENAI.value)
        self.url = QLineEdit()
        self.url.setPlaceholderText(_LOCAL_EXAMPLE)
        self.model = QLineEdit()
        self.key = QLineEdit()
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.key.setPlaceholderText(
            self.tr("Kept in the system's keyring; leave empty to keep it")
            if told.has_key
            else self.tr("Goes to the system's keyring, never to a file")
        )
        self.budget = QSpinBox()
        self.budget.setRange(1_000, 50_000_000)
        self.budget.setSingleStep(10_000)
        self.budget.setGroupSeparatorShown(True)
        self.budget.setSuffix(self.tr(" tokens"))
        self.timeout = QSpinBox()
        self.timeout.setRange(1, 600)
        self.timeout.setSuffix(self.tr(" s"))
        self.spent = QLabel(self.tr("{n} tokens used since the program started").format(n=told.spent_tokens))
        self.spent.setProperty("faint", "true")
        self.problem = QLabel()
        self.problem.setWordWrap(True)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel)
        for button in self.buttons.buttons():
            # Some desktops put pictures there; the rest of the window has none.
            button.setIcon(QIcon())
        self._lay_out()
        self._fill(told.settings)
        self.provider.currentIndexChanged.connect(self.on_provider_changed)
        self.buttons.accepted.connect(self.on_save_clicked)
        self.buttons.rejected.connect(self.reject)

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setVerticalSpacing(grid(2))
        lines: tuple[tuple[str, QWidget], ...] = (
            (self.tr("Model from"), self.provider), (self.tr("Address"), self.url), (self.tr("Model"), self.model),
            (self.tr("Access key"), self.key), (self.tr("Budget of a session"), self.budget), ("", self.spent),
            (self.tr("Give up after silence of"), self.timeout),
        )  # fmt: skip
        for words, field in lines:
            form.addRow(words, field)
            field.setAccessibleName(words)
            field.setMinimumHeight(grid(8))
        column = QVBoxLayout(self)
        column.setContentsMargins(grid(5), grid(5), grid(5), grid(4))
        column.setSpacing(grid(4))
        column.addWidget(self.lead)
        column.addLayout(form)
        column.addWidget(self.problem)
        column.addWidget(self.buttons)
        self.setMinimumWidth(grid(130))

    def _fill(self, settings: ModelSettings | None) -> None:
        usual = settings or ModelSettings(Kind.OPENAI, "", "")
        chosen = self.provider.findData(settings.kind.value) if settings else 0
        self.provider.setCurrentIndex(chosen)
        self.url.setText(usual.url)
        self.model.setText(usual.model)
        self.budget.setValue(usual.budget_tokens)
        self.timeout.setValue(round(usual.timeout_s))
        self.on_provider_changed()

    @Slot()
    def on_provider_changed(self) -> None:
        """Fields that mean something."""
        kind = self.provider.currentData()
        for field in (self.model, self.key, self.budget, self.timeout):
            field.setEnabled(kind is not None)
        self.url.setEnabled(kind == Kind.OPENAI.value)
        if kind == Kind.ANTHROPIC.value:
            self.url.setText(ANTHROPIC_URL)
        elif self.url.text() == ANTHROPIC_URL:
            self.url.clear()
        self.problem.clear()
        self.problem.hide()

    @Slot()
    def on_save_clicked(self) -> None:
        """Hand over what was entered."""
        kind = self.provider.currentData()
        if kind is None:
            self.save_wanted.emit(None, "")
            return
        url = self.url.text().strip()
        before = self._before
        self.save_wanted.emit(
            ModelSettings(
                Kind(kind), url, self.model.text().strip(), budget_tokens=self.budget.value(),
                timeout_s=float(self.timeout.value()),
                # What was agreed to was this address; another one is asked about again.
                agreed=before.agreed if before is not None and before.url == url else "",
            ),
            self.key.text(),
        )  # fmt: skip

    def show_problem(self, words: str) -> None:
        """It was not kept."""
        self.problem.setText(words)
        self.problem.show()
