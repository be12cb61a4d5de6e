"""Whatever two people do in their copies, merging both ways leaves both with the same judgements."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.document import pack
from engine.matter import Annotator, DecisionState, Matter
from engine.matter.check import check
from engine.matter.merge import merge

FINDING = "f-0000000000000001"
#: More than the default finds rarer orders of acts, in minutes.
EXAMPLES = int(os.environ.get("ANTINOMY_EXAMPLES", "20"))
acts = st.sampled_from(["add", "edit", "delete", "decide", "undecide", "undo", "redo"])


def act(matter, what, number, pair):
    links = matter.links()
    if what == "add":
        matter.add_link(pair, "value.period", note=f"{number}")
    elif what == "edit" and links:
        matter.edit_link(msgspec.structs.replace(links[number % len(links)], note=f"edited {number}"))
    elif what == "delete" and links:
        matter.delete_link(links[number % len(links)].id)
    elif what == "decide":
        matter.decide(FINDING, list(DecisionState)[1 + number % 3], note=str(number))
    elif what == "undecide":
        matter.decide(FINDING, "open")
    elif what == "undo":
        matter.undo()
    elif what == "redo":
        matter.redo()


def judgements(matter):
    return set(matter.links()), set(matter.all_decisions())


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(acts, max_size=6),
    st.lists(st.tuples(st.booleans(), acts, st.integers(0, 9)), max_size=14),
    st.booleans(),
)
def test_two_copies_converge(english, finding, engine_line, ends, before, after, same_person):
    pair = ends(english, "30 days", "45 days")
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = Path(folder) / "ours.antinomy", Path(folder) / "theirs.antinomy"
        with Matter.create(ours, Annotator("a-one", "Ada")) as matter:
            matter.add_document(english.id, english.name, "", "text", pack(english))
            matter.save_review([english.id], [finding(english)], engine_line)
            for number, what in enumerate(before):
                act(matter, what, number, pair)
            matter.compact()
            shutil.copy(ours, theirs)
            with Matter.open(theirs) as other:
                if not same_person:
                    other.use_annotator(Annotator("a-two", "Bo"))
                for mine, what, number in after:
                    act(matter if mine else other, what, number, pair)
                merge(matter, theirs)
                merge(other, ours)
                assert judgements(matter) == judgements(other)
                assert check(matter) == check(other) == ()
                assert merge(matter, theirs).is_empty
