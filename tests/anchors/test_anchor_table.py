from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.anchors.model import Anchor, AnchorKind
from engine.anchors.table import AnchorTable, build, open_or_build, update
from engine.anchors.table_build import gather, write
from engine.anchors.table_format import UnreadableTable, one_with_document, value_key, with_document

_ANCHORS = st.lists(
    st.builds(
        lambda kind, value, start, role, bound: Anchor(kind, value, start, start + 4, 1.0, role, bound),
        st.sampled_from([AnchorKind.PERIOD, AnchorKind.AMOUNT, AnchorKind.PARTY]),
        st.sampled_from(["P30D", "P45D", "USD 1", "人民币", "", "a\x1fb", "\n"]),
        st.integers(0, 10**6),
        st.sampled_from(["", "payment period", "付款期限"]),
        st.sampled_from(["exact", "at_most", "unheard of"]),
    ),
    max_size=30,
)


def _expected(documents: dict[str, list[Anchor]], kind: str, value: str, only: str = "") -> list[tuple[str, int, int]]:
    return [
        (name, a.start, a.end)
        for name, anchors in documents.items()
        if only in ("", name)
        for a in anchors
        if (a.kind.value, a.value) == (kind, value)
    ]


@given(st.lists(_ANCHORS, max_size=12))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_place_is_found_and_no_other(tmp_path: Path, lists: list[list[Anchor]]) -> None:
    documents = {f"sha256:{i}": anchors for i, anchors in enumerate(lists)}
    table = build(tmp_path / "t.saht", documents)
    assert table.documents == tuple(documents)
    for kind in ("period", "amount"):
        for value in ("P30D", "USD 1", "人民币", "", "absent"):
            assert [tuple(p) for p in table.places(kind, value)] == _expected(documents, kind, value)
            for name in documents:
                assert [tuple(p) for p in table.places(kind, value, name)] == _expected(documents, kind, value, name)


@given(st.lists(st.integers(1, 2**64 - 1), min_size=1, max_size=50), st.integers(0, 2**20))
def test_keys_one_by_one_and_together_agree(keys: list[int], document: int) -> None:
    together = with_document(np.array(keys, np.uint64), np.full(len(keys), document, np.uint64))
    assert together.tolist() == [one_with_document(key, document) for key in keys]


def test_a_document_comes_and_goes(tmp_path: Path) -> None:
    first = [Anchor(AnchorKind.PERIOD, "P30D", 1, 5)]
    second = [Anchor(AnchorKind.PERIOD, "P30D", 7, 9), Anchor(AnchorKind.AMOUNT, "USD 5", 20, 22)]
    one = build(tmp_path / "1.saht", {"a": first})
    two = one.with_document(tmp_path / "2.saht", "b", second)
    assert [tuple(p) for p in two.places("period", "P30D")] == [("a", 1, 5), ("b", 7, 9)]
    again = two.with_document(tmp_path / "3.saht", "a", second)
    assert [p.document for p in again.places("amount", "USD 5")] == ["b", "a"]
    left = two.without_document(tmp_path / "4.saht", "a")
    assert [tuple(p) for p in left.places("period", "P30D")] == [("b", 7, 9)]
    assert left.documents == ("b",)
    assert left.without_document(tmp_path / "5.saht", "absent").documents == ("b",)


def test_many_lookups_at_once(tmp_path: Path) -> None:
    anchors = [Anchor(AnchorKind.PERIOD, f"P{i}D", i, i + 1) for i in range(1, 2000)]
    table = build(tmp_path / "t.saht", {"a": anchors})
    owner = np.array([value_key("period", f"P{i}D") for i in range(4000)], np.uint64)
    slots = table.probe(with_document(owner, np.zeros(4000, np.uint64)))
    assert (slots >= 0).tolist() == [1 <= i < 2000 for i in range(4000)]
    assert table.probe(np.zeros(0, np.uint64)).tolist() == []


@pytest.mark.parametrize("damage", ["cut", "foreign", "version", "empty"])
def test_a_file_that_cannot_be_used_is_built_again(
    tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "t.saht"
    documents = {"a": [Anchor(AnchorKind.PERIOD, "P30D", 1, 5)]}
    build(path, documents)
    data = bytearray(path.read_bytes())
    if damage == "version":
        data[4] = 99
    path.write_bytes({"cut": data[:-70], "foreign": b"PK" * 100, "version": data, "empty": b""}[damage])
    with pytest.raises(UnreadableTable):
        AnchorTable.open(path)
    with caplog.at_level(logging.WARNING):
        table = open_or_build(path, lambda: documents)
    assert "built again" in caplog.text
    assert [tuple(p) for p in table.places("period", "P30D")] == [("a", 1, 5)]


def test_a_missing_file_is_built(tmp_path: Path) -> None:
    table = open_or_build(tmp_path / "t.saht", dict)
    assert table.documents == ()
    assert table.places("period", "P30D") == []
    assert [p.name for p in tmp_path.iterdir()] == ["t.saht"]


@given(st.lists(_ANCHORS, max_size=12))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_rivals_are_all_values_of_a_kind_and_role(tmp_path: Path, lists: list[list[Anchor]]) -> None:
    documents = {f"sha256:{i}": anchors for i, anchors in enumerate(lists)}
    table = build(tmp_path / "t.saht", documents)
    for kind in ("period", "amount", "party"):
        for role in ("", "payment period", "付款期限"):
            expected = [
                (name, a.start, a.value, a.bound if a.bound != "unheard of" else "exact")
                for name, anchors in documents.items()
                for a in anchors
                if role and kind != "party" and (a.kind.value, a.role) == (kind, role)
            ]
            found = [(k.document, k.start, k.value, k.bound) for k in table.rivals(kind, role)]
            assert sorted(found) == sorted(expected)
            assert all((k.kind, k.role) == (kind, role) for k in table.rivals(kind, role))
    for name, anchors in documents.items():
        known = table.known(table.rows_of(name))
        assert sorted((k.start, k.kind, k.value, k.role) for k in known) == sorted(
            (a.start, a.kind.value, a.value, a.role) for a in anchors
        )


@given(st.lists(_ANCHORS, min_size=3, max_size=6), st.sets(st.integers(0, 5)), st.sets(st.integers(0, 5)))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_an_update_is_as_good_as_a_build(
    tmp_path: Path, lists: list[list[Anchor]], kept: set[int], fresh: set[int]
) -> None:
    path = tmp_path / "t.saht"
    documents = {str(i): anchors for i, anchors in enumerate(lists)}
    build(path, documents)
    read = {name: lists[0] for name in documents if int(name) in fresh}
    table = update(path, read, {name for name in documents if int(name) in kept})
    left = {name: a for name, a in documents.items() if int(name) in kept and name not in read} | read
    again = build(tmp_path / "again.saht", left)
    assert set(table.documents) == set(left)
    for name in left:
        assert sorted(table.known(table.rows_of(name))) == sorted(again.known(again.rows_of(name)))
        for value in ("P30D", "人民币", ""):
            assert table.places("period", value, name) == again.places("period", value, name)
    assert sorted(table.words.values) == sorted(again.words.values)


@given(st.data())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_damaged_file_is_unreadable_or_answers(tmp_path: Path, data: st.DataObject) -> None:
    path = tmp_path / "t.saht"
    documents = {
        "a": [Anchor(AnchorKind.PERIOD, f"P{i % 7}D", i, i + 3, 1.0, "term") for i in range(30)],
        "b": [Anchor(AnchorKind.LAW, "england", i, i + 3, 1.0, "governing law") for i in range(9)],
    }
    build(path, documents)
    damaged = bytearray(path.read_bytes())
    for at in data.draw(st.lists(st.integers(0, len(damaged) - 1), min_size=1, max_size=6)):
        damaged[at] = data.draw(st.integers(0, 255))
    path.write_bytes(damaged)
    try:
        table = AnchorTable.open(path)
        table.places("period", "P3D")
        table.places("law", "england", "b")
        table.rivals("period", "term")
        table.known(table.rows_of("a"))
    except UnreadableTable:
        pass
    assert "a" in update(path, {"a": documents["a"]}, {"a", "b"}).documents


def test_what_runs_over_a_segments_end_begins_at_its_front(tmp_path: Path) -> None:
    rows = gather({"a": [Anchor(AnchorKind.PERIOD, f"P{i}D", i, i + 1) for i in range(64)]})
    # Keys of our own choice: undo the mixing by trying owners until enough of them want the last slots.
    for seed in range(20):
        rows.owner[:] = np.random.default_rng(seed).integers(1, 2**63, 64).astype(np.uint64)
        write(tmp_path / "t.saht", rows)
        table = AnchorTable.open(tmp_path / "t.saht")
        keys = with_document(rows.owner, np.zeros(64, np.uint64))
        slots = table.probe(keys)
        assert (slots >= 0).all()
        assert (table.keys[slots] == keys).all()
        assert table.entry[slots].tolist() == sorted(table.entry[slots].tolist())
