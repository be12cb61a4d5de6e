"""Where references under the pointer lead."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from painted_pages import contract
from PySide6.QtCore import QEvent
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QMenu
from window_bench import Bench

from engine.document import Document
from gui.state.references import MOST_SHOWN, clause_words, reference_at

LINES = (
    "1. Payment as in Section 3 and Clause 9.",
    "2. Nothing here; see Sections 1 and 2.",
    "3. Delivery under Section 1.",
    "4、按照第二条的约定付款。",
)


def read(lines: tuple[str, ...] = LINES) -> Document:
    return contract(1, lines)


@pytest.mark.parametrize(
    ("words", "number"),
    [("Section 3", "3"), ("Section 1.", "1"), ("Sections 1", "1"), ("Clause 9", None), ("Payment", None)],
)
def test_numbers_lead_to_their_clauses(words: str, number: str | None) -> None:
    document = read()
    found = reference_at(document, document.text.index(words) + 2)
    assert (found[1].number if found else None) == number


def test_chinese_numerals_lead_to_chinese_clauses() -> None:
    import msgspec

    document = read()
    second = msgspec.structs.replace(document.clauses[1], number="第二条", label="第二条")
    document = msgspec.structs.replace(document, clauses=(document.clauses[0], second, *document.clauses[2:]))
    found = reference_at(document, document.text.index("第二条") + 1)
    assert found is not None
    assert found[1] is second


@given(st.integers(-5, 400), st.text(alphabet="Section 第条一3.()\n", max_size=40))
def test_any_place_in_any_text_answers(offset: int, line: str) -> None:
    document = read((line,) if line.strip() else ("1. x",))
    found = reference_at(document, offset)
    assert found is None or found[1] in document.clauses


def test_a_popup_shows_the_clause_that_a_reference_names(bench: Bench) -> None:
    bench.document = read(("1. Payment as in Section 3.", "2. Other.", "3. Fees <b>& costs</b> are due."))
    bench.open()
    words_at = bench.window.pages.view.words_at
    assert words_at is not None
    words = words_at(bench.document.text.index("Section 3") + 3)
    assert "<b>3</b>" in words
    assert "Fees &lt;b&gt;&amp; costs&lt;/b&gt; are due." in words
    assert "p. 1" in words
    assert words_at(bench.document.text.index("Other")) == ""


def test_hovering_over_a_reference_opens_the_popup(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.document = read()
    bench.open()
    view = bench.window.pages.view
    said: list[str] = []
    monkeypatch.setattr("gui.pages.page_pointer.QToolTip.showText", lambda _where, words, _widget: said.append(words))
    offset = bench.document.text.index("Section 3") + 3
    monkeypatch.setattr(view.pointer, "character_under", lambda _place: offset)
    place = view.viewport().rect().center()
    QApplication.sendEvent(view.viewport(), QHelpEvent(QEvent.Type.ToolTip, place, view.mapToGlobal(place)))
    assert "Delivery under Section 1." in said[-1]


def test_long_clauses_are_cut_and_headings_are_not_said_twice() -> None:
    import msgspec

    document = read(("1. See Section 2.", "2. " + "very long " * 9))
    clause = msgspec.structs.replace(document.clauses[1], heading="Term")
    title, paragraphs = clause_words(document, clause)
    assert title == "2 Term"
    assert paragraphs == [("very long " * 9).strip()]
    many = msgspec.structs.replace(document, text=document.text + "x" * 900)
    long = msgspec.structs.replace(clause, end=len(many.text))
    assert sum(map(len, clause_words(many, long)[1])) <= MOST_SHOWN + 2


def test_the_context_menu_goes_there(bench: Bench) -> None:
    bench.document = read()
    bench.open()
    view = bench.window.pages.view
    view.context_menu_requested.emit(
        view.mapToGlobal(view.rect().center()), bench.document.text.index("Section 3") + 3
    )
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert menu.actions()[0].text() == "Go to Section 3"
    menu.actions()[0].trigger()
    menu.close()
    assert view.current_clause.caret == bench.document.clauses[2].start
