"""The words of a note beside a marked passage."""

from __future__ import annotations

from collections.abc import Iterator

from engine.protocol.handover import Mark, MarkedPassage

#: A note quotes so much of the other passage.
LONGEST_QUOTE = 300
AUTHOR = "Antinomy"


def note_text(mark: Mark, passage: MarkedPassage) -> str:
    """What the note at ``passage`` says: the finding, then each other passage by its label, place and words."""
    lines = [f"{passage.label} · {mark.heading}", mark.body]
    lines += [f"⇄ {o.label} · {o.place}: “{shortened(o.text)}”" for o in mark.passages if o is not passage]
    return "\n\n".join(line for line in lines if line)


def shortened(text: str, most: int = LONGEST_QUOTE) -> str:
    """The text on one line, cut at a word when it is long."""
    line = " ".join(text.split())
    if len(line) <= most:
        return line
    cut = line.rfind(" ", most // 2, most)
    return line[: cut if cut > 0 else most].rstrip() + " …"


def passages_of(marks: tuple[Mark, ...], document: str) -> Iterator[tuple[Mark, MarkedPassage]]:
    """The passages that stand in ``document``."""
    for mark in marks:
        for passage in mark.passages:
            if passage.document == document:
                yield mark, passage
