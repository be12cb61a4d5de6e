"""Measure sentence ends on the hand-checked set, side by side with other splitters, and the ablation.

    python tests/accuracy/measure_sentences.py DATA [--others SITE_PACKAGES] [--report FILE] [--errors SYSTEM]

DATA (or the environment variable ANTINOMY_DATA) is the development data's folder. The sets (sentence_sets/, with their
card) name stretches of its files by sha256 and hold ends as offsets. Where the canonical text has changed since, each
unit of a stretch is looked for again by its digest, what was found is measured, and the change is reported; a file or
stretch that is gone makes the exit code 1. ``--others`` is a
folder with pysbd and blingfire (``pip install --target SITE_PACKAGES pysbd blingfire``); without it they are left out,
and the report says so. All splitters get the same paragraphs of the same text, which gives them every line's end for
free; the line "whole Document" is what the program makes of the file, with clause numbers, headings and lists.
"""

from __future__ import annotations

import argparse
import bisect
import hashlib
import importlib
import json
import os
import platform
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import hand_set_fuser
import train_fuser

from engine.document import Document
from engine.reading.end_features import GROUPS
from engine.reading.open_file import open_file
from engine.reading.sentences import EventFuser, event_fuser

SETS = Path(__file__).parent / "sentence_sets"
OWN_SET = Path(__file__).parents[1] / "data" / "sentence_ends.txt"
#: The sets, and what is said above their tables.
NAMES = {
    "held": "Held set (its errors were looked at while the features were made)",
    "fresh": "Fresh set (other files, labelled after the features were made)",
    "hard": "Hard set (the stretches of nine other files that are densest in abbreviations, labelled last)",
}
#: How far from its old place a stretch is looked for, in characters.
NEAR = 4_000
_LIST_MARK = re.compile(r"(?:and\s|or\s)?\s*(?:[(（]\s?\w{1,4}\s?[)）]|\w{1,3}[.)．、]|[①-⑳])", re.IGNORECASE)
_BEFORE_ITEM = re.compile(r"[:：,，;；—–-]$|\b(?:and|or|and/or)$", re.IGNORECASE)
#: "5.1 Term: the …", "（二）押金：…": what introduces a paragraph, up to its colon.
_RUN_IN = re.compile(r"[^\n。.;；]{1,60}[:：]$|[^\n。;；]{0,12}\.[^\n。.;；]{1,50}[:：]$")


Splitter = Callable[[str], list[int]]
Spans = list[tuple[int, int]]
#: By name; a language gives the splitter. None: the whole Document.
Systems = dict[str, Callable[[str], Splitter] | None]


class Stretch(msgspec.Struct):
    """A stretch of a file's canonical text, with the offsets that were labelled.

    Attributes:
        start, end: where it stood in the text when it was labelled; ``digest`` is of exactly that text.
        ends: [offset in the stretch without white space, digest of the unit that ends there], in order.
        neutral: offsets without white space where an end counts neither way.
        text, labelled, skip, units, given: the stretch as read today; offsets in ``text`` of the ends that were found
            again, of the neutral places, the spans of the units found again, and the Document's own ends.
    """

    file: str
    sha256: str
    language: str
    start: int
    end: int
    digest: str
    ends: list[tuple[int, str]]
    neutral: list[int]
    text: str = ""
    labelled: set[int] = msgspec.field(default_factory=set)
    skip: set[int] = msgspec.field(default_factory=set)
    units: list[tuple[int, int]] = []
    given: list[int] = []


class Counts:
    """Right, false and missed ends."""

    def __init__(self) -> None:
        self.right = self.false = self.missed = 0

    def add(self, want: set[int], have: set[int]) -> None:
        """Count one stretch or paragraph."""
        self.right += len(want & have)
        self.false += len(have - want)
        self.missed += len(want - have)

    def f1(self) -> float:
        """Twice the right ends over all wanted and given."""
        return 2 * self.right / max(1, 2 * self.right + self.false + self.missed)

    def line(self) -> str:
        """Precision, recall, F1."""
        precision = self.right / max(1, self.right + self.false)
        recall = self.right / max(1, self.right + self.missed)
        return f"{precision:.4f} | {recall:.4f} | **{self.f1():.4f}**"


def say(text: str) -> None:
    """Write a line of the report."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def files_by_digest(folder: Path, wanted: list[Stretch]) -> dict[str, Path]:
    """The files of the set, by sha256: at their recorded place, else wherever they lie now."""
    found: dict[str, Path] = {}
    for stretch in wanted:
        path = folder / stretch.file
        if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == stretch.sha256:
            found[stretch.sha256] = path
    missing = {stretch.sha256 for stretch in wanted} - found.keys()
    if missing:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and (digest := hashlib.sha256(path.read_bytes()).hexdigest()) in missing:
                found[digest] = path
    return found


def read_document(path: Path) -> Document:
    """The Document of a file."""
    opened = open_file(str(path))
    try:
        for _ in opened.read():
            pass
        return opened.document.without_boxes()
    finally:
        opened.close()


def digest_of(text: str) -> str:
    """The digest of a stretch; its beginning is that of a unit."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def found_again(document: Document, stretch: Stretch) -> list[tuple[int, int, int]]:
    """The stretch's units in the text as read today: [unit, first offset, offset behind], white space not minded.

    A better reading joins lines and takes page numbers out; what is left of the labels still holds.
    """
    raw = [at for at, character in enumerate(document.text) if not character.isspace()]
    plain = "".join(document.text[at] for at in raw)
    at = bisect.bisect_left(raw, stretch.start)
    found: list[tuple[int, int, int]] = []
    before = 0
    for unit, (end, digest) in enumerate(stretch.ends):
        size = end - before
        before = end
        tries = [at + step for step in range(NEAR)]
        if not found:
            tries = sorted(range(max(0, at - NEAR), at + NEAR), key=lambda place: abs(place - at))
        for place in tries:
            if digest_of(plain[place : place + size]).startswith(digest) and place + size <= len(plain):
                found.append((unit, raw[place], raw[place + size - 1] + 1))
                at = place + size
                break
    return found


def put_in_place(document: Document, stretch: Stretch) -> str:
    """Fill in what the stretch is today; returns what has changed, or ""."""
    text = document.text[stretch.start : stretch.end]
    unchanged = digest_of(text) == stretch.digest
    found = found_again(document, stretch)
    if not found:
        return f"{stretch.file} [{stretch.start}, {stretch.end}): its text has changed; label it anew"
    first, last = found[0][1], found[-1][2]
    stretch.text = document.text[first:last]
    stretch.units = [(start - first, stop - first) for _, start, stop in found]
    stretch.labelled = {stop for _, stop in stretch.units}
    starts = [0, *(end for end, _ in stretch.ends)]
    for unit, start, stop in found:
        inside = [n - starts[unit] for n in stretch.neutral if starts[unit] < n < starts[unit + 1]]
        marks = [at for at in range(start, stop) if not document.text[at].isspace()]
        stretch.skip |= {marks[n - 1] + 1 - first for n in inside}
    stretch.given = document_ends(document, first, last)
    if unchanged:
        return ""
    return (
        f"{stretch.file} [{stretch.start}, {stretch.end}) is read otherwise: {len(found)} of {len(stretch.ends)} units"
    )


def document_ends(document: Document, start: int, end: int) -> list[int]:
    """Ends of the Document's sentences and headings in a span, counted from its start."""
    ends = {sentence.end for sentence in document.sentences}
    for clause in document.clauses:
        printed = document.text[clause.start : clause.body_start]
        # A definition's heading is its term, which stands inside its sentence.
        if clause.heading and clause.heading in printed:
            ends.add(clause.start + len(printed.rstrip()))
    return sorted(at - start for at in ends if start < at <= end)


def load(folder: Path, name: str) -> tuple[list[Stretch], list[str]]:
    """The stretches of a set with their texts, and what could not be used and why."""
    decoder = msgspec.json.Decoder(Stretch)
    lines = (SETS / f"{name}.jsonl").read_bytes().splitlines()
    stretches = [decoder.decode(line) for line in lines if line.strip()]
    paths = files_by_digest(folder, stretches)
    documents: dict[str, Document] = {}
    used, lost = [], []
    for stretch in stretches:
        if stretch.sha256 not in paths:
            lost.append(f"{stretch.file}: no file with this sha256")
            continue
        if stretch.sha256 not in documents:
            documents[stretch.sha256] = read_document(paths[stretch.sha256])
        document = documents[stretch.sha256]
        changed = put_in_place(document, stretch)
        if changed:
            lost.append(changed)
        if stretch.units:
            used.append(stretch)
    return used, lost


def own_stretches() -> list[Stretch]:
    """The set of our own writing, which the tests run: a paragraph a line, ¦ behind each sentence."""
    made = []
    for line in OWN_SET.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        text, units = "", []
        for part in line.split("¦"):
            begin, text = len(text), text + part
            units.append((begin, len(text.rstrip())))
        units = units[: line.count("¦")]
        language = "zh" if any(character >= "一" for character in text) else "en"
        stretch = Stretch(OWN_SET.name, "", language, 0, len(text), "", [], [], text)
        stretch.units, stretch.labelled = units, {stop for _, stop in units}
        made.append(stretch)
    return made


def paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a text that hold anything, with their offsets."""
    at = 0
    for line in text.split("\n"):
        if line.strip():
            yield at, line
        at += len(line) + 1


def is_neutral(text: str, at: int) -> bool:
    """Whether an end at ``at`` is a clause's: behind ";", before a list item, behind the colon of a run-in heading.

    Such ends are neither asked for nor counted against.
    """
    if text[at - 1] in ";；":
        return True
    if text[at - 1] in ":：" and _RUN_IN.match(text[text.rfind("\n", 0, at) + 1 : at]):
        return True
    rest = text[at : at + 16].lstrip()
    return bool(_LIST_MARK.match(rest)) and bool(_BEFORE_ITEM.search(text[max(0, at - 8) : at]))


def trimmed(text: str, ends: list[int], offset: int = 0) -> set[int]:
    """Ends moved back over white space."""
    moved = set()
    for end in ends:
        stop = len(text[:end].rstrip())
        if stop > 0:
            moved.add(offset + stop)
    return moved


def given_ends(stretch: Stretch, splitter: Splitter | None) -> set[int]:
    """What a splitter (None: the whole Document) gives for a stretch."""
    if splitter is None:
        given = trimmed(stretch.text, stretch.given)
    else:
        given = set()
        for offset, line in paragraphs(stretch.text):
            given |= trimmed(line, [*splitter(line), len(line)], offset)
    inside = {at for at in given if any(start < at <= stop for start, stop in stretch.units)}
    return {at for at in inside if at in stretch.labelled or not (at in stretch.skip or is_neutral(stretch.text, at))}


def from_spans(split: Callable[[str, int, int], Spans]) -> Splitter:
    """A splitter of ours as one that gives ends."""
    return lambda text: [end for _, end in split(text, 0, len(text))]


def always(split: Callable[[str, int, int], Spans]) -> Callable[[str], Splitter]:
    """A splitter of ours for every language."""
    return lambda language: from_spans(split)


def other_splitters(folder: str) -> tuple[Systems, list[str]]:
    """pysbd and blingfire, by language, where they can be imported; and what cannot."""
    if folder:
        sys.path.append(folder)
    made: Systems = {}
    absent = []
    try:
        pysbd = importlib.import_module("pysbd")
    except ImportError:
        absent.append("pysbd")
    else:
        segmenters = {code: pysbd.Segmenter(language=code, clean=False, char_span=True) for code in ("en", "zh")}
        made["pysbd"] = lambda language: lambda text: [span.end for span in segmenters[language].segment(text)]
    try:
        blingfire = importlib.import_module("blingfire")
    except ImportError:
        absent.append("blingfire")
    else:
        made["blingfire"] = lambda language: (
            lambda text: [end for _, end in blingfire.text_to_sentences_and_offsets(text)[1]]
        )
    return made, absent


def table(stretches: list[Stretch], systems: Systems) -> list[str]:
    """Rows of the comparison: all ends, by language, and the ends inside paragraphs alone."""
    rows = [
        "| splitter | precision | recall | F1 | F1 English | F1 Chinese | F1 inside paragraphs | false | missed |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, make in systems.items():
        whole, inside = Counts(), Counts()
        by_language = {"en": Counts(), "zh": Counts()}
        for stretch in stretches:
            have = given_ends(stretch, make(stretch.language) if make else None)
            want = stretch.labelled
            whole.add(want, have)
            by_language[stretch.language].add(want, have)
            line_ends = {offset + len(line.rstrip()) for offset, line in paragraphs(stretch.text)}
            inside.add(want - line_ends, have - line_ends)
        languages = " | ".join(f"{by_language[code].f1():.4f}" for code in ("en", "zh"))
        rows.append(f"| {name} | {whole.line()} | {languages} | {inside.f1():.4f} | {whole.false} | {whole.missed} |")
    return rows


def speeds(stretches: list[Stretch], systems: Systems) -> list[str]:
    """Rows: median characters a second over five passes through all paragraphs."""
    rows = ["| splitter | million characters a second |", "|---|---|"]
    size = sum(len(stretch.text) for stretch in stretches)
    for name, make in systems.items():
        if make is None:
            continue
        splitters = {code: make(code) for code in ("en", "zh")}
        times = []
        for _ in range(5):
            began = time.perf_counter()
            for stretch in stretches:
                for _, line in paragraphs(stretch.text):
                    splitters[stretch.language](line)
            times.append(time.perf_counter() - began)
        rows.append(f"| {name} | {size / statistics.median(times) / 1e6:.3f} |")
    return rows


def show_errors(stretches: list[Stretch], make: Callable[[str], Splitter] | None) -> None:
    """The wrong ends of a system, with what stands around them (on the terminal only)."""
    for stretch in stretches:
        want = stretch.labelled
        have = given_ends(stretch, make(stretch.language) if make else None)
        for at in sorted(want ^ have):
            kind = "false " if at in have else "missed"
            around = f"{stretch.text[max(0, at - 60) : at]}⟩{stretch.text[at : at + 40]}".replace("\n", "¶")
            say(f"{kind} {stretch.file[:40]}: {around}")


#: The inputs of the areas "segment" and "sentence": how many sentences, and after which words none may end.
DIFFICULT: dict[str, tuple[int, tuple[str, ...]]] = {
    "B001": (2, ("Inc.", "Corp.")),
    "B002": (2, ("U.S.", "U.K.")),
    "B003": (1, ("4.",)),
    "B004": (1, ("No.",)),
    "B006": (1, ("Com.", "Adm.")),
    "B009": (2, ("J.", "Fig.")),
    "B010": (2, ()),
    "B012": (3, ()),
    "B014": (1, ()),
}


def difficult(folder: Path) -> list[str]:
    """How many of the difficult inputs of the areas "segment" and "sentence" are right, and what is wrong."""
    wrong = []
    count = 0
    for line in (folder / "difficult_inputs.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if case["area"] not in ("segment", "sentence"):
            continue
        count += 1
        with tempfile.TemporaryDirectory() as scratch:
            path = Path(scratch) / "input.txt"
            path.write_text(case["input"], encoding="utf-8")
            document = read_document(path)
        problem = _problem(case["id"], document)
        if problem:
            wrong.append(f"{case['id']}: {problem}")
    return [f"{count - len(wrong)} of {count} right", *wrong]


def _problem(case: str, document: Document) -> str:
    quotes = [document.quote(sentence.start, sentence.end) for sentence in document.sentences]
    if case in DIFFICULT:
        count, inside = DIFFICULT[case]
        if len(quotes) != count:
            return f"{len(quotes)} sentences, not {count}"
        cut = [word for word in inside for quote in quotes if quote.endswith(word)]
        if cut:
            return f"cut after {cut}"
        if case == "B003":
            heads = [clause.heading for clause in document.clauses if clause.heading]
            return "" if heads == ["Payment"] else f"headings {heads}"
        return ""
    numbers = [clause.number for clause in document.clauses if clause.number]
    want = {"B076": ["4", "1.1", "4.2"], "B139": ["1", "2"]}.get(case)
    have = [re.sub(r"[\[\](){}（）［］]", "", number) for number in numbers]
    if want is None:
        return "an input this script does not know"
    return "" if [number.translate(_NARROW) for number in have] == want else f"numbers {numbers}"


_NARROW = str.maketrans("０１２３４５６７８９", "0123456789")


def ablation(folder: Path) -> Systems:
    """The fuser trained without one group of features each, and the weights it had before."""
    data = train_fuser.examples(folder)
    made: Systems = {"learnt, all features": always(event_fuser().split)}
    for group, prefixes in GROUPS.items():
        made[f"learnt, without {group}"] = always(EventFuser(train_fuser.fit(data, prefixes)).split)
    made["hand-set weights (before)"] = always(hand_set_fuser.split)
    return made


def set_lines(name: str, stretches: list[Stretch], systems: Systems, parts: Systems) -> list[str]:
    """The tables of one set."""
    counts = {code: sum(len(s.labelled) for s in stretches if s.language == code) for code in ("en", "zh")}
    files = len({stretch.sha256 for stretch in stretches})
    counted = f"{counts['en']} English and {counts['zh']} Chinese ends in {len(stretches)} stretches of {files} files."
    lines = [f"## {NAMES[name]}", "", counted, "", *table(stretches, systems)]
    return [*lines, "", "Ablation (the fuser alone, on paragraphs):", "", *table(stretches, parts), ""]


def arguments_given() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", default=os.environ.get("ANTINOMY_DATA", ""))
    parser.add_argument("--others", default="", help="a folder with pysbd and blingfire")
    parser.add_argument("--report", default="", help="a file that gets the tables")
    parser.add_argument("--errors", default="", help="show the wrong ends of this system")
    return parser.parse_args()


def main() -> int:
    """Print the report; 2 when no data folder is given, 1 when a stretch could not be used."""
    arguments = arguments_given()
    if not arguments.data:
        say("Name the folder of the development data, or set ANTINOMY_DATA.")
        return 2
    folder = Path(arguments.data)
    others, absent = other_splitters(arguments.others)
    systems: Systems = {
        "Antinomy, whole Document": None,
        "Antinomy, event fuser alone": always(event_fuser().split),
        **others,
    }
    parts = ablation(folder)
    lines: list[str] = []
    everything: list[Stretch] = []
    lost: list[str] = []
    for name in NAMES:
        stretches, missing = load(folder, name)
        everything += stretches
        lost += missing
        lines += set_lines(name, stretches, systems, parts)
    own = own_stretches()
    count = sum(len(stretch.labelled) for stretch in own)
    lines += [f"## Own set (tests/data/{OWN_SET.name}, {count} ends of hard kinds; the tests hold it right)", ""]
    lines += [*table(own, others | parts), ""]
    if absent:
        lines += [f"Not installed, so not compared: {', '.join(absent)}.", ""]
    lines += [f"## Speed (one process, {platform.machine()}, median of 5; the machine is noisy)", ""]
    lines += [*speeds(everything, systems), "", "## Difficult inputs, areas segment and sentence", ""]
    lines += ["; ".join(difficult(folder)) + "."]
    lines += ["", *(f"Changed: {reason}." for reason in lost)] if lost else []
    for line in lines:
        say(line)
    if arguments.errors:
        show_errors(everything, (systems | parts)[arguments.errors])
    if arguments.report:
        Path(arguments.report).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 1 if any("no file" in reason or "anew" in reason for reason in lost) else 0


if __name__ == "__main__":
    sys.exit(main())
