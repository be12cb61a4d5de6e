"""Which model writes answers, if any; its key in the system's keyring, never in a file."""

from __future__ import annotations

import enum
import importlib
from pathlib import Path
from typing import Any, Protocol, cast
from urllib.parse import urlsplit

import msgspec

SCHEMA = "antinomy.model/1"
FILE = "model.json"
SERVICE = "antinomy"
ANTHROPIC_URL = "https://api.anthropic.com"
_LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})


class Kind(enum.StrEnum):
    """How an endpoint is spoken to."""

    ANTHROPIC = "anthropic"
    OPENAI = "openai"


class WritingFailed(Exception):
    """No written answer, or no more of it; the message says why in a sentence. The quoted passages stand."""


class ModelSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A model and what it may cost.

    Attributes:
        url: of the endpoint, up to and without ``/chat/completions`` (OpenAI-compatible), or of the Anthropic API.
        most_words_in: characters that are sent at most; passages that do not fit are left out, the last first.
        most_tokens: of an answer.
        budget_tokens: of all answers of one run of the program, sent and received together.
        timeout_s: without a sign of life.
        attempts: to begin an answer, when the endpoint is busy or away.
        agreed: the address that the person has agreed to send passages to; another address is asked about again.
    """

    kind: Kind
    url: str
    model: str
    most_words_in: int = 24_000
    most_tokens: int = 1_000
    budget_tokens: int = 200_000
    timeout_s: float = 60.0
    attempts: int = 3
    agreed: str = ""
    schema: str = SCHEMA

    @property
    def is_local(self) -> bool:
        """Whether nothing leaves this machine."""
        return urlsplit(self.url).hostname in _LOCAL


def checked(settings: ModelSettings) -> ModelSettings:
    """The settings, when they can be used.

    Raises:
        WritingFailed: the address is none, or would send a contract over the network unencrypted.
    """
    parts = urlsplit(settings.url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise WritingFailed(f"{settings.url!r} is no address of a model; it begins with https://.")
    if parts.scheme == "http" and not settings.is_local:
        raise WritingFailed(f"{settings.url} is not encrypted; only a model on this machine may be reached by http://.")
    if not settings.model:
        raise WritingFailed("The model has no name.")
    return settings


def load_settings(folder: Path) -> ModelSettings | None:
    """The model configured in a folder, None when none is.

    Raises:
        WritingFailed: the file is not readable.
    """
    path = folder / FILE
    try:
        return checked(msgspec.json.decode(path.read_bytes(), type=ModelSettings))
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError) as error:
        raise WritingFailed(f"{path} cannot be read: {error}. Delete it and configure the model again.") from error


def save_settings(folder: Path, settings: ModelSettings) -> None:
    """Keep a model.

    Raises:
        WritingFailed: it cannot be used, or the folder takes no files.
    """
    path = folder / FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(".new")
        draft.write_bytes(msgspec.json.format(msgspec.json.encode(checked(settings)), indent=2) + b"\n")
        draft.replace(path)
    except OSError as error:
        raise WritingFailed(f"{path} cannot be written: {error.strerror or error}.") from error


def forget_settings(folder: Path) -> None:
    """Switch written answers off again."""
    (folder / FILE).unlink(missing_ok=True)


class Keyring(Protocol):
    """The part of the ``keyring`` package that is used."""

    def get_password(self, service: str, name: str) -> str | None: ...  # noqa: D102 - that package's
    def set_password(self, service: str, name: str, password: str) -> None: ...  # noqa: D102 - that package's


def system_keyring() -> Keyring:
    """The system's keyring.

    Raises:
        WritingFailed: the package for it is not installed.
    """
    return cast(Keyring, optional("keyring"))


def optional(package: str) -> Any:
    """A package of the extra ``write``.

    Raises:
        WritingFailed: it is not installed; says how to.
    """
    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise WritingFailed(
            f"Written answers need the package {package}; install it with: pip install 'antinomy[write]'."
        ) from error


def read_key(settings: ModelSettings, keyring: Keyring) -> str:
    """The endpoint's key, "" when there is none (a local model needs none).

    Raises:
        WritingFailed: the keyring is locked, or this system has none.
    """
    try:
        return keyring.get_password(SERVICE, settings.url) or ""
    except Exception as error:
        # Each system's keyring raises its own.
        raise WritingFailed(f"The system's keyring gave no key for {settings.url}: {error}.") from error


def keep_key(settings: ModelSettings, key: str, keyring: Keyring) -> None:
    """Keep a key in the keyring.

    Raises:
        WritingFailed: the keyring is locked, or this system has none.
    """
    try:
        keyring.set_password(SERVICE, settings.url, key)
    except Exception as error:
        # Each system's keyring raises its own.
        raise WritingFailed(f"The system's keyring did not take the key: {error}.") from error
