"""Models that only sentence-transformers reads: states as the small loader gives, other widths, bad folders."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from engine.states.encoder import BrokenStates, EncoderError, english_folder, load_encoder, load_folder
from engine.states.named_model import LibraryEncoder, _columns, load_library_folder

TEXTS = ["The Buyer shall pay each invoice.", "", "Title passes on delivery.", "x " * 400]


def test_it_equals_the_small_loader() -> None:
    ours = load_folder(english_folder(), precision="float32", device="cpu").encode_tokens(TEXTS)
    theirs = load_library_folder(english_folder()).encode_tokens(TEXTS)
    for i in (0, 2):
        assert theirs[i].spans == ours[i].spans
        assert np.abs(theirs[i].states - ours[i].states).max() < 1e-4
        assert np.abs(theirs[i].vector - ours[i].vector).max() < 1e-5
    assert not theirs[1].vector.any()
    assert theirs[3].cut


def test_a_model_with_another_pooling_goes_to_the_library(tmp_path: Path) -> None:
    folder = tmp_path / "cls"
    shutil.copytree(english_folder(), folder)
    config = json.loads((folder / "1_Pooling" / "config.json").read_text())
    config |= {"pooling_mode_mean_tokens": False, "pooling_mode_cls_token": True}
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(config))
    encoder = load_encoder("en", str(folder))
    assert isinstance(encoder, LibraryEncoder)
    assert encoder.encode(TEXTS[:1]).shape == (1, 384)


class Wide:
    """A model of any width, one token a word."""

    max_seq_length = 64

    def __init__(self, width: int, value: float = 1.0) -> None:
        self.width, self.value = width, value

    def get_embedding_dimension(self) -> int:
        return self.width

    def encode(self, texts, **_):
        chance = torch.Generator().manual_seed(1)
        rows = [torch.randn(len(t.split()), self.width, generator=chance) * self.value for t in texts]
        return [{"token_embeddings": r, "sentence_embedding": r.sum(0)} for r in rows]

    def tokenizer(self, texts, **_):
        spans = [[(m, m + len(w)) for w in t.split() for m in [t.index(w)]] for t in texts]
        return {"offset_mapping": spans, "input_ids": [[0] * len(s) for s in spans]}


@pytest.mark.parametrize("width", [100, 384, 768])
def test_any_width_becomes_384(width: int) -> None:
    encoder = LibraryEncoder("wide", Wide(width))
    assert bool(encoder.notice) == (width > 384)
    (tokens,) = encoder.encode_tokens(["one two three"])
    assert tokens.states.shape == (3, 384)
    assert np.linalg.norm(tokens.vector) == pytest.approx(1, abs=1e-5)


def test_turning_keeps_cosines() -> None:
    rows = np.random.default_rng(2).standard_normal((50, 768))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    turned = rows @ _columns(768)
    turned /= np.linalg.norm(turned, axis=1, keepdims=True)
    assert np.abs(rows @ rows.T - turned @ turned.T).max() < 0.2


def test_states_that_are_not_numbers_and_folders_that_are_no_models(tmp_path: Path) -> None:
    with pytest.raises(BrokenStates):
        LibraryEncoder("broken", Wide(384, float("nan"))).encode(["one two"])
    (tmp_path / "config.json").write_text('{"model_type": "nothing"}')
    with pytest.raises(EncoderError, match="no model"):
        load_library_folder(tmp_path)
