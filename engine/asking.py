"""Questions to a matter, in the engine: indexes are built where they are missing and kept between questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from engine.document import Document
from engine.protocol.answers import Answer
from engine.protocol.places import data_dir
from engine.protocol.ranking import checked_ranking, load_ranking
from engine.states.knowledge_shelf import KnowledgeShelf

if TYPE_CHECKING:
    from engine.retrieval.document_index import DocumentIndex
    from engine.retrieval.matter_index import MatterIndex
    from engine.states.encoder import Encoder

#: So many documents' indexes stay in memory where no folder keeps them.
_MOST_KEPT = 64


class Asker:
    """Answers; not thread-safe."""

    def __init__(self, shelf: KnowledgeShelf | None = None) -> None:
        """``shelf`` holds the knowledge packs whose synonyms are asked for too."""
        self._shelf = shelf or KnowledgeShelf()
        self._kept: dict[tuple[str, int], DocumentIndex] = {}
        self._index: MatterIndex | None = None
        self._key: tuple[object, ...] = ()

    def ask(
        self,
        question: str,
        history: Sequence[str],
        ids: Sequence[str],
        documents: Sequence[Document],
        folder: Path | None,
        encoder: Encoder,
        progress: Callable[[str, int, int], None],
        cancelled: Callable[[], bool],
        ranking: Mapping[str, float] | None = None,
    ) -> Answer:
        """Answer from the documents ``ids``, in this order.

        Args:
            documents: those of them that may have to be indexed first.
            folder: keeps the indexes between sessions; None keeps them in memory.
            ranking: weights for this question, over those that the data folder's ``ranking.json`` has.

        Raises:
            EncodingCancelled: ``cancelled`` answered True.
            MissingIndex: one of ``ids`` is neither indexed nor among ``documents``.
            BadRanking: a weight is none, in ``ranking`` or in the file.
        """
        from engine.retrieval.answer import answer_question
        from engine.retrieval.ranking import ranking_settings
        from engine.states.snapshot import encoder_key

        weights = ranking_settings(checked_ranking({**load_ranking(data_dir()), **(ranking or {})}))
        home = None if folder is None else folder / f"{encoder_key(encoder):016x}"
        given = {document.id: document for document in documents}
        indexes = []
        for i, identity in enumerate(ids):
            progress("indexing", i, len(ids))
            indexes.append(self._document(identity, given.get(identity), home, encoder, cancelled))
        progress("answering", 0, 1)
        knowledge = self._shelf.current()
        return answer_question(self._opened(indexes, home), encoder, question, history, weights, knowledge)

    def _document(
        self,
        identity: str,
        document: Document | None,
        home: Path | None,
        encoder: Encoder,
        cancelled: Callable[[], bool],
    ) -> DocumentIndex:
        from engine.anchors.extract import extract_anchors
        from engine.retrieval.document_index import build_document_index, load_document_index, save_document_index
        from engine.states.snapshot import encoder_key

        key = (identity, encoder_key(encoder))
        index = self._kept.get(key)
        if index is None and home is not None:
            index = load_document_index(home, identity, key[1])
        if index is None:
            if document is None:
                raise MissingIndex(identity)
            anchors = sorted(extract_anchors(document), key=lambda anchor: anchor.start)
            index = build_document_index(document, anchors, encoder, cancelled=cancelled)
            if home is not None:
                save_document_index(home, index)
                # From now on mapped, so that the snapshots need no memory.
                index = load_document_index(home, identity, key[1]) or index
        self._kept.pop(key, None)
        self._kept[key] = index
        while len(self._kept) > _MOST_KEPT:
            del self._kept[next(iter(self._kept))]
        return index

    def _opened(self, indexes: Sequence[DocumentIndex], home: Path | None) -> MatterIndex:
        from engine.retrieval.matter_index import MatterIndex

        key = (home, *((index.kept.document, index.kept.encoder) for index in indexes))
        if self._index is None or key != self._key:
            if self._index is not None:
                self._index.close()
                self._index = None
            self._index, self._key = MatterIndex(indexes, home), key
        return self._index


class MissingIndex(Exception):
    """A document has no index and did not come along; ``args[0]`` is its id."""
