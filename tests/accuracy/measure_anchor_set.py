"""Measure the anchors on our hand-labelled stretches of real contracts, beside LexNLP, quantulum3 and dateparser.

Usage: ``python tests/accuracy/measure_anchor_set.py DATA [--peers PYTHON] [--list KIND] [--write FILE]`` from the
repository's root, where DATA is the development data (also taken from ANTINOMY_DATA). ``anchor_set/labels.jsonl`` holds
spans, canonical values and digests, no text; ``anchor_set/README.md`` says what was labelled and how. ``--peers`` names
a Python that has the comparison libraries (see ``anchor_peers.py``); those it lacks are reported as missing.

An anchor counts as right when its span and its canonical value are those of the label (and for terms, whether the
place defines or uses it); beside that the table gives the same with any overlap of the spans.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.anchors.extract import extract_anchors
from engine.anchors.model import Anchor, AnchorKind
from engine.document import Document, pack, unpack
from engine.reading.open_file import open_file

HERE = Path(__file__).resolve().parent
KINDS = ("amount", "percent", "period", "date", "reference", "term", "party", "law")
GOAL = dict.fromkeys(KINDS, 0.95) | {"party": 0.90, "law": 0.90}
#: Words that point back to a noun, not to a clause; the guideline leaves them out, so they are not counted.
POINTING = ("thereof", "therein", "thereto", "thereunder")
PARTS = ("looked at", "kept apart")
#: How far a stretch is looked for when a newer reading has moved it, in code points.
DRIFT = 6000


class Mark(NamedTuple):
    """An anchor as compared: kind, span in the stretch, value (or digests of the values that are right), role."""

    kind: str
    start: int
    end: int
    value: str
    role: str = ""


@dataclass
class Stretch:
    """A labelled stretch: its text, and what is marked in it by the labels, by us and by each comparison library."""

    name: str
    language: str
    text: str
    labels: list[Mark]
    ours: list[Mark]
    peers: dict[str, list[Mark]]
    part: str = "looked at"


def say(text: str) -> None:
    """Write a line of the report."""
    sys.stdout.write(text + "\n")


def digest(text: str, length: int) -> str:
    """The first ``length`` hexadecimal digits of the text's SHA-256."""
    return hashlib.sha256(text.encode()).hexdigest()[:length]


def folded(value: str) -> str:
    """The value without what does not count: case, kind of apostrophe, width of white space."""
    return " ".join(value.replace("’", "'").split()).casefold()


def same_value(label: Mark, found: Mark) -> bool:
    """Whether the canonical values agree; those of terms and parties are kept as digests only."""
    if label.kind in ("term", "party"):
        return not label.value or digest(folded(found.value), 12) in label.value.split("|")
    return folded(label.value) == folded(found.value)


def same_role(label: Mark, found: Mark) -> bool:
    """Whether a term is defined where it is labelled as defined; other kinds have no role here."""
    return label.kind != "term" or not found.role or label.role == found.role


def place(text: str, start: int, end: int, wanted: str) -> int | None:
    """Where the labelled stretch begins in ``text``, or None when the reading has changed its words."""
    length = end - start
    tries = [0, *(sign * step for step in range(1, DRIFT) for sign in (1, -1))]
    for shift in tries:
        first = start + shift
        if first >= 0 and digest(text[first : first + length], 16) == wanted:
            return first
    return None


def ours(anchors: Iterable[Anchor], start: int, end: int) -> list[Mark]:
    """Our anchors of the eight kinds that lie in ``[start, end)``, relative to it."""
    marks = []
    for anchor in anchors:
        if anchor.kind.value not in KINDS or anchor.start < start or anchor.end > end:
            continue
        if anchor.kind is AnchorKind.LAW and anchor.role != "governing law":
            continue
        if anchor.kind is AnchorKind.REFERENCE and anchor.value.removeprefix("other:") in POINTING:
            continue
        role = anchor.role if anchor.kind is AnchorKind.TERM else ""
        marks.append(Mark(anchor.kind.value, anchor.start - start, anchor.end - start, anchor.value, role))
    return marks


def document_of(path: Path, kept: Path | None) -> Document:
    """The Document of a file, without boxes; kept in a file between runs when one is named."""
    if kept and kept.exists():
        return unpack(kept.read_bytes())
    opened = open_file(str(path))
    for _ in opened.read():
        pass
    document = opened.document.without_boxes()
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(pack(document))
    return document


def read(data: Path, cache: Path | None = None) -> list[Stretch]:
    """The labelled stretches with our anchors; says which could not be found."""
    rows = [json.loads(line) for line in (HERE / "anchor_set" / "labels.jsonl").read_text("utf-8").splitlines()]
    by_file: dict[str, list[dict[str, object]]] = defaultdict(list)
    for row in rows:
        by_file[row["file"]].append(row)
    out: list[Stretch] = []
    for name, stretches in by_file.items():
        path = data / name
        if not path.exists():
            say(f"not there: {name}")
            continue
        document = document_of(path, cache / f"{digest(name, 16)}.antd" if cache else None)
        if document.id != stretches[0]["document"]:
            say(f"another file under this name: {name}")
            continue
        anchors = extract_anchors(document)
        for row in stretches:
            _one(out, row, document.text, anchors)
    return out


def _one(out: list[Stretch], row: dict[str, object], text: str, anchors: list[Anchor]) -> None:
    start, end = int(str(row["start"])), int(str(row["end"]))
    first = place(text, start, end, str(row["digest"]))
    if first is None:
        say(f"moved: {row['file']} at {start}")
        return
    last = first + end - start
    labels: list[Mark] = []
    for a, b, kind, value, quote, *role in list(row["labels"]):  # type: ignore[call-overload]  # rows are JSON
        if digest(text[first + a : first + b], 8) != quote:
            raise ValueError(f"a label of {row['file']} at {start} does not quote its text")
        labels.append(Mark(kind, a, b, value, role[0] if role else ""))
    name = f"{Path(str(row['file'])).name}@{start}"
    # Half of the files, by a digit of their hash, are never looked at while the extractor is being mended.
    part = PARTS[int(str(row["document"])[-1], 16) % 2]
    out.append(Stretch(name, str(row["language"]), text[first:last], labels, ours(anchors, first, last), {}, part))


def ask_peers(python: str, stretches: list[Stretch]) -> list[str]:
    """Let the comparison libraries of another Python mark the stretches; what they know and what is missing."""
    asked = json.dumps([{"language": s.language, "text": s.text} for s in stretches])
    command = [python, str(HERE / "anchor_peers.py")]
    answer = subprocess.run(command, input=asked, capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in answer.stdout.splitlines() if line.startswith('{"')]
    notes = []
    for line in lines:
        notes.append(f"{line['peer']}: {line['note']}")
        for stretch, marks in zip(stretches, line["marks"], strict=True):
            stretch.peers[line["peer"]] = [Mark(*mark) for mark in marks]
    return notes


@dataclass
class Score:
    """Right, given and wanted, by exact span and by overlap."""

    right: int = 0
    near: int = 0
    given: int = 0
    wanted: int = 0

    def line(self) -> str:
        """Precision, recall and F1 with the exact span and value, and F1 with any overlap."""

        def f1(right: int) -> tuple[float, float, float]:
            precision = right / self.given if self.given else 0.0
            recall = right / self.wanted if self.wanted else 0.0
            both = precision + recall
            return precision, recall, 2 * precision * recall / both if both else 0.0

        precision, recall, exact = f1(self.right)
        return (
            f"{self.wanted} | {self.given} | {precision:.3f} | {recall:.3f} | **{exact:.3f}** | {f1(self.near)[2]:.3f}"
        )

    @property
    def f1(self) -> float:
        """F1 with the exact span and value."""
        total = self.given + self.wanted
        return 2 * self.right / total if total else 0.0


def matched(labels: list[Mark], found: list[Mark], fits: Callable[[Mark, Mark], bool]) -> list[tuple[Mark, Mark]]:
    """Pairs of label and find, each used once."""
    left = list(found)
    pairs = []
    for label in labels:
        hit = next((mark for mark in left if fits(label, mark)), None)
        if hit is not None:
            left.remove(hit)
            pairs.append((label, hit))
    return pairs


def _exact(label: Mark, found: Mark) -> bool:
    at = (label.start, label.end) == (found.start, found.end)
    return at and same_value(label, found) and same_role(label, found)


def _near(label: Mark, found: Mark) -> bool:
    over = label.start < found.end and found.start < label.end
    return over and same_value(label, found) and same_role(label, found)


def score(stretches: list[Stretch], kind: str, who: str, role: str = "") -> Score:
    """The score of ``who`` ("" for us) on one kind."""
    total = Score()
    for stretch in stretches:
        marks = stretch.ours if not who else stretch.peers.get(who, [])
        labels = [m for m in stretch.labels if m.kind == kind and (not role or m.role == role)]
        found = [m for m in marks if m.kind == kind and (not role or m.role == role)]
        total.wanted += len(labels)
        total.given += len(found)
        total.right += len(matched(labels, found, _exact))
        total.near += len(matched(labels, found, _near))
    return total


def table(stretches: list[Stretch], who: str, kinds: Iterable[str]) -> list[str]:
    """Lines of a Markdown table for one extractor."""
    lines = ["| kind | language | labelled | found | precision | recall | F1 | F1, overlap |", "|" + "---|" * 8]
    for kind in kinds:
        for language in ("", "en", "zh"):
            some = [s for s in stretches if not language or s.language == language]
            if any(m.kind == kind for s in some for m in s.labels):
                lines.append(f"| {kind} | {language or 'both'} | {score(some, kind, who).line()} |")
    return lines


def disagreements(stretches: list[Stretch], kind: str, part: str) -> None:
    """Print every label missed and every find without a label, with the words around, in one half of the files."""
    for stretch in (s for s in stretches if s.part == part):
        labels = [m for m in stretch.labels if m.kind == kind]
        found = [m for m in stretch.ours if m.kind == kind]
        pairs = matched(labels, found, _exact)
        for sign, marks in (
            ("missed", [m for m in labels if m not in [a for a, _ in pairs]]),
            ("extra ", [m for m in found if m not in [b for _, b in pairs]]),
        ):
            for mark in marks:
                quote = stretch.text[mark.start : mark.end]
                before = stretch.text[max(0, mark.start - 45) : mark.start].replace("\n", "/")
                after = stretch.text[mark.end : mark.end + 30].replace("\n", "/")
                say(f"{sign} {kind} {mark.value} {mark.role} in {stretch.name}: …{before}[[{quote}]]{after}…")


def report(stretches: list[Stretch], notes: list[str]) -> list[str]:
    """The tables: ours by kind, then each comparison library beside ours on the kinds it knows."""
    labels = sum(len(s.labels) for s in stretches)
    files = len({s.name.rpartition("@")[0] for s in stretches})
    chinese = sum(len(s.labels) for s in stretches if s.language == "zh")
    lines = [f"{labels} labelled anchors ({chinese} Chinese) in {len(stretches)} stretches of {files} files.", ""]
    lines += ["## Antinomy", "", *table(stretches, "", KINDS)]
    for role in ("definition", "use"):
        lines.append(f"| term, {role} | both | {score(stretches, 'term', '', role).line()} |")
    lines += ["", "| F1 | " + " | ".join(KINDS) + " |", "|" + "---|" * (len(KINDS) + 1)]
    for part in PARTS:
        some = [s for s in stretches if s.part == part]
        lines.append(f"| {part} | " + " | ".join(f"{score(some, kind, '').f1:.3f}" for kind in KINDS) + " |")
    short = [f"{kind} {score(stretches, kind, '').f1:.3f} < {GOAL[kind]:.2f}" for kind in KINDS
             if score(stretches, kind, "").f1 < GOAL[kind]]  # fmt: skip
    lines += ["", "Below what was asked: " + ("; ".join(short) if short else "nothing") + ".", ""]
    peers = sorted({peer for s in stretches for peer in s.peers})
    for peer in peers:
        known = [kind for kind in KINDS if any(m.kind == kind for s in stretches for m in s.peers.get(peer, []))]
        lines += [f"## {peer}", "", *table(stretches, peer, known), ""]
    return lines + [f"- {note}" for note in notes]


def main() -> int:
    """Print the tables; 2 when no data folder is given."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="?", default=os.environ.get("ANTINOMY_DATA", ""))
    parser.add_argument("--peers", default="", help="a Python with LexNLP, quantulum3 and dateparser")
    parser.add_argument("--list", default="", help="print the disagreements of one kind")
    parser.add_argument("--part", default=PARTS[0], choices=PARTS, help="the half of the files that --list shows")
    parser.add_argument("--cache", type=Path, help="folder that keeps read documents between runs")
    parser.add_argument("--write", type=Path, help="write the tables to this file as well")
    arguments = parser.parse_args()
    if not arguments.data:
        say("Name the folder of the development data, or set ANTINOMY_DATA.")
        return 2
    stretches = read(Path(arguments.data), arguments.cache)
    if arguments.list:
        disagreements(stretches, arguments.list, arguments.part)
        return 0
    notes = ask_peers(arguments.peers, stretches) if arguments.peers else ["no comparison libraries were given"]
    lines = report(stretches, notes)
    for line in lines:
        say(line)
    if arguments.write:
        arguments.write.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
