"""The messages between the window (or the command line) and its two children.

One union and one decoder per direction; strict types; unknown fields are refused. A job is a number
chosen by the side that asks. Each job ends in exactly one terminal message: its answer
(:class:`DocumentRead`, :class:`PageRendered`, :class:`HandedOver`, :class:`ReviewDone`, :class:`AnchorsFound`,
:class:`Diagnosis`), :class:`Failed` or :class:`Cancelled`. :class:`Progress`, :class:`DocumentOpened` may come
before it.
"""

from __future__ import annotations

import enum

import msgspec

from engine.protocol.answers import Answer
from engine.protocol.findings import Finding
from engine.protocol.handover import Form, Mark, Report

#: Raised by one whenever a message changes; both sides must agree at the handshake.
PROTOCOL = 2


class FaultCode(enum.StrEnum):
    """What went wrong, for programs; the sentence beside it is for people."""

    MISSING_FILE = "missing_file"
    EMPTY_FILE = "empty_file"
    UNREADABLE_FILE = "unreadable_file"
    WRONG_FORMAT = "wrong_format"
    UNSUPPORTED_FORMAT = "unsupported_format"
    NEEDS_PASSWORD = "needs_password"
    WRONG_PASSWORD = "wrong_password"
    TOO_LARGE = "too_large"
    TOO_SLOW = "too_slow"
    NOT_OPEN = "not_open"
    ENGINE_NOT_READY = "engine_not_ready"
    OUT_OF_MEMORY = "out_of_memory"
    CHILD_DIED = "child_died"
    INTERNAL = "internal"


class Fault(msgspec.Struct, frozen=True):
    """A failure: a code, one sentence a person can act on, and (for our own bugs) the trace.

    ``english`` is the sentence before ``values`` were filled into its ``{names}``: a window in another
    language looks it up and fills them in again. A fault that the window made itself has none, because
    its sentence is in the window's language already.
    """

    code: FaultCode
    sentence: str
    trace: str = ""
    english: str = ""
    values: dict[str, str] = {}

    @classmethod
    def of(cls, code: FaultCode, english: str, values: dict[str, str] | None = None, trace: str = "") -> Fault:
        """A fault of a child. Without ``values``, braces in ``english`` are nothing special."""
        return cls(code, english.format_map(values) if values else english, trace, english, values or {})


class Message(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """Base of all messages; the class's name is the tag."""


# --- both directions ------------------------------------------------------------------------------


class Hello(Message, frozen=True, tag="hello"):
    """The child's first message. ``role`` is ``reader`` or ``engine``."""

    protocol: int
    role: str
    pid: int
    app_version: str


class Ping(Message, frozen=True, tag="ping"):
    """Heartbeat and round-trip measure; answered at once with the same token."""

    token: int


class Pong(Message, frozen=True, tag="pong"):
    """The answer to a :class:`Ping`."""

    token: int


class Cancel(Message, frozen=True, tag="cancel"):
    """End a job; answered by its terminal message. Unknown and finished jobs are ignored."""

    job: int


class Shutdown(Message, frozen=True, tag="shutdown"):
    """End the child. It ends too when the connection closes."""


class Progress(Message, frozen=True, tag="progress"):
    """How far a job is: ``done`` of ``total`` steps (total 0 when unknown); at most 10 a second."""

    job: int
    stage: str
    done: int
    total: int


class Failed(Message, frozen=True, tag="failed"):
    """Terminal: the job failed."""

    job: int
    fault: Fault


class Cancelled(Message, frozen=True, tag="cancelled"):
    """Terminal: the job was cancelled."""

    job: int


# --- reader ---------------------------------------------------------------------------------------


class ReadingOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How to read a file.

    ``revisions``: the state of a Word file's tracked changes that is read: ``accepted``, ``original`` or
    ``both`` (with marks).
    ``recogniser``: what reads scanned pages: ``rapidocr``, ``tesseract``, ``none``; the best there is when empty.
    """

    revisions: str = "accepted"
    recogniser: str = ""


class OpenDocument(Message, frozen=True, tag="open_document"):
    """Read a file. Answers :class:`DocumentOpened` early, then :class:`DocumentRead` or a failure."""

    job: int
    path: str
    password: str = ""
    options: ReadingOptions = ReadingOptions()


class RenderPage(Message, frozen=True, tag="render_page"):
    """Draw a page of an open document into shared memory named ``memory`` (created by the asker).

    ``scale`` is pixels per PDF point. ``clip`` is ``(x0, y0, x1, y1)`` in points, or empty for the
    whole page. The image is RGB, 8 bits a channel, rows of ``stride`` bytes.
    """

    job: int
    document: str
    page: int
    scale: float
    memory: str
    capacity: int
    clip: tuple[float, ...] = ()


class HandOver(Message, frozen=True, tag="hand_over"):
    """Make a marked copy of ``source``, or set a report when there is one, and write it to ``target``.

    ``text`` is the document's canonical text (a marked DOCX needs it), ``is_pdf`` whether ``source`` is a PDF;
    pages of other documents are those laid out for the window. The source is never written.
    """

    job: int
    form: Form
    target: str
    report: Report | None = None
    document: str = ""
    source: str = ""
    is_pdf: bool = True
    password: str = ""
    text: str = ""
    marks: tuple[Mark, ...] = ()


class CloseDocument(Message, frozen=True, tag="close_document"):
    """Forget an open document; no answer."""

    document: str


class PageSize(msgspec.Struct, frozen=True, array_like=True):
    """A page's displayed size in PDF points."""

    width_pt: float
    height_pt: float


class DocumentOpened(Message, frozen=True, tag="document_opened"):
    """The file is open and its pages can be rendered; its text is still being read."""

    job: int
    document: str
    name: str
    media: str
    pages: tuple[PageSize, ...]


class DocumentRead(Message, frozen=True, tag="document_read"):
    """Terminal: the whole Document in its saved form (``engine.document.unpack`` reads it)."""

    job: int
    document: str
    packed: bytes


class HandedOver(Message, frozen=True, tag="handed_over"):
    """Terminal: the file is there. ``left_out``: labels of the passages that could get no mark."""

    job: int
    target: str
    left_out: tuple[str, ...] = ()


class PageRendered(Message, frozen=True, tag="page_rendered"):
    """Terminal: the page's image stands in the shared memory that the request named."""

    job: int
    document: str
    page: int
    width_px: int
    height_px: int
    stride: int


# --- engine ---------------------------------------------------------------------------------------


class ReviewOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How to review. ``encoder`` is a model folder, or empty to choose by language.

    ``minimum_score`` drops findings below it; ``without`` names parts switched off for an ablation (``anchors``,
    ``arbitration``, ``verifier``, ``compensation``: its vectors, ``ranker``: cosine for the trees). ``table`` is the
    matter's anchor table, which the review brings up to date, empty for none; documents of the matter that are not in
    this review and stay in the table are ``kept``.
    """

    encoder: str = ""
    minimum_score: float = 0.0
    without: tuple[str, ...] = ()
    table: str = ""
    kept: tuple[str, ...] = ()


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
    and the question are English, else ``zh`` (the multilingual one); an index is of one encoder.
    """

    job: int
    question: str
    ids: tuple[str, ...]
    language: str = "en"
    documents: tuple[bytes, ...] = ()
    index: str = ""
    history: tuple[str, ...] = ()
    encoder: str = ""


class Answered(Message, frozen=True, tag="answered"):
    """Terminal: the answer. ``seconds`` by stage."""

    job: int
    answer: Answer
    seconds: dict[str, float]


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


ToReader = OpenDocument | RenderPage | HandOver | CloseDocument | Cancel | Ping | Shutdown
FromReader = Hello | Pong | Progress | DocumentOpened | DocumentRead | PageRendered | HandedOver | Failed | Cancelled
ToEngine = Review | Ask | ListAnchors | FindPlaces | Diagnose | Cancel | Ping | Shutdown
FromEngine = (
    Hello | Pong | Progress | EngineStatus | ReviewDone | Answered | AnchorsFound | Diagnosis | Failed | Cancelled
)
