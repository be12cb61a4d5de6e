"""The saved form of a Document: the same bytes each time, and never anything but a Document back."""

from __future__ import annotations

import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.document import (
    CharacterBoxes,
    Clause,
    ClauseKind,
    Document,
    Media,
    Notice,
    Page,
    Sentence,
    UnreadableDocument,
    pack,
    unpack,
)


def document_of(text: str, rect: np.ndarray | None = None) -> Document:
    n = len(text)
    boxes = CharacterBoxes(np.zeros((n, 4), np.float32) if rect is None else rect, np.zeros(n, np.int32))
    clause = Clause("c0", "1", (1,), "1", "Heading", 0, ClauseKind.CLAUSE, 0, n, 0, "", 0, "en")
    return Document(
        "sha256:00",
        "a.txt",
        Media.TEXT,
        "en",
        text,
        (Page(0, 595.0, 842.0, 0, n),),
        (clause,),
        (Sentence(0, n, "c0"),),
        (),
        (Notice("no_text_layer", "Page 1 has no text.", 0),),
        boxes,
    )


@given(st.text(), st.integers(0, 2**32 - 1))
def test_a_document_survives_saving_bit_by_bit(text: str, seed: int) -> None:
    # Any bit pattern, NaN and infinities included, must come back as it was.
    bits = np.random.default_rng(seed).integers(0, 2**32, (len(text), 4), dtype=np.uint32)
    document = document_of(text, bits.view(np.float32))
    saved = pack(document)
    again = unpack(saved)
    assert again.text == text
    assert np.array_equal(again.boxes.rect.view(np.uint32), bits)
    assert again.clauses == document.clauses
    assert again.notices == document.notices
    assert pack(again) == saved


def test_a_long_document_survives_saving_in_pieces() -> None:
    n = 70_000
    random = np.random.default_rng(0)
    bits = random.integers(0, 2**32, (n, 4), dtype=np.uint32)
    pages = np.sort(random.integers(0, 30, n)).astype(np.int32)
    document = replace(document_of("条" * n, bits.view(np.float32)), boxes=CharacterBoxes(bits.view(np.float32), pages))
    again = unpack(pack(document))
    assert np.array_equal(again.boxes.rect.view(np.uint32), bits)
    assert np.array_equal(again.boxes.page, pages)
    assert again.text == document.text


def test_boxes_of_another_number_than_they_say_are_refused() -> None:
    plain = zlib.decompress(pack(document_of("ab"))[5:])
    for count in (b"\x93\x01", b"\x93\x03", b"\x93\xff"):
        assert plain.count(b"\x93\x02") == 1
        with pytest.raises(UnreadableDocument):
            unpack(b"ANTD\x01" + zlib.compress(plain.replace(b"\x93\x02", count)))


def test_a_document_without_one_of_its_fields_is_refused() -> None:
    with pytest.raises(UnreadableDocument, match="media"):
        unpack(b"ANTD\x01" + zlib.compress(b"\x82\xa2id\xa1x\xa4name\xa1y"))


def test_a_document_that_keeps_its_saved_form_is_not_packed_again() -> None:
    saved = pack(document_of("Clause 1"))
    assert pack(unpack(saved, keep=True)) is saved
    # What is made from it is another document.
    assert pack(unpack(saved, keep=True).without_boxes()) == pack(document_of("Clause 1").without_boxes())


def test_the_engine_gets_it_without_boxes() -> None:
    small = unpack(pack(document_of("Clause 1").without_boxes()))
    assert small.text == "Clause 1"
    assert len(small.boxes) == 0


def test_cut_off_foreign_and_newer_bytes_are_refused() -> None:
    saved = pack(document_of("Das Übliche. 甲方应付款。" * 50))
    for bad in (b"", b"ANTD", saved[: len(saved) // 2], b"PK\x03\x04" + saved[4:], saved[:4] + b"\xff" + saved[5:]):
        with pytest.raises(UnreadableDocument):
            unpack(bad)


@given(st.integers(6, 400), st.integers(1, 255))
def test_a_flipped_byte_is_refused_or_changes_nothing_but_values(position: int, mask: int) -> None:
    saved = bytearray(pack(document_of("The Buyer shall pay within 30 days. " * 40)))
    saved[position % len(saved)] ^= mask
    try:
        unpack(bytes(saved))
    except UnreadableDocument:
        return
