"""The Document: one canonical text, a box per character, the clause tree, the sentences.

Every span in Antinomy is ``[start, end)`` in code points of :attr:`Document.text`. The text is never
normalised in place; whoever needs lower case or NFKC keeps a map back to these offsets.

The small records opt out of garbage collection (``gc=False``): they cannot form cycles, and tens of
thousands of them made each full collection pause the window for 40 ms.
"""

from __future__ import annotations

import bisect
import enum
from collections.abc import Iterator
from functools import cached_property

import msgspec
import numpy as np
from numpy.typing import NDArray

#: Who made a Word file's pages when it was not we: see :attr:`Document.rendered_by`.
LIBREOFFICE = "libreoffice"


class Media(enum.StrEnum):
    """What kind of file a document was read from."""

    PDF = "pdf"
    DOCX = "docx"
    TEXT = "text"
    MARKDOWN = "markdown"


class ClauseKind(enum.StrEnum):
    """The place of a clause in a contract's structure."""

    TITLE = "title"
    PREAMBLE = "preamble"
    RECITAL = "recital"
    ARTICLE = "article"
    CLAUSE = "clause"
    ITEM = "item"
    DEFINITION = "definition"
    SCHEDULE = "schedule"
    TABLE_ROW = "table_row"
    FOOTNOTE = "footnote"
    CONTENTS = "contents"
    SIGNATURE = "signature"
    PARAGRAPH = "paragraph"


class FurnitureKind(enum.StrEnum):
    """What stands on a page without being part of the contract's text."""

    HEADER = "header"
    FOOTER = "footer"
    PAGE_NUMBER = "page_number"
    LINE_NUMBER = "line_number"
    STAMP = "stamp"


class Notice(msgspec.Struct, frozen=True, gc=False):
    """One sentence to the reader of a document about its reading (a page without text, say).

    ``code`` is a stable word for programs (``no_text_layer``), ``page`` is an index or -1 for all.
    """

    code: str
    text: str
    page: int = -1


class Page(msgspec.Struct, frozen=True, gc=False):
    """A page as displayed (rotation and crop applied): size in PDF points, its span of the text."""

    index: int
    width_pt: float
    height_pt: float
    start: int
    end: int
    label: str = ""


class Furniture(msgspec.Struct, frozen=True, gc=False):
    """A running header, page number or stamp: its text is kept apart from the canonical text."""

    kind: FurnitureKind
    page: int
    text: str
    box: tuple[float, float, float, float]


class RevisionView(enum.StrEnum):
    """Which state of tracked changes is read: all accepted, none accepted, or both shown with marks."""

    ACCEPTED = "accepted"
    ORIGINAL = "original"
    BOTH = "both"


class Revisions(msgspec.Struct, frozen=True, gc=False):
    """The tracked changes of a document: how it was read, and how many places they insert or delete."""

    view: RevisionView
    insertions: int
    deletions: int


class Remark(msgspec.Struct, frozen=True, gc=False):
    """What a person wrote beside the text: a comment of a Word file, an annotation of a PDF. Not part of the text.

    Attributes:
        kind: ``comment`` of a Word file, else the PDF's subtype in lower case (``highlight``, ``text``, ``stamp`` …).
        author: as the file names her; may be empty, as may ``text`` (a highlight without a word).
        page: index of the page where it stands.
        start, end: the words it concerns; -1 both where it concerns none.
        box: where it stands on the page as displayed, in points; four zeros when only the words say so.
        date: as the file has it, in ISO 8601; may be empty.
    """

    kind: str
    author: str
    text: str
    page: int
    start: int = -1
    end: int = -1
    box: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    date: str = ""


class UncertainWord(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A word that was recognised in a picture and may well be wrong: its span and confidence, 0..1."""

    start: int
    end: int
    confidence: float


class OutlineEntry(msgspec.Struct, frozen=True, gc=False):
    """A line of the outline (bookmarks) that a PDF brings along.

    Attributes:
        title: as the file has it.
        level: 0 at the top.
        page: index of the page that it opens, -1 for none of this file's.
        y_pt: how far down that page as displayed, in points; -1 when the file does not say.
        start: where in the text the heading stands that it names, -1 when none was found.
    """

    title: str
    level: int
    page: int
    y_pt: float = -1.0
    start: int = -1


class CrossReferenceKind(enum.StrEnum):
    """What makes a cross-reference: a field or a link of the file, or the mark of a footnote or endnote."""

    FIELD = "field"
    LINK = "link"
    NOTE = "note"


class CrossReference(msgspec.Struct, frozen=True, gc=False):
    """Words that the file itself ties to another place: the words' span, the place, and the clause there.

    ``clause`` is the id of the innermost clause around ``target`` (of a note: the footnote), "" for none.
    ``target`` is -1 for a field that leads to a place which is no longer in the file.
    """

    kind: CrossReferenceKind
    start: int
    end: int
    target: int
    clause: str = ""


class Clause(msgspec.Struct, frozen=True, gc=False):
    """A node of the clause tree.

    Attributes:
        id: stable in an unchanged document (``c0``, ``c1``, … in reading order).
        number: as displayed, with its ancestors when those are needed to read it: ``9.1(a)``, ``第三条``.
        path: the number as a path, integers and lower-case letters: ``(9, 1, "a")``; empty without a number.
        label: only what is printed at this place: ``(a)``, ``Section 9.1``, ``第三条``.
        heading: the heading's words without number or closing full stop; may be empty.
        level: 0 for the top of its subtree; children are one deeper than their parent.
        start, end: the clause's whole span, its children included, number and heading included.
        body_start: where the words after number and heading begin (equal to ``end`` when there are none).
        parent: id of the parent, "" at the top.
        page: index of the page where it starts.
        language: ``en``, ``zh`` or ``und``.
    """

    id: str
    number: str
    path: tuple[int | str, ...]
    label: str
    heading: str
    level: int
    kind: ClauseKind
    start: int
    end: int
    body_start: int
    parent: str
    page: int
    language: str


class Sentence(msgspec.Struct, frozen=True, gc=False):
    """A sentence or a list item, without its clause number; ``clause`` is the innermost clause's id.

    ``lead_in`` is the index of the sentence that introduces a list item ("The Seller shall:"), or -1.
    """

    start: int
    end: int
    clause: str
    lead_in: int = -1


class CharacterBoxes:
    """A box and a page for each code point of the canonical text.

    ``rect`` is float32 ``[n, 4]`` (x0, y0, x1, y1 in PDF points on the page as displayed, origin top
    left); ``page`` is int32 ``[n]``. A character without ink of its own (a line break that became a
    space) has an empty box (x0 == x1) at the end of the one before it.
    """

    __slots__ = ("page", "rect")

    def __init__(self, rect: NDArray[np.float32], page: NDArray[np.int32]) -> None:
        if rect.ndim != 2 or rect.shape[1] != 4 or page.shape != (rect.shape[0],):
            raise ValueError(f"boxes of shape {rect.shape} do not match pages of shape {page.shape}")
        self.rect = rect
        self.page = page

    def __len__(self) -> int:
        return len(self.page)

    @classmethod
    def empty(cls) -> CharacterBoxes:
        """No boxes at all, as the engine gets a document: it needs none."""
        return cls(np.zeros((0, 4), np.float32), np.zeros(0, np.int32))


class Document(msgspec.Struct, frozen=True, eq=False, dict=True, omit_defaults=True):
    """A contract as read: see the module's docstring.

    ``id`` is ``sha256:`` and the hex digest of the file's bytes. ``boxes`` is empty in the engine.
    Clauses are in reading order (parents before children); sentences too. ``uncertain`` lists, in order,
    the words of recognised pages that may well be wrong. ``revisions`` is None without tracked changes.
    ``outline`` and ``cross_references`` are what the file itself brings along, not what the text says.
    ``rendered_by`` is :data:`LIBREOFFICE` where that made a Word file's pages; empty for the file's own or ours.
    """

    id: str
    name: str
    media: Media
    language: str
    text: str
    pages: tuple[Page, ...]
    clauses: tuple[Clause, ...]
    sentences: tuple[Sentence, ...]
    furniture: tuple[Furniture, ...]
    notices: tuple[Notice, ...]
    boxes: CharacterBoxes
    uncertain: tuple[UncertainWord, ...] = ()
    revisions: Revisions | None = None
    remarks: tuple[Remark, ...] = ()
    outline: tuple[OutlineEntry, ...] = ()
    cross_references: tuple[CrossReference, ...] = ()
    rendered_by: str = ""

    @cached_property
    def clause_by_id(self) -> dict[str, Clause]:
        """The clauses, by id."""
        return {clause.id: clause for clause in self.clauses}

    @cached_property
    def _page_starts(self) -> list[int]:
        return [page.start for page in self.pages]

    @cached_property
    def _clause_starts(self) -> list[int]:
        return [clause.start for clause in self.clauses]

    @cached_property
    def _sentence_starts(self) -> list[int]:
        return [sentence.start for sentence in self.sentences]

    def page_at(self, offset: int) -> int:
        """Index of the page that shows the character at ``offset`` (0 for a document without pages)."""
        return max(0, bisect.bisect_right(self._page_starts, offset) - 1)

    def clause_at(self, offset: int) -> Clause | None:
        """The innermost clause around ``offset``, or None between clauses."""
        i = bisect.bisect_right(self._clause_starts, offset) - 1
        clause = self.clauses[i] if i >= 0 else None
        while clause is not None and not clause.start <= offset < clause.end:
            clause = self.clause_by_id.get(clause.parent)
        return clause

    def sentence_at(self, offset: int) -> Sentence | None:
        """The sentence around ``offset``, or None between sentences."""
        i = bisect.bisect_right(self._sentence_starts, offset) - 1
        if i >= 0 and self.sentences[i].start <= offset < self.sentences[i].end:
            return self.sentences[i]
        return None

    def quote(self, start: int, end: int) -> str:
        """The text at a span, exactly."""
        return self.text[start:end]

    def ancestors(self, clause: Clause) -> Iterator[Clause]:
        """The clause's parents, from the nearest up."""
        parent = self.clause_by_id.get(clause.parent)
        while parent is not None:
            yield parent
            parent = self.clause_by_id.get(parent.parent)

    def without_boxes(self) -> Document:
        """The same document as the engine gets it."""
        return msgspec.structs.replace(self, boxes=CharacterBoxes.empty())
