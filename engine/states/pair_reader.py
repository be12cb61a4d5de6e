"""Two texts read together by an encoder, with low-rank additions to its matrices (Hu et al. 2021) and a small head.

Read apart, two sentences meet only in the comparison of their finished states; read together, every layer sees both.
It is slow, because each pair is a reading of its own: the full check uses it, a review does not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.states.batching import batches
from engine.states.encoder import BertEncoder, EncoderError, EncodingCancelled, never

if TYPE_CHECKING:
    import torch

#: The matrices of a layer that have an addition.
MATRICES = ("qkv.w", "out.w", "up.w", "down.w")

#: Width of the head's hidden layer.
HEAD = 96

#: Tokens kept of each of the two texts, its marks counted: few sentences are longer.
MOST_TOKENS = 100

#: Tokens of a batch, padding counted: a cancel waits for one batch.
BATCH_TOKENS = 4096


class OtherEncoder(EncoderError):
    """The additions were trained for another encoder than this."""


def joined(a: Sequence[int], b: Sequence[int]) -> list[int]:
    """The ids of two texts (each with its special ids) as one input: begin, first, end, second, end."""
    return [*a[:-1][: MOST_TOKENS - 1], a[-1], *b[1:-1][: MOST_TOKENS - 2], b[-1]]


def pooled(states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """The first state beside the mean of all, float32 ``[n, 2 * width]``."""
    import torch

    weight = mask.unsqueeze(-1).to(states.dtype)
    mean = (states * weight).sum(1) / weight.sum(1).clamp(min=1)
    return torch.cat([states[:, 0], mean], 1)


class PairReader:
    """An encoder that reads pairs.

    Raises:
        OtherEncoder: see there.
        EncoderError: the file is not there, or damaged.
    """

    def __init__(self, encoder: BertEncoder, path: Path) -> None:
        from safetensors import SafetensorError, safe_open

        try:
            with safe_open(path, framework="pt") as file:
                meant = (file.metadata() or {}).get("encoder", "")
                tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - not a dict
            if meant != encoder.weights:
                raise OtherEncoder(f"the full check's weights {path.name} are not for {encoder.name}")
            added = {
                f"{number}.{name}": tensors[f"{number}.{name}.up"].float() @ tensors[f"{number}.{name}.down"].float()
                for number in range(encoder.bert.shape.layers)
                for name in MATRICES
            }
            self._head = [tensors[name].float() for name in ("first.w", "first.b", "last.w", "last.b")]
            self._encoder = encoder.with_additions(added, path.stem)
        except (OSError, SafetensorError, KeyError, RuntimeError) as error:
            raise EncoderError(f"the full check's weights {path.name} cannot be used: {error}") from error

    @property
    def notice(self) -> str:
        """One sentence for the person when the device was given up, else empty."""
        return self._encoder.notice

    def log_odds(
        self,
        texts: Sequence[str],
        pairs: Sequence[tuple[int, int]],
        *,
        cancelled: Callable[[], bool] = never,
        done: Callable[[int], None] = lambda _: None,
    ) -> NDArray[np.float64]:
        """Log-odds that two texts contradict each other, float64 ``[len(pairs)]``; pairs are indices into ``texts``.

        ``done`` is told after each batch how many pairs it held.

        Raises:
            EncodingCancelled: ``cancelled`` answered True; it is asked before each batch.
        """
        import torch
        from torch.nn.functional import gelu, linear

        # Of a long contract's sentences few stand in the pairs; the others need no ids.
        wanted = sorted({index for pair in pairs for index in pair})
        ids = dict(zip(wanted, self._encoder.token_ids([texts[index] for index in wanted]), strict=True))
        lengths = [min(len(ids[a]), MOST_TOKENS) + min(len(ids[b]), MOST_TOKENS) - 1 for a, b in pairs]
        out = np.zeros(len(pairs), np.float64)
        for group in batches(lengths, BATCH_TOKENS):
            if cancelled():
                raise EncodingCancelled
            with torch.inference_mode():
                words, mask = self._encoder.embedded_ids([joined(ids[pairs[i][0]], ids[pairs[i][1]]) for i in group])
                states = self._encoder.states_of(words, mask)
                first, first_bias, last, last_bias = self._head
                raw = linear(gelu(linear(pooled(states, mask), first, first_bias)), last, last_bias).squeeze(1)
            out[group] = raw.double().numpy()
            done(len(group))
        return out
