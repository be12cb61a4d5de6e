"""What is shown: sure and likely findings, everything when asked, and always what was decided."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from window_bench import Bench, finding, sample_document

from engine.matter.records import DecisionState
from engine.protocol.findings import Finding
from gui.commands.names import Name
from gui.left.findings_model import FindingsModel
from gui.state.finding_row import FindingRow
from gui.state.sieve import Certainty, Sieve
from gui.theme import Layer

DOCUMENT = sample_document()


def findings() -> tuple[Finding, ...]:
    """One of each kind, and two weak ones in the middle of the ranks."""
    return (
        finding(DOCUMENT, 1, 0, 2, tier="conflict", score=0.9),
        finding(DOCUMENT, 2, 1, 3, tier="check", score=0.05),
        finding(DOCUMENT, 3, 0, 3, tier="possible", score=0.1),
        finding(DOCUMENT, 4, 4, 5, tier="check", score=0.02),
        finding(DOCUMENT, 5, 1, 2, tier="check", score=0.45),
    )


def listed(bench: Bench) -> list[int]:
    model = bench.window.left.findings.model
    rows = (model.row_at(model.index(i)) for i in range(model.rowCount()))
    return sorted(row.finding.rank for row in rows if row)


def marked(bench: Bench) -> set[int]:
    marks = bench.window.pages.view.marks
    return {int(mark.id[2:], 16) for layer in (Layer.CONFLICT, Layer.REVIEWED) for mark in marks.layer(layer)}


def opened(bench: Bench) -> Bench:
    bench.open()
    bench.review(findings())
    return bench


@given(
    st.sampled_from(["conflict", "possible", "check", "unheard of"]),
    st.floats(0, 1),
    st.floats(0, 1),
    st.sampled_from(list(DecisionState)),
    st.sampled_from(["", "a note"]),
)
def test_surer_sieves_let_less_through_and_decided_rows_always(
    tier: str, score: float, least: float, verdict: DecisionState, note: str
) -> None:
    row = FindingRow(finding(DOCUMENT, 1, 0, 2, tier=tier, score=score), verdict, note=note)
    sure, likely, everything = (Sieve(each, least).passes(row) for each in Certainty)
    assert sure <= likely <= everything
    assert everything
    if verdict is not DecisionState.OPEN or note:
        assert sure
    else:
        assert sure == (tier == "conflict")
        assert likely == (tier in ("conflict", "possible") or score >= least)


def test_weak_findings_are_neither_listed_nor_marked_nor_counted_until_asked_for(bench: Bench) -> None:
    opened(bench)
    inbox = bench.window.left.findings
    assert listed(bench) == [1, 3, 5]
    assert marked(bench) == {1, 3, 5}
    assert "3 open" in bench.window.status.counts.text()
    assert inbox.hidden.text() == "2 weaker ones hidden — show"
    words = [inbox.certainty.box.itemText(i) for i in range(3)]
    assert words == ["Sure  ·  1", "Likely  ·  3", "Everything  ·  5"]
    bench.click(inbox.hidden)
    assert listed(bench) == [1, 2, 3, 4, 5]
    assert marked(bench) == {1, 2, 3, 4, 5}
    assert "5 open" in bench.window.status.counts.text()
    assert not inbox.hidden.isVisible()
    assert bench.window.actions_by_name[Name.LIST_EVERYTHING].isChecked()


def test_j_walks_over_the_shown_ones_only(bench: Bench) -> None:
    opened(bench)
    bench.trigger(Name.NEXT_FINDING)
    bench.window.left.findings.view.setFocus()
    seen = []
    for _ in range(5):
        seen.append(bench.window.left.findings.current_id())
        bench.press(Qt.Key.Key_J)
    assert sorted(set(seen)) == [f"f-{n:016x}" for n in (1, 3, 5)]


def test_a_higher_score_hides_more_but_nothing_decided(bench: Bench) -> None:
    opened(bench)
    inbox = bench.window.left.findings
    inbox.certainty.set_sieve(Sieve(score=0.6))
    assert listed(bench) == [1, 3]
    inbox.show_everything()
    bench.desk.book.decide([bench.row(4).id], DecisionState.FLAGGED)
    bench.trigger(Name.LIST_SURE)
    assert listed(bench) == sorted(marked(bench)) == [1, 4]
    assert inbox.hidden.text().startswith("3 ")


def test_the_filter_counts_the_hidden_ones_that_it_fits(bench: Bench) -> None:
    opened(bench)
    inbox = bench.window.left.findings
    inbox.filter_box.setText("三十日")
    inbox.on_filter_timer_timeout()
    assert listed(bench) == []
    assert inbox.hidden.text().startswith("1 ")
    assert "likely" in inbox.empty.text()


def test_what_is_shown_is_remembered(make_bench: Callable[[], Bench]) -> None:
    first = make_bench()
    first.window.left.findings.certainty.set_sieve(Sieve(score=0.75))
    first.trigger(Name.LIST_SURE)
    again = make_bench()
    assert again.window.left.findings.certainty.sieve == Sieve(Certainty.SURE, 0.75)
    assert again.window.left.findings.model.sieve == Sieve(Certainty.SURE, 0.75)
    assert again.window.actions_by_name[Name.LIST_SURE].isChecked()


def test_damaged_settings_count_as_the_usual_ones(make_bench: Callable[[], Bench]) -> None:
    first = make_bench()
    first.window.close()
    for key, value in (("certainty", "absolute"), ("least_percent", "-3")):
        first.workbench.settings.setValue(f"window/{key}", value)
    first.workbench.settings.sync()
    assert make_bench().window.left.findings.certainty.sieve == Sieve()


def test_another_language_shows_the_same(bench: Bench) -> None:
    opened(bench)
    english = bench.window
    bench.trigger(Name.LANGUAGE_CHINESE)
    bench.qtbot.waitUntil(lambda: bench.window is not english)
    assert listed(bench) == [1, 3, 5]
    assert bench.window.left.findings.hidden.text() == "另有 2 条较弱的已隐藏 — 显示"


def test_a_decision_undone_stays_listed_until_the_next_arrangement() -> None:
    model = FindingsModel()
    model.set_sieve(Sieve())
    weak = finding(DOCUMENT, 4, 4, 5, tier="check", score=0.02)
    model.set_rows([FindingRow(weak, DecisionState.CONFIRMED)])
    model.update_rows({weak.id: FindingRow(weak)})
    assert model.index_of(weak.id).isValid()
    model.set_sieve(Sieve())
    assert not model.index_of(weak.id).isValid()
