"""The weights by which passages are put in order, as settings: names, usual values, what each was measured to do.

``ranking.json`` in Antinomy's data folder holds those that a person changed (``{"lexical": 0.4}``); the command line
sets them for one question. Measured effects: tests/accuracy/results/retrieval.md.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

RANKING_FILE = "ranking.json"


class RankingWeight(NamedTuple):
    """A setting: its usual value, its largest, and what it does."""

    usual: float
    most: float
    does: str


RANKING: dict[str, RankingWeight] = {
    "search_k": RankingWeight(10, 1000, "passages looked at, from meaning and from words each"),
    "top_k": RankingWeight(3, 50, "passages shown"),
    "vector": RankingWeight(0.7, 10, "meaning; without it 0.04 fewer Chinese answers are found"),
    "state": RankingWeight(0.3, 10, "states of the question's tokens against the snapshots; +0.01 to +0.02"),
    "lexical": RankingWeight(0.25, 10, "words (BM25); +0.1 in English, -0.02 in Chinese"),
    "anchors": RankingWeight(0.1, 10, "values of the kind and role that is asked for; +0.01 in Chinese"),
    "naming": RankingWeight(1.0, 10, "documents that the question names; +0.25 where it names one"),
    "synonyms": RankingWeight(0.35, 10, "other words for the question's, of the knowledge packs and clause types"),
    "wording": RankingWeight(0.4, 10, "the way clauses of the named type speak, in the question's meaning"),
    "filtered": RankingWeight(0, 1, "1 drops passages without a value of the kind asked for; harms"),
    "by_rules": RankingWeight(0, 1, "1 drops passages of another person or modality; harms"),
}


class BadRanking(ValueError):
    """A setting that there is not, or a value it cannot have; the message is a sentence."""


def checked_ranking(values: Mapping[str, float]) -> dict[str, float]:
    """The settings, when they can be used.

    Raises:
        BadRanking: which cannot.
    """
    for name, value in values.items():
        if name not in RANKING:
            raise BadRanking(f"There is no ranking setting {name!r}; there are {', '.join(RANKING)}.")
        least = 1 if name in ("search_k", "top_k") else 0
        if not math.isfinite(value) or not least <= value <= RANKING[name].most:
            raise BadRanking(f"{name} is between {least} and {RANKING[name].most:g}, not {value}.")
    return dict(values)


def load_ranking(folder: Path) -> dict[str, float]:
    """What a person changed for good.

    Raises:
        BadRanking: the file is not readable, or holds what cannot be.
    """
    path = folder / RANKING_FILE
    try:
        return checked_ranking(msgspec.json.decode(path.read_bytes(), type=dict[str, float]))
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.MsgspecError) as error:
        raise BadRanking(f"{path} cannot be read: {error}.") from error


def ranking_lines() -> str:
    """The settings for a help text."""
    return "\n".join(f"  {name:9} {each.usual:<5g} {each.does}" for name, each in RANKING.items())
