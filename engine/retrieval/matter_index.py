"""The index of a matter: every document's chunks in FAISS and in FTS5, opened where it lies, changed document by
document."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.retrieval.document_index import DocumentIndex
from engine.retrieval.lexical import LexicalIndex
from engine.retrieval.naming import Naming
from engine.states.encoder import DIMENSIONS

#: Up to so many chunks FAISS compares with all of them; beyond, with those of the nearest cells.
EXACT_CHUNKS = 50_000
_PROBED_CELLS = 32


class Place(NamedTuple):
    """A chunk: its document's place in :attr:`MatterIndex.documents`, its place in that document."""

    document: int
    chunk: int


class MatterIndex:
    """Search over the documents given, in their order. Immutable: a matter that changes gets a new one, cheaply,
    because the documents' arrays are mapped files.

    Attributes:
        documents: what is indexed.
        encoder: key of the encoder that all vectors come from.
        centre: unit vector to the middle of the chunks: a question far from it is asked of the wrong matter.
        likeness: the mean cosine of two chunks. It differs between encoders (0.3, 0.85), and is what a cosine must
            exceed to say anything.
    """

    def __init__(self, documents: Sequence[DocumentIndex], words: Path | None = None) -> None:
        """``words`` keeps the lexical index; it must have been built over the same documents in the same order."""
        self.documents = tuple(documents)
        self.encoder = documents[0].kept.encoder if documents else 0
        if any(each.kept.encoder != self.encoder for each in documents):
            raise ValueError("documents of different encoders cannot be searched together")
        lengths = [len(each.vectors) for each in documents]
        self._ends = np.cumsum(lengths) if lengths else np.zeros(0, np.int64)
        self.naming = Naming([each.kept.head for each in documents])
        self._vectors = _vector_index([each.vectors for each in documents])
        self._words = LexicalIndex(words)
        if words is None:
            for number, each in enumerate(documents):
                self._words.add(number, zip((c.heading for c in each.kept.chunks), each.kept.words, strict=True))
        self.centre, self.likeness = _centre(documents)

    def __len__(self) -> int:
        return int(self._ends[-1]) if len(self._ends) else 0

    def near(
        self, vector: NDArray[np.float32], most: int, documents: Sequence[int] | None = None
    ) -> list[tuple[Place, float]]:
        """The chunks nearest to a unit vector with their cosines, best first; ``documents`` keeps it to some."""
        import faiss

        if not len(self) or most <= 0:
            return []
        options: dict[str, Any] = {}
        if documents is not None:
            rows = np.concatenate([np.arange(*self._rows(d)) for d in documents]) if documents else np.zeros(0, int)
            if not len(rows):
                return []
            selector = faiss.IDSelectorBatch(rows.astype(np.int64))
            kind: Any = faiss.SearchParametersIVF if hasattr(self._vectors, "nprobe") else faiss.SearchParameters
            options["params"] = kind(sel=selector)
        scores, rows = self._vectors.search(vector.reshape(1, -1), min(most, len(self)), **options)
        return [(self._place(int(r)), float(s)) for r, s in zip(rows[0], scores[0], strict=True) if r >= 0]

    def worded(self, question: str, most: int, documents: Sequence[int] | None = None) -> list[tuple[Place, float]]:
        """The chunks with the question's words and their BM25, best first."""
        return [(Place(d, c), score) for d, c, score in self._words.search(question, most, documents)]

    def vectors_of(self, places: Iterable[Place]) -> NDArray[np.float32]:
        """The vectors of some chunks, float32 ``[n, 384]``."""
        found = [self.documents[p.document].vectors[p.chunk] for p in places]
        return np.stack(found).astype(np.float32) if found else np.zeros((0, DIMENSIONS), np.float32)

    def _rows(self, document: int) -> tuple[int, int]:
        end = int(self._ends[document])
        return end - len(self.documents[document].vectors), end

    def _place(self, row: int) -> Place:
        document = int(np.searchsorted(self._ends, row, side="right"))
        return Place(document, row - self._rows(document)[0])

    def close(self) -> None:
        """Close the lexical index."""
        self._words.close()


def _vector_index(vectors: Sequence[NDArray[np.float32]]) -> Any:
    import faiss

    count = sum(len(each) for each in vectors)
    if count <= EXACT_CHUNKS:
        exact = faiss.IndexFlatIP(DIMENSIONS)
        for each in vectors:
            if len(each):
                exact.add(np.ascontiguousarray(each, np.float32))
        return exact
    return _trained_index(vectors, count)


def _trained_index(vectors: Sequence[NDArray[np.float32]], count: int) -> Any:
    """Cells of 8-bit vectors: a quarter of the room, a fraction of the comparisons."""
    import faiss

    cells = int(4 * np.sqrt(count))
    index = faiss.IndexIVFScalarQuantizer(
        faiss.IndexFlatIP(DIMENSIONS), DIMENSIONS, cells, faiss.ScalarQuantizer.QT_8bit, faiss.METRIC_INNER_PRODUCT
    )
    every = np.concatenate([np.asarray(each, np.float32) for each in vectors])
    # Evenly taken, so that the same matter gives the same cells.
    step = max(1, count // (40 * cells))
    index.train(every[::step])
    index.add(every)
    index.nprobe = _PROBED_CELLS
    return index


def _centre(documents: Sequence[DocumentIndex]) -> tuple[NDArray[np.float32], float]:
    """The unit vector to the middle of the matter's chunks, and the mean cosine of two of them."""
    means = [np.asarray(each.vectors, np.float32).mean(axis=0) for each in documents if len(each.vectors)]
    if not means:
        return np.zeros(DIMENSIONS, np.float32), 0.0
    centre: NDArray[np.float32] = np.mean(means, axis=0)
    length = float(np.linalg.norm(centre))
    return centre / max(length, 1e-9), min(length**2, 0.99)
