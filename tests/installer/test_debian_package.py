"""What the Debian package lays out, on a stand-in for the frozen program; ``make installer`` tries the real one."""

from __future__ import annotations

import configparser
import os
from pathlib import Path
from xml.etree import ElementTree

import pytest

import engine
from resources.installer import debian, third_party


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A staged package."""
    program = tmp_path / "dist"
    (program / "_internal").mkdir(parents=True)
    (program / "antinomy").write_text("#!/bin/sh\necho started\n", encoding="utf-8")
    (program / "antinomy").chmod(0o755)
    (program / "_internal" / "library.so").write_bytes(bytes(10_000))
    (program / "_internal" / "library.so.1").symlink_to("library.so")
    root = tmp_path / "package"
    debian.stage(program, root, "numpy 2.0: BSD-3-Clause\n")
    return root


def test_the_program_lies_in_opt_and_starts_by_its_name(root: Path) -> None:
    assert os.access(root / "opt/antinomy/antinomy", os.X_OK)
    assert (root / "usr/bin/antinomy").readlink() == Path("/opt/antinomy/antinomy")
    assert (root / "opt/antinomy/_internal/library.so.1").readlink() == Path("library.so")


def test_folders_are_open_to_everybody_whatever_the_builders_umask(root: Path) -> None:
    folders = [each for each in root.rglob("*") if each.is_dir() and not each.is_symlink()]
    assert {each.stat().st_mode & 0o777 for each in folders} == {0o755}


def test_the_control_file_names_version_size_and_what_qt_needs(root: Path) -> None:
    lines = (root / "DEBIAN/control").read_text(encoding="utf-8").splitlines()
    facts = dict(line.split(": ", 1) for line in lines if not line.startswith(" "))
    assert facts["Version"] == engine.APP_VERSION
    assert facts["Architecture"] == debian.architecture()
    assert int(facts["Installed-Size"]) >= 10
    assert "libegl1" in facts["Depends"].split(", ")
    assert "libxcb-cursor0" in facts["Depends"].split(", ")


def test_the_menu_entry_opens_contracts_and_matters(root: Path) -> None:
    entry = configparser.ConfigParser(interpolation=None, delimiters=("=",))
    entry.optionxform = str  # type: ignore[assignment,method-assign]  # the documented way to keep capitals
    entry.read(root / "usr/share/applications/antinomy.desktop", encoding="utf-8")
    desktop = entry["Desktop Entry"]
    assert desktop["Exec"] == "antinomy %F"
    types = ElementTree.parse(root / "usr/share/mime/packages/antinomy.xml").getroot()
    declared = {each.get("type") for each in types}
    assert declared <= set(desktop["MimeType"].split(";"))
    assert (root / f"usr/share/icons/hicolor/scalable/apps/{desktop['Icon']}.svg").is_file()


def test_licence_and_third_parties_are_there(root: Path) -> None:
    folder = root / "usr/share/doc/antinomy"
    assert "AFFERO" in (folder / "copyright").read_text(encoding="utf-8")
    assert "numpy" in (folder / "third-party.txt").read_text(encoding="utf-8")


def test_third_parties_are_what_the_program_needs_with_a_licence_each() -> None:
    carried = {each.name.lower().replace("_", "-"): each for each in third_party.carried()}
    assert {"pyside6-essentials", "torch", "pymupdf", "numpy", "tokenizers"} <= set(carried)
    assert "pytest" not in carried
    assert "sentence-transformers" not in carried
    assert all(third_party.licence_of(each) for each in carried.values())


def test_without_a_program_a_sentence_says_what_to_do(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["debian.py", "/nowhere", "/nowhere"])
    assert debian.main() == 2
    assert "make bundle" in capsys.readouterr().err
