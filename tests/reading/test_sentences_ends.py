from __future__ import annotations

import functools
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.reading import end_features, sentences
from engine.reading.end_features import GROUPS, features
from engine.reading.sentences import (
    END_THRESHOLD,
    WEIGHTS_FILE,
    WEIGHTS_SCHEMA,
    FuserError,
    candidates,
    event_fuser,
    read_fuser,
    split,
)
from resources import resource_path

#: Of our own writing: a paragraph a line, ¦ behind each sentence.
OWN_SET = Path(__file__).parents[1] / "data" / "sentence_ends.txt"


def cut(text: str) -> list[str]:
    return [text[a:b] for a, b in split(text, 0, len(text))]


def own_paragraphs() -> list[str]:
    return [line for line in OWN_SET.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


@pytest.mark.parametrize("marked", own_paragraphs())
def test_the_own_set(marked: str) -> None:
    assert cut(marked.replace("¦", "")) == [part.strip() for part in marked.split("¦") if part.strip()]


def test_the_own_set_is_large_and_in_both_languages() -> None:
    marks = [(line, line.count("¦")) for line in own_paragraphs()]
    assert sum(count for _, count in marks) >= 150
    assert sum(count for line, count in marks if any(character >= "一" for character in line)) >= 40


@pytest.mark.parametrize(
    "parts",
    [
        ["Northwind Ltd. UK shall insure the goods.", "Meyer Corp. Far East shall store them."],
        ["The Carrier holds a U.S. Customs bond.", "It also holds a U.K. Customs bond."],
        ["Plot No. 12 and Plot No. 14 stay with the Lessor."],
        ["Copies go to the Fin. & Adm. desk of the Lessee."],
        ["Send the drawings to K. Olsen for comment.", "See Fig. B first."],
        ["The price is $1,250.50 per ton.", "It is fixed."],
        ["This applies e.g. to ships, i.e. vessels over 10 m.", "Boats are excluded."],
        ["The law of the State of New York applies, see Smith v. Jones, 12 F. Supp. 2d 34 (S.D.N.Y. 1999)."],
        ["Notices go to Acme Inc.", "The Buyer pays the postage."],
        ["Delivery is due at 5 p.m. on each Business Day.", "Late goods may be refused."],
        ["Payment follows Exhibit A.", "The parties may amend it."],
        ['He said "stop."', "The work stopped."],
        ["The Tenant (who has been advised by Dr. Weiss et al. on this) agrees.", "So does the Landlord."],
        ["Is the notice valid?", "It is!", "Then the term ends."],
        ["甲方应于十日内付款。", "乙方收款后发货；逾期的，每日支付违约金。"],
        ["本合同自签字之日起生效！", "双方各执一份？", "是。"],
        ["甲方称：“货物已交付。”", "乙方不同意。"],
        ["租金为每月1.5万元。", "押金另计。"],
        ["See Art. 5, para. 2 and Sec. 7 of the Act.", "They prevail."],
        ["The rights under Cal. Civ. Code § 1798.100 et seq. (“CCPA”) remain.", "See Treas. Reg. § 1.409A-1."],
        ["The Agent acts for Meyer GmbH & Co. KG in Bonn.", "Meyer GmbH & Co. KG pays."],
    ],
)
def test_sentences_end_where_they_end(parts: list[str]) -> None:
    joint = "" if parts[0][0] > "\u3000" else " "
    assert cut(joint.join(parts)) == parts


def test_both_semicolons_are_treated_alike() -> None:
    assert len(cut("甲方付款;乙方发货；丙方担保。")) == 1


def test_stray_marks_are_no_sentences() -> None:
    assert cut("Paid. *** The rest follows. ____") == ["Paid.", "*** The rest follows. ____"]
    assert cut("***") == []


def test_the_weights_know_every_group_of_features() -> None:
    weights = event_fuser().weights
    prefixes = tuple(prefix for group in GROUPS.values() for prefix in group)
    assert all(name.startswith(prefixes) for name in weights)
    for group in GROUPS.values():
        assert any(name.startswith(group) for name in weights)
    text = 'It (the "A. B. Co.") pays 5. No. 7! … see U.S. law? 甲。Yes… (x'
    for mark, after in candidates(text, 0, len(text)):
        for name in features(text, 0, mark, after, len(text)):
            assert name.startswith("pair_") or name in weights


def test_the_threshold_is_of_the_probability() -> None:
    def chance(text: str, at: int) -> float:
        return event_fuser().probability(features(text, 0, at, at + 1, len(text)))

    plain = "The Buyer pays. The Seller delivers."
    lower = "The Buyer pays. the Seller delivers."
    assert chance(plain, plain.index(".")) >= END_THRESHOLD
    assert chance(lower, lower.index(".")) < END_THRESHOLD
    assert event_fuser().takes(["mark_ideographic_stop", "next_han"])


def test_a_damaged_weights_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FuserError):
        read_fuser(tmp_path / "missing.json")
    shipped = json.loads(resource_path("weights", WEIGHTS_FILE).read_text(encoding="utf-8"))
    assert shipped["schema"] == WEIGHTS_SCHEMA
    other = tmp_path / WEIGHTS_FILE
    other.write_bytes(msgspec.json.encode(shipped | {"schema": "antinomy.event_fuser/0"}))
    with pytest.raises(FuserError):
        read_fuser(other)
    other.write_bytes(b"[]")
    with pytest.raises(FuserError):
        read_fuser(other)


#: Pieces of which hard texts are made.
PIECES = st.sampled_from(
    [
        "No. 5", "Inc.", "U.S.", "e.g.", "§ 5.1.", "20__", "2025. 1. 1", "…", "...", "?!", "。”", "（见附件。）",
        "((a.) b.)", "https://a.example.com/b.c?d=1.", "a.b@example.co.uk", "[***]", "“甲方。”", "（甲（乙。）丙）",
        "The Buyer pays.", "1.", "(a)", "iv.", "；", ";", "甲方付款。", "\n", "\t", "　", " ", "  ", '"No."',
        "J. Hill", "$1.5", "A", "x", "()", "”",
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=30).map("".join) | st.lists(PIECES, max_size=30).map(" ".join)


@settings(max_examples=200, deadline=None)
@given(TEXTS | st.text(alphabet='aB1. ;!?"“”()。；甲\n…_', max_size=120), st.data())
def test_spans_are_in_order_and_lose_no_word(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    spans = split(text, start, end)
    at = start
    for a, b in spans:
        assert at <= a < b <= end
        assert not text[a].isspace()
        assert not text[b - 1].isspace()
        assert not any(character.isalnum() for character in text[at:a])
        at = b
    assert not any(character.isalnum() for character in text[at:end])
    assert spans == split(text, start, end)


@settings(max_examples=100, deadline=None)
@given(TEXTS, TEXTS)
def test_nothing_outside_the_region_is_looked_at(before: str, text: str) -> None:
    inside = [(a + len(before), b + len(before)) for a, b in split(text, 0, len(text))]
    assert split(before + text + " The rest.", len(before), len(before) + len(text)) == inside


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.sampled_from(["The Buyer pays.", "It is due.", "Each party signs."]), min_size=1, max_size=6),
    st.sampled_from(
        [
            "No. 5",
            "e.g. 7",
            "U.S. law",
            "§ 5.1",
            "20__",
            "x.y@example.com",
            "http://example.com/a.b",
            "3.5%",
            "Dr. Ito",
            "(i.e. now)",
        ]
    ),
)
def test_what_ends_no_sentence_cuts_none(parts: list[str], inside: str) -> None:
    texts = [*parts, f"The note on {inside} is kept by the Agent.", "That is all."]
    assert cut(" ".join(texts)) == texts


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(["甲方付款。", "乙方称：“货已发。”", "是否有效？", "立即生效！", "费用（含税）另计。"]),
        min_size=1,
        max_size=8,
    )
)
def test_chinese_sentences_joined_come_apart_again(parts: list[str]) -> None:
    assert cut("".join(parts)) == parts


def steps(work: Callable[[], object]) -> int:
    """Lines of our own code that a call runs: a clock that no load disturbs."""
    count = 0
    files = {end_features.__file__, sentences.__file__}

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        if frame.f_code.co_filename not in files:
            return None
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize(
    "unit",
    [
        "The Buyer pays. ",
        ". ",
        "(a.) ",
        "((",
        "“x. ",
        "No. ",
        "甲方。",
        "…",
        "a.b.",
        "1. 1. ",
        '." ',
        "   .",
        "[",
        "x" * 50 + ". ",
    ],
)
def test_steps_grow_with_the_length(unit: str) -> None:
    few, many = unit * 200, unit * 800
    small = steps(lambda: split(few, 0, len(few)))
    large = steps(lambda: split(many, 0, len(many)))
    assert large <= 4.4 * small + 200


def look(text: str, mark: int) -> list[str]:
    return list(features(text, 0, mark, mark + 1, len(text)))


@pytest.mark.parametrize("unit", ["(", "“", "x", " ", ".", ")", "。", "_", "1"])
def test_a_mark_looks_only_so_far(unit: str) -> None:
    """One mark between two long runs: what it looks at does not grow with them."""
    counts = []
    for size in (2_000, 20_000):
        text = "The Buyer " + unit * size + "x. The rest."
        mark = text.index("x.") + 1
        counts.append(steps(functools.partial(look, text, mark)))
    assert counts[0] == counts[1]
