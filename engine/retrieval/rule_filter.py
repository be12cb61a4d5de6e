"""The rule filter: passages about another person, or with another modality than the question asks about, are dropped.

Off by default; its measured effect stands in tests/accuracy/results/retrieval.md. Tense is not looked at: contracts
speak in the present and the future throughout, and a question's tense says nothing about the clause's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.anchors.model import AnchorKind
from engine.retrieval.document_index import ChunkAnchor

_PERMITTED = re.compile(
    r"\b(?:may|can|allowed|permitted|entitled|prohibited|forbidden)\b|可以|能否|是否允许|有权|禁止|不得", re.IGNORECASE
)
_BOUND = re.compile(r"\b(?:must|shall|have to|has to|required|obliged|obligation)\b|必须|应当|义务", re.IGNORECASE)
_PERMITTING = frozenset({"may", "must not"})
_BINDING = frozenset({"must", "must not", "need not"})


def mismatches(question: str, anchors: Sequence[ChunkAnchor]) -> bool:
    """Whether a passage's person or modality cannot be what the question asks about."""
    return _other_person(question, anchors) or _other_modality(question, anchors)


def _other_person(question: str, anchors: Sequence[ChunkAnchor]) -> bool:
    """The question names a party by its role, and the passage speaks of other parties alone."""
    parties = {anchor.value.strip("*").casefold() for anchor in anchors if anchor.kind == AnchorKind.PARTY}
    if not parties:
        return False
    folded = question.casefold()
    named = {party for party in parties if party in folded}
    asked = re.findall(r"\bthe ([A-Z][a-z]+(?:or|er|ee|ant|ist))\b|(甲方|乙方|丙方|出租方|承租方)", question)
    return bool(asked) and not named


def _other_modality(question: str, anchors: Sequence[ChunkAnchor]) -> bool:
    modalities = {anchor.value for anchor in anchors if anchor.kind == AnchorKind.MODALITY}
    if not modalities:
        return False
    if _PERMITTED.search(question):
        return not modalities & _PERMITTING
    if _BOUND.search(question):
        return not modalities & _BINDING
    return False
