"""What the knowledge packs say of two passages, as numbers for the comparison (see engine.states.knowledge).

Whether they say what a pack calls exclusive of each other, and which of the packs' concepts they share: a concept that
both name in other words ("secrecy", "Confidential Information") brings together what shares no word.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.states.knowledge import Knowledge, Said

#: The features of :func:`knowledge_between`, in their order.
KNOWLEDGE_FEATURES = ("exclusive_pair", "concepts_shared", "concepts_reworded", "concepts_apart")

#: Concepts of one field that two passages may name without sharing one, "deposit" and "rent", are counted to here.
MOST_APART, MOST_REWORDED = 3, 3


class Named(NamedTuple):
    """What one passage names.

    Attributes:
        concepts: by id the words that name it, in lower case.
        fields: by field (money, time, thing …) the ids.
        said: sides of exclusive entries, see :meth:`engine.states.knowledge.Knowledge.said`.
    """

    concepts: dict[str, frozenset[str]]
    fields: dict[str, frozenset[str]]
    said: Said


def named_in(knowledge: Knowledge, text: str) -> Named:
    """What a text names."""
    concepts: dict[str, set[str]] = {}
    fields: dict[str, set[str]] = {}
    for hit in knowledge.concepts_in(text):
        # A plural is the same word.
        concepts.setdefault(hit.concept, set()).add(text[hit.start : hit.end].lower().removesuffix("s"))
        fields.setdefault(hit.field, set()).add(hit.concept)
    return Named(
        {concept: frozenset(words) for concept, words in concepts.items()},
        {field: frozenset(ids) for field, ids in fields.items()},
        knowledge.said(text),
    )


def knowledge_between(knowledge: Knowledge, a: Named, b: Named) -> tuple[float, float, float, float]:
    """The numbers of :data:`KNOWLEDGE_FEATURES` for two passages.

    ``exclusive_pair``: 1 where both cannot hold of one thing; ``concepts_shared``: share of the concepts of the passage
    with fewer, 0..1; ``concepts_reworded``: concepts that both name, in different words; ``concepts_apart``: fields in
    which both name concepts and share none.
    """
    if not a.concepts or not b.concepts:
        common: list[str] = []
    else:
        common = [concept for concept in a.concepts if concept in b.concepts]
    reworded = sum(a.concepts[concept].isdisjoint(b.concepts[concept]) for concept in common)
    apart = sum(field in b.fields and ids.isdisjoint(b.fields[field]) for field, ids in a.fields.items())
    exclusive = bool(a.said and b.said) and bool(knowledge.exclusions_between(a.said, b.said))
    return (
        float(exclusive),
        len(common) / max(1, min(len(a.concepts), len(b.concepts))),
        float(min(MOST_REWORDED, reworded)),
        float(min(MOST_APART, apart)),
    )
