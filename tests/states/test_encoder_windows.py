"""Long texts, odd characters, chosen layers, models that are broken, and a GPU that runs out of memory or vanishes."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from engine.states.bert import Bert, BertShape
from engine.states.device import LOST, OUT_OF_MEMORY, DeviceRunner
from engine.states.encoder import BertEncoder, BrokenStates, Encoder, english_folder, load_encoder, load_folder
from engine.states.windows import MOST_WINDOWS, OVERLAP, split


@pytest.fixture(scope="module")
def english() -> BertEncoder:
    return load_folder(english_folder(), precision="float32", device="cpu")


@given(st.integers(0, 900), st.integers(OVERLAP + 8, 300), st.integers(0, 3))
def test_windows_give_each_token_once_in_order(tokens: int, limit: int, prefix: int) -> None:
    ids = list(range(1000, 1000 + prefix + tokens))
    offsets = [(0, 0), *((2 * i, 2 * i + 2) for i in range(len(ids))), (0, 0)]
    windows = split(5, [1, *ids, 2], offsets, limit, 2 * prefix, all_windows=True)
    spans = [span for window in windows for span in window.spans]
    kept = [window.ids[at] for window in windows for at in window.kept]
    assert spans == [(2 * i, 2 * i + 2) for i in range(len(spans))]
    assert kept == ids[prefix : prefix + len(kept)]
    for window in windows:
        assert len(window.ids) <= limit
        assert window.ids[: 1 + prefix] == [1, *ids[:prefix]]
        assert window.ids[-1] == 2
        assert window.text == 5
    assert [window.first for window in windows] == [True] + [False] * (len(windows) - 1)
    assert windows[-1].cut == (len(kept) < tokens)
    assert len(kept) == tokens or len(windows) == MOST_WINDOWS
    (only,) = split(5, [1, *ids, 2], offsets, limit, 2 * prefix, all_windows=False)
    assert only.ids == windows[0].ids


@pytest.fixture(scope="module", params=["en", "zh"])
def encoder(request: pytest.FixtureRequest) -> Encoder:
    return load_encoder(request.param)


def test_five_thousand_tokens(encoder: Encoder) -> None:
    text = "The Supplier shall deliver. " * 1000 if "minilm" in encoder.name else "供应商应按时交货。" * 1000
    (tokens,) = encoder.encode_tokens([text])
    assert len(tokens.spans) == len(tokens.states) >= 4000
    assert all(a[1] <= b[0] for a, b in zip(tokens.spans, tokens.spans[1:], strict=False))
    assert not tokens.cut or len(tokens.spans) > 5000
    assert np.allclose(tokens.vector, encoder.encode([text])[0], atol=2e-2)
    assert tokens.cut or len(tokens.spans) < 5800


def test_later_windows_have_states_of_their_own_context(english: BertEncoder) -> None:
    words = " ".join(f"Item {i} is due on demand;" for i in range(90))
    (tokens,) = english.encode_tokens([words])
    assert "".join(words[a:b] for a, b in tokens.spans).startswith("Item0isdue")
    assert words[slice(*tokens.spans[-1])] == ";"
    assert np.isfinite(tokens.states).all()
    assert (np.linalg.norm(tokens.states, axis=1) > 0.1).all()


def test_odd_texts(encoder: Encoder) -> None:
    texts = ["", " \n\t", "\x00\x01", "🎉🎉", "\ud800", "ﷺ", "\u200b", "𠀀𠀁", "a" * 3000]
    for text, tokens in zip(texts, encoder.encode_tokens(texts), strict=True):
        assert tokens.states.shape == (len(tokens.spans), 384)
        assert all(0 <= a < b <= len(text) for a, b in tokens.spans)
        assert np.isfinite(tokens.vector).all()


def test_layers_can_be_chosen(english: BertEncoder) -> None:
    texts = ["The Buyer shall pay.", "Neither party may assign this Agreement without consent."]
    by_layer = [english.encode_tokens(texts, layers=(k,)) for k in (5, 6)]
    both = english.encode_tokens(texts, layers=(5, 6))
    last = english.encode_tokens(texts)
    for i in range(2):
        mean = (by_layer[0][i].states + by_layer[1][i].states) / 2
        assert np.allclose(both[i].states, mean, atol=1e-5)
        assert np.array_equal(last[i].states, by_layer[1][i].states)
        assert np.array_equal(last[i].vector, english.encode(texts)[i])


class Failing(Bert):
    """Layers "on a GPU" that fail as told; they give each token its position."""

    def __init__(self, fits: int, error: Exception | None = None) -> None:
        self.shape, self.dtype, self.device = BertShape(1, 1, 384, 1e-12, 512), torch.float32, "meta-gpu"
        self.fits, self.error = fits, error
        self.sizes: list[int] = []

    def states(self, words, mask, kinds=None, layers=()):
        self.sizes.append(len(words))
        if len(words) > self.fits:
            raise self.error or torch.OutOfMemoryError("CUDA out of memory")
        return words + 1


class OnProcessor(Failing):
    """The same on the processor, where everything fits."""

    def __init__(self) -> None:
        super().__init__(10**6)
        self.device = "cpu"


@pytest.fixture(autouse=True)
def gpu_is_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    real = torch.Tensor.to
    monkeypatch.setattr(
        torch.Tensor, "to", lambda self, *a, **k: self if a and a[0] == "meta-gpu" else real(self, *a, **k)
    )


def test_out_of_memory_halves_and_goes_on() -> None:
    gpu = Failing(fits=3)
    runner = DeviceRunner(gpu, OnProcessor)
    words = torch.randn(10, 4, 384)
    found = runner.states(words, torch.ones(10, 4, dtype=torch.bool), ())
    assert torch.equal(found, words + 1)
    assert runner.device == "meta-gpu"
    assert runner.notice == ""
    assert gpu.sizes == [10, 5, 2, 2, 2, 2, 2]
    assert torch.equal(runner.states(words[:2], torch.ones(2, 4, dtype=torch.bool), ()), words[:2] + 1)


def test_memory_that_holds_nothing_ends_on_the_processor() -> None:
    runner = DeviceRunner(Failing(fits=0), OnProcessor)
    words = torch.randn(5, 4, 384)
    mask = torch.ones(5, 4, dtype=torch.bool)
    assert torch.equal(runner.states(words, mask, ()), words + 1)
    assert (runner.device, runner.notice) == ("cpu", OUT_OF_MEMORY)
    assert torch.equal(runner.states(words, mask, ()), words + 1)


def test_a_gpu_that_vanishes_ends_on_the_processor(caplog: pytest.LogCaptureFixture) -> None:
    runner = DeviceRunner(Failing(fits=0, error=RuntimeError("CUDA error: device lost")), OnProcessor)
    words = torch.randn(5, 4, 384)
    assert torch.equal(runner.states(words, torch.ones(5, 4, dtype=torch.bool), ()), words + 1)
    assert (runner.device, runner.notice) == ("cpu", LOST)
    assert "device lost" in caplog.text


def test_states_that_are_not_numbers_are_refused(english: BertEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Bert.states

    def broken(self, words, mask, kinds=None, layers=()):
        states = real(self, words, mask, kinds, layers)
        states[0, 0, 7] = float("nan")
        return states

    monkeypatch.setattr(Bert, "states", broken)
    with pytest.raises(BrokenStates, match="damaged"):
        english.encode(["The Buyer shall pay."])
