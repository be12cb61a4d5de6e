"""The formats by name, and their files on the disk."""

from __future__ import annotations

import errno
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from engine.matter.errors import DiskFull, ReadOnlyFolder, UnreadableImport
from engine.matter.formats import brat, cas_json, csv_table, doccano, label_studio, pawls
from engine.matter.formats.bundle import Bundle, Written


class Format(msgspec.Struct, frozen=True):
    """A format: how it is written and read, and the endings of its files."""

    write: Callable[[Bundle], Written]
    read: Callable[[Mapping[str, bytes]], Bundle]
    endings: tuple[str, ...]


FORMATS: dict[str, Format] = {
    "csv": Format(csv_table.write, csv_table.read, (".csv",)),
    "label-studio": Format(label_studio.write, label_studio.read, (".json",)),
    "doccano": Format(doccano.write, doccano.read, (".jsonl",)),
    "brat": Format(brat.write, brat.read, (".ann", ".txt")),
    "uima-cas-json": Format(cas_json.write, cas_json.read, (".json",)),
    "pawls": Format(pawls.write, pawls.read, (".json", ".txt")),
}


def write_format(bundle: Bundle, name: str, folder: Path) -> Written:
    """Write a format's files into a new or empty folder.

    Raises:
        ReadOnlyFolder, DiskFull: the folder holds something already, or cannot be written.
    """
    written = FORMATS[name].write(bundle)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise ReadOnlyFolder(f"{folder.name} is not empty; name a new folder.")
        for file, data in written.files.items():
            path = folder / file
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
    except OSError as error:
        kind = DiskFull if error.errno == errno.ENOSPC else ReadOnlyFolder
        raise kind(f"{folder.name} cannot be written ({error.strerror}).") from error
    return written


def read_format(name: str, path: Path) -> Bundle:
    """Read a format from a file, or from a folder with all that it holds.

    Raises:
        UnreadableImport: nothing of the format is there, or it cannot be read.
    """
    wanted = FORMATS[name]
    paths = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
    try:
        files = {
            p.relative_to(path if path.is_dir() else path.parent).as_posix(): p.read_bytes()
            for p in paths
            if p.suffix in wanted.endings
        }
    except OSError as error:
        raise UnreadableImport(f"{path.name} cannot be read ({error.strerror}).") from error
    if not files:
        raise UnreadableImport(f"{path.name} holds no {' or '.join(wanted.endings)} file.")
    try:
        return wanted.read(files)
    except UnicodeDecodeError as error:
        raise UnreadableImport(f"{path.name} holds a file that is not UTF-8.") from error
