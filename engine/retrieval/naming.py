"""Which documents a question names: "the NDA between CopAcc and ToP Mentors", 《房屋租赁合同》, a file's name.

In a matter of many contracts this decides more than anything else: the right clause of the wrong contract is wrong.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.document import Document
from engine.retrieval.words import index_words

#: What names a contract stands in its name and at its beginning.
HEAD_CHARACTERS = 1500
_CAPITALISED = re.compile(r"[A-Z][\w&.'’-]*(?:\s+(?:of|and|&|the|de|for)?\s*[A-Z][\w&.'’-]*)*")
_QUOTED = re.compile(r"[《“\"]([^》”\"]{2,60})[》”\"]")


def head_of(document: Document) -> str:
    """The words by which a document may be named."""
    name = re.sub(r"%20|[_\-.+]", " ", document.name)
    return f"{name} {name} {document.text[:HEAD_CHARACTERS]}"


class Naming:
    """Says how well a question names each document; built over their heads."""

    def __init__(self, heads: Sequence[str]) -> None:
        self._words = [Counter(index_words(head)) for head in heads]
        spread = Counter(word for words in self._words for word in words)
        count = max(1, len(heads))
        # A word that more than half the documents begin with names none of them.
        self._weight = {word: math.log(count / found) for word, found in spread.items() if 2 * found <= count}
        #: What a word that one document alone begins with is worth: naming one takes no more.
        self._enough = math.log(count) or 1.0

    def scores(self, question: str) -> NDArray[np.float32]:
        """0..1 for each document: 1 for the one that the question names best, all 0 when it names none."""
        asked = set(index_words(named_words(question)))
        raw = np.array(
            [sum(self._weight.get(word, 0.0) * min(2, words[word]) for word in asked) for words in self._words],
            np.float32,
        )
        return raw / max(float(raw.max(initial=0.0)), self._enough)


def named_words(question: str) -> str:
    """The parts of a question that can name something: capitalised and quoted words, and Chinese ones before 的."""
    first_word_cut = question[:1].lower() + question[1:]
    parts = _CAPITALISED.findall(first_word_cut) + _QUOTED.findall(question)
    parts += re.findall(r"([\u3400-\u9fff]{4,30}?)(?:合同|协议)", question)
    return " ".join(parts)
