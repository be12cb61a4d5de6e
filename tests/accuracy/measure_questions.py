"""Our Chinese questions: recall@3 over each contract, and over all contracts as one matter.

    .venv/bin/python tests/accuracy/measure_questions.py [--cache FOLDER] [--ablate] [--wrong N]

A question's recall is the share of its answers (one or two quotes; two where the contract contradicts itself) that
the first three passages hold.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

import msgspec
import numpy as np
from measure_retrieval import ABLATIONS, indexed, read, say

from engine.retrieval.matter_index import MatterIndex
from engine.retrieval.ranking import RankingSettings, rank
from engine.states.encoder import Encoder, load_encoder

DATA = Path(__file__).parent.parent / "data"
CONTRACTS = DATA / "zh_conflicts" / "contracts"


def recall(index: MatterIndex, encoder: Encoder, case: dict, settings: RankingSettings) -> float:
    """The share of a question's answers in the passages found."""
    found = [
        index.documents[f.place.document].kept.words[f.place.chunk]
        for f in rank(index, encoder, case["question"], settings)
        if index.documents[f.place.document].kept.document == case["contract"]
    ]
    return float(np.mean([any(answer in words for words in found) for answer in case["answers"]]))


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "antinomy-retrieval")
    parser.add_argument("--ablate", action="store_true")
    parser.add_argument("--wrong", type=int, default=0, help="print so many questions that miss an answer")
    arguments = parser.parse_args()
    cases = [json.loads(line) for line in (DATA / "zh_questions.jsonl").read_text(encoding="utf-8").splitlines()]
    encoder = load_encoder("zh")
    makers = [(path.name, lambda path=path: read(path)) for path in sorted(CONTRACTS.glob("*.txt"))]
    indexes = indexed(makers, encoder, arguments.cache / "zh")
    one = {index.kept.document: MatterIndex([index]) for index in indexes}
    together = MatterIndex(indexes)
    say(f"{len(cases)} questions, {len(indexes)} contracts, {len(together)} chunks")
    say("| ranking | recall@3, one contract | recall@1 | recall@3, all as one matter |\n|---|---|---|---|")
    for name, changes in ABLATIONS.items() if arguments.ablate else [("all signals", {})]:
        settings = RankingSettings(**changes)
        first = msgspec.structs.replace(settings, top_k=1)
        alone = [recall(one[case["contract"]], encoder, case, settings) for case in cases]
        figures = [
            alone,
            [recall(one[case["contract"]], encoder, case, first) for case in cases],
            [recall(together, encoder, case, settings) for case in cases],
        ]
        say("| " + " | ".join([name, *(f"{np.mean(values):.3f}" for values in figures)]) + " |")
        if name == "all signals":
            for case, value in [(c, v) for c, v in zip(cases, alone, strict=True) if v < 1][: arguments.wrong]:
                say(f"  {value:.1f} {case['contract']} {case['question']}")


if __name__ == "__main__":
    main()
