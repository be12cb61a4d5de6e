"""BERT's forward pass in a page of torch, for frozen weights.

Importing transformers to run twelve such layers costs 3.5 s and 300 MB; this costs nothing. torch is imported
inside functions so that whoever only needs the names does not wait for it.

Source: Devlin et al. 2019; the parameter names are those of the published checkpoints.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch


#: The parameters of a layer that deltas may change.
NORMS = ("norm1.w", "norm1.b", "norm2.w", "norm2.b")


@dataclasses.dataclass(frozen=True, slots=True)
class BertShape:
    """The geometry of a checkpoint."""

    layers: int
    heads: int
    width: int
    epsilon: float
    positions: int


def choose_precision() -> str:
    """``bfloat16`` where the processor multiplies it in hardware (AMX, AVX512-BF16), else ``float32``.

    In software bfloat16 is slower than float32, so it is asked for only where it is built in.
    """
    import torch

    facts = torch.cpu.get_capabilities()
    return "bfloat16" if facts.get("amx_bf16") or facts.get("amx_tile") or facts.get("avx512_bf16") else "float32"


def check_shapes(weights: Mapping[str, torch.Tensor], shape: BertShape) -> None:
    """Refuse weights that layers of ``shape`` cannot be made of.

    Raises:
        KeyError: a tensor is missing.
        ValueError: a tensor has another shape; the message names it.
    """
    width = shape.width
    raised = len(weights["encoder.layer.0.intermediate.dense.bias"])
    square, row = (width, width), (width,)
    attention = {f"attention.self.{part}": (square, row) for part in ("query", "key", "value")}
    parts = {
        **attention,
        "attention.output.dense": (square, row),
        "attention.output.LayerNorm": (row, row),
        "intermediate.dense": ((raised, width), (raised,)),
        "output.dense": ((width, raised), row),
        "output.LayerNorm": (row, row),
    }
    wanted: dict[str, tuple[int, ...]] = {
        "embeddings.position_embeddings.weight": (shape.positions, width),
        "embeddings.LayerNorm.weight": row,
        "embeddings.LayerNorm.bias": row,
    }
    for i in range(shape.layers):
        for name, (weight, bias) in parts.items():
            wanted[f"encoder.layer.{i}.{name}.weight"] = weight
            wanted[f"encoder.layer.{i}.{name}.bias"] = bias
    for name, expected in wanted.items():
        found = tuple(weights[name].shape)
        if found != expected:
            raise ValueError(f"{name} is {list(found)}, not {list(expected)}")


class Bert:
    """Frozen BERT layers: token embeddings in, hidden states out.

    ``weights`` holds the checkpoint's tensors without any prefix (``encoder.layer.0.…``); matrices may be in
    bfloat16, everything is converted once to ``dtype`` and put on ``device``.

    Raises:
        KeyError, ValueError: see :func:`check_shapes`.
    """

    def __init__(
        self, weights: Mapping[str, torch.Tensor], shape: BertShape, dtype: torch.dtype, device: str = "cpu"
    ) -> None:
        import torch

        check_shapes(weights, shape)
        self.shape = shape
        self.dtype = dtype
        self.device = device
        self._positions = weights["embeddings.position_embeddings.weight"].float().to(device)
        self._type = weights["embeddings.token_type_embeddings.weight"].float().to(device)
        norm = (weights["embeddings.LayerNorm.weight"], weights["embeddings.LayerNorm.bias"])
        self._norm = (norm[0].float().to(device), norm[1].float().to(device))
        self._layers: list[dict[str, torch.Tensor]] = []
        for i in range(shape.layers):
            at = f"encoder.layer.{i}."
            query, key, value = (f"{at}attention.self.{part}." for part in ("query", "key", "value"))
            # One product for query, key and value: fewer, larger multiplications.
            layer = {
                "qkv.w": torch.cat([weights[part + "weight"] for part in (query, key, value)]),
                "qkv.b": torch.cat([weights[part + "bias"] for part in (query, key, value)]),
            }
            for ours, theirs in (
                ("out", "attention.output.dense"),
                ("norm1", "attention.output.LayerNorm"),
                ("up", "intermediate.dense"),
                ("down", "output.dense"),
                ("norm2", "output.LayerNorm"),
            ):
                layer[ours + ".w"] = weights[f"{at}{theirs}.weight"]
                layer[ours + ".b"] = weights[f"{at}{theirs}.bias"]
            self._layers.append({name: tensor.to(device, dtype).contiguous() for name, tensor in layer.items()})

    def adapted(self, deltas: Mapping[str, torch.Tensor]) -> Bert:
        """The same layers with other layer norms; the matrices are shared.

        Args:
            deltas: float32 ``[width]`` to be added, by parameter: ``3.norm1.w`` is layer 3's first norm's weight.
        """
        other = copy.copy(self)
        other._layers = [dict(layer) for layer in self._layers]
        for name, delta in deltas.items():
            layer, _, parameter = name.partition(".")
            before = other._layers[int(layer)][parameter]
            other._layers[int(layer)][parameter] = (before.float() + delta.to(self.device)).to(self.dtype)
        return other

    def added(self, additions: Mapping[str, torch.Tensor]) -> Bert:
        """Layers of their own with ``additions`` to their matrices, float32, by parameter: ``3.up.w`` is layer 3's.

        Raises:
            RuntimeError: an addition has another shape than its matrix.
        """
        other = copy.copy(self)
        other._layers = [dict(layer) for layer in self._layers]
        for name, addition in additions.items():
            layer, _, parameter = name.partition(".")
            before = other._layers[int(layer)][parameter]
            if addition.shape != before.shape:
                raise RuntimeError(f"the addition to {name} is {list(addition.shape)}, not {list(before.shape)}")
            other._layers[int(layer)][parameter] = (before.float() + addition.to(self.device)).to(self.dtype)
        return other

    def matrices(self) -> Sequence[Mapping[str, torch.Tensor]]:
        """Each layer's parameters by the short names used here, for training additions to them."""
        return self._layers

    def embedded(self, words: torch.Tensor, kinds: torch.Tensor | None = None) -> torch.Tensor:
        """What the first layer reads, ``[batch, tokens, width]`` in ``dtype``; see :meth:`states`."""
        from torch.nn.functional import layer_norm

        length, width = words.shape[1:]
        x = words + self._positions[:length] + (self._type[0] if kinds is None else self._type[kinds])
        return layer_norm(x, (width,), *self._norm, self.shape.epsilon).to(self.dtype)

    def states(
        self,
        words: torch.Tensor,
        mask: torch.Tensor,
        kinds: torch.Tensor | None = None,
        layers: tuple[int, ...] = (),
    ) -> torch.Tensor:
        """Hidden states ``[batch, tokens, width]`` in ``dtype``: the last layer's, or the mean of ``layers``.

        Args:
            words: word embeddings, float32 ``[batch, tokens, width]``.
            mask: bool ``[batch, tokens]``, True where there is a token.
            kinds: segment of each token (0 or 1), int64 ``[batch, tokens]``; None for all 0.
            layers: 0 is the embeddings' norm, n what layer n gives; empty for the last. No layer above the
                highest is run.
        """
        x = self.embedded(words, kinds)
        chosen = layers or (self.shape.layers,)
        mixed = x if 0 in chosen else None
        for number in range(1, max(chosen) + 1):
            x = self.layer(number, x, mask)
            if number in chosen:
                mixed = x if mixed is None else mixed + x
        if mixed is None:
            return x
        return mixed / len(chosen) if len(chosen) > 1 else mixed

    def layer(
        self, number: int, x: torch.Tensor, mask: torch.Tensor, deltas: Mapping[str, torch.Tensor] | None = None
    ) -> torch.Tensor:
        """What layer ``number`` (from 1) makes of the layer before, ``[batch, tokens, width]``.

        ``deltas`` are added to its norms (see :meth:`adapted`); gradients flow into them.
        """
        from torch.nn.functional import gelu, layer_norm, linear, scaled_dot_product_attention

        batch, length, width = x.shape
        heads = self.shape.heads
        layer = self._layers[number - 1]
        norms = {}
        for name in NORMS:
            delta = (deltas or {}).get(f"{number - 1}.{name}")
            norms[name] = layer[name] if delta is None else layer[name] + delta.to(x.dtype)
        # A batch without padding needs no mask, and the product without one is faster.
        attend = None if bool(mask.all()) else mask[:, None, None, :]
        qkv = linear(x, layer["qkv.w"], layer["qkv.b"]).view(batch, length, 3, heads, width // heads)
        query, key, value = qkv.permute(2, 0, 3, 1, 4)
        seen = scaled_dot_product_attention(query, key, value, attn_mask=attend)
        seen = linear(seen.transpose(1, 2).reshape(batch, length, width), layer["out.w"], layer["out.b"])
        x = layer_norm(x + seen, (width,), norms["norm1.w"], norms["norm1.b"], self.shape.epsilon)
        raised = gelu(linear(x, layer["up.w"], layer["up.b"]))
        lowered = linear(raised, layer["down.w"], layer["down.b"])
        return layer_norm(x + lowered, (width,), norms["norm2.w"], norms["norm2.b"], self.shape.epsilon)
