"""What holds of any two versions: nothing is lost, nothing is said twice, the differences make the later text."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from versions import Line, applied, version

from engine.comparison.compare import compare_documents
from engine.comparison.order import rising
from engine.comparison.pieces import pieces_of
from engine.comparison.words import same_text
from engine.protocol.comparison import ChangeKind, ClausePlace

WORDS = ["Buyer", "shall", "pay", "30", "days", "USD", "1,000", "款项", "三十日", "甲方", "5%", "（", "”", "😀"]
LINE = st.builds(
    Line,
    st.sampled_from(["", "1.", "2.", "3.1", "(a)", "(b)", "第三条", "4"]),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join),
    st.sampled_from(["", "", "Payment", "Notices"]),
    st.integers(0, 2),
)
LINES = st.lists(LINE, max_size=12)


def _later(data: st.DataObject, lines: list[Line]) -> list[Line]:
    """A version of the lines: some dropped, moved, changed or renumbered, others put in."""
    kept = [line for line in lines if data.draw(st.integers(0, 4)) > 0]
    if len(kept) > 1 and data.draw(st.booleans()):
        kept.append(kept.pop(data.draw(st.integers(0, len(kept) - 2))))
    return kept + data.draw(st.lists(LINE, max_size=3))


@given(LINES, st.data())
@settings(max_examples=80, deadline=None)
def test_every_piece_once_and_the_changes_make_the_later_text(lines: list[Line], data: st.DataObject) -> None:
    old, new = version(lines, "old"), version(_later(data, lines), "new")
    comparison = compare_documents(old, new)
    for document, side in ((old, "old"), (new, "new")):
        places: list[ClausePlace] = [p for c in comparison.clauses if (p := getattr(c, side)) is not None]
        assert sorted((p.start, p.end) for p in places) == [(p.start, p.end) for p in pieces_of(document)]
        assert {p.clause for p in places} - {""} == {c.id for c in document.clauses}
        assert "".join(document.text[p.start : p.end] for p in sorted(places, key=lambda p: p.start)) == document.text
    made = []
    for change in comparison.clauses:
        if change.new is None:
            assert change.kind is ChangeKind.DELETED
        elif change.old is None:
            assert change.kind is ChangeKind.INSERTED
            made.append(new.text[change.new.start : change.new.end])
        else:
            made.append(applied(change, old, new))
    assert same_text("".join(made)) == same_text(new.text)


@given(LINES)
@settings(max_examples=25, deadline=None)
def test_a_document_is_the_same_as_itself(lines: list[Line]) -> None:
    old, new = version(lines, "old"), version(lines, "new")
    assert {change.kind for change in compare_documents(old, new).clauses} <= {ChangeKind.SAME}


@given(st.permutations(range(9)), st.lists(st.integers(1, 5), min_size=9, max_size=9))
def test_the_heaviest_rising_sequence(values: list[int], weights: list[int]) -> None:
    chosen = rising(values, [float(w) for w in weights])
    assert chosen == sorted(chosen)
    taken = [values[i] for i in chosen]
    assert taken == sorted(taken)
    best = [0] * 9
    for i in range(9):
        best[i] = weights[i] + max((best[k] for k in range(i) if values[k] < values[i]), default=0)
    assert sum(weights[i] for i in chosen) == max(best)
