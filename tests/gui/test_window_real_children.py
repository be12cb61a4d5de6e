"""The whole program: a contract from its file to findings on the screen, through the real children."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from pytestqt.qtbot import QtBot

from engine.matter.records import DecisionState
from gui.commands.names import Name
from gui.processes.supervisor import Supervisor
from gui.workbench import Workbench

CONTRACT = """SUPPLY AGREEMENT

1. Payment
1.1 The Customer shall pay each invoice within thirty (30) days after the date of the invoice.
1.2 Interest is charged on late payments.

2. Delivery
2.1 The Supplier shall deliver the goods within ninety (60) days after the order.

3. Invoices
3.1 The Customer shall pay each invoice within forty-five (45) days after the date of the invoice.
"""


@pytest.fixture
def workbench(qtbot: QtBot, tmp_path: Path) -> Iterator[Workbench]:
    made = Workbench(Supervisor(), tmp_path / "data")
    made.window.resize(1200, 800)
    yield made
    made.window.close()
    made.window.deleteLater()
    made.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def wait_for_findings(workbench: Workbench, qtbot: QtBot) -> None:
    """Until there are findings; a review that fails, or an engine that cannot start, ends the waiting."""
    sentences: list[str] = []
    review = workbench.desk.review
    review.failed.connect(sentences.append)
    workbench.processes.child_given_up.connect(sentences.append)

    def has_ended() -> bool:
        failed = review.status is not None and review.status.state == "failed"
        return bool(workbench.desk.book.rows() or sentences or failed)

    qtbot.waitUntil(has_ended, timeout=120_000)
    assert not sentences, f"the review failed: {sentences[0]}"
    assert workbench.desk.book.rows(), f"the engine failed: {review.status and review.status.notice}"


def test_a_contract_becomes_findings_and_survives_a_killed_reader(
    workbench: Workbench, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "supply.txt"
    path.write_text(CONTRACT, encoding="utf-8")
    workbench.open_when_painted([path])
    with qtbot.waitSignal(workbench.window.pages.view.first_page_shown, timeout=60_000):
        workbench.window.show()
    wait_for_findings(workbench, qtbot)
    assert "value.words_figures" in {row.finding.code for row in workbench.desk.book.rows()}
    # The review has written the matter's anchor table, and the panel lists it.
    qtbot.waitUntil(lambda: bool(workbench.anchors.book.values), timeout=60_000)
    assert {"P30D", "P45D"} <= {value.value for value in workbench.anchors.book.values}
    workbench.window.actions_by_name[Name.NEXT_FINDING].trigger()
    workbench.window.actions_by_name[Name.CONFIRM].trigger()
    (reader,) = [p for p in psutil.Process().children() if "--reader" in " ".join(p.cmdline())]
    with qtbot.waitSignal(workbench.processes.child_restarted, timeout=60_000):
        reader.kill()
    assert "nothing was lost" in workbench.window.pages.banner.sentence
    assert workbench.desk.book.counts()[DecisionState.CONFIRMED] == 1
    shown = []
    workbench.window.pages.view.images.image_stored.connect(shown.append)
    workbench.window.pages.view.zoom_in()
    qtbot.waitUntil(lambda: bool(shown), timeout=60_000)
