"""What every kind of anchor is found in: the folded text with its numbers, and a way to note a find."""

from __future__ import annotations

import bisect
import re
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property

from engine.anchors.model import Anchor, AnchorKind
from engine.anchors.normal import NormalText, normalise
from engine.anchors.values import Value, values

_HAN = re.compile(r"[\u4e00-\u9fff]")


@dataclass
class Scan:
    """A text being read for anchors. All offsets in here are those of the folded ``text``."""

    normal: NormalText
    language: str
    found: list[Anchor] = field(default_factory=list)
    #: Spans that a more telling kind has claimed, so that a count or period does not take them too.
    claimed: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, text: str, language: str) -> Scan:
        """Fold ``text`` and make it ready."""
        return cls(normalise(text), language)

    @property
    def text(self) -> str:
        """The folded text."""
        return self.normal.text

    @cached_property
    def values(self) -> list[Value]:
        """The numbers of the text, in order."""
        return values(self.text)

    @cached_property
    def has_han(self) -> bool:
        """Whether any Chinese character occurs; the Chinese rules are skipped otherwise."""
        return bool(_HAN.search(self.text))

    @cached_property
    def _value_starts(self) -> list[int]:
        return [value.start for value in self.values]

    def values_between(self, start: int, end: int) -> range:
        """Indexes of the numbers that start in ``[start, end)``."""
        return range(bisect.bisect_left(self._value_starts, start), bisect.bisect_left(self._value_starts, end))

    def add(
        self,
        kind: AnchorKind,
        value: str,
        start: int,
        end: int,
        confidence: float = 1.0,
        *,
        role: str = "",
        bound: str = "exact",
        detail: dict[str, str] | None = None,
    ) -> None:
        """Note an anchor at a folded span."""
        first, last = self.normal.span(start, end)
        self.found.append(Anchor(kind, value, first, last, confidence, role, bound, detail or {}))


def plain(number: Decimal) -> str:
    """``number`` without exponent and trailing zeros: ``1000000``, ``0.5``; at most 12 decimals."""
    rounded = round(number, 12) if number != int(number) else number
    text = format(rounded, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def pair_detail(value: Value) -> dict[str, str]:
    """``words`` and ``figures`` as written, what each says, and ``agree`` (``yes`` or ``no``); empty for one form."""
    if not value.paired or value.words_value is None or value.figures_value is None:
        return {}
    return {
        "words": value.words,
        "figures": value.figures,
        "words_value": plain(value.words_value),
        "figures_value": plain(value.figures_value),
        "agree": "yes" if value.agrees else "no",
    }
