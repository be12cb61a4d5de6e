"""What the engine process is asked and what it answers."""

from __future__ import annotations

import msgspec

from engine.protocol.answers import Answer
from engine.protocol.base import Message
from engine.protocol.comparison import Comparison
from engine.protocol.findings import Finding
from engine.protocol.learning import Card, PairLabel


class ReviewOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How to review. ``encoder`` is a model folder, or empty to choose by language.

    ``minimum_score`` drops findings below it; ``without`` names parts switched off for an ablation (``anchors``,
    ``arbitration``, ``verifier``, ``compensation``: its vectors, ``ranker``: cosine for the trees, ``reading``: of the
    best pairs together). ``table`` is the matter's anchor table, which the review brings up to date, empty for none;
    documents of the matter that are not in this review and stay in the table are ``kept``. ``weights`` is the file of
    weights learnt from labels, empty for the shipped ones; one that cannot be used is left aside, and a notice says so.
    ``states`` is the folder in which the matter's states are kept from review to review, empty for none.
    ``full_check`` reads every candidate pair together with the whole encoder, which takes minutes where a review takes
    seconds.
    """

    encoder: str = ""
    minimum_score: float = 0.0
    without: tuple[str, ...] = ()
    table: str = ""
    kept: tuple[str, ...] = ()
    weights: str = ""
    states: str = ""
    full_check: bool = False


class Review(Message, frozen=True, tag="review"):
    """Find the conflicts in and between documents, each in its saved form (boxes may be left out)."""

    job: int
    documents: tuple[bytes, ...]
    options: ReviewOptions = ReviewOptions()


class ListAnchors(Message, frozen=True, tag="list_anchors"):
    """Ask for the anchors in a matter's table; in a large matter, for those of ``document`` alone."""

    job: int
    table: str
    document: str = ""


class FindPlaces(Message, frozen=True, tag="find_places"):
    """Ask where a value stands in all documents of a table, and the values of its role that differ from it."""

    job: int
    table: str
    kind: str
    value: str
    role: str = ""


class Ask(Message, frozen=True, tag="ask"):
    """Answer a question from the documents ``ids``.

    ``documents`` are those of them, in their saved form, that the engine may not have indexed yet; it answers with
    :class:`Failed` of ``not_open`` when one is missing. ``index`` is the folder of the matter's indexes, "" for none;
    ``history`` are the earlier questions, oldest first. ``language`` chooses the encoder: ``en`` when all documents
    and the question are English, else ``zh`` (the multilingual one); an index is of one encoder. ``ranking`` changes
    weights for this question (:mod:`engine.protocol.ranking`).
    """

    job: int
    question: str
    ids: tuple[str, ...]
    language: str = "en"
    documents: tuple[bytes, ...] = ()
    index: str = ""
    history: tuple[str, ...] = ()
    encoder: str = ""
    ranking: dict[str, float] = msgspec.field(default_factory=dict)


class Answered(Message, frozen=True, tag="answered"):
    """Terminal: the answer. ``seconds`` by stage."""

    job: int
    answer: Answer
    seconds: dict[str, float]


class Compare(Message, frozen=True, tag="compare"):
    """Compare an earlier and a later version of a document, both in their saved form (boxes may be left out).

    The findings of each version say which ones the later one introduced or resolved.
    """

    job: int
    old: bytes
    new: bytes
    old_findings: tuple[Finding, ...] = ()
    new_findings: tuple[Finding, ...] = ()


class Compared(Message, frozen=True, tag="compared"):
    """Terminal: every clause of both versions. ``seconds`` by stage."""

    job: int
    comparison: Comparison
    seconds: dict[str, float]


class Learn(Message, frozen=True, tag="learn"):
    """Learn from labels, beside reviews and questions; cancelled or not, nothing that was kept changes.

    ``documents`` are those that labels stand in, in their saved form. The result is laid down on trial in the person's
    ``folder`` (:class:`engine.learning.shelf.Shelf`), called ``name``.
    """

    job: int
    documents: tuple[bytes, ...]
    labels: tuple[PairLabel, ...]
    folder: str
    name: str
    seed: int = 0


class Learned(Message, frozen=True, tag="learned"):
    """Terminal: something was learnt and waits to be kept or dropped; the card says what it is worth."""

    job: int
    card: Card


class Diagnose(Message, frozen=True, tag="diagnose"):
    """Ask what the engine runs on."""

    job: int


class EngineStatus(Message, frozen=True, tag="engine_status"):
    """Sent on every change: ``state`` is ``loading``, ``ready`` or ``failed``.

    ``notice`` is one sentence for the person when something fell back, else empty.
    """

    state: str
    device: str
    precision: str
    encoder: str
    verifier: str
    notice: str = ""


class ReviewDone(Message, frozen=True, tag="review_done"):
    """Terminal: the findings, ranked. ``seconds`` by stage."""

    job: int
    findings: tuple[Finding, ...]
    seconds: dict[str, float]


class AnchorPlace(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Where an anchor stands: number of its document in the answer, span, and what it is the value of."""

    document: int
    start: int
    end: int
    role: str = ""
    bound: str = "exact"


class AnchorValue(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A canonical value with its places, in reading order."""

    kind: str
    value: str
    places: tuple[AnchorPlace, ...]


class AnchorsFound(Message, frozen=True, tag="anchors_found"):
    """Terminal: values with their places; the value that was asked for comes first, then its rivals.

    ``left_out`` counts places that were too many. Without a readable table there are no values.
    """

    job: int
    documents: tuple[str, ...]
    values: tuple[AnchorValue, ...]
    left_out: int = 0


class Diagnosis(Message, frozen=True, tag="diagnosis"):
    """Terminal: facts about the engine's machine, as name → value."""

    job: int
    facts: dict[str, str]
