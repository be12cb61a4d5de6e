"""The parts of a Word file, read into records and assembled."""

from __future__ import annotations

import dataclasses
import time
from collections import Counter
from collections.abc import Generator, Iterator
from typing import Any

from engine.document import Notice, Revisions, RevisionView
from engine.protocol.messages import FaultCode
from engine.reading.docx.assemble import STEP_S, Assembled, Assembler
from engine.reading.docx.body import ReadingContext, StoryReader
from engine.reading.docx.names import RELATIONSHIP_TYPES, VAL, w
from engine.reading.docx.numbering import Numbering
from engine.reading.docx.numerals import displayed
from engine.reading.docx.package import Package, UnreadablePart
from engine.reading.docx.paragraphs import ParagraphLooks
from engine.reading.docx.records import BodyRecord, ParagraphRecord, RunRecord, TableRecord
from engine.reading.docx.runs import BOOKMARK, Looks
from engine.reading.docx.sections import SectionReader
from engine.reading.docx.styles import Styles, points
from engine.reading.errors import ReadingError
from engine.reading.layout.fonts import SUPERSCRIPTS

MAX_PICTURE_BYTES = 16 << 20
#: Paragraphs and tables of a body; far more than 10,000 pages have.
MAX_RECORDS = 200_000
_RAISED = {chr(plain): chr(raised) for raised, plain in SUPERSCRIPTS.items()}


_AS = {
    RevisionView.ACCEPTED: "as if all were accepted",
    RevisionView.ORIGINAL: "as it was before them",
    RevisionView.BOTH: "with both shown",
}


def _count(number: int, noun: str, plural: str = "s") -> str:
    return f"{number:,} {noun}{'' if number == 1 else plural}"


class WordFile:
    """The parts of a Word file, read into records."""

    def __init__(self, package: Package, view: RevisionView) -> None:
        self._package = package
        self._view = view
        self._counts: Counter[str] = Counter()
        self._notices: list[Notice] = []
        self._parts: dict[str, Any | None] = {}
        self._relations = package.relationships(package.document_name)
        self._styles = Styles(self._part("styles"), self._part("theme"))
        numbering = self._numbering = Numbering(self._part("numbering"), self._style_numbers())
        looks = Looks(self._styles)
        self._note_numbers: dict[tuple[str, str], str] = {}
        self._note_counts: Counter[str] = Counter()
        self._note_elements = {sort: self._note_parts(sort + "s") for sort in ("footnote", "endnote")}
        self._context = ReadingContext(
            self._styles,
            looks,
            ParagraphLooks(self._styles, numbering, looks, self._default_tab()),
            view,
            self._counts,
            self._note_mark,
        )
        self._notes_context = self._apart(self._counts)

    def _apart(self, counts: Counter[str]) -> ReadingContext:
        """The context of a story whose lists count apart from the body's; ``counts`` takes what is noticed."""
        numbering = self._numbering.fork()
        paragraphs = ParagraphLooks(self._styles, numbering, self._context.looks, self._default_tab())
        return dataclasses.replace(self._context, paragraphs=paragraphs, counts=counts)

    def steps(self) -> Generator[None, None, Assembled]:
        """Find the canonical text, blocks and flow in short steps; they are the generator's value.

        Raises:
            ReadingError: the main part cannot be read.
        """
        try:
            root = self._package.xml(self._package.document_name)
        except UnreadablePart as error:
            raise ReadingError(
                FaultCode.UNREADABLE_FILE,
                "This Word file is damaged: {error}. Open and save it in Word, or ask for it again.",
                error=str(error),
            ) from error
        body = root.find(w("body"))
        if body is not None and len(body) > MAX_RECORDS:
            raise ReadingError(FaultCode.TOO_LARGE, "This file has far more parts than a contract. Split it.")
        records = (yield from self._records(body)) if body is not None else []
        return (yield from Assembler(self._note, self._picture, self._bookmarks(root)).steps(records))

    def _bookmarks(self, root: Any) -> set[str]:
        """The names of all bookmarks in the main part and in notes."""
        roots = [root, *(part for sort in ("footnotes", "endnotes") if (part := self._part(sort)) is not None)]
        return {mark.get(w("name"), "") for each in roots for mark in each.iter(BOOKMARK)}

    def revisions(self) -> Revisions | None:
        """The tracked changes that were met, None without any."""
        insertions, deletions = self._counts["insertions"], self._counts["deletions"]
        return Revisions(self._view, insertions, deletions) if insertions or deletions else None

    def comments(self) -> Any | None:
        """The root of the comments part, None without one."""
        return self._part("comments")

    def notices(self) -> tuple[Notice, ...]:
        """What a reader of the document should know about its reading."""
        counts = self._counts
        notices = list(self._notices)
        if counts["insertions"] or counts["deletions"]:
            many = f"{_count(counts['insertions'], 'insertion')}, {_count(counts['deletions'], 'deletion')}"
            code = "tracked_changes" + ("" if self._view is RevisionView.ACCEPTED else f"_{self._view}")
            notices.append(
                Notice(code, f"The document has tracked changes ({many}); it is read {_AS[self._view]}.")
            )
        comments = self._comment_count()
        if comments:
            notices.append(Notice("comments", f"{_count(comments, 'comment')} not taken as part of the text."))
        if counts["hidden"]:
            notices.append(Notice("hidden_text", f"Hidden text in {_count(counts['hidden'], 'place')} is left out."))
        pictures = counts["pictures"] + counts["pictures_shown"]
        if pictures:
            lost = f"; {counts['pictures']:,} cannot be shown" if counts["pictures"] else ""
            many = _count(pictures, "picture")
            notices.append(Notice("pictures", f"{many} in the text, not searched for words{lost}."))
        outside = len(self._package.external)
        if outside:
            notices.append(
                Notice(
                    "external_references", f"Content from {_count(outside, 'outside address', 'es')} was not opened."
                )
            )
        return tuple(notices)

    # --- parts ----------------------------------------------------------------------------------------

    def _part(self, sort: str) -> Any | None:
        """The root of a part that the main part refers to, None without or when it is damaged (noted)."""
        if sort not in self._parts:
            self._parts[sort] = self._read_part(sort)
        return self._parts[sort]

    def _read_part(self, sort: str) -> Any | None:
        for relation in self._relations.values():
            if (
                relation.type == RELATIONSHIP_TYPES[sort]
                and not relation.external
                and self._package.has(relation.target)
            ):
                try:
                    return self._package.xml(relation.target)
                except UnreadablePart as error:
                    self._notices.append(Notice("part_unreadable", f"A part of the file cannot be read: {error}."))
        return None

    def _default_tab(self) -> float:
        """The grid of default tab stops in points."""
        settings = self._part("settings")
        stop = settings.find(w("defaultTabStop")) if settings is not None else None
        return max(9.0, min(200.0, points(stop.get(w("val")), 36.0))) if stop is not None else 36.0

    def _style_numbers(self) -> dict[str, str]:
        """Numbering styles → numId."""
        found = {}
        root = self._part("styles")
        if root is not None:
            for style in root.iterchildren(w("style")):
                if style.get(w("type")) == "numbering":
                    num = style.find(f"{w('pPr')}/{w('numPr')}/{w('numId')}")
                    if num is not None:
                        found[style.get(w("styleId"), "")] = num.get(VAL, "")
        return found

    def _note_parts(self, sort: str) -> dict[str, Any]:
        root = self._part(sort)
        return {item.get(w("id"), ""): item for item in root if item.get(w("type")) is None} if root is not None else {}

    def _comment_count(self) -> int:
        root = self._part("comments")
        return sum(1 for _ in root.iterchildren(w("comment"))) if root is not None else 0

    # --- notes ----------------------------------------------------------------------------------------

    def _note_mark(self, sort: str, key: str) -> str:
        """The mark of a note at its reference: raised digits, or raised Roman numerals for endnotes."""
        if key not in self._note_elements[sort]:
            return ""
        if (sort, key) not in self._note_numbers:
            self._note_counts[sort] += 1
            plain = displayed(self._note_counts[sort], "decimal" if sort == "footnote" else "lowerRoman")
            self._note_numbers[sort, key] = "".join(_RAISED.get(c, c) for c in plain)
        return self._note_numbers[sort, key]

    def _note(self, sort: str, key: str) -> tuple[str, list[ParagraphRecord | TableRecord]]:
        element = self._note_elements[sort].pop(key, None)
        if element is None:
            return "", []
        return self._note_numbers.get((sort, key), ""), list(StoryReader(self._notes_context).read(element))

    def _picture(self, relation_id: str) -> bytes | None:
        """A picture's bytes, None (and counted) when they cannot be had."""
        relation = self._relations.get(relation_id)
        if relation is not None and not relation.external and self._package.has(relation.target):
            try:
                data = self._package.read(relation.target, MAX_PICTURE_BYTES)
                self._counts["pictures_shown"] += 1
                return data
            except UnreadablePart:
                pass
        self._counts["pictures"] += 1
        return None

    # --- body and furniture ---------------------------------------------------------------------------

    def _records(self, body: Any) -> Generator[None, None, list[BodyRecord]]:
        """Body records with each section's record before its content, in short steps."""
        sections = SectionReader(self._furniture)
        parts: list[BodyRecord] = []
        pending: list[BodyRecord] = []
        reader = StoryReader(self._context)
        since = time.perf_counter()
        for record, properties in reader.read_with_sections(body):
            if time.perf_counter() - since > STEP_S:
                yield
                since = time.perf_counter()
            pending.append(record)
            if len(pending) > MAX_RECORDS:
                raise ReadingError(FaultCode.TOO_LARGE, "This file has far more parts than a contract. Split it.")
            if properties is not None:
                parts.append(sections.read(properties))
                parts.extend(pending)
                pending = []
        parts.append(sections.read(body.find(w("sectPr"))))
        parts.extend(pending)
        return parts

    def _furniture(self, relation_id: str) -> list[ParagraphRecord]:
        relation = self._relations.get(relation_id)
        if relation is None or relation.external:
            return []
        try:
            root = self._package.xml(relation.target)
        except UnreadablePart as error:
            self._notices.append(Notice("part_unreadable", f"A header or footer cannot be read: {error}."))
            return []
        return list(_flat(StoryReader(self._apart(Counter()), live_pages=True).read(root)))


def _flat(records: Iterator[ParagraphRecord | TableRecord]) -> Iterator[ParagraphRecord]:
    """Paragraphs of a header; a table's row becomes one paragraph with tabs between its cells."""
    for record in records:
        if isinstance(record, ParagraphRecord):
            yield record
            for box in record.boxes:
                yield from _flat(iter(box))
            continue
        for row in record.rows:
            cells = [list(_flat(iter(cell.content))) for cell in row.cells]
            line = next((p for cell in cells for p in cell if p.runs), None)
            if line is not None:
                runs: list[RunRecord] = []
                for i, cell in enumerate(cells):
                    for paragraph in cell:
                        if runs and paragraph.runs:
                            gap = "\t" if paragraph is cell[0] and i else " "
                            runs.append(RunRecord(gap, runs[-1].style))
                        runs.extend(paragraph.runs)
                line.runs = runs
                yield line
