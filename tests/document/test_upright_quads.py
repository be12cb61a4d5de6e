"""Lines that run up or down, as on a page that is shown turned, are one rectangle each."""

from __future__ import annotations

import numpy as np
import pytest

from engine.document import CharacterBoxes, Document, Media, Page, quads


def document_of(rects) -> Document:
    boxes = CharacterBoxes(np.array(rects, np.float32), np.zeros(len(rects), np.int32))
    text = "x" * len(rects)
    return Document("sha256:0", "n", Media.PDF, "en", text, (Page(0, 600, 800, 0, len(text)),), (), (), (), (), boxes)


@pytest.mark.parametrize("way", ["down", "up"])
def test_two_upright_lines(way):
    column = [(100, 50 + 6 * i, 112, 55 + 6 * i) for i in range(10)]
    column = column if way == "down" else column[::-1]
    second = [(x0 - 20, y0, x1 - 20, y1) for x0, y0, x1, y1 in column]
    found = quads(document_of(column + second), 0, 20)
    assert [(q.x0, q.y0, q.x1, q.y1) for q in found] == [(100, 50, 112, 109), (80, 50, 92, 109)]


def test_lines_of_one_character_stay_apart():
    rects = [(10, 50, 16, 60), (10, 70, 16, 80)]
    assert len(quads(document_of(rects), 0, 2)) == 2


def test_ordinary_lines_are_as_before():
    first = [(10 + 6 * i, 100, 15 + 6 * i, 112) for i in range(30)]
    second = [(10 + 6 * i, 116, 15 + 6 * i, 128) for i in range(30)]
    found = quads(document_of(first + second), 0, 60)
    assert [(q.y0, q.y1) for q in found] == [(100, 112), (116, 128)]


def test_a_single_character_has_a_quad_and_no_warning():
    (quad,) = quads(document_of([(10, 50, 16, 60)]), 0, 1)
    assert (quad.x0, quad.y1) == (10, 60)
