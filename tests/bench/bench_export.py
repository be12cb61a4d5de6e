"""Handing over a contract of 100 pages with 100 findings: every file, and the marks read back (asked: under 3 s each).

The contracts are made here. Figures are processor time and wall time: on a machine with other work the wall time
tells of that.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.document import Document
    from engine.reading.opened import OpenedFile

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "gui"), str(ROOT / "tests" / "bench")]
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
PAGES, FINDINGS = 100, 100


def say(name: str, act: Callable[[], object]) -> None:
    """Run and print what it took."""
    began, worked = time.perf_counter(), time.process_time()
    act()
    work, wall = time.process_time() - worked, time.perf_counter() - began
    sys.stdout.write(f"{name}: {work:.2f} s of work in {wall:.2f} s (asked: under 3)\n")


def read(opened: OpenedFile) -> Document:
    """All of a file."""
    for _ in opened.read():
        pass
    return opened.document


def write_word(path: Path, text: str) -> None:
    """The same contract as a Word file."""
    import docx

    document = docx.Document()
    for line in text.splitlines():
        document.add_paragraph(line)
    document.save(str(path))


def measure(folder: Path, source: Path) -> None:
    """All files about one contract."""
    from PySide6.QtWidgets import QApplication
    from window_bench import finding

    from engine.export.hand_over import hand_over
    from engine.protocol.handover import Form
    from engine.protocol.messages import HandOver
    from engine.reading.open_file import open_file
    from gui.processes.fake import FakeProcesses
    from gui.state.desk import Desk
    from gui.state.finding_export import write_findings_json, write_issue_book
    from gui.state.finding_row import FindingRow
    from gui.state.handover import Handover
    from gui.state.issue_list import issue_list, write_issue_list
    from gui.state.matter_book import MatterBook
    from gui.state.opening import DeskDocument

    QApplication.instance() or QApplication(["antinomy"])
    opened = open_file(str(source))
    document = read(opened)
    desk = Desk(FakeProcesses(), MatterBook(), folder)
    entry = DeskDocument(document.id, source.name, source, document.media.value, document=document)
    desk.documents[document.id] = entry
    clauses = len(document.clauses)
    rows = [FindingRow(finding(document, n, n * 7 % clauses, (n * 31 + 5) % clauses)) for n in range(1, FINDINGS + 1)]
    maker, kind = Handover(desk), source.suffix[1:]
    sys.stdout.write(f"{kind}: {len(document.pages)} pages, {clauses} clauses, {len(rows)} findings\n")

    def order(form: Form, marks: bool) -> object:
        target = str(folder / f"{kind}-{'marked' if marks else 'report'}.{form}")
        if not marks:
            return hand_over(HandOver(0, form, target, maker.report(rows, None, "en")), lambda _id: None)
        made = HandOver(
            0, form, target, document=document.id, source=str(source), is_pdf=kind == "pdf",
            text=document.text if form is Form.DOCX else "", marks=maker.marks(rows, document),
        )  # fmt: skip
        return hand_over(made, lambda _id: opened.laid_out_pdf())

    say(f"{kind}: marked copy as PDF", lambda: order(Form.PDF, True))
    if kind == "docx":
        say(f"{kind}: marked copy as DOCX", lambda: order(Form.DOCX, True))
    say(f"{kind}: report as PDF", lambda: order(Form.PDF, False))
    say(f"{kind}: report as DOCX", lambda: order(Form.DOCX, False))
    say(f"{kind}: list as CSV", lambda: write_issue_list(folder / "list.csv", issue_list(rows, str)))
    say(f"{kind}: list as XLSX", lambda: write_issue_book(folder / "list.xlsx", rows, str))
    say(f"{kind}: findings as JSON", lambda: write_findings_json(folder / "list.json", rows, [document], None))
    desk.close()


def main() -> int:
    """A PDF and a Word file."""
    from bench_window import write_contract

    from engine.reading.open_file import open_file

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_contract(folder / "contract.pdf", PAGES)
        measure(folder, folder / "contract.pdf")
        write_word(folder / "contract.docx", read(open_file(str(folder / "contract.pdf"))).text)
        measure(folder, folder / "contract.docx")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
