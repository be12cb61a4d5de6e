"""A review: documents in, ranked findings out. See DESIGN's "way of the data"."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from engine.anchors.extract import extract_anchors
from engine.anchors.model import Anchor
from engine.anchors.table import update
from engine.anchors.table_build import columns_of
from engine.conflicts.checks import run_checks
from engine.conflicts.encoding import encode_units
from engine.conflicts.findings import forum_findings, pair_findings, rank_findings
from engine.conflicts.full_check import shipped_reader
from engine.conflicts.pairs import score_pairs
from engine.conflicts.ranker import Ranker
from engine.conflicts.recognised import with_doubts
from engine.conflicts.second_look import Load
from engine.conflicts.units import build_units
from engine.document import Document
from engine.protocol.findings import Finding
from engine.protocol.messages import ReviewOptions
from engine.states.encoder import Encoder, EncodingCancelled
from engine.states.kept import KeptStates
from engine.states.knowledge import Knowledge

log = logging.getLogger(__name__)

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


def _extract(
    documents: Sequence[Document],
    options: ReviewOptions,
    progress: Progress,
    cancelled: Callable[[], bool],
    knowledge: Knowledge | None,
) -> tuple[dict[str, list[Anchor]], list[Finding]]:
    anchors: dict[str, list[Anchor]] = {}
    found: list[Finding] = []
    for i, document in enumerate(documents):
        if cancelled():
            raise ReviewCancelled
        anchors[document.id] = [] if "anchors" in options.without else extract_anchors(document, cancelled)
        found += run_checks(document, anchors[document.id], knowledge, cancelled)
        if cancelled():
            raise ReviewCancelled
        progress("anchors", i + 1, len(documents))
    return anchors, found


def _keep_table(path: Path, anchors: Mapping[str, list[Anchor]], kept: Sequence[str]) -> None:
    """Bring the matter's anchor table up to date; a review does not fail for want of it."""
    try:
        update(path, {document: columns_of(found) for document, found in anchors.items()}, kept)
    except OSError as error:
        log.warning("The anchor table %s could not be written: %s.", path, error)


def review_documents(
    documents: Sequence[Document],
    *,
    encoder_for: Callable[[str], Encoder],
    options: ReviewOptions,
    progress: Progress,
    cancelled: Callable[[], bool],
    ranker: Ranker | None = None,
    verifier: Load | None = None,
    notice: Callable[[str], None] = lambda _: None,
    knowledge: Knowledge | None = None,
) -> tuple[list[Finding], dict[str, float]]:
    """The findings in and between the documents, ranked, and the seconds by stage.

    Args:
        documents: of one matter; boxes are not needed.
        encoder_for: gives the encoder for ``en`` or ``zh``; called at most once per language.
        options: see :class:`ReviewOptions`.
        progress: called with (stage, done, total); stages are ``anchors``, ``encoding``, ``pairs``, ``reading``,
            ``findings``.
        cancelled: asked at least every 100 ms of work.
        ranker, verifier: other weights than the shipped ones, for measuring.
        notice: told, in a sentence, what could not be used.
        knowledge: the packs in use; without it the shipped ones.

    Raises:
        ReviewCancelled: ``cancelled`` answered True.
    """
    clock = _Clock()
    anchors, found = _extract(documents, options, progress, cancelled, knowledge)
    if options.table:
        _keep_table(Path(options.table), anchors, options.kept)
    clock.lap("anchors")
    units = build_units(documents, anchors, cancelled)
    kept = KeptStates(Path(options.states), [d.id for d in documents], notice) if options.states else None
    look = "verifier" not in options.without
    try:
        encoded = encode_units(units, encoder_for, progress, cancelled, snapshots=look, kept=kept)
    except EncodingCancelled as stopped:
        raise ReviewCancelled from stopped
    clock.lap("encoding")
    reads = options.full_check or "reading" not in options.without
    reader_for = (lambda language: shipped_reader(language, encoder_for)) if reads else None
    try:
        scored = score_pairs(units, encoded, options, progress, cancelled, ranker, verifier, notice, reader_for)
    except EncodingCancelled as stopped:
        raise ReviewCancelled from stopped
    if cancelled():
        raise ReviewCancelled
    clock.lap("pairs")
    forum, taken = forum_findings(documents, units)
    found += forum
    found += pair_findings(documents, units, scored, options, taken, len(found))
    ranked = with_doubts(documents, rank_findings(found, options))
    progress("findings", len(ranked), len(ranked))
    clock.lap("findings")
    return ranked, clock.seconds
