"""The index of a matter: every document's chunks in FAISS and in FTS5, opened where it lies, changed document by
document."""

from __future__ import annotations

import contextlib
import hashlib
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
#: Chunks a cell is trained by.
_TRAINED_BY = 40
#: In the index's folder: the words; the cells of a large matter.
WORDS_FILE = "words.sqlite"
CELLS_ENDING = ".cells"


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

    def __init__(self, documents: Sequence[DocumentIndex], folder: Path | None = None) -> None:
        """``folder`` keeps the words and, in a large matter, the trained cells between sessions.

        Raises:
            ValueError: the documents' vectors come from different encoders.
            OSError: the folder takes no files.
        """
        self.documents = tuple(documents)
        self.encoder = documents[0].kept.encoder if documents else 0
        if any(each.kept.encoder != self.encoder for each in documents):
            raise ValueError("documents of different encoders cannot be searched together")
        lengths = [len(each.vectors) for each in documents]
        self._ends = np.cumsum(lengths) if lengths else np.zeros(0, np.int64)
        self.naming = Naming([each.kept.head for each in documents])
        self._vectors = vector_index(documents, folder)
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        self._words = LexicalIndex(None if folder is None else folder / WORDS_FILE)
        self._numbers = self._words.keep([_line(each) for each in documents], self._texts)
        self._place_of = {number: place for place, number in enumerate(self._numbers)}
        self.centre, self.likeness = _centre(documents)

    def _texts(self, document: int) -> Iterable[tuple[str, str]]:
        kept = self.documents[document].kept
        return zip((chunk.heading for chunk in kept.chunks), kept.words, strict=True)

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

    def worded(
        self,
        question: str,
        most: int,
        documents: Sequence[int] | None = None,
        others: Sequence[str] = (),
        share: float = 0.0,
    ) -> list[tuple[Place, float]]:
        """The chunks with the question's words, or ``others`` in their place, and their BM25, best first."""
        numbers = None if documents is None else [self._numbers[d] for d in documents]
        found = self._words.search(question, most, numbers, others, share)
        return [(Place(self._place_of[n], c), score) for n, c, score in found]

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


def vector_index(documents: Sequence[DocumentIndex], folder: Path | None = None, exact: int = EXACT_CHUNKS) -> Any:
    """A FAISS index over all chunks in order: every one compared up to ``exact`` of them, trained cells beyond."""
    import faiss

    vectors = [each.vectors for each in documents if len(each.vectors)]
    count = sum(len(each) for each in vectors)
    if count <= exact:
        flat = faiss.IndexFlatIP(DIMENSIONS)
        for each in vectors:
            flat.add(np.ascontiguousarray(each, np.float32))
        return flat
    path = None if folder is None else folder / f"{_digest(documents)}{CELLS_ENDING}"
    if path is not None and path.exists():
        with contextlib.suppress(RuntimeError):
            return faiss.read_index(str(path))
    trained = _trained_index(vectors, count)
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        for old in path.parent.glob(f"*{CELLS_ENDING}"):
            old.unlink(missing_ok=True)
        draft = path.with_suffix(".new")
        faiss.write_index(trained, str(draft))
        draft.replace(path)
    return trained


def _digest(documents: Sequence[DocumentIndex]) -> str:
    """Of which documents, in which order, and of how many chunks."""
    return hashlib.sha256("\n".join(map(_line, documents)).encode()).hexdigest()[:32]


def _line(index: DocumentIndex) -> str:
    """What a document's place in the files stands for: another cutting of it is another document to them."""
    return f"{index.kept.document} {index.kept.version} {len(index.vectors)}"


def _trained_index(vectors: Sequence[NDArray[np.float32]], count: int) -> Any:
    """Cells of 8-bit vectors: a quarter of the room, a fraction of the comparisons."""
    import faiss

    cells = int(4 * np.sqrt(count))
    index = faiss.IndexIVFScalarQuantizer(
        faiss.IndexFlatIP(DIMENSIONS), DIMENSIONS, cells, faiss.ScalarQuantizer.QT_8bit, faiss.METRIC_INNER_PRODUCT
    )
    every = np.concatenate([np.asarray(each, np.float32) for each in vectors])
    # Evenly taken, so that the same matter gives the same cells.
    step = max(1, count // (_TRAINED_BY * cells))
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
