"""An extractive answer: the sentences that answer, quoted, each with its clause and page. Nothing is made up."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from engine.anchors.model import AnchorKind
from engine.protocol.answers import Answer, AnswerPassage, PassageConflict
from engine.retrieval.chunks import Chunk
from engine.retrieval.disagreement import disagreements
from engine.retrieval.intent import read_intent, with_subject
from engine.retrieval.matter_index import MatterIndex
from engine.retrieval.questions import Asked, read_question
from engine.retrieval.ranking import Found, RankingSettings, rank
from engine.retrieval.words import index_words
from engine.states.encoder import Encoder
from engine.states.knowledge import Knowledge

#: Candidates that the intent is judged by.
_LOOKED_AT = 10
#: A passage's sentences that come this near to its best one are quoted with it.
_AS_GOOD = 0.85
_WORDS_WEIGHT = 0.3
#: Passages scored under this share of the best are not an answer.
_WORTH_SHOWING = 0.5


def answer_question(
    index: MatterIndex,
    encoder: Encoder,
    question: str,
    history: Sequence[str] = (),
    settings: RankingSettings | None = None,
    knowledge: Knowledge | None = None,
) -> Answer:
    """Answer from the matter's own words; ``knowledge`` has the synonyms.

    Raises:
        EncodingCancelled: the encoder was told to stop.
    """
    chosen = settings or RankingSettings()
    understood = with_subject(question, history)
    asked = read_question(understood)
    wide = msgspec.structs.replace(chosen, top_k=max(_LOOKED_AT, chosen.top_k))
    found = rank(index, encoder, understood, wide, knowledge)
    intent = read_intent(index, asked, found)
    kept = [each for each in found[: chosen.top_k] if each.score >= _least(found[0].score)]
    passages = tuple(_passage(index, encoder, asked, each) for each in kept)
    return Answer(
        understood, passages, intent.stability, intent.choices, _confidence(intent.stability, found),
        _conflicts(index, kept), _parties(index, kept),
    )  # fmt: skip


def _least(best: float) -> float:
    """What a passage must have beside the best; the best itself always does, also where its score is negative."""
    return best - (1.0 - _WORTH_SHOWING) * abs(best)


def _conflicts(index: MatterIndex, found: Sequence[Found]) -> tuple[PassageConflict, ...]:
    passages = []
    for each in found:
        kept = index.documents[each.place.document].kept
        chunk = each.place.chunk
        passages.append((kept.anchors[chunk], kept.words[chunk], kept.chunks[chunk].start))
    return disagreements(passages)


def _parties(index: MatterIndex, found: Sequence[Found]) -> tuple[str, ...]:
    """The parties that the passages' documents name, in their own words."""
    names: set[str] = set()
    for document in {each.place.document for each in found}:
        kept = index.documents[document].kept
        for chunk, words, anchors in zip(kept.chunks, kept.words, kept.anchors, strict=True):
            spans = ((a.start - chunk.start, a.end - chunk.start) for a in anchors if a.kind == AnchorKind.PARTY)
            names.update(words[start:end] for start, end in spans)
    return tuple(sorted(names))


def _confidence(stability: float, found: Sequence[Found]) -> dict[str, float]:
    if not found:
        return {"intent": stability, "retrieval": 0.0, "anchors": 0.0}
    best = found[0]
    rest = float(np.mean([each.score for each in found[1:]])) if len(found) > 1 else 0.0
    stands_out = max(0.0, min(1.0, (best.score - rest) / max(best.score, 1e-6) * 2.0))
    return {
        "intent": round(stability, 3),
        "retrieval": round(0.5 * max(0.0, best.signals.vector) + 0.5 * stands_out, 3),
        "anchors": round(best.signals.anchors, 3),
    }


def _passage(index: MatterIndex, encoder: Encoder, asked: Asked, found: Found) -> AnswerPassage:
    kept = index.documents[found.place.document].kept
    chunk, words = kept.chunks[found.place.chunk], kept.words[found.place.chunk]
    return AnswerPassage(
        kept.document, chunk.clause, chunk.number, chunk.heading, chunk.page, chunk.start, chunk.end, words,
        _quotes(chunk, words, encoder, asked), found.score, found.signals,
    )  # fmt: skip


def _quotes(chunk: Chunk, words: str, encoder: Encoder, asked: Asked) -> tuple[tuple[int, int], ...]:
    """The chunk's sentences that answer: the best one and those about as good."""
    if len(chunk.sentences) == 1:
        return chunk.sentences
    texts = [words[a - chunk.start : b - chunk.start] for a, b in chunk.sentences]
    vectors = encoder.encode([asked.text, *texts])
    wanted = set(index_words(asked.text))
    shared = [len(wanted & set(index_words(text))) / max(1, len(wanted)) for text in texts]
    scores = vectors[1:] @ vectors[0] + _WORDS_WEIGHT * np.array(shared, np.float32)
    enough = _AS_GOOD * float(scores.max())
    return tuple(span for span, score in zip(chunk.sentences, scores.tolist(), strict=True) if score >= enough)
