"""The multilingual encoder's file read by hand, and what stands in for it when it is not installed."""

from __future__ import annotations

import numpy as np
import pytest

from engine.states.e5 import load_e5, weights_path
from engine.states.e5_file import DamagedModel, read_file, unpack_q4
from engine.states.encoder import EncoderError, EncodingCancelled, load_encoder
from engine.states.ngrams import NgramEncoder

PAY = "甲方应在收到发票后三十日内支付货款。"
PAY_ALSO = "买方须于收票后30天内付清价款。"
ASSIGN = "乙方不得转让本合同。"


def test_q4_blocks() -> None:
    scale = np.array([0.5], np.float16).view(np.uint8)
    block = np.concatenate((scale, np.arange(16, dtype=np.uint8) | 0x90))
    row = unpack_q4(block[None, :])[0]
    assert np.array_equal(row[:16], (np.arange(16) - 8) * 0.5)
    assert np.array_equal(row[16:], np.full(16, 0.5))


def test_damaged_files(tmp_path) -> None:
    path = tmp_path / "model.bin"
    path.write_bytes(b"GGUF" + bytes(100))
    with pytest.raises(DamagedModel):
        read_file(path)
    path.write_bytes(b"E5S1" + bytes(30))
    with pytest.raises(DamagedModel):
        read_file(path)
    with pytest.raises(EncoderError, match="cannot be used"):
        load_e5(path)


def test_chinese_gets_the_best_encoder_there_is() -> None:
    encoder = load_encoder("zh")
    assert encoder.name == ("multilingual-e5-small" if weights_path() else "character n-grams")
    assert bool(encoder.notice) == (weights_path() is None)
    vectors = encoder.encode([PAY, PAY_ALSO, ASSIGN, ""])
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2]
    assert not vectors[3].any()
    (tokens,) = encoder.encode_tokens([PAY])
    assert "".join(PAY[start:end] for start, end in tokens.spans) == PAY
    assert tokens.states.shape == (len(tokens.spans), 384)


def test_ngrams_need_no_model() -> None:
    encoder = NgramEncoder()
    vectors = encoder.encode([PAY, "甲方应当在收到发票后30日内支付货款。", ASSIGN])
    assert vectors[0] @ vectors[1] > 0.5 > vectors[0] @ vectors[2]
    assert np.array_equal(vectors, NgramEncoder().encode([PAY, "甲方应当在收到发票后30日内支付货款。", ASSIGN]))
    assert encoder.encode_tokens([ASSIGN])[0].states.shape == (len(ASSIGN), 384)
    with pytest.raises(EncodingCancelled):
        encoder.encode([PAY], cancelled=lambda: True)
