"""The trees' evaluation, and files that are not usable."""

from __future__ import annotations

import json

import numpy as np
import pytest

from engine.conflicts.comparison import FEATURES
from engine.conflicts.ranker import RankerError, read_ranker, shipped_ranker
from resources import resource_path

STUMP = {
    "feature": [0, 0, 0],
    "threshold": [0.5, 0.0, 0.0],
    "left": [1, -1, -1],
    "right": [2, -1, -1],
    "value": [0.0, -1.0, 2.0],
}


def written(tmp_path, **changes):
    file = {
        "schema": "antinomy.ranker/1",
        "version": "t",
        "features": ["cosine"],
        "base": 0.25,
        "trees": [STUMP, STUMP],
    }
    path = tmp_path / "ranker.json"
    path.write_text(json.dumps(file | changes))
    return path


def table(cosines: list[float]) -> np.ndarray:
    found = np.zeros((len(cosines), len(FEATURES)), np.float32)
    found[:, FEATURES.index("cosine")] = cosines
    return found


def test_trees(tmp_path) -> None:
    ranker = read_ranker(written(tmp_path))
    assert ranker.raw(table([0.4, 0.5, 0.6])).tolist() == [-1.75, -1.75, 4.25]
    assert ranker.raw(table([])).shape == (0,)


def test_calibration_is_monotone_and_bounded(tmp_path) -> None:
    ranker = read_ranker(written(tmp_path, calibration=[[-2, 0.01], [0, 0.2], [4, 0.9]]))
    scores = ranker.probability(np.array([-9.0, -1.0, 0.0, 2.0, 99.0]))
    assert (np.diff(scores) >= 0).all()
    assert scores[0] == 0.01
    assert scores[-1] == 0.9


def test_the_shipped_weights_fit_this_program() -> None:
    ranker = shipped_ranker()
    scores = ranker.probability(ranker.raw(table([0.0, 1.0])))
    assert ((scores >= 0) & (scores <= 1)).all()


def test_unusable_files(tmp_path) -> None:
    with pytest.raises(RankerError, match="cannot be read"):
        read_ranker(tmp_path / "none.json")
    with pytest.raises(RankerError, match="does not compute"):
        read_ranker(written(tmp_path, features=["word_of_the_day"]))
    (tmp_path / "ranker.json").write_text('{"schema"')
    with pytest.raises(RankerError, match="cannot be read"):
        read_ranker(tmp_path / "ranker.json")


def test_every_weights_file_has_a_card() -> None:
    files = sorted(resource_path("weights").glob("*.json"))
    assert files
    for file in files:
        card = file.with_suffix(".md").read_text(encoding="utf-8")
        for word in ("licence", "Train it again", "Measured", "can't do"):
            assert word in card
