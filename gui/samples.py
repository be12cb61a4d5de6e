"""The sample contracts that come with the program: one English, one Chinese, each in one format."""

from __future__ import annotations

from pathlib import Path

from resources import resource_path

#: Which format of a sample is opened when several are there: the one that looks most like a contract.
_PREFERENCE = (".pdf", ".docx", ".txt", ".md")
_CHINESE_STEM = "_zh"


def sample_contracts(folder: Path | None = None) -> list[Path]:
    """One file for each sample, the English one first."""
    folder = folder or resource_path("samples")
    if not folder.is_dir():
        return []
    by_stem: dict[str, Path] = {}
    for path in sorted(folder.iterdir(), key=lambda p: _PREFERENCE.index(p.suffix) if p.suffix in _PREFERENCE else 99):
        if path.suffix in _PREFERENCE:
            by_stem.setdefault(path.stem, path)
    return sorted(by_stem.values(), key=lambda p: (p.stem.endswith(_CHINESE_STEM), p.name))


def sample_contract(chinese: bool, folder: Path | None = None) -> Path | None:
    """The sample in one language."""
    found = [path for path in sample_contracts(folder) if path.stem.endswith(_CHINESE_STEM) == chinese]
    return found[0] if found else None
