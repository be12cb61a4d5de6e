"""A link's passage is found again in a document that was read once more."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.document import pack
from engine.matter import Found, LinkEnd, UnknownRecord, reanchor_links, relocate
from engine.matter.check import check


def test_exact_moved_respaced_lost(english, make_document, ends):
    (end,) = ends(english, "The Buyer shall pay within 45 days")
    assert relocate(english, end).found is Found.EXACT
    longer = make_document("0. Preamble 😀.\n" + english.text)
    moved = relocate(longer, end)
    assert (moved.found, moved.end.start - end.start, moved.end.document) == (Found.MOVED, 15, longer.id)
    assert moved.end.clause_number == "2"
    broken = make_document(english.text.replace("pay within 45", "pay\nwithin  45"))
    respaced = relocate(broken, end)
    assert respaced.found is Found.RESPACED
    assert respaced.end.quote == "The Buyer shall pay\nwithin  45 days"
    changed = make_document(english.text.replace("45", "60"))
    assert relocate(changed, end) == type(respaced)(Found.LOST, end)


def test_of_equal_places_the_nearest_is_taken(make_document):
    document = make_document("1. pay now. pay now. 2. pay now.")
    end = LinkEnd("sha256:old", "c0", "1", "pay now", 14, 21)
    assert relocate(document, end).end.start == 12


def test_chinese_lines_may_break_between_any_letters(chinese, make_document, ends):
    (end,) = ends(chinese, "买方应在45日内付款")
    broken = make_document(chinese.text.replace("应在45日", "应在\n45日"))
    assert relocate(broken, end).found is Found.RESPACED


def test_an_empty_quote_is_lost(english):
    assert relocate(english, LinkEnd(english.id, "", "", "", 0, 0)).found is Found.LOST


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(min_size=1), st.text(), st.integers(0, 40), st.integers(1, 30))
def test_a_passage_that_is_there_is_always_found(make_document, text, before, start, length):
    old = make_document("1. x 2. y " + text)
    start = min(start, len(old.text) - 1)
    quote = old.text[start : start + length]
    end = LinkEnd(old.id, "", "", quote, start, start + len(quote))
    new = make_document(before.replace("2.", "") + "1. a 2. b" + old.text)
    found = relocate(new, end)
    assert found.found in (Found.EXACT, Found.MOVED)
    assert new.text[found.end.start : found.end.end] == quote == found.end.quote


def test_links_follow_a_file_that_is_read_again(matter, english, chinese, make_document, ends):
    """A later reader finds more text in the same file: same id, other offsets."""
    kept = matter.add_link(ends(english, "30 days", "45 days"), "value.period")
    across = matter.add_link(ends(english, "45 days") + ends(chinese, "45日"), "document.value.period")
    other = matter.add_link(ends(chinese, "30日", "45日"), "value.period")
    again = msgspec.structs.replace(make_document("Title\n" + english.text), id=english.id)
    matter.add_document(again.id, again.name, "", again.media, pack(again))
    assert len(check(matter)) == 3
    result = reanchor_links(matter, again)
    assert (set(result.moved), result.exact, result.lost) == ({kept, across}, (), ())
    assert set(matter.last_changes.links) == {kept, across}
    assert check(matter) == ()
    assert [e.start for e in matter.link(kept).ends] == [again.text.index("30"), again.text.index("45")]
    assert reanchor_links(matter, again).moved == ()
    assert matter.undo() == "moving of the links in sample.txt"
    assert matter.link(kept).ends == ends(english, "30 days", "45 days")
    assert matter.link(other).ends == ends(chinese, "30日", "45日")


def test_links_follow_to_a_newer_version_as_far_as_its_words_do(matter, english, make_document, ends):
    both = matter.add_link(ends(english, "Payment", "Late payment"), "not.complementary")
    gone = matter.add_link(ends(english, "30 days", "45 days"), "value.period")
    newer = make_document(english.text.replace("45", "60"))
    with pytest.raises(UnknownRecord):
        reanchor_links(matter, newer, english.id)
    matter.add_document(newer.id, "v2.txt", "", newer.media, pack(newer))
    result = reanchor_links(matter, newer, english.id)
    assert (result.moved, result.lost) == ((both,), (gone,))
    assert {end.document for end in matter.link(both).ends} == {newer.id}
    assert matter.link(gone).ends == ends(english, "30 days", "45 days")
