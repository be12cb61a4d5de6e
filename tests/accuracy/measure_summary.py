"""Would a summary of the snapshots, thinned by principal components, find passages? Measured on acord.

    .venv/bin/python tests/accuracy/measure_summary.py DATA_FOLDER --cache FOLDER

A snapshot's summary has 8,192 values: its 42 rows, each two neighbours averaged (21 x 384), and zeros. 2,048 components
are fitted on a part of the snapshots; the variance that they keep is told for others. A clause is as near to a query
as its nearest snapshot. CACHE is that of measure_retrieval.py.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from measure_retrieval import Clauses, acord, ndcg, say
from numpy.typing import NDArray

from engine.states.encoder import Encoder, load_encoder
from engine.states.snapshot import Passage, encoder_key, pack_tokens, tensor_of
from kernels.pack_states.unpack import unpack_states

SUMMARY, KEPT = 8192, 2048
FITTED, HELD_OUT = 4000, 1000


def summaries(blocks: NDArray[np.uint8]) -> torch.Tensor:
    """float32 ``[n, 8192]``."""
    out = torch.zeros((len(blocks), SUMMARY))
    for start in range(0, len(blocks), 512):
        states, _ = unpack_states(tensor_of(np.ascontiguousarray(blocks[start : start + 512])))
        pairs = states.view(len(states), 21, 2, -1).mean(2)
        out[start : start + 512, : pairs[0].numel()] = pairs.flatten(1)
    return out


def fitted(train: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The mean, and the first :data:`KEPT` components as columns, by the Gram matrix (fewer rows than columns)."""
    mean = train.mean(0)
    centred = train - mean
    values, vectors = torch.linalg.eigh(centred @ centred.t())
    top = vectors[:, -KEPT:]
    return mean, centred.t() @ top / values[-KEPT:].clamp(min=1e-6).sqrt()


def figures(clauses: Clauses, encoder: Encoder, project) -> dict[str, float]:
    """NDCG@5 by split when snapshots are compared as ``project`` makes vectors of their summaries."""
    # Both kinds of queries share the snapshots of all clauses.
    known = project(summaries(np.asarray(next(iter(clauses.index_of.values())).documents[0].blocks)))
    key = encoder_key(encoder)
    out = {}
    for name, judged in clauses.judged.items():
        values = []
        for query, grades in judged.items():
            index = clauses.index_of[query].documents[0]
            tokens = encoder.encode_tokens([query])
            mine = project(summaries(pack_tokens([Passage(query, language="en")], tokens, key)))
            near = (known @ mine[0]).numpy()
            score = near[np.asarray(index.picks)].max(1)
            order = dict.fromkeys(index.kept.chunks[i].clause for i in np.argsort(-score).tolist())
            values.append(ndcg([grades[each] for each in order if each in grades], list(grades.values())))
        out[name] = float(np.mean(values))
    return out


def unit(x: torch.Tensor) -> torch.Tensor:
    """Rows of length 1."""
    return x / x.norm(dim=1, keepdim=True).clamp(min=1e-9)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--cache", type=Path, required=True)
    arguments = parser.parse_args()
    encoder = load_encoder("en")
    clauses = acord(arguments.data / "acord", encoder, arguments.cache)
    blocks = np.asarray(next(iter(clauses.index_of.values())).documents[0].blocks)
    chosen = np.random.default_rng(0).permutation(len(blocks))[: FITTED + HELD_OUT]
    some = summaries(blocks[np.sort(chosen)])[torch.from_numpy(np.argsort(np.argsort(chosen)))]
    begun = time.process_time()
    mean, components = fitted(some[:FITTED])
    say(f"fitted on {FITTED} snapshots in {time.process_time() - begun:.0f} s of the processor")
    for name, part in (("those fitted", some[:FITTED]), ("others", some[FITTED:])):
        centred = part - mean
        share = float((centred @ components).square().sum() / centred.square().sum())
        say(f"variance kept of {name}: {share:.3f}")
    say(f"summary, {SUMMARY} values: {figures(clauses, encoder, lambda s: unit(s - mean))}")
    say(f"thinned, {KEPT} values: {figures(clauses, encoder, lambda s: unit((s - mean) @ components))}")


if __name__ == "__main__":
    main()
