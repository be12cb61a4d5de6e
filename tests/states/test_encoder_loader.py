"""The small loader against the library it replaces, and on input that is not ordinary."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import load_file, save_file

from engine.states.encoder import (
    BertEncoder,
    EncoderError,
    EncodingCancelled,
    batches,
    english_folder,
    load_encoder,
    load_folder,
)

SENTENCES = [
    "The Buyer shall pay each invoice within thirty (30) days after its date.",
    "Neither party may assign this Agreement without the prior written consent of the other.",
    "Title passes on delivery.",
    "a",
    "The Supplier shall deliver. " * 90,
    "Ünïcödé, 中文 and 🎉 in one line",
]


@pytest.fixture(scope="module")
def exact() -> BertEncoder:
    return load_folder(english_folder(), precision="float32")


def test_it_equals_sentence_transformers(exact: BertEncoder) -> None:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(english_folder()), device="cpu")
    reference = model.encode(SENTENCES, normalize_embeddings=True, show_progress_bar=False)
    assert np.abs(exact.encode(SENTENCES) - reference).max() < 1e-5


def test_vectors_are_unit_and_do_not_depend_on_company(exact: BertEncoder) -> None:
    together = exact.encode(SENTENCES)
    assert together.dtype == np.float32
    assert together.shape == (len(SENTENCES), 384)
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    for i, sentence in enumerate(SENTENCES):
        assert np.abs(exact.encode([sentence])[0] - together[i]).max() < 1e-5


def test_the_same_twice() -> None:
    first, second = load_encoder("en"), load_encoder("en")
    assert np.array_equal(first.encode(SENTENCES), second.encode(SENTENCES))


def test_empty_texts_are_zero(exact: BertEncoder) -> None:
    vectors = exact.encode(["", "   ", "Payment is due."])
    assert not vectors[:2].any()
    assert vectors[2].any()
    assert exact.encode([]).shape == (0, 384)


def test_token_states_have_spans_in_the_text(exact: BertEncoder) -> None:
    text = "The Buyer shall pay."
    (tokens,) = exact.encode_tokens([text])
    assert tokens.states.shape == (len(tokens.spans), 384)
    assert [text[start:end] for start, end in tokens.spans] == ["The", "Buyer", "shall", "pay", "."]


def test_a_cancel_is_asked_for_before_each_batch(exact: BertEncoder) -> None:
    asked = []

    def cancelled() -> bool:
        asked.append(None)
        return len(asked) > 2

    with pytest.raises(EncodingCancelled):
        exact.encode([SENTENCES[0]] * 500, cancelled=cancelled)
    assert len(asked) == 3


@given(st.lists(st.integers(0, 300), max_size=60), st.integers(1, 2048))
def test_batches_hold_each_text_once_and_keep_the_budget(lengths: list[int], budget: int) -> None:
    groups = list(batches(lengths, budget))
    assert sorted(i for group in groups for i in group) == list(range(len(lengths)))
    for group in groups:
        assert len(group) == 1 or max(1, *(lengths[i] for i in group)) * len(group) <= budget


def test_a_folder_that_is_not_there(tmp_path) -> None:
    with pytest.raises(EncoderError, match="not a readable"):
        load_encoder("en", str(tmp_path / "nothing"))


def test_weights_cut_off(tmp_path) -> None:
    for name in ("config.json", "sentence_bert_config.json", "tokenizer.json"):
        shutil.copy(english_folder() / name, tmp_path)
    with (english_folder() / "model.safetensors").open("rb") as whole:
        (tmp_path / "model.safetensors").write_bytes(whole.read(1000))
    with pytest.raises(EncoderError, match="not a readable"):
        load_folder(tmp_path)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("encoder.layer.3.intermediate.dense.weight", (384, 1536)),
        ("encoder.layer.0.attention.self.query.weight", (384, 100)),
        ("encoder.layer.5.output.LayerNorm.bias", (1,)),
        ("embeddings.position_embeddings.weight", (12, 384)),
        ("embeddings.word_embeddings.weight", (7, 384)),
        ("embeddings.word_embeddings.weight", (30522, 100)),
        ("encoder.layer.2.output.dense.weight", None),
    ],
)
def test_weights_of_the_wrong_shape(tmp_path, name: str, wrong: tuple[int, ...] | None) -> None:
    for other in ("config.json", "sentence_bert_config.json", "tokenizer.json"):
        shutil.copy(english_folder() / other, tmp_path)
    weights = load_file(english_folder() / "model.safetensors")
    if wrong is None:
        del weights[name]
    else:
        weights[name] = torch.zeros(wrong)
    save_file(weights, tmp_path / "model.safetensors")
    with pytest.raises(EncoderError, match="do not fit together"):
        load_folder(tmp_path)


def test_a_model_of_another_kind(tmp_path) -> None:
    for name in ("config.json", "sentence_bert_config.json", "tokenizer.json", "model.safetensors"):
        shutil.copy(english_folder() / name, tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(config | {"hidden_size": 768}))
    with pytest.raises(EncoderError, match="another kind"):
        load_folder(tmp_path)


def test_weights_that_are_not_numbers(tmp_path) -> None:
    import torch
    from safetensors.torch import load_file, save_file

    for name in ("config.json", "sentence_bert_config.json", "tokenizer.json"):
        shutil.copy(english_folder() / name, tmp_path)
    weights = load_file(english_folder() / "model.safetensors")
    weights["embeddings.LayerNorm.weight"] = torch.full((384,), float("nan"))
    save_file(weights, tmp_path / "model.safetensors")
    with pytest.raises(EncoderError, match="damaged"):
        load_folder(tmp_path)
