"""A matter and all that is kept beside its file: which files they are, and taking them away."""

from __future__ import annotations

import shutil
from pathlib import Path

from engine.matter.errors import MatterDamaged, MatterLocked, ReadOnlyFolder
from engine.matter.matter import Matter

#: What the engine keeps beside a matter and can build again: the anchor table, the index of passages, the states.
_REPLACED_SUFFIXES = (".saht", ".index", ".states")
_ADDED_SUFFIXES = (".states",)


def files_of(matter: Path) -> tuple[Path, ...]:
    """What belongs to a matter and is there: its file first, then what is kept beside it (files and folders)."""
    beside = [matter.with_suffix(suffix) for suffix in _REPLACED_SUFFIXES]
    beside += [matter.with_name(matter.name + suffix) for suffix in _ADDED_SUFFIXES]
    beside += sorted(matter.parent.glob(f"{_literally(matter.name)}.format*.backup"))
    return tuple(path for path in (matter, *beside) if path.exists())


def _literally(name: str) -> str:
    """A name whose signs mean nothing to ``glob``."""
    return "".join(f"[{sign}]" if sign in "*?[" else sign for sign in name)


def settle(matter: Path) -> None:
    """Bring what is still in the log into the file, so that the file is all of the matter.

    Raises:
        MatterLocked: somebody is writing it.
        MatterMissing, NotAMatter, MatterTooNew: there is no matter of ours at the path.
    """
    try:
        with Matter.open(matter) as opened:
            if opened.read_only and opened.notice_code == "matter_elsewhere":
                raise MatterLocked(
                    "{name} is open in a window or another command; close it there first.", name=matter.name
                )
    except MatterDamaged:
        # It may be thrown away all the same.
        return


def leftovers_of(matter: Path) -> tuple[Path, ...]:
    """What SQLite and the lock leave beside a closed matter; of no use without it."""
    return tuple(matter.with_name(matter.name + suffix) for suffix in ("-wal", "-shm", ".lock"))


def delete_matter(matter: Path) -> tuple[Path, ...]:
    """Delete a matter for good, with all that is kept beside it; what was deleted.

    Raises:
        MatterError: as :func:`settle`; then nothing was deleted.
        ReadOnlyFolder: a file could not be deleted.
    """
    settle(matter)
    files = files_of(matter)
    try:
        for path in files:
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
        for path in leftovers_of(matter):
            path.unlink(missing_ok=True)
    except OSError as error:
        raise ReadOnlyFolder(
            "{name} could not be deleted ({error}); check the folder's permissions.",
            name=matter.name, error=error.strerror,
        ) from error  # fmt: skip
    return files
