"""The lexical index: SQLite's FTS5 over stemmed words and Chinese pairs, ranked by BM25."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path

from engine.retrieval.words import index_words

#: Documents are numbered; a chunk's row id is its document's number times this, plus its place.
CHUNKS_PER_DOCUMENT = 1 << 20
#: Questions are short; of a pasted page only so many different words are asked for.
_MOST_WORDS = 48


class LexicalIndex:
    """Which chunks hold a question's words. Not thread-safe; :meth:`close` when done."""

    def __init__(self, path: Path | None = None) -> None:
        """``path`` keeps it between sessions; without one it lives in memory."""
        self._db = sqlite3.connect(path if path is not None else ":memory:", isolation_level=None)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute(
            "CREATE VIRTUAL TABLE IF NOT EXISTS chunk USING fts5(heading, words, tokenize = 'porter unicode61')"
        )

    def add(self, document: int, texts: Iterable[tuple[str, str]]) -> None:
        """Add a document's chunks as (heading, words) in order; what stood under its number is replaced."""
        self._db.execute("BEGIN")
        try:
            self._delete(document)
            self._db.executemany(
                "INSERT INTO chunk (rowid, heading, words) VALUES (?, ?, ?)",
                (
                    (document * CHUNKS_PER_DOCUMENT + i, " ".join(index_words(heading)), " ".join(index_words(words)))
                    for i, (heading, words) in enumerate(texts)
                ),
            )
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def remove(self, document: int) -> None:
        """Forget a document's chunks."""
        self._delete(document)

    def _delete(self, document: int) -> None:
        low = document * CHUNKS_PER_DOCUMENT
        self._db.execute("DELETE FROM chunk WHERE rowid >= ? AND rowid < ?", (low, low + CHUNKS_PER_DOCUMENT))

    def search(
        self, question: str, most: int, documents: Sequence[int] | None = None
    ) -> list[tuple[int, int, float]]:
        """The best chunks as (document, place, score), best first; scores are BM25's, greater is better.

        A heading's word counts twice. ``documents`` keeps the search to some.
        """
        words = list(dict.fromkeys(index_words(question)))[:_MOST_WORDS]
        if not words or (documents is not None and not documents):
            return []
        # Quoted: a word of a contract is never an operator of FTS5's language.
        match = " OR ".join(f'"{word}"' for word in words)
        where = ""
        if documents is not None:
            ranges = (
                f"rowid BETWEEN {d * CHUNKS_PER_DOCUMENT} AND {(d + 1) * CHUNKS_PER_DOCUMENT - 1}" for d in documents
            )
            where = f" AND ({' OR '.join(ranges)})"
        rows = self._db.execute(
            f"SELECT rowid, -bm25(chunk, 2.0, 1.0) AS score FROM chunk WHERE chunk MATCH ?{where}"
            " ORDER BY score DESC, rowid LIMIT ?",
            (match, most),
        )
        return [(row // CHUNKS_PER_DOCUMENT, row % CHUNKS_PER_DOCUMENT, score) for row, score in rows]

    def close(self) -> None:
        """Close the database."""
        self._db.close()
