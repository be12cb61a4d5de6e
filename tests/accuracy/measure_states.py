"""What each choice of the state snapshots is worth: tokens kept, layers, E4M3, on real conflicts and real questions.

    python tests/accuracy/measure_states.py DATA [--what choice layers fidelity retrieval] [--contracts 19]

DATA holds norm_conflicts/ and acord/; the Chinese figures come from tests/data/zh_conflicts. Conflicts: of each
contract the 1,000 nearest sentence pairs by cosine and the known conflicts are ranked by late interaction, both ways
and averaged. ``@10``: share of the known conflicts among the contract's ten first; ``mrr``: mean of 1/rank. Retrieval:
NDCG@5 of each acord query over the clauses judged for it.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from measure_conflicts import covers, read_document

from engine.anchors.extract import extract_anchors, extract_from_text
from engine.document import Document
from engine.states.choice import Choice, choose, marks_of
from engine.states.decision_points import PointKind, Segment, segment_anchors
from engine.states.encoder import BertEncoder, TokenStates, load_encoder
from engine.states.snapshot import Passage, encoder_key, pack_tokens, query_rows, tensor_of
from kernels.maxsim.op import maxsim
from kernels.pack_states.unpack import unpack_states

HERE = Path(__file__).resolve().parent
NEAREST = 1000
Rows = list[np.ndarray]


class Contract(NamedTuple):
    """Sentences of a contract and the known conflicts as pairs of their indices."""

    passages: list[Passage]
    gold: list[tuple[set[int], set[int]]]


def say(*words: object) -> None:
    """A line on the terminal, at once."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def contract_of(document: Document, conflicts: Sequence[dict[str, list[str]]]) -> Contract:
    """Its distinct sentences of at least 20 characters (8 of Chinese)."""
    anchors = extract_anchors(document)
    shortest = 8 if document.language == "zh" else 20
    passages: dict[str, Passage] = {}
    for i, sentence in enumerate(document.sentences):
        text = document.text[sentence.start : sentence.end]
        if len(text) >= shortest and text not in passages:
            segment = Segment(sentence.start, sentence.end, PointKind.SENTENCE, i, False)
            passages[text] = Passage(text, sentence.start, segment_anchors(segment, anchors), 1, document.language)
    texts = list(passages)
    gold = []
    for conflict in conflicts:
        if len(conflict["passages"]) >= 2:
            sides = [{i for i, text in enumerate(texts) if covers(wanted, text)} for wanted in conflict["passages"][:2]]
            if sides[0] and sides[1]:
                gold.append((sides[0], sides[1]))
    return Contract(list(passages.values()), gold)


def contracts(folder: Path, most: int) -> list[Contract]:
    """Those of a gold.jsonl."""
    lines = (folder / "gold.jsonl").read_text(encoding="utf-8").splitlines()[:most]
    found = []
    for line in lines:
        entry = json.loads(line)
        found.append(contract_of(read_document(folder / entry["document"]), entry["conflicts"]))
    return found


def unit(rows: np.ndarray) -> np.ndarray:
    """Rows of length 1."""
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


def late(a: np.ndarray, b: np.ndarray) -> float:
    """Late interaction both ways, averaged."""
    if len(a) == 0 or len(b) == 0:
        return 0.0
    cosine = a @ b.T
    return float(cosine.max(1).mean() + cosine.max(0).mean()) / 2


def candidates(contract: Contract, vectors: np.ndarray) -> list[tuple[int, int]]:
    """The nearest pairs and the known ones."""
    first, second = np.triu_indices(len(vectors), 1)
    nearest = np.argsort(-(vectors @ vectors.T)[first, second], kind="stable")[:NEAREST]
    pairs = {(int(first[k]), int(second[k])) for k in nearest}
    for left, right in contract.gold:
        pairs |= {(min(i, j), max(i, j)) for i in left for j in right if i != j}
    return sorted(pairs)


def ranks(contract: Contract, pairs: list[tuple[int, int]], scores: np.ndarray) -> list[int]:
    """The rank of each known conflict, from 1."""
    order = [pairs[i] for i in np.argsort(-scores, kind="stable")]
    found = []
    for left, right in contract.gold:
        hit = (k for k, (i, j) in enumerate(order, 1) if (i in left and j in right) or (j in left and i in right))
        found.append(next(hit, NEAREST))
    return found


def report(name: str, found: list[int]) -> None:
    """One line."""
    r = np.array(found)
    cells = "  ".join(f"@{k} {np.mean(r <= k):.3f}" for k in (5, 10, 20, 100))
    say(f"{name:<44} {cells}  mrr {np.mean(1 / r):.3f}  n {len(r)}")


def first(passage: Passage, tokens: TokenStates) -> Choice:
    """The first 42 tokens."""
    chosen = choose(passage.text, tokens.spans, marks_of(passage.text, passage.anchors or ()), 10**6)
    return Choice(chosen.tokens[:42], chosen.classes[:42])


def spread(passage: Passage, tokens: TokenStates) -> Choice:
    """42 tokens at even distances."""
    n = len(tokens.spans)
    at = np.unique(np.linspace(0, n - 1, 42).astype(np.int64)) if n else np.zeros(0, np.int64)
    return Choice(at, np.zeros(len(at), np.uint8))


def telling(passage: Passage, tokens: TokenStates) -> Choice:
    """The choice of the engine."""
    return choose(passage.text, tokens.spans, marks_of(passage.text, passage.anchors or ()))


CHOICES: dict[str, Callable[[Passage, TokenStates], Choice]] = {
    "first 42": first,
    "spread 42": spread,
    "telling 42": telling,
}


def rank_with(name: str, sets: list[tuple[Contract, list[tuple[int, int]], Rows]]) -> None:
    """Rank by late interaction of these rows."""
    found: list[int] = []
    for contract, pairs, rows in sets:
        units = [unit(r) for r in rows]
        found += ranks(contract, pairs, np.array([late(units[i], units[j]) for i, j in pairs]))
    report(name, found)


def rows_of(contract: Contract, tokens: list[TokenStates], how: str) -> Rows:
    """States kept of each sentence: all of them, a choice of 42, or those of its block."""
    if how == "whole sentence":
        return [t.states for t in tokens]
    if how == "block (E4M3)":
        states, counts = unpack_states(tensor_of(pack_tokens(contract.passages, tokens, 1)))
        return [s[:n].numpy() for s, n in zip(states, counts.tolist(), strict=True)]
    pick = CHOICES[how]
    return [t.states[pick(p, t).tokens] for p, t in zip(contract.passages, tokens, strict=True)]


def conflicts(
    encoder: BertEncoder, found: list[Contract], what: Sequence[str], language: str, deltas: Path | None
) -> None:
    """Choices and layers; with deltas (antinomy knowledge drift --save) them too."""
    texts = [[p.text for p in c.passages] for c in found]
    vectors = [encoder.encode(t) for t in texts]
    pairs = [candidates(c, v) for c, v in zip(found, vectors, strict=True)]
    base = []
    for c, p, v in zip(found, pairs, vectors, strict=True):
        base += ranks(c, p, np.array([v[i] @ v[j] for i, j in p]))
    report(f"{language} sentence vectors (cosine)", base)
    n = encoder.bert.shape.layers
    if "layers" in what:
        mixes: list[tuple[int, ...]] = [(k,) for k in range(max(1, n - 4), n + 1)]
        mixes += [(n - 1, n), (n - 2, n - 1, n), (n - 3, n - 2, n - 1, n), (0, n)]
        for mix in mixes:
            tokens = [encoder.encode_tokens(t, layers=mix) for t in texts]
            sets = [(c, p, rows_of(c, t, "telling 42")) for c, p, t in zip(found, pairs, tokens, strict=True)]
            rank_with(f"{language} layers {mix} telling 42", sets)
    if "choice" in what:
        tokens = [encoder.encode_tokens(t) for t in texts]
        for how in ("whole sentence", *CHOICES, "block (E4M3)"):
            kept = [rows_of(c, t, how) for c, t in zip(found, tokens, strict=True)]
            rank_with(f"{language} {how}", list(zip(found, pairs, kept, strict=True)))
        if deltas:
            from engine.states.adaptation import load_deltas

            adapted = encoder.with_deltas(load_deltas(deltas, encoder), "measured")
            tokens = [adapted.encode_tokens(t) for t in texts]
            kept = [rows_of(c, t, "telling 42") for c, t in zip(found, tokens, strict=True)]
            rank_with(f"{language} telling 42, knowledge deltas", list(zip(found, pairs, kept, strict=True)))
        longer = np.mean([len(t.spans) > 42 for ts in tokens for t in ts])
        say(f"{language}: {longer:.2f} of the sentences have more than 42 tokens")


def fidelity(encoder: BertEncoder, found: list[Contract]) -> None:
    """Spearman of late interaction from blocks against full-precision states of the same tokens, 10,000 real pairs."""
    chance = np.random.default_rng(4)
    exact: list[float] = []
    packed: list[float] = []
    each = 10_000 // len(found) + 1
    for contract in found:
        tokens = encoder.encode_tokens([p.text for p in contract.passages])
        kept = [unit(r) for r in rows_of(contract, tokens, "telling 42")]
        block = [unit(r) for r in rows_of(contract, tokens, "block (E4M3)")]
        for i, j in chance.integers(0, len(kept), (each, 2)).tolist():
            exact.append(late(kept[i], kept[j]))
            packed.append(late(block[i], block[j]))
    order = [np.argsort(np.argsort(x[:10_000])) for x in (exact, packed)]
    off = np.abs(np.array(exact) - packed).max()
    spearman = np.corrcoef(*order)[0, 1]
    say(f"fidelity: Spearman {spearman:.5f} on {len(order[0])} pairs, largest difference {off:.4f} (asked 0.995)")


def ndcg(grades: np.ndarray, scores: np.ndarray, k: int = 5) -> float:
    """Of one query."""
    gain = (2.0 ** grades[np.argsort(-scores, kind="stable")][:k] - 1) / np.log2(np.arange(2, k + 2))[: len(grades)]
    best = (2.0 ** np.sort(grades)[::-1][:k] - 1) / np.log2(np.arange(2, k + 2))[: len(grades)]
    return float(gain.sum() / best.sum()) if best.sum() else 0.0


def retrieval(encoder: BertEncoder, folder: Path, most: int) -> None:
    """acord's valid queries over the clauses judged for them."""
    corpus = {e["_id"]: e["text"] for e in map(json.loads, (folder / "corpus.jsonl").open(encoding="utf-8"))}
    judged: dict[str, dict[str, int]] = {}
    for line in (folder / "qrels" / "valid.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        query, clause, grade = line.split("\t")
        judged.setdefault(query, {})[clause] = int(grade)
    queries = sorted(judged)[:: max(1, len(judged) // most)]
    ids = sorted({c for q in queries for c in judged[q]})
    n = encoder.bert.shape.layers
    passages = [Passage(corpus[c], anchors=extract_from_text(corpus[c]), language="en") for c in ids]
    where = {c: i for i, c in enumerate(ids)}
    vectors = encoder.encode([corpus[c] for c in ids])
    asked = encoder.encode(queries)
    say(f"acord: {len(queries)} queries, {len(ids)} clauses")
    cosine = {q: np.array([asked[k] @ vectors[where[c]] for c in judged[q]]) for k, q in enumerate(queries)}
    grades = {q: np.array(list(judged[q].values())) for q in queries}
    say(f"acord cosine: NDCG@5 {np.mean([ndcg(grades[q], cosine[q]) for q in queries]):.3f}")
    for mix in ((n,), (n - 1, n), (n - 2,)):
        tokens = encoder.encode_tokens([corpus[c] for c in ids], layers=mix)
        rows, weights = query_rows(encoder.encode_tokens(queries, layers=mix))
        for how in ("whole", "first 42", "telling 42"):
            if how == "whole":
                q = [unit(rows[k][weights[k] > 0].numpy()) for k in range(len(queries))]
                full = [unit(t.states) for t in tokens]
                late_scores = np.array([[float((x @ f.T).max(1).mean()) for f in full] for x in q])
            else:
                blocks = pack_tokens(passages, tokens, 1, CHOICES[how])
                late_scores = maxsim(rows, weights, tensor_of(blocks)).numpy()
            line = []
            for share in (1.0, 0.3):
                mixed = [
                    ndcg(grades[q], share * late_scores[k][[where[c] for c in judged[q]]] + (1 - share) * cosine[q])
                    for k, q in enumerate(queries)
                ]
                line.append(f"{share} late: {np.mean(mixed):.3f}")
            say(f"acord layers {mix} {how}: NDCG@5 {', '.join(line)}")


def main() -> int:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--what", nargs="+", default=["choice", "layers", "fidelity", "retrieval"])
    parser.add_argument("--contracts", type=int, default=19)
    parser.add_argument("--deltas", type=Path, help="of the English encoder")
    parser.add_argument("--queries", type=int, default=40)
    parser.add_argument("--languages", nargs="+", default=["en", "zh"])
    given = parser.parse_args()
    started = time.perf_counter()
    folders = {"en": given.data / "norm_conflicts", "zh": HERE.parent / "data" / "zh_conflicts"}
    for language in given.languages:
        encoder = load_encoder(language)
        if not isinstance(encoder, BertEncoder):
            say(f"{language}: no encoder's weights installed, nothing measured")
            continue
        say(f"{language}: {encoder.name}, {encoder.precision}, id {encoder_key(encoder):016x}")
        found = contracts(folders[language], given.contracts)
        if set(given.what) & {"choice", "layers"}:
            conflicts(encoder, found, given.what, language, given.deltas if language == "en" else None)
        if "fidelity" in given.what:
            fidelity(encoder, found)
        if "retrieval" in given.what and language == "en":
            retrieval(encoder, given.data / "acord", given.queries)
        say(f"{time.perf_counter() - started:.0f} s")
    return 0


if __name__ == "__main__":
    torch.manual_seed(0)
    raise SystemExit(main())
