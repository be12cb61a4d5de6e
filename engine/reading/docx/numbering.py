"""Automatic numbers exactly as Word displays them.

Source: ECMA-376 part 1, section 17.9 (numbering), and Word's behaviour where that is silent.
"""

from __future__ import annotations

import copy
import dataclasses
import re
from typing import Any

from engine.reading.docx.names import ALTERNATE, CHOICE, FALLBACK, VAL, w
from engine.reading.docx.numerals import custom, displayed
from engine.reading.docx.styles import Properties, children, is_on
from engine.reading.docx.symbols import bullet_text
from engine.reading.layout import Alignment, LabelFollow

LEVELS = 9
MAX_LINKS = 16
#: Counters beyond this are a trick; Word itself stops at 32,767.
MAX_NUMBER = 32_767
_PLACE = re.compile(r"%([1-9])")


@dataclasses.dataclass(frozen=True, slots=True)
class Level:
    """One level of a list: how it counts and looks. ``restart`` None: after any higher level; 0: never."""

    start: int = 1
    format: str = "decimal"
    pattern: str = ""
    text: str = ""
    restart: int | None = None
    legal: bool = False
    follow: LabelFollow = LabelFollow.TAB
    alignment: Alignment = Alignment.LEFT
    style: str = ""
    paragraph: Any = None
    run: Any = None


@dataclasses.dataclass(slots=True)
class _List:
    """A ``w:num``: its abstract list's id, its levels after overrides, its start overrides."""

    abstract: str
    levels: list[Level]
    starts: dict[int, int]


@dataclasses.dataclass(frozen=True, slots=True)
class Label:
    """A number as displayed, and the level that made it."""

    text: str
    level: int
    definition: Level


class Numbering:
    """The numbering part of a file, and the counters while its paragraphs are read in order."""

    def __init__(self, root: Any | None, style_numbers: dict[str, str] | None = None) -> None:
        """``style_numbers``: numbering style → numId, for lists that are defined through styles."""
        self._abstract: dict[str, Any] = {}
        self._nums: dict[str, Any] = {}
        self._lists: dict[str, _List | None] = {}
        self._style_numbers = style_numbers or {}
        self._counters: dict[str, list[int | None]] = {}
        self._used_starts: set[tuple[str, int]] = set()
        if root is None:
            return
        for item in root.iterchildren(w("abstractNum")):
            self._abstract[item.get(w("abstractNumId"), "")] = item
        for item in root.iterchildren(w("num")):
            self._nums[item.get(w("numId"), "")] = item

    def fork(self) -> Numbering:
        """The same lists with counters of their own, for a story that counts apart (header, note)."""
        other = copy.copy(self)
        other._counters = {}
        other._used_starts = set()
        return other

    def level(self, num_id: str, level: int) -> Level | None:
        """The definition of a level of a list, None when there is no such list."""
        found = self._list(num_id)
        return found.levels[level] if found is not None and 0 <= level < LEVELS else None

    def level_of_style(self, num_id: str, style_id: str) -> int:
        """The level that a paragraph style is tied to in a list, 0 when to none."""
        found = self._list(num_id)
        if found is not None:
            for i, level in enumerate(found.levels):
                if level.style == style_id:
                    return i
        return 0

    def next_label(self, num_id: str, level: int) -> Label | None:
        """Count one more paragraph of a list and say its number; None when there is no such list."""
        found = self._list(num_id)
        if found is None or not 0 <= level < LEVELS:
            return None
        counters = self._counters.setdefault(found.abstract, [None] * LEVELS)
        self._apply_start(num_id, found, level, counters)
        for above in range(level):
            if counters[above] is None:
                counters[above] = found.starts.get(above, found.levels[above].start)
        now = counters[level]
        start = found.starts.get(level, found.levels[level].start)
        counters[level] = start if now is None else min(now + 1, MAX_NUMBER)
        for below in range(level + 1, LEVELS):
            restart = found.levels[below].restart
            if restart is None or (restart > 0 and level < restart):
                counters[below] = None
        return Label(self._show(found, level, counters), level, found.levels[level])

    def _apply_start(self, num_id: str, found: _List, level: int, counters: list[int | None]) -> None:
        """A list that overrides a level's start begins anew when it is first used at that very level."""
        key = (num_id, level)
        if level in found.starts and key not in self._used_starts:
            self._used_starts.add(key)
            counters[level] = None

    @staticmethod
    def _show(found: _List, level: int, counters: list[int | None]) -> str:
        own = found.levels[level]
        if own.format == "bullet":
            return bullet_text(own.text, own.run)

        pattern = own.text
        for i in range(level):
            if found.levels[i].format == "none":
                # A higher level without numbers takes the separator after its place away with it.
                pattern = re.sub(rf"%{i + 1}[^%]*(?=%)", "", pattern)

        def place(match: re.Match[str]) -> str:
            i = int(match[1]) - 1
            count = counters[i] if i <= level else None
            if count is None:
                return ""
            other = found.levels[i]
            if own.legal and other.format not in ("none", "decimalZero"):
                return str(count)
            return custom(count, other.pattern) if other.format == "custom" else displayed(count, other.format)

        return _PLACE.sub(place, pattern)

    def _list(self, num_id: str) -> _List | None:
        if num_id not in self._lists:
            self._lists[num_id] = self._build(num_id)
        return self._lists[num_id]

    def _build(self, num_id: str) -> _List | None:
        num = self._nums.get(num_id)
        if num is None:
            return None
        abstract_id, abstract = self._resolve(num)
        if abstract is None:
            return None
        levels = [Level() for _ in range(LEVELS)]
        for item in abstract.iterchildren(w("lvl")):
            i = _index(item)
            if 0 <= i < LEVELS:
                levels[i] = _level(item)
        starts: dict[int, int] = {}
        for override in num.iterchildren(w("lvlOverride")):
            i = _index(override)
            if not 0 <= i < LEVELS:
                continue
            own = override.find(w("lvl"))
            if own is not None:
                levels[i] = _level(own)
            start = override.find(w("startOverride"))
            if start is not None:
                starts[i] = _integer(start.get(VAL), 1)
        return _List(abstract_id, levels, starts)

    def _resolve(self, num: Any) -> tuple[str, Any]:
        """The abstract list of a list, through numbering styles (``numStyleLink``)."""
        for _ in range(MAX_LINKS):
            reference = num.find(w("abstractNumId"))
            key = reference.get(VAL, "") if reference is not None else ""
            abstract = self._abstract.get(key)
            link = abstract.find(w("numStyleLink")) if abstract is not None else None
            if link is None:
                return key, abstract
            linked = self._nums.get(self._style_numbers.get(link.get(VAL, ""), ""))
            if linked is None:
                defined = self._defines(link.get(VAL, ""))
                return key, defined if defined is not None else abstract
            num = linked
        return "", None

    def _defines(self, style: str) -> Any | None:
        """The abstract list that says it is the definition of a numbering style."""
        for abstract in self._abstract.values():
            link = abstract.find(w("styleLink"))
            if link is not None and link.get(VAL) == style:
                return abstract
        return None


def _index(element: Any) -> int:
    return _integer(element.get(w("ilvl")), -1)


def _integer(text: str | None, default: int) -> int:
    try:
        return max(-1, min(MAX_NUMBER, int(text or "")))
    except ValueError:
        return default


def _level(element: Any) -> Level:
    found: Properties = children(element)
    value = {name: child.get(VAL, "") for name, child in found.items()}
    number_format, pattern = _format(element, found)
    restart = found.get("lvlRestart")
    follow = value.get("suff", "tab")
    return Level(
        start=_integer(value.get("start"), 0) if "start" in found else 0,
        format=number_format,
        pattern=pattern,
        text=value.get("lvlText", ""),
        restart=_integer(restart.get(VAL), 0) if restart is not None else None,
        legal="isLgl" in found and is_on(found["isLgl"]),
        follow=LabelFollow(follow) if follow in ("tab", "space", "nothing") else LabelFollow.TAB,
        alignment={"right": Alignment.RIGHT, "end": Alignment.RIGHT, "center": Alignment.CENTRE}.get(
            value.get("lvlJc", ""), Alignment.LEFT
        ),
        style=value.get("pStyle", ""),
        paragraph=found.get("pPr"),
        run=found.get("rPr"),
    )


def _format(element: Any, found: Properties) -> tuple[str, str]:
    """(format, custom pattern); a custom format stands in an AlternateContent with a plain one beside it."""
    own = found.get("numFmt")
    if own is None:
        alternate = element.find(ALTERNATE)
        if alternate is not None:
            for branch in (CHOICE, FALLBACK):
                own = own if own is not None else alternate.find(f"{branch}/{w('numFmt')}")
    if own is None:
        return "decimal", ""
    return own.get(VAL, "decimal"), own.get(w("format"), "")
