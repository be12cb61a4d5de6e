"""Storing a document's text from another thread while the matter is in use."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest

from engine.document import CharacterBoxes, Clause, ClauseKind, Document, Media, pack, unpack
from engine.matter import Matter, MatterMissing, ReadOnlyFolder, store_document

TEXT = "1. Payment within 30 days."
CLAUSE = Clause("c0", "1", (1,), "1.", "Payment", 0, ClauseKind.CLAUSE, 0, len(TEXT), 3, "", 0, "en")
DOCUMENT = Document(
    "sha256:1", "a.txt", Media.TEXT, "en", TEXT, (), (CLAUSE,), (), (), (), CharacterBoxes.empty()
)  # fmt: skip


def store(path: Path) -> None:
    store_document(path, DOCUMENT.id, "a.txt", "/a.txt", "text", pack(DOCUMENT), "master", DOCUMENT.clauses)


@pytest.fixture
def matter(tmp_path: Path):
    with Matter.create(tmp_path / "deal.antinomy") as opened:
        opened.add_document(DOCUMENT.id, "a.txt", "/a.txt", "text", None)
        yield opened


def test_it_is_there_for_the_matter_that_is_open(matter):
    thread = threading.Thread(target=store, args=(matter.path,))
    thread.start()
    thread.join()
    (record,) = matter.documents()
    assert (record.id, record.has_text, record.position) == (DOCUMENT.id, True, 0)
    packed = matter.packed_document(DOCUMENT.id)
    assert packed is not None
    assert unpack(packed).text == TEXT


def test_it_waits_for_the_matter_s_own_change(matter):
    thread = threading.Thread(target=store, args=(matter.path,))
    with matter.transaction() as db:
        thread.start()
        db.execute("INSERT INTO setting VALUES ('page', '7')")
        assert not matter.documents()[0].has_text
    thread.join()
    assert matter.setting("page") == "7"
    assert matter.documents()[0].has_text


def test_a_change_that_begins_with_reading_cannot_be_overtaken(matter):
    other = sqlite3.connect(matter.path, timeout=0, isolation_level=None)
    try:
        with matter.transaction() as db:
            assert db.execute("SELECT count(*) FROM setting").fetchone()
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                other.execute("INSERT INTO setting VALUES ('page', '8')")
            db.execute("INSERT INTO setting VALUES ('page', '7')")
    finally:
        other.close()
    assert matter.setting("page") == "7"


def test_a_matter_that_is_gone_is_said(tmp_path):
    with pytest.raises((MatterMissing, ReadOnlyFolder)):
        store(tmp_path / "none" / "deal.antinomy")
