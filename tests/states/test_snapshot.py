"""Snapshots of texts and documents: what is kept, what the header says, the same bytes twice; decision points."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.anchors.extract import extract_anchors, extract_from_text
from engine.anchors.model import Anchor, AnchorKind
from engine.document import CharacterBoxes, Clause, ClauseKind, Document, Media, Page, Sentence
from engine.states.choice import MODAL, OTHER, PARTY, VALUE, choose, marks_of
from engine.states.decision_points import PointKind, estimated_tokens, find_decision_points
from engine.states.encoder import BrokenStates, Encoder, EncodingCancelled, TokenStates, load_encoder
from engine.states.ngrams import NgramEncoder
from engine.states.snapshot import (
    Passage,
    document_states,
    encoder_key,
    pack_tokens,
    query_rows,
    read_headers,
    take_snapshots,
    tensor_of,
    token_spans,
)
from kernels.maxsim.op import maxsim
from kernels.pack_states.layout import BLOCK_BYTES
from kernels.pack_states.unpack import classes_of, unpack_states

LONG = (
    "Subject to the terms and conditions of this Agreement and in consideration of the mutual promises made in it, the "
    "Supplier shall not, for a period of ninety (90) days after the delivery of the goods to the premises of the "
    "Buyer, disclose, sell or otherwise make available the said goods to any of the persons named in the list."
)
SHORT = "The Buyer shall pay each invoice within thirty (30) days."


def words(text: str) -> list[tuple[int, int]]:
    return [m.span() for m in re.finditer(r"\w+|[^\w\s]", text)]


def document(*paragraphs: str, language: str = "en") -> Document:
    """One clause a paragraph; sentences end at full stops."""
    text, clauses, sentences = "", [], []
    for i, paragraph in enumerate(paragraphs):
        start = len(text)
        text += paragraph + "\n"
        end = start + len(paragraph)
        clauses.append(
            Clause(f"c{i}", "", (), "", "", 0, ClauseKind.PARAGRAPH, start, end, start, "", 0, language)
        )
        found = re.finditer(r"[^.。 ][^.。]*[.。]?", paragraph)
        sentences += [Sentence(start + m.start(), start + m.end(), f"c{i}") for m in found]
    page = Page(0, 595, 842, 0, len(text))
    return Document(
        "sha256:" + "0" * 64, "x.txt", Media.TEXT, language, text, (page,), tuple(clauses), tuple(sentences), (), (),
        CharacterBoxes.empty(),
    )  # fmt: skip


def test_a_short_text_keeps_all_its_tokens_with_their_classes() -> None:
    spans = words(SHORT)
    chosen = choose(SHORT, spans, marks_of(SHORT, extract_from_text(SHORT)))
    assert chosen.tokens.tolist() == list(range(len(spans)))
    named = {SHORT[a:b]: kind for (a, b), kind in zip(spans, chosen.classes.tolist(), strict=True)}
    assert (named["shall"], named["thirty"], named["days"], named["invoice"]) == (MODAL, VALUE, VALUE, OTHER)


def test_a_long_text_keeps_what_tells_most() -> None:
    spans = words(LONG)
    assert len(spans) > 42
    party = Anchor(AnchorKind.PARTY, "supplier", LONG.index("Supplier"), LONG.index(" shall"))
    anchors = [*extract_from_text(LONG), party]
    chosen = choose(LONG, spans, marks_of(LONG, anchors))
    assert len(chosen.tokens) == 42
    assert (np.diff(chosen.tokens) > 0).all()
    pieces = [LONG[slice(*spans[t])] for t in chosen.tokens.tolist()]
    kept = dict(zip(pieces, chosen.classes.tolist(), strict=True))
    assert kept["not"] == kept["shall"] == MODAL
    assert kept["ninety"] == kept["90"] == VALUE
    assert kept["Supplier"] == PARTY
    assert {"disclose", "sell", "goods"} <= kept.keys()
    assert "." not in kept


@given(st.text(alphabet="abc ,.不得30", max_size=200), st.integers(0, 42))
def test_any_text_can_be_chosen_from(text: str, most: int) -> None:
    spans = words(text)
    chosen = choose(text, spans, marks_of(text, []), most)
    assert len(chosen.tokens) == len(chosen.classes) == min(most, len(spans)) or len(spans) <= most
    assert len(set(chosen.tokens.tolist())) == len(chosen.tokens)


@pytest.fixture(scope="module")
def encoders() -> dict[str, Encoder]:
    return {language: load_encoder(language) for language in ("en", "zh")}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_blocks_say_where_their_tokens_stand(language: str, encoders: dict[str, Encoder]) -> None:
    encoder = encoders[language]
    text = SHORT if language == "en" else "买方应在收到发票后三十日内付清货款，不得迟延。"
    before = "1. "
    taken = take_snapshots(encoder, [Passage(text, 3, language=language, kind=1), Passage("", 3)])
    assert taken.blocks.shape == (2, BLOCK_BYTES)
    header, empty = read_headers(taken.blocks)
    assert (header["magic"], header["version"], header["dimensions"]) == (b"SSE1", 1, 384)
    assert header["encoder"] == encoder_key(encoder)
    assert (header["start"], header["end"], header["kind"]) == (3, 3 + len(text), 1)
    assert header["language"] == {"en": 1, "zh": 2}[language]
    assert (empty["rows"], empty["tokens"]) == (0, 0)
    spans = token_spans(taken.blocks)
    classes = classes_of(tensor_of(taken.blocks))
    joined = "".join((before + text)[a:b] for a, b in spans[0].tolist() if a >= 0)
    assert joined == re.sub(r"\s", "", text)
    assert set(classes[0].tolist()) >= {OTHER, VALUE, MODAL}
    assert (spans[1] == -1).all()
    assert not unpack_states(tensor_of(taken.blocks))[0][1].any()


def test_the_same_bytes_twice_and_from_states_that_are_there(encoders: dict[str, Encoder]) -> None:
    encoder = encoders["en"]
    passages = [Passage(SHORT, language="en"), Passage(LONG, language="en"), Passage(LONG * 40, language="en")]
    first = take_snapshots(encoder, passages)
    again = take_snapshots(load_encoder("en"), passages)
    assert np.array_equal(first.blocks, again.blocks)
    assert np.array_equal(first.vectors, again.vectors)
    tokens = encoder.encode_tokens([p.text for p in passages])
    assert np.array_equal(pack_tokens(passages, tokens, encoder_key(encoder)), first.blocks)
    flags = read_headers(first.blocks)["flags"].tolist()
    assert flags[:2] == [0, 1]


def test_a_question_finds_its_sentence(encoders: dict[str, Encoder]) -> None:
    encoder = encoders["en"]
    texts = [SHORT, LONG, "This Agreement is governed by the laws of France.", ""]
    taken = take_snapshots(encoder, [Passage(t, language="en") for t in texts])
    rows, weights = query_rows(encoder.encode_tokens(["When must the Buyer pay?", "Which law governs?", ""]))
    scores = maxsim(rows, weights, tensor_of(taken.blocks))
    assert scores.argmax(1).tolist()[:2] == [0, 2]
    assert not scores[2].any()
    assert not scores[:, 3].any()


def test_broken_states_are_refused_and_cancelling_is_heard() -> None:
    states = np.full((2, 384), np.nan, np.float32)
    broken = TokenStates(states, ((0, 1), (2, 3)), states[0])
    with pytest.raises(BrokenStates):
        pack_tokens([Passage("a b", anchors=())], [broken], 1)
    with pytest.raises(EncodingCancelled):
        take_snapshots(NgramEncoder(), [Passage("a b")], cancelled=lambda: True)
    assert take_snapshots(NgramEncoder(), []).blocks.shape == (0, BLOCK_BYTES)


def test_encoders_have_ids_of_their_own(encoders: dict[str, Encoder]) -> None:
    assert len({encoder_key(encoder) for encoder in (*encoders.values(), NgramEncoder())}) == 3


def test_decision_points_of_a_document() -> None:
    text = "The Seller shall deliver all goods on 3 April 2025; the Buyer shall pay USD 5,000 in 30 days. It counts."
    paper = document(text, "Notices are in writing.")
    anchors = extract_anchors(paper)
    points = find_decision_points(paper, anchors)
    segments = [paper.text[s.start : s.end] for s in points.segments]
    assert segments == [*re.split(r"(?<=;) |(?<=days\.) ", text), "Notices are in writing."]
    assert [s.kind for s in points.segments] == [PointKind.CLAUSE, *[PointKind.SENTENCE] * 3]
    kinds = [point.kind for point in points.points]
    assert kinds.count(PointKind.PARAGRAPH) == 2
    assert kinds.count(PointKind.ANCHOR) >= 3
    assert all(0 <= point.segment < 4 for point in points.points)
    assert points.density == pytest.approx(1000 * 4 / estimated_tokens(paper.text))
    assert points.marks_density > points.density


def test_semicolons_of_lists_stay_whole_and_empty_documents_have_none() -> None:
    assert len(find_decision_points(document("Fruit: (a) pears; (b) figs."), []).segments) == 1
    chinese = document("卖方应当按时交付全部货物；买方应当及时付款。", language="zh")
    assert len(find_decision_points(chinese, []).segments) == 2
    nothing = find_decision_points(document(), [])
    assert (nothing.points, nothing.density) == ((), 0.0)


def test_what_says_nothing_opens_the_next_segment() -> None:
    paper = document("Payment", "Buyer: Acme Limited", "The Buyer shall pay in 30 days.", "By:", "Title:")
    points = find_decision_points(paper, [])
    assert [paper.text[s.start : s.end].split() for s in points.segments] == [
        ["Payment", "Buyer:", "Acme", "Limited", "The", "Buyer", "shall", "pay", "in", "30", "days."],
        ["By:", "Title:"],
    ]
    assert [s.sentence for s in points.segments] == [2, 4]
    chinese = document("其他费用", "物业费；", "3、卫生费；", "租赁期限：24个月", "乙方享有转让权。", language="zh")
    segments = find_decision_points(chinese, []).segments
    assert [s.sentence for s in segments] == [3, 4]
    assert segments[0].start == 0


def test_fragments_share_a_segment_only_as_long_as_a_snapshot_holds_them() -> None:
    paper = document(*["Alpha beta gamma delta"] * 30)
    segments = find_decision_points(paper, []).segments
    assert len(segments) > 2
    assert all(estimated_tokens(paper.text[s.start : s.end]) <= 42 for s in segments)


def test_a_whole_document(encoders: dict[str, Encoder]) -> None:
    paper = document(LONG, SHORT, language="en")
    taken = document_states(paper, extract_anchors(paper), encoders["en"])
    assert len(taken.snapshots) == len(taken.points.segments) == 2
    spans = token_spans(taken.snapshots.blocks)
    assert paper.text[slice(*spans[1, 0].tolist())] == "The"
    classes = classes_of(tensor_of(taken.snapshots.blocks))
    assert (classes[0] == VALUE).any()
