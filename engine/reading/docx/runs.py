"""The inside of a paragraph: runs, fields, revisions, symbols, notes' marks and text boxes."""

from __future__ import annotations

import contextlib
import dataclasses
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from engine.document import CrossReferenceKind, RevisionView
from engine.reading.docx.fields import FieldStack, stands_for
from engine.reading.docx.names import ALTERNATE, CHOICE, EMBED, FALLBACK, MATH, MATH_PARAGRAPH, MATH_TEXT, VAL, WP, A, w
from engine.reading.docx.records import CommentMark, RunRecord
from engine.reading.docx.references import ReferenceMark, bookmark, bookmark_of, note_target
from engine.reading.docx.styles import Properties, Styles, children, is_on, number
from engine.reading.docx.symbols import symbol
from engine.reading.layout import TextStyle

#: English Metric Units in a point.
EMU = 12_700
INSERTED_COLOUR, DELETED_COLOUR = 0x0066AA, 0xAA0000

#: Wrappers whose content is simply part of the paragraph.
_THROUGH = frozenset(map(w, ("smartTag", "customXml", "dir", "bdo", "sdtContent", "rubyBase")))
_INSERTED = frozenset(map(w, ("ins", "moveTo")))
_DELETED = frozenset(map(w, ("del", "moveFrom")))
_PLAIN = {
    w("tab"): "\t",
    w("ptab"): "\t",
    w("cr"): "\n",
    w("noBreakHyphen"): "\u2011",
    w("pgNum"): "",
}
_RUN, _TEXT, _DELETED_TEXT, _INSTRUCTION = w("r"), w("t"), w("delText"), w("instrText")
_BREAK, _FIELD, _SYMBOL, _SDT = w("br"), w("fldChar"), w("sym"), w("sdt")
_SIMPLE_FIELD, _RUBY, _BOX = w("fldSimple"), w("ruby"), w("txbxContent")
_LINK = w("hyperlink")
BOOKMARK = w("bookmarkStart")
_DRAWN = frozenset(map(w, ("drawing", "pict", "object")))
_NOTES = {w("footnoteReference"): "footnote", w("endnoteReference"): "endnote"}
_RUN_PROPERTIES = w("rPr")
#: The marks of comments, and what they say of the words beside them.
COMMENT_MARKS = {w("commentRangeStart"): "start", w("commentRangeEnd"): "end", w("commentReference"): "at"}
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_WHITE = str.maketrans("\t\r\n", "   ")


@dataclasses.dataclass(slots=True)
class Inline:
    """What a paragraph's content gave: runs, notes as (sort, id), text boxes' content elements, pictures.

    A picture is (relationship id, width, height), in points.
    """

    runs: list[RunRecord] = dataclasses.field(default_factory=list)
    notes: list[tuple[str, str]] = dataclasses.field(default_factory=list)
    boxes: list[Any] = dataclasses.field(default_factory=list)
    pictures: list[tuple[str, float, float]] = dataclasses.field(default_factory=list)
    comments: list[CommentMark] = dataclasses.field(default_factory=list)
    references: list[ReferenceMark] = dataclasses.field(default_factory=list)

    @property
    def length(self) -> int:
        """How many characters the runs hold."""
        return sum(len(run.text) for run in self.runs)


def signature(properties: Any | None) -> tuple[Any, ...]:
    """What tells property elements apart: their children's names and attributes."""
    if properties is None:
        return ()
    return tuple([(child.tag, *child.attrib.items()) for child in properties])


class Looks:
    """Run properties to text styles, each distinct combination worked out once."""

    def __init__(self, styles: Styles) -> None:
        self._styles = styles
        self._known: dict[tuple[Any, ...], tuple[TextStyle, bool]] = {}

    def of(self, paragraph_style: str, properties: Any | None) -> tuple[TextStyle, bool]:
        """(style, whether the text is hidden) of a run with direct ``properties`` in a paragraph style."""
        key = (paragraph_style, signature(properties))
        known = self._known.get(key)
        if known is None:
            direct = children(properties)
            named = direct.get("rStyle")
            merged: Properties = dict(
                self._styles.run(paragraph_style, named.get(VAL, "") if named is not None else "")
            )
            merged.update(direct)
            known = self._styles.text_style(merged), is_on(merged.get("vanish"))
            self._known[key] = known
        return known


class InlineReader:
    """Reads paragraphs' content of one story; ``note_mark`` numbers a foot- or endnote reference."""

    def __init__(
        self,
        looks: Looks,
        view: RevisionView,
        fields: FieldStack,
        counts: Counter[str],
        note_mark: Callable[[str, str], str],
    ) -> None:
        self._looks = looks
        self._view = view
        self._fields = fields
        self._counts = counts
        self._note_mark = note_mark
        self._into = Inline()
        self._paragraph_style = ""
        #: The references that open fields show.
        self._shown: list[int] = []

    def read(self, paragraph: Any, paragraph_style: str) -> Inline:
        """The content of a ``w:p`` element."""
        self._into = Inline()
        self._paragraph_style = paragraph_style
        self._walk(paragraph, 0)
        return self._into

    def _walk(self, parent: Any, revision: int) -> None:
        """``revision``: 1 inside an insertion, -1 inside a deletion."""
        for element in parent:
            tag = element.tag
            if tag == _RUN:
                self._run(element, revision)
            elif tag == _LINK:
                with self._referring(CrossReferenceKind.LINK, element.get(w("anchor"), "")):
                    self._walk(element, revision)
            elif tag in _THROUGH:
                self._walk(element, revision)
            elif tag in _INSERTED or tag in _DELETED:
                self._revised(element, revision, inserted=tag in _INSERTED)
            elif tag in (_SDT, _RUBY):
                for inner in element.iterchildren(w("sdtContent"), w("rubyBase")):
                    self._walk(inner, revision)
            elif tag == _SIMPLE_FIELD:
                self._simple_field(element, revision)
            elif tag in COMMENT_MARKS or tag == BOOKMARK:
                self._mark(element)
            elif tag in (MATH, MATH_PARAGRAPH):
                formula = "".join(part.text or "" for part in element.iter(MATH_TEXT))
                self._add(formula, self._looks.of(self._paragraph_style, None)[0], revision)
            elif tag == ALTERNATE:
                branch = chosen_branch(element)
                if branch is not None:
                    self._walk(branch, revision)

    def _revised(self, element: Any, revision: int, *, inserted: bool) -> None:
        self._counts["insertions" if inserted else "deletions"] += 1
        if inserted and self._view is not RevisionView.ORIGINAL:
            self._walk(element, revision or 1)
        elif not inserted and self._view is not RevisionView.ACCEPTED:
            self._walk(element, -1)

    def _simple_field(self, element: Any, revision: int) -> None:
        live = stands_for(element.get(w("instr"), ""))
        if live and self._fields.live_pages:
            first = element.find(_RUN)
            properties = first.find(_RUN_PROPERTIES) if first is not None else None
            self._add(live, self._looks.of(self._paragraph_style, properties)[0], revision)
        else:
            with self._referring(CrossReferenceKind.FIELD, bookmark_of(element.get(w("instr"), ""))):
                self._walk(element, revision)

    @contextlib.contextmanager
    def _referring(self, kind: CrossReferenceKind, target: str) -> Iterator[None]:
        """What is read inside are the words of a cross-reference; nothing without a target."""
        key = self._counts["references"]
        if target:
            self._counts["references"] += 1
            self._into.references.append(ReferenceMark(kind, "start", target, self._into.length, key))
        yield
        if target:
            self._into.references.append(ReferenceMark(kind, "end", target, self._into.length, key))

    def _field_mark(self, element: Any, style: TextStyle, revision: int) -> None:
        """A ``fldChar``: where the words of a REF field begin and end is noted, over paragraphs too."""
        before = self._fields.bookmark
        shown = self._fields.mark(element)
        after = self._fields.bookmark
        references = self._into.references
        if before and before != after and self._shown:
            at = self._into.length
            references.append(ReferenceMark(CrossReferenceKind.FIELD, "end", before, at, self._shown.pop()))
        if after and after != before:
            self._shown.append(self._counts["references"])
            self._counts["references"] += 1
            at = self._into.length
            references.append(ReferenceMark(CrossReferenceKind.FIELD, "start", after, at, self._shown[-1]))
        self._put(shown, style, revision)

    def _run(self, run: Any, revision: int) -> None:
        style, hidden = self._looks.of(self._paragraph_style, run.find(_RUN_PROPERTIES))
        if hidden:
            if any((t.text or "").strip() for t in run.iterchildren(_TEXT)):
                self._counts["hidden"] += 1
            for mark in run.iterchildren(_FIELD):
                self._fields.mark(mark)
            for part in run.iterchildren(_INSTRUCTION):
                self._fields.instruct(part.text or "")
            return
        for element in run:
            self._run_part(element, style, revision)

    def _run_part(self, element: Any, style: TextStyle, revision: int) -> None:
        tag = element.tag
        if tag == _TEXT or (tag == _DELETED_TEXT and revision < 0):
            self._add(_plain_text(element), style, revision)
        elif tag == _FIELD:
            self._field_mark(element, style, revision)
        elif tag == _INSTRUCTION:
            self._fields.instruct(element.text or "")
        elif tag in _PLAIN:
            self._add(_PLAIN[tag], style, revision)
        elif tag == _BREAK:
            self._break(element, style, revision)
        elif tag == _SYMBOL:
            self._add(_symbol(element), style, revision)
        elif tag in _NOTES:
            self._note(_NOTES[tag], element, style, revision)
        elif tag in _DRAWN or tag == ALTERNATE:
            self._drawn(element)
        elif tag in COMMENT_MARKS:
            self._mark(element)
        elif tag == _RUBY:
            for base in element.iterchildren(w("rubyBase")):
                self._walk(base, revision)

    def _mark(self, mark: Any) -> None:
        into = self._into
        if mark.tag == BOOKMARK:
            into.references.append(bookmark(mark, into.length))
            return
        into.comments.append(CommentMark(mark.get(w("id"), ""), COMMENT_MARKS[mark.tag], into.length))

    def _add(self, text: str, style: TextStyle, revision: int) -> None:
        if not self._fields.hidden:
            self._put(text, style, revision)

    def _put(self, text: str, style: TextStyle, revision: int) -> None:
        """Add text whatever the fields around it."""
        if not text:
            return
        if self._view is RevisionView.BOTH and revision:
            deleted = revision < 0
            style = dataclasses.replace(
                style,
                strike=style.strike or deleted,
                underline=style.underline or not deleted,
                colour=DELETED_COLOUR if deleted else INSERTED_COLOUR,
            )
        runs = self._into.runs
        if runs and runs[-1].style is style:
            runs[-1].text += text
        else:
            runs.append(RunRecord(text, style))

    def _break(self, element: Any, style: TextStyle, revision: int) -> None:
        if element.get(w("type")) == "page":
            if not self._fields.hidden:
                self._into.runs.append(RunRecord("", dataclasses.replace(style), page_break=True))
        else:
            self._add("\n", style, revision)

    def _note(self, sort: str, element: Any, style: TextStyle, revision: int) -> None:
        if self._fields.hidden:
            return
        key = element.get(w("id"), "")
        mark = self._note_mark(sort, key)
        if not mark:
            return
        self._into.notes.append((sort, key))
        if element.get(w("customMarkFollows")) not in ("1", "true", "on"):
            with self._referring(CrossReferenceKind.NOTE, note_target(sort, key)):
                self._add(mark, dataclasses.replace(style, raised=1), revision)

    def _drawn(self, element: Any) -> None:
        found: list[Any] = []
        shown = _find_boxes(element, found)
        self._into.boxes.extend(found)
        pictures = [] if found else list(_pictures(element))
        self._into.pictures.extend(pictures)
        if shown and not found and not pictures:
            self._counts["pictures"] += 1


def _pictures(element: Any) -> Iterator[tuple[str, float, float]]:
    """The pictures of a drawing that stand in or beside the text; not those behind it."""
    for place in element.iter(f"{{{WP}}}inline", f"{{{WP}}}anchor"):
        extent = place.find(f"{{{WP}}}extent")
        blip = next(place.iter(f"{{{A}}}blip"), None)
        if extent is None or blip is None or place.get("behindDoc") in ("1", "true"):
            continue
        width, height = number(extent.get("cx")) / EMU, number(extent.get("cy")) / EMU
        if blip.get(EMBED) and width > 0 and height > 0:
            yield blip.get(EMBED), width, height


def chosen_branch(element: Any) -> Any | None:
    """The one branch of an AlternateContent that is read: the first choice, else the fallback."""
    choice = element.find(CHOICE)
    return choice if choice is not None else element.find(FALLBACK)


def _plain_text(element: Any) -> str:
    """Text as Word shows it: line feeds and tabs of the XML itself are spaces, unpreserved edges fall away."""
    text: str = element.text or ""
    if element.get(_SPACE) != "preserve":
        text = text.strip(" \t\r\n")
    return text.translate(_WHITE) if "\n" in text or "\t" in text or "\r" in text else text


def _symbol(element: Any) -> str:
    try:
        code = int(element.get(w("char"), ""), 16)
    except ValueError:
        return ""
    return symbol(code, element.get(w("font"), ""))


def _find_boxes(element: Any, found: list[Any]) -> bool:
    """Collect the contents of text boxes, each once; answers whether a picture was met."""
    if element.tag == _BOX:
        found.append(element)
        return False
    if element.tag == ALTERNATE:
        branch = chosen_branch(element)
        return branch is not None and _find_boxes(branch, found)
    picture = isinstance(element.tag, str) and element.tag.endswith(("}blip", "}imagedata"))
    for child in element:
        picture = _find_boxes(child, found) or picture
    return picture
