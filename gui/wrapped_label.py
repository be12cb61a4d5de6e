"""A label whose words never stand out of it: a word too long for its line may be broken inside."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

#: The place where a line may end without a sign (Unicode: ZERO WIDTH SPACE).
BREAK = "\u200b"
#: Longer words than this are rarely words; a name of German company law has 42 letters.
_LONG = 32
_PIECE = 12
#: What HTML draws as one character, else one character with all that joins it (marks, joiners, skin tones).
_JOINED = r"[\u0300-\u036f\u064b-\u065f\u200d\ufe00-\ufe0f\U0001f3fb-\U0001f3ff]"
_UNIT = rf"(?:&\w+;|[^\s<{BREAK}])(?:{_JOINED}|(?<=\u200d).)*"
_WORD = re.compile(rf"(?:{_UNIT}){{{_LONG},}}")
_PIECES = re.compile(rf"(?:{_UNIT}){{1,{_PIECE}}}")
_TAG = re.compile(r"(<[^>]*>)")


def breakable(words: str, *, is_html: bool = False) -> str:
    """``words`` with places inside its longest ones where a line may end; tags of HTML stay whole."""
    if not is_html:
        return _WORD.sub(_broken, words)
    parts = _TAG.split(words)
    return "".join(part if i % 2 else _WORD.sub(_broken, part) for i, part in enumerate(parts))


def _broken(word: re.Match[str]) -> str:
    return BREAK.join(_PIECES.findall(word.group()))


class WrappedLabel(QLabel):
    """A label that wraps at words, and inside those that would not fit; ``text()`` gives back what was set."""

    def __init__(self, words: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = ""
        self.setWordWrap(True)
        self.setText(words)

    def setText(self, words: str) -> None:  # noqa: N802 - Qt's name
        """Show words; rich text where the label's format says so."""
        self._words = words
        super().setText(breakable(words, is_html=self.textFormat() is Qt.TextFormat.RichText))

    def text(self) -> str:
        """What was set, without the places for breaking."""
        return self._words

    def clear(self) -> None:
        """Show nothing."""
        self.setText("")
