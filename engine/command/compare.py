"""``antinomy compare``: two files in, what became of each clause out."""

from __future__ import annotations

import dataclasses
import getpass
import os
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

import msgspec

from engine import APP_VERSION
from engine.command.children import Children, CommandLine, JobFailed
from engine.command.columns import shorten, wrap
from engine.command.progress_bar import ProgressBar
from engine.command.review import CommandFailed, ReviewRequest, check_input, hand_out, read_all
from engine.document import Document
from engine.protocol.child import ChildStartError, child_command
from engine.protocol.comparison import (
    COMPARISON_SCHEMA,
    ChangeKind,
    ClauseChange,
    ClausePlace,
    ComparisonFile,
    FindingState,
    WordSign,
)
from engine.protocol.findings import Finding
from engine.protocol.messages import Compared, ReviewOptions

#: What stands before a clause that differs.
SIGNS = {
    ChangeKind.CHANGED: "~",
    ChangeKind.MOVED: "↔",
    ChangeKind.RENUMBERED: "#",
    ChangeKind.INSERTED: "+",
    ChangeKind.DELETED: "−",
    ChangeKind.SAME: "=",
}
_MOST_WORDS_SHOWN = 240
_CONTEXT = 30


@dataclasses.dataclass(frozen=True, slots=True)
class CompareRequest:
    """What the person asked for; ``json`` is a path, ``-`` for stdout, or empty. ``review`` finds what is new too."""

    old: Path
    new: Path
    json: str
    password: str
    review: bool = False


@dataclasses.dataclass(frozen=True, slots=True)
class _Versions:
    old: Document
    new: Document
    old_findings: tuple[Finding, ...] = ()
    new_findings: tuple[Finding, ...] = ()

    @property
    def summaries(self) -> dict[str, str]:
        """Sentences by the findings' ids; the later version's where both have one."""
        return {f.id: f.summary for f in (*self.old_findings, *self.new_findings)}


def compare_files(
    request: CompareRequest,
    out: TextIO,
    err: TextIO,
    *,
    command: CommandLine = child_command,
    ask_password: Callable[[str], str] = getpass.getpass,
) -> None:
    """Compare and print; write the JSON file when one is asked for.

    Raises:
        CommandFailed: in one line, why not.
    """
    as_review = ReviewRequest((request.old, request.new), request.json, request.password, ReviewOptions(), 0)
    check_input(as_review)
    bar = ProgressBar(err, "starting")
    try:
        with Children(command) as children:
            documents = read_all(children, as_review, err, ask_password)
            versions = _Versions(documents[0], documents[-1])
            bar = ProgressBar(err, "comparing")
            if request.review:
                versions = _reviewed(children, versions, bar)
            started_s = time.monotonic()
            done = children.compare(versions.old, versions.new, versions.old_findings, versions.new_findings)
    except ChildStartError as error:
        raise CommandFailed(str(error), 1) from error
    except JobFailed as error:
        raise CommandFailed(error.fault.sentence, 1) from error
    finally:
        bar.clear()
    if request.json:
        seconds = {**done.seconds, "asked and answered": round(time.monotonic() - started_s, 3)}
        content = ComparisonFile(
            COMPARISON_SCHEMA, APP_VERSION, versions.old.name, versions.new.name, done.comparison, seconds
        )
        hand_out(request.json, msgspec.json.format(msgspec.json.encode(content), indent=1) + b"\n", out)
        if request.json == "-":
            return
    columns = min(shutil.get_terminal_size().columns, 120)
    for line in comparison_lines(done, versions, columns, colour=out.isatty() and not os.environ.get("NO_COLOR")):
        out.write(line + "\n")


def _reviewed(children: Children, versions: _Versions, bar: ProgressBar) -> _Versions:
    """Each version's findings, found apart: of one contract, two versions are not two documents of a deal."""
    found = []
    for document in (versions.old, versions.new):
        bar.update("loading the encoder", 0, 0)
        found.append(children.review([document], ReviewOptions(), bar.update).findings)
    return dataclasses.replace(versions, old_findings=found[0], new_findings=found[1])


def comparison_lines(done: Compared, versions: _Versions, columns: int, *, colour: bool) -> Iterator[str]:
    """The comparison for a terminal: what differs, clause by clause, then the findings."""
    clauses = done.comparison.clauses
    counts = Counter(change.kind for change in clauses)
    named = ("changed", "inserted", "deleted", "moved", "renumbered", "same")
    parts = [f"{counts[ChangeKind(kind)]} {kind}" for kind in named if counts[ChangeKind(kind)]]
    yield f"{versions.old.name} → {versions.new.name}: " + (", ".join(parts) or "nothing to compare")
    before = None
    for change in clauses:
        if change.kind is not ChangeKind.SAME:
            if (before, change.kind) != (ChangeKind.RENUMBERED, ChangeKind.RENUMBERED):
                yield ""
            before = change.kind
            yield from _clause_lines(change, versions, columns, colour)
    yield from _finding_lines(done, versions, columns)


def _clause_lines(change: ClauseChange, versions: _Versions, columns: int, colour: bool) -> Iterator[str]:
    place = change.new or change.old
    assert place is not None
    what = change.kind.value
    if change.kind is ChangeKind.CHANGED and change.moved:
        what += ", moved"
    title = " ".join(part for part in (_numbers(change), place.heading) if part) or f"page {place.page + 1}"
    yield shorten(f"{SIGNS[change.kind]} {title}  ({what})", columns)
    if change.kind is ChangeKind.CHANGED:
        for line in wrap(redline(change, versions.old, versions.new), columns - 4):
            yield "    " + (_coloured(line) if colour else line)
        for value in change.values:
            before = versions.old.text[value.old_start : value.old_end] or "–"
            after = versions.new.text[value.new_start : value.new_end] or "–"
            yield "    " + shorten(f"! {value.kind}: {before} → {after}", columns - 4)
    elif change.kind in (ChangeKind.INSERTED, ChangeKind.DELETED):
        document = versions.new if change.kind is ChangeKind.INSERTED else versions.old
        text = document.text[place.start : place.end][:_MOST_WORDS_SHOWN]
        yield from ("    " + line for line in wrap(text.strip(), columns - 4))


def _numbers(change: ClauseChange) -> str:
    numbers = [place.number if place is not None else "" for place in (change.old, change.new)]
    if change.old is None or change.new is None or numbers[0] == numbers[1]:
        return numbers[0] or numbers[1]
    return f"{numbers[0] or '–'} → {numbers[1] or '–'}"


def redline(change: ClauseChange, old: Document, new: Document) -> str:
    """A changed clause on one line: ``[-deleted-]``, ``{+inserted+}``, long equal runs cut short."""
    parts = []
    for run in change.words:
        if run.sign is WordSign.DELETED:
            parts.append(f"[-{old.text[run.old_start : run.old_end]}-]")
        elif run.sign is WordSign.INSERTED:
            parts.append(f"{{+{new.text[run.new_start : run.new_end]}+}}")
        else:
            text = new.text[run.new_start : run.new_end]
            if len(text) > 2 * _CONTEXT + 10:
                text = f"{text[:_CONTEXT] if parts else ''} … {text[-_CONTEXT:] if run is not change.words[-1] else ''}"
            parts.append(text)
    return "".join(parts).strip()


def _coloured(line: str) -> str:
    for begin, end, colour in (("[-", "-]", 31), ("{+", "+}", 34)):
        line = line.replace(begin, f"\x1b[{colour}m{begin}").replace(end, f"{end}\x1b[0m")
    return line


def _finding_lines(done: Compared, versions: _Versions, columns: int) -> Iterator[str]:
    words = {FindingState.INTRODUCED: "introduced", FindingState.RESOLVED: "resolved", FindingState.KEPT: "still there"}
    for state, name in words.items():
        found = [each for each in done.comparison.findings if each.state is state]
        if found:
            yield ""
            yield f"{len(found)} finding{'s' if len(found) > 1 else ''} {name}"
            for each in found:
                where = _where(done.comparison.clauses, each.clauses)
                yield from ("  " + line for line in wrap(f"{where}: {versions.summaries[each.finding]}", columns - 2))


def _where(clauses: Sequence[ClauseChange], numbers: Sequence[int]) -> str:
    places: list[ClausePlace] = [place for i in numbers if (place := clauses[i].new or clauses[i].old) is not None]
    return ", ".join(place.number or f"page {place.page + 1}" for place in places)
