"""Long runs of one mark: the time of reading grows with the text, not with its square."""

from __future__ import annotations

import numpy as np
import pytest

from engine.document import CharacterBoxes, Media, Page
from engine.reading import end_features
from engine.reading.source import Block, SourceText
from engine.reading.structure.build import build_document

UNITS = ["1.", ".", "A", "A ", "a'", "(a) ", "I V ", "1.1 ", "_", "一", "第", "　", "Section 1 ", "thirty (30) "]


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("before", ["", "1. ", "SCHEDULE 1 ", "第一条 "])
def test_a_paragraph_of_one_mark_over_and_over_is_read(unit: str, before: str) -> None:
    text = (before + unit * (6_000 // len(unit))).rstrip() or "x"
    boxes = CharacterBoxes(np.zeros((len(text), 4), np.float32), np.zeros(len(text), np.int32))
    pages = (Page(0, 600.0, 800.0, 0, len(text), "1"),)
    document = build_document(SourceText(Media.TEXT, text, boxes, pages, (Block(0, len(text), label_end=0),)), "i", "n")
    assert all(0 <= clause.start < clause.end <= len(text) for clause in document.clauses)


def test_a_number_of_a_thousand_parts_is_looked_at_in_pieces() -> None:
    match = end_features._LIST_MARK.match("1." * 1_000 + " ")
    assert match is None or match.end() < 60
