"""The full check (legacy mode): every candidate pair read again by the whole encoder, both sentences together.

What snapshots, trees and verifier replace, kept as a switch: for those who can wait minutes, and to measure what the
short way loses. Its weights are low-rank additions to the encoders (resources/weights/full_check.md).
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

#: Its log-odds' weight beside those of trees and verifier (by folds of contracts; results/conflicts_full_check.md).
WEIGHT = 0.35

LEFT_OUT = "The full check of {language} passages was left out: {error}."
LANGUAGES = {"en": "English", "zh": "Chinese"}


@functools.lru_cache(maxsize=2)
def _reader_of(encoder: BertEncoder, language: str) -> PairReader:
    return PairReader(encoder, resource_path("weights", f"full_check_{language}.safetensors"))


def shipped_reader(language: str, encoder_for: Callable[[str], Encoder]) -> PairReader:
    """The reader of pairs in ``en`` or ``zh``: over the review's encoder, or the shipped one where that is another.

    Raises:
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
        raise EncoderError(f"{encoder.name} cannot read two texts together")
    return _reader_of(encoder, language)


def read_pairs(
    units: Sequence[Unit],
    candidates: Sequence[Candidate],
    reader_for: Callable[[str], PairReader],
    progress: Callable[[str, int, int], None],
    cancelled: Callable[[], bool],
    notice: Callable[[str], None],
) -> NDArray[np.float64]:
    """Log-odds that each pair is a conflict, float64 ``[len(candidates)]``; NaN where a pair was not read.

    A pair of two languages is not read. Where a language has no reader, ``notice`` is told so in a sentence.

    Raises:
        EncodingCancelled: ``cancelled`` answered True.
    """
    out = np.full(len(candidates), np.nan)
    texts = [unit.text for unit in units]
    read = 0

    def done(count: int) -> None:
        nonlocal read
        read += count
        progress("full_check", read, len(candidates))

    for language, words in LANGUAGES.items():
        chinese = language == "zh"
        rows = [
            row
            for row, pair in enumerate(candidates)
            if units[pair.a].chinese is chinese and units[pair.b].chinese is chinese
        ]
        if not rows:
            continue
        try:
            reader = reader_for(language)
            pairs = [(candidates[row].a, candidates[row].b) for row in rows]
            out[rows] = reader.log_odds(texts, pairs, cancelled=cancelled, done=done)
        except EncoderError as error:
            notice(LEFT_OUT.format(language=words, error=error))
        else:
            if reader.notice:
                notice(reader.notice)
    return out


def with_full_check(raw: NDArray[np.float64], read: NDArray[np.float64], *, alone: bool = False) -> NDArray[np.float64]:
    """Log-odds with the full check's mixed in where it read a pair; ``alone``: replaced by them there."""
    known = np.isfinite(read)
    mixed = read if alone else (raw + WEIGHT * read) / (1 + WEIGHT)
    return np.where(known, mixed, raw)
