"""Measures clause trees against trees that a person wrote down from the rendered pages.

    python tests/accuracy/measure_trees.py FOLDER [--write RESULTS.md] [--verbose]

FOLDER (or $ANTINOMY_DATA) holds the contracts; they are found by their sha256. The trees lie in
tests/accuracy/trees/trees.json: per node its kind, its number as printed, a digest of its heading and its
parent, no words of the contract. Nodes of both trees are aligned in reading order; then counted are

* number: the printed number of an aligned node is the same,
* heading: so is its heading ("none" counts too),
* parent: it hangs below the node that its parent is aligned with,
* kind: as :class:`engine.document.ClauseKind` says,
* missing and extra nodes.

Marked optional in the trees are short lists inside a sentence and headings inside tables; found or not, they
are not counted. Rows of tables, bullets, footnotes and paragraphs without a number are not compared.
Exit status 1 when numbers and headings together are under 98 %.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import os
import re
import sys
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from engine.document import Clause, ClauseKind, Document
from engine.reading.open_file import open_file

TREES = Path(__file__).with_name("trees") / "trees.json"
ASKED = 0.98
_NOT_COMPARED = (ClauseKind.PARAGRAPH, ClauseKind.TABLE_ROW, ClauseKind.FOOTNOTE)
#: Kinds that may go on in several nodes.
_SPREAD = (ClauseKind.PREAMBLE, ClauseKind.SIGNATURE, ClauseKind.TITLE, ClauseKind.CONTENTS)
_HEADED = (ClauseKind.ARTICLE, ClauseKind.CLAUSE, ClauseKind.ITEM, ClauseKind.DEFINITION, ClauseKind.SCHEDULE)
_BULLET = re.compile(r"[^\w①-⑳⑴-⒇㈠-㈩]+")


def digest(words: str) -> str:
    """Of a heading's letters and digits, whatever their case, width and spacing; "" for none."""
    folded = "".join(c for c in unicodedata.normalize("NFKC", words).casefold() if c.isalnum())
    return hashlib.sha256(folded.encode()).hexdigest()[:12] if folded else ""


def plain_number(label: str) -> str:
    """A printed number without what ends it: ``1．`` and ``1.`` are the same."""
    return "".join(unicodedata.normalize("NFKC", label).casefold().split()).rstrip(".、:,") if label else ""


@dataclasses.dataclass(frozen=True, slots=True)
class Wanted:
    """A node of a written tree; ``heading`` None: not judged; ``parent`` -1: the top, -2: not judged."""

    kinds: tuple[str, ...]
    number: str
    heading: str | None
    parent: int
    optional: bool


@dataclasses.dataclass(slots=True)
class Score:
    """Counts of one file or of all."""

    nodes: int = 0
    numbers: int = 0
    numbers_right: int = 0
    headings: int = 0
    headings_right: int = 0
    parents_right: int = 0
    kinds_right: int = 0
    missing: int = 0
    extra: int = 0
    wrong: list[str] = dataclasses.field(default_factory=list)

    def add(self, other: Score) -> None:
        """Sum up."""
        for field in dataclasses.fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))

    @property
    def share(self) -> float:
        """Of numbers and headings that are right."""
        return (self.numbers_right + self.headings_right) / max(1, self.numbers + self.headings)


def compared(document: Document) -> list[Clause]:
    """The clauses that a written tree speaks of, in reading order."""
    kept = []
    for clause in document.clauses:
        in_table = any(above.kind is ClauseKind.TABLE_ROW for above in document.ancestors(clause))
        bullet = clause.kind is ClauseKind.ITEM and _BULLET.fullmatch(clause.label) is not None
        if clause.kind not in _NOT_COMPARED and not in_table and not bullet:
            kept.append(clause)
    return kept


def _likeness(wanted: Wanted, clause: Clause) -> int:
    number = wanted.number and plain_number(clause.label) == wanted.number
    heading = wanted.heading and digest(clause.heading) == wanted.heading
    kind = clause.kind in wanted.kinds
    if not number and not heading:
        spread = clause.kind in _SPREAD or clause.kind in (ClauseKind.RECITAL, ClauseKind.SCHEDULE)
        if not (kind and not wanted.number and not clause.label and (spread or wanted.heading is None)):
            return 0
    blank = wanted.heading == "" and not clause.heading
    # Optional nodes must not pull the others' alignment along.
    return 1 if wanted.optional else 4 * bool(number) + 4 * bool(heading) + 2 * kind + blank


def align(tree: Sequence[Wanted], clauses: Sequence[Clause]) -> list[int]:
    """For each wanted node the index of its clause, or -1: the best alignment in reading order."""
    rows, columns = len(tree), len(clauses)
    best = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            like = _likeness(tree[i], clauses[j])
            both = best[i + 1][j + 1] + like if like else -1
            best[i][j] = max(both, best[i + 1][j], best[i][j + 1])
    found = [-1] * rows
    i = j = 0
    while i < rows and j < columns:
        like = _likeness(tree[i], clauses[j])
        if like and best[i][j] == best[i + 1][j + 1] + like:
            found[i] = j
            i, j = i + 1, j + 1
        elif best[i][j] == best[i][j + 1]:
            j += 1
        else:
            i += 1
    return found


def _above(document: Document, clause: Clause) -> Clause | None:
    for parent in document.ancestors(clause):
        if parent.kind not in _NOT_COMPARED:
            return parent
    return None


def judge(document: Document, tree: Sequence[Wanted], part: str) -> Score:
    """Compare a Document with a written tree, or with one of its stretches (``part``: whole, start, end)."""
    clauses = compared(document)
    found = align(tree, clauses)
    matched = [index for index in found if index >= 0]
    first = 0 if part in ("whole", "start") or not matched else matched[0]
    last = len(clauses) if part in ("whole", "end") or not matched else matched[-1] + 1
    score = Score()
    clause_of = {index: clauses[at] for index, at in enumerate(found) if at >= 0}
    for index, wanted in enumerate(tree):
        if not wanted.optional:
            _count(score, document, tree, index, clause_of)
    taken = set(matched)
    for at in range(first, last):
        clause = clauses[at]
        goes_on = clause.kind in _SPREAD and at and clauses[at - 1].kind is clause.kind
        if at not in taken and not goes_on:
            score.extra += 1
            score.wrong.append(f"extra {clause.kind} {clause.label!r} {clause.heading[:40]!r}")
    return score


def _count(
    score: Score, document: Document, tree: Sequence[Wanted], index: int, clause_of: dict[int, Clause]
) -> None:
    wanted = tree[index]
    clause = clause_of.get(index)
    headed = wanted.heading is not None and any(kind in wanted.kinds for kind in _HEADED)
    score.nodes += 1
    score.numbers += bool(wanted.number)
    score.headings += headed
    if clause is None:
        score.missing += 1
        score.wrong.append(f"missing {wanted.kinds[0]} {wanted.number!r} ({_place(tree, index)})")
        return
    number = plain_number(clause.label) == wanted.number
    heading = digest(clause.heading) == wanted.heading
    score.numbers_right += bool(wanted.number) and number
    score.headings_right += headed and heading
    parent = _parent_right(document, tree, index, clause_of)
    kind = clause.kind in wanted.kinds
    score.parents_right += parent
    score.kinds_right += kind
    if not number or (headed and not heading) or not parent or not kind:
        faults = [
            name
            for name, right in (
                ("number", number),
                ("heading", heading or not headed),
                ("parent", parent),
                ("kind", kind),
            )
            if not right
        ]
        ours = f"{clause.kind} {clause.number!r} {clause.heading[:50]!r}"
        score.wrong.append(f"{'+'.join(faults)}: {wanted.kinds[0]} {wanted.number!r} ({_place(tree, index)}); {ours}")


def _parent_right(document: Document, tree: Sequence[Wanted], index: int, clause_of: dict[int, Clause]) -> bool:
    wanted = tree[index].parent
    if wanted == -2:
        return True
    while wanted >= 0 and wanted not in clause_of and tree[wanted].optional:
        wanted = tree[wanted].parent
    above = _above(document, clause_of[index])
    optional = {clause.id for place, clause in clause_of.items() if tree[place].optional}
    while above is not None and above.id in optional and (wanted < 0 or clause_of.get(wanted) is not above):
        above = _above(document, above)
    return above is None if wanted < 0 else clause_of.get(wanted) is above


def _place(tree: Sequence[Wanted], index: int) -> str:
    numbers = []
    while index >= 0:
        numbers.append(tree[index].number or tree[index].kinds[0])
        index = tree[index].parent
    return " < ".join(numbers[1:])


def trees(entry: dict[str, Any]) -> list[tuple[str, list[Wanted]]]:
    """The stretches of one file's entry."""
    return [
        (
            stretch["part"],
            [
                Wanted(tuple(node["kind"].split("|")), node["n"], node.get("h", ""), node["p"], node.get("o", False))
                for node in stretch["nodes"]
            ],
        )
        for stretch in entry["stretches"]
    ]


def read(path: Path) -> Document:
    """The Document of a file."""
    opened = open_file(str(path))
    try:
        for _ in opened.read():
            pass
        return opened.document
    finally:
        opened.close()


def _row(name: str, score: Score) -> str:
    counts = f"{score.numbers_right} / {score.numbers} | {score.headings_right} / {score.headings}"
    others = f"{score.parents_right} / {score.nodes} | {score.kinds_right} / {score.nodes}"
    return f"| {name} | {counts} | {others} | {score.missing} | {score.extra} | {100 * score.share:.1f} % |"


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default=os.environ.get("ANTINOMY_DATA"))
    parser.add_argument("--write", type=Path, help="write the table there too")
    parser.add_argument("--verbose", action="store_true", help="name each node that is not right")
    arguments = parser.parse_args()
    if not arguments.folder:
        print("Name the folder with the contracts (or set ANTINOMY_DATA).")  # noqa: T201 - a script's output
        return 2
    entries = json.loads(TREES.read_text("utf-8"))["files"]
    files = [path for path in Path(arguments.folder).rglob("*") if path.is_file()]
    by_digest = {hashlib.sha256(path.read_bytes()).hexdigest(): path for path in files}
    rows, total, absent = [], Score(), 0
    for entry in entries:
        path = by_digest.get(entry["sha256"])
        if path is None:
            absent += 1
            print(f"not in the folder: {entry['name']}")  # noqa: T201 - a script's output
            continue
        document = read(path)
        score = Score()
        for part, tree in trees(entry):
            score.add(judge(document, tree, part))
        total.add(score)
        rows.append(_row(entry["name"], score))
        if arguments.verbose:
            print(f"== {entry['name']}", *score.wrong, sep="\n   ")  # noqa: T201 - a script's output
    head = "| file | number | heading | parent | kind | missing | extra | numbers and headings |\n|" + "---|" * 8
    table = "\n".join([head, *rows, _row(f"**all {len(rows)} files**", total)])
    print(table)  # noqa: T201 - a script's output
    if arguments.write:
        arguments.write.write_text(table + "\n", encoding="utf-8")
    return 0 if total.share >= ASKED and not absent and rows else 1


if __name__ == "__main__":
    raise SystemExit(main())
