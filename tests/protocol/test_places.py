"""Folders: in the person's own places, or all under ANTINOMY_HOME."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.protocol import places


def test_home_moves_all_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(places.HOME_VARIABLE, str(tmp_path / "合同 home"))
    folders = [places.data_dir(), places.cache_dir(), places.log_dir()]
    assert all(folder.is_dir() and folder.parent == tmp_path / "合同 home" for folder in folders)
    assert len(set(folders)) == 3


def test_socket_folder_is_private_and_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    long = tmp_path / ("x" * 100)
    long.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(long))
    folder = places.new_socket_dir()
    try:
        assert len(os.fsencode(folder)) < 100
        assert folder.stat().st_mode & 0o077 == 0
    finally:
        folder.rmdir()
