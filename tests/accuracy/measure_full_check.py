"""The full check against the short way: what each finds, what the encoder reads for it, how long it takes.

    python tests/accuracy/measure_full_check.py GOLD CACHE OUT [--language en]

GOLD lists documents with known conflicts (``norm_conflicts/gold.jsonl``, ``tests/data/*_conflicts/gold.jsonl``); CACHE
is the folder that train_ranker.py and train_verifier.py filled, whose folds rank documents of norm_conflicts. OUT keeps
what was read, so that a second run is quick. Printed: recall at k of the pairs, before merging, by kind, for the short
way (trees and verifier), the full check alone, and mixtures; tokens that the encoder reads once a sentence and once a
pair; seconds of processor time.
"""

from __future__ import annotations

import argparse
import functools
import json
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from measure_conflicts import covers, read_document, say

from engine.anchors.extract import extract_anchors
from engine.conflicts.encoding import encode_units
from engine.conflicts.full_check import read_pairs, reordered, rows_to_read, shipped_reader
from engine.conflicts.pairs import weigh_pairs
from engine.conflicts.ranker import read_ranker, shipped_ranker
from engine.conflicts.second_look import second_look
from engine.conflicts.units import build_units
from engine.conflicts.verifier import read_verifier, shipped_verifier
from engine.protocol.messages import ReviewOptions
from engine.states.encoder import BertEncoder, load_encoder
from engine.states.pair_reader import MOST_TOKENS

KS = (5, 10, 20, 50)
WEIGHTS = (0.1, 0.2, 0.35, 0.5, 0.75, 1.0)


class Measured(NamedTuple):
    """One document: log-odds by both ways, pairs with one condition, the known conflicts' kinds and rows, cost."""

    name: str
    short: NDArray[np.float64]
    full: NDArray[np.float64]
    conditional: NDArray[np.bool_]
    gold: list[tuple[str, list[int]]]
    tokens: tuple[int, int]
    seconds: tuple[float, float]


def measure(path: Path, conflicts: list[dict[str, Any]], cache: Path, fold: str, language: str) -> Measured:
    """Both ways on one document."""
    encoder = ENCODERS(language)
    assert isinstance(encoder, BertEncoder)
    document = read_document(path)
    units = build_units([document], {document.id: extract_anchors(document)})
    began = time.process_time()
    encoded = encode_units(units, lambda _: encoder, lambda *_: None, lambda: False, snapshots=True)
    ranker = read_ranker(cache / f"{fold}.json") if fold else shipped_ranker()
    load = functools.partial(read_verifier, cache / f"{fold}.safetensors") if fold else shipped_verifier
    weighed = weigh_pairs(units, encoded, ReviewOptions(), lambda *_: None, lambda: False, ranker)
    short = second_look(
        units, encoded, weighed.candidates, weighed.table, weighed.sides, weighed.raw, 2 * weighed.keep, load,
        lambda: False, say,
    )  # fmt: skip
    short_s = time.process_time() - began
    began = time.process_time()
    every = range(len(weighed.candidates))
    full = read_pairs(
        units,
        weighed.candidates,
        every,
        lambda name: shipped_reader(name, ENCODERS),
        lambda *_: None,
        lambda: False,
        say,
    )
    full_s = time.process_time() - began
    ids = encoder.token_ids([unit.text for unit in units])
    lengths = [min(len(row), MOST_TOKENS) for row in ids]
    tokens = sum(len(row) for row in ids), sum(lengths[c.a] + lengths[c.b] - 1 for c in weighed.candidates)
    gold = []
    for conflict in conflicts:
        if len(conflict["passages"]) < 2:
            continue
        first, second = ({i for i, u in enumerate(units) if covers(p, u.text)} for p in conflict["passages"][:2])
        rows = [
            row for row, c in enumerate(weighed.candidates)
            if (c.a in first and c.b in second) or (c.a in second and c.b in first)
        ]  # fmt: skip
        gold.append((conflict["kind"], rows))
    return Measured(path.name, short, full, weighed.conditional(), gold, tokens, (short_s, full_s))


ENCODERS = functools.cache(load_encoder)


def report(title: str, documents: list[Measured], scores: list[NDArray[np.float64]]) -> None:
    """Recall at k."""
    ranks: dict[str, list[int]] = {"all": []}
    for document, score in zip(documents, scores, strict=True):
        rank = np.empty(len(score), int)
        rank[np.argsort(-score, kind="stable")] = np.arange(1, len(score) + 1)
        for kind, rows in document.gold:
            best = min((int(rank[row]) for row in rows), default=10**9)
            ranks["all"].append(best)
            ranks.setdefault(kind.split(".")[0] if "." in kind else kind, []).append(best)
    say(title)
    for kind, values in sorted(ranks.items()):
        say(f"  {kind:12} n={len(values):3}", *(f"@{k} {np.mean([v <= k for v in values]):.3f}" for k in KS))


def main() -> int:
    """Measure; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gold", type=Path)
    parser.add_argument("cache", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--language", default="en")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    folded = args.gold.parent.name == "norm_conflicts"
    documents = []
    for i, entry in enumerate(map(json.loads, args.gold.read_text(encoding="utf-8").splitlines())):
        path = args.gold.parent / entry["document"]
        kept = args.out / f"{path.name}.npz"
        if not kept.exists():
            one = measure(path, entry["conflicts"], args.cache, f"fold-{i % 5}" if folded else "", args.language)
            facts = json.dumps({"gold": one.gold, "tokens": one.tokens, "seconds": one.seconds})
            np.savez(kept, short=one.short, full=one.full, conditional=one.conditional, facts=np.array(facts))
        stored = np.load(kept)
        facts = json.loads(str(stored["facts"]))
        gold = [(kind, rows) for kind, rows in facts["gold"]]
        arrays = [stored[name] for name in ("short", "full", "conditional")]
        documents.append(Measured(path.name, *arrays, gold, tuple(facts["tokens"]), tuple(facts["seconds"])))
        say(f"{path.name[:50]:50} {len(documents[-1].full):6} pairs", documents[-1].tokens, documents[-1].seconds)
    report("short way", documents, [d.short for d in documents])
    same = [np.full(len(d.full), args.language == "zh") for d in documents]
    both = list(zip(documents, same, strict=True))
    report(
        "full check alone",
        documents,
        [reordered(d.short, d.full, chinese, d.conditional, alone=True) for d, chinese in both],
    )
    some = [np.isin(np.arange(len(d.full)), rows_to_read(d.short, 1, full=False)) for d in documents]
    best = [np.where(few, d.full, np.nan) for d, few in zip(documents, some, strict=True)]
    for title, read in (
        ("the best read together (a review)", best),
        ("all read (full check)", [d.full for d in documents]),
    ):
        fused = [reordered(d.short, own, chinese, d.conditional) for (d, chinese), own in zip(both, read, strict=True)]
        report(title, documents, fused)
    for weight in WEIGHTS:
        mixed = [np.where(np.isfinite(d.full), (d.short + weight * d.full) / (1 + weight), d.short) for d in documents]
        report(f"log-odds mixed, {weight} of the full check", documents, mixed)
    tokens, seconds = (np.sum([getattr(d, name) for d in documents], axis=0) for name in ("tokens", "seconds"))
    pairs = sum(len(d.full) for d in documents)
    say(f"pairs read {pairs}; tokens: short way {tokens[0]}, full check {tokens[1]}, {tokens[1] / tokens[0]:.1f} times")
    each_s = pairs / seconds[1]
    say(f"processor seconds: short way {seconds[0]:.1f}, full check {seconds[1]:.1f} more, {each_s:.0f} pairs/s")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
