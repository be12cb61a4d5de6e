"""Which model writes answers, if any; its key in the system's keyring, never in a file."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any, Protocol, cast
from urllib.parse import urlsplit

import msgspec

from engine.protocol.writing import ANTHROPIC_URL, Kind, ModelSettings

__all__ = [
    "ANTHROPIC_URL", "Keyring", "Kind", "ModelSettings", "WritingFailed", "checked", "forget_settings", "keep_key",
    "load_settings", "optional", "read_key", "save_settings", "system_keyring",
]  # fmt: skip
FILE = "model.json"
SERVICE = "antinomy"


class WritingFailed(Exception):
    """No written answer, or no more of it; the quoted passages stand.

    Attributes:
        template, values: the sentence, its ``{names}`` to be filled in: a window in another language looks it up.
    """

    def __init__(self, template: str, values: dict[str, str] | None = None) -> None:
        super().__init__(template.format_map(values) if values else template)
        self.template = template
        self.values = values or {}


def checked(settings: ModelSettings) -> ModelSettings:
    """The settings, when they can be used.

    Raises:
        WritingFailed: the address is none, or would send a contract over the network unencrypted.
    """
    try:
        parts = urlsplit(settings.url)
        host = parts.hostname
    except ValueError:
        host = None
    if host is None or parts.scheme not in ("http", "https"):
        raise WritingFailed("“{url}” is no address of a model; it begins with https://.", {"url": settings.url})
    if parts.scheme == "http" and not settings.is_local:
        raise WritingFailed(
            "{url} is not encrypted; only a model on this machine may be reached by http://.", {"url": settings.url}
        )
    if not settings.model.strip():
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
        raise WritingFailed(
            "{path} cannot be read: {error}. Delete it and configure the model again.",
            {"path": str(path), "error": str(error)},
        ) from error


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
        raise WritingFailed(
            "{path} cannot be written: {error}.", {"path": str(path), "error": str(error.strerror or error)}
        ) from error


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
            "Written answers need the package {package}; install it with: pip install 'antinomy[write]'.",
            {"package": package},
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
        raise WritingFailed(
            "The system's keyring gave no key for {url}: {error}.", {"url": settings.url, "error": str(error)}
        ) from error


def keep_key(settings: ModelSettings, key: str, keyring: Keyring) -> None:
    """Keep a key in the keyring.

    Raises:
        WritingFailed: the keyring is locked, or this system has none.
    """
    try:
        keyring.set_password(SERVICE, settings.url, key)
    except Exception as error:
        # Each system's keyring raises its own.
        raise WritingFailed("The system's keyring did not take the key: {error}.", {"error": str(error)}) from error
