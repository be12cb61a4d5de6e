"""Comments of a Word file: what they say, and the words of the canonical text that they concern."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.document import CharacterBoxes, Remark
from engine.reading.docx.names import w
from engine.reading.docx.records import ParagraphRecord

#: More comments than this, and longer ones, are not kept whole.
MAX_COMMENTS, MAX_COMMENT_CHARACTERS = 5_000, 5_000
_PARAGRAPH, _TEXT, _TAB, _BREAK = w("p"), w("t"), w("tab"), w("br")


class CommentPlaces:
    """Collects where in the growing text the marks of comments stand."""

    def __init__(self) -> None:
        #: By comment: where its words begin, where they end, and where its mark stands.
        self._places: dict[str, dict[str, int]] = {}

    def take(self, record: ParagraphRecord, before: int, length: int, end: int) -> None:
        """Note the marks in a piece of a paragraph just appended to the text.

        Args:
            record: the paragraph.
            before: characters of it in the pieces before this one.
            length: characters of the piece; they end the text.
            end: length of the text.
        """
        start = max(0, end - length)
        for mark in record.comments:
            if before <= mark.offset <= before + length:
                at = min(end, start + mark.offset - before)
                self._places.setdefault(mark.comment, {}).setdefault(mark.place, at)

    def spans(self, text: str) -> dict[str, tuple[int, int]]:
        """The words that each comment concerns; the line of its mark for one that names none."""
        return {comment: _words(places, text) for comment, places in self._places.items()}


def _words(places: Mapping[str, int], text: str) -> tuple[int, int]:
    start = places.get("start", places.get("at", 0))
    end = places.get("end", places.get("at", start))
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    if start < end:
        return start, end
    start = min(start, len(text))
    low, high = text.rfind("\n", 0, start) + 1, text.find("\n", start)
    return low, high if high >= 0 else len(text)


def remarks_of(part: Any | None, spans: Mapping[str, tuple[int, int]], boxes: CharacterBoxes) -> tuple[Remark, ...]:
    """The comments of a file as remarks, in the order of the text.

    Args:
        part: root of the comments part, None without one.
        spans: the words that each comment concerns.
        boxes: of the text, for the pages.
    """
    if part is None:
        return ()
    found = []
    for element in part.iterchildren(w("comment")):
        start, end = spans.get(element.get(w("id"), ""), (-1, -1))
        if start >= end:
            start = end = -1
        page = int(boxes.page[start]) if 0 <= start < len(boxes) else 0
        author, date = element.get(w("author"), ""), element.get(w("date"), "")
        found.append(Remark("comment", author[:200], _said(element), page, start, end, date=date[:40]))
        if len(found) == MAX_COMMENTS:
            break
    return tuple(sorted(found, key=lambda remark: (remark.start < 0, remark.start)))


def _said(comment: Any) -> str:
    """A comment's text, a line feed between its paragraphs."""
    paragraphs = ("".join(_characters(paragraph)).strip() for paragraph in comment.iter(_PARAGRAPH))
    return "\n".join(paragraph for paragraph in paragraphs if paragraph)[:MAX_COMMENT_CHARACTERS]


def _characters(paragraph: Any) -> Iterator[str]:
    for element in paragraph.iter(_TEXT, _TAB, _BREAK):
        yield (element.text or "") if element.tag == _TEXT else " "
