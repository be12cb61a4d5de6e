"""A window with played children, findings to play, and short ways to press keys."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from painted_pages import contract
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from engine.document import Document
from engine.protocol.findings import AnchorMark, Finding, Passage, PathStep, Severity
from gui.commands.names import Name
from gui.main_window import MainWindow
from gui.processes.fake import FakeProcesses
from gui.state.desk import Desk
from gui.state.finding_row import FindingRow
from gui.workbench import Workbench

LINES = (
    "1. The Buyer shall pay each invoice within 30 days.",
    "2. The Seller may assign this Agreement.",
    "3. The Buyer shall pay each invoice within 45 days.",
    "4. The Seller shall not assign this Agreement.",
    "5、甲方应当在收到发票后三十日内付款。",
    "6、甲方应当在收到发票后四十五日内付款。",
)


def finding(document: Document, number: int, first: int, second: int, **changes: object) -> Finding:
    """A finding between two lines (clauses) of a document."""
    passages = []
    for line in (first, second):
        clause = document.clauses[line]
        end = clause.end - 1 if document.text[clause.end - 1 : clause.end] == "\n" else clause.end
        text = document.text[clause.start : end]
        anchors = ()
        for words in ("30 days", "45 days"):
            at = text.find(words)
            if at >= 0:
                value = f"P{words[:2]}D"
                anchors = (AnchorMark("period", value, clause.start + at, clause.start + at + len(words)),)
        passages.append(
            Passage(document.id, clause.number, clause.id, clause.page, clause.start, end, text, anchors)
        )
    values: dict[str, object] = {
        "id": f"f-{number:016x}",
        "code": "value.period",
        "rank": number,
        "score": 0.9,
        "severity": Severity.HIGH,
        "summary": f"Clause {first + 1} and clause {second + 1} differ.",
        "path": (PathStep("same_matter", "Both speak of invoices."), PathStep("conflict", "30 days is not 45.")),
        "passages": tuple(passages),
        "settle": "Say which period holds.",
    }
    return Finding(**(values | changes))  # type: ignore[arg-type]  # the tests know the fields


def finding_set(document: Document) -> tuple[Finding, ...]:
    return (
        finding(document, 1, 0, 2),
        finding(document, 2, 1, 3, code="norm.modality", severity=Severity.MEDIUM, tier="possible"),
        finding(document, 3, 4, 5, severity=Severity.LOW, tier="check"),
    )


@dataclasses.dataclass
class Bench:
    """What a test holds: the workbench, the played children, and short ways to press keys."""

    workbench: Workbench
    processes: FakeProcesses
    qtbot: QtBot
    document: Document
    chosen_files: list[Path]

    @property
    def window(self) -> MainWindow:
        return self.workbench.window

    @property
    def desk(self) -> Desk:
        return self.workbench.desk

    def press(self, key: Qt.Key, widget: QWidget | None = None, modifiers=Qt.KeyboardModifier.NoModifier) -> None:
        self.qtbot.keyClick(widget or QApplication.focusWidget() or self.window, key, modifiers)

    def type(self, text: str) -> None:
        """Type with the keyboard; what it has no keys for comes from an input method, as Chinese does."""
        if text.isascii():
            self.qtbot.keyClicks(QApplication.focusWidget(), text)
            return
        event = QInputMethodEvent()
        event.setCommitString(text)
        QApplication.sendEvent(QApplication.focusWidget(), event)

    def click(self, widget: QWidget) -> None:
        self.qtbot.mouseClick(widget, Qt.MouseButton.LeftButton)

    def trigger(self, name: Name) -> None:
        self.window.actions_by_name[name].trigger()

    def last_job(self, method: str) -> int:
        return self.processes.waiting(method)[-1]

    def open(self, path: Path = Path("contract.pdf"), document: Document | None = None) -> None:
        """Open a file and play its reading."""
        document = document or self.document
        self.workbench.documents.open_paths([path])
        job = self.last_job("open_document")
        self.processes.play_opened(job, document)
        self.processes.play_read(job, document)

    def review(self, findings: tuple[Finding, ...] | None = None) -> None:
        """Play a review."""
        if self.desk.review.status is None:
            self.processes.play_engine_status("ready")
        found = finding_set(self.document) if findings is None else findings
        self.processes.play_reviewed(self.last_job("review"), found)
        # It is kept by another thread; then the list comes, and the marks on the pages in the event loop's next turn.
        self.qtbot.waitUntil(lambda: not self.desk.keeping.is_saving)
        QApplication.processEvents()

    @property
    def said(self) -> str:
        return self.window.pages.banner.sentence

    def row(self, number: int) -> FindingRow:
        row = self.desk.book.row(f"f-{number:016x}")
        assert row is not None
        return row


def sample_document() -> Document:
    """Six clauses on one page."""
    return contract(1, LINES)
