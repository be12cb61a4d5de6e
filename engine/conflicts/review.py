"""A review: documents in, ranked findings out. See DESIGN's "way of the data"."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.anchors.extract import extract_anchors
from engine.anchors.model import Anchor
from engine.conflicts.checks import run_checks
from engine.conflicts.findings import pair_findings, rank_findings
from engine.conflicts.pairs import score_pairs
from engine.conflicts.units import Unit, build_units
from engine.document import Document
from engine.protocol.findings import Finding
from engine.protocol.messages import ReviewOptions
from engine.states.encoder import Encoder, EncodingCancelled

Progress = Callable[[str, int, int], None]


class ReviewCancelled(Exception):
    """The caller's ``cancelled`` answered True; there are no findings."""


class _Clock:
    """Seconds by stage."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._since = time.perf_counter()

    def lap(self, stage: str) -> None:
        now = time.perf_counter()
        self.seconds[stage] = self.seconds.get(stage, 0.0) + now - self._since
        self._since = now


def _language(units: Sequence[Unit]) -> str:
    return "zh" if any(unit.chinese for unit in units) else "en"


def _encode(
    units: Sequence[Unit],
    encoder_for: Callable[[str], Encoder],
    progress: Progress,
    cancelled: Callable[[], bool],
) -> NDArray[np.float32]:
    """Unit vectors of the masked texts, each language by its encoder, the corpus mean taken off.

    Sentences of two languages get vectors of two models, which must not be compared: the half that a model
    did not encode stays zero in a doubled space, so their cosine is 0.
    """
    languages = ["zh" if unit.chinese else "en" for unit in units]
    both = sorted(set(languages))
    if not units:
        return np.zeros((0, 384), np.float32)
    parts = []
    done = 0
    for language in both:
        encoder = encoder_for(language)
        mine = [i for i, own in enumerate(languages) if own == language]
        vectors = np.zeros((len(units), 384), np.float32)
        # Chunks only so that progress moves; the encoder itself asks for cancellation between batches.
        for start in range(0, len(mine), 256):
            chunk = mine[start : start + 256]
            vectors[chunk] = encoder.encode([units[i].masked() for i in chunk], cancelled=cancelled)
            done += len(chunk)
            progress("encoding", done, len(units))
        if language == "zh":
            # The multilingual encoder's cosines are squeezed together; without its mean they spread.
            vectors[mine] -= vectors[mine].mean(axis=0)
            vectors[mine] /= np.maximum(np.linalg.norm(vectors[mine], axis=1, keepdims=True), 1e-9)
        parts.append(vectors)
    return np.concatenate(parts, axis=1)


def _extract(
    documents: Sequence[Document], options: ReviewOptions, progress: Progress, cancelled: Callable[[], bool]
) -> tuple[dict[str, list[Anchor]], list[Finding]]:
    anchors: dict[str, list[Anchor]] = {}
    found: list[Finding] = []
    for i, document in enumerate(documents):
        if cancelled():
            raise ReviewCancelled
        anchors[document.id] = [] if "anchors" in options.without else extract_anchors(document)
        found += run_checks(document, anchors[document.id])
        progress("anchors", i + 1, len(documents))
    return anchors, found


def review_documents(
    documents: Sequence[Document],
    *,
    encoder_for: Callable[[str], Encoder],
    options: ReviewOptions,
    progress: Progress,
    cancelled: Callable[[], bool],
) -> tuple[list[Finding], dict[str, float]]:
    """The findings in and between the documents, ranked, and the seconds by stage.

    Args:
        documents: of one matter; boxes are not needed.
        encoder_for: gives the encoder for ``en`` or ``zh``; called at most once per language.
        options: see :class:`ReviewOptions`.
        progress: called with (stage, done, total); stages are ``anchors``, ``encoding``, ``pairs``, ``findings``.
        cancelled: asked at least every 100 ms of work.

    Raises:
        ReviewCancelled: ``cancelled`` answered True.
    """
    clock = _Clock()
    anchors, found = _extract(documents, options, progress, cancelled)
    clock.lap("anchors")
    units = build_units(documents, anchors)
    try:
        vectors = _encode(units, encoder_for, progress, cancelled)
    except EncodingCancelled as stopped:
        raise ReviewCancelled from stopped
    clock.lap("encoding")
    scored = score_pairs(units, vectors, options, progress, cancelled)
    if cancelled():
        raise ReviewCancelled
    clock.lap("pairs")
    found += pair_findings(documents, units, scored, options)
    ranked = rank_findings(found, options)
    progress("findings", len(ranked), len(ranked))
    clock.lap("findings")
    return ranked, clock.seconds
