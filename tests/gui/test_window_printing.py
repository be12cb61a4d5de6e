"""Printing into a PDF: every page, sharp enough, and a sentence when one cannot be drawn."""

from __future__ import annotations

from pathlib import Path

import pymupdf
from painted_pages import contract
from PySide6.QtPrintSupport import QPrinter
from window_bench import Bench

from engine.protocol.messages import Fault, FaultCode
from gui.commands.names import Name
from gui.flows.print_flow import LEAST_DPI


def into(path: Path, first: int = 0, last: int = 0) -> QPrinter:
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(path))
    if first:
        printer.setFromTo(first, last)
    return printer


def test_every_page_is_printed_at_two_hundred_dots_or_more(bench: Bench, tmp_path: Path) -> None:
    bench.open(document=contract(3))
    target = tmp_path / "printed.pdf"
    bench.workbench.printing.ask_printer = lambda: into(target)
    bench.trigger(Name.PRINT)
    bench.qtbot.waitUntil(lambda: not bench.workbench.printing.is_printing)
    assert "3 pages were sent" in bench.window.status.remark.text()
    with pymupdf.open(target) as printed:
        assert len(printed) == 3
        image = printed.get_page_images(0)[0]
        assert image[2] >= LEAST_DPI / 72 * 595


def test_a_range_of_pages(bench: Bench, tmp_path: Path) -> None:
    bench.open(document=contract(5))
    target = tmp_path / "printed.pdf"
    bench.workbench.printing.ask_printer = lambda: into(target, 2, 3)
    bench.trigger(Name.PRINT)
    bench.qtbot.waitUntil(lambda: not bench.workbench.printing.is_printing)
    with pymupdf.open(target) as printed:
        assert len(printed) == 2


def test_a_page_that_cannot_be_drawn_stops_the_printing(bench: Bench, tmp_path: Path) -> None:
    bench.processes.draw = False
    bench.open(document=contract(2))
    before = set(bench.processes.waiting("render"))
    bench.workbench.printing.ask_printer = lambda: into(tmp_path / "printed.pdf")
    bench.trigger(Name.PRINT)
    (job,) = set(bench.processes.waiting("render")) - before
    bench.processes.play_failed(job, Fault(FaultCode.INTERNAL, "It is damaged."))
    assert "Page 1 cannot be drawn, so printing stopped there. It is damaged." in bench.said
    assert not bench.workbench.printing.is_printing


def test_without_a_document_or_a_printer_nothing_happens(bench: Bench) -> None:
    bench.trigger(Name.PRINT)
    assert "Open a contract first" in bench.window.status.remark.text()
    bench.open()
    bench.workbench.printing.ask_printer = lambda: None
    bench.trigger(Name.PRINT)
    assert not bench.workbench.printing.is_printing
