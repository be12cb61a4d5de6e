"""Lines to paragraphs: by gaps, indents, short lines, numbers, and across page breaks."""

from __future__ import annotations

import dataclasses
import itertools
import re
import statistics
from collections import Counter
from collections.abc import Sequence

from engine.reading.pdf.line import Line
from engine.reading.structure.labels import label_at
from engine.reading.structure.sections import defined_term, opens_signatures

_TERMINAL = ".;:!?。；：！？"
#: What may stand behind a full stop; a character without a Unicode value too.
_CLOSERS = "\"'”’)）】」》\ufffd "
_REFERENCE_END = re.compile(
    r"(?:\b(?:sections?|clauses?|articles?|paragraphs?|exhibits?|schedules?|annex|appendix|and|or|to|of|in|under|no\.?|sub-?sections?|the|than|with|by|from|least|within)|第|§)\s*$",
    re.IGNORECASE,
)
#: So many lines that go on with a paragraph tell the distance of baselines within one.
_ENOUGH_RUNNING = 4
#: "(The rest of this page is intentionally left blank)"
_BRACKETED = re.compile(r"[(\[][^()\[\]]+[)\]]")
#: "出租人（甲方）签章：________" and the next entry of a form below it.
_BLANK_ENTRY = re.compile(r"[:：]\s*[_＿]{3,}\s*$")
_ENTRY = re.compile(r"[^:：_＿]{1,20}[:：]|[\s_＿]+年")
_PAGE_AT_END = re.compile(r"[\s.](?:\d{1,3}|[ivxl]{1,6})$")
_HAN = re.compile(r"[\u3000-\u9fff\uff00-\uffef]")


@dataclasses.dataclass(slots=True)
class PdfParagraph:
    """Lines that make a paragraph, in reading order; they may stand on several pages."""

    lines: list[Line]
    indent: float = 0.0
    centred: bool = False
    cell: tuple[int, int, int] | None = None
    footnote: bool = False


@dataclasses.dataclass(frozen=True, slots=True)
class ColumnShape:
    """The edges that a column's lines keep to, and the usual distance of baselines, in points."""

    left: float
    right: float
    leading: float


def paragraphs_of_page(lines: Sequence[Line], breaks: Sequence[float] = ()) -> list[PdfParagraph]:
    """The paragraphs of one page, column by column.

    ``breaks``: the y of page numbers of the original that stood between the lines; as at a page's end, a
    paragraph may go on behind them.
    """
    result: list[PdfParagraph] = []
    for column in _columns(lines):
        shape = _shape(column)
        previous: Line | None = None
        for line in column:
            centred = _is_centred(line, shape)
            started = PdfParagraph([line], max(0.0, line.x0 - shape.left), centred)
            if previous is None:
                result.append(started)
            elif any(previous.baseline < y < line.baseline for y in breaks):
                if join_pages(result[-1], started):
                    result[-1].lines.append(line)
                else:
                    result.append(started)
            elif _starts(result[-1], previous, line, shape, centred):
                result.append(started)
            else:
                result[-1].lines.append(line)
            previous = line
    return result


def join_pages(before: PdfParagraph, after: PdfParagraph) -> bool:
    """Whether the first paragraph of a page (or column) goes on with the last one of the page before."""
    last, first = before.lines[-1], after.lines[0]
    if before.centred or after.centred or abs(last.size - first.size) > 1.2 or before.cell or after.cell:
        return False
    text = first.text
    label = label_at(text, 0, len(text))
    if label is not None and not _REFERENCE_END.search(last.text):
        return False
    if opens_signatures(text) or _BRACKETED.fullmatch(last.text):
        return False
    end = last.text.rstrip(_CLOSERS)[-1:] if last.text.rstrip(_CLOSERS) else ""
    if text[:1].islower() or last.text[-1] in "-,，、" or _REFERENCE_END.search(last.text):
        return True
    if end in _TERMINAL:
        return False
    return not (first.all_bold and not last.all_bold) and not text.isupper() and len(last.text) > 30


def _columns(lines: Sequence[Line]) -> list[list[Line]]:
    columns: list[list[Line]] = []
    for line in lines:
        if columns and columns[-1][-1].column == line.column and not line.turned:
            columns[-1].append(line)
        else:
            columns.append([line])
    return columns


def _shape(lines: Sequence[Line]) -> ColumnShape:
    rights = sorted(line.x1 for line in lines)
    lefts = sorted(line.x0 for line in lines)
    pairs = [(b.baseline - a.baseline, b) for a, b in itertools.pairwise(lines) if b.baseline > a.baseline]
    # Lines that begin small go on with a paragraph: on a page of short paragraphs most gaps are between these.
    running = [step for step, line in pairs if line.text[:1].islower()]
    steps = running if len(running) >= _ENOUGH_RUNNING else [step for step, _ in pairs]
    sizes = statistics.median(line.size for line in lines) or 10.0
    near = [round(step * 2) / 2 for step in steps if step < 3.2 * sizes]
    leading = min(near, default=1.2 * sizes) if len(near) < 4 else _mode(near)
    return ColumnShape(lefts[len(lefts) // 20], rights[-1 - len(rights) // 20], leading)


def _mode(values: Sequence[float]) -> float:
    counts = Counter(values)
    most = max(counts.values())
    return min(value for value, count in counts.items() if count >= 0.7 * most)


def _is_centred(line: Line, shape: ColumnShape) -> bool:
    left, right = line.x0 - shape.left, shape.right - line.x1
    narrow = line.width < 0.75 * (shape.right - shape.left)
    return narrow and left > 2.5 * line.size and right > 2.5 * line.size and abs(left - right) < 2.0 * line.size


def _starts(paragraph: PdfParagraph, previous: Line, line: Line, shape: ColumnShape, centred: bool) -> bool:
    """Whether a line begins a new paragraph."""
    step = line.baseline - previous.baseline
    size = max(previous.size, line.size)
    far = step > 1.22 * shape.leading + 0.15 * size and not _spread_out(previous, line, step, shape)
    resized = abs(line.size - previous.size) > 1.5 and min(len(line.text), len(previous.text)) >= 4
    if step < -2 or far or resized:
        return True
    label = label_at(line.text, 0, len(line.text))
    if label is None and _mid_sentence(previous, line):
        return False
    if centred or paragraph.centred:
        return not (centred and paragraph.centred and line.all_bold == previous.all_bold and _runs_on(previous, line))
    ended = previous.text.rstrip(_CLOSERS)[-1:] in _TERMINAL
    fitted = _would_have_fitted(previous, line, shape)
    if label is not None and not label.weak and not _REFERENCE_END.search(previous.text):
        if label.kind == "bullet":
            return line.text[0] not in "-–—" or fitted or ended
        moved = abs(line.x0 - previous.x0) > 3 and not line.text[label.end :].strip()[:1].islower()
        return ended or fitted or moved or (_is_entry(previous) and bool(_PAGE_AT_END.search(line.text)))
    small = line.text[:1].islower()
    defines = ended and line.text[0] in "“\"「" and bool(defined_term(line.text, 0, len(line.text)))
    indented = line.x0 > previous.x0 + 0.9 * size and len(paragraph.lines) > 1 and (ended or fitted) and not small
    blanks = bool(_BLANK_ENTRY.search(previous.text)) and bool(_ENTRY.match(line.text))
    apart = blanks or (fitted and (ended or not small or line.all_bold != previous.all_bold))
    return indented or defines or apart or _is_title_above(previous, line)


def _is_title_above(previous: Line, line: Line) -> bool:
    """ "SCHEDULE 2.7" above its title, and a title in bold capitals above words: whatever the page's margins."""
    label = label_at(previous.text, 0, len(previous.text))
    if label is not None and label.kind == "schedule" and label.end == len(previous.text):
        return True
    capitals = previous.all_bold and previous.text.isupper()
    return capitals and not line.all_bold and line.text[:1].isupper() and not line.text.isupper()


def _is_entry(line: Line) -> bool:
    """A line of a table of contents: a number at its start, a page at its end."""
    return bool(_PAGE_AT_END.search(line.text)) and label_at(line.text, 0, len(line.text)) is not None


def _spread_out(previous: Line, line: Line, step: float, shape: ColumnShape) -> bool:
    """A paragraph whose lines stand far apart: the line before is full and its sentence unfinished."""
    goes_on = line.text[:1].islower() or bool(_HAN.match(line.text[0]) and _HAN.match(previous.text[-1]))
    return (
        goes_on
        # A page number of the original may have stood between the lines.
        and step < (6.5 if _mid_sentence(previous, line) else 2.4) * shape.leading
        and previous.text.rstrip(_CLOSERS)[-1:] not in _TERMINAL
        and abs(previous.size - line.size) < 0.6
        and label_at(line.text, 0, len(line.text)) is None
        and (not _would_have_fitted(previous, line, shape) or _mid_sentence(previous, line))
    )


def _mid_sentence(previous: Line, line: Line) -> bool:
    return line.text[:1].islower() and (previous.text[-1].islower() or previous.text[-1] == ",")


def _runs_on(previous: Line, line: Line) -> bool:
    return previous.text[-1] not in _TERMINAL and (line.text[:1].islower() or previous.text[-1] in ",-")


def _would_have_fitted(previous: Line, line: Line, shape: ColumnShape) -> bool:
    """Whether the line's first word had room on the line before, so that the break was meant."""
    if _HAN.match(line.text[0]):
        need = 2.2 * line.size
    else:
        word = line.text.split(" ", 1)[0]
        count = len(word)
        need = float(line.rect[:count, 2].max() - line.rect[:count, 0].min()) if count else 0.0
        need = min(need, 0.5 * (shape.right - shape.left)) + 0.9 * line.size
    return shape.right - previous.x1 > need
