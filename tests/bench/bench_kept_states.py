"""A review of a known matter: fresh, the first one that keeps states, and the next one that finds them.

    python tests/bench/bench_kept_states.py FILE [FILE ...] [--threads 2]

Says for each the seconds by stage (wall) and in all (wall and CPU), whether the findings are the same to the last bit,
and what the states take on the disk.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

import torch

from engine.conflicts.review import review_documents
from engine.document import Document
from engine.protocol.findings import Finding
from engine.protocol.messages import ReviewOptions
from engine.reading.open_file import open_file
from engine.states.encoder import Encoder, load_encoder
from engine.states.store import StateStore


def say(line: str) -> None:
    """A line of the result."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def read(path: str) -> Document:
    """The document as the reader process would send it."""
    opened = open_file(path)
    try:
        for _ in opened.read():
            pass
        return opened.document.without_boxes()
    finally:
        opened.close()


def main() -> int:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    documents = [read(path) for path in given.files]
    encoders: dict[str, Encoder] = {}

    def encoder_for(language: str) -> Encoder:
        if language not in encoders:
            encoders[language] = load_encoder(language)
            encoders[language].encode(["The Buyer shall pay.", "买方应当付款。"])
        return encoders[language]

    def review(name: str, states: str) -> list[Finding]:
        started, used = time.perf_counter(), time.process_time()
        found, stages = review_documents(
            documents,
            encoder_for=encoder_for,
            options=ReviewOptions(states=states),
            progress=lambda *_: None,
            cancelled=lambda: False,
            notice=say,
        )
        wall, processor = time.perf_counter() - started, time.process_time() - used
        parts = ", ".join(f"{stage} {seconds:.1f}" for stage, seconds in stages.items())
        say(f"{name}: {wall:.1f} s ({processor:.1f} s of CPU): {parts}; {len(found)} findings")
        return found

    characters = sum(len(document.text) for document in documents)
    load = os.getloadavg()[0]
    say(f"{len(documents)} documents, {characters:,} characters, load {load:.1f}, {given.threads} threads")
    for language in {"zh" if document.language == "zh" else "en" for document in documents}:
        encoder_for(language)
    review("warming", "")
    fresh = review("fresh", "")
    with tempfile.TemporaryDirectory() as folder:
        states = Path(folder) / "deal.states"
        first = review("keeping", str(states))
        again = review("known", str(states))
        say(f"the same findings: {fresh == first == again}; {StateStore(states).size_bytes / 1e6:.1f} MB on the disk")
    return 0 if fresh == first == again else 1


if __name__ == "__main__":
    raise SystemExit(main())
