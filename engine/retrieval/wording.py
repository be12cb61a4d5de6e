"""How clauses say what a question asks in a lawyer's names: "cap on liability" is written "liability shall not exceed".

Two sources: the wording of clause types (``resources/ask/clause_types.jsonl``), and the synonyms of the knowledge
packs' concepts. Their measured effect stands in tests/accuracy/results/retrieval.md.
"""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

import msgspec

from engine.retrieval.words import index_words
from engine.states.knowledge import Knowledge
from resources import resource_path

#: A pasted page names half the types there are; what is looked up is what a question would say.
_READ_CHARACTERS = 600
_MOST_TYPES = 4
_MOST_WORDS = 48


class ClauseType(msgspec.Struct, frozen=True):
    """A type of clause: what people call it, and how such clauses speak."""

    id: str
    language: str
    names: tuple[str, ...]
    says: tuple[str, ...]


class Wording(NamedTuple):
    """``words`` that a clause may use and the question does not, as the lexical index knows them; ``says``, how
    clauses of the types that it names speak, "" where it names none."""

    words: tuple[str, ...]
    says: str


@functools.cache
def clause_types() -> tuple[tuple[ClauseType, re.Pattern[str]], ...]:
    """The types with a pattern that finds their names, in both languages."""
    lines = resource_path("ask", "clause_types.jsonl").read_bytes().splitlines()[1:]
    types = [msgspec.json.decode(line, type=ClauseType) for line in lines]
    return tuple((each, _names(each)) for each in types)


def _names(of: ClauseType) -> re.Pattern[str]:
    either = "|".join(sorted(map(re.escape, of.names), key=len, reverse=True))
    # Chinese knows no word's end.
    return re.compile(either if of.language == "zh" else rf"(?<!\w)(?:{either})s?(?!\w)", re.IGNORECASE)


def wording_of(question: str, knowledge: Knowledge) -> Wording:
    """Other words for what a question asks."""
    read = question[:_READ_CHARACTERS]
    named = [each for each, pattern in clause_types() if pattern.search(read)][:_MOST_TYPES]
    others = [words for each in named for words in (*each.says, *each.names)]
    for hit in knowledge.concepts_in(read):
        others += knowledge.synonyms(read[hit.start : hit.end])
    own = set(index_words(question))
    words = dict.fromkeys(word for other in others for word in index_words(other) if word not in own)
    return Wording(tuple(words)[:_MOST_WORDS], " ".join(words for each in named for words in each.says))
