"""Building an index: its time against the encoder's alone, and peak memory.

    .venv/bin/python tests/bench/bench_index.py FILE_OR_FOLDER... [--most 20] [--language zh]

Times are the processor's, of one thread: on a shared machine the clock on the wall says little.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch

from engine.anchors.extract import extract_anchors
from engine.document import Document
from engine.reading.open_file import open_file
from engine.retrieval.chunks import chunks_of, shown_to_encoder
from engine.retrieval.document_index import build_document_index
from engine.states.encoder import Encoder, TokenStates, load_encoder


def say(line: str) -> None:
    """Print at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def documents(paths: list[Path], most: int) -> Iterator[Document]:
    """The documents of files and folders."""
    files = [file for path in paths for file in (sorted(path.rglob("*.txt")) if path.is_dir() else [path])]
    for path in files[:most]:
        file = open_file(str(path), "")
        for _ in file.read():
            pass
        yield file.document
        file.close()


class Timed:
    """An encoder that says how long it worked, whatever else the machine did meanwhile."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self.spent_s = 0.0

    def __getattr__(self, name: str) -> object:
        return getattr(self._encoder, name)

    def encode_tokens(self, texts: Sequence[str], **options: Any) -> list[TokenStates]:
        """As the encoder does."""
        begun = time.process_time()
        try:
            return self._encoder.encode_tokens(texts, **options)
        finally:
            self.spent_s += time.process_time() - begun


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", type=Path, nargs="+")
    parser.add_argument("--most", type=int, default=20)
    parser.add_argument("--language", default="en")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    encoder = load_encoder(arguments.language)
    encoder.encode(["The first batch costs more than the next ones."] * 64)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    timed = Timed(encoder)
    spent = dict.fromkeys(("anchors", "index", "encoder alone, vectors"), 0.0)
    count = characters = blocks = 0
    for document in documents(arguments.paths, arguments.most):
        begun = time.process_time()
        anchors = sorted(extract_anchors(document), key=lambda anchor: anchor.start)
        spent["anchors"] += time.process_time() - begun
        begun = time.process_time()
        index = build_document_index(document, anchors, timed)  # type: ignore[arg-type]  # all that is asked of one
        spent["index"] += time.process_time() - begun
        shown = [shown_to_encoder(document, chunk) for chunk in chunks_of(document)]
        begun = time.process_time()
        encoder.encode(shown)
        spent["encoder alone, vectors"] += time.process_time() - begun
        count, blocks = count + len(index.vectors), blocks + len(index.blocks)
        characters += len(document.text)
    say(f"{characters} characters, {count} chunks, {blocks} snapshots")
    for name, seconds in spent.items():
        say(f"{name}: {seconds:.2f} s, {seconds / max(count, 1) * 1e3:.1f} ms a chunk")
    say(f"the encoder's part of the index: {timed.spent_s:.2f} s; all: {spent['index'] / timed.spent_s:.2f} times")
    say(f"index against the encoder alone, for vectors: {spent['index'] / spent['encoder alone, vectors']:.2f}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    say(f"peak memory {peak / 2**10:.0f} MB, {(peak - before) / 2**10:.0f} MB more than with the encoder loaded")


if __name__ == "__main__":
    main()
