"""What the knowledge packs bring the ranker: two more features, trees trained with and without them, by five folds.

    python tests/accuracy/ablate_knowledge.py CACHE [--planted FILES]

CACHE is the folder that train_ranker.py filled; the features are whether two sentences say what cannot both hold
(``exclusive``) and which share of the shorter one's concepts the other names (``shared``). The shipped weights stay as
they are. Printed too: how often ``exclusive`` holds among the candidates and among the known conflicts.
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
from engine.states.knowledge_facts import facts_of, pair_facts, shipped_knowledge


def with_facts(table: Table) -> Table:
    """The table with the two columns after its own."""
    knowledge = shipped_knowledge()
    facts = [facts_of(knowledge, text) for text in table.texts]
    more = np.zeros((len(table.pairs), 2), np.float32)
    for row, (a, b) in enumerate(table.pairs):
        found = pair_facts(knowledge, facts[a], facts[b])
        more[row] = bool(found.exclusive), found.shared
    return table._replace(features=np.concatenate([table.features, more], axis=1))


def main() -> int:
    """Measure; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cache", type=Path)
    parser.add_argument("--planted", type=int, default=99, help="files of planted conflicts that are used")
    args = parser.parse_args()
    known = [with_facts(table) for table in load_tables(args.cache / "known.msgpack")]
    files = sorted(args.cache.glob("planted-*.msgpack"))[: args.planted]
    planted = [with_facts(table) for path in files for table in load_tables(path)]
    own = len(FEATURES)
    for name, tables in (("known", known), ("planted", planted)):
        fires = sum(int(t.features[:, own].sum()) for t in tables)
        gold = [row for t in tables for _, kind, rows in t.gold if kind for row in [rows]]
        hit = sum(bool(t.features[rows, own].any()) for t in tables for _, kind, rows in t.gold if kind and rows)
        pairs = sum(len(t.pairs) for t in tables)
        say(f"{name}: exclusive holds for {fires} of {pairs} candidates and {hit} of {len(gold)} conflicts")
    for name, columns in (
        ("without knowledge", list(range(own))),
        ("with exclusive", list(range(own + 1))),
        ("with both", list(range(own + 2))),
    ):
        raws: list[NDArray[Any]] = [np.zeros(0)] * len(known)
        for fold in range(5):
            model = fit([t for i, t in enumerate(known) if i % 5 != fold], planted, columns)
            for i in range(fold, len(known), 5):
                raws[i] = model.decision_function(known[i].features[:, columns])
        say(f"{name}, {len(columns)} features")
        report(name, known, raws)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
