"""Layer-norm deltas on a small random model: they bring names of one thing nearer, and say how far they moved it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from engine.states.adaptation import anchor_drift_score, contrast_sentences, fit_deltas, load_deltas, save_deltas
from engine.states.bert import NORMS, Bert, BertShape
from engine.states.device import DeviceRunner
from engine.states.encoder import BertEncoder, EncoderError
from engine.states.knowledge_pack import Concept, Pack
from engine.states.snapshot import encoder_key

PACK = Pack(
    "small",
    "en",
    "Small",
    (
        Concept("supplier", "role", ("Supplier", "Vendor", "Seller")),
        Concept("customer", "role", ("Customer", "Client", "Buyer")),
        Concept("fee", "money", ("Fee", "Charge")),
        Concept("alone", "money", ("Rent",)),
    ),
)


def weights(layers: int, inner: int = 32) -> dict[str, torch.Tensor]:
    chance = torch.Generator().manual_seed(3)

    def some(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=chance) * 0.05

    found = {
        "embeddings.position_embeddings.weight": some(64, 384),
        "embeddings.token_type_embeddings.weight": some(2, 384),
        "embeddings.LayerNorm.weight": torch.ones(384),
        "embeddings.LayerNorm.bias": torch.zeros(384),
    }
    for i in range(layers):
        at = f"encoder.layer.{i}."
        for name, shape in (
            ("attention.self.query", (384, 384)), ("attention.self.key", (384, 384)),
            ("attention.self.value", (384, 384)), ("attention.output.dense", (384, 384)),
            ("intermediate.dense", (inner, 384)), ("output.dense", (384, inner)),
        ):  # fmt: skip
            found[f"{at}{name}.weight"], found[f"{at}{name}.bias"] = some(*shape), some(shape[0])
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            found[f"{at}{name}.weight"], found[f"{at}{name}.bias"] = torch.ones(384), torch.zeros(384)
    return found


@pytest.fixture(scope="module")
def encoder() -> BertEncoder:
    words = sorted({w.lower() for text, *_ in contrast_sentences(PACK) for w in text.replace(".", " .").split()})
    vocabulary = {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, **{word: i + 3 for i, word in enumerate(words)}}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    table = torch.randn(len(vocabulary), 384, generator=torch.Generator().manual_seed(4))
    bert = Bert(weights(3), BertShape(3, 12, 384, 1e-12, 64), torch.float32)
    runner = DeviceRunner(bert, lambda: bert)
    return BertEncoder("small", tokenizer, runner, lambda ids: table[ids], precision="float32", limit=64)


def test_sentences_name_each_concept_by_each_of_its_names() -> None:
    sentences = contrast_sentences(PACK)
    assert [text[a:b] for text, a, b, _ in sentences] == [
        "Supplier", "Vendor", "Seller", "Customer", "Client", "Buyer", "Fee", "Charge",
    ]  # fmt: skip
    assert [number for *_, number in sentences] == [0, 0, 0, 1, 1, 1, 2, 2]


def test_fitting_lowers_the_loss_and_moves_the_states_a_little(encoder: BertEncoder) -> None:
    fitted = fit_deltas(encoder, PACK, steps=8)
    assert fitted.loss_after < fitted.loss_before
    assert fitted.deltas.keys() == {f"{layer}.{name}" for layer in (1, 2) for name in NORMS}
    adapted = encoder.with_deltas(fitted.deltas, "small")
    texts = [text for text, *_ in contrast_sentences(PACK)]
    assert 0 < anchor_drift_score(encoder, adapted, texts) < 0.5
    assert anchor_drift_score(encoder, encoder, texts) == pytest.approx(0, abs=1e-6)
    assert anchor_drift_score(encoder, adapted, []) == 0
    assert encoder_key(adapted) != encoder_key(encoder)
    again = fit_deltas(encoder, PACK, steps=8)
    assert all(torch.equal(again.deltas[name], delta) for name, delta in fitted.deltas.items())


def test_the_encoder_itself_is_not_touched(encoder: BertEncoder) -> None:
    before = encoder.encode(["The Vendor ."])
    deltas = {f"2.{name}": torch.ones(384) for name in NORMS}
    adapted = encoder.with_deltas(deltas, "x")
    assert not np.allclose(adapted.encode(["The Vendor ."]), before, atol=1e-3)
    assert np.array_equal(encoder.encode(["The Vendor ."]), before)


def test_deltas_survive_the_disk_and_belong_to_one_encoder(encoder: BertEncoder, tmp_path: Path) -> None:
    deltas = {f"2.{name}": torch.randn(384) for name in NORMS}
    path = tmp_path / "small.deltas"
    save_deltas(path, deltas, encoder.name)
    found = load_deltas(path, encoder)
    assert all(torch.equal(found[name], deltas[name]) for name in deltas)
    save_deltas(path, deltas, "another")
    with pytest.raises(EncoderError, match="another"):
        load_deltas(path, encoder)
    save_deltas(path, {"2.norm1.w": torch.full((384,), torch.nan)}, encoder.name)
    with pytest.raises(EncoderError, match="damaged"):
        load_deltas(path, encoder)
    path.write_bytes(b"nothing")
    with pytest.raises(EncoderError, match="cannot be read"):
        load_deltas(path, encoder)


def test_a_pack_without_names_cannot_be_fitted(encoder: BertEncoder) -> None:
    with pytest.raises(EncoderError, match="too few"):
        fit_deltas(encoder, Pack("none", "en", "None", ()))
