"""The folder of what was learnt on this machine: weights with their cards, one on trial, and which are in use.

Imports neither torch nor numpy: the window reads cards and keeps or drops. Whatever is written is there whole or not
at all: a set of weights is a folder that was renamed into place, the choice a file that was replaced.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from engine.protocol.learning import CARD_SCHEMA, Card

WEIGHTS, CARD = "verifier.safetensors", "card.json"
#: The folder within the person's folder, the file in it that names what is in use, and what is not kept yet.
FOLDER, CHOICE, TRIAL = "learned", "in_use.json", ".trial"
_NEW = ".new-"
#: What an interrupted run left is taken away when it is this old, seconds.
_STALE_S = 24 * 3600
_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,60}")
SHIPPED = "shipped"
NO_SUCH = "There are no weights called {name}."


class ShelfError(Exception):
    """The folder cannot be written, or there is no such set of weights; the message is one sentence.

    Attributes:
        english: the sentence before ``values`` were filled in, for a window in another language.
    """

    def __init__(self, english: str, values: dict[str, str] | None = None) -> None:
        self.english, self.values = english, values or {}
        super().__init__(english.format_map(self.values))


class _Choice(msgspec.Struct, frozen=True):
    name: str = ""


def is_name(name: str) -> bool:
    """Whether a set of weights may be called so: a plain file name that is not ``shipped``."""
    return _NAME.fullmatch(name) is not None and name != SHIPPED


def card_bytes(card: Card) -> bytes:
    """A card as it is kept: indented JSON."""
    return msgspec.json.format(msgspec.json.encode(card), indent=1) + b"\n"


class Shelf:
    """What was learnt, under ``folder`` (which need not be there yet)."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / FOLDER

    # --- looking ------------------------------------------------------------------------------------------

    def cards(self) -> tuple[Card, ...]:
        """The cards of the weights that were kept, oldest first; a set whose card cannot be read is passed over."""
        try:
            names = sorted(path.name for path in self.folder.iterdir() if is_name(path.name))
        except OSError:
            return ()
        found = (self._card(self.folder / name) for name in names)
        return tuple(sorted((card for card in found if card is not None), key=lambda card: card.created_at))

    def trial(self) -> Card | None:
        """The card of what waits to be kept or dropped."""
        return self._card(self.folder / TRIAL)

    def in_use(self) -> str:
        """The name of the weights in use, "" for the shipped ones."""
        try:
            name = msgspec.json.decode((self.folder / CHOICE).read_bytes(), type=_Choice).name
        except (OSError, msgspec.MsgspecError):
            return ""
        return name if is_name(name) else ""

    def weights_in_use(self) -> str:
        """The path of the weights in use, "" for the shipped ones; the file may be gone or damaged."""
        return self.weights_of(self.in_use())

    def weights_of(self, name: str) -> str:
        """The path of a set's weights, "" for ``shipped`` or no name; whether the file is there is not asked."""
        return str(self.folder / name / WEIGHTS) if name not in ("", SHIPPED) else ""

    def free_name(self) -> str:
        """A name nobody has yet: the day, with a number when there are several."""
        day = time.strftime("%Y-%m-%d")
        count = 1
        while (self.folder / (name := f"{day}-{count}")).exists():
            count += 1
        return name

    @staticmethod
    def _card(folder: Path) -> Card | None:
        try:
            card = msgspec.json.decode((folder / CARD).read_bytes(), type=Card)
        except (OSError, msgspec.MsgspecError):
            return None
        return card if card.schema == CARD_SCHEMA and (folder / WEIGHTS).is_file() else None

    # --- changing -----------------------------------------------------------------------------------------

    def require_writable(self) -> None:
        """Say so before minutes of work are lost.

        Raises:
            ShelfError: nothing can be kept there.
        """
        with self._saying():
            self.folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.folder):
                pass

    def put_on_trial(self, weights: bytes, card: Card) -> None:
        """Lay a set down to be kept or dropped; the one before that nobody kept is dropped.

        Raises:
            ShelfError: it cannot be written; the one before is still there.
        """
        with self._saying():
            self.folder.mkdir(parents=True, exist_ok=True)
            self._sweep()
            draft = self.folder / f"{_NEW}{secrets.token_hex(4)}"
            draft.mkdir()
            try:
                for name, data in ((WEIGHTS, weights), (CARD, card_bytes(card))):
                    with (draft / name).open("wb") as file:
                        file.write(data)
                        file.flush()
                        os.fsync(file.fileno())
                self._discard(self.folder / TRIAL)
                draft.rename(self.folder / TRIAL)
            except BaseException:
                shutil.rmtree(draft, ignore_errors=True)
                raise

    def keep(self) -> Card:
        """Keep what is on trial and use it from now on.

        Raises:
            ShelfError: nothing is on trial, its name is taken, or nothing can be written.
        """
        card = self.trial()
        if card is None:
            raise ShelfError("Nothing was learnt that waits to be kept.")
        if not is_name(card.name) or (self.folder / card.name).exists():
            card = msgspec.structs.replace(card, name=self.free_name())
            self._write(self.folder / TRIAL / CARD, card_bytes(card))
        with self._saying():
            (self.folder / TRIAL).rename(self.folder / card.name)
        self.use(card.name)
        return card

    def drop(self, name: str = "") -> None:
        """Forget what is on trial, or the set of that name; when it was in use the shipped weights are.

        Raises:
            ShelfError: there is none, or it cannot be taken away.
        """
        folder = self.folder / (name or TRIAL)
        if (name and not is_name(name)) or not folder.is_dir():
            raise ShelfError(NO_SUCH if name else "Nothing is on trial.", {"name": name})
        if name and self.in_use() == name:
            self.use(SHIPPED)
        with self._saying():
            self._discard(folder)

    def use(self, name: str) -> None:
        """Use the set of that name from the next review on; ``shipped`` for what came with the program.

        Raises:
            ShelfError: there is none of that name, or the choice cannot be written.
        """
        if name != SHIPPED and (not is_name(name) or self._card(self.folder / name) is None):
            raise ShelfError(NO_SUCH, {"name": name})
        with self._saying():
            self.folder.mkdir(parents=True, exist_ok=True)
        self._write(self.folder / CHOICE, msgspec.json.encode(_Choice("" if name == SHIPPED else name)))

    # --- ground -------------------------------------------------------------------------------------------

    def _write(self, path: Path, data: bytes) -> None:
        with self._saying():
            draft = path.with_name(f"{_NEW}{secrets.token_hex(4)}")
            try:
                draft.write_bytes(data)
                draft.replace(path)
            finally:
                draft.unlink(missing_ok=True)

    def _discard(self, folder: Path) -> None:
        """Take a folder away: renamed first, so that nobody sees half of it."""
        if folder.exists():
            gone = self.folder / f"{_NEW}{secrets.token_hex(4)}"
            folder.rename(gone)
            shutil.rmtree(gone, ignore_errors=True)

    def _sweep(self) -> None:
        for path in self.folder.glob(f"{_NEW}*"):
            with contextlib.suppress(OSError):
                if path.stat().st_mtime < time.time() - _STALE_S:
                    shutil.rmtree(path, ignore_errors=True)

    @contextlib.contextmanager
    def _saying(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            values = {"folder": str(self.folder), "reason": error.strerror or str(error)}
            raise ShelfError("What was learnt cannot be kept in {folder}: {reason}.", values) from error
