from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.document import Clause, ClauseKind, Document, Media, Page, pack
from engine.document.model import CharacterBoxes
from engine.matter import Annotator, LinkEnd, Matter
from engine.protocol.findings import EngineLine, Finding, Passage, PathStep, Severity

ENGLISH = "1. Payment. The Buyer shall pay within 30 days.\n2. Late payment. The Buyer shall pay within 45 days. 😀"
CHINESE = "第一条 付款\r\n买方应在30日内付款。\r\n第二条 迟延\r\n买方应在45日内付款。"


def document_of(text: str, name: str = "sample.txt") -> Document:
    half = text.index("2.") if "2." in text else text.index("第二条")
    clauses = tuple(
        Clause(f"c{i}", label, (i + 1,), label, "", 0, ClauseKind.CLAUSE, start, end, start, "", 0, "en")
        for i, (label, start, end) in enumerate((("1", 0, half), ("2", half, len(text))))
    )
    return Document(
        id="sha256:" + hashlib.sha256(text.encode()).hexdigest(), name=name, media=Media.TEXT, language="en", text=text,
        pages=(Page(0, 595, 842, 0, len(text)),), clauses=clauses, sentences=(), furniture=(), notices=(),
        boxes=CharacterBoxes.empty(),
    )  # fmt: skip


@pytest.fixture
def make_document() -> Callable[..., Document]:
    return document_of


@pytest.fixture
def english() -> Document:
    return document_of(ENGLISH)


@pytest.fixture
def chinese() -> Document:
    return document_of(CHINESE, "合同.txt")


@pytest.fixture
def engine_line() -> EngineLine:
    return EngineLine("cpu", "test", "none")


@pytest.fixture
def ends() -> Callable[..., tuple[LinkEnd, ...]]:
    def make(document: Document, *quotes: str) -> tuple[LinkEnd, ...]:
        out = []
        for quote in quotes:
            start = document.text.index(quote)
            clause = document.clause_at(start)
            assert clause is not None
            out.append(LinkEnd(document.id, clause.id, clause.number, quote, start, start + len(quote)))
        return tuple(out)

    return make


@pytest.fixture
def finding() -> Callable[..., Finding]:
    def make(document: Document, id: str = "f-0000000000000001", summary: str = "30 days, then 45", rank: int = 1):
        passages = tuple(
            Passage(document.id, str(i + 1), f"c{i}", 0, at, at + 7, document.text[at : at + 7])
            for i, at in enumerate((document.text.index("30"), document.text.index("45")))
        )
        path = (PathStep("same_matter", "both speak of payment"), PathStep("conflict", "30 is not 45"))
        return Finding(id, "value.period", rank, 0.9, Severity.HIGH, summary, path, passages)

    return make


@pytest.fixture
def person() -> Annotator:
    return Annotator("a-one", "Ada")


@pytest.fixture
def matter(tmp_path: Path, english: Document, chinese: Document, person: Annotator) -> Iterator[Matter]:
    with Matter.create(tmp_path / "deal.antinomy", person) as matter:
        for each in (english, chinese):
            matter.add_document(each.id, each.name, f"/{each.name}", each.media, pack(each), clauses=each.clauses)
        yield matter
