"""Markdown to paragraphs: headings, lists, tables and emphasis read, their marks taken off."""

from __future__ import annotations

import re

from engine.reading.structure.labels import label_at
from engine.reading.text.paragraphs import RawParagraph

_HEADING = re.compile(r" {0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_UNDERLINE = re.compile(r" {0,3}(=+|-{3,})\s*$")
_RULE = re.compile(r" {0,3}(?:\*\s*){3,}$|(?:-\s*){3,}$|(?:_\s*){3,}$")
_LIST = re.compile(r"(\s*)(?:[-+*]|\d{1,3}[.)])\s+")
_TABLE_RULE = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$")
_QUOTE = re.compile(r"\s*(?:>\s?)+")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_HTML = re.compile(
    r"</?(?:a|b|i|u|em|strong|span|div|p|br|sup|sub|center|h[1-6]|ul|ol|li|table|tr|td|th|tbody|thead|font|hr|img)\b[^>]*>",
    re.IGNORECASE,
)
_IMAGE = re.compile(r"!\[([^\]]*)\]\([^)]*\)")
_LINK = re.compile(r"\[([^\]]+)\]\((?:[^()\s]|\([^)]*\))*(?:\s+\"[^\"]*\")?\)")
_CODE = re.compile(r"`{1,3}([^`]+)`{1,3}")
_STRONG = re.compile(
    r"(?<!\*)\*\*(?=[^\s*])(.+?)(?<=[^\s*])\*\*(?!\*)|(?<![\w_])__(?=[^\s_])(.+?)(?<=[^\s_])__(?![\w_])"
)
_BOTH = re.compile(r"(?<!\*)\*{3}(?=[^\s*])(.+?)(?<=[^\s*])\*{3}(?!\*)")
_EMPHASIS = re.compile(
    r"(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])|(?<![\w_])_(?=[^\s_])([^_\n]+?)(?<=[^\s_])_(?![\w_])"
)
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+.!|>~-])")
_SPACES = re.compile(r"[ \t\xa0]+")


def paragraphs_of_markdown(text: str) -> list[RawParagraph]:
    """The paragraphs of a Markdown text, without its marks; headings carry their level, cells their place."""
    text = _COMMENT.sub("", _FRONT_MATTER.sub("", text))
    found: list[RawParagraph] = []
    open_paragraph = False
    table = -1
    row = 0
    lines = text.split("\n")
    for index, line in enumerate(lines):
        following = lines[index + 1] if index + 1 < len(lines) else ""
        if not line.strip() or (_RULE.match(line) and not open_paragraph):
            open_paragraph = False
            row = 0
            continue
        if row or (line.count("|") >= 1 and _TABLE_RULE.match(following) and "|" in following):
            if not _TABLE_RULE.match(line):
                table += row == 0
                found += _cells(line, table, row)
                row += 1
            continue
        if open_paragraph and found and _UNDERLINE.match(line):
            found[-1].level, found[-1].bold = (0 if "=" in line else 1), True
            open_paragraph = False
            continue
        open_paragraph = _take_line(found, line, open_paragraph)
    return [paragraph for paragraph in found if paragraph.text]


def _take_line(found: list[RawParagraph], line: str, open_paragraph: bool) -> bool:
    """Add one line; whether the paragraph stays open for the next."""
    heading = _HEADING.match(line)
    if heading:
        found.append(RawParagraph(plain(heading[2]), 0, level=len(heading[1]) - 1, bold=True))
        return False
    line = _QUOTE.sub("", line, count=1) if _QUOTE.match(line) else line
    indent = len(line) - len(line.lstrip())
    stripped = line.strip()
    item = _LIST.match(line)
    if (
        open_paragraph
        and found
        and not item
        and label_at(stripped, 0, len(stripped)) is None
        and not found[-1].text.endswith("\\")
    ):
        found[-1].text = f"{found[-1].text} {plain(stripped)}"
        return not line.endswith("  ")
    words = "• " + stripped[1:].lstrip() if item and stripped[0] in "-+*" else stripped
    inner = _HEADING.match(stripped[item.end() - indent :]) if item else None
    if item and inner:  # "1. ## Fees": a numbered heading
        words = stripped[: item.end() - indent] + inner[2]
    bold = inner is not None or bool(re.match(r"(?:\*\*|__)[^\s*_]", words))
    found.append(RawParagraph(plain(words), indent, bold=bold, list_level=_list_level(found, indent) if item else -1))
    return not line.endswith("  ")


def _list_level(found: list[RawParagraph], indent: int) -> int:
    """How deep a list item at this column is nested in the items above it."""
    for paragraph in reversed(found):
        if paragraph.list_level < 0:
            if paragraph.indent <= indent and paragraph.level >= 0:
                return 0
            continue
        if indent > paragraph.indent + 1:
            return paragraph.list_level + 1
        if abs(indent - paragraph.indent) <= 1:
            return paragraph.list_level
    return 0


def _cells(line: str, table: int, row: int) -> list[RawParagraph]:
    inner = line.strip().removeprefix("|").removesuffix("|")
    cells = [plain(cell.strip()) for cell in re.split(r"(?<!\\)\|", inner)]
    return [RawParagraph(cell, cell=(table, row, column), bold=row == 0) for column, cell in enumerate(cells) if cell]


def plain(text: str) -> str:
    """A line's words without inline marks (emphasis, links, code, simple tags)."""
    text = _HTML.sub(" ", text) if "<" in text else text
    text = _LINK.sub(r"\1", _IMAGE.sub(r"\1", text))
    text = _CODE.sub(r"\1", text)
    text = _BOTH.sub(r"\1", text)
    for _ in range(2):
        text = _STRONG.sub(lambda match: match[1] or match[2], text)
    text = _EMPHASIS.sub(lambda match: match[1] or match[2], text)
    return _SPACES.sub(" ", _ESCAPE.sub(r"\1", text)).strip()
