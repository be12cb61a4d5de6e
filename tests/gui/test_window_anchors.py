"""The anchors panel, the list of every place of a value, and the tables that are written from them."""

from __future__ import annotations

import csv
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from painted_pages import contract
from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication
from window_bench import Bench

from engine.document import Document
from engine.protocol.messages import AnchorPlace, AnchorsFound, AnchorValue
from gui.commands.names import Name
from gui.left.anchors_delegate import HEAD_ROLE, RIGHT_ROLE, SIGNS, STANDING_ROLE
from gui.left.anchors_model import AnchorsModel
from gui.state.anchor_book import AnchorBook, Standing, place_words
from gui.state.anchor_export import lines, write_csv, write_xlsx

LINES = (
    "1. The Buyer shall pay each invoice within 30 days.",
    "2. The Seller shall deliver within 60 days.",
    "3. The Buyer shall pay each invoice within 45 days.",
    "4. Invoices are due in 30 days. It costs =1+1.",
)


def sample() -> Document:
    return contract(1, LINES)


def places(document: Document, words: str, role: str = "", number: int = 0) -> tuple[AnchorPlace, ...]:
    found, at = [], document.text.find(words)
    while at >= 0:
        found.append(AnchorPlace(number, at, at + len(words), role))
        at = document.text.find(words, at + 1)
    return tuple(found)


def listing(document: Document) -> tuple[AnchorValue, ...]:
    return (
        AnchorValue("period", "P30D", places(document, "30 days", "payment period")),
        AnchorValue("period", "P45D", places(document, "45 days", "payment period")),
        AnchorValue("period", "P60D", places(document, "60 days", "delivery period")),
        AnchorValue("party", "Buyer", places(document, "Buyer", "mention")),
        AnchorValue("amount", "=1+1", places(document, "=1+1")),
    )


def book_of(document: Document, clashes: dict | None = None) -> AnchorBook:
    found = AnchorsFound(1, (document.id,), listing(document))
    return AnchorBook.of(found, {document.id: document}, clashes or {})


@pytest.fixture
def filled(bench: Bench) -> Bench:
    """A window whose panel lists the sample's values."""
    bench.document = sample()
    bench.open()
    bench.review(())
    fill(bench)
    return bench


def fill(bench: Bench) -> None:
    bench.qtbot.waitUntil(lambda: bool(bench.processes.waiting("list_anchors")))
    for job in bench.processes.waiting("list_anchors"):
        bench.processes.play_anchors(job, (bench.document.id,), listing(bench.document))
    bench.qtbot.waitUntil(lambda: bool(bench.workbench.anchors.book.values))


def test_values_of_one_role_agree_or_differ() -> None:
    standings = {value.value: value.standing for value in book_of(sample()).values}
    assert standings["P30D"] is Standing.DIFFERS
    assert standings["P45D"] is Standing.DIFFERS
    assert standings["P60D"] is Standing.ALONE
    assert standings["Buyer"] is Standing.AGREES
    against = {("period", "P30D"): {("period", "P60D")}}
    book = book_of(sample(), against)
    value = next(value for value in book.values if value.value == "P30D")
    assert value.standing is Standing.CONFLICT
    assert [rival.value for rival in value.rivals] == ["P60D", "P45D"]


def test_a_floor_and_a_ceiling_do_not_differ() -> None:
    found = AnchorsFound(
        1,
        ("a",),
        (
            AnchorValue("period", "P30D", (AnchorPlace(0, 0, 3, "notice", "at_least"),)),
            AnchorValue("period", "P90D", (AnchorPlace(0, 9, 12, "notice", "at_most"),)),
        ),
    )
    assert {value.standing for value in AnchorBook.of(found, {}, {}).values} == {Standing.ALONE}


def test_the_shortest_value_around_a_place_is_meant() -> None:
    document = sample()
    book = book_of(document)
    found = book.at(document.id, document.text.index("30 days") + 1)
    assert found is not None
    assert found[0].value == "P30D"
    assert book.at(document.id, document.text.index("each")) is None
    assert book.at("another", 3) is None


def test_the_panel_lists_kinds_values_and_places(filled: Bench) -> None:
    model = filled.window.left.anchors.model
    kinds = [model.index(row, 0) for row in range(model.rowCount())]
    assert [index.data() for index in kinds] == ["Amounts", "Periods", "Parties"]
    assert all(index.data(HEAD_ROLE) for index in kinds)
    assert kinds[1].data(RIGHT_ROLE) == "≠ 2   3"
    first = model.index(0, 0, kinds[1])
    assert (first.data(), first.data(STANDING_ROLE)) == ("30 days", Standing.DIFFERS)
    children = [model.index(row, 0, first).data() for row in range(model.rowCount(first))]
    assert children == ["1", "4", "3  45 days"]
    for index in (first, kinds[0], model.index(2, 0, first)):
        assert model.index(index.row(), 0, index.parent()) == index
    assert len(set(SIGNS.values())) == len(Standing)


def test_filter_and_boxes_narrow_the_list(filled: Bench) -> None:
    tab = filled.window.left.anchors

    def shown() -> list[str]:
        return [value.value for value in tab.model.shown()]

    tab.filter_box.setText("payment period")
    assert shown() == ["P30D", "P45D"]
    tab.filter_box.setText("45")
    assert shown() == ["P45D"]
    tab.filter_box.setText("nothing like it")
    assert shown() == []
    tab.filter_box.clear()
    tab.kind_box.setCurrentIndex(tab.kind_box.findData("period"))
    assert shown() == ["P30D", "P45D", "P60D"]
    tab.standing_box.setCurrentIndex(1)
    assert shown() == ["P30D", "P45D"]
    tab.kind_box.setCurrentIndex(0)
    tab.standing_box.setCurrentIndex(3)
    assert shown() == ["Buyer"]


def test_a_click_goes_to_the_place(filled: Bench) -> None:
    tab = filled.window.left.anchors
    gone: list[tuple[str, int, int]] = []
    tab.place_chosen.connect(lambda *place: gone.append(place))
    filled.trigger(Name.SHOW_ANCHORS)
    tab.filter_box.setText("45")
    value = tab.model.index(0, 0, tab.model.index(0, 0))
    tab.on_view_entered(value)
    tab.on_view_entered(tab.model.index(0, 0))
    at = filled.document.text.index("45 days")
    assert gone == [(filled.document.id, at, at + 7)]


def hover(bench: Bench, offset: int, monkeypatch: pytest.MonkeyPatch) -> None:
    view = bench.window.pages.view
    monkeypatch.setattr(view.pointer, "character_under", lambda _place: offset)
    monkeypatch.setattr(view.pointer, "_held_clause", lambda *_: None)
    place = view.viewport().rect().center()
    QApplication.sendEvent(view.viewport(), QHelpEvent(QEvent.Type.ToolTip, place, view.viewport().mapToGlobal(place)))


def test_hovering_over_a_value_lists_every_place_in_the_matter(
    filled: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    popup = filled.workbench.anchors.popup
    text = filled.document.text
    hover(filled, text.index("each invoice"), monkeypatch)
    assert not filled.processes.waiting("find_places")
    hover(filled, text.index("30 days") + 1, monkeypatch)
    (job,) = filled.processes.waiting("find_places")
    method, _, arguments = filled.processes.asked[-1]
    assert (method, arguments[1:]) == ("find_places", ("period", "P30D", "payment period"))
    found = listing(filled.document)[:2]
    other = AnchorValue("period", "P30D", (*found[0].places, AnchorPlace(1, 5, 9, "payment period")))
    filled.processes.play_anchors(job, (filled.document.id, "sha256:other"), (other, found[1]), 7)
    assert popup.isVisible()
    assert popup.title.text() == "Periods: 30 days  ·  payment period"
    words = [popup.list.item(i).text() for i in range(popup.list.count())]
    assert words == ["30 days", "1", "4", "", "45 days", "3", "and 7 more places"]
    popup.list.itemClicked.emit(popup.list.item(5))
    assert not popup.isVisible()
    assert filled.window.pages.view.current_page == 0


def test_the_list_by_key_and_escape(filled: Bench) -> None:
    flow = filled.workbench.anchors
    assert not flow.rest_at(filled.document.text.index("each"), QPoint(10, 10), True)
    assert flow.rest_at(filled.document.text.index("45 days"), QPoint(10, 10), True)
    (job,) = filled.processes.waiting("find_places")
    filled.processes.play_anchors(job, (filled.document.id,), listing(filled.document)[1:2])
    assert flow.popup.list.hasFocus()
    filled.press(Qt.Key.Key_Escape, flow.popup.list)
    assert not flow.popup.isVisible()


def test_a_table_that_is_not_there_leaves_the_panel_empty(bench: Bench) -> None:
    bench.open()
    bench.review(())
    bench.qtbot.waitUntil(lambda: bool(bench.processes.waiting("list_anchors")))
    for job in bench.processes.waiting("list_anchors"):
        bench.processes.play_anchors(job, (), ())
    tab = bench.window.left.anchors
    assert tab.model.rowCount() == 0
    assert not tab.export_button.isEnabled() or not tab.model.shown()


def test_the_review_brings_the_table_up_to_date(bench: Bench) -> None:
    bench.open()
    bench.processes.play_engine_status("ready")
    options = next(arguments[1] for method, _, arguments in bench.processes.asked if method == "review")
    assert options.table.endswith(".saht")
    assert Path(options.table).parent == bench.desk.book.path.parent
    assert options.kept == ()


def test_export_writes_text_and_no_formula(filled: Bench, tmp_path: Path) -> None:
    flow, tab = filled.workbench.anchors, filled.window.left.anchors
    tab.export_wanted.emit("csv")
    filled.qtbot.waitUntil((tmp_path / "anchors.csv").exists)
    rows = list(csv.DictReader((tmp_path / "anchors.csv").read_text(encoding="utf-8-sig").splitlines()))
    assert [row["value"] for row in rows] == ["'=1+1", "P30D", "P30D", "P45D", "P60D", "Buyer", "Buyer"]
    assert rows[1]["agreement"] == "Differs elsewhere"
    assert rows[1]["differs from"] == "45 days"
    assert (rows[1]["clause"], rows[1]["page"], rows[1]["as written"]) == ("1", "1", "30 days")
    tab.export_wanted.emit("xlsx")
    filled.qtbot.waitUntil((tmp_path / "anchors.xlsx").exists)
    with zipfile.ZipFile(tmp_path / "anchors.xlsx") as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
        strings = book.read("xl/sharedStrings.xml").decode()
    assert "<f>" not in sheet
    assert "=1+1" in strings
    assert flow.book.places == 7


@given(st.lists(st.text(max_size=40), min_size=1, max_size=8))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_can_be_exported(tmp_path: Path, texts: list[str]) -> None:
    table = [[text, 3] for text in texts]
    write_xlsx(tmp_path / "t.xlsx", table)
    write_csv(tmp_path / "t.csv", table)
    with zipfile.ZipFile(tmp_path / "t.xlsx") as book:
        assert "<f>" not in book.read("xl/worksheets/sheet1.xml").decode()
    with (tmp_path / "t.csv").open(encoding="utf-8-sig", newline="") as file:
        for row in list(csv.reader(file))[1:]:
            assert not row or not row[0].startswith(("=", "+", "-", "@"))


def test_ten_thousand_anchors_are_filtered() -> None:
    values = tuple(
        AnchorValue(
            ("amount", "period", "date", "term")[i % 4],
            f"V{i}",
            tuple(AnchorPlace(0, 40 * i + 10 * k, 40 * i + 10 * k + 5, f"role r{i % 97}x") for k in range(4)),
        )
        for i in range(2500)
    )
    book = AnchorBook.of(AnchorsFound(1, ("a",), values), {}, {})
    assert book.places == 10_000
    model = AnchorsModel()
    model.set_book(book, {})
    model.set_filter("role r13x", "", ())
    assert len(model.shown()) == sum(i % 97 == 13 for i in range(2500))
    assert model.rowCount(QModelIndex()) == 4


def test_places_beyond_a_documents_text_have_no_words() -> None:
    document = sample()
    found = AnchorsFound(1, (document.id,), (AnchorValue("date", "2024-01-01", (AnchorPlace(0, 10**6, 10**6 + 4),)),))
    book = AnchorBook.of(found, {document.id: document}, {})
    assert book.values[0].words == "2024-01-01"
    assert place_words(document, book.values[0].spots[0]) == ("", 0, "")
    assert next(iter(lines(book.values, {document.id: document}, {})))[1] == "2024-01-01"
