"""From spans to rectangles and back."""

from __future__ import annotations

import numpy as np

from engine.document import CharacterBoxes, Document, Media, Page, quads


def two_lines(width: float = 6.0) -> Document:
    """``abcd`` on one line, then a space without ink, then ``efgh`` below, then ``ij`` on page 2."""
    text = "abcd efgh ij"
    rect = np.zeros((len(text), 4), np.float32)
    page = np.zeros(len(text), np.int32)
    for i in range(4):
        rect[i] = (10 + i * width, 100, 10 + (i + 1) * width, 112)
        rect[5 + i] = (10 + i * width, 114, 10 + (i + 1) * width, 126)
    rect[4] = (34, 100, 34, 112)
    rect[9] = (34, 114, 34, 126)
    for i in range(2):
        rect[10 + i] = (10 + i * width, 50, 10 + (i + 1) * width, 62)
    page[10:] = 1
    pages = (Page(0, 200.0, 200.0, 0, 10), Page(1, 200.0, 200.0, 10, 12))
    return Document("sha256:0", "x", Media.PDF, "en", text, pages, (), (), (), (), CharacterBoxes(rect, page))


def test_a_span_over_a_line_break_has_two_rectangles() -> None:
    found = quads(two_lines(), 2, 7)
    assert [(q.page, q.x0, q.x1) for q in found] == [(0, 22.0, 34.0), (0, 10.0, 22.0)]


def test_a_span_over_a_page_break_has_a_rectangle_on_each_page() -> None:
    assert [q.page for q in quads(two_lines(), 7, 12)] == [0, 1]


def test_an_empty_span_and_a_span_without_ink_have_none() -> None:
    document = two_lines()
    assert quads(document, 3, 3) == []
    assert quads(document, 4, 5) == []
