"""What each group of comparison features brings: trees trained again without it, by five folds of contracts.

    python tests/accuracy/ablate_conflicts.py CACHE [GROUP ...]

CACHE is the folder that train_ranker.py filled. Printed per group: recall of the pairs, before merging. What needs no
new training is switched off in a review: ``measure_conflicts.py --without arbitration`` (or ``verifier``,
``compensation``, ``ranker``, ``anchors``).
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

from measure_conflicts import say
from train_ranker import Table, load_tables, report, training_rows

from engine.conflicts.comparison import FEATURES
from engine.conflicts.conditions import CONDITION_FEATURES
from engine.conflicts.knowledge_features import KNOWLEDGE_FEATURES
from engine.conflicts.standing import STANDING_FEATURES

NORMS = (
    "clash", "clash_any", "same_act", "both_norms", "bearer_same", "bearer_shared", "mirrored", "negation_differs",
    "negations", "condition_one", "condition_both", "condition_leads_one", "statements", "cue_same", "may_must",
    "aligned_clash", "condition_differs", "act_contained", "segment_clash", "segment_subject", "segment_verb",
    "clash_cover", "condition_cover", "condition_short", "swapped", "conditions_opposed", "consequence",
)  # fmt: skip
ANCHORS = (
    "numbers_differ", "numbers_same", "values_differ", "values_same", "roles_clash", "roles_differ", "values_rival",
    "labels_differ",
)  # fmt: skip
SEGMENTS = (
    "segment_cover", "segment_back", "segment_clash", "segment_subject", "segment_verb", "clash_cover",
    "condition_cover", "soft_weighted",
)  # fmt: skip
STATES = (
    "soft_short", "soft_long", "soft_worst", "soft_without", "segment_cover", "segment_back", "segment_subject",
    "segment_verb", "clash_cover", "condition_cover", "soft_weighted",
)  # fmt: skip
SCOPE = (
    "exchanged", "triggers_apart", "triggers_both", "rhythms_apart", "faults_apart", "both_ask", "introduces", "cases",
    "same_list", "actors_same", "actors_differ", "right_and_duty", "unnamed", "main_cover", "condition_in_main",
)  # fmt: skip
GROUPS: dict[str, tuple[str, ...]] = {
    "nothing": (), "norms": NORMS, "anchors": ANCHORS, "segments": SEGMENTS, "states": STATES, "scope": SCOPE,
    "conditions": CONDITION_FEATURES, "knowledge": KNOWLEDGE_FEATURES, "standing": STANDING_FEATURES,
}  # fmt: skip


def fit(known: list[Table], planted: list[Table], columns: list[int]) -> Any:
    """Fewer and faster trees than the shipped ones, on some columns."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    parts = [training_rows(known), training_rows(planted)]
    x, y, w = parts[0]
    parts[0] = (x, y, w * np.where(y > 0, 6, 2))
    x, y, w = (np.concatenate(column) for column in zip(*parts, strict=True))
    model = HistGradientBoostingClassifier(
        max_iter=150, learning_rate=0.08, max_leaf_nodes=8, min_samples_leaf=20, l2_regularization=10,
        max_features=0.3, early_stopping=False, random_state=0,
    )  # fmt: skip
    return model.fit(x[:, columns], y, sample_weight=w)


def main() -> int:
    """Measure; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cache", type=Path)
    parser.add_argument("groups", nargs="*", default=list(GROUPS))
    args = parser.parse_args()
    known = load_tables(args.cache / "known.msgpack")
    planted = [table for path in sorted(args.cache.glob("planted-*.msgpack")) for table in load_tables(path)]
    for group in args.groups:
        columns = [i for i, name in enumerate(FEATURES) if name not in GROUPS[group]]
        raws: list[NDArray[Any]] = [np.zeros(0)] * len(known)
        for fold in range(5):
            model = fit([t for i, t in enumerate(known) if i % 5 != fold], planted, columns)
            for i in range(fold, len(known), 5):
                raws[i] = model.decision_function(known[i].features[:, columns])
        say(f"without {group}, {len(columns)} features")
        report(f"without {group}", known, raws)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
