"""Train resources/weights/full_check_LANGUAGE.safetensors: an encoder that reads two sentences together.

    python tests/accuracy/train_full_check.py {en,zh} DATA CACHE OUT [--minutes N] [--write]

DATA is the development data's folder, CACHE the one that train_ranker.py filled (its planted contracts give the pairs
as they stand beside each other in a contract). Added: conflicts and look-alikes that planting.py (for ``zh`` also
planting_zh.py) makes of the same contracts, and sentences with hypotheses that they contradict or entail
(``contract_nli``, CC BY 4.0). No contract of ``norm_conflicts`` is trained on, so what is measured there carries over.

Only low-rank additions to the encoder's matrices (Hu et al. 2021) and a head are trained; the encoder's own weights
stay as they come, so the file is small. OUT gets the file; ``--write`` puts it into resources/weights.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
import torch
from safetensors.torch import save_file
from torch import nn
from torch.nn.functional import gelu, layer_norm, linear, scaled_dot_product_attention

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from measure_conflicts import read_document, say
from planting import plant
from planting_tables import AGAINST
from planting_zh import plant_zh
from train_ranker import Table, bearers_of, load_tables

from engine.conflicts.norms import is_chinese, parse_norm
from engine.states.bert import Bert
from engine.states.encoder import BertEncoder, load_encoder
from engine.states.pair_reader import HEAD, MATRICES, joined, pooled
from resources import resource_path

RANK, SCALE = 16, 2.0
HIDDEN = HEAD
RATE = 1e-3
#: Tokens of a batch, padding counted.
BATCH_TOKENS = 3072
#: Folders with Chinese contracts (MIT and sample texts), and English pairs trained on beside theirs.
CHINESE, ENGLISH_BESIDE = ("zh-lease-docx", "zh-lease-docx-from-doc", "zh-procurement-docx"), 6000
#: Longer pairs are not trained on: they cost most and teach least.
LONGEST = 150
#: Norms of a contract that are changed, and natural pairs taken of one.
NORMS_OF_ONE, NATURAL_OF_ONE = 160, 260


class Pair(NamedTuple):
    """Two sentences, and whether they contradict each other."""

    a: str
    b: str
    label: float


def planted_pairs(data: Path, rng: Random) -> list[Pair]:
    """Conflicts and look-alikes made of the contracts that the trees are trained on too."""
    found = []
    for i, path in enumerate(sorted((data / "cuad").rglob("*.txt"))):
        if i % 3 != 2:
            continue
        document = read_document(path)
        sentences = list(dict.fromkeys(document.text[s.start : s.end] for s in document.sentences))
        norms = [s for s in sentences if 5 < len(s.split()) < 90 and parse_norm(s).modality in AGAINST]
        if len(norms) < 8:
            continue
        bearers = bearers_of(sentences)
        for source in rng.sample(norms, min(NORMS_OF_ONE, len(norms))):
            for conflict in (True, False):
                copy = plant(source, rng, conflict=conflict, bearers=bearers, others=norms)
                if copy and len(copy.text.split()) > 3:
                    found.append(Pair(source, " ".join(copy.text.split()), float(bool(copy.kind))))
    return found


def natural_pairs(tables: list[Table], rng: Random) -> list[Pair]:
    """Pairs as they stand beside each other in a contract; those planted into it are conflicts or look-alikes."""
    found = []
    for table in tables:
        label = {row: float(bool(kind)) for _, kind, rows in table.gold for row in rows}
        others = [row for row, weight in enumerate(table.weights) if weight > 0 and row not in label]
        # The near ones are at weight 1 and are what must be told from conflicts; some of the rest.
        near = [row for row in others if table.weights[row] <= 1.0]
        far = [row for row in others if table.weights[row] > 1.0]
        chosen = rng.sample(near, min(len(near), NATURAL_OF_ONE)) + rng.sample(far, min(len(far), NATURAL_OF_ONE // 4))
        for row in [*label, *chosen]:
            a, b = table.pairs[row]
            found.append(Pair(table.texts[a], table.texts[b], label.get(row, 0.0)))
    return found


def chinese_pairs(folders: list[Path], rng: Random) -> list[Pair]:
    """Conflicts and look-alikes made of Chinese contracts, and pairs of their sentences that share most characters."""
    found = []
    for path in sorted(path for folder in folders for path in folder.glob("*.docx")):
        document = read_document(path)
        sentences = list(dict.fromkeys(document.text[s.start : s.end].strip() for s in document.sentences))
        sentences = [s for s in sentences if 8 <= len(s) <= 160 and is_chinese(s)]
        for source in sentences:
            for conflict in [True] * 8 + [False] * 4:
                copy = plant_zh(source, rng, conflict=conflict, others=sentences)
                if copy:
                    found.append(Pair(source, copy.text, float(bool(copy.kind))))
            bags = [(len(set(source) & set(other)) / len(set(source) | set(other)), other) for other in sentences]
            near = sorted(((share, other) for share, other in bags if share < 0.9), reverse=True)[:4]
            found += [Pair(source, other, 0.0) for _, other in near]
    return found


def hypothesis_pairs(folder: Path) -> list[Pair]:
    """Sentences of confidentiality agreements with a hypothesis that they contradict (1) or entail (0)."""
    file = json.loads((folder / "dev.json").read_text(encoding="utf-8"))
    said = {name: label["hypothesis"] for name, label in file["labels"].items()}
    found = []
    for document in file["documents"]:
        for name, answer in document["annotation_sets"][0]["annotations"].items():
            spans = [document["spans"][k] for k in answer["spans"][:2]]
            for start, end in spans if answer["choice"] != "NotMentioned" else ():
                text = " ".join(document["text"][start:end].split())
                found.append(Pair(text, said[name], float(answer["choice"] == "Contradiction")))
    return found


class LowRank(nn.Module):
    """Low-rank additions to every matrix of the layers, and the head."""

    def __init__(self, bert: Bert) -> None:
        super().__init__()
        self.down, self.up = nn.ParameterDict(), nn.ParameterDict()
        for number, layer in enumerate(bert.matrices()):
            for name in MATRICES:
                rows, columns = layer[name].shape
                key = f"{number}_{name.replace('.', '_')}"
                self.down[key] = nn.Parameter(torch.randn(RANK, columns) / columns**0.5)
                self.up[key] = nn.Parameter(torch.zeros(rows, RANK))
        self.first = nn.Linear(2 * bert.shape.width, HIDDEN)
        self.last = nn.Linear(HIDDEN, 1)
        self.drop = nn.Dropout(0.1)

    def product(self, number: int, name: str, x: torch.Tensor, layer: Mapping[str, torch.Tensor]) -> torch.Tensor:
        """``x`` times the matrix ``name.w`` of a layer with its addition."""
        key = f"{number}_{name}_w"
        down, up = self.down[key].to(x.dtype), self.up[key].to(x.dtype)
        return linear(x, layer[f"{name}.w"], layer[f"{name}.b"]) + linear(linear(x, down), up) * SCALE

    def head(self, states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Log-odds float32 ``[n]``."""
        hidden = gelu(self.first(self.drop(pooled(states.float(), mask))))
        return self.last(self.drop(hidden)).squeeze(1)

    def tensors(self, bert: Bert) -> dict[str, torch.Tensor]:
        """What :class:`engine.states.pair_reader.PairReader` reads."""
        found = {}
        for number in range(bert.shape.layers):
            for name in MATRICES:
                key = f"{number}_{name.replace('.', '_')}"
                found[f"{number}.{name}.down"] = self.down[key].detach().to(torch.bfloat16)
                found[f"{number}.{name}.up"] = (self.up[key].detach() * SCALE).to(torch.bfloat16)
        for name, layer in (("first", self.first), ("last", self.last)):
            found[f"{name}.w"], found[f"{name}.b"] = layer.weight.detach().clone(), layer.bias.detach().clone()
        return {name: tensor.contiguous() for name, tensor in found.items()}


def read_together(bert: Bert, low: LowRank, words: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """The last layer's states with the additions in place, as :meth:`Bert.states` gives them once they are merged."""
    x = bert.embedded(words)
    batch, length, width = x.shape
    heads = bert.shape.heads
    attend = None if bool(mask.all()) else mask[:, None, None, :]
    for n, layer in enumerate(bert.matrices()):
        qkv = low.product(n, "qkv", x, layer).view(batch, length, 3, heads, width // heads)
        query, key, value = qkv.permute(2, 0, 3, 1, 4)
        seen = scaled_dot_product_attention(query, key, value, attn_mask=attend)
        seen = low.product(n, "out", seen.transpose(1, 2).reshape(batch, length, width), layer)
        x = layer_norm(x + seen, (width,), layer["norm1.w"], layer["norm1.b"], bert.shape.epsilon)
        raised = gelu(low.product(n, "up", x, layer))
        lowered = low.product(n, "down", raised, layer)
        x = layer_norm(x + lowered, (width,), layer["norm2.w"], layer["norm2.b"], bert.shape.epsilon)
    return x


def batches_of(lengths: list[int], rng: np.random.Generator) -> list[list[int]]:
    """Indices in random batches of pairs of like length."""
    order = sorted(range(len(lengths)), key=lambda i: lengths[i] + rng.uniform(-6, 6))
    found: list[list[int]] = [[]]
    for i in order:
        longest = max((lengths[k] for k in [*found[-1][-1:], i]), default=0)
        if found[-1] and longest * (len(found[-1]) + 1) > BATCH_TOKENS:
            found.append([])
        found[-1].append(i)
    rng.shuffle(found)
    return found


def train(encoder: BertEncoder, pairs: list[Pair], minutes: float, save: Path, rate: float) -> LowRank:
    """Additions trained for about so many minutes; the learning rate falls to nothing over them."""
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    bert = encoder.bert
    low = LowRank(bert)
    ids = encoder.token_ids([text for pair in pairs for text in (pair.a, pair.b)])
    kept = [i for i in range(len(pairs)) if len(ids[2 * i]) + len(ids[2 * i + 1]) <= LONGEST]
    labels = [pairs[i].label for i in kept]
    rows = [(ids[2 * i], ids[2 * i + 1]) for i in kept]
    optimizer = torch.optim.AdamW(low.parameters(), lr=rate, weight_decay=0.01)
    started, step, seen, loss_of = time.monotonic(), 0, 0, 0.0
    low.train()
    while True:
        for some in batches_of([len(a) + len(b) for a, b in rows], rng):
            share = (time.monotonic() - started) / (60 * minutes)
            if share >= 1:
                return low.eval()
            for group in optimizer.param_groups:
                group["lr"] = rate * min(1.0, (step + 1) / 80) * 0.5 * (1 + math.cos(math.pi * share))
            batch = [joined(*(rows[i] if rng.random() < 0.5 else rows[i][::-1])) for i in some]
            words, mask = encoder.embedded_ids(batch)
            raw = low.head(read_together(bert, low, words, mask), mask)
            label = torch.tensor([labels[i] for i in some])
            loss = nn.functional.binary_cross_entropy_with_logits(raw, label)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(low.parameters(), 1.0)
            optimizer.step()
            step, seen, loss_of = step + 1, seen + len(some), 0.98 * loss_of + 0.02 * float(loss.detach())
            if step % 50 == 0:
                spent = time.monotonic() - started
                say(f"{step} steps, {seen} pairs, {spent:.0f} s, loss {loss_of / (1 - 0.98**step):.4f}")
            if step % 400 == 0:
                save_file(low.tensors(bert), save, metadata={"encoder": encoder.weights})


def main() -> int:
    """Train; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=("en", "zh"))
    parser.add_argument("data", type=Path)
    parser.add_argument("cache", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=35)
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    rng = Random(7)
    tables = [table for path in sorted(args.cache.glob("planted-*.msgpack")) for table in load_tables(path)]
    pairs = planted_pairs(args.data, rng) + natural_pairs(tables, rng) + hypothesis_pairs(args.data / "contract_nli")
    rng.shuffle(pairs)
    if args.language == "zh":
        # What English teaches carries over in an encoder of many languages; Chinese is at hand in small numbers.
        folders = [args.data / "contracts" / name for name in CHINESE]
        pairs = pairs[:ENGLISH_BESIDE] + chinese_pairs(folders, rng)
        rng.shuffle(pairs)
    say(f"{len(pairs)} pairs, {sum(pair.label for pair in pairs):.0f} of them conflicts")
    encoder = load_encoder(args.language)
    assert isinstance(encoder, BertEncoder)
    args.out.mkdir(parents=True, exist_ok=True)
    path = args.out / f"full_check_{args.language}.safetensors"
    low = train(encoder, pairs, args.minutes, path, args.rate)
    save_file(low.tensors(encoder.bert), path, metadata={"encoder": encoder.weights})
    if args.write:
        resource_path("weights", path.name).write_bytes(path.read_bytes())
    say(f"{path}: {path.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
