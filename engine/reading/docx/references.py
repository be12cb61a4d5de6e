"""Cross-references that a Word file carries as fields, links and notes: their words and where they lead.

Source: ECMA-376 part 1, sections 17.16.5.51 (REF), 17.16.22 (hyperlink anchors), 17.13.6 (bookmarks), 17.11 (notes).
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from engine.document import CrossReference, CrossReferenceKind
from engine.reading.docx.names import w

if TYPE_CHECKING:
    from engine.reading.docx.records import ParagraphRecord

#: A file with more cross-references than this keeps the first ones.
MAX_REFERENCES = 20_000
#: Words longer than this are no reference but text that a field repeats.
MAX_WORDS = 300
#: A bookmark that Word's dialogue for cross-references made; those of other names may come from a SET or ASK field.
_MADE = re.compile(r"_Ref\d+$")
_REFERENCE = re.compile(r"\s*(?:REF|NOTEREF)\s+(?P<name>[^\s\\]+)", re.IGNORECASE)


@dataclasses.dataclass(frozen=True, slots=True)
class ReferenceMark:
    """Where a reference's words begin or end, or (``place`` "target") what it leads to stands.

    ``key`` tells references apart; ``target`` names the bookmark or note; ``offset`` counts characters into
    the paragraph.
    """

    kind: CrossReferenceKind
    place: str
    target: str
    offset: int
    key: int = -1


def bookmark_of(instruction: str) -> str:
    """The bookmark that a REF or NOTEREF field shows, "" for other fields."""
    match = _REFERENCE.match(instruction)
    return match["name"] if match else ""


def bookmark(element: Any, offset: int) -> ReferenceMark:
    """The mark of a ``bookmarkStart``, so many characters into its paragraph."""
    return ReferenceMark(CrossReferenceKind.FIELD, "target", element.get(w("name"), ""), offset)


def note_target(sort: str, key: str) -> str:
    """How a note is named as a target; no bookmark's name holds a colon."""
    return f"{sort}:{key}"


class ReferencePlaces:
    """Collects where in the growing text references and their targets stand."""

    def __init__(self) -> None:
        self._targets: dict[str, int] = {}
        self._starts: dict[int, tuple[ReferenceMark, int]] = {}
        self._found: list[tuple[ReferenceMark, int, int]] = []

    def take(self, record: ParagraphRecord, before: int, length: int, end: int) -> None:
        """Note the marks in a piece of a paragraph just appended; see :meth:`CommentPlaces.take`."""
        start = max(0, end - length)
        for mark in record.references:
            if not before <= mark.offset <= before + length:
                continue
            at = min(end, start + mark.offset - before)
            if mark.place == "target":
                self._targets.setdefault(mark.target, at)
            elif mark.place == "start":
                self._starts.setdefault(mark.key, (mark, at))
            elif mark.key in self._starts:
                opened, first = self._starts.pop(mark.key)
                if first < at <= first + MAX_WORDS and len(self._found) < MAX_REFERENCES:
                    self._found.append((opened, first, at))

    def lead_to(self, target: str, at: int) -> None:
        """A target that stands at ``at``: a note's text."""
        self._targets.setdefault(target, at)

    def cross_references(self, bookmarks: Collection[str]) -> tuple[CrossReference, ...]:
        """Those whose target is in the text, and the fields that Word made for a place which is gone, in order.

        Args:
            bookmarks: the names of all bookmarks of the file, also where no text of ours is (deleted, hidden).
        """
        found = [
            CrossReference(mark.kind, start, end, self._targets.get(mark.target, -1))
            for mark, start, end in self._found
            if mark.target in self._targets
            or (mark.kind is CrossReferenceKind.FIELD and _MADE.match(mark.target) and mark.target not in bookmarks)
        ]
        return tuple(sorted(found, key=lambda each: (each.start, each.end)))
