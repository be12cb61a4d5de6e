"""The formats by name, and their files on the disk."""

from __future__ import annotations

import errno
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from engine.matter.errors import DiskFull, ReadOnlyFolder, UnreadableImport
from engine.matter.exchange import plan_import_file
from engine.matter.formats import brat, cas_json, csv_table, doccano, label_studio, pawls
from engine.matter.formats.bundle import Bundle, Written, plan_bundle
from engine.matter.import_plan import ImportPlan
from engine.matter.matter import Matter


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
            raise ReadOnlyFolder("{name} is not empty; name a new folder.", name=folder.name)
        for file, data in written.files.items():
            path = folder / file
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
    except OSError as error:
        kind = DiskFull if error.errno == errno.ENOSPC else ReadOnlyFolder
        raise kind("{name} cannot be written ({error}).", name=folder.name, error=error.strerror) from error
    return written


def read_format(name: str, path: Path) -> Bundle:
    """Read a format from a folder with all that it holds, or from a file and what belongs to it there.

    Raises:
        UnreadableImport: nothing of the format is there, or it cannot be read.
    """
    wanted = FORMATS[name]
    # brat and PAWLS keep a document in several files, and the annotator in the name of one, or of the folder.
    by_folder = name in ("brat", "pawls") and (path.is_file() or _is_leaf(path))
    whole = path.parent if path.is_file() and by_folder else path
    paths = [path] if path.is_file() and not by_folder else sorted(p for p in whole.rglob("*") if p.is_file())
    root = whole.parent if by_folder or whole.is_file() else whole
    try:
        files = {p.relative_to(root).as_posix(): p.read_bytes() for p in paths if p.suffix in wanted.endings}
    except OSError as error:
        raise UnreadableImport("{name} cannot be read ({error}).", name=path.name, error=error.strerror) from error
    if not files:
        endings = ", ".join(wanted.endings)
        raise UnreadableImport("{name} holds no file of the format ({endings}).", name=path.name, endings=endings)
    return wanted.read(files)


def _is_leaf(folder: Path) -> bool:
    """Whether the files lie in the folder itself, so that its name counts."""
    return any(p.is_file() and (p.suffix == ".ann" or p.name == pawls.STRUCTURE) for p in folder.iterdir())


#: ``antinomy.links/1`` among the names of formats.
LINKS = "links"


def format_of(path: Path) -> str:
    """Which format a file or folder is of: one of :data:`FORMATS` or :data:`LINKS`, by its names and first bytes.

    Raises:
        UnreadableImport: none of them, or it cannot be read.
    """
    if not path.exists():
        raise UnreadableImport("{name} is not there.", name=path.name)
    inside = [path] if path.is_file() else [p for p in path.rglob("*") if p.is_file()]
    if any(p.name == pawls.STRUCTURE or p.name.endswith(pawls.ENDING) for p in inside):
        return "pawls"
    if any(p.suffix == ".ann" for p in inside):
        return "brat"
    for each in inside:
        found = _format_by_start(each)
        if found:
            return found
    raise UnreadableImport("{name} is of no format that can be imported.", name=path.name)


def _format_by_start(path: Path) -> str:
    if path.suffix == ".csv":
        return "csv"
    if path.suffix not in (".json", ".jsonl"):
        return ""
    try:
        with path.open("rb") as file:
            start = file.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()
    except OSError as error:
        raise UnreadableImport("{name} cannot be read ({error}).", name=path.name, error=error.strerror) from error
    if path.suffix == ".jsonl":
        return "doccano" if b'"text"' in start and b'"schema"' not in start.split(b"\n")[0] else LINKS
    return "label-studio" if start.startswith(b"[") else "uima-cas-json"


def plan_path(matter: Matter, path: Path, name: str = "") -> ImportPlan:
    """What importing a file or folder would add; the format is found out when ``name`` is empty. Changes nothing.

    Raises:
        UnreadableImport: it cannot be read, or is of no format that is known.
    """
    name = name or format_of(path)
    if name == LINKS:
        return plan_import_file(matter, path)
    return plan_bundle(matter, read_format(name, path), path.name)
