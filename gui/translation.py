"""The interface in other languages: one JSON table a language, English is in the sources."""

from __future__ import annotations

import enum
from pathlib import Path

import msgspec
from PySide6.QtCore import QLibraryInfo, QLocale, QObject, QTranslator

from resources import resource_path

TRANSLATION_SCHEMA = "antinomy.translation/1"


class Language(enum.StrEnum):
    """What the window speaks."""

    ENGLISH = "en"
    CHINESE = "zh"


class _Table(msgspec.Struct, frozen=True):
    schema: str
    language: str
    strings: dict[str, str]


def table(language: Language, folder: Path | None = None) -> dict[str, str]:
    """English words → words of ``language``; empty for English.

    Raises:
        OSError, msgspec.MsgspecError: the shipped table is missing or damaged, which is our mistake.
    """
    if language is Language.ENGLISH:
        return {}
    path = (folder or resource_path("translations")) / f"{language}.json"
    return msgspec.json.decode(path.read_bytes(), type=_Table).strings


def qt_words(language: Language, parent: QObject | None = None) -> QTranslator:
    """Qt's own words (dialogs, context menus) as Qt ships them; empty when the file is not there."""
    translator = QTranslator(parent)
    if language is Language.CHINESE:
        translator.load("qtbase_zh_CN", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    return translator


class TableTranslator(QTranslator):
    """Answers Qt from a table; the place where words stand does not change their translation here.

    ``fallback`` is asked for what the table lacks: Qt's own words.
    """

    def __init__(
        self, strings: dict[str, str], parent: QObject | None = None, fallback: QTranslator | None = None
    ) -> None:
        super().__init__(parent)
        self._strings = strings
        self._fallback = fallback

    def isEmpty(self) -> bool:  # noqa: N802 - Qt's name
        """Qt refuses an empty one."""
        return not self._strings

    def translate(self, context: str, text: str, disambiguation: str | None = None, n: int = -1) -> str:
        """The words; those that nobody knows stay as they are (an empty answer would be shown as nothing)."""
        words = self._strings.get(text)
        if words is None and self._fallback is not None:
            words = self._fallback.translate(context, text, disambiguation or "", n)
        return words or text


def system_language() -> Language:
    """What the system speaks, if we do."""
    return Language.CHINESE if QLocale.system().language() is QLocale.Language.Chinese else Language.ENGLISH
