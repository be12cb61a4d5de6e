"""The program's roles: what its first argument starts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import antinomy
import gui.app


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["antinomy", *arguments])
    return antinomy.main()


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    opened: list[list[str]] = []
    monkeypatch.setattr(gui.app, "run_window", lambda arguments: opened.append(list(arguments)) or 0)
    return opened


@pytest.mark.parametrize("arguments", [[], ["a.pdf", "b.docx"], ["--sample"], ["--sample", "a.pdf"]])
def test_files_and_the_sample_open_a_window(
    monkeypatch: pytest.MonkeyPatch, windows: list[list[str]], arguments: list[str]
) -> None:
    assert run(monkeypatch, *arguments) == 0
    assert windows == [arguments]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--samples"], "unknown option --samples"),
        (["a.pdf", "-v"], "unknown option -v"),
        (["--export-font"], "--export-font is the window's own"),
        (["--reader"], "--reader is the window's own"),
        (["--engine"], "--engine is the window's own"),
    ],
)
def test_what_cannot_be_used_is_one_line_and_no_window(
    monkeypatch: pytest.MonkeyPatch,
    windows: list[list[str]],
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    words: str,
) -> None:
    assert run(monkeypatch, *arguments) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1
    assert windows == []


def test_the_font_is_exported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "fonts" / "chinese.ttf"
    assert run(monkeypatch, "--export-font", str(path)) == 0
    assert path.stat().st_size > 1_000_000


def test_a_font_that_cannot_be_written_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    assert run(monkeypatch, "--export-font", str(tmp_path / "file" / "chinese.ttf")) == 1
    assert "cannot be written" in capsys.readouterr().err


def test_before_the_first_frame_neither_sqlite_nor_mupdf_nor_torch_is_loaded() -> None:
    code = "import sys, gui.workbench; print(*{'sqlite_utils', 'pymupdf', 'torch', 'docx'} & set(sys.modules))"
    root = Path(antinomy.__file__).parent
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
