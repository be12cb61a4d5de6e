"""Styles: what a paragraph or run looks like after document defaults, style chains and direct formatting.

Source: ECMA-376 part 1, sections 17.7 (styles) and 17.3 (paragraph and run properties).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

from engine.reading.docx.names import VAL, A, w
from engine.reading.layout import TextStyle

MAX_CHAIN = 64
#: Sizes out of this range (points) are a mistake or a trick.
MIN_SIZE_PT, MAX_SIZE_PT = 1.0, 96.0

#: Properties of runs and paragraphs as name → element; later ones win.
Properties = dict[str, Any]

_MONO = ("courier", "consolas", "mono", "menlo", "typewriter")
_SERIF = (
    "times", "georgia", "garamond", "cambria", "book antiqua", "bookman", "century", "palatino", "roman", "serif",
    "caslon", "baskerville", "minion", "song", "simsun", "宋", "fangsong", "仿宋", "kaiti", "楷", "mincho", "batang",
    "constantia", "didot", "merriweather", "lora", "symbol",
)  # fmt: skip
_HIGHLIGHTS = {
    "yellow": 0xFFFF00, "green": 0x00FF00, "cyan": 0x00FFFF, "magenta": 0xFF00FF, "blue": 0x0000FF, "red": 0xFF0000,
    "darkBlue": 0x00008B, "darkCyan": 0x008B8B, "darkGreen": 0x006400, "darkMagenta": 0x8B008B, "darkRed": 0x8B0000,
    "darkYellow": 0x808000, "darkGray": 0xA9A9A9, "lightGray": 0xD3D3D3, "black": 0x000000, "white": 0xFFFFFF,
}  # fmt: skip
_TOGGLES = ("b", "i", "caps", "smallCaps", "strike", "vanish")


def is_on(element: Any) -> bool:
    """A toggle property: present without a value, or with a true one."""
    return element is not None and element.get(VAL, "true") not in ("0", "false", "off", "none")


def number(text: str | None, default: float = 0.0) -> float:
    """A measure in twentieths of a point or half-points, or with a unit; ``default`` when it is none."""
    if not text:
        return default
    units = {"pt": 20.0, "in": 1440.0, "cm": 566.93, "mm": 56.693, "pc": 240.0, "pi": 240.0}
    scale = units.get(text[-2:], 1.0)
    try:
        value = float(text[:-2] if text[-2:] in units else text) * scale
    except ValueError:
        return default
    return value if abs(value) < 1e8 else default


def points(text: str | None, default: float = 0.0) -> float:
    """Twentieths of a point as points."""
    return number(text, default * 20) / 20


def children(element: Any) -> Properties:
    """The child elements of a property element, by local name."""
    if element is None:
        return {}
    return {child.tag.rpartition("}")[2]: child for child in element if isinstance(child.tag, str)}


@dataclasses.dataclass(slots=True)
class Style:
    """One style as declared."""

    id: str
    based_on: str
    paragraph: Any
    run: Any
    table: Any
    name: str


class Styles:
    """The styles part of a file; works without one too."""

    def __init__(self, root: Any | None, theme: Any | None) -> None:
        self._styles: dict[str, Style] = {}
        self._default: dict[str, str] = {}
        self._fonts = _theme_fonts(theme)
        self._paragraph_cache: dict[str, Properties] = {}
        self._run_cache: dict[str, Properties] = {}
        self._look_cache: dict[tuple[str, str], Properties] = {}
        self.default_run: Properties = {}
        self.default_paragraph: Properties = {}
        if root is None:
            return
        defaults = root.find(w("docDefaults"))
        if defaults is not None:
            self.default_run = children(defaults.find(f"{w('rPrDefault')}/{w('rPr')}"))
            self.default_paragraph = children(defaults.find(f"{w('pPrDefault')}/{w('pPr')}"))
        for item in root.iterchildren(w("style")):
            self._add(item)

    def _add(self, item: Any) -> None:
        key = item.get(w("styleId"), "")
        based = item.find(w("basedOn"))
        name = item.find(w("name"))
        self._styles[key] = Style(
            key,
            based.get(VAL, "") if based is not None else "",
            item.find(w("pPr")),
            item.find(w("rPr")),
            item.find(w("tblPr")),
            name.get(VAL, "") if name is not None else "",
        )
        if item.get(w("default")) in ("1", "true", "on"):
            self._default[item.get(w("type"), "")] = key

    def default_style(self, sort: str) -> str:
        """The id of the default style of a sort (``paragraph``, ``table``), "" without one."""
        return self._default.get(sort, "")

    def chain(self, style_id: str) -> list[Style]:
        """A style and what it is based on, nearest first; loops are cut."""
        found: list[Style] = []
        seen: set[str] = set()
        while style_id in self._styles and style_id not in seen and len(found) < MAX_CHAIN:
            seen.add(style_id)
            found.append(self._styles[style_id])
            style_id = found[-1].based_on
        return found

    def paragraph(self, style_id: str) -> Properties:
        """Paragraph properties of a style with its chain, document defaults under them."""
        found = self._paragraph_cache.get(style_id)
        if found is None:
            found = dict(self.default_paragraph)
            for style in reversed(self.chain(style_id)):
                found.update(merge_indents(found, children(style.paragraph)))
            self._paragraph_cache[style_id] = found
        return found

    def run(self, paragraph_style: str, character_style: str) -> Properties:
        """Run properties of a paragraph style and a character style, document defaults under them."""
        key = (paragraph_style, character_style)
        found = self._look_cache.get(key)
        if found is None:
            found = dict(self.default_run)
            below = self._run_chain(paragraph_style)
            above = self._run_chain(character_style)
            found.update(below)
            found.update(above)
            for name in _TOGGLES:
                # Source: ECMA-376 part 1, 17.7.3: a toggle set in both kinds of styles cancels itself.
                if is_on(below.get(name)) and is_on(above.get(name)):
                    found.pop(name)
            self._look_cache[key] = found
        return found

    def _run_chain(self, style_id: str) -> Properties:
        found = self._run_cache.get(style_id)
        if found is None:
            found = {}
            for style in reversed(self.chain(style_id)):
                found.update(children(style.run))
            self._run_cache[style_id] = found
        return found

    def text_style(self, properties: Properties) -> TextStyle:
        """Run properties as the layout wants them."""
        get = properties.get
        size = number(_val(get("sz")), 20.0) / 2
        colour = _colour(get("color"))
        underline = _val(get("u")) or "none"
        position = _val(get("vertAlign"))
        highlight = _HIGHLIGHTS.get(_val(get("highlight")) or "", -1)
        if highlight < 0:
            highlight = shade(get("shd"))
        family = self._family(get("rFonts"))
        return TextStyle(
            size_pt=min(MAX_SIZE_PT, max(MIN_SIZE_PT, size)),
            bold=is_on(get("b")),
            italic=is_on(get("i")),
            underline=underline != "none",
            strike=is_on(get("strike")) or is_on(get("dstrike")),
            colour=colour,
            highlight=highlight,
            raised={"superscript": 1, "subscript": -1}.get(position or "", 0),
            upper=is_on(get("caps")) or is_on(get("smallCaps")),
            serif=family == "serif",
            mono=family == "mono",
            spacing_pt=max(-size / 4, min(size, points(_val(get("spacing"))))),
        )

    def font_name(self, fonts: Any | None) -> str:
        """The Latin typeface that an ``rFonts`` element names, directly or through the theme."""
        if fonts is None:
            return ""
        theme = fonts.get(w("asciiTheme"))
        if theme:
            return self._fonts.get("major" if theme.startswith("major") else "minor", "")
        return str(fonts.get(w("ascii")) or fonts.get(w("hAnsi")) or fonts.get(w("eastAsia")) or "")

    def _family(self, fonts: Any | None) -> str:
        name = self.font_name(fonts).lower()
        if any(part in name for part in _MONO):
            return "mono"
        if not name or (any(part in name for part in _SERIF) and "sans" not in name):
            return "serif"
        return "sans"


def merge_indents(below: Properties, above: Properties) -> Properties:
    """Indents and spacing are inherited attribute by attribute, everything else element by element."""
    result = dict(above)
    for name in ("ind", "spacing"):
        if name in below and name in above:
            joined = dict(below[name].attrib)
            own = above[name].attrib
            if w("hanging") in own or w("firstLine") in own:
                joined.pop(w("hanging"), None)
                joined.pop(w("firstLine"), None)
                joined.pop(w("hangingChars"), None)
                joined.pop(w("firstLineChars"), None)
            joined.update(own)
            copy = above[name].makeelement(above[name].tag, joined)
            result[name] = copy
    return result


def shade(element: Any | None) -> int:
    """The fill of a ``shd`` element as 0xRRGGBB, -1 for none."""
    if element is None:
        return -1
    fill = element.get(w("fill"), "auto")
    return hexadecimal(fill) if fill != "auto" else -1


def _val(element: Any | None) -> str | None:
    return element.get(VAL) if element is not None else None


def hexadecimal(text: str) -> int:
    """A colour of six hexadecimal digits as 0xRRGGBB, -1 for anything else."""
    try:
        return int(text, 16) & 0xFFFFFF if len(text) == 6 else -1
    except ValueError:
        return -1


def _colour(element: Any | None) -> int:
    return max(0, hexadecimal(_val(element) or "auto"))


def _theme_fonts(theme: Any | None) -> dict[str, str]:
    if theme is None:
        return {}
    found = {}
    for sort in ("major", "minor"):
        for latin in _first(theme.iter(f"{{{A}}}{sort}Font")):
            item = latin.find(f"{{{A}}}latin")
            if item is not None:
                found[sort] = item.get("typeface", "")
    return found


def _first(items: Iterable[Any]) -> list[Any]:
    return [next(iter(items))] if items is not None and (items := list(items)) else []
