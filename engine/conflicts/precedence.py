"""Which passage wins between the documents of a matter: amendments that replace clauses, and orders of precedence.

An amendment that replaces or deletes a clause supersedes it before anything is compared. An order of precedence ("if
this Agreement and an Order conflict, this Agreement prevails") settles a difference between the documents it names.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from engine.anchors.chinese_numerals import chinese_value
from engine.conflicts.norms import is_chinese
from engine.document import Document

_NUMBER = r"(?P<number>\d+(?:\.\d+)*(?:\([a-z0-9]+\))*)"
#: "Section 4.2 of the Agreement is hereby deleted in its entirety and replaced …"
REPLACES = re.compile(
    rf"\b(?:section|clause|article|paragraph)\s+{_NUMBER}\s*(?:\([^)]{{0,60}}\))?[^.;:]{{0,80}}?"
    r"\b(?:is|are|shall be|be)\s+(?:hereby\s+)?"
    r"(?:deleted|replaced|superseded|amended and restated|amended to read|restated)\b",
    re.IGNORECASE,
)
REPLACES_ZH = re.compile(
    r"第(?P<number>[\d.]+|[一二三四五六七八九十百]+)条(?:第[^，。；]{1,6}款)?[^，。；]{0,24}"
    r"(?:修改为|变更为|替换为|调整为|修订为|删除|废止|不再执行)"
)
#: A title that says that a document changes another one.
AMENDS = re.compile(r"amend|supplement|addendum|variation|modification|补充协议|变更协议|修订|修正", re.IGNORECASE)

_THING = (
    r"(?:this|the|any|each|an?)\s+(?P<{0}>(?:master |framework |services? |purchase |supply |individual )*"
    r"(?:agreement|contract|order|statement of work|sow|schedule|annex|exhibit|amendment|addendum|"
    r"terms and conditions))s?"
)
PREVAILS = re.compile(
    r"\b(?:conflict|inconsisten\w+|discrepanc\w+)\b[^.;]{0,160}?,?\s+(?:the (?:terms|provisions)[^.;]{0,40} of )?"
    + _THING.format("winner")
    + r"\s+(?:shall|will)?\s*(?:prevail|control|govern|take precedence|supersede)",
    re.IGNORECASE,
)
PREVAILS_ZH = re.compile(
    r"(?:不一致|冲突|抵触)[^。；]{0,30}以(?P<winner>本合同|本协议|主合同|框架协议|订单|补充协议|附件|本补充协议)[^。；]{0,6}为准"
)
_KINDS = (
    ("amendment", re.compile(r"amendment|addendum|补充协议|变更协议", re.IGNORECASE)),
    ("order", re.compile(r"order form|statement of work|\bsow\b|\border\b|订单|工作说明书", re.IGNORECASE)),
    ("schedule", re.compile(r"^\W*(?:schedule|annex|exhibit|appendix)|^\W*附件", re.IGNORECASE)),
)
#: The title is looked for in so many code points.
TITLE = 400


class Order(NamedTuple):
    """One document prevails (by index) over the others of a matter, and the words that say so."""

    winner: int
    words: str


def _kind(document: Document) -> str:
    head = f"{document.name} {document.text[:TITLE]}"
    return next((kind for kind, pattern in _KINDS if pattern.search(head)), "agreement")


def _digits(text: str) -> str:
    """A clause number in digits: 十二 is 12; digits stay."""
    return text if text[0].isdigit() else str(chinese_value(text) or 0)


def _path_of(number: str) -> str:
    """A displayed number without what numbering habits add: "Section 4.2." and "4.2" are one."""
    found = re.search(r"\d+(?:\.\d+)*(?:\([a-z0-9]+\))*", number)
    if found:
        return found.group().lower()
    chinese = re.search(r"[一二三四五六七八九十百]+", number)
    return _digits(chinese.group()) if chinese else ""


def superseded_spans(documents: Sequence[Document]) -> list[list[tuple[int, int]]]:
    """For each document the spans of the clauses that an amendment in the matter replaces, sorted."""
    amends = [AMENDS.search(f"{document.name} {document.text[:TITLE]}") is not None for document in documents]
    numbers: set[str] = set()
    for document, changes in zip(documents, amends, strict=True):
        if changes:
            pattern = REPLACES_ZH if is_chinese(document.text[:4000]) else REPLACES
            numbers |= {_digits(m.group("number")).lower() for m in pattern.finditer(document.text)}
    spans: list[list[tuple[int, int]]] = []
    for document, changes in zip(documents, amends, strict=True):
        clauses = [] if changes or not numbers else document.clauses
        own = [(c.start, c.end) for c in clauses if c.number and _path_of(c.number) in numbers]
        spans.append(sorted(own))
    return spans


def is_superseded(spans: Sequence[tuple[int, int]], start: int) -> bool:
    """Whether a place lies in one of a document's superseded clauses."""
    at = bisect_right(spans, (start, 1 << 60)) - 1
    return any(low <= start < high for low, high in spans[: at + 1])


def order_of(documents: Sequence[Document]) -> Order | None:
    """The first order of precedence in a matter that names one of its documents, or None."""
    if len(documents) < 2:
        return None
    kinds = [_kind(document) for document in documents]
    for i, document in enumerate(documents):
        chinese = is_chinese(document.text[:4000])
        match = (PREVAILS_ZH if chinese else PREVAILS).search(document.text)
        if match is None:
            continue
        named = match.group("winner")
        words = " ".join(match.group().split())
        own = named.lower() in ("agreement", "contract", "本合同", "本协议", "本补充协议") and not re.search(
            rf"\bthe {re.escape(named)}", match.group(), re.IGNORECASE
        )
        if own:
            return Order(i, words)
        wanted = next((kind for kind, pattern in _KINDS if pattern.search(named)), "agreement")
        fitting = [k for k, kind in enumerate(kinds) if kind == wanted]
        if len(fitting) == 1:
            return Order(fitting[0], words)
    return None
