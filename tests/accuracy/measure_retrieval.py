"""Retrieval on the judged cases: legalbench_rag (character level) and acord (NDCG@5), each signal left out in turn.

    .venv/bin/python tests/accuracy/measure_retrieval.py DATA_FOLDER [--cache FOLDER] [--ablate]

DATA_FOLDER holds legalbench_rag/ and acord/. Indexes go to the cache folder and are used again.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from engine.anchors.extract import extract_anchors
from engine.document import CharacterBoxes, Clause, ClauseKind, Document, Media, Page, Sentence
from engine.reading.open_file import open_file
from engine.reading.sentences import split
from engine.retrieval.document_index import (
    DocumentIndex,
    build_document_index,
    load_document_index,
    save_document_index,
)
from engine.retrieval.matter_index import MatterIndex
from engine.retrieval.ranking import RankingSettings, rank
from engine.states.encoder import Encoder, load_encoder
from engine.states.snapshot import encoder_key

#: Chunks looked at for a query of acord; a clause has two of them on average.
ACORD_CANDIDATES = 200
ABLATIONS: dict[str, dict[str, float]] = {
    "all signals": {},
    "without vector": {"vector": 0.0},
    "without state consistency": {"state": 0.0},
    "without words": {"lexical": 0.0},
    "without anchors": {"anchors": 0.0},
    "without naming": {"naming": 0.0},
    "without synonyms": {"synonyms": 0.0},
    "without the wording of clause types": {"wording": 0.0},
    "without either": {"synonyms": 0.0, "wording": 0.0},
    "vector alone": {"state": 0.0, "lexical": 0.0, "anchors": 0.0, "naming": 0.0, "wording": 0.0, "synonyms": 0.0},
    "state consistency alone": {
        "vector": 0.0, "lexical": 0.0, "anchors": 0.0, "naming": 0.0, "wording": 0.0, "synonyms": 0.0,
    },
    "words alone (BM25)": {
        "vector": 0.0, "state": 0.0, "anchors": 0.0, "naming": 0.0, "wording": 0.0, "synonyms": 0.0,
    },
    "words with synonyms alone": {"vector": 0.0, "state": 0.0, "anchors": 0.0, "naming": 0.0, "wording": 0.0},
}  # fmt: skip


def read(path: Path) -> Document:
    """A file's Document."""
    file = open_file(str(path), "")
    for _ in file.read():
        pass
    try:
        return file.document
    finally:
        file.close()


def indexed(documents: Iterable[tuple[str, object]], encoder: Encoder, cache: Path) -> list[DocumentIndex]:
    """The documents' indexes, from the cache where they are there. Items are (id in the cache, maker)."""
    out = []
    for identity, make in documents:
        index = load_document_index(cache, identity, encoder_key(encoder))
        if index is None:
            document: Document = make()  # type: ignore[operator]  # a function
            document = msgspec.structs.replace(document, id=identity)
            index = build_document_index(document, extract_anchors(document), encoder)
            save_document_index(cache, index)
        out.append(index)
    return out


# --- legalbench_rag -----------------------------------------------------------------------------------------------


def merged(spans: list[tuple[str, int, int]]) -> list[tuple[str, int, int]]:
    """Spans without overlaps, as score_retrieval.py makes them."""
    out: list[tuple[str, int, int]] = []
    for name, start, end in sorted(spans):
        if out and out[-1][0] == name and start <= out[-1][2]:
            out[-1] = (name, out[-1][1], max(out[-1][2], end))
        else:
            out.append((name, start, end))
    return out


def score(tests: Sequence[dict], results: Sequence[list[tuple[str, int, int]]], k: int) -> tuple[float, float]:
    """Character precision and recall at k, as score_retrieval.py computes them."""
    precision = recall = 0.0
    for test, found in zip(tests, results, strict=True):
        gold = merged([(s["file_path"], *s["span"]) for s in test["snippets"]])
        first = merged(found[:k])
        common = sum(
            max(0, min(a[2], b[2]) - max(a[1], b[1])) for a in gold for b in first if a[0] == b[0]
        )  # fmt: skip
        retrieved = sum(end - start for _, start, end in first)
        precision += common / retrieved if retrieved else 0.0
        recall += common / sum(end - start for _, start, end in gold)
    return precision / len(tests), recall / len(tests)


def legalbench(folder: Path, encoder: Encoder, cache: Path) -> tuple[list[dict], MatterIndex]:
    """The questions and the index over their contracts."""
    tests = json.loads((folder / "contractnli_dev.json").read_text(encoding="utf-8"))["tests"]
    paths = sorted((folder / "corpus").rglob("*.txt"))
    makers = [(p.relative_to(folder / "corpus").as_posix().replace("/", "~"), lambda p=p: read(p)) for p in paths]
    return tests, MatterIndex(indexed(makers, encoder, cache))


def passages(index: MatterIndex, encoder: Encoder, question: str, settings: RankingSettings) -> list[tuple]:
    """The spans found for a question."""
    out = []
    for found in rank(index, encoder, question, settings):
        kept = index.documents[found.place.document].kept
        chunk = kept.chunks[found.place.chunk]
        out.append((kept.document.replace("~", "/"), chunk.start, chunk.end))
    return out


# --- acord --------------------------------------------------------------------------------------------------------


def as_document(clauses: Sequence[tuple[str, str]]) -> Document:
    """Clauses, each with its id, as one document: acord ranks clauses, not contracts."""
    text, nodes, sentences = "", [], []
    for identity, words in clauses:
        start, end = len(text), len(text) + len(words)
        text += words + "\n"
        nodes.append(Clause(identity, "", (), "", "", 0, ClauseKind.CLAUSE, start, end, start, "", 0, "en"))
        sentences += [Sentence(a, b, identity) for a, b in split(text, start, end)]
    pages = (Page(0, 600, 800, 0, len(text)),)
    return Document(
        "acord", "", Media.TEXT, "en", text, pages, tuple(nodes), tuple(sentences), (), (), CharacterBoxes.empty()
    )


class Clauses(NamedTuple):
    """Judgements by query and split, and an index of the clauses that were judged for queries of one kind."""

    judged: dict[str, dict[str, dict[str, int]]]
    index_of: dict[str, MatterIndex]


def acord(folder: Path, encoder: Encoder, cache: Path) -> Clauses:
    """Both splits, all clauses indexed. Queries of a kind share the clauses that were judged as of no use."""
    corpus = [json.loads(line) for line in (folder / "corpus.jsonl").read_text(encoding="utf-8").splitlines()]
    clauses = [(c["_id"], c["text"]) for c in corpus]
    whole = indexed([("acord", lambda: as_document(clauses))], encoder, cache)[0]
    judged: dict[str, dict[str, dict[str, int]]] = {}
    for split_name in ("train", "valid"):
        judged[split_name] = defaultdict(dict)
        with (folder / "qrels" / f"{split_name}.tsv").open(encoding="utf-8", newline="") as file:
            for query, clause_id, grade in list(csv.reader(file, delimiter="\t"))[1:]:
                judged[split_name][query][clause_id] = int(grade)
    pools: dict[frozenset[str], set[str]] = defaultdict(set)
    kind_of: dict[str, frozenset[str]] = {}
    for query, grades in (item for part in judged.values() for item in part.items()):
        kind_of[query] = frozenset(each for each, grade in grades.items() if not grade)
        pools[kind_of[query]] |= grades.keys()
    parts = {kind: MatterIndex([only(whole, frozenset(pool))]) for kind, pool in pools.items()}
    return Clauses(judged, {query: parts[kind] for query, kind in kind_of.items()})


def ndcg(grades: Sequence[int], ideal: Sequence[int], k: int = 5) -> float:
    """Normalised discounted cumulative gain; gains are the grades, as trec_eval takes them."""

    def gain(values: Sequence[int]) -> float:
        return sum(g / math.log2(i + 2) for i, g in enumerate(values[:k]))

    best = gain(sorted(ideal, reverse=True))
    return gain(grades) / best if best else 0.0


def only(index: DocumentIndex, clauses: frozenset[str]) -> DocumentIndex:
    """The part of an index that holds some clauses."""
    rows = [i for i, chunk in enumerate(index.kept.chunks) if chunk.clause in clauses]
    kept = index.kept
    part = msgspec.structs.replace(
        kept, chunks=tuple(kept.chunks[i] for i in rows), words=tuple(kept.words[i] for i in rows),
        anchors=tuple(kept.anchors[i] for i in rows),
    )  # fmt: skip
    return index._replace(kept=part, vectors=np.asarray(index.vectors[rows]), picks=np.asarray(index.picks[rows]))


def acord_score(clauses: Clauses, encoder: Encoder, settings: RankingSettings) -> dict[str, float]:
    """Mean NDCG@5 by split. Each query ranks the clauses that were judged for it: the data set says that clauses of no
    use are judged and not implied, and the published BM25 figure is met in this way and not over all clauses."""
    wide = msgspec.structs.replace(settings, search_k=ACORD_CANDIDATES, top_k=2 * ACORD_CANDIDATES)
    out = {}
    for name, judged in clauses.judged.items():
        values = []
        for query, grades in judged.items():
            index = clauses.index_of[query]
            chunks = index.documents[0].kept.chunks
            found = dict.fromkeys(chunks[f.place.chunk].clause for f in rank(index, encoder, query, wide))
            values.append(ndcg([grades[each] for each in found if each in grades], list(grades.values())))
        out[name] = float(np.mean(values))
    return out


def say(line: str) -> None:
    """Print at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "antinomy-retrieval")
    parser.add_argument("--ablate", action="store_true")
    parser.add_argument("--set", choices=("both", "legalbench", "acord"), default="both")
    parser.add_argument("--every", type=int, default=1, help="only each so many-th question of legalbench_rag")
    arguments = parser.parse_args()
    encoder = load_encoder("en")
    tests: list[dict] = []
    if arguments.set != "acord":
        begun = time.perf_counter()
        tests, contracts = legalbench(arguments.data / "legalbench_rag", encoder, arguments.cache / "legalbench")
        tests = tests[:: arguments.every]
        say(f"{len(contracts.documents)} contracts, {len(contracts)} chunks, {time.perf_counter() - begun:.0f} s")
    if arguments.set != "legalbench":
        begun = time.perf_counter()
        clauses = acord(arguments.data / "acord", encoder, arguments.cache)
        counts = {name: len(judged) for name, judged in clauses.judged.items()}
        say(f"acord: {counts} queries, {time.perf_counter() - begun:.0f} s")
    heads = (["P@1", "R@4", "R@16", "R@64"] if tests else []) + (
        ["acord train NDCG@5", "acord valid NDCG@5"] if arguments.set != "legalbench" else []
    )
    say("| ranking | " + " | ".join(heads) + " |\n|" + "---|" * (len(heads) + 1))
    for name, changes in ABLATIONS.items() if arguments.ablate else [("all signals", {})]:
        settings = msgspec.structs.replace(RankingSettings(), **changes)
        figures = []
        if tests:
            wide = msgspec.structs.replace(settings, search_k=64, top_k=64)
            results = [passages(contracts, encoder, test["query"], wide) for test in tests]
            figures += [score(tests, results, 1)[0], *(score(tests, results, k)[1] for k in (4, 16, 64))]
        if arguments.set != "legalbench":
            figures += acord_score(clauses, encoder, settings).values()
        say("| " + " | ".join([name, *(f"{figure:.3f}" for figure in figures)]) + " |")


if __name__ == "__main__":
    main()
