"""What a pack does to the development figures, and the refusal of one that makes them worse.

The development set (``resources/knowledge/development.jsonl``, written by us) holds for each language pairs of texts
that cannot both hold and look-alikes that can, texts within and beyond the law, and triples of a sentence, the same
with another name of its party, and the same with another party. Its authors wrote the shipped packs too, so the figures
show whether a change breaks something, not how much of the world the packs know.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.anchors.extract import extract_from_text
from engine.states.encoder import Encoder
from engine.states.knowledge import Knowledge
from engine.states.knowledge_pack import Pack
from engine.states.snapshot import Passage, query_rows, take_snapshots, tensor_of
from resources import resource_path

#: A figure that falls by less than this has not become worse: one case of the set is 0.02 to 0.04.
SLACK = 0.005


class PackRefused(Exception):
    """A pack makes the development figures worse; the message gives them."""


@dataclasses.dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one language; ``names_by_states`` is None where no encoder was given.

    Attributes:
        exclusions: F1 of "these two cannot both hold".
        law: share of the texts rightly called within or beyond the law.
        names: share of the triples in which the same name has a known concept in common and the other has not.
        names_by_states: share of the triples in which late interaction ranks the same party above the other one.
    """

    exclusions: float
    law: float
    names: float
    names_by_states: float | None = None

    def worse_than(self, before: Figures) -> list[str]:
        """The figures that fell, each with both values."""
        fell = []
        for field in dataclasses.fields(self):
            was, now = getattr(before, field.name), getattr(self, field.name)
            if was is not None and now is not None and now < was - SLACK:
                fell.append(f"{field.name} {was:.3f} → {now:.3f}")
        return fell


def development_set(language: str) -> list[dict[str, Any]]:
    """The cases of a language."""
    text = resource_path("knowledge", "development.jsonl").read_text(encoding="utf-8")
    return [case for case in map(json.loads, text.splitlines()) if case["language"] == language]


def figures(knowledge: Knowledge, language: str, encoder: Encoder | None = None) -> Figures:
    """The development figures with this knowledge, and with this encoder's states when one is given."""
    cases = development_set(language)
    pairs = [case for case in cases if case["kind"] == "pair"]
    said = [bool(knowledge.exclusions(case["first"], case["second"])) for case in pairs]
    right = sum(found and case["exclusive"] for found, case in zip(said, pairs, strict=True))
    f1 = 2 * right / max(1, sum(said) + sum(case["exclusive"] for case in pairs))
    laws = [case for case in cases if case["kind"] == "law"]
    beyond = [bool(knowledge.breaches(case["text"], extract_from_text(case["text"], language))) for case in laws]
    law = sum(found == case["beyond"] for found, case in zip(beyond, laws, strict=True)) / max(1, len(laws))
    triples = [case for case in cases if case["kind"] == "names"]
    named = sum(_tells_apart(knowledge, case) for case in triples)
    by_states = None if encoder is None else _by_states(encoder, triples, language)
    return Figures(f1, law, named / max(1, len(triples)), by_states)


def _concepts(knowledge: Knowledge, text: str) -> set[str]:
    return {hit.concept for hit in knowledge.concepts_in(text)}


def _tells_apart(knowledge: Knowledge, case: dict[str, Any]) -> bool:
    return _shares(knowledge, case["text"], case["same"]) and not _shares(knowledge, case["text"], case["other"])


def _shares(knowledge: Knowledge, text: str, other: str) -> bool:
    """Whether a text names everything that the other names."""
    return _concepts(knowledge, text) == _concepts(knowledge, other) != set()


def _by_states(encoder: Encoder, triples: Sequence[dict[str, Any]], language: str) -> float:
    from kernels.maxsim.op import maxsim

    rows, weights = query_rows(encoder.encode_tokens([case["text"] for case in triples]))
    passages = [Passage(case[side], anchors=(), language=language) for case in triples for side in ("same", "other")]
    scores = maxsim(rows, weights, tensor_of(take_snapshots(encoder, passages).blocks)).numpy()
    own = np.arange(len(triples))
    return float(np.mean(scores[own, 2 * own] > scores[own, 2 * own + 1]))


def try_pack(pack: Pack, before: Knowledge, encoder: Encoder | None = None) -> tuple[Figures, Figures]:
    """The figures before and with a pack.

    Raises:
        PackRefused: a figure falls.
    """
    without = Knowledge([other for other in before.packs if other.id != pack.id])
    old = figures(without, pack.language, encoder)
    new = figures(Knowledge([*without.packs, pack]), pack.language, encoder)
    fell = new.worse_than(old)
    if fell:
        raise PackRefused(f"the pack {pack.id} makes the development figures worse: {'; '.join(fell)}")
    return old, new
