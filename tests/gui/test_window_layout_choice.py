"""Who makes a Word file's pages: the choice, what happens without LibreOffice, and that it is remembered."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from window_bench import Bench

from engine.document import LIBREOFFICE, Document, Media, Notice
from engine.protocol.messages import ReadingOptions


def word_file(document: Document, rendered_by: str = "", notices: tuple[Notice, ...] = ()) -> Document:
    return msgspec.structs.replace(document, media=Media.DOCX, rendered_by=rendered_by, notices=notices)


def options_of(bench: Bench) -> ReadingOptions | None:
    return next(args for name, _, args in reversed(bench.processes.asked) if name == "open_document")[2]


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program of that name on the path; it is not started."""
    program = tmp_path / "soffice"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    return program


def test_only_a_word_file_has_the_choice(bench: Bench) -> None:
    choice = bench.window.pages.layout_choice
    bench.open()
    assert not choice.isVisible()
    assert not bench.window.pages.reading.isVisible()
    bench.open(Path("supply.docx"), word_file(msgspec.structs.replace(bench.document, id="sha256:" + "7" * 64)))
    assert choice.isVisible()
    assert not bench.window.pages.revisions.isVisible()
    assert choice.buttons[""].isChecked()


def test_libreoffices_pages_are_read_and_remembered(make_bench: Callable[[], Bench], office: Path) -> None:
    bench = make_bench()
    bench.open(document=word_file(bench.document))
    choice = bench.window.pages.layout_choice
    bench.click(choice.buttons[LIBREOFFICE])
    assert options_of(bench) == ReadingOptions(layout=LIBREOFFICE)
    job = bench.last_job("open_document")
    bench.processes.play_opened(job, word_file(bench.document))
    assert not choice.isEnabled()
    bench.processes.play_read(job, word_file(bench.document, LIBREOFFICE))
    assert choice.isEnabled()
    assert choice.buttons[LIBREOFFICE].isChecked()
    bench.qtbot.waitUntil(lambda: bench.desk.book.documents()[0].has_text)
    again = make_bench()
    again.workbench.documents.open_paths([Path("contract.pdf")])
    again.processes.play_opened(again.last_job("open_document"), word_file(bench.document))
    again.qtbot.waitUntil(lambda: options_of(again) == ReadingOptions(layout=LIBREOFFICE))


def test_what_is_chosen_already_is_not_read_again(bench: Bench, office: Path) -> None:
    bench.open(document=word_file(bench.document))
    asked = len(bench.processes.asked)
    bench.click(bench.window.pages.layout_choice.buttons[""])
    assert len(bench.processes.asked) == asked


def test_without_libreoffice_a_sentence_says_how_to_get_it(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("gui.status.layout_choice.libreoffice", lambda platform: None)
    bench.open(document=word_file(bench.document))
    choice = bench.window.pages.layout_choice
    asked = len(bench.processes.asked)
    bench.click(choice.buttons[LIBREOFFICE])
    assert len(bench.processes.asked) == asked
    assert "libreoffice.org" in choice.hint.text()
    assert choice.buttons[""].isChecked()


def test_pages_that_could_not_be_had_are_spoken_of(bench: Bench, office: Path) -> None:
    notice = Notice("layout_fallback_slow", "LibreOffice took more than 60 seconds.")
    bench.open(document=word_file(bench.document))
    choice = bench.window.pages.layout_choice
    bench.click(choice.buttons[LIBREOFFICE])
    job = bench.last_job("open_document")
    bench.processes.play_opened(job, bench.document)
    bench.processes.play_read(job, word_file(bench.document, "", (notice,)))
    assert choice.buttons[""].isChecked()
    assert bench.said == "LibreOffice took more than 60 seconds."
