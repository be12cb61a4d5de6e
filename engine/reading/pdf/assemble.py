"""Paragraphs of lines to the canonical text with a box per character."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.document import CharacterBoxes, Page, UncertainWord
from engine.reading.pdf.line import Line
from engine.reading.pdf.paragraphs import PdfParagraph
from engine.reading.pdf.uncertain import uncertain_words
from engine.reading.source import Block, BlockKind

#: Lines and gaps between two steps.
_RUNS_A_STEP = 5_000
_WIDE = re.compile(r"[\u3000-\u9fff\uf900-\ufaff\uff00-\uffef]")
_BROKEN = re.compile(r"([^\W\d_]+)[-\u2010]$")
_FIRST_WORD = re.compile(r"([^\W\d_]+)")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
#: A word broken behind these keeps its hyphen when the document does not show it whole elsewhere.
_PREFIXES = frozenset(
    [
        "non",
        "self",
        "co",
        "pre",
        "re",
        "anti",
        "semi",
        "sub",
        "pro",
        "quasi",
        "ex",
        "inter",
        "intra",
        "multi",
        "vice",
        "cross",
        "third",
        "long",
        "short",
        "well",
        "so",
        "one",
        "two",
        "full",
        "half",
        "part",
        "day",
    ]
)


class Assembler:
    """Grows the canonical text paragraph by paragraph; :meth:`finish` gives text, boxes, pages and blocks."""

    def __init__(self, words: frozenset[str]) -> None:
        """``words``: the lower-case words of the whole file, for judging hyphens at line ends."""
        self._words = words
        self._parts: list[str] = []
        self._rects: list[NDArray[np.float32]] = []
        self._pages: list[NDArray[np.int32]] = []
        self._length = 0
        self._starts: dict[int, int] = {}
        self._recognised: list[tuple[int, NDArray[np.float32]]] = []
        self.blocks: list[Block] = []

    def add(self, paragraph: PdfParagraph) -> None:
        """Append a paragraph as a block."""
        if self._length:
            self._gap("\n")
        start = self._length
        bold_end = 0
        lines = paragraph.lines
        for place, line in enumerate(lines):
            text, rect = line.text, line.rect
            following = lines[place + 1] if place + 1 < len(lines) else None
            joint = " "
            if following is not None:
                drop, joint = self._joint(line, following)
                if drop:
                    text, rect = text[:-drop], rect[:-drop]
            self._starts.setdefault(line.page, self._length)
            if bold_end == self._length - start:
                bold_end += line.bold_end
            if line.confidence is not None:
                self._recognised.append((self._length, line.confidence[: len(text)]))
            self._append(text, rect, line.page)
            if following is not None and joint:
                self._gap(joint)
                if bold_end == self._length - start - 1:
                    bold_end += 1
        self.blocks.append(self._block(paragraph, start, min(bold_end, self._length - start)))

    def _block(self, paragraph: PdfParagraph, start: int, bold_end: int) -> Block:
        first = paragraph.lines[0]
        return Block(
            start,
            self._length,
            BlockKind.TABLE_CELL
            if paragraph.cell
            else BlockKind.FOOTNOTE
            if paragraph.footnote
            else BlockKind.PARAGRAPH,
            label_end=start,
            indent_pt=paragraph.indent,
            font_size_pt=first.size,
            bold=first.bold and bold_end > 2,
            centred=paragraph.centred,
            table=paragraph.cell,
        )

    def _joint(self, line: Line, following: Line) -> tuple[int, str]:
        """How many characters the line loses at its end, and what stands between it and the next."""
        broken = _BROKEN.search(line.text)
        after = _FIRST_WORD.match(following.text)
        if broken and after:
            whole = broken[1].lower() + after[1].lower()
            hyphened = f"{broken[1].lower()}-{after[1].lower()}"
            if following.text[0].isupper() or (hyphened in self._words and whole not in self._words):
                return 0, ""
            if whole not in self._words and broken[1].lower() in _PREFIXES:
                return 0, ""
            return 1, ""
        if line.text[-1] in "-\u2010/" and not line.text.endswith((" -", " –")) and following.text[0].isalnum():
            return 0, ""
        if _WIDE.match(line.text[-1]) or _WIDE.match(following.text[0]):
            return 0, ""
        return 0, " "

    def _append(self, text: str, rect: NDArray[np.float32], page: int) -> None:
        self._parts.append(text)
        self._rects.append(rect)
        self._pages.append(np.full(len(text), page, np.int32))
        self._length += len(text)

    def _gap(self, character: str) -> None:
        """A character without ink at the end of the one before it."""
        last = self._rects[-1][-1]
        empty = np.array([[last[2], last[1], last[2], last[3]]], np.float32)
        self._append(character, empty, int(self._pages[-1][-1]))

    def finish(
        self, sizes: Sequence[tuple[float, float]], labels: Sequence[str]
    ) -> Generator[None, None, tuple[str, CharacterBoxes, tuple[Page, ...]]]:
        """The text, its boxes, and the pages' spans (a page without text has an empty span), in short steps."""
        text = "".join(self._parts)
        rect = np.zeros((self._length, 4), np.float32)
        page = np.zeros(self._length, np.int32)
        at = 0
        for place, (boxes, numbers) in enumerate(zip(self._rects, self._pages, strict=True)):
            rect[at : at + len(boxes)] = boxes
            page[at : at + len(boxes)] = numbers
            at += len(boxes)
            if place % _RUNS_A_STEP == 0:
                yield
        return text, CharacterBoxes(rect, page), tuple(self._page_spans(sizes, labels))

    def uncertain_words(self) -> tuple[UncertainWord, ...]:
        """The words that were recognised in a picture and may well be wrong."""
        text = "".join(self._parts) if self._recognised else ""
        return tuple(word for start, sure in self._recognised for word in uncertain_words(text, start, sure))

    def _page_spans(self, sizes: Sequence[tuple[float, float]], labels: Sequence[str]) -> Iterator[Page]:
        ends = []
        end = self._length
        for index in range(len(sizes) - 1, -1, -1):
            start = min(self._starts.get(index, end), end)
            ends.append((start, end))
            end = start
        for index, (start, stop) in enumerate(reversed(ends)):
            yield Page(index, sizes[index][0], sizes[index][1], 0 if index == 0 else start, stop, labels[index])


def words_of(lines: Sequence[Line]) -> set[str]:
    """The lower-case words inside lines, hyphened ones whole; the last word of each line is left out."""
    found: set[str] = set()
    for line in lines:
        found.update(word.lower() for word in _WORD.findall(line.text.rpartition(" ")[0]))
    return found
