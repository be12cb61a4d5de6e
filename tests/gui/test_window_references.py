"""Where references under the pointer lead."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from painted_pages import contract
from PySide6.QtWidgets import QApplication, QMenu
from window_bench import Bench

from engine.document import Document
from gui.state.references import reference_at

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
