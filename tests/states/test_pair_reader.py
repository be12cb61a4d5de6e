"""Two texts read together: additions merged into the matrices, files that do not fit, cancelling."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from engine.states.encoder import BertEncoder, EncoderError, EncodingCancelled, english_folder, load_folder
from engine.states.pair_reader import HEAD, MATRICES, MOST_TOKENS, OtherEncoder, PairReader, joined

TEXTS = [
    "The Buyer shall pay each invoice within thirty days.",
    "The Buyer shall not pay any invoice.",
    "Notices are sent by mail.",
    "",
    "The Seller shall deliver the goods " + "and the spare parts " * 200,
]
PAIRS = [(0, 1), (0, 2), (1, 2), (3, 0), (4, 0), (4, 3)]


@pytest.fixture(scope="module")
def encoder() -> BertEncoder:
    return load_folder(english_folder(), precision="float32")


@pytest.fixture
def weights(encoder: BertEncoder, tmp_path: Path) -> Callable[..., Path]:
    def make(scale: float = 0.05, meant: str = encoder.weights, without: str = "") -> Path:
        generator = torch.Generator().manual_seed(5)
        tensors = {
            "first.w": torch.randn(HEAD, 768, generator=generator) / 27,
            "first.b": torch.zeros(HEAD),
            "last.w": torch.randn(1, HEAD, generator=generator),
            "last.b": torch.zeros(1),
        }
        for number, layer in enumerate(encoder.bert.matrices()):
            for name in MATRICES:
                rows, columns = layer[name].shape
                tensors[f"{number}.{name}.down"] = torch.randn(4, columns, generator=generator).bfloat16()
                tensors[f"{number}.{name}.up"] = (torch.randn(rows, 4, generator=generator) * scale / 20).bfloat16()
        tensors.pop(without, None)
        path = tmp_path / "additions.safetensors"
        save_file(tensors, path, metadata={"encoder": meant})
        return path

    return make


def test_each_pair_gets_its_own_whatever_stands_beside_it(encoder: BertEncoder, weights: Callable[..., Path]) -> None:
    reader = PairReader(encoder, weights())
    together = reader.log_odds(TEXTS, PAIRS)
    assert together.shape == (len(PAIRS),)
    assert np.isfinite(together).all()
    for pair, found in zip(PAIRS, together, strict=True):
        assert reader.log_odds(TEXTS, [pair])[0] == pytest.approx(found, abs=2e-3)
    assert np.array_equal(together, reader.log_odds(TEXTS, PAIRS))


def test_additions_change_what_is_read_and_leave_the_encoder_as_it_was(
    encoder: BertEncoder, weights: Callable[..., Path]
) -> None:
    before = encoder.encode(TEXTS[:3])
    plain = PairReader(encoder, weights(scale=0.0)).log_odds(TEXTS, PAIRS)
    added = PairReader(encoder, weights()).log_odds(TEXTS, PAIRS)
    assert np.abs(plain - added).max() > 1e-3
    assert np.array_equal(before, encoder.encode(TEXTS[:3]))


def test_long_texts_keep_their_marks(encoder: BertEncoder) -> None:
    first, second = encoder.token_ids([TEXTS[4], TEXTS[0]])
    both = joined(first, second)
    assert len(both) == MOST_TOKENS + len(second) - 1
    assert both[0] == first[0]
    assert both.count(first[-1]) == 2


def test_progress_is_told_and_cancelling_is_heard(encoder: BertEncoder, weights: Callable[..., Path]) -> None:
    reader = PairReader(encoder, weights())
    told: list[int] = []
    reader.log_odds(TEXTS, PAIRS, done=told.append)
    assert sum(told) == len(PAIRS)
    with pytest.raises(EncodingCancelled):
        reader.log_odds(TEXTS, PAIRS, cancelled=lambda: True)
    assert reader.log_odds(TEXTS, []).shape == (0,)


def test_files_that_do_not_fit_are_refused(
    encoder: BertEncoder, weights: Callable[..., Path], tmp_path: Path
) -> None:
    with pytest.raises(OtherEncoder, match="not for"):
        PairReader(encoder, weights(meant="another"))
    with pytest.raises(EncoderError, match="cannot be used"):
        PairReader(encoder, weights(without="3.up.w.down"))
    with pytest.raises(EncoderError, match="cannot be used"):
        PairReader(encoder, tmp_path / "missing.safetensors")
    broken = tmp_path / "broken.safetensors"
    broken.write_bytes(b"not weights at all")
    with pytest.raises(EncoderError, match="cannot be used"):
        PairReader(encoder, broken)
