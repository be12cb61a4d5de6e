"""Encoding and packing of 100 pages: wall and CPU seconds in each precision, packing's share, decision density.

    python tests/bench/bench_states.py [--pages 100] [--threads 2] [--precisions bfloat16 float32]

A page is 3,000 characters. Text of our own (the sample agreement with changed numbers); ANTINOMY_DATA with
``cuad/contracts/*.txt`` gives real text instead. CPU seconds stand beside wall seconds because a busy machine stretches
only those.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from pathlib import Path

import torch

from engine.anchors.extract import extract_anchors
from engine.document import CharacterBoxes, Document, Media, Page, Sentence
from engine.states.bert import choose_precision
from engine.states.decision_points import find_decision_points
from engine.states.encoder import BertEncoder, english_folder, load_folder
from engine.states.snapshot import Passage, document_passages, encoder_key, pack_tokens
from resources import resource_path

PAGE = 3000
_SENTENCE = re.compile(r"[^\s][^.;\n]*(?:\.(?!\d)|;|\n|$)")


def say(line: str) -> None:
    """A line of the result."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def text_of(pages: int) -> tuple[str, str]:
    """The text, and where it comes from."""
    folder = Path(os.environ.get("ANTINOMY_DATA", "")) / "cuad" / "contracts"
    if os.environ.get("ANTINOMY_DATA") and folder.is_dir():
        texts = (path.read_text(encoding="utf-8", errors="replace") for path in sorted(folder.glob("*.txt")))
        whole = ""
        for text in texts:
            whole += text + "\n"
            if len(whole) >= pages * PAGE:
                return whole[: pages * PAGE], "cuad"
    sample = resource_path("samples", "master_supply_agreement.txt").read_text(encoding="utf-8")
    copies = [re.sub(r"\d", lambda m, k=k: str((int(m.group()) + k) % 10), sample) for k in range(99)]
    return "\n".join(copies)[: pages * PAGE], "the sample agreement with changed numbers"


def document_of(text: str) -> Document:
    """The text as one paragraph of sentences; reading it properly is another benchmark's business."""
    sentences = tuple(Sentence(m.start(), m.end(), "") for m in _SENTENCE.finditer(text) if m.end() - m.start() > 1)
    page = Page(0, 595, 842, 0, len(text))
    return Document(
        "sha256:" + "0" * 64, "made", Media.TEXT, "en", text, (page,), (), sentences, (), (), CharacterBoxes.empty()
    )


def measure(encoder: BertEncoder, passages: list[Passage]) -> tuple[float, float, float, float, int]:
    """Wall and CPU seconds of encoding, of packing; tokens."""
    spent = [0.0, 0.0, 0.0, 0.0]
    tokens = 0
    for start in range(0, len(passages), 256):
        some = passages[start : start + 256]
        a, b = time.perf_counter(), time.process_time()
        states = encoder.encode_tokens([passage.text for passage in some])
        c, d = time.perf_counter(), time.process_time()
        pack_tokens(some, states, encoder_key(encoder))
        e, f = time.perf_counter(), time.process_time()
        spent = [spent[0] + c - a, spent[1] + d - b, spent[2] + e - c, spent[3] + f - d]
        tokens += sum(len(each.spans) for each in states)
    return spent[0], spent[1], spent[2], spent[3], tokens


def main() -> int:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--precisions", nargs="+", default=list(dict.fromkeys((choose_precision(), "float32"))))
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    text, origin = text_of(given.pages)
    document = document_of(text)
    anchors = extract_anchors(document)
    points = find_decision_points(document, anchors)
    passages = document_passages(document, anchors, points)
    load = os.getloadavg()[0]
    say(f"{given.pages} pages of {origin}: {len(passages)} snapshots; {given.threads} threads, load {load:.1f}")
    for precision in given.precisions:
        encoder = load_folder(english_folder(), precision=precision, device="cpu")
        encoder.encode([passage.text for passage in passages[:64]])
        wall, used, pack_wall, pack_used, tokens = measure(encoder, passages)
        say(
            f"{precision}: encoding {wall:.1f} s ({used:.1f} s of CPU), choosing and packing {pack_wall:.2f} s "
            f"({pack_used:.2f} s of CPU, {pack_used / used:.1%} of encoding); {wall + pack_wall:.1f} s together "
            f"(asked 12 s), {tokens} tokens"
        )
        say(f"decision points per 1,000 tokens: {1000 * len(points.segments) / tokens:.1f} snapshots (asked 12 to 40)")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
