from __future__ import annotations

import msgspec

from engine.matter.queue import controls, in_teaching_order, mixed, pairs_per_hour, spans_of, suggestions
from engine.matter.records import Origin
from engine.protocol.findings import Passage


def _with(finding, id, score, code="value.period", clause="c0"):
    passages = tuple(msgspec.structs.replace(p, clause_id=clause if i == 0 else f"{clause}x", start=p.start + i)
                     for i, p in enumerate(finding.passages))  # fmt: skip
    return msgspec.structs.replace(finding, id=id, score=score, code=code, passages=passages)


def test_findings_of_two_passages_become_suggestions(english, finding):
    one = finding(english)
    lone = msgspec.structs.replace(one, id="f-2", passages=one.passages[:1])
    (only,) = suggestions([one, lone], (), ())
    assert (only.id, only.code, only.origin, len(only.ends)) == (one.id, "value.period", Origin.SUGGESTION, 2)
    assert only.ends[0].quote == one.passages[0].text


def test_what_was_judged_or_decided_is_no_suggestion(matter, english, finding):
    one = finding(english)
    (only,) = suggestions([one], (), ())
    matter.add_link(tuple(reversed(only.ends)), "not.override", origin=Origin.SUGGESTION)
    assert suggestions([one], matter.links(), ()) == []
    assert suggestions([one], (), [one.id]) == []


def test_the_uncertain_come_first_and_kinds_and_clauses_take_turns(english, finding):
    base = finding(english)
    made = [
        _with(base, "sure", 0.98, clause="s"),
        _with(base, "a", 0.5, clause="a"),
        _with(base, "b", 0.52, clause="a"),
        _with(base, "c", 0.55, code="norm.modality", clause="c"),
        _with(base, "d", 0.05, clause="d"),
    ]
    order = [each.id for each in in_teaching_order(suggestions(made, (), ()))]
    assert order[:2] == ["a", "c"]
    assert set(order[-2:]) == {"sure", "d"}
    assert sorted(order) == sorted(each.id for each in made)


def test_the_heap_gives_the_order_that_trying_all_would(english, finding):
    base = finding(english)
    made = [
        _with(base, f"f{i:02}", (i * 37 % 101) / 101, ("value.period", "forum.law", "term.drift")[i % 3], f"k{i % 7}")
        for i in range(60)
    ]
    waiting = suggestions(made, (), ())
    seen_kinds: dict[str, int] = {}
    seen_places: dict[tuple[str, str], int] = {}
    left, slow = list(waiting), []
    while left:
        best = max(left, key=lambda s: (0.02 + 1 - abs(2 * s.score - 1))
                   / ((1 + seen_kinds.get(s.code, 0)) ** 0.5
                      * (1 + sum(seen_places.get((e.document, e.clause_id), 0) for e in s.ends))))  # fmt: skip
        left.remove(best)
        slow.append(best.id)
        seen_kinds[best.code] = seen_kinds.get(best.code, 0) + 1
        for end in best.ends:
            seen_places[end.document, end.clause_id] = seen_places.get((end.document, end.clause_id), 0) + 1
    assert [each.id for each in in_teaching_order(waiting)] == slow


def test_controls_are_random_pairs_that_nothing_joins(english, make_document, finding):
    text = "1. " + "The Buyer shall pay the price in full. " * 2 + "\n2. The Seller shall deliver the goods."
    document = make_document(text)
    waiting = suggestions([finding(english)], (), ())
    (control,) = controls([document], waiting, (), 1, 7)
    assert control.origin is Origin.CONTROL
    assert control.code == "value.period"
    assert [end.clause_id for end in control.ends] == ["c0", "c1"]
    assert all(document.text[end.start : end.end] == end.quote for end in control.ends)
    assert controls([document], [*waiting, control], (), 1, 7) == []
    assert controls([document], waiting, (), 1, 7) == controls([document], waiting, (), 1, 7)


def test_one_control_among_eight(english, finding):
    base = finding(english)
    ordered = suggestions([_with(base, f"f{i}", 0.5, clause=f"k{i}") for i in range(28)], (), ())
    drawn = [msgspec.structs.replace(ordered[0], id=f"c-{i}", origin=Origin.CONTROL) for i in range(6)]
    mix = mixed(ordered, drawn, 3)
    assert [each for each in mix if each.origin is Origin.SUGGESTION] == ordered
    assert [sum(each.origin is Origin.CONTROL for each in mix[i : i + 8]) for i in range(0, 32, 8)] == [1, 1, 1, 1]


def test_the_pace_leaves_pauses_out(matter, english, ends):
    pair = ends(english, "30 days", "45 days")
    link = matter.link(matter.add_link(pair, "value.period"))
    times = ("10:00:00", "10:00:30", "10:01:30", "11:30:00", "11:31:00")
    links = [msgspec.structs.replace(link, created_at=f"2026-01-05T{at}+00:00") for at in times]
    assert pairs_per_hour(links, link.annotator) == 3600 * 3 / 150
    assert pairs_per_hour(links, "somebody") == 0


def test_passages_named_twice_are_one_end(english, finding):
    one = finding(english)
    twice = msgspec.structs.replace(one, passages=(*one.passages, one.passages[0]))
    (only,) = suggestions([twice], (), ())
    assert len(only.ends) == 2
    assert only.spans == spans_of(only.ends)
    assert isinstance(one.passages[0], Passage)
