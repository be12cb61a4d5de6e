from __future__ import annotations

import pytest

from engine.anchors.extract import extract_anchors, extract_from_text
from engine.anchors.model import AnchorKind
from engine.document import CharacterBoxes, Clause, ClauseKind, Document, Media, Page


def _references(text: str) -> list[str]:
    return [a.value for a in extract_from_text(text) if a.kind is AnchorKind.REFERENCE]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see §7 and Section 8 below", ["clause:7", "clause:8"]),
        ("clauses forty and seven", ["clause:40", "clause:7"]),
        ("Section 14.2(b)(4)(iii)", ["clause:14.2(b)(4)(iii)"]),
        ("Articles 3-7, 9 and 12", ["clause:3-7", "clause:9", "clause:12"]),
        (
            "paragraph (c), (d) (e) or (f) of subsection (2)",
            ["clause:(2)(c)", "clause:(2)(d)", "clause:(2)(e)", "clause:(2)(f)"],
        ),
        (
            "Sections 41(2) and 42(1) of the Partnership Act",
            ["external:Partnership Act 41(2)", "external:Partnership Act 42(1)"],
        ),
        (
            "Section 9.2, 9.3 or 9.4 thereof",
            ["other:thereof 9.2", "other:thereof 9.3", "other:thereof 9.4", "other:thereof"],
        ),
        ("Section 4.1 of the Credit Agreement", ["other:Credit Agreement 4.1"]),
        ("this Section 8.15", ["clause:8.15"]),
        ("this Section and this Agreement's hereof", ["this:section", "this:agreement"]),
        ("Exhibit B and Schedule 2.1", ["exhibit:B", "schedule:2.1"]),
        ("Article IV", ["clause:IV"]),
        ("FAR section 12.212", ["external:FAR 12.212"]),
        ("the listed items 3 and parts 4", []),
        ("本合同第三条第二款及附件一", ["clause:3(2)", "attachment:1"]),
        ("第五条至第七条", ["clause:5-7"]),
        ("《中华人民共和国民法典》第五百八十五条", ["external:中华人民共和国民法典 585"]),
        ("依据本条约定", ["this:条"]),
        ("按第5.2条执行", ["clause:5.2"]),
    ],
)
def test_references(text: str, expected: list[str]) -> None:
    assert _references(text) == expected


def test_a_title_is_kept() -> None:
    (anchor,) = [a for a in extract_from_text("Section 12 (Confidentiality)") if a.kind is AnchorKind.REFERENCE]
    assert anchor.detail["title"] == "Confidentiality"


def test_the_next_lines_number_is_no_reference() -> None:
    assert _references("19. ANNEXES\n20. AUTHORISED SIGNATURES") == []


def test_ten_thousand_references() -> None:
    text = " ".join(f"Section {i}.1 refers to Section {i + 1}.1." for i in range(5000))
    assert len(_references(text)) == 10000


def test_a_clauses_own_number_is_no_reference() -> None:
    text = "Section 9.1 Price. See Section 9.2.\nSection 9.2 Term. See Section 9.1."
    clauses = tuple(
        Clause(f"c{i}", n, (9, i + 1), f"Section {n}", "", 0, ClauseKind.CLAUSE, at, at + 35, at + 11, "", 0, "en")
        for i, (n, at) in enumerate((("9.1", 0), ("9.2", 36)))
    )
    page = Page(0, 595.0, 842.0, 0, len(text))
    empty = CharacterBoxes.empty()
    document = Document("sha256:0", "a.txt", Media.TEXT, "en", text, (page,), clauses, (), (), (), empty)
    found = [(a.value, a.start) for a in extract_anchors(document) if a.kind is AnchorKind.REFERENCE]
    assert found == [("clause:9.2", 23), ("clause:9.1", 58)]
