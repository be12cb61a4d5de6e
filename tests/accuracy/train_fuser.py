"""Learn the event fuser's weights: a logistic regression over the features of marked ends.

    python tests/accuracy/train_fuser.py DATA [--write]

Two sources. Paragraphs put together from sentences of our own (fuser_texts.py), whose ends are known by construction;
and marks of 136 contracts of DATA (the development data's folder: cuad and legalbench_rag, none of them in the sets
that measure), each judged by hand (sentence_sets/train_marks.jsonl: sha256 of the file, offset, end or not). Nothing is
labelled by a splitter. With ``--write`` the weights go to resources/weights/event_fuser.json; without it they are
shown. The same inputs give the same weights.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import fuser_texts

from engine.reading.end_features import CLOSERS, features
from engine.reading.sentences import WEIGHTS_FILE, WEIGHTS_SCHEMA, EventFuser, FuserWeights, candidates
from resources import resource_path

MARKS = Path(__file__).parent / "sentence_sets" / "train_marks.jsonl"
#: Paragraphs of our own, by language, and the seed that makes them.
PARAGRAPHS = {"english": 6_000, "chinese": 2_000}
SEED = 20_261_130
#: A mark judged by hand counts as much as this many made ones.
HAND_WEIGHT = 8.0
#: The penalty on the weights' squares (of the summed log loss).
PENALTY = 0.05
#: A kind of mark (one set of features) that occurs n times counts as n to this power.
KIND_POWER = 0.7
#: How far back a hand-judged mark's sentence may begin, in characters.
_MAX_BACK = 1_500
_PLAIN_END = re.compile(r"(?:[a-z]{3}|[*_]{3})[\"”)\]]*[.!?][\"”)]?\s+(?=[A-Z(\"“\d])|\n\s*\n")

Example = tuple[frozenset[str], bool, float]


class Marked(msgspec.Struct):
    """A file of hand-judged marks: [offset of the mark, offset behind it and what closes, 1 for an end]."""

    file: str
    sha256: str
    marks: list[tuple[int, int, int]]


def say(text: str) -> None:
    """Write a line of the report."""
    sys.stdout.write(text + "\n")


def made_examples() -> Iterator[Example]:
    """The marks of the paragraphs put together from our own sentences."""
    random = Random(SEED)
    for language, count in PARAGRAPHS.items():
        make = getattr(fuser_texts, language)
        for _ in range(count):
            text, ends = make(random)
            known = set(ends)
            begin = 0
            for mark, after in candidates(text, 0, len(text)):
                if after >= len(text):
                    break
                is_end = after in known
                yield frozenset(features(text, begin, mark, after, len(text))), is_end, 1.0
                begin = after if is_end else begin


def hand_examples(folder: Path) -> Iterator[Example]:
    """The marks that were judged by hand."""
    decoder = msgspec.json.Decoder(Marked)
    for line in MARKS.read_bytes().splitlines():
        item = decoder.decode(line)
        path = folder / item.file
        if hashlib.sha256(path.read_bytes()).hexdigest() != item.sha256:
            raise ValueError(f"{item.file} is another file than the one that was marked")
        text = path.read_text(encoding="utf-8", errors="replace")
        for mark, behind, label in item.marks:
            after = behind
            while after < len(text) and text[after] in CLOSERS:
                after += 1
            back = max(0, mark - _MAX_BACK)
            begin = max((found.end() for found in _PLAIN_END.finditer(text, back, mark)), default=back)
            stop = text.find("\n\n", after)
            end = min(len(text), after + 400, stop if stop >= 0 else len(text))
            yield frozenset(features(text, begin, mark, after, end)), bool(label), HAND_WEIGHT


def examples(folder: Path) -> list[Example]:
    """All training examples, in a fixed order."""
    return [*made_examples(), *hand_examples(folder)]


def fit(data: list[Example], without: tuple[str, ...] = ()) -> FuserWeights:
    """Weights by Newton's method on the penalised log loss.

    Args:
        data: examples.
        without: beginnings of the names of features to leave out, for the ablation.
    """
    kept = [(frozenset(n for n in names if not without or not n.startswith(without)), y, w) for names, y, w in data]
    merged: dict[tuple[frozenset[str], bool], float] = {}
    for names, label, weight in kept:
        merged[names, label] = merged.get((names, label), 0.0) + weight
    # Thousands of equal plain ends must not drown the rare kinds: of a kind's weight only the root counts.
    share: dict[frozenset[str], float] = {}
    for (names, _), weight in merged.items():
        share[names] = share.get(names, 0.0) + weight
    rows = [(names, label, weight / share[names] ** (1 - KIND_POWER)) for (names, label), weight in merged.items()]
    rows.sort(key=lambda row: (sorted(row[0]), row[1]))
    columns = sorted({name for names, _, _ in rows for name in names})
    index = {name: place for place, name in enumerate(columns)}
    matrix = np.zeros((len(rows), len(columns) + 1))
    matrix[:, -1] = 1.0
    for place, (names, _, _) in enumerate(rows):
        matrix[place, [index[name] for name in names]] = 1.0
    labels = np.array([label for _, label, _ in rows], float)
    weights = np.array([weight for _, _, weight in rows])
    found = newton(matrix, labels, weights)
    learnt = {name: round(float(found[index[name]]), 4) for name in columns}
    return FuserWeights(WEIGHTS_SCHEMA, round(float(found[-1]), 4), learnt)


def newton(
    matrix: NDArray[np.float64], labels: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The minimum of the weighted log loss with the penalty on all but the bias (last column)."""
    found = np.zeros(matrix.shape[1])
    penalty = np.full(matrix.shape[1], PENALTY)
    penalty[-1] = 1e-6
    for _ in range(60):
        chance = 1.0 / (1.0 + np.exp(-matrix @ found))
        slope = matrix.T @ (weights * (chance - labels)) + penalty * found
        curve = (matrix * (weights * chance * (1 - chance))[:, None]).T @ matrix + np.diag(penalty)
        step = np.linalg.solve(curve, slope)
        found -= step
        if np.abs(step).max() < 1e-9:
            break
    return found


def main() -> int:
    """Train, say how the training examples are met, write the weights when asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", default=os.environ.get("ANTINOMY_DATA", ""))
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    if not arguments.data:
        say("Name the folder of the development data, or set ANTINOMY_DATA.")
        return 2
    data = examples(Path(arguments.data))
    weights = fit(data)
    fuser = EventFuser(weights)
    for kind, which in (("made", 1.0), ("judged by hand", HAND_WEIGHT)):
        part = [(fuser.takes(names), label) for names, label, weight in data if weight == which]
        wrong = sum(taken != label for taken, label in part)
        say(f"{kind}: {len(part)} marks, {sum(label for _, label in part)} ends, {wrong} decided otherwise")
    if arguments.write:
        path = resource_path("weights", WEIGHTS_FILE)
        path.write_bytes(msgspec.json.format(msgspec.json.encode(weights), indent=1) + b"\n")
        say(f"{path.name}: {len(weights.weights)} weights")
    else:
        for name, weight in sorted(weights.weights.items()):
            say(f"{weight:8.3f} {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
