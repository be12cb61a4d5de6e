"""What packing costs the verifier: the same review with the blocks' rows in E4M3 and in full precision.

    python tests/accuracy/measure_verification_packing.py FOLDER

FOLDER holds ``gold.jsonl`` and the contracts it names (norm_conflicts). Each contract is reviewed twice by the shipped
weights; the second time the token comparison reads the encoder's own float32 states of the same 42 tokens. The shipped
weights know these contracts, so the recalls are too good; their difference is what is asked for. Printed: recall at 5,
10, 20 and of all for both, and how far the verifier's log-odds move.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import torch
from measure_conflicts import read_document
from score_sets import hits, say
from torch import Tensor

import kernels.pack_states.op as packing
import kernels.pair_attend.op as attending
from engine.conflicts import second_look
from engine.conflicts.review import review_documents
from engine.document import Document
from engine.protocol.messages import ReviewOptions
from engine.states.encoder import Encoder, load_encoder

FIRST = (5, 10, 20, sys.maxsize)


class Rows:
    """The states that were packed, by the block that they became, even dimensions first as the kernel wants them."""

    def __init__(self) -> None:
        self.by_block: dict[bytes, Tensor] = {}
        self._pack = packing.pack_states

    def pack(self, states: Tensor, rows: Tensor, headers: Tensor) -> Tensor:
        """Pack as ever, and remember."""
        blocks = self._pack(states, rows, headers)
        for block, chosen in zip(blocks, rows, strict=True):
            full = torch.zeros((len(chosen), states.shape[1]))
            full[chosen >= 0] = torch.nn.functional.normalize(states[chosen[chosen >= 0]].float(), dim=1)
            self.by_block[_key(block)] = torch.cat([full[:, 0::2], full[:, 1::2]], 1)
        return blocks

    def read(self, blocks: Tensor, _scales: Tensor, which: Tensor, _low: Tensor, _high: Tensor) -> Tensor:
        """Full precision in the place of ``pair_attend``'s decoding."""
        return torch.stack([self.by_block[_key(blocks[i])] for i in which.tolist()])


def _key(block: Tensor) -> bytes:
    return hashlib.blake2b(block.numpy().tobytes(), digest_size=12).digest()


def reviewed(document: Document, encoder: Encoder) -> tuple[list[dict[str, Any]], list[float]]:
    """A review's findings as the scorer wants them, and the verifier's log-odds."""
    heard: list[float] = []
    mix = second_look.mixed

    def listen(raw: Any, table: Any, verdicts: Any, verifier: Any) -> Any:
        heard.extend(float(verdicts[row]) for row in sorted(verdicts))
        return mix(raw, table, verdicts, verifier)

    with mock.patch.object(second_look, "mixed", listen):
        found, _ = review_documents(
            [document], encoder_for=lambda _: encoder, options=ReviewOptions(), progress=lambda *_: None,
            cancelled=lambda: False,
        )  # fmt: skip
    texts = [{"passages": [{"text": document.quote(p.start, p.end)} for p in each.passages]} for each in found]
    return texts, heard


def found_among(known: Sequence[dict[str, Any]], findings: Sequence[dict[str, Any]]) -> list[int]:
    """How many known conflicts stand among the first 5, 10, 20 and all."""
    ranks = [next((i for i, f in enumerate(findings) if hits(c["passages"], f)), sys.maxsize) for c in known]
    return [sum(rank < first for rank in ranks) for first in FIRST]


def main() -> int:
    """Review all contracts twice and print the difference."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    rows, encoder = Rows(), load_encoder("en")
    totals, moved, known = np.zeros((2, len(FIRST)), np.int64), [], 0
    with mock.patch.object(packing, "pack_states", rows.pack):
        for line in (folder / "gold.jsonl").read_text(encoding="utf-8").splitlines():
            gold = json.loads(line)
            document = read_document(folder / gold["document"])
            packed, before = reviewed(document, encoder)
            with mock.patch.object(attending, "_states", rows.read):
                full, after = reviewed(document, encoder)
            totals += [found_among(gold["conflicts"], packed), found_among(gold["conflicts"], full)]
            moved += [abs(a - b) for a, b in zip(before, after, strict=True)]
            known += len(gold["conflicts"])
    for name, row in zip(("packed", "full precision"), totals / known, strict=True):
        say(f"{name}: recall at 5, 10, 20, all {', '.join(f'{share:.3f}' for share in row)} of {known}")
    say(f"log-odds of {len(moved)} pairs move by {np.mean(moved):.3f} on average, {max(moved):.3f} at most")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
