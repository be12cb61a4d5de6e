"""What is answered to a question. Spans are code points of the canonical text of the document named beside them."""

from __future__ import annotations

import msgspec

ANSWER_SCHEMA = "antinomy.answer/1"


class Signals(msgspec.Struct, frozen=True):
    """What is known of a passage for a question, each about 0..1."""

    vector: float
    state: float
    lexical: float
    anchors: float
    naming: float
    calibration: float


class AnswerPassage(msgspec.Struct, frozen=True):
    """A quoted passage: its whole span and the spans of the sentences in it that answer.

    ``text`` is the document's text at the span, exactly; ``quads`` are ``(page, x0, y0, x1, y1)`` of the quotes in PDF
    points, filled in by who holds the boxes.
    """

    document: str
    clause: str
    number: str
    heading: str
    page: int
    start: int
    end: int
    text: str
    quotes: tuple[tuple[int, int], ...]
    score: float
    signals: Signals


class Choice(msgspec.Struct, frozen=True):
    """One thing that a vague question may be about: shown words, and the question that asks about it."""

    words: str
    question: str


class Answer(msgspec.Struct, frozen=True):
    """What is known about a question.

    Attributes:
        question: as it was understood, with the subject of the one before where it depends on it.
        passages: best first; empty when the matter holds nothing like it.
        stability: of its intent, 0..1.
        choices: what it may be about, when it is vague.
        confidence: 0..1, of each stage: intent, retrieval (how far the best stands out), anchors (values that agree).
        parties: those that the passages' documents name; a written answer may use their names.
        conflicts: pairs of places in ``passages`` that cannot both hold, or of which one prevails, with the reason.
    """

    question: str
    passages: tuple[AnswerPassage, ...]
    stability: float
    choices: tuple[Choice, ...]
    confidence: dict[str, float]
    conflicts: tuple[PassageConflict, ...] = ()
    parties: tuple[str, ...] = ()


class PassageConflict(msgspec.Struct, frozen=True):
    """Two passages of an answer that give different values for the same thing: their places in the list.

    ``code`` is ``differ``, ``first_prevails`` or ``second_prevails`` (one says that it goes before others); ``values``
    are the words that differ, ``summary`` both of them.
    """

    first: int
    second: int
    code: str
    summary: str
    values: tuple[str, str] = ("", "")


class Unsupported(msgspec.Struct, frozen=True):
    """A value of a written answer that no cited passage has: kind, canonical value, span in the answer."""

    kind: str
    value: str
    start: int
    end: int


class AnswerFile(msgspec.Struct, frozen=True):
    """The file that ``antinomy ask --json`` writes."""

    schema: str
    app_version: str
    documents: tuple[tuple[str, str], ...]
    answer: Answer
    seconds: dict[str, float]
