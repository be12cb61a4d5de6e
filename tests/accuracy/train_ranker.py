"""Train resources/weights/pair_ranker.json: boosted trees over comparison features.

    python tests/accuracy/train_ranker.py DATA CACHE [--part K/N] [--write]

DATA is the development data's folder; read are ``norm_conflicts`` (19 contracts with 92 conflicts that people wrote;
Aires et al. 2019, CC BY-SA 4.0) and ``cuad`` (352 contracts as text; The Atticus Project, CC BY 4.0), into which
planting.py puts conflicts and look-alikes. CACHE keeps the features between runs; ``--part`` makes one part of the
planted contracts and stops, so that the parts can be made beside each other. Printed: recall by folds of the known
contracts (each fold is scored by trees that saw none of its contracts) and by trees that saw planted conflicts only.
The folds' weights stay in CACHE for
measure_conflicts.py. ``--write`` trains on everything and writes the weights.

Needs scikit-learn, which comes with sentence-transformers; the program itself evaluates the trees with numpy.
"""

from __future__ import annotations

import argparse
import collections
import json
import re
import sys
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from measure_conflicts import covers, read_document, say
from planting import AGAINST, plant
from planting_parts import Planted
from planting_restated import CONFLICT_WAYS, LOOKALIKE_WAYS, RESTATED, restate

from engine.anchors.extract import extract_anchors
from engine.conflicts.candidates import Candidate
from engine.conflicts.comparison import FEATURES
from engine.conflicts.differences import differences_of
from engine.conflicts.encoding import Encoded, encode_units
from engine.conflicts.norms import parse_norm
from engine.conflicts.pairs import feature_table
from engine.conflicts.sides import Side
from engine.conflicts.units import Unit, build_units
from engine.conflicts.verifier_inputs import Inputs, inputs_of, table_rows
from engine.document import Document, Sentence
from engine.states.encoder import Encoder, load_encoder
from engine.states.knowledge_facts import shipped_knowledge
from engine.states.snapshot import tensor_of
from resources import resource_path

KS = (5, 10, 20, 50, 100)
#: Kept of the easy negatives of a contract: the nearest, and a sample of the rest.
NEAREST_KEPT, OTHERS_KEPT = 400, 300
PLANTED_CONFLICTS, PLANTED_LOOKALIKES = 20, 26
#: Of those said anew (planting_restated.py), in a contract; and how many sentences are tried for one.
RESTATED_CONFLICTS, RESTATED_LOOKALIKES, TRIES = 10, 12, 12
#: What is trained on of the sentences said anew. The others only stand in the planted contracts, as more that is near:
#: trees that were trained on them ranked our own sets worse (of the first ten 0.41 instead of 0.46 in English, 0.48
#: instead of 0.60 in Chinese; 150 faster trees).
TRAINED_ANEW = frozenset(("exclusive",))
#: A contract longer than the others gives an excerpt of so many sentences: most of what people review is short.
LONGEST, EXCERPT = 420, (36, 80)


class Table(NamedTuple):
    """A contract's candidate pairs; ``gold`` has (id or operation, kind or "" for a look-alike, rows).

    ``weights`` says for how many pairs each stands in training; 0 for one that is not used there. ``inputs`` are the
    verifier's, of the pairs that are used.
    """

    document: str
    texts: list[str]
    pairs: list[tuple[int, int]]
    features: NDArray[np.float32]
    gold: list[tuple[str, str, list[int]]]
    weights: list[float]
    inputs: Inputs


def _packed(array: NDArray[Any]) -> tuple[str, tuple[int, ...], bytes]:
    return array.dtype.str, array.shape, array.tobytes()


def _unpacked(packed: tuple[str, tuple[int, ...], bytes]) -> NDArray[Any]:
    kind, shape, data = packed
    return np.frombuffer(data, kind).reshape(shape)


def save_tables(path: Path, tables: list[Table]) -> None:
    """Tables as msgpack, arrays as (type, shape, bytes)."""
    rows = [
        (t.document, t.texts, t.pairs, _packed(t.features), t.gold, t.weights,
         [_packed(array) for array in (t.inputs.numbers, t.inputs.residuals, t.inputs.rows)])
        for t in tables
    ]  # fmt: skip
    path.write_bytes(msgspec.msgpack.encode(rows))


def load_tables(path: Path) -> list[Table]:
    """What :func:`save_tables` wrote."""
    return [
        Table(
            name, texts, [(a, b) for a, b in pairs], _unpacked(features), gold, weights, Inputs(*map(_unpacked, inputs))
        )
        for name, texts, pairs, features, gold, weights, inputs in msgspec.msgpack.decode(path.read_bytes())
    ]


def verifier_inputs(
    units: list[Unit], encoded: Encoded, sides: list[Side], pairs: list[tuple[int, int]], features: NDArray[np.float32]
) -> Inputs:
    """What the verifier sees of pairs, for train_verifier.py."""
    if encoded.blocks is None:
        raise SystemExit(encoded.fault)
    rows = table_rows([(units[a], units[b], differences_of(units[a], units[b], sides[a], sides[b])) for a, b in pairs])
    return inputs_of(tensor_of(encoded.blocks), np.array(pairs, np.int64).reshape(-1, 2), features, rows)


def training_weights(candidates: list[Candidate], always: set[tuple[int, int]]) -> list[float]:
    """For how many pairs each candidate stands in training: the near ones and ``always`` for themselves.

    A sample of the others stands for all of them, at a third of their number; the rest have weight 0.
    """
    rng = np.random.default_rng(len(candidates))
    contained = [c.shared / max(1e-6, min(c.weight_a, c.weight_b)) for c in candidates]
    worth = np.array([c.cosine for c in candidates]) + 0.5 * np.array(contained)
    keep = np.array([(c.a, c.b) in always for c in candidates], bool)
    keep[np.argsort(-worth, kind="stable")[:NEAREST_KEPT]] = True
    others = np.flatnonzero(~keep)
    sample = rng.choice(others, min(len(others), OTHERS_KEPT), replace=False)
    weights = keep.astype(np.float64)
    weights[sample] = 0.3 * len(others) / max(1, len(sample))
    return [float(weight) for weight in weights]


def known_tables(data: Path, encoder: Encoder) -> list[Table]:
    """The contracts with conflicts that people wrote."""
    found = []
    for entry in map(json.loads, (data / "gold.jsonl").read_text(encoding="utf-8").splitlines()):
        document = read_document(data / entry["document"])
        units = build_units([document], {document.id: extract_anchors(document)})
        encoded = encode_units(units, lambda _: encoder, lambda *_: None, lambda: False, snapshots=True)
        candidates, table, _, sides = feature_table(units, encoded, lambda *_: None, lambda: False)
        texts, pairs = [unit.text for unit in units], [(c.a, c.b) for c in candidates]
        gold = []
        for conflict in entry["conflicts"]:
            first, second = ({i for i, t in enumerate(texts) if covers(p, t)} for p in conflict["passages"][:2])
            rows = [j for j, (a, b) in enumerate(pairs) if (a in first and b in second) or (a in second and b in first)]
            gold.append((conflict["id"], conflict["kind"], rows))
        always = {pairs[row] for _, _, rows in gold for row in rows}
        weights = training_weights(candidates, always)
        used = np.flatnonzero(weights)
        inputs = verifier_inputs(units, encoded, sides, [pairs[row] for row in used.tolist()], table[used])
        found.append(Table(entry["document"], texts, pairs, table, gold, weights, inputs))
    return found


def bearers_of(sentences: list[str]) -> list[str]:
    """The names that most often must or may do something."""
    counts: collections.Counter[str] = collections.Counter()
    for sentence in sentences:
        norm = parse_norm(sentence)
        name = re.sub(r"^(?:The|the|Each|Any)\s+", "", sentence[slice(*norm.bearer)].strip())
        if norm.modality in AGAINST and 0 < len(name.split()) <= 2 and name[0].isupper():
            counts[name] += 1
    return [name for name, _ in counts.most_common(4)]


def restated(norms: list[str], rng: Random, bearers: list[str], *, conflict: bool) -> tuple[str, Planted | None]:
    """A sentence that one way of saying it anew fits, and what was made of it; None when no sentence fits."""
    way = rng.choice(CONFLICT_WAYS if conflict else LOOKALIKE_WAYS)
    source = norms[0]
    if way == "exclusive":
        norms = [sentence for sentence in norms if shipped_knowledge().said(sentence)] or norms
    for _ in range(TRIES):
        source = rng.choice(norms)
        made = restate(source, rng, way, conflict=conflict, bearers=bearers, others=norms)
        if made is not None:
            return source, made
    return source, None


def planted_document(document: Document, rng: Random) -> tuple[Document, list[tuple[str, str, str, str]]] | None:
    """The document with changed copies of its sentences put in at random places; None for an unfit one."""
    lines = [(document.text[s.start : s.end], s.clause) for s in document.sentences]
    if len(lines) <= 60:
        return None
    share = 1.0
    if len(lines) >= LONGEST:
        size = rng.randint(*EXCERPT)
        start = rng.randint(0, len(lines) - size)
        lines, share = lines[start : start + size], 0.4
    sentences = list(dict.fromkeys(text for text, _ in lines))
    norms = [s for s in sentences if 7 < len(s.split()) < 90 and parse_norm(s).modality in AGAINST]
    if len(norms) < 15 * share:
        return None
    bearers = bearers_of(sentences)
    made = []
    counts = [
        round(n * share) for n in (PLANTED_CONFLICTS, PLANTED_LOOKALIKES, RESTATED_CONFLICTS, RESTATED_LOOKALIKES)
    ]
    for k in range(sum(counts)):
        if k < counts[0] + counts[1]:
            source = rng.choice(norms)
            copy = plant(source, rng, conflict=k < counts[0], bearers=bearers, others=norms)
        else:
            source, copy = restated(norms, rng, bearers, conflict=k < sum(counts[:3]))
        if copy and len(copy.text.split()) > 3 and copy.text not in sentences:
            text = " ".join(copy.text.split())
            made.append((source, text if text.endswith((".", ";")) else text + ".", copy.kind, copy.operation))
    for source, text, _, _ in made:
        beside = rng.random() < 0.12
        at = [line for line, _ in lines].index(source) + 1 if beside else rng.randint(0, len(lines))
        lines.insert(min(at, len(lines)), (text, lines[min(at, len(lines) - 1)][1]))
    whole, spans = "", []
    for text, clause in lines:
        spans.append(Sentence(len(whole), len(whole) + len(text), clause))
        whole += text + "\n"
    return msgspec.structs.replace(document, text=whole, sentences=tuple(spans)), made


def planted_table(name: str, document: Document, made: list[tuple[str, str, str, str]], encoder: Encoder) -> Table:
    """The pairs of a planted contract that training uses."""
    units = build_units([document], {document.id: extract_anchors(document)})
    encoded = encode_units(units, lambda _: encoder, lambda *_: None, lambda: False, snapshots=True)
    unit_of = {unit.text: j for j, unit in enumerate(units)}
    wanted = [sorted((unit_of.get(source, -1), unit_of.get(text, -1))) for source, text, _, _ in made]
    always = {(a, b) for a, b in wanted}
    weights: list[float] = []

    def choose(candidates: list[Candidate]) -> list[Candidate]:
        every = training_weights(candidates, always)
        weights.extend(weight for weight in every if weight)
        return [candidate for candidate, weight in zip(candidates, every, strict=True) if weight]

    candidates, table, _, sides = feature_table(units, encoded, lambda *_: None, lambda: False, choose)
    pairs = [(c.a, c.b) for c in candidates]
    row_of = {pair: j for j, pair in enumerate(pairs)}
    gold = [
        (operation, kind, [row_of[a, b]] if (a, b) in row_of else [])
        for (a, b), (_, _, kind, operation) in zip(wanted, made, strict=True)
    ]
    inputs = verifier_inputs(units, encoded, sides, pairs, table)
    return Table(name, [unit.text for unit in units], pairs, table, gold, weights, inputs)


def planted_tables(folder: Path, encoder: Encoder, part: int, parts: int) -> list[Table]:
    """One part of the planted contracts: every third contract of the folder is used, in ``parts`` parts."""
    found = []
    for i, path in enumerate(sorted(folder.rglob("*.txt"))):
        if i % 3 != 2 or (i // 3) % parts != part:
            continue
        planted = planted_document(read_document(path), Random(1000 + i))
        if planted is None:
            continue
        found.append(planted_table(path.name, *planted, encoder))
        say(path.name, len(found[-1].pairs))
    return found


def said_anew(table: Table) -> list[int]:
    """Rows of pairs that are not trained on."""
    untrained = RESTATED - TRAINED_ANEW
    return [row for operation, _, rows in table.gold if operation in untrained for row in rows]


def training_rows(tables: list[Table]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Features, labels and weights of the pairs that training uses."""
    parts: list[tuple[NDArray[Any], NDArray[Any], NDArray[Any]]] = []
    for table in tables:
        label = np.zeros(len(table.features))
        for _, kind, rows in table.gold:
            label[rows] = 1 if kind else 0
        weight = np.array(table.weights)
        weight[said_anew(table)] = 0
        used = weight > 0
        parts.append((table.features[used], label[used], weight[used]))
    x, y, w = (np.concatenate(column) for column in zip(*parts, strict=True))
    return x, y, w


def fit(known: list[Table], planted: list[Table]) -> Any:
    """Boosted trees on both sorts; a conflict that a person wrote counts as six planted ones."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    rows = [training_rows(tables) for tables in (known, planted) if tables]
    if known:
        x, y, w = rows[0]
        rows[0] = (x, y, w * np.where(y > 0, 6, 2))
    x, y, w = (np.concatenate(column) for column in zip(*rows, strict=True))
    model = HistGradientBoostingClassifier(
        max_iter=300, learning_rate=0.04, max_leaf_nodes=8, min_samples_leaf=20, l2_regularization=10,
        max_features=0.3,
        early_stopping=False, random_state=0,
    )  # fmt: skip
    return model.fit(x, y, sample_weight=w)


def report(title: str, tables: list[Table], scores: list[NDArray[Any]]) -> None:
    """Recall at k of the pairs, before merging."""
    ranks: dict[str, list[int]] = {"all": []}
    for table, score in zip(tables, scores, strict=True):
        rank = np.empty(len(score), int)
        rank[np.argsort(-score, kind="stable")] = np.arange(1, len(score) + 1)
        for _, kind, rows in table.gold:
            best = min((int(rank[j]) for j in rows), default=10**9)
            ranks["all"].append(best)
            ranks.setdefault(kind, []).append(best)
    say(title)
    for kind, values in sorted(ranks.items()):
        say(f"  {kind:12} n={len(values):3}", *(f"@{k} {np.mean([v <= k for v in values]):.3f}" for k in KS))


def exported(model: Any, version: str, calibration: list[tuple[float, float]]) -> bytes:
    """The weights file's bytes."""
    trees = []
    for (predictor,) in model._predictors:
        nodes = predictor.nodes
        leaf = nodes["is_leaf"].astype(bool).tolist()
        trees.append(
            {
                "feature": nodes["feature_idx"].tolist(),
                "threshold": [0.0 if end else float(t) for t, end in zip(nodes["num_threshold"], leaf, strict=True)],
                "left": [-1 if end else int(n) for n, end in zip(nodes["left"], leaf, strict=True)],
                "right": [-1 if end else int(n) for n, end in zip(nodes["right"], leaf, strict=True)],
                "value": [round(float(v), 6) if end else 0.0 for v, end in zip(nodes["value"], leaf, strict=True)],
            }
        )
    base = float(model._baseline_prediction.ravel()[0])
    return json.dumps(
        {"schema": "antinomy.ranker/1", "version": version, "features": list(FEATURES), "base": base, "trees": trees,
         "calibration": calibration}
    ).encode()  # fmt: skip


def calibrate(raw: NDArray[Any], label: NDArray[Any]) -> list[tuple[float, float]]:
    """A monotone map from log-odds to the share of known conflicts, at most 24 points."""
    from sklearn.isotonic import IsotonicRegression

    order = np.argsort(raw)
    # Pooled by hand first: isotonic steps of single pairs would claim certainty.
    level = IsotonicRegression(y_min=0.001, y_max=0.97, out_of_bounds="clip").fit(raw[order], label[order])
    points = np.unique(np.quantile(raw, (0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.993, 0.996, 0.998, 0.999, 0.9995, 1)))
    values = np.maximum.accumulate(level.predict(points) + np.linspace(0, 1e-3, len(points)))
    return [(round(float(p), 4), round(float(v), 4)) for p, v in zip(points, values, strict=True)]


def main() -> int:
    """Train; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("cache", type=Path)
    parser.add_argument("--part", default="")
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    args.cache.mkdir(parents=True, exist_ok=True)
    encoder = load_encoder("en")
    if args.part:
        part, parts = (int(n) for n in args.part.split("/"))
        made = planted_tables(args.data / "cuad", encoder, part, parts)
        save_tables(args.cache / f"planted-{part}.msgpack", made)
        return 0
    cached = args.cache / "known.msgpack"
    if not cached.exists():
        save_tables(cached, known_tables(args.data / "norm_conflicts", encoder))
    known = load_tables(cached)
    planted = [table for path in sorted(args.cache.glob("planted-*.msgpack")) for table in load_tables(path)]
    say(f"{len(known)} known contracts, {len(planted)} planted ones")
    if planted:
        model = fit([], planted)
        report("trained on planted conflicts only", known, [model.decision_function(t.features) for t in known])
    raws: list[NDArray[Any]] = [np.zeros(0)] * len(known)
    for fold in range(5):
        model = fit([t for i, t in enumerate(known) if i % 5 != fold], planted)
        for i in range(fold, len(known), 5):
            raws[i] = model.decision_function(known[i].features)
        (args.cache / f"fold-{fold}.json").write_bytes(exported(model, f"fold-{fold}", []))
    report("five folds of contracts", known, raws)
    if args.write:
        labels = [np.zeros(len(t.features)) for t in known]
        for table, label in zip(known, labels, strict=True):
            for _, _, rows in table.gold:
                label[rows] = 1
        points = calibrate(np.concatenate(raws), np.concatenate(labels))
        path = resource_path("weights", "pair_ranker.json")
        path.write_bytes(exported(fit(known, planted), f"trees-{len(known)}+{len(planted)}", points))
        say(f"{path}: {path.stat().st_size} bytes; calibration {points}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
