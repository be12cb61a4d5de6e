"""Documents made of clauses, and versions of them, for the comparison's tests."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from engine.document import CharacterBoxes, Clause, ClauseKind, Document, Media, Page
from engine.protocol.comparison import ClauseChange, Comparison, WordSign


@dataclasses.dataclass(frozen=True)
class Line:
    """A clause: its printed number, heading, words, depth, and words that follow the clauses inside it."""

    label: str
    words: str
    heading: str = ""
    level: int = 0


def version(lines: Sequence[Line], name: str = "old", language: str = "en") -> Document:
    """A document of one page."""
    text = ""
    clauses: list[Clause] = []
    open_at: list[int] = []
    spans: list[list[int]] = []
    for i, line in enumerate(lines):
        start = len(text)
        parts = [line.label, line.heading and line.heading + ".", line.words]
        text += " ".join(part for part in parts if part) + "\n"
        while len(open_at) > line.level:
            open_at.pop()
        parent = f"c{open_at[-1]}" if open_at else ""
        open_at.append(i)
        spans.append([start, len(text)])
        for above in open_at:
            spans[above][1] = len(text)
        clauses.append(
            Clause(f"c{i}", line.label, (), line.label, line.heading, len(open_at) - 1, ClauseKind.CLAUSE, start, 0,
                   start, parent, 0, language)
        )  # fmt: skip
    whole = tuple(
        Clause(c.id, c.number, c.path, c.label, c.heading, c.level, c.kind, s, e, c.body_start, c.parent, 0, c.language)
        for c, (s, e) in zip(clauses, spans, strict=True)
    )
    return Document(
        f"sha256:{name}", f"{name}.txt", Media.TEXT, language, text, (Page(0, 595, 842, 0, len(text)),), whole, (), (),
        (), CharacterBoxes.empty(),
    )  # fmt: skip


def applied(change: ClauseChange, old: Document, new: Document) -> str:
    """What the changed words make of the earlier version's clause."""
    assert change.old is not None
    out, at = [], change.old.start
    for run in change.words:
        assert run.old_start == at, "the runs cover the earlier clause from end to end"
        at = run.old_end
        if run.sign is WordSign.INSERTED:
            out.append(new.text[run.new_start : run.new_end])
        elif run.sign is WordSign.EQUAL:
            out.append(old.text[run.old_start : run.old_end])
    if not change.words:
        return old.text[change.old.start : change.old.end]
    assert at == change.old.end
    return "".join(out)


def row(comparison: Comparison, number: str) -> ClauseChange:
    """The clause with this number in the later version, else in the earlier one."""
    for change in comparison.clauses:
        if change.new is not None and change.new.number == number:
            return change
    return next(c for c in comparison.clauses if c.old is not None and c.old.number == number)
