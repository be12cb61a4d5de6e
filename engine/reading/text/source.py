"""A text's paragraphs as canonical text, blocks and a flow to lay out."""

from __future__ import annotations

import bisect
import dataclasses
import itertools

from engine.document import Media
from engine.reading.layout import Alignment, Paragraph, ParagraphStyle, Span, TextStyle
from engine.reading.source import Block, BlockKind
from engine.reading.structure.inline import contents_span, split_points
from engine.reading.text.markdown import paragraphs_of_markdown
from engine.reading.text.pagination import without_page_numbers
from engine.reading.text.paragraphs import RawParagraph, paragraphs_of
from engine.reading.text.running import without_running_lines

#: Paragraphs longer than this are searched for clause numbers inside them.
_SEARCHED_FOR_NUMBERS = 80
#: Paragraphs longer than this are searched for page numbers.
_SEARCHED_FOR_PAGES = 6_000
#: Width of one column of indent, and the most that is shown.
_COLUMN_PT, _MAX_INDENT_PT = 5.0, 120.0
_BODY = TextStyle(size_pt=11.0)


@dataclasses.dataclass(frozen=True, slots=True)
class TextContent:
    """The canonical text with its blocks, and the same paragraphs for the layout."""

    text: str
    blocks: tuple[Block, ...]
    flow: tuple[Paragraph, ...]


def content_of(text: str, media: Media) -> TextContent:
    """Paragraphs, blocks and flow of a decoded file."""
    raw = paragraphs_of_markdown(text) if media is Media.MARKDOWN else _without_pagination(paragraphs_of(text))
    pieces = _at_numbers(raw)
    blocks: list[Block] = []
    flow: list[Paragraph] = []
    start = 0
    for piece, paragraph in pieces:
        end = start + len(piece)
        blocks.append(_block(start, end, paragraph))
        flow.append(_paragraph(start, end, paragraph))
        start = end + 1
    return TextContent("\n".join(piece for piece, _ in pieces), tuple(blocks), tuple(flow))


def _without_pagination(raw: list[RawParagraph]) -> list[RawParagraph]:
    result: list[RawParagraph] = []
    for paragraph in without_running_lines(raw):
        if len(paragraph.text) < _SEARCHED_FOR_PAGES:
            result.append(paragraph)
            continue
        for piece in without_page_numbers(paragraph.text).split("\n"):
            result.append(dataclasses.replace(paragraph, text=piece))
    return result


def _at_numbers(raw: list[RawParagraph]) -> list[tuple[str, RawParagraph]]:
    """Long paragraphs cut where clause numbers stand in their running text; a table of contents stays whole."""
    if not any(len(paragraph.text) >= _SEARCHED_FOR_NUMBERS for paragraph in raw):
        return [(paragraph.text, paragraph) for paragraph in raw]
    text = "\n".join(paragraph.text for paragraph in raw)
    contents = contents_span(text)
    points = [*contents, *split_points(text, contents[-1] if contents else 0, len(text))]
    pieces = []
    start = 0
    for paragraph in raw:
        end = start + len(paragraph.text)
        inside = points[bisect.bisect_right(points, start) : bisect.bisect_left(points, end)]
        cuts = [start, *(inside if len(paragraph.text) >= _SEARCHED_FOR_NUMBERS else ()), end]
        pieces += [(piece, paragraph) for a, b in itertools.pairwise(cuts) if (piece := text[a:b].strip())]
        start = end + 1
    return pieces


def _block(start: int, end: int, paragraph: RawParagraph) -> Block:
    return Block(
        start,
        end,
        BlockKind.TABLE_CELL if paragraph.cell is not None else BlockKind.PARAGRAPH,
        label_end=start,
        list_level=paragraph.list_level,
        outline_level=paragraph.level,
        indent_pt=min(_MAX_INDENT_PT, paragraph.indent * _COLUMN_PT),
        font_size_pt=_size(paragraph.level),
        bold=paragraph.bold,
        centred=paragraph.centred,
        table=paragraph.cell,
    )


def _paragraph(start: int, end: int, paragraph: RawParagraph) -> Paragraph:
    style = ParagraphStyle(
        alignment=Alignment.CENTRE if paragraph.centred else Alignment.LEFT,
        left_pt=0.0 if paragraph.centred else min(_MAX_INDENT_PT, paragraph.indent * _COLUMN_PT),
        space_before_pt=8.0 if paragraph.level >= 0 else 0.0,
        space_after_pt=6.0,
        keep_with_next=paragraph.level >= 0,
    )
    if paragraph.level < 0:
        return Paragraph(start, end, style)
    return Paragraph(start, end, style, (Span(start, end, TextStyle(size_pt=_size(paragraph.level), bold=True)),))


def _size(level: int) -> float:
    return {0: 16.0, 1: 13.5, 2: 12.0}.get(level, 11.0)
