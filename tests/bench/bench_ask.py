"""Asking: milliseconds a question once it is encoded, over one long contract and over a thousand; what cells lose.

    .venv/bin/python tests/bench/bench_ask.py INDEX_FOLDER [--questions 40] [--large]

INDEX_FOLDER holds document indexes, as tests/accuracy/measure_retrieval.py leaves them in its cache. A hundred-page
contract is some of them joined; a thousand contracts are all of them repeated, each vector moved a little.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np

from engine.retrieval.document_index import DocumentIndex, Kept, load_document_index
from engine.retrieval.matter_index import MatterIndex, vector_index
from engine.retrieval.ranking import rank
from engine.states.encoder import TokenStates, load_encoder

QUESTIONS = (
    "How long does confidentiality last after termination?", "Which law governs?", "Who may receive the information?",
    "What must be returned or destroyed, and by when?", "May the receiving party copy documents?",
    "If we disclose by order of a court, whom must we tell first?", "How much notice ends the agreement?",
    "Does the agreement grant a licence?", "What is the penalty for a breach?", "Can it be assigned?",
)  # fmt: skip
CHUNKS_OF_100_PAGES = 900
MOVED = 0.02


class Remembered:
    """An encoder that has already encoded its questions, so that only the rest is timed."""

    def __init__(self, questions: Sequence[str]) -> None:
        self._encoder = load_encoder("en")
        self._known = {question: self._encoder.encode_tokens([question])[0] for question in questions}

    def encode_tokens(self, texts: Sequence[str], **_: object) -> list[TokenStates]:
        """What was encoded before; the wording of clause types is met in the first round, which is not timed."""
        for text in texts:
            if text not in self._known:
                self._known[text] = self._encoder.encode_tokens([text])[0]
        return [self._known[text] for text in texts]


def load(folder: Path) -> list[DocumentIndex]:
    """All document indexes of a folder, mapped."""
    out = []
    for path in sorted(folder.glob("*.index")):
        kept = msgspec.msgpack.decode(path.read_bytes(), type=Kept)
        index = load_document_index(folder, kept.document, kept.encoder)
        if index is not None:
            out.append(index)
    return out


def joined(indexes: Sequence[DocumentIndex], chunks: int) -> DocumentIndex:
    """Some documents' chunks as those of one."""
    parts, count = [], 0
    for index in indexes:
        parts.append(index)
        count += len(index.vectors)
        if count >= chunks:
            break
    starts = np.cumsum([0, *(len(part.blocks) for part in parts)])
    first = parts[0].kept
    kept = Kept(
        first.version, "joined", "joined", "en", first.encoder, first.head,
        tuple(c for p in parts for c in p.kept.chunks), tuple(w for p in parts for w in p.kept.words),
        tuple(a for p in parts for a in p.kept.anchors),
    )  # fmt: skip
    return DocumentIndex(
        kept, np.concatenate([p.vectors for p in parts]), np.concatenate([p.blocks for p in parts]),
        np.concatenate([p.picks + start for p, start in zip(parts, starts, strict=False)]),
    )  # fmt: skip


def repeated(indexes: Sequence[DocumentIndex], count: int) -> list[DocumentIndex]:
    """``count`` documents, every vector moved a little so that no two are alike."""
    chance = np.random.default_rng(0)
    out = []
    for i in range(count):
        index = indexes[i % len(indexes)]
        moved = np.asarray(index.vectors) + chance.normal(scale=MOVED, size=index.vectors.shape).astype(np.float32)
        moved /= np.linalg.norm(moved, axis=1, keepdims=True)
        kept = msgspec.structs.replace(index.kept, document=f"{i} {index.kept.document}")
        out.append(index._replace(kept=kept, vectors=moved.astype(np.float32)))
    return out


def timed(index: MatterIndex, encoder: Remembered, rounds: int) -> tuple[list[float], float]:
    """Milliseconds of each question, the first round left out; and the mean of the processor's time."""
    for question in QUESTIONS:
        rank(index, encoder, question)  # type: ignore[arg-type]  # all of an encoder that ranking asks
    out = []
    worked = time.process_time()
    for i in range(rounds):
        begun = time.perf_counter()
        rank(index, encoder, QUESTIONS[i % len(QUESTIONS)])  # type: ignore[arg-type]  # as above
        out.append((time.perf_counter() - begun) * 1e3)
    return out, (time.process_time() - worked) / rounds * 1e3


def losses(documents: Sequence[DocumentIndex], encoder: Remembered) -> str:
    """What the trained cells miss of the ten nearest, and what they cost."""
    flat = vector_index(documents, exact=sys.maxsize)
    begun = time.perf_counter()
    cells = vector_index(documents, exact=0)
    trained_s = time.perf_counter() - begun
    vectors = np.stack([encoder.encode_tokens([q])[0].vector for q in QUESTIONS]).astype(np.float32)
    right, found = flat.search(vectors, 10)[1], cells.search(vectors, 10)[1]
    share = np.mean([len(set(a) & set(b)) / 10 for a, b in zip(right.tolist(), found.tolist(), strict=True)])
    spent = []
    for searched in (flat, cells):
        begun = time.perf_counter()
        for vector in vectors:
            searched.search(vector.reshape(1, -1), 10)
        spent.append((time.perf_counter() - begun) / len(vectors) * 1e3)
    return (
        f"trained in {trained_s:.1f} s; {share:.1%} of the ten nearest kept; "
        f"search {spent[0]:.2f} ms exact, {spent[1]:.2f} ms in cells"
    )


def say(line: str) -> None:
    """Print at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def told(measured: tuple[Sequence[float], float]) -> str:
    """Median, 90th percentile, and what the processor worked: on a busy machine the first two say little."""
    values, worked = measured
    return (
        f"median {statistics.median(values):.1f} ms, p90 {np.percentile(values, 90):.1f} ms, best {min(values):.1f}, "
        f"processor {worked:.1f} ms a question"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=int, default=40)
    parser.add_argument("--cells", type=int, default=0, help="only what trained cells lose with so many contracts")
    parser.add_argument("--large", action="store_true", help="also 3,000 contracts, beyond exact search")
    arguments = parser.parse_args()
    indexes = load(arguments.folder)
    encoder = Remembered(QUESTIONS)
    if arguments.cells:
        documents = repeated(indexes, arguments.cells)
        say(f"{sum(len(each.vectors) for each in documents)} chunks: {losses(documents, encoder)}")
        say(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10:.0f} MB")
        return
    one = MatterIndex([joined(indexes, CHUNKS_OF_100_PAGES)])
    say(f"one contract, {len(one)} chunks: {told(timed(one, encoder, arguments.questions))}")
    one.close()
    for count in (1000, 3000) if arguments.large else (1000,):
        documents = repeated(indexes, count)
        with tempfile.TemporaryDirectory() as folder:
            for when in ("built", "opened again"):
                begun = time.perf_counter()
                matter = MatterIndex(documents, Path(folder))
                spent = time.perf_counter() - begun
                say(f"{count} contracts, {len(matter)} chunks, {when} in {spent:.2f} s: "
                    f"{told(timed(matter, encoder, arguments.questions))}")  # fmt: skip
                matter.close()
        say(f"  cells: {losses(documents, encoder)}")
    say(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10:.0f} MB")


if __name__ == "__main__":
    main()
