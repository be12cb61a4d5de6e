"""A story (body, note, header, text box) read in document order into records."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from engine.document import RevisionView
from engine.reading.docx.fields import FieldStack
from engine.reading.docx.names import ALTERNATE, w
from engine.reading.docx.paragraphs import Look, ParagraphLooks
from engine.reading.docx.records import CommentMark, ParagraphRecord, RunRecord, TableRecord
from engine.reading.docx.references import ReferenceMark, bookmark
from engine.reading.docx.runs import BOOKMARK, COMMENT_MARKS, Inline, InlineReader, Looks, chosen_branch
from engine.reading.docx.styles import Styles
from engine.reading.docx.tables import TableReader

_PARAGRAPH, _TABLE, _SDT, _CONTENT = w("p"), w("tbl"), w("sdt"), w("sdtContent")
_THROUGH = frozenset(map(w, ("customXml", "smartTag", "ins", "moveTo", "sdtContent")))
_DELETED = frozenset(map(w, ("del", "moveFrom")))


@dataclasses.dataclass(slots=True)
class _Carried:
    """Content of a paragraph whose mark is deleted or hidden: it runs on into the next one."""

    inline: Inline
    #: The record whose look and number win; None when the next paragraph's do.
    record: ParagraphRecord | None


@dataclasses.dataclass(frozen=True, slots=True)
class ReadingContext:
    """What all stories of one file share."""

    styles: Styles
    looks: Looks
    paragraphs: ParagraphLooks
    view: RevisionView
    counts: Counter[str]
    note_mark: Callable[[str, str], str]


class StoryReader:
    """Reads the block content of one story."""

    def __init__(self, context: ReadingContext, *, live_pages: bool = False) -> None:
        self._context = context
        self._live_pages = live_pages
        self._inline = InlineReader(
            context.looks, context.view, FieldStack(live_pages=live_pages), context.counts, context.note_mark
        )
        self._tables = TableReader(context.styles, context.view, self.read)
        self._carried: _Carried | None = None
        #: Marks of comments between paragraphs; the next one takes them along.
        self._between: list[CommentMark] = []
        #: Bookmarks between paragraphs, likewise.
        self._before: list[ReferenceMark] = []

    def read(self, parent: Any) -> Iterator[ParagraphRecord | TableRecord]:
        """The paragraphs and tables in an element, in order. A paragraph whose mark is deleted joins the next."""
        for record, _ in self.read_with_sections(parent):
            yield record

    def read_with_sections(self, parent: Any) -> Iterator[tuple[ParagraphRecord | TableRecord, Any | None]]:
        """The same with the ``sectPr`` that a paragraph carries: it ends a section."""
        for element in parent:
            tag = element.tag
            if tag == _PARAGRAPH:
                yield from self._paragraph(element)
            elif tag == _TABLE:
                yield from self._flush()
                table = self._tables.read_table(element)
                if table is not None:
                    yield table, None
            elif tag == _SDT:
                content = element.find(_CONTENT)
                if content is not None:
                    yield from self.read_with_sections(content)
            elif tag in _THROUGH or (tag in _DELETED and self._context.view is not RevisionView.ACCEPTED):
                yield from self.read_with_sections(element)
            elif tag == ALTERNATE:
                branch = chosen_branch(element)
                if branch is not None:
                    yield from self.read_with_sections(branch)
            elif tag == BOOKMARK:
                self._before.append(bookmark(element, 0))
            elif tag in COMMENT_MARKS:
                self._between.append(CommentMark(element.get(w("id"), ""), COMMENT_MARKS[tag], 0))
        if parent.tag not in _THROUGH and parent.tag != _CONTENT:
            yield from self._flush()

    def _flush(self) -> Iterator[tuple[ParagraphRecord, Any | None]]:
        """What was carried and found no paragraph to run on into."""
        carried, self._carried = self._carried, None
        if carried is not None and (carried.inline.runs or carried.record is not None):
            record = carried.record or ParagraphRecord()
            self._fill(record, carried.inline)
            yield record, None

    def _paragraph(self, element: Any) -> Iterator[tuple[ParagraphRecord, Any | None]]:
        context = self._context
        look = context.paragraphs.look(element)
        # Nested stories (text boxes) come back here, so the carried part is taken out first.
        carried, self._carried = self._carried, None
        inline = self._inline.read(element, look.style_id)
        if self._between:
            inline.comments[:0] = self._between
            self._between = []
        if self._before:
            inline.references[:0] = self._before
            self._before = []
        if self._runs_on(look):
            self._carried = self._carry(look, inline, carried)
            return
        if carried is not None and carried.record is not None:
            record = carried.record
        elif self._is_gone(look, inline, carried):
            return
        else:
            # A paragraph that is nothing but a section break shows no number and does not count.
            counted = look.section is None or bool(inline.runs) or carried is not None
            label = context.paragraphs.number(look) if counted else None
            record = context.paragraphs.finish(look, label)
        if carried is not None:
            inline = _joined(carried.inline, inline)
        self._fill(record, inline)
        yield record, look.section

    def _runs_on(self, look: Look) -> bool:
        if look.section is not None:
            return False
        view = self._context.view
        gone = (look.mark_deleted and view is RevisionView.ACCEPTED) or (
            look.mark_inserted and view is RevisionView.ORIGINAL
        )
        return gone or look.mark_hidden

    def _is_gone(self, look: Look, inline: Inline, carried: _Carried | None) -> bool:
        """Whether only the paragraph's own mark is left of it, and that is hidden too (never shown)."""
        return look.mark_hidden and not inline.runs and carried is None and look.section is None

    def _carry(self, look: Look, inline: Inline, before: _Carried | None) -> _Carried:
        context = self._context
        record = before.record if before is not None else None
        if record is None and look.mark_hidden and inline.runs:
            # A style separator: the heading's look and number stay, the next paragraph runs in.
            label = context.paragraphs.number(look)
            record = context.paragraphs.finish(look, label)
        return _Carried(_joined(before.inline, inline) if before is not None else inline, record)

    def _fill(self, record: ParagraphRecord, inline: Inline) -> None:
        record.runs = _trimmed(inline.runs)
        record.notes = inline.notes
        record.pictures = inline.pictures
        record.comments = inline.comments
        record.references = inline.references
        for content in inline.boxes:
            reader = StoryReader(self._context, live_pages=self._live_pages)
            record.boxes.append(list(reader.read(content)))


def _joined(first: Inline, second: Inline) -> Inline:
    length = first.length
    moved = [CommentMark(mark.comment, mark.place, mark.offset + length) for mark in second.comments]
    return Inline(
        first.runs + second.runs,
        first.notes + second.notes,
        first.boxes + second.boxes,
        first.pictures + second.pictures,
        first.comments + moved,
        first.references + [dataclasses.replace(mark, offset=mark.offset + length) for mark in second.references],
    )


def _trimmed(runs: list[RunRecord]) -> list[RunRecord]:
    """Runs without empty ones, page breaks kept."""
    return [run for run in runs if run.text or run.page_break]
