"""The matter file itself: opened, locked, closed; the people and settings it knows."""

from __future__ import annotations

import contextlib
import getpass
import secrets
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec
from sqlite_utils import Database

from engine.matter import rows, schema, storage
from engine.matter.clock import now
from engine.matter.errors import MatterLocked, MatterReadOnly, UnknownRecord, translated
from engine.matter.lock import WriterLock
from engine.matter.records import Annotator, Assignment, Changes

#: The setting that holds the current annotator's id.
ANNOTATOR_SETTING = "annotator"


class MatterFile:
    """An open matter file, without what is in it; see :class:`engine.matter.Matter`.

    Attributes:
        path: where the file is.
        read_only: whether it can only be read.
        notice: one sentence on why it is read-only although writing was asked for, or on a backup made
            before a migration; else empty.
        notice_code: a stable word for it, so that a window can say it in another language: ``matter_read_only``,
            ``matter_elsewhere``, ``matter_migrated``; else empty.
        last_changes: what the newest changing call changed.
    """

    def __init__(self, path: Path, db: Database, lock: WriterLock | None, notice: str, notice_code: str) -> None:
        self.path = path
        self.read_only = lock is None
        self.notice = notice
        self.notice_code = notice_code
        self.last_changes = Changes()
        self._db = db
        self._lock = lock
        self._annotator: Annotator | None = None

    # --- opening and closing ----------------------------------------------------------------------

    @classmethod
    def create(cls, path: Path | str, annotator: Annotator | None = None) -> Self:
        """Make a new matter and open it for writing. Without an annotator, the account's name is taken.

        Raises:
            MatterExists, ReadOnlyFolder, DiskFull: see :mod:`engine.matter.errors`.
        """
        path = Path(path)
        storage.create_file(path)
        matter = cls.open(path)
        try:
            matter.use_annotator(annotator or Annotator(new_annotator_id(), _account_name()))
        except BaseException:
            matter.close()
            raise
        return matter

    @classmethod
    def open(cls, path: Path | str, read_only: bool = False) -> Self:
        """Open a matter. When someone else is writing it, it opens read-only and :attr:`notice` says so.

        Raises:
            MatterMissing, NotAMatter, MatterTooNew, MatterDamaged, ReadOnlyFolder, DiskFull: see
                :mod:`engine.matter.errors`.
        """
        path = Path(path)
        storage.require_matter(path)
        lock, notice, code = (None, "", "") if read_only else _writer(path)
        try:
            # Only a killed writer leaves a log behind when nobody holds the lock.
            unclean = lock is not None and storage.log_is_left(path)
            db = storage.connect(path, read_only=lock is None)
            try:
                if unclean:
                    storage.quick_check(db, path)
                version = storage.version_of(db)
                if version < len(schema.MIGRATIONS):
                    if lock is None:
                        raise MatterLocked(
                            "{name} is of an older format and must be opened for writing once.", name=path.name
                        )
                    backup = storage.back_up(db, path, version)
                    with translated(path):
                        storage.migrate(db, version)
                    notice = f"The matter was brought up to date; the file as it was is kept as {backup.name}."
                    code = "matter_migrated"
            except BaseException:
                db.close()
                raise
        except BaseException:
            if lock is not None:
                lock.release()
            raise
        return cls(path, db, lock, notice, code)

    def close(self) -> None:
        """Close the file; again is harmless."""
        with translated(self.path):
            self._db.close()
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- people and settings ----------------------------------------------------------------------

    def use_annotator(self, annotator: Annotator) -> None:
        """Make a person the current annotator, adding her when she is new here."""
        known = msgspec.structs.replace(annotator, created_at=annotator.created_at or now())
        with self._writing() as db:
            rows.put_annotator(db, known)
            _set(db, ANNOTATOR_SETTING, known.id)
        self._annotator = known

    def annotator(self) -> Annotator:
        """The current annotator."""
        if self._annotator is None:
            wanted = self.setting(ANNOTATOR_SETTING)
            self._annotator = next((each for each in self.annotators() if each.id == wanted), None)
            if self._annotator is None:
                raise UnknownRecord("The matter names no annotator; choose one.")
        return self._annotator

    def annotators(self) -> tuple[Annotator, ...]:
        """Everyone who decided or linked here."""
        with self._reading() as db:
            return rows.annotators(db)

    def assign(self, annotator: str, document: str, state: str = "open") -> None:
        """Give a document to an annotator, or set how far she is (``open``, ``done``)."""
        with self._writing() as db:
            if not (rows.is_in(db, "annotator", annotator) and rows.is_in(db, "document", document)):
                raise UnknownRecord("That annotator or document is not in this matter.")
            db.execute(
                "INSERT INTO assignment VALUES (?, ?, ?, ?) "
                "ON CONFLICT (annotator, document) DO UPDATE SET state = excluded.state",
                (annotator, document, state, now()),
            )
        self.changed(Changes(documents=(document,)))

    def assignments(self) -> tuple[Assignment, ...]:
        """Who has which document."""
        with self._reading() as db:
            cursor = db.execute("SELECT annotator, document, state, created_at FROM assignment ORDER BY created_at")
            return tuple(Assignment(*row) for row in cursor)

    def setting(self, name: str, default: str = "") -> str:
        """A setting kept with the matter (the last page, say)."""
        with self._reading() as db:
            row = db.execute("SELECT value FROM setting WHERE name = ?", (name,)).fetchone()
        return default if row is None else str(row[0])

    def set_setting(self, name: str, value: str) -> None:
        """Keep a setting with the matter."""
        with self._writing() as db:
            _set(db, name, value)

    # --- ground -----------------------------------------------------------------------------------

    @contextlib.contextmanager
    def transaction(self) -> Iterator[Database]:
        """One transaction for the parts of this package that change many records; all or nothing."""
        with self._writing() as db:
            yield db

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[Database]:
        """The whole file as it is at one moment, for reading (for the parts of this package)."""
        with translated(self.path), self._db.atomic():
            yield self._db

    def compact(self) -> tuple[int, int]:
        """Give unused space back to the disk; the file's size in bytes before and after.

        Raises:
            MatterReadOnly, DiskFull: nothing was changed.
        """
        if self.read_only:
            raise MatterReadOnly(self.notice or f"{self.path.name} was opened for reading only.")
        before = self.path.stat().st_size
        with translated(self.path):
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            self._db.execute("VACUUM")
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        return before, self.path.stat().st_size

    @contextlib.contextmanager
    def _writing(self) -> Iterator[Database]:
        if self.read_only:
            raise MatterReadOnly(self.notice or f"{self.path.name} was opened for reading only.")
        with translated(self.path), storage.writing(self._db) as db:
            yield db

    @contextlib.contextmanager
    def _reading(self) -> Iterator[Database]:
        with translated(self.path):
            yield self._db

    def changed(self, changes: Changes) -> Changes:
        """Note what the newest call changed (for the parts of this package)."""
        self.last_changes = changes
        return changes


def _writer(path: Path) -> tuple[WriterLock | None, str, str]:
    """The right to write; without it, why not, and that in a word."""
    try:
        lock = WriterLock.acquire(path)
    except OSError:
        return None, f"{path.name} cannot be written where it is, so it is open for reading only.", "matter_read_only"
    if lock is None:
        words = f"{path.name} is open in another window, so it is open for reading only here."
        return None, words, "matter_elsewhere"
    return lock, "", ""


def _set(db: Database, name: str, value: str) -> None:
    db.execute(
        "INSERT INTO setting VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value", (name, value)
    )


def _account_name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "annotator"


def new_annotator_id() -> str:
    """An id for a new person; keep it, it is the same in all her matters."""
    return "a-" + secrets.token_hex(8)
