"""Text fitted to a terminal, Chinese and hostile text included."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.command.columns import clip, printable, shorten, width, wrap

any_text = st.text(max_size=80)


@given(any_text, st.integers(2, 40))
def test_nothing_is_wider_than_asked(text, columns):
    assert width(clip(text, columns)) <= columns
    assert width(shorten(text, columns)) <= columns


@given(any_text, st.integers(2, 40))
def test_wrapping_keeps_every_word(text, columns):
    lines = wrap(text, columns)
    assert "".join("".join(lines).split()) == "".join(printable(text).split())
    assert all(width(line) <= columns or " " not in line for line in lines)


@given(any_text)
def test_no_control_character_reaches_the_terminal(text):
    shown = printable(text)
    assert len(shown) == len(text)
    assert not {unicodedata.category(c) for c in shown} & {"Cc", "Cf"}


def test_what_clashes_stays_in_sight():
    text = "The Buyer shall, " + "without any undue delay and " * 10 + "within thirty (30) days, " + "and so on " * 20
    start = text.index("thirty")
    short = shorten(text, 40, (start, start + len("thirty (30) days")))
    assert "thirty (30) days" in short
    assert short.startswith("…")
    assert short.endswith("…")


@pytest.mark.parametrize(("text", "columns"), [("买方应在三十日内付款", 20), ("abc", 3), ("e\u0301", 1), ("😀", 2)])
def test_widths(text, columns):
    assert width(text) == columns
