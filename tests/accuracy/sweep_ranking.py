"""Weights of the ranking on labelled questions: each signal left out, the filters, and a sweep over all weights.

    .venv/bin/python tests/accuracy/sweep_ranking.py [DATA_FOLDER] [--cache FOLDER]

The signals of every candidate are computed once; a setting only adds them up otherwise. Chinese: recall@3 of
tests/data/zh_questions.jsonl over each contract and over all twelve. With DATA_FOLDER also legalbench_rag (character
precision@1 and recall@4) and acord (NDCG@5). The sweep's objective is the mean of all columns but acord's valid one;
weights are relative to vector = 0.7.
"""

from __future__ import annotations

import argparse
import itertools
import json
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from measure_questions import CONTRACTS, DATA
from measure_retrieval import ACORD_CANDIDATES, acord, indexed, legalbench, merged, ndcg, read, say

from engine.protocol.answers import Signals
from engine.retrieval.matter_index import MatterIndex
from engine.retrieval.ranking import Found, RankingSettings, rank, score_of
from engine.retrieval.rule_filter import mismatches
from engine.states.encoder import Encoder, load_encoder

GRID = {
    "state": (0.0, 0.15, 0.3, 0.5), "lexical": (0.0, 0.1, 0.25, 0.4, 0.6), "anchors": (0.0, 0.05, 0.1, 0.2),
    "naming": (0.0, 0.5, 1.0),
}  # fmt: skip
LEFT_OUT = {
    "defaults": {}, "without vector": {"vector": 0.0}, "without state consistency": {"state": 0.0},
    "without words": {"lexical": 0.0}, "without anchors": {"anchors": 0.0}, "without naming": {"naming": 0.0},
    "vector alone": {"state": 0.0, "lexical": 0.0, "anchors": 0.0, "naming": 0.0},
    "state consistency alone": {"vector": 0.0, "lexical": 0.0, "anchors": 0.0, "naming": 0.0},
    "0.7 vector + 0.3 state alone": {"lexical": 0.0, "anchors": 0.0, "naming": 0.0},
    "words alone": {"vector": 0.0, "state": 0.0, "anchors": 0.0, "naming": 0.0},
}  # fmt: skip

#: What changes which candidates there are, and not only their order.
WORDED = {
    "without synonyms": {"synonyms": 0.0}, "without the wording of clause types": {"wording": 0.0},
    "without either": {"synonyms": 0.0, "wording": 0.0},
}  # fmt: skip


class Candidate(NamedTuple):
    """What is known of a passage for a question: signals, whether the rules would drop it, what it is worth."""

    signals: Signals
    dropped: bool
    worth: object


#: A question's figure from the worth of its passages, best first.
Score = Callable[[Sequence[object]], float]


class Set(NamedTuple):
    """Questions of one kind: a column's name, its figure, each question's candidates."""

    name: str
    scores: list[Score]
    candidates: list[list[Candidate]]

    def figure(self, order: Callable[[list[Candidate]], list[Candidate]]) -> float:
        """The mean over the questions, their candidates put in an order."""
        return float(
            np.mean([s([c.worth for c in order(each)]) for s, each in zip(self.scores, self.candidates, strict=True)])
        )


def candidates(
    index: MatterIndex,
    encoder: Encoder,
    question: str,
    search_k: int,
    worth: Callable[[Found], object],
    changes: dict[str, float],
) -> list[Candidate]:
    """All that the search brings for a question; ``changes`` to the settings may bring others."""
    wide = RankingSettings(search_k=search_k, top_k=2 * search_k, **changes)
    out = []
    for found in rank(index, encoder, question, wide):
        anchors = index.documents[found.place.document].kept.anchors[found.place.chunk]
        out.append(Candidate(found.signals, mismatches(question, anchors), worth(found)))
    return out


def ordered(weights: RankingSettings, calibrated: bool = True) -> Callable[[list[Candidate]], list[Candidate]]:
    """The order that some weights give; with the filters that they switch on."""

    def order(found: list[Candidate]) -> list[Candidate]:
        def score(c: Candidate) -> float:
            signals = c.signals if calibrated else msgspec.structs.replace(c.signals, calibration=1.0)
            return score_of(signals, weights)

        out = sorted(found, key=lambda c: -score(c))
        if weights.filtered and any(c.signals.anchors > 0 for c in out):
            out = [c for c in out if c.signals.anchors > 0]
        if weights.by_rules:
            out = [c for c in out if not c.dropped] or out
        return out

    return order


def chinese(cache: Path, search_k: int, changes: dict[str, float]) -> list[Set]:
    """Our Chinese questions, over each contract and over all of them."""
    cases = [json.loads(line) for line in (DATA / "zh_questions.jsonl").read_text(encoding="utf-8").splitlines()]
    encoder = load_encoder("zh")
    makers = [(path.name, lambda path=path: read(path)) for path in sorted(CONTRACTS.glob("*.txt"))]
    indexes = indexed(makers, encoder, cache / "zh")
    one = {index.kept.document: MatterIndex([index]) for index in indexes}
    every = MatterIndex(indexes)
    out = []
    for name, chosen in (("zh R@3, one contract", one), ("zh R@3, twelve", None)):
        scores: list[Score] = []
        found = []
        for case in cases:
            index = chosen[case["contract"]] if chosen else every

            def worth(f: Found, index: MatterIndex = index, case: dict = case) -> object:
                kept = index.documents[f.place.document].kept
                words = kept.words[f.place.chunk] if kept.document == case["contract"] else ""
                return tuple(answer in words for answer in case["answers"])

            found.append(candidates(index, encoder, case["question"], search_k, worth, changes))
            scores.append(lambda worths: float(np.any(list(worths[:3]), axis=0).mean()))
        out.append(Set(name, scores, found))
    return out


def english(folder: Path, cache: Path, search_k: int, changes: dict[str, float]) -> list[Set]:
    """legalbench_rag."""
    encoder = load_encoder("en")
    tests, index = legalbench(folder / "legalbench_rag", encoder, cache / "legalbench")

    def worth(f: Found) -> object:
        kept = index.documents[f.place.document].kept
        chunk = kept.chunks[f.place.chunk]
        return kept.document.replace("~", "/"), chunk.start, chunk.end

    found = [candidates(index, encoder, test["query"], search_k, worth, changes) for test in tests]
    golds = [merged([(s["file_path"], *s["span"]) for s in test["snippets"]]) for test in tests]
    return [
        Set("legalbench P@1", [lambda w, g=g: _shares(g, w[:1])[0] for g in golds], found),
        Set("legalbench R@4", [lambda w, g=g: _shares(g, w[:4])[1] for g in golds], found),
    ]


def _shares(gold: list[tuple[str, int, int]], found: Sequence) -> tuple[float, float]:
    first = merged(list(found))
    common = sum(max(0, min(a[2], b[2]) - max(a[1], b[1])) for a in gold for b in first if a[0] == b[0])
    retrieved = sum(end - start for _, start, end in first)
    return (common / retrieved if retrieved else 0.0), common / sum(end - start for _, start, end in gold)


def clauses(folder: Path, cache: Path, changes: dict[str, float]) -> list[Set]:
    """acord: its train queries, on which weights may be tuned, and its valid ones, on which they may not."""
    encoder = load_encoder("en")
    judgements = acord(folder / "acord", encoder, cache)
    out = []
    for name, judged in judgements.judged.items():
        scores: list[Score] = []
        found = []
        for query, grades in judged.items():
            index = judgements.index_of[query]
            chunks = index.documents[0].kept.chunks
            found.append(
                candidates(
                    index, encoder, query, ACORD_CANDIDATES, lambda f, c=chunks: c[f.place.chunk].clause, changes
                )
            )
            scores.append(lambda worths, g=grades: _gain(worths, g))
        out.append(Set(f"acord {name} NDCG@5", scores, found))
    return out


def _gain(found: Sequence, grades: dict[str, int]) -> float:
    return ndcg([grades[each] for each in dict.fromkeys(found) if each in grades], list(grades.values()))


def collected(data: Path | None, cache: Path, search_k: int, changes: dict[str, float]) -> list[Set]:
    """All sets that there are."""
    sets = chinese(cache, search_k, changes)
    if data is not None:
        sets += english(data, cache, search_k, changes) + clauses(data, cache, changes)
    return sets


def row(name: str, sets: Sequence[Set], order: Callable[[list[Candidate]], list[Candidate]]) -> None:
    """One line of a table."""
    say("| " + " | ".join([name, *(f"{each.figure(order):.3f}" for each in sets)]) + " |")


def main() -> None:
    """Measure and print two tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="?")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "antinomy-retrieval")
    parser.add_argument("--search-k", type=int, default=40)
    parser.add_argument("--show", type=int, default=8, help="settings of the sweep that are printed")
    arguments = parser.parse_args()
    if arguments.data is None:
        say("no data folder given: legalbench_rag and acord are left out")
    sets = collected(arguments.data, arguments.cache, arguments.search_k, {})
    names = " | ".join(each.name for each in sets)
    say(f"| ranking | {names} |\n|" + "---|" * (len(sets) + 1))
    for name, changes in LEFT_OUT.items():
        row(name, sets, ordered(RankingSettings(**changes)))
    row("without domain calibration", sets, ordered(RankingSettings(), calibrated=False))
    row("with the filter by kind of value", sets, ordered(RankingSettings(filtered=True)))
    row("with the rule filter", sets, ordered(RankingSettings(by_rules=True)))
    say(f"\n| state, lexical, anchors, naming | {names} |\n|{'---|' * (len(sets) + 1)}")
    # What may not be tuned on has no voice in the choice.
    voices = [each for each in sets if "valid" not in each.name]
    tried = []
    for values in itertools.product(*GRID.values()):
        order = ordered(RankingSettings(**dict(zip(GRID, values, strict=True))))
        tried.append((float(np.mean([each.figure(order) for each in voices])), values))
    for _, values in sorted(tried, reverse=True)[: arguments.show]:
        row(", ".join(map(str, values)), sets, ordered(RankingSettings(**dict(zip(GRID, values, strict=True)))))
    say(f"\n| question in other words | {names} |\n|{'---|' * (len(sets) + 1)}")
    for name, changes in WORDED.items():
        others = collected(arguments.data, arguments.cache, arguments.search_k, changes)
        row(name, others, ordered(RankingSettings(**changes)))
        alone = {**LEFT_OUT["words alone"], **changes}
        row(f"{name}: words alone", others, ordered(RankingSettings(**alone)))


if __name__ == "__main__":
    main()
