"""Lines of a text file to paragraphs: hard-wrapped filings, one line a paragraph, or all in one line."""

from __future__ import annotations

import dataclasses
import itertools
import re

from engine.reading.structure.labels import label_at

_PAGE_MARK = re.compile(r"\s*(?:<PAGE>\s*\S{0,6}|\f)\s*$", re.IGNORECASE)
_TAG = re.compile(r"\s*</?(?:TEXT|DOCUMENT|TYPE|SEQUENCE|DESCRIPTION|FILENAME|CAPTION|S|C|FN|TABLE)>.*$", re.IGNORECASE)
_PAGE_NUMBER = re.compile(
    r"\s*(?:-\s*)?(?:page\s+)?(?:[A-Z]{1,3}-|\d{1,2}-)?(?:\d{1,3}|[ivxl]{1,6})(?:\s+of\s+\d{1,3})?(?:\s*-)?\s*$",
    re.IGNORECASE,
)
_GAP = re.compile(r"[ \t\xa0\u3000]{4,}")
_SPACES = re.compile(r"[ \t\xa0\u3000\f\v]+")
_CELLS = re.compile(r"\S(?: {3,}|\t+)\S.*\S(?: {3,}|\t+)\S")
_RULE = re.compile(r"\s*[-=_*.~]{4,}\s*$")
_HAN = re.compile(r"[\u3000-\u9fff\uff00-\uffef]")
_BLANK_LINE = re.compile(r"[_\s]*$")
#: A line that ends like this goes on with a number: "as set forth in Section".
_REFERENCE_END = re.compile(
    r"\b(?:sections?|clauses?|articles?|paragraphs?|exhibits?|schedules?|in|of|to|and|or|under|by|with|the)\s*$",
    re.IGNORECASE,
)
_TERMINAL = ".;:!?。；：！？”\"')）"
#: A line longer than this is not wrapped at all; shorter than the other, it surely is when many are as long.
_MAX_WRAPPED, _SURELY_WRAPPED = 280, 120
#: A line no longer than this may be no more than a paragraph's first words.
_LONGEST_START = 60
#: The rest of a heading and a sentence behind it: "Procedures. Upon the Agent's receipt".
_HEADING_ENDS = re.compile(
    r"(?!(?:The|This|Each|Any|All|If|In|No|Upon|It)\b)[A-Z][a-z]+(?:\s(?:[A-Z][a-z]+|of|and|the)){0,4}\.\s+[A-Z]"
)
#: A paragraph this long that stops in mid-sentence was cut, and what goes on with it is no mere label.
_LONG_PARAGRAPH, _SHORTEST_REST = 120, 20
#: A line longer than this may hold several paragraphs, told apart by wide gaps.
_LONG_LINE = 300


@dataclasses.dataclass(slots=True)
class RawParagraph:
    """A paragraph's words with single spaces, and how its first line stood (columns, 0-based)."""

    text: str
    indent: int = 0
    centred: bool = False
    level: int = -1
    list_level: int = -1
    bold: bool = False
    cell: tuple[int, int, int] | None = None


def paragraphs_of(text: str) -> list[RawParagraph]:
    """The paragraphs of a plain text, page marks left out."""
    lines = text.split("\n")
    width = _wrapped_width(lines)
    if width:
        return _join_wrapped(lines, width)
    found: list[RawParagraph] = []
    gap = True
    for line in _without_page_marks(lines):
        if line is None or not line.strip():
            gap = True
            continue
        pieces = [piece for piece in (_pieces(line) if len(line) > _LONG_LINE else [line]) if piece.strip()]
        if found and (_runs_on(found[-1].text, line) if gap is False else _is_cut(found[-1].text, line)):
            found[-1].text = _join(found[-1].text, _squeeze(pieces.pop(0)))
        gap = False
        found += [RawParagraph(_squeeze(piece), _indent(piece)) for piece in pieces]
    return found


def _wrapped_width(lines: list[str]) -> int:
    """The column at which lines were broken by hand, or 0 when they were not."""
    lengths = sorted(len(line.rstrip()) for line in lines if line.strip())
    if len(lengths) < 4:
        return 0
    width = lengths[int(0.95 * (len(lengths) - 1))]
    if not 30 <= width <= _MAX_WRAPPED:
        return 0
    followed = full = broken = 0
    for line, after in itertools.pairwise(lines):
        if line.strip() and after.strip():
            followed += 1
            is_full = len(line.rstrip()) > 0.72 * width
            full += is_full
            broken += is_full and line.rstrip()[-1] not in _TERMINAL and after.lstrip()[0].islower()
    if width > _SURELY_WRAPPED and broken < 0.25 * full:
        return 0  # paragraphs of one long line each
    return width if followed >= 0.25 * len(lengths) and full >= 0.35 * followed else 0


def _without_page_marks(lines: list[str]) -> list[str | None]:
    """The lines; None where a page ended (page marks and the page numbers beside them)."""
    kept: list[str | None] = []
    for line in lines:
        if _TAG.match(line):
            continue
        if _PAGE_MARK.match(line) or (line.startswith("\f") and not line.strip("\f \t")):
            while kept and (kept[-1] is None or not kept[-1].strip()):
                kept.pop()
            if kept and _PAGE_NUMBER.match(kept[-1] or ""):
                kept.pop()
            while kept and kept[-1] is not None and not kept[-1].strip():
                kept.pop()
            kept.append(None)
            continue
        if kept and kept[-1] is None and (not line.strip() or _PAGE_NUMBER.match(line)):
            continue
        kept.append(line.expandtabs(8))
    return kept


def _join_wrapped(lines: list[str], width: int) -> list[RawParagraph]:
    found: list[RawParagraph] = []
    last = ""  # the line before, "" behind a blank one
    page_broke = False
    gap = False
    for line in _without_page_marks(lines):
        if line is None:
            page_broke = True
            continue
        if not line.strip() or _RULE.match(line):
            gap, last = gap or not page_broke, ""
            continue
        joined = (
            bool(found)
            and not gap
            and (
                _continues_page(found[-1].text, line)
                if page_broke
                else bool(last) and _continues(found[-1], last, line, width)
            )
        )
        if joined:
            found[-1].text = _join(found[-1].text, _squeeze(line))
        else:
            found.append(RawParagraph(_squeeze(line), _indent(line), _is_centred(line, width)))
        last, page_broke, gap = line, False, False
    return found


def _continues(paragraph: RawParagraph, last: str, line: str, width: int) -> bool:
    """Whether a line goes on with the paragraph whose last line is ``last``, no blank line between them."""
    stripped = line.strip()
    if _REFERENCE_END.search(last) or _runs_on(last.strip(), line) or _is_broken_start(paragraph.text, stripped):
        return True
    cells = len(line) + len(last) < 2 * _LONG_LINE and (_CELLS.search(line) or _CELLS.search(last))
    if cells or paragraph.centred or _is_centred(line, width):
        return False
    short = len(last.rstrip()) < 0.62 * width
    ended = last.rstrip()[-1:] in _TERMINAL
    label = label_at(stripped, 0, len(stripped))
    if label is not None and not label.weak and (short or ended or label.kind not in ("word", "single")):
        return False
    capital = stripped[:1].isupper()
    indented = _indent(line) > _indent(last) + 1 and capital and (ended or short)
    return not indented and not (short and (ended or capital or bool(_HAN.match(stripped))))


def _is_broken_start(paragraph: str, line: str) -> bool:
    """A paragraph's first words on a line of their own, as filings made from web pages have them.

    "“Base" and "Rate” shall mean …", "4.01 Borrowing" and "Procedures. Upon …", "5. CONFIDENTIAL" and
    "INFORMATION."; not "3.1 Initial Term" and "The initial term …".
    """
    ended = paragraph[-1] in _TERMINAL and not paragraph.endswith("”")
    if len(paragraph) > _LONGEST_START or ended or label_at(line, 0, len(line)) is not None:
        return False
    if paragraph[0] in "“\"":
        return "”" in line[:80] if paragraph.count("“") > paragraph.count("”") else line[0].islower()
    label = label_at(paragraph, 0, len(paragraph))
    if label is None or label.end >= len(paragraph) or label.kind == "schedule":
        return False
    words = paragraph[label.end :].strip()
    if words.isupper():
        return line.isupper() and len(line) <= _LONGEST_START
    return len(words.split()) <= 2 and _HEADING_ENDS.match(line) is not None


def _runs_on(before: str, line: str) -> bool:
    """A sentence broken in its middle: unfinished before, small letters after."""
    stripped = line.strip()
    if len(before) < 20 or label_at(stripped, 0, len(stripped)) is not None:
        return False
    return (before[-1].islower() or before[-1] in ",，-") and (stripped[0].islower() or stripped[0] == "$")


def _is_cut(before: str, line: str) -> bool:
    """A sentence that a page's end cut: blank lines stand between "the full right," and "power and authority"."""
    return len(before) >= _LONG_PARAGRAPH and len(line.strip()) >= _SHORTEST_REST and _runs_on(before, line)


def _continues_page(paragraph: str, line: str) -> bool:
    stripped = line.strip()
    if label_at(stripped, 0, len(stripped)) is not None:
        return False
    return paragraph[-1:] not in ".;:!?。；：！？" and (
        stripped[:1].islower() or paragraph[-1:] in ",，、" or (len(paragraph) > 60 and not stripped.isupper())
    )


def _is_centred(line: str, width: int) -> bool:
    stripped = line.strip()
    left = _indent(line)
    right = width - left - len(stripped)
    return left > 8 and len(stripped) < 0.75 * width and abs(left - right) <= max(4, 0.15 * width)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _join(before: str, after: str) -> str:
    """Two lines of a paragraph: no space between Han characters, a word broken at a hyphen made whole."""
    if _HAN.match(before[-1]) and _HAN.match(after[0]):
        return before + after
    if before.endswith("-") and len(before) > 1 and before[-2].isalpha() and after[0].islower():
        return before + after  # the hyphen may be the author's own ("fifty-five"), so it stays
    return f"{before} {after}"


def _squeeze(line: str) -> str:
    return _SPACES.sub(" ", line).strip()


def _pieces(line: str) -> list[str]:
    """A flattened page cut at its wide gaps, where what stands around a gap looks like a paragraph's end."""
    if len(_GAP.findall(line)) < 2:
        return [line]
    pieces: list[str] = []
    for piece in _GAP.split(line):
        if not piece.strip():
            continue
        if pieces and not _breaks(pieces[-1], piece):
            pieces[-1] += " " + piece
        else:
            pieces.append(piece)
    return pieces


def _breaks(before: str, after: str) -> bool:
    after, before = after.strip(), before.strip()
    if label_at(after, 0, len(after)) is not None or before[-1:] in _TERMINAL:
        return True
    return len(before) < 80 and not after[:1].islower() and before[-1:] not in ",，" and not before[-1:].islower()
