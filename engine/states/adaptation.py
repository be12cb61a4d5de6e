"""Deltas of an encoder's layer norms, fitted by contrast on a knowledge pack, and how far they move its states.

Sentences are made from the pack's concepts: one pattern, the concept's different names in it. The state of a name (the
mean over its tokens, last layer) is to be nearer to that of another name of the same concept than to those of the names
of all other concepts (InfoNCE, temperature 0.1), while all other tokens keep their states. Only the weights and biases
of the norms of the last two layers move: 3,072 numbers.

Source of the loss: van den Oord et al. 2018; of moving only norms: Frankle et al. 2021.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from engine.states.bert import NORMS
from engine.states.encoder import BertEncoder, EncoderError
from engine.states.knowledge_pack import Pack

if TYPE_CHECKING:
    import torch

TAIL = 2
STEPS = 60
RATE = 3e-3
TEMPERATURE = 0.1
#: How much staying where they were counts for all other tokens.
KEEP = 2.0
MOST_LABELS = 3
_PATTERNS = {
    "en": ("The parties name the {} in the schedule.", "Every record of the {} is kept for a year.", "See {} above."),
    "zh": ("双方在附件中列明{}。", "有关{}的记录保存一年。", "参见上文{}。"),
}


@dataclasses.dataclass(frozen=True, slots=True)
class Fitted:
    """Deltas by parameter (see :meth:`engine.states.bert.Bert.adapted`), and the loss before and after."""

    deltas: dict[str, torch.Tensor]
    loss_before: float
    loss_after: float


def contrast_sentences(pack: Pack) -> list[tuple[str, int, int, int]]:
    """Sentences with the span of a name in each, and the number of the concept it names."""
    found = []
    for number, concept in enumerate(c for c in pack.concepts if len(c.labels) > 1):
        pattern = _PATTERNS[pack.language][number % len(_PATTERNS[pack.language])]
        start = pattern.index("{}")
        for label in concept.labels[:MOST_LABELS]:
            found.append((pattern.format(label), start, start + len(label), number))
    return found


def fit_deltas(encoder: BertEncoder, pack: Pack, steps: int = STEPS) -> Fitted:
    """Fit deltas; the same for the same pack and encoder. Takes some 20 s on two cores.

    Raises:
        EncoderError: the pack has fewer than two concepts with two names.
    """
    import torch

    sentences = contrast_sentences(pack)
    if len({number for *_, number in sentences}) < 2:
        raise EncoderError(f"the pack {pack.id} has too few names to fit anything to")
    windows, words, mask = encoder.first_windows([text for text, *_ in sentences])
    bert = encoder.bert
    last = bert.shape.layers
    with torch.no_grad():
        frozen = bert.states(words, mask, layers=(last - TAIL,))
        before = bert.states(words, mask).float()
    names = torch.zeros(mask.shape)
    for row, (window, (_, start, end, _)) in enumerate(zip(windows, sentences, strict=True)):
        for at, span in zip(window.kept, window.spans, strict=True):
            names[row, at] = float(span[0] < end and span[1] > start)
    names /= names.sum(1, keepdim=True).clamp(min=1)
    numbers = torch.tensor([number for *_, number in sentences])
    rest = mask & (names == 0)
    width = bert.shape.width
    deltas = {
        f"{layer}.{name}": torch.zeros(width, requires_grad=True)
        for layer in range(last - TAIL, last)
        for name in NORMS
    }
    optimizer = torch.optim.Adam(deltas.values(), lr=RATE)
    first = final = 0.0
    for step in range(steps + 1):
        x = frozen
        for number in range(last - TAIL + 1, last + 1):
            x = bert.layer(number, x, mask, deltas)
        loss = _contrast(x.float(), names, numbers) + KEEP * _moved(x.float(), before, rest)
        final = float(loss.detach())
        first = final if step == 0 else first
        if step < steps:
            optimizer.zero_grad()
            # torch ships no type for this method.
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
    return Fitted({name: delta.detach() for name, delta in deltas.items()}, first, final)


def _contrast(states: torch.Tensor, names: torch.Tensor, numbers: torch.Tensor) -> torch.Tensor:
    import torch

    named = torch.nn.functional.normalize((states * names[:, :, None]).sum(1), dim=1)
    logits = (named @ named.T) / TEMPERATURE
    own = torch.eye(len(named), dtype=torch.bool)
    same = (numbers[:, None] == numbers) & ~own
    logits = logits.masked_fill(own, -torch.inf)
    shares = logits.log_softmax(1).masked_fill(~same, 0.0)
    return -(shares.sum(1) / same.sum(1).clamp(min=1)).mean()


def _moved(states: torch.Tensor, before: torch.Tensor, where: torch.Tensor) -> torch.Tensor:
    import torch

    return (1 - torch.nn.functional.cosine_similarity(states, before, dim=2))[where].mean()


def anchor_drift_score(encoder: BertEncoder, adapted: BertEncoder, texts: Sequence[str]) -> float:
    """How far deltas moved the representation: mean of 1 − cosine of each token's states before and after, 0 to 2.

    0 is not at all; above 0.05 blocks made with and without the deltas should not be compared (they carry different
    encoder ids in any case).
    """
    total, count = 0.0, 0
    for a, b in zip(encoder.encode_tokens(texts), adapted.encode_tokens(texts), strict=True):
        lengths = np.linalg.norm(a.states, axis=1) * np.linalg.norm(b.states, axis=1)
        total += float((1 - (a.states * b.states).sum(1) / np.maximum(lengths, 1e-9)).sum())
        count += len(a.spans)
    return total / count if count else 0.0


def save_deltas(path: Path, deltas: Mapping[str, torch.Tensor], encoder: str) -> None:
    """Write deltas as safetensors, whole or not at all; the encoder's name goes into the file."""
    from safetensors.torch import save_file

    fresh = path.with_name(path.name + ".part")
    save_file({name: delta.contiguous() for name, delta in deltas.items()}, fresh, {"encoder": encoder})
    fresh.replace(path)


def load_deltas(path: Path, encoder: BertEncoder) -> dict[str, torch.Tensor]:
    """Deltas that were saved for this encoder.

    Raises:
        EncoderError: cut off, for another encoder, of other shapes, or not numbers.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, "pt") as file:
            owner = (file.metadata() or {}).get("encoder", "")
            deltas = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - not a dictionary
    except (OSError, SafetensorError) as error:
        raise EncoderError(f"the deltas in {path} cannot be read: {error}") from error
    allowed = {f"{layer}.{name}" for layer in range(encoder.bert.shape.layers) for name in NORMS}
    if owner != encoder.name or not deltas.keys() <= allowed:
        raise EncoderError(f"the deltas in {path} were fitted to {owner or 'another encoder'}, not to {encoder.name}")
    for delta in deltas.values():
        if tuple(delta.shape) != (encoder.bert.shape.width,) or not bool(delta.isfinite().all()):
            raise EncoderError(f"the deltas in {path} are damaged")
    return deltas
