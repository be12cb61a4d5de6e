"""What the knowledge packs bring the ranker: trees trained with and without what the packs say, by five folds.

    python tests/accuracy/ablate_knowledge.py CACHE

CACHE is the folder that train_ranker.py filled. Printed: for each feature of engine.conflicts.knowledge_features among
how many candidates, known conflicts and planted conflicts it is not zero, and the recall of the pairs, before merging,
by trees with all features, without ``exclusive_pair``, and without any of the packs. The shipped weights stay as they
are. ``ablate_conflicts.py CACHE knowledge`` is the last of these alone.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from ablate_conflicts import fit
from measure_conflicts import say
from train_ranker import Table, load_tables, report

from engine.conflicts.comparison import FEATURES
from engine.conflicts.knowledge_features import KNOWLEDGE_FEATURES


def fires(title: str, tables: list[Table]) -> None:
    """How often each feature is not zero among the candidates and among the conflicts."""
    for name in KNOWLEDGE_FEATURES:
        column = FEATURES.index(name)
        of_all = sum(int((table.features[:, column] > 0).sum()) for table in tables)
        conflicts = [(table, rows) for table in tables for _, kind, rows in table.gold if kind]
        hit = sum(bool(rows) and bool((table.features[rows, column] > 0).any()) for table, rows in conflicts)
        pairs = sum(len(table.features) for table in tables)
        say(f"{title}: {name} holds for {of_all} of {pairs} candidates and {hit} of {len(conflicts)} conflicts")


def main() -> int:
    """Measure; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cache", type=Path)
    args = parser.parse_args()
    known = load_tables(args.cache / "known.msgpack")
    planted = [table for path in sorted(args.cache.glob("planted-*.msgpack")) for table in load_tables(path)]
    fires("known", known)
    fires("planted", planted)
    for title, left_out in (
        ("with all", ()),
        ("without exclusive_pair", KNOWLEDGE_FEATURES[:1]),
        ("without knowledge", KNOWLEDGE_FEATURES),
    ):
        columns = [i for i, name in enumerate(FEATURES) if name not in left_out]
        raws: list[NDArray[Any]] = [np.zeros(0)] * len(known)
        for fold in range(5):
            model = fit([t for i, t in enumerate(known) if i % 5 != fold], planted, columns)
            for i in range(fold, len(known), 5):
                raws[i] = model.decision_function(known[i].features[:, columns])
        report(title, known, raws)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
