"""The lexical index: SQLite's FTS5 over stemmed words and Chinese pairs, ranked by BM25."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from engine.retrieval.words import index_words

log = logging.getLogger(__name__)

#: Documents are numbered; a chunk's row id is its document's number times this, plus its place.
CHUNKS_PER_DOCUMENT = 1 << 20
#: Questions are short; of a pasted page only so many different words are asked for.
_MOST_WORDS = 48
_FURTHER = 4


#: Raised whenever words are cut or kept otherwise; an index of another version is built anew.
VERSION = 1


class LexicalIndex:
    """Which chunks hold a question's words. Documents have numbers, given by :meth:`keep`. Not thread-safe;
    :meth:`close` when done."""

    def __init__(self, path: Path | None = None) -> None:
        """``path`` keeps it between sessions; without one it lives in memory. A damaged file is begun anew.

        Raises:
            OSError: the file cannot be made, or another process is writing it.
        """
        try:
            self._db = self._opened(path)
        except sqlite3.OperationalError as error:
            # Locked or not writable: sound, and another's.
            raise OSError(f"{path}: {error}") from error
        except sqlite3.DatabaseError as error:
            if path is None:
                raise
            log.warning("%s is begun anew: %s", path, error)
            for ending in ("", "-wal", "-shm"):
                path.with_name(path.name + ending).unlink(missing_ok=True)
            try:
                self._db = self._opened(path)
            except sqlite3.DatabaseError as again:
                raise OSError(f"{path}: {again}") from again

    def _opened(self, path: Path | None) -> sqlite3.Connection:
        db = sqlite3.connect(path if path is not None else ":memory:", isolation_level=None)
        try:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = NORMAL")
            if db.execute("PRAGMA user_version").fetchone()[0] != VERSION:
                db.execute("DROP TABLE IF EXISTS chunk")
                db.execute("DROP TABLE IF EXISTS document")
                db.execute("CREATE TABLE document (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE) STRICT")
                db.execute("CREATE VIRTUAL TABLE chunk USING fts5(heading, words, tokenize = 'porter unicode61')")
                db.execute(f"PRAGMA user_version = {VERSION}")
            db.execute("SELECT count(*) FROM document").fetchone()
        except BaseException:
            db.close()
            raise
        return db

    def keep(self, ids: Sequence[str], texts: Callable[[int], Iterable[tuple[str, str]]]) -> list[int]:
        """Hold exactly these documents, each with its number: others are forgotten, new ones are added.

        ``texts`` gives the chunks of the document at a place of ``ids``; it is asked for new ones alone.
        """
        held = {identity: number for number, identity in self._db.execute("SELECT number, id FROM document")}
        for identity in held.keys() - set(ids):
            self._forget(held.pop(identity))
        fresh = max(held.values(), default=-1) + 1
        for place, identity in enumerate(ids):
            if identity not in held:
                self.add(fresh, texts(place))
                self._db.execute("INSERT INTO document VALUES (?, ?)", (fresh, identity))
                held[identity] = fresh
                fresh += 1
        return [held[identity] for identity in ids]

    def _forget(self, number: int) -> None:
        # The name goes first: chunks without one are overwritten, a name without chunks would find nothing.
        self._db.execute("DELETE FROM document WHERE number = ?", (number,))
        self._delete(number)

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

    def _delete(self, document: int) -> None:
        low = document * CHUNKS_PER_DOCUMENT
        self._db.execute("DELETE FROM chunk WHERE rowid >= ? AND rowid < ?", (low, low + CHUNKS_PER_DOCUMENT))

    def search(
        self,
        question: str,
        most: int,
        documents: Sequence[int] | None = None,
        others: Sequence[str] = (),
        share: float = 0.0,
    ) -> list[tuple[int, int, float]]:
        """The best chunks as (document, place, score), best first; scores are BM25's, greater is better.

        A heading's word counts twice. ``documents`` keeps the search to some. ``others`` are words that a clause may
        use for the question's (:mod:`engine.retrieval.wording`); they count ``share`` of their BM25.
        """
        words = list(dict.fromkeys(index_words(question)))[:_MOST_WORDS]
        if not others or not share:
            return self._matched(words, most, documents)
        # What only one of the two searches brings has lost the other's points: both look further than is asked.
        scores = {(d, c): score for d, c, score in self._matched(words, _FURTHER * most, documents)}
        for d, c, score in self._matched(list(others), _FURTHER * most, documents):
            scores[d, c] = scores.get((d, c), 0.0) + share * score
        best = sorted(scores.items(), key=lambda each: (-each[1], each[0]))[:most]
        return [(d, c, score) for (d, c), score in best]

    def _matched(
        self, words: Sequence[str], most: int, documents: Sequence[int] | None
    ) -> list[tuple[int, int, float]]:
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
