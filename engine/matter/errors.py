"""Failures of the matter file that a person can act on, one sentence each."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import msgspec


class MatterError(Exception):
    """Base of all failures here; ``str(error)`` is one sentence for the person.

    Attributes:
        template: the sentence with ``{names}`` for what is filled in, so that a window can say it in another language.
        values: what is filled in, by name; empty where the template is the sentence.
    """

    def __init__(self, template: str = "", **values: object) -> None:
        self.template = template
        self.values = {name: str(value) for name, value in values.items()}
        super().__init__(template.format_map(self.values) if values else template)


class MatterMissing(MatterError):
    """There is no file at the path."""


class MatterExists(MatterError):
    """A new matter would overwrite a file."""


class NotAMatter(MatterError):
    """The file is no matter file: something else, or another program's SQLite file."""


class MatterTooNew(MatterError):
    """A later version of the program wrote the file."""


class MatterDamaged(MatterError):
    """The file is a matter file, but its pages or rows no longer hold together."""


class MatterLocked(MatterError):
    """Another window or command is writing to the matter; here it can only be read."""


class MatterReadOnly(MatterError):
    """The matter was opened for reading only."""


class ReadOnlyFolder(MatterError):
    """The file or its folder cannot be written."""


class DiskFull(MatterError):
    """No room left where the matter is kept. What was saved before is still there."""


class DiskFailed(MatterError):
    """The disk reported an error while reading or writing."""


class UnknownRecord(MatterError):
    """A finding, link, document or annotator that is not in this matter."""


class InvalidLink(MatterError):
    """A link that cannot be kept: fewer than two ends, an empty code, offsets that are no span."""


class UnreadableImport(MatterError):
    """A file given for import is not what its name says."""


_UNWRITABLE = "{name} or its folder cannot be written; save a copy somewhere else."
_DAMAGED = "{name} is damaged and was left as it is; open its newest backup, or run 'antinomy matter check'."
_BUSY = "{name} is being written by another program; try again when it has finished."
_PRIMARY: dict[int, tuple[type[MatterError], str]] = {
    sqlite3.SQLITE_FULL: (DiskFull, "The disk is full; free some space and repeat the last step. The rest is safe."),
    sqlite3.SQLITE_READONLY: (ReadOnlyFolder, _UNWRITABLE),
    sqlite3.SQLITE_PERM: (ReadOnlyFolder, _UNWRITABLE),
    sqlite3.SQLITE_CANTOPEN: (ReadOnlyFolder, "{name} cannot be opened where it is; check the folder's permissions."),
    sqlite3.SQLITE_IOERR: (DiskFailed, "The disk reported an error for {name}; check the drive or the network share."),
    sqlite3.SQLITE_CORRUPT: (MatterDamaged, _DAMAGED),
    sqlite3.SQLITE_NOTADB: (MatterDamaged, _DAMAGED),
    sqlite3.SQLITE_BUSY: (MatterLocked, _BUSY),
    sqlite3.SQLITE_LOCKED: (MatterLocked, _BUSY),
}


@contextlib.contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn SQLite's own errors about ``path`` into ours; what stays an ``sqlite3.Error`` is our bug."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", None)
        # Extended codes carry the primary one in their low byte.
        known = _PRIMARY.get(code & 0xFF) if isinstance(code, int) else None
        if known is None and "decode to UTF-8" in str(error):
            # The one complaint about content that the sqlite3 module makes itself, without a code.
            known = _PRIMARY[sqlite3.SQLITE_CORRUPT]
        if known is None:
            raise
        kind, sentence = known
        raise kind(sentence, name=path.name) from error
    except msgspec.DecodeError as error:
        raise MatterDamaged(
            "{name} holds a record that cannot be read ({error}); open its newest backup.", name=path.name, error=error
        ) from error
