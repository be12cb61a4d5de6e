"""What knowledge packs say of texts and of pairs of them, as the conflict engine asks for it.

Each text is looked at once (:func:`facts_of`); pairs are compared from what was seen there (:func:`pair_facts`).
"""

from __future__ import annotations

import dataclasses
import functools

from engine.states.knowledge import Knowledge, Said, load_knowledge


@functools.cache
def shipped_knowledge() -> Knowledge:
    """The packs that come with Antinomy, read once."""
    return load_knowledge()


@dataclasses.dataclass(frozen=True, slots=True)
class TextFacts:
    """A text's concepts by id, and the sides of exclusive entries that it takes."""

    concepts: frozenset[str]
    said: Said


@dataclasses.dataclass(frozen=True, slots=True)
class PairFacts:
    """Two texts.

    Attributes:
        exclusive: entries by which both cannot hold of one thing.
        shared: share of the concepts of the text with fewer that the other names too, 0..1; 0 where one names none.
    """

    exclusive: tuple[str, ...]
    shared: float


def facts_of(knowledge: Knowledge, text: str) -> TextFacts:
    """What one text says."""
    return TextFacts(frozenset(hit.concept for hit in knowledge.concepts_in(text)), knowledge.said(text))


def pair_facts(knowledge: Knowledge, first: TextFacts, second: TextFacts) -> PairFacts:
    """How two texts stand to each other."""
    fewer = min(len(first.concepts), len(second.concepts))
    shared = len(first.concepts & second.concepts) / fewer if fewer else 0.0
    exclusive = tuple(each.entry for each in knowledge.exclusions_between(first.said, second.said))
    return PairFacts(exclusive, shared)


def exclusive_concepts(knowledge: Knowledge, first: str, second: str) -> bool:
    """Whether two texts say what cannot both hold of one thing (exclusive and non-exclusive; 仲裁 and 诉讼)."""
    return bool(knowledge.exclusions(first, second))


def same_concept(knowledge: Knowledge, first: str, second: str) -> bool:
    """Whether two names stand for one thing (Supplier and Vendor; 卖方 and 供应商)."""
    return knowledge.same_concept(first, second)
