"""The inbox's model: filter, groups, neighbours; the search for commands; time left."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QModelIndex, Qt
from pytestqt.modeltest import ModelTester
from window_bench import finding, finding_set, sample_document

from engine.matter.labels import CONFLICT_CODES as MATTER_CODES
from engine.matter.labels import NotAConflict
from engine.matter.records import DecisionState
from gui.commands.actions import COMMANDS
from gui.commands.names import Name
from gui.left.clauses_model import ClausesModel
from gui.left.findings_model import FindingsModel, Grouping, Show
from gui.left.links_tab import LinksModel
from gui.state.finding_row import FindingRow
from gui.state.recent import RecentMatter, RecentMatters
from gui.state.subsequence import match_score
from gui.state.wording import CONFLICT_CODES, DISMISSAL_REASONS

DOCUMENT = sample_document()
ROWS = [FindingRow(each) for each in finding_set(DOCUMENT)]


def model_with(rows: list[FindingRow]) -> FindingsModel:
    model = FindingsModel()
    model.set_rows(rows)
    return model


def test_the_models_keep_qts_rules(qtmodeltester: ModelTester) -> None:
    clauses = ClausesModel()
    clauses.set_document(DOCUMENT)
    for model in (model_with(ROWS), clauses, LinksModel()):
        qtmodeltester.check(model, force_py=True)


def test_headers_count_their_groups() -> None:
    model = model_with(ROWS)
    headers = [model.index(i).data() for i in range(model.rowCount()) if model.row_at(model.index(i)) is None]
    assert headers == ["Conflict  ·  1", "Possible  ·  1", "Please check  ·  1"]


@pytest.mark.parametrize("grouping", list(Grouping))
def test_every_grouping_shows_every_finding_once(grouping: Grouping) -> None:
    model = model_with(ROWS)
    model.set_grouping(grouping)
    shown = [row.id for i in range(model.rowCount()) if (row := model.row_at(model.index(i)))]
    assert Counter(shown) == Counter(row.id for row in ROWS)


@given(
    st.lists(st.tuples(st.sampled_from(list(DecisionState)), st.integers(0, 5)), max_size=12),
    st.sampled_from(list(Show)),
    st.sampled_from(list(Grouping)),
    st.sampled_from(["", "30", "PAY invoice", "付款", "nowhere"]),
)
def test_neighbours_visit_what_is_shown_and_nothing_else(
    states: list[tuple[DecisionState, int]], show: Show, grouping: Grouping, words: str
) -> None:
    rows = [
        FindingRow(finding(DOCUMENT, n, clause, (clause + 1) % 6), state) for n, (state, clause) in enumerate(states)
    ]
    model = model_with(rows)
    model.set_show(show)
    model.set_grouping(grouping)
    model.set_filter(words)
    forth = []
    index = model.neighbour(QModelIndex(), 1)
    while index.isValid():
        forth.append(index.row())
        index = model.neighbour(index, 1)
    back = []
    index = model.neighbour(QModelIndex(), -1)
    while index.isValid():
        back.append(index.row())
        index = model.neighbour(index, -1)
    assert forth == back[::-1]
    assert len(forth) == model.shown_count()
    for row in rows:
        fits = all(word in row.searchable for word in words.casefold().split())
        listed = show is Show.ALL or row.verdict.value in {
            Show.TO_DO: ("open", "flagged"), Show.CONFIRMED: ("confirmed",), Show.DISMISSED: ("dismissed",),
                Show.DIFFERENT: (),
        }[show]  # fmt: skip
        assert model.index_of(row.id).isValid() == (fits and listed)


def test_a_decided_row_stays_until_the_list_is_arranged_again() -> None:
    model = model_with(ROWS)
    model.set_show(Show.TO_DO)
    done = FindingRow(ROWS[0].finding, DecisionState.CONFIRMED)
    model.update_rows({done.id: done})
    assert model.row_at(model.index_of(done.id)) is done
    model.set_filter("")
    assert not model.index_of(done.id).isValid()


def test_screen_readers_hear_severity_tier_and_verdict() -> None:
    model = model_with(ROWS)
    said = model.index_of(ROWS[0].id).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == "High, Conflict, Open: Clause 1 and clause 3 differ. 1 ↔ 3"


def test_the_keys_one_to_nine_cover_all_reasons_and_the_matters_codes() -> None:
    assert {reason.code for reason in DISMISSAL_REASONS} == set(NotAConflict)
    assert len(DISMISSAL_REASONS) == 9
    assert {code.code for code in CONFLICT_CODES} == set(MATTER_CODES)


def test_every_command_has_one_place_and_no_key_has_two() -> None:
    assert [command.name for command in COMMANDS] == list(dict.fromkeys(command.name for command in COMMANDS))
    assert {command.name for command in COMMANDS} == set(Name)
    keys = Counter(key for command in COMMANDS for key in command.keys)
    assert keys.most_common(1)[0][1] == 1


@pytest.mark.parametrize(
    ("needle", "better", "worse"),
    [("nf", "Next finding", "Open…"), ("find", "Next finding", "Fit the width"), ("zi", "Zoom in", "Zoom out")],
)
def test_letters_find_commands(needle: str, better: str, worse: str) -> None:
    assert match_score(needle, better) > match_score(needle, worse)


def test_recent_matters_are_newest_first_and_only_those_that_are_there(tmp_path: Path) -> None:
    recent = RecentMatters(tmp_path / "recent.json")
    for name in ("a", "b", "c", "a"):
        (tmp_path / name).touch()
        recent.put_first(RecentMatter(str(tmp_path / name), name, ""))
    assert [entry.name for entry in recent.entries()] == ["a", "c", "b"]
    (tmp_path / "c").unlink()
    assert [entry.name for entry in recent.entries()] == ["a", "b"]


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"schema": "antinomy.recent/9", "matters": []}'])
def test_a_damaged_list_of_recent_matters_counts_as_empty(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "recent.json").write_bytes(damage)
    assert RecentMatters(tmp_path / "recent.json").entries() == ()


def test_a_passage_without_a_clause_is_named_by_its_page() -> None:
    found = ROWS[0].finding
    bare = msgspec.structs.replace(
        found, passages=tuple(msgspec.structs.replace(p, clause="") for p in found.passages)
    )
    row = FindingRow(bare)
    assert row.places == "p. 1"
    assert row.names_pages
