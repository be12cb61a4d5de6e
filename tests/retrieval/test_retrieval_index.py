"""The index: chunks hold every sentence, files come back as they were, damage is built anew."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from engine.anchors.extract import extract_anchors
from engine.retrieval.chunks import chunks_of, shown_to_encoder
from engine.retrieval.document_index import (
    DocumentIndex,
    Kept,
    build_document_index,
    delete_document_index,
    load_document_index,
    part_of,
    paths_of,
    save_document_index,
)
from engine.retrieval.lexical import LexicalIndex
from engine.retrieval.matter_index import MatterIndex, Place, vector_index
from engine.states.encoder import never
from engine.states.ngrams import NgramEncoder
from engine.states.snapshot import encoder_key, token_spans


def test_chunks_hold_every_sentence_once_and_in_order(english, chinese):
    for document in (english, chinese):
        chunks = chunks_of(document)
        held = [span for chunk in chunks for span in chunk.sentences]
        assert held == sorted(held)
        wanted = {
            (s.start, s.end)
            for s in document.sentences
            if document.clause_by_id[s.clause].kind not in ("contents", "signature")
        }
        assert set(held) == wanted
        for chunk in chunks:
            assert (chunk.start, chunk.end) == (chunk.sentences[0][0], chunk.sentences[-1][1])


def test_a_chunk_is_shown_with_its_heading(english):
    chunk = next(c for c in chunks_of(english) if "thirty" in english.text[c.start : c.end])
    assert chunk.number.startswith("1")
    assert shown_to_encoder(english, chunk).startswith("Payment: The Buyer")


def test_files_come_back_as_they_were(english, index_of, encoder, tmp_path):
    index = index_of(english)
    save_document_index(tmp_path, index)
    again = load_document_index(tmp_path, english.id, encoder_key(encoder))
    assert again is not None
    assert again.kept == index.kept
    for one, other in zip(index[1:], again[1:], strict=True):
        np.testing.assert_array_equal(one, other)
    assert isinstance(again.blocks, np.memmap)
    assert load_document_index(tmp_path, english.id, 1) is None
    delete_document_index(tmp_path, english.id)
    assert [path.name for path in tmp_path.iterdir()] == ["supply.txt"]
    assert load_document_index(tmp_path, english.id, encoder_key(encoder)) is None
    delete_document_index(tmp_path, english.id)


@pytest.mark.parametrize("which", range(4))
@pytest.mark.parametrize("damage", ["cut", "gone", "rubbish"])
def test_a_damaged_file_is_no_index(english, index_of, encoder, tmp_path, which, damage):
    save_document_index(tmp_path, index_of(english))
    path = paths_of(tmp_path, english.id)[which]
    if damage == "gone":
        path.unlink()
    else:
        data = path.read_bytes()
        path.write_bytes(data[: len(data) // 2] if damage == "cut" else b"\x00rubbish")
    assert load_document_index(tmp_path, english.id, encoder_key(encoder)) is None


def test_near_and_worded_agree_on_places(matter, encoder):
    (vector,) = encoder.encode(["Each party shall keep the other's information secret"])
    nearest = matter.near(vector, 3)
    assert "secret" in words_at(matter, nearest[0][0])
    assert [p.document for p, _ in matter.near(vector, 3, [1])] == [1] * len(matter.near(vector, 3, [1]))
    assert "secret" in words_at(matter, matter.worded("secret information", 3)[0][0])
    assert "押金" in words_at(matter, matter.worded("押金何时退还", 3)[0][0])
    assert matter.worded("secret information", 3, [1]) == []
    assert matter.worded("", 3) == matter.worded("of the", 3) == []
    assert matter.near(vector, 3, []) == []


def words_at(matter: MatterIndex, place: Place) -> str:
    return matter.documents[place.document].kept.words[place.chunk]


def test_forms_of_a_word_meet(tmp_path):
    words = LexicalIndex()
    words.add(0, [("", "Termination on notice"), ("", "The parties assigned it")])
    assert [c for _, c, _ in words.search("can a party terminate?", 5)] == [0, 1]
    assert [c for _, c, _ in words.search("assignment", 5)] == [1]
    words.close()


def test_an_empty_matter(encoder):
    matter = MatterIndex([])
    assert len(matter) == 0
    assert matter.near(np.ones(384, np.float32), 3) == []
    assert matter.worded("payment", 3) == []
    matter.close()


def test_documents_of_two_encoders_are_refused(english, chinese, index_of):
    one, other = index_of(english), index_of(chinese)
    other = other._replace(kept=msgspec.structs.replace(other.kept, encoder=7))
    with pytest.raises(ValueError, match="different encoders"):
        MatterIndex([one, other])


def test_the_lexical_index_changes_document_by_document(tmp_path):
    path = tmp_path / "words.sqlite"
    words = LexicalIndex(path)
    words.add(0, [("Payment", "The Buyer pays"), ("", 'quotes " and * OR NEAR( are words')])
    words.add(3, [("", "The Seller delivers")])
    words.close()
    words = LexicalIndex(path)
    assert [(d, c) for d, c, _ in words.search("who pays?", 5)] == [(0, 0)]
    assert [(d, c) for d, c, _ in words.search('"quotes" NEAR( * -', 5)] == [(0, 1)]
    words.add(0, [("", "nothing of it any more")])
    assert words.search("pays", 5) == []
    words.close()


TEXTS = {"a": [("", "The Buyer pays")], "b": [("", "The Seller delivers")], "c": [("", "The Agent reports")]}


def test_the_lexical_index_holds_what_the_matter_holds(tmp_path):
    asked = []

    def texts(ids):
        def of(place):
            asked.append(ids[place])
            return TEXTS[ids[place]]

        return of

    path = tmp_path / "words.sqlite"
    words = LexicalIndex(path)
    assert words.keep("ab", texts("ab")) == [0, 1]
    words.close()
    words = LexicalIndex(path)
    numbers = words.keep("ca", texts("ca"))
    assert asked == ["a", "b", "c"]
    assert [d for d, _, _ in words.search("agent", 5)] == numbers[:1]
    assert [d for d, _, _ in words.search("buyer", 5)] == numbers[1:]
    assert words.search("seller", 5) == []
    words.close()


@pytest.mark.parametrize("damage", [b"rubbish" * 100, None])
def test_a_damaged_lexical_index_is_begun_anew(tmp_path, damage):
    path = tmp_path / "words.sqlite"
    words = LexicalIndex(path)
    words.keep("a", lambda _: TEXTS["a"])
    words.close()
    path.write_bytes(damage if damage is not None else path.read_bytes()[:100])
    words = LexicalIndex(path)
    assert words.keep("a", lambda _: TEXTS["a"]) == [0]
    assert len(words.search("buyer", 5)) == 1
    words.close()


def test_a_lexical_index_that_cannot_be_made(tmp_path):
    with pytest.raises(OSError, match="unable to open"):
        LexicalIndex(tmp_path / "no folder" / "words.sqlite")


def test_a_matter_is_opened_where_it_lies(english, chinese, index_of, encoder, tmp_path):
    indexes = [index_of(english), index_of(chinese)]
    first = MatterIndex(indexes, tmp_path / "home")
    wanted = first.worded("押金何时退还", 3)
    first.close()
    # Their order may change; another document may come and go.
    again = MatterIndex(indexes[::-1], tmp_path / "home")
    assert [(1 - p.document, p.chunk) for p, _ in again.worded("押金何时退还", 3)] == [tuple(p) for p, _ in wanted]
    again.close()
    alone = MatterIndex(indexes[:1], tmp_path / "home")
    assert alone.worded("押金何时退还", 3) == []
    alone.close()


def test_many_chunks_are_searched_by_trained_cells(tmp_path):
    chance = np.random.default_rng(0)
    vectors = chance.normal(size=(3000, 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    kept = Kept(1, "many", "", "en", 0, "", (), (), ())
    many = DocumentIndex(kept, vectors, np.zeros((0, 16384), np.uint8), np.zeros((0, 3), np.int32))
    cells = vector_index([many], tmp_path, exact=1000)
    (file,) = tmp_path.glob("*.cells")
    found = [int(cells.search(vector.reshape(1, -1), 1)[1][0, 0]) for vector in vectors[:50]]
    assert sum(row == i for i, row in enumerate(found)) >= 48
    written = file.stat().st_mtime_ns
    again = vector_index([many], tmp_path, exact=1000)
    assert [int(again.search(vector.reshape(1, -1), 1)[1][0, 0]) for vector in vectors[:50]] == found
    assert file.stat().st_mtime_ns == written
    file.write_bytes(b"rubbish")
    assert vector_index([many], tmp_path, exact=1000).ntotal == 3000


# --- one pass -----------------------------------------------------------------------------------------------------


class Counting(NgramEncoder):
    """Remembers what it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def encode(self, texts, *, cancelled=never):
        self.texts += texts
        return super().encode(texts, cancelled=cancelled)

    def encode_tokens(self, texts, *, cancelled=never):
        self.texts += texts
        return super().encode_tokens(texts, cancelled=cancelled)


def test_each_chunk_is_encoded_once(english):
    encoder = Counting()
    index = build_document_index(english, extract_anchors(english), encoder)
    assert encoder.texts == [shown_to_encoder(english, chunk) for chunk in index.kept.chunks]
    np.testing.assert_allclose(np.linalg.norm(index.vectors, axis=1), 1, atol=1e-5)
    spans = token_spans(index.blocks)
    for chunk, picks in zip(index.kept.chunks, index.picks.tolist(), strict=True):
        for pick, (start, end) in zip(picks, (chunk.sentences[0], chunk.sentences[-1]), strict=False):
            kept = spans[pick][spans[pick][:, 0] >= 0]
            assert len(kept)
            assert kept.min() >= start
            assert kept.max() <= end


def test_a_part_of_a_text_keeps_its_own_tokens():
    (whole,) = NgramEncoder().encode_tokens(["Payment: The Buyer pays."])
    part = part_of(whole, 9, 18)
    assert part.spans[0] == (0, 1)
    assert part.spans[-1] == (8, 9)
    assert len(part.states) == len(part.spans) == 8
    assert part_of(whole, 100, 200).spans == ()
