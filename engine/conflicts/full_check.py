"""Pairs read again by the whole encoder, both sentences together: the best of a review, or all in the full check.

The full check (legacy mode) is what snapshots, trees and verifier replace, kept as a switch: for those who can wait
minutes, and to measure what the short way loses. Its weights are low-rank additions to the encoders
(resources/weights/full_check.md). What is read decides the order of the pairs that were read and leaves their log-odds
as a set: ranks are fused (reciprocal rank fusion, Cormack et al. 2009), because neither side's odds are the other's.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.conflicts.candidates import Candidate
from engine.conflicts.units import Unit
from engine.states.encoder import BertEncoder, Encoder, EncoderError, load_encoder
from engine.states.pair_reader import OtherEncoder, PairReader
from resources import resource_path

#: So many pairs of a document, the best by the trees, are read together in every review: about a second.
READ_OF_A_DOCUMENT = 100

#: What the reading's rank weighs beside that of trees and verifier, also for a pair of which one passage alone has a
#: condition (reading sees what a condition does, the comparison hardly), and how fast a rank's worth falls
#: (results/conflicts_full_check.md).
WEIGHT, WEIGHT_CONDITIONAL, FALL = 0.5, 0.75, 10

LEFT_OUT = "{language} passages were not read together: {error}."
LANGUAGES = {"en": "English", "zh": "Chinese"}


class NoReader(EncoderError):
    """The encoder is of a kind that reads one text at a time."""


@functools.lru_cache(maxsize=2)
def _reader_of(encoder: BertEncoder, language: str) -> PairReader:
    return PairReader(encoder, resource_path("weights", f"full_check_{language}.safetensors"))


def shipped_reader(language: str, encoder_for: Callable[[str], Encoder]) -> PairReader:
    """The reader of pairs in ``en`` or ``zh``: over the review's encoder, or the shipped one where that is another.

    Raises:
        NoReader: see there.
        EncoderError: there is none that works; the message is the reason.
    """
    encoder = encoder_for(language)
    if isinstance(encoder, BertEncoder):
        try:
            return _reader_of(encoder, language)
        except OtherEncoder:
            # A person may have named a model of their own; the additions fit the shipped one only.
            encoder = load_encoder(language)
    if not isinstance(encoder, BertEncoder):
        raise NoReader(f"{encoder.name} cannot read two texts together")
    return _reader_of(encoder, language)


def read_pairs(
    units: Sequence[Unit],
    candidates: Sequence[Candidate],
    rows: Sequence[int],
    reader_for: Callable[[str], PairReader],
    progress: Callable[[str, int, int], None],
    cancelled: Callable[[], bool],
    notice: Callable[[str], None],
    *,
    asked: bool = False,
) -> NDArray[np.float64]:
    """Log-odds that each pair is a conflict, float64 ``[len(candidates)]``; NaN where a pair is not in ``rows``.

    A pair of two languages is not read. Where a language has no reader, ``notice`` is told so in a sentence, unless
    nobody ``asked`` for it and the encoder, a fallback that says so itself, is of a kind that has none.

    Raises:
        EncodingCancelled: ``cancelled`` answered True.
    """
    out = np.full(len(candidates), np.nan)
    texts = [unit.text for unit in units]
    read = 0

    def done(count: int) -> None:
        nonlocal read
        read += count
        progress("reading", read, len(rows))

    for language, words in LANGUAGES.items():
        chinese = language == "zh"
        mine = [row for row in rows if all(units[u].chinese is chinese for u in (candidates[row].a, candidates[row].b))]
        if not mine:
            continue
        try:
            reader = reader_for(language)
            pairs = [(candidates[row].a, candidates[row].b) for row in mine]
            out[mine] = reader.log_odds(texts, pairs, cancelled=cancelled, done=done)
        except EncoderError as error:
            if asked or not isinstance(error, NoReader):
                notice(LEFT_OUT.format(language=words, error=error))
        else:
            if reader.notice:
                notice(reader.notice)
    return out


def rows_to_read(raw: NDArray[np.float64], documents: int, *, full: bool) -> list[int]:
    """The rows that are read: all in the full check, else the best by ``raw`` (the trees' log-odds)."""
    if full:
        return list(range(len(raw)))
    return [int(row) for row in np.argsort(-raw, kind="stable")[: READ_OF_A_DOCUMENT * documents]]


def _ranks(values: NDArray[np.float64]) -> NDArray[np.int64]:
    ranks = np.empty(len(values), np.int64)
    ranks[np.argsort(-values, kind="stable")] = np.arange(len(values))
    return ranks


def reordered(
    raw: NDArray[np.float64],
    read: NDArray[np.float64],
    chinese: NDArray[np.bool_],
    conditional: NDArray[np.bool_],
    *,
    alone: bool = False,
) -> NDArray[np.float64]:
    """The log-odds ``raw``, exchanged among the pairs that were read so that both opinions decide their order.

    Args:
        read: from :func:`read_pairs`; what is NaN there keeps its own log-odds.
        chinese: which pairs are; each language's are exchanged among themselves, for their readers are two.
        conditional: of which pairs one passage alone has a condition.
        alone: the reading decides alone.
    """
    out = raw.copy()
    for language in (False, True):
        rows = np.flatnonzero(np.isfinite(read) & (chinese == language))
        worth = read[rows]
        if not alone:
            weight = np.where(conditional[rows], WEIGHT_CONDITIONAL, WEIGHT)
            worth = weight / (FALL + _ranks(read[rows])) + 1 / (FALL + _ranks(raw[rows]))
        out[rows[np.argsort(-worth, kind="stable")]] = -np.sort(-raw[rows])
    return out
