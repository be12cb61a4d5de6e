"""Paragraph properties: indents, spacing, alignment, tabs, borders, numbers, outline levels.

Source: ECMA-376 part 1, section 17.3.1.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from engine.reading.docx.names import VAL, w
from engine.reading.docx.numbering import Label, Numbering
from engine.reading.docx.records import ParagraphRecord
from engine.reading.docx.runs import Looks, signature
from engine.reading.docx.styles import Properties, Styles, children, hexadecimal, is_on, merge_indents, number, points
from engine.reading.layout import Alignment, Border, LabelFollow, ParagraphStyle, TabStop, TextStyle

#: Indents and spacing are kept within a page's size, whatever the file says.
MAX_INDENT_PT, MAX_SPACE_PT = 400.0, 400.0
_ALIGNMENTS = {
    "center": Alignment.CENTRE,
    "right": Alignment.RIGHT,
    "end": Alignment.RIGHT,
    "both": Alignment.JUSTIFY,
    "distribute": Alignment.JUSTIFY,
}
_PROPERTIES, _STYLE, _NUMBER = w("pPr"), w("pStyle"), w("numPr")


@dataclasses.dataclass(slots=True)
class Look:
    """A paragraph's direct and inherited properties, before its content is read."""

    style_id: str
    properties: Properties
    direct: Properties
    mark_deleted: bool
    mark_inserted: bool
    mark_hidden: bool
    section: Any | None


class ParagraphLooks:
    """Works out what paragraphs look like; counts their numbers as they come."""

    def __init__(self, styles: Styles, numbering: Numbering, looks: Looks, default_tab_pt: float = 36.0) -> None:
        self._styles = styles
        self._numbering = numbering
        self._looks = looks
        self._default_tab_pt = default_tab_pt
        self._label_styles: dict[tuple[Any, ...], TextStyle] = {}
        self._default = styles.default_style("paragraph")

    def look(self, paragraph: Any) -> Look:
        """Read a ``w:p`` element's properties; counts nothing."""
        own = paragraph.find(_PROPERTIES)
        direct = children(own)
        named = direct.get("pStyle")
        style_id = named.get(VAL, "") if named is not None else self._default
        properties = dict(self._styles.paragraph(style_id))
        properties.update(merge_indents(properties, direct))
        mark = direct.get("rPr")
        deleted = mark is not None and (mark.find(w("del")) is not None or mark.find(w("moveFrom")) is not None)
        inserted = mark is not None and (mark.find(w("ins")) is not None or mark.find(w("moveTo")) is not None)
        hidden = mark is not None and (is_on(mark.find(w("vanish"))) or is_on(mark.find(w("specVanish"))))
        return Look(style_id, properties, direct, deleted, inserted, hidden, direct.get("sectPr"))

    def number(self, look: Look) -> Label | None:
        """Count the paragraph's number, if it has one."""
        num_id, level = self._number_of(look)
        return self._numbering.next_label(num_id, level) if num_id else None

    def finish(self, look: Look, label: Label | None) -> ParagraphRecord:
        """The record of a paragraph without its content."""
        record = ParagraphRecord()
        properties = look.properties
        mark = look.direct.get("rPr")
        record.size_pt = self._looks.of(look.style_id, mark)[0].size_pt
        if label is not None:
            properties = self._with_level_indents(look, label)
            record.label = label.text.strip()
            record.list_level = label.level
            record.label_follow = label.definition.follow if record.label else LabelFollow.NOTHING
            record.label_alignment = label.definition.alignment
            record.label_style = self._label_style(look, mark, label)
        record.style = paragraph_style(properties, record.size_pt, self._default_tab_pt)
        record.style_id = look.style_id
        record.contextual = is_on(properties.get("contextualSpacing"))
        record.on_grid = "snapToGrid" not in properties or is_on(properties["snapToGrid"])
        outline = properties.get("outlineLvl")
        if outline is not None:
            value = int(number(outline.get(VAL), 9.0))
            record.outline_level = value if 0 <= value < 9 else -1
        return record

    def _number_of(self, look: Look) -> tuple[str, int]:
        """(numId, level); ("", 0) without a number."""
        num_id, level = _number_property(look.direct.get("numPr"))
        style_num, style_level = self._number_of_style(look.style_id)
        if num_id is None:
            num_id = style_num
            if level is None:
                level = style_level
        elif level is None:
            level = style_level if style_num == num_id and style_level is not None else None
        if not num_id or num_id == "0":
            return "", 0
        if level is None:
            level = self._numbering.level_of_style(num_id, look.style_id)
        return num_id, max(0, min(level, 8))

    def _number_of_style(self, style_id: str) -> tuple[str | None, int | None]:
        """(numId, level) that a paragraph style gives, through what it is based on."""
        level: int | None = None
        for style in self._styles.chain(style_id):
            if style.paragraph is None:
                continue
            num_id, own_level = _number_property(style.paragraph.find(_NUMBER))
            if level is None:
                level = own_level
            if num_id is not None:
                if num_id != "0" and level is None:
                    level = self._tied_level(num_id, style_id)
                return num_id, level
        return None, level

    def _tied_level(self, num_id: str, style_id: str) -> int:
        """The level tied to the style or to the nearest style it is based on."""
        for style in self._styles.chain(style_id):
            for i in range(9):
                level = self._numbering.level(num_id, i)
                if level is not None and level.style == style.id:
                    return i
        return 0

    def _with_level_indents(self, look: Look, label: Label) -> Properties:
        """Indents of the list level go over the style's when the number is direct, under them otherwise."""
        level = children(label.definition.paragraph)
        direct = look.direct
        merged = dict(look.properties)
        given = "numPr" in direct or not self._style_indents(look.style_id)
        for name in ("ind", "tabs"):
            if name in level and (given or name not in look.properties):
                below: Properties = {name: look.properties[name]} if name in look.properties else {}
                merged.update(merge_indents(below, {name: level[name]}))
                if name in direct:
                    merged.update(merge_indents({name: merged[name]}, {name: direct[name]}))
        return merged

    def _style_indents(self, style_id: str) -> bool:
        """Whether a style that numbers sets an indent itself, at or below where it gets its number."""
        for style in self._styles.chain(style_id):
            if style.paragraph is None:
                continue
            if style.paragraph.find(w("ind")) is not None:
                return True
            if style.paragraph.find(_NUMBER) is not None:
                return False
        return False

    def _label_style(self, look: Look, mark: Any | None, label: Label) -> TextStyle:
        """The number takes the paragraph mark's look, with the level's own properties over it."""
        key = (look.style_id, id(label.definition), signature(mark))
        known = self._label_styles.get(key)
        if known is None:
            known = self._label_styles[key] = self._new_label_style(look, mark, label)
        return known

    def _new_label_style(self, look: Look, mark: Any | None, label: Label) -> TextStyle:
        merged = dict(self._styles.run(look.style_id, ""))
        merged.update({k: v for k, v in children(mark).items() if k not in ("u", "vanish", "highlight")})
        merged.update(children(label.definition.run))
        style = self._styles.text_style(merged)
        return dataclasses.replace(style, serif=True, mono=False) if label.definition.format == "bullet" else style


def _number_property(element: Any | None) -> tuple[str | None, int | None]:
    """(numId, ilvl) of a ``numPr`` element; None for what it does not say."""
    if element is None:
        return None, None
    num, level = element.find(w("numId")), element.find(w("ilvl"))
    num_id = num.get(VAL, "") if num is not None else None
    return num_id, int(number(level.get(VAL), 0.0)) if level is not None else None


def paragraph_style(properties: Properties, size_pt: float, default_tab_pt: float) -> ParagraphStyle:
    """Paragraph properties as the layout wants them."""
    left, right, first = _indents(properties.get("ind"), size_pt)
    before, after, line, least = _spacing(properties.get("spacing"), size_pt)
    alignment = properties.get("jc")
    return ParagraphStyle(
        alignment=_ALIGNMENTS.get(alignment.get(VAL, ""), Alignment.LEFT) if alignment is not None else Alignment.LEFT,
        left_pt=left,
        right_pt=right,
        first_line_pt=first,
        space_before_pt=before,
        space_after_pt=after,
        line_spacing=line,
        line_height_pt=least,
        keep_with_next=is_on(properties.get("keepNext")),
        keep_lines=is_on(properties.get("keepLines")),
        page_break_before=is_on(properties.get("pageBreakBefore")),
        tabs=_tabs(properties.get("tabs")),
        border=border(properties.get("pBdr")),
        default_tab_pt=default_tab_pt,
    )


def _clamp(value: float, limit: float) -> float:
    return max(-limit, min(limit, value))


def _indents(element: Any | None, size_pt: float) -> tuple[float, float, float]:
    """(left, right, first line) in points; indents in characters are of the paragraph's own size."""
    if element is None:
        return 0.0, 0.0, 0.0
    get = element.get

    def side(name: str, other: str) -> float:
        # Word writes both; the measure in points is right for whatever character it was taken from.
        plain = get(w(name)) or get(w(other))
        chars = get(w(name + "Chars")) or get(w(other + "Chars"))
        return points(plain) if plain else number(chars) / 100 * size_pt

    left, right = side("left", "start"), side("right", "end")
    if get(w("hanging")) is not None:
        first = -points(get(w("hanging")))
    elif get(w("firstLine")) is not None and (points(get(w("firstLine"))) or not get(w("firstLineChars"))):
        first = points(get(w("firstLine")))
    elif number(get(w("hangingChars"))) > 0:
        first = -number(get(w("hangingChars"))) / 100 * size_pt
    else:
        first = number(get(w("firstLineChars"))) / 100 * size_pt
    return _clamp(left, MAX_INDENT_PT), _clamp(right, MAX_INDENT_PT / 2), _clamp(first, MAX_INDENT_PT / 2)


def _spacing(element: Any | None, size_pt: float) -> tuple[float, float, float, float]:
    """(before, after, line multiple, least line height) in points and as a factor."""
    if element is None:
        return 0.0, 0.0, 1.0, 0.0
    get = element.get

    def space(name: str) -> float:
        lines = number(get(w(name + "Lines")))
        if get(w(name + "Autospacing")) in ("1", "true", "on"):
            return 14.0
        return min(MAX_SPACE_PT, max(0.0, lines / 100 * 12.0 if lines else points(get(w(name)))))

    line, rule = get(w("line")), get(w("lineRule"), "auto")
    multiple, least = 1.0, 0.0
    if line:
        if rule == "auto":
            multiple = min(6.0, max(0.7, number(line, 240.0) / 240))
        else:
            least = min(MAX_SPACE_PT, max(0.0, points(line)))
            if rule == "exact":
                # Never smaller than the letters: lines must not overprint each other.
                multiple, least = 0.7, max(least, size_pt)
    return space("before"), space("after"), multiple, least


def _tabs(element: Any | None) -> tuple[TabStop, ...]:
    if element is None:
        return ()
    stops = []
    for tab in element.iterchildren(w("tab")):
        sort = tab.get(VAL, "left")
        if sort in ("clear", "bar"):
            continue
        alignment = {"right": Alignment.RIGHT, "end": Alignment.RIGHT, "center": Alignment.CENTRE}.get(
            sort, Alignment.LEFT
        )
        position = points(tab.get(w("pos")))
        if 0 < position < 1500:
            stops.append(
                TabStop(position, alignment, {"dot": ".", "underscore": "_"}.get(tab.get(w("leader"), ""), ""))
            )
    return tuple(sorted(stops[:64], key=lambda s: s.position_pt))


def edge_width(element: Any | None) -> float:
    """Width in points of a border edge (eighths of a point in the file), 0 for none."""
    if element is None or element.get(VAL, "none") in ("none", "nil"):
        return 0.0
    return min(6.0, max(0.25, number(element.get(w("sz")), 4.0) / 8))


def border(element: Any | None) -> Border:
    """The edges of a border element (``pBdr``) and the colour of the first of them that has one."""
    if element is None:
        return Border()
    edges = children(element)
    right, left = edges.get("right", edges.get("end")), edges.get("left", edges.get("start"))
    top, bottom = edges.get("top"), edges.get("bottom")
    colour = edge_colour(top, bottom, left, right)
    return Border(edge_width(top), edge_width(right), edge_width(bottom), edge_width(left), colour)


def edge_colour(*edges: Any | None) -> int:
    """The colour of the first edge that is drawn in one, else black."""
    for edge in edges:
        if edge is not None and edge_width(edge) > 0:
            return max(0, hexadecimal(edge.get(w("color"), "auto")))
    return 0
