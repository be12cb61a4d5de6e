"""Short contracts with labels, for tests: modal clashes are conflicts, other parties' duties are none."""

from __future__ import annotations

import hashlib

from engine.document import CharacterBoxes, Document, Media, Page, Sentence
from engine.protocol.learning import PairLabel, Place

THINGS = (
    ("deliver", "the quarterly inventory report"), ("insure", "the leased printing machines"),
    ("archive", "all signed delivery receipts"), ("inspect", "the northern storage building"),
    ("publish", "the agreed retail price list"), ("repair", "the damaged cooling equipment"),
)  # fmt: skip


def contract(number: int) -> tuple[Document, list[PairLabel]]:
    """A contract of eighteen sentences, with six conflicts and six pairs that are none."""
    sentences: list[str] = []
    pairs: list[tuple[int, int, bool]] = []
    for verb, what in THINGS:
        at = len(sentences)
        sentences += [
            f"The Supplier shall {verb} {what} in month {number + 1}.",
            f"The Supplier shall not {verb} {what} in month {number + 1}.",
            f"The Customer shall {verb} {what} of the plant in month {number + 1}.",
        ]
        pairs += [(at, at + 1, True), (at, at + 2, False)]
    text, spans = "", []
    for sentence in sentences:
        spans.append(Sentence(len(text), len(text) + len(sentence), ""))
        text += sentence + " "
    name = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
    page = Page(0, 595.0, 842.0, 0, len(text))
    document = Document(
        name, f"{number}.txt", Media.TEXT, "en", text, (page,), (), tuple(spans), (), (), CharacterBoxes.empty()
    )  # fmt: skip
    labels = [
        PairLabel(
            tuple(Place(name, spans[i].start, spans[i].end) for i in (a, b)), is_conflict,
            "norm.modality" if is_conflict else "not.different_party",
        )
        for a, b, is_conflict in pairs
    ]  # fmt: skip
    return document, labels


def contracts(count: int) -> tuple[list[Document], list[PairLabel]]:
    """Several of them."""
    made = [contract(number) for number in range(count)]
    return [document for document, _ in made], [label for _, labels in made for label in labels]
