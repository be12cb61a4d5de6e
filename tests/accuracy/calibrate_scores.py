"""Fit the curves that turn log-odds into scores, and measure the calibration of findings by folds of documents.

    python tests/accuracy/calibrate_scores.py SET.jsonl [--folds CACHE] [--fold-count N] [--write en|zh]

SET.jsonl lists documents with known conflicts (``norm_conflicts/gold.jsonl``, ``tests/data/zh_conflicts/gold.jsonl``).
With ``--folds`` each document is ranked by weights that did not see it (see measure_conflicts.py). Printed are the
expected calibration error of the findings (ten bins of 0.1) as shipped, and with a logistic curve on top that fits
the other folds. ``--write`` bends the shipped curve of a language by the curve fitted to all.
"""

from __future__ import annotations

import argparse
import functools
import json
import sys
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from measure_conflicts import read_document, say
from score_sets import hits

from engine.conflicts.ranker import WEIGHTS, read_ranker
from engine.conflicts.review import review_documents
from engine.conflicts.verifier import read_verifier
from engine.protocol.messages import ReviewOptions
from engine.states.encoder import load_encoder
from resources import resource_path


class Scored(NamedTuple):
    """Findings of pairs: the fold of their document, log-odds of their scores, whether they are known conflicts."""

    fold: NDArray[np.int64]
    odds: NDArray[np.float64]
    real: NDArray[np.bool_]


def findings_of(gold: Path, folds: Path | None, count: int) -> Scored:
    """Review every document and compare its pair findings with what is known."""
    encoder_for = functools.cache(load_encoder)
    rows: list[tuple[int, float, bool]] = []
    for i, entry in enumerate(map(json.loads, gold.read_text("utf-8").splitlines())):
        ranker = read_ranker(folds / f"fold-{i % 5}.json") if folds else None
        verifier = functools.partial(read_verifier, folds / f"fold-{i % 5}.safetensors") if folds else None
        findings, _ = review_documents(
            [read_document(gold.parent / entry["document"])], encoder_for=encoder_for, options=ReviewOptions(),
            progress=lambda *_: None, cancelled=lambda: False, ranker=ranker, verifier=verifier, notice=say,
        )  # fmt: skip
        for finding in findings:
            if finding.path and finding.path[0].state == "same_matter" and not finding.code.startswith("forum."):
                plain = {"passages": [{"text": passage.text} for passage in finding.passages]}
                real = any(hits(conflict["passages"], plain) for conflict in entry["conflicts"])
                score = min(max(finding.score, 1e-4), 1 - 1e-4)
                rows.append((i % count, float(np.log(score / (1 - score))), real))
    fold, odds, real_ones = zip(*rows, strict=True)
    return Scored(np.array(fold), np.array(odds), np.array(real_ones))


def logistic(odds: NDArray[np.float64], real: NDArray[np.bool_]) -> tuple[float, float]:
    """Slope and intercept of the curve from log-odds to log-odds."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=1e6).fit(odds[:, None], real)
    return float(model.coef_[0, 0]), float(model.intercept_[0])


def sigmoid(odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Log-odds as probabilities."""
    return np.asarray(1 / (1 + np.exp(-odds)))


def calibration_error(score: NDArray[np.float64], real: NDArray[np.bool_]) -> float:
    """The expected calibration error over ten bins of 0.1."""
    bins = np.minimum((score * 10).astype(int), 9)
    each = [(bins == k) for k in range(10) if (bins == k).any()]
    return float(sum(own.mean() * abs(score[own].mean() - real[own].mean()) for own in each))


def main() -> int:
    """Fit and measure; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gold", type=Path)
    parser.add_argument("--folds", type=Path)
    parser.add_argument("--fold-count", type=int, default=5)
    parser.add_argument("--write", choices=("en", "zh"))
    args = parser.parse_args()
    found = findings_of(args.gold, args.folds, args.fold_count)
    say(f"{len(found.odds)} findings, {int(found.real.sum())} known conflicts")
    say(f"calibration error as shipped {calibration_error(sigmoid(found.odds), found.real):.3f}")
    fitted = np.zeros(len(found.odds))
    for fold in range(args.fold_count):
        own = found.fold == fold
        slope, intercept = logistic(found.odds[~own], found.real[~own])
        fitted[own] = sigmoid(slope * found.odds[own] + intercept)
    say(f"calibration error of a curve by {args.fold_count} folds {calibration_error(fitted, found.real):.3f}")
    slope, intercept = logistic(found.odds, found.real)
    say(f"curve over all: slope {slope:.3f}, intercept {intercept:.3f}")
    if args.write:
        path = resource_path("weights", WEIGHTS)
        file = msgspec.json.decode(path.read_bytes())
        name = "calibration" if args.write == "en" else "calibration_zh"
        points = [(raw, np.log(p / (1 - p))) for raw, p in file[name]]
        file[name] = [(raw, round(float(sigmoid(slope * odds + intercept)), 5)) for raw, odds in points]
        path.write_bytes(msgspec.json.encode(file))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
