"""State-consistent ranking: what FAISS and the words bring, put in order by all that can be known of a passage.

``score = calibration × (vector × cosine + state × consistency) + lexical × words + anchors × agreement + naming``

where consistency is the late interaction of the question's token states with the chunk's snapshots (kernels/maxsim)
and calibration is ``1 / (1 + 0.5 × distance)`` of the question from the matter's domain.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from engine.protocol.answers import Signals
from engine.retrieval.document_index import ChunkAnchor
from engine.retrieval.matter_index import MatterIndex, Place
from engine.retrieval.questions import Asked, read_question
from engine.retrieval.rule_filter import mismatches
from engine.retrieval.wording import wording_of
from engine.states.encoder import Encoder, TokenStates
from engine.states.knowledge import Knowledge, load_knowledge
from engine.states.snapshot import query_rows, tensor_of

#: How strongly a question far from the matter's domain is doubted.
DOMAIN_DOUBT = 0.5


class RankingSettings(msgspec.Struct, frozen=True):
    """The weights; ``tests/accuracy/sweep_ranking.py`` measures them.

    ``search_k`` candidates each from vectors and from words, ``top_k`` passages are used. ``filtered`` drops
    passages without any anchor of a kind that the question asks for, where others have one; ``by_rules`` those of
    another person or modality (:mod:`engine.retrieval.rule_filter`), unless that leaves none. ``synonyms`` is what
    other words for the question's count beside them, ``wording`` how far its vector is moved towards the way clauses
    of the types that it names speak (:mod:`engine.retrieval.wording`).
    """

    search_k: int = 10
    top_k: int = 3
    vector: float = 0.7
    state: float = 0.3
    lexical: float = 0.25
    anchors: float = 0.1
    naming: float = 1.0
    synonyms: float = 0.35
    wording: float = 0.4
    filtered: bool = False
    by_rules: bool = False


def ranking_settings(changes: Mapping[str, float]) -> RankingSettings:
    """The usual settings with some changed (:func:`engine.protocol.ranking.checked_ranking` has looked at them)."""
    usual = RankingSettings()
    kinds = {name: type(getattr(usual, name)) for name in changes}
    return msgspec.structs.replace(usual, **{name: kinds[name](value) for name, value in changes.items()})


class Found(msgspec.Struct, frozen=True):
    """A passage for a question: its place in the index, its score, and why."""

    place: Place
    score: float
    signals: Signals


@functools.cache
def _shipped() -> Knowledge:
    return load_knowledge()


def rank(
    index: MatterIndex,
    encoder: Encoder,
    question: str,
    settings: RankingSettings | None = None,
    knowledge: Knowledge | None = None,
) -> list[Found]:
    """The ``top_k`` passages for a question, best first; none for a question without words.

    ``knowledge`` has the synonyms; the packs that come with Antinomy without it.

    Raises:
        EncodingCancelled: the encoder was told to stop.
    """
    chosen = settings or RankingSettings()
    asked = read_question(question)
    if not question.strip() or not len(index):
        return []
    said = wording_of(question, knowledge or _shipped())
    tokens = encoder.encode_tokens([question, said.says] if said.says and chosen.wording else [question])
    vector = _moved(tokens, chosen.wording)
    named = index.naming.scores(question)
    most = max(chosen.search_k, chosen.top_k)
    candidates = _candidates(index, vector, asked, named, most, said.words, chosen.synonyms)
    if not candidates:
        return []
    places = list(candidates)
    # Cosines begin where any two passages are alike, or one encoder's would weigh more than another's.
    cosines = (index.vectors_of(places) @ vector - index.likeness) / (1.0 - index.likeness)
    states = np.zeros(len(places), np.float32)
    if chosen.state:
        states = (_consistency(index, places, query_rows(tokens[:1])) - index.likeness) / (1.0 - index.likeness)
    best_words = max(candidates.values(), default=0.0) or 1.0
    calibration = 1.0 / (1.0 + DOMAIN_DOUBT * (1.0 - float(index.centre @ vector)))
    found = []
    for i, place in enumerate(places):
        signals = Signals(
            float(cosines[i]), float(states[i]), candidates[place] / best_words,
            anchor_agreement(asked, index, place), float(named[place.document]), calibration,
        )  # fmt: skip
        found.append(Found(place, score_of(signals, chosen), signals))
    found.sort(key=lambda each: (-each.score, each.place))
    if chosen.filtered and any(each.signals.anchors > 0 for each in found):
        found = [each for each in found if each.signals.anchors > 0]
    if chosen.by_rules:
        found = [each for each in found if not mismatches(question, _anchors_at(index, each.place))] or found
    return found[: chosen.top_k]


def _moved(tokens: Sequence[TokenStates], share: float) -> NDArray[np.float32]:
    """The question's vector, moved towards that of the second text where there is one; unit."""
    vector = np.asarray(tokens[0].vector, np.float32)
    if len(tokens) > 1:
        vector = vector + share * np.asarray(tokens[1].vector, np.float32)
        vector /= max(float(np.linalg.norm(vector)), 1e-9)
    return vector


def _anchors_at(index: MatterIndex, place: Place) -> Sequence[ChunkAnchor]:
    return index.documents[place.document].kept.anchors[place.chunk]


def score_of(signals: Signals, weights: RankingSettings) -> float:
    """A passage's score, from what is known of it."""
    close = weights.vector * signals.vector + weights.state * signals.state
    other = weights.lexical * signals.lexical + weights.anchors * signals.anchors + weights.naming * signals.naming
    return signals.calibration * close + other


def _candidates(
    index: MatterIndex,
    vector: NDArray[np.float32],
    asked: Asked,
    named: NDArray[np.float32],
    most: int,
    others: Sequence[str],
    share: float,
) -> dict[Place, float]:
    """Chunks worth a look, each with its BM25 (0 where the words did not bring it)."""
    out: dict[Place, float] = {}
    # The documents that a question names are searched on their own too: their chunks may not be among the nearest.
    groups: list[list[int] | None] = [None]
    if len(index.documents) > 1 and named.max(initial=0.0) > 0:
        groups.append([int(d) for d in np.argsort(-named, kind="stable")[:3] if named[d] > 0])
    for documents in groups:
        for place, _ in index.near(vector, most, documents):
            out.setdefault(place, 0.0)
        for place, score in index.worded(asked.text, most, documents, others, share):
            out[place] = max(out.get(place, 0.0), score)
    return out


def _consistency(index: MatterIndex, places: Sequence[Place], query: tuple[object, object]) -> NDArray[np.float32]:
    """The late interaction of the question with each chunk: its best snapshot's, float32 ``[n]``."""
    from kernels.maxsim.op import maxsim

    blocks, owner = [], []
    for i, place in enumerate(places):
        document = index.documents[place.document]
        for block in sorted(set(document.picks[place.chunk].tolist())):
            blocks.append(document.blocks[block])
            owner.append(i)
    rows, weights = query
    scores = maxsim(rows, weights, tensor_of(np.stack(blocks)))[0].numpy()  # type: ignore[arg-type]  # two tensors
    out = np.full(len(places), -1.0, np.float32)
    np.maximum.at(out, np.array(owner), scores)
    return out


def anchor_agreement(asked: Asked, index: MatterIndex, place: Place) -> float:
    """How well a passage's values answer what is asked, 0..1.

    A value of the kind asked for counts a half, one of the role asked for the whole; a value that the question
    itself names counts as much when the passage has it.
    """
    anchors = _anchors_at(index, place)
    parts = []
    if asked.kinds:
        right_kind = [a for a in anchors if a.kind in asked.kinds]
        right_role = any(a.role in asked.roles for a in right_kind)
        parts.append(1.0 if right_role else 0.5 if right_kind else 0.0)
    if asked.anchors:
        held = {(a.kind, a.value) for a in anchors}
        parts.append(sum((a.kind.value, a.value) in held for a in asked.anchors) / len(asked.anchors))
    return sum(parts) / len(parts) if parts else 0.0
