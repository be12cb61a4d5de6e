"""What the engine answers of a matter's anchor table, and how a review keeps the table."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import pytest

from engine.anchors import answers
from engine.anchors.answers import OpenTables
from engine.anchors.model import Anchor, AnchorKind
from engine.anchors.table import AnchorTable, build
from engine.conflicts.review import review_documents
from engine.document import CharacterBoxes, Document, Media, Page, Sentence
from engine.protocol.messages import AnchorPlace, AnchorsFound, FindPlaces, ListAnchors, ReviewOptions
from engine.states.ngrams import NgramEncoder


def period(value: str, start: int, role: str = "payment period", bound: str = "exact") -> Anchor:
    return Anchor(AnchorKind.PERIOD, value, start, start + 4, 1.0, role, bound)


DOCUMENTS = {
    "a": [period("P30D", 10), period("P45D", 50), period("P30D", 90, "delivery period")],
    "b": [period("P60D", 5, bound="at_most"), period("P30D", 40), Anchor(AnchorKind.PARTY, "Buyer", 70, 75)],
}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "matter.saht"
    build(path, DOCUMENTS)
    return path


def test_every_anchor_is_listed(table: Path) -> None:
    found = OpenTables().answer(ListAnchors(3, str(table), "a"))
    assert (found.job, found.documents, found.left_out) == (3, ("a", "b"), 0)
    listed = {(each.kind, each.value): each.places for each in found.values}
    assert set(listed) == {("period", "P30D"), ("period", "P45D"), ("period", "P60D"), ("party", "Buyer")}
    assert sum(map(len, listed.values())) == 6
    (late,) = next(each.places for each in found.values if each.value == "P60D")
    assert late == AnchorPlace(1, 5, 9, "payment period", "at_most")


def test_a_large_matter_is_listed_by_document(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "MOST_LISTED", 4)
    found = OpenTables().answer(ListAnchors(1, str(table), "b"))
    assert found.documents == ("b",)
    assert found.left_out == 3
    assert OpenTables().answer(ListAnchors(1, str(table), "absent")) == AnchorsFound(1, (), (), 6)


def test_a_value_and_its_rivals_in_all_documents(table: Path) -> None:
    found = OpenTables().answer(FindPlaces(2, str(table), "period", "P30D", "payment period"))
    assert [(each.value, len(each.places)) for each in found.values] == [("P30D", 3), ("P45D", 1), ("P60D", 1)]
    assert [found.documents[place.document] for place in found.values[0].places] == ["a", "a", "b"]
    alone = OpenTables().answer(FindPlaces(2, str(table), "period", "P30D"))
    assert [each.value for each in alone.values] == ["P30D"]
    assert OpenTables().answer(FindPlaces(2, str(table), "period", "P1D", "no role")).values == ()


def test_what_is_too_much_is_counted(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "MOST_PLACES", 1)
    monkeypatch.setattr(answers, "MOST_RIVALS", 1)
    found = OpenTables().answer(FindPlaces(2, str(table), "period", "P30D", "payment period"))
    assert [(each.value, len(each.places)) for each in found.values] == [("P30D", 1), ("P45D", 1)]
    assert found.left_out == 3


def test_a_table_that_changes_is_opened_anew(table: Path) -> None:
    tables = OpenTables()
    assert len(tables.answer(ListAnchors(1, str(table))).documents) == 2
    build(table, {"a": DOCUMENTS["a"]})
    assert tables.answer(ListAnchors(1, str(table))).documents == ("a",)


@pytest.mark.parametrize("damage", ["cut", "foreign", "gone", "words"])
def test_without_a_readable_table_there_are_no_values(
    table: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    data = bytearray(table.read_bytes())
    if damage == "gone":
        table.unlink()
    elif damage == "words":
        at = data.rindex(b"period\x1fP30D")
        data[at - 3 : at] = b"\xff\xff\xff"
        table.write_bytes(data)
    else:
        table.write_bytes(data[:-100] if damage == "cut" else b"PK" * 900)
    with caplog.at_level(logging.WARNING):
        assert OpenTables().answer(ListAnchors(1, str(table))) == AnchorsFound(1, (), ())
    assert ("cannot be used" in caplog.text) is (damage != "gone")


def _document(name: str, text: str) -> Document:
    return Document(
        name, name, Media.TEXT, "en", text, (Page(0, 595.0, 842.0, 0, len(text)),), (),
        (Sentence(0, len(text), ""),), (), (), CharacterBoxes.empty(),
    )  # fmt: skip


def _review(documents: list[Document], table: Path, kept: tuple[str, ...] = ()) -> None:
    review_documents(
        documents,
        encoder_for=lambda _language: NgramEncoder(),
        options=ReviewOptions(table=str(table), kept=kept),
        progress=lambda *_: None,
        cancelled=lambda: False,
    )


def test_a_review_keeps_the_table(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "matter.saht"
    first = _document("a", "The Buyer shall pay each invoice within thirty (30) days.")
    second = _document("b", "The Buyer shall pay each invoice within forty-five (45) days.")
    _review([first], path)
    assert [place.document for place in AnchorTable.open(path).places("period", "P30D")] == ["a"]
    _review([second], path, ("a",))
    assert set(AnchorTable.open(path).documents) == {"a", "b"}
    _review([second], path)
    assert AnchorTable.open(path).documents == ("b",)
    path.write_bytes(path.read_bytes()[:-70])
    with caplog.at_level(logging.WARNING):
        _review([first, second], path, ("c",))
    assert "built again" in caplog.text
    assert len(AnchorTable.open(path).places("period", "P45D")) == 1


def test_a_review_does_not_fail_for_want_of_a_table(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        _review([_document("a", "It costs $5.")], tmp_path / "no such folder" / "matter.saht")
    assert "could not be written" in caplog.text


def test_rows_that_are_asked_for_are_known(table: Path) -> None:
    opened = AnchorTable.open(table)
    assert [known.value for known in opened.known(np.array([0, 1], np.int64))] == ["P30D", "P30D"]
    assert opened.rows_of("absent").tolist() == []
