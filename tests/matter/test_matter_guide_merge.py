"""Two guides become one: nothing of either is lost, every difference is named, again changes nothing."""

from __future__ import annotations

import shutil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.matter import Annotator, Matter
from engine.matter.commands import run_matter_command
from engine.matter.guide import Guide, Label, guide_of, keep_guide, problems_of, standard_labels
from engine.matter.guide_merge import GuideDifference, merged_guide, other_guides
from engine.matter.merge import merge, preview_merge

OURS = Guide(
    "Look twice.", (Label("value.period", "Fristen", "1", "#d55e00", "30 / 45"), Label("not.override", key="1"))
)
THEIRS = Guide(
    "Mark the narrower passage first.",
    (
        Label("value.period", "Periods", "2", "#0072b2", "14 / 15"), Label("colour.green", "Green", "1", "#009e73"),
        Label("not.override", "Override", "", "", "despite 4.1"), Label("not.joke", "", "1"),
    ),
)  # fmt: skip


@pytest.fixture
def theirs(matter, tmp_path):
    """A copy of the matter with another guide; its own has one already."""
    keep_guide(matter, OURS)
    matter.compact()
    path = tmp_path / "theirs.antinomy"
    shutil.copy(matter.path, path)
    with Matter.open(path) as other:
        other.use_annotator(Annotator("a-two", "Bo"))
        keep_guide(other, THEIRS)
    return path


def test_new_labels_come_and_differences_are_named(matter, theirs):
    report = merge(matter, theirs)
    guide = guide_of(matter)
    assert guide.text == "Look twice.\n\nMark the narrower passage first."
    assert guide.labels == (
        Label("value.period", "Fristen", "1", "#d55e00", "30 / 45 / 14 / 15"),
        Label("not.override", "Override", "1", "", "despite 4.1"),
        Label("colour.green", "Green", "", "#009e73"), Label("not.joke"),
    )  # fmt: skip
    assert {(r.difference.value, r.code) for r in report.guide} == {
        ("other_words", "value.period"), ("other_key", "value.period"), ("other_colour", "value.period"),
        ("other_example", "value.period"), ("new_label", "colour.green"), ("key_taken", "colour.green"),
        ("new_label", "not.joke"), ("key_taken", "not.joke"), ("other_text", ""),
    }  # fmt: skip
    said = next(r.sentence for r in report.guide if r.difference is GuideDifference.OTHER_COLOUR)
    assert said == "The label value.period has the colour #d55e00 here and #0072b2 there; ours stays."
    (kept,) = other_guides(matter)
    assert (kept.source, kept.guide) == ("theirs.antinomy", THEIRS)


def test_merging_again_changes_nothing(matter, theirs):
    assert not merge(matter, theirs).is_empty
    before = guide_of(matter), other_guides(matter)
    assert merge(matter, theirs).is_empty
    assert (guide_of(matter), other_guides(matter)) == before


def test_where_nobody_wrote_a_guide_theirs_is_taken_and_the_standard_one_never(matter, theirs, tmp_path):
    with Matter.create(tmp_path / "fresh.antinomy", Annotator("a-new", "New")) as fresh:
        assert merge(fresh, theirs).guide == ()
        assert guide_of(fresh) == THEIRS
    with Matter.create(tmp_path / "plain.antinomy", Annotator("a-new", "New")):
        pass
    merge(matter, tmp_path / "plain.antinomy")
    assert guide_of(matter) == OURS
    assert guide_of(matter).labels != standard_labels()


def test_a_preview_changes_nothing(matter, theirs, english, ends):
    with Matter.open(theirs) as other:
        other.add_link(ends(english, "30 days", "45 days"), "value.period")
    looked_at = preview_merge(matter, theirs)
    assert (len(looked_at.added), bool(looked_at.guide)) == (1, True)
    assert (matter.links(), guide_of(matter), other_guides(matter)) == ((), OURS, ())
    assert merge(matter, theirs) == looked_at


def test_the_command_says_the_differences(matter, theirs):
    matter.close()
    lines: list[str] = []
    assert run_matter_command(["merge", str(matter.path), str(theirs)], lines.append) == 0
    assert "theirs.antinomy: The label colour.green is new here and was added.\n" in lines


codes = st.sampled_from(["value.period", "norm.scope", "a.b", "not.a", "not.b"])
few = st.sampled_from(["", "x", "y"])
labels = st.builds(Label, codes, few, st.sampled_from(["", "1", "2"]), st.sampled_from(["", "#111111", "#222222"]), few)
guides = st.builds(
    Guide, st.sampled_from(["", "one", "two"]), st.lists(labels, max_size=5, unique_by=lambda x: x.code).map(tuple)
).filter(lambda guide: not problems_of(guide))


@given(guides, guides)
def test_any_two_guides_hold_together_as_one(ours, theirs):
    both, _ = merged_guide(ours, theirs)
    assert problems_of(both) == []
    assert {x.code for x in both.labels} == {x.code for x in ours.labels + theirs.labels}
    assert ours.text in both.text
    assert theirs.text in both.text
    for label in theirs.labels:
        here = next(x for x in both.labels if x.code == label.code)
        assert label.example in here.example
    assert merged_guide(both, theirs)[0] == both
