"""Creating, opening, migrating and backing up the SQLite file of a matter."""

from __future__ import annotations

import contextlib
import os
import secrets
import sqlite3
import struct
from collections.abc import Iterator
from pathlib import Path

from sqlite_utils import Database

from engine.matter import schema
from engine.matter.errors import (
    DiskFull,
    MatterDamaged,
    MatterExists,
    MatterMissing,
    MatterTooNew,
    NotAMatter,
    ReadOnlyFolder,
    translated,
)

_MAGIC = b"SQLite format 3\0"
_HEADER_BYTES = 100
_EXISTS = "{name} exists already; open it, or choose another name."
#: A matter that another program keeps locked is not waited for any longer than this: the window stands still.
_OPENING_TIMEOUT_S = 1.0


def require_matter(path: Path) -> None:
    """Look at the file's first 100 bytes, without SQLite, which would leave files beside a foreign database.

    Raises:
        MatterMissing, NotAMatter, ReadOnlyFolder: there is no file, it is something else, it cannot be read.
    """
    if not path.exists():
        raise MatterMissing(
            "{name} is not there any more; choose it where it is now, or open its contract again.", name=path.name
        )
    if not path.is_file():
        raise NotAMatter("{name} is not a file; choose the matter file itself.", name=path.name)
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER_BYTES)
    except PermissionError as error:
        raise ReadOnlyFolder("{name} cannot be read; ask for permission to read it.", name=path.name) from error
    if len(header) < _HEADER_BYTES or not header.startswith(_MAGIC):
        raise NotAMatter(
            "{name} is not a matter file; choose one that Antinomy wrote, or open its contract again.", name=path.name
        )
    if struct.unpack(">I", header[68:72])[0] != schema.APPLICATION_ID:
        raise NotAMatter(
            "{name} is a database of another program, not a matter file; choose one that Antinomy wrote.",
            name=path.name,
        )


def create_file(path: Path) -> None:
    """Make an empty matter at ``path``: built under another name, then renamed, so never half there.

    Raises:
        MatterExists, ReadOnlyFolder, DiskFull.
    """
    if path.exists():
        raise MatterExists(_EXISTS, name=path.name)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}.new")
    try:
        with translated(path):
            connection = sqlite3.connect(draft, isolation_level=None)
            try:
                # Before WAL, so that the first page carries it whatever happens to the log.
                connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
                migrate(Database(connection, execute_plugins=False), 0)
                connection.execute("PRAGMA journal_mode = WAL")
            finally:
                connection.close()
        # A link refuses to overwrite; where there are no links, the check above must do.
        try:
            os.link(draft, path)
        except FileExistsError as error:
            raise MatterExists(_EXISTS, name=path.name) from error
        except OSError:
            draft.rename(path)
    finally:
        draft.unlink(missing_ok=True)


def connect(path: Path, read_only: bool) -> Database:
    """A connection to a matter file of this program's version or older, not yet migrated.

    Raises:
        MatterTooNew, MatterDamaged, ReadOnlyFolder, MatterLocked: see there.
    """
    with translated(path):
        connection = _connection(path, read_only)
        try:
            db = Database(connection, execute_plugins=False)
            db.execute("PRAGMA foreign_keys = ON")
            # FULL: a commit is on the disk before the window says "saved".
            db.execute("PRAGMA synchronous = FULL")
            # A label writes some ten pages; at SQLite's 1,000 every hundredth commit would pay for a checkpoint.
            db.execute("PRAGMA wal_autocheckpoint = 4000")
            version = version_of(db)
            newest = len(schema.MIGRATIONS)
            if version > newest:
                raise MatterTooNew(
                    "{name} was written by a newer Antinomy (format {version}, this one reads up to {newest}); "
                    "update to open it.",
                    name=path.name, version=version, newest=newest,
                )  # fmt: skip
            if version < 1:
                raise MatterDamaged("{name} is a matter file without its tables; open its newest backup.",
                                    name=path.name)  # fmt: skip
            # Another connection of this process may be storing a long document (:func:`store_document`).
            db.execute("PRAGMA busy_timeout = 10000")
            return db
        except BaseException:
            connection.close()
            raise


def _connection(path: Path, read_only: bool) -> sqlite3.Connection:
    if not read_only:
        return sqlite3.connect(path, timeout=_OPENING_TIMEOUT_S, isolation_level=None)
    uri = path.resolve().as_uri()
    connection = sqlite3.connect(f"{uri}?mode=ro", timeout=_OPENING_TIMEOUT_S, uri=True, isolation_level=None)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            connection.close()
            raise
        # WAL needs to write beside the file even to read it. On read-only media nobody can be writing,
        # so the file may be taken as it is, unless a log holds changes that would be passed over.
        connection.close()
        log = path.with_name(path.name + "-wal")
        if log.exists() and log.stat().st_size:
            raise
        connection = sqlite3.connect(f"{uri}?mode=ro&immutable=1", uri=True, isolation_level=None)
    return connection


@contextlib.contextmanager
def writing(db: Database) -> Iterator[Database]:
    """One transaction that writes, all or nothing; inside another one, a part of it.

    It takes SQLite's right to write at its beginning: one that only read at first would be refused
    for good when another connection commits meanwhile.
    """
    if not db.conn.in_transaction:
        db.execute("BEGIN IMMEDIATE")
        try:
            yield db
            db.execute("COMMIT")
        except BaseException:
            db.rollback()
            raise
    else:
        with db.atomic():
            yield db


def log_is_left(path: Path) -> bool:
    """Whether the last writer did not close the file (it was killed, or it is at work now)."""
    log = path.with_name(path.name + "-wal")
    return log.exists() and log.stat().st_size > 0


def version_of(db: Database) -> int:
    """The format's number: how many migrations the file has seen."""
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def migrate(db: Database, version: int) -> None:
    """Apply every migration after ``version``, all in one transaction or none."""
    with db.atomic():
        for number, migration in enumerate(schema.MIGRATIONS[version:], version + 1):
            migration(db)
            db.execute(f"PRAGMA user_version = {number}")


def back_up(db: Database, path: Path, version: int) -> Path:
    """Copy the whole matter, log included, to ``NAME.formatN.backup`` beside it, before a migration.

    Raises:
        DiskFull, ReadOnlyFolder, MatterDamaged: the copy could not be made; nothing else was changed.
    """
    target = path.with_name(f"{path.name}.format{version}.backup")
    draft = path.with_name(f".{target.name}.{secrets.token_hex(4)}.new")
    try:
        with translated(path):
            copy = sqlite3.connect(draft)
            try:
                db.conn.backup(copy)
            finally:
                copy.close()
        draft.replace(target)
    except OSError as error:
        raise DiskFull(
            "No backup of {name} could be made ({error}), so it was not changed; free some space.",
            name=path.name, error=error.strerror,
        ) from error  # fmt: skip
    finally:
        draft.unlink(missing_ok=True)
    return target


def quick_check(db: Database, path: Path) -> None:
    """Raise :class:`MatterDamaged` when the file's pages do not hold together."""
    with translated(path):
        answer = str(db.execute("PRAGMA quick_check(1)").fetchone()[0])
    if answer != "ok":
        raise MatterDamaged("{name} is damaged ({answer}); open its newest backup.", name=path.name, answer=answer)
