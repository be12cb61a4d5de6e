"""Words that bind nobody, however much they sound like norms: notes to the drafter, and text that is taken out.

An amendment quotes what it takes out beside what it puts in; only the latter holds.
"""

from __future__ import annotations

import re

from engine.document import Document

_WHO = r"(?:drafting|drafter['’]s|practice|guidance|instruction(?:al)?|explanatory|editor['’]s|template|internal|legal)"
#: What begins a note: "[Drafting note:", "Note to draft", "Instructions:", 【注：, （填写说明：.
_BEGINS = re.compile(
    rf"(?P<bracket>[\[(【（{{<])\s*(?:{_WHO}[ -]*)?(?:notes?|nb|n\.b\.|ntd|instructions?|guidance|comment|tip)\b"
    r"(?:\s+to\s+(?:the\s+)?(?:draft(?:er)?|user|reader|company|counsel))?\s*[:：.\-–—]|"
    rf"(?P<line>(?:^|(?<=\n))[ \t*_#>]*(?:{_WHO}[ -]+notes?|notes? to (?:the )?(?:draft(?:er)?|user|counsel)|"
    r"instructions?(?: to (?:the )?(?:draft(?:er)?|user|company))?)[*_]*\s*[:：])|"
    r"(?P<bracket_zh>[\[(【（〔])\s*(?:(?:编者|起草|填写|使用|律师)?(?:注|注释|说明|提示|备注|批注))\s*[:：]|"
    r"(?P<line_zh>(?:^|(?<=\n))[ \t]*(?:填写说明|起草说明|使用说明|填表说明|编者注|起草注|律师提示|温馨提示)\s*[:：])",
    re.IGNORECASE,
)
_CLOSES = {"[": "]", "(": ")", "【": "】", "（": "）", "{": "}", "<": ">", "〔": "〕"}
#: A bracket that is not closed within so many code points is no note.
LONGEST = 4000

_QUOTE = re.compile(r"[\"“]([^\"“”]{15,2500})[\"”]|“([^“”]{6,800})”")
#: What announces a quotation of the text that was, and of the text that shall be.
_WAS = re.compile(
    r"previously (?:read|stated|provided)|(?:currently|presently|formerly) (?:reads?|states?)|\bdelet\w+|\bstrik\w+|"
    r"\bstruck|\bremov\w+|原(?:约定|条款|文)?为|删除",
    re.IGNORECASE,
)
_SHALL_BE = re.compile(
    r"\bnow reads?|\breplac\w+|\bsubstitut\w+|in lieu|\binsert\w*|\badd(?:ed|ing)?\b|to read|"
    r"修改为|变更为|改为|增加|替换为",
    re.IGNORECASE,
)
#: What follows a quotation of the text that was.
_TAKEN_OUT = re.compile(
    r"\s*(?:修改为|变更为|改为|删除|替换为|(?:(?:is|are|shall be) )?(?:hereby )?(?:deleted|replaced|struck|removed)\b)",
    re.IGNORECASE,
)
#: So many code points before a quotation announce it.
ANNOUNCED = 200


def silent_spans(document: Document) -> list[tuple[int, int]]:
    """Where a document's words bind nobody, ``[start, end)``, in order: notes and text that is taken out."""
    return sorted(note_spans(document) + struck_spans(document))


def struck_spans(document: Document) -> list[tuple[int, int]]:
    """Where text is quoted that an amendment takes out."""
    spans = []
    text, last = document.text, 0
    for match in _QUOTE.finditer(text):
        before = text[max(last, match.start() - ANNOUNCED) : match.start()]
        was = max((m.end() for m in _WAS.finditer(before)), default=-1)
        shall_be = max((m.end() for m in _SHALL_BE.finditer(before)), default=-1)
        if was > shall_be or _TAKEN_OUT.match(text, match.end()):
            spans.append((match.start(), match.end()))
        last = match.end()
    return spans


def note_spans(document: Document) -> list[tuple[int, int]]:
    """Where a document speaks to its drafter, ``[start, end)``, in order."""
    spans: list[tuple[int, int]] = []
    text = document.text
    for match in _BEGINS.finditer(text):
        start = match.start()
        if spans and start < spans[-1][1]:
            continue
        opening = match["bracket"] or match["bracket_zh"]
        end = _closing(text, start, opening) if opening else _line_end(text, match.end())
        if end > start:
            spans.append((start, end))
    return spans


def _line_end(text: str, at: int) -> int:
    """Where the paragraph of a note ends; one that only heads what follows is none."""
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    return end if text[at:end].strip() else at


def _closing(text: str, start: int, opening: str) -> int:
    """Behind the bracket that closes the one at ``start``; ``start`` without one."""
    closing, depth = _CLOSES[opening], 0
    for i in range(start, min(len(text), start + LONGEST)):
        depth += (text[i] == opening) - (text[i] == closing)
        if depth == 0:
            return i + 1
    return start


def is_note(spans: list[tuple[int, int]], start: int, end: int, cue: tuple[int, int]) -> bool:
    """Whether the words at ``[start, end)`` are a note: most of them, or the words ``cue`` that would bind somebody."""
    for low, high in spans:
        inside = min(end, high) - max(start, low)
        if inside <= 0:
            continue
        if 2 * inside > end - start or (cue != (0, 0) and low <= start + cue[0] and start + cue[1] <= high):
            return True
    return False
