"""What makes comparing pairs fast changes no bit: each against the plain way; and documents that are unlike others."""

from __future__ import annotations

import itertools
import math
import random
import re

import msgspec
import numpy as np
import pytest
from check_document import document_of

from engine.anchors.extract import extract_anchors
from engine.conflicts.candidates import Candidate, WordIndex, find_candidates
from engine.conflicts.comparison import FEATURES, compare, longest_run
from engine.conflicts.encoding import encode_units
from engine.conflicts.norms import CHINESE, ENGLISH, clash, is_chinese, parse_norm
from engine.conflicts.opposites import CHINESE_PAIRS, chinese_opposites
from engine.conflicts.pairs import feature_table, score_pairs
from engine.conflicts.ranker import RankerFile, shipped_ranker
from engine.conflicts.review import review_documents
from engine.conflicts.segments import Segments, align, parts_of, segments_of
from engine.conflicts.sides import Side, side_of
from engine.conflicts.units import VALUE_KINDS, Unit, build_units
from engine.conflicts.word_states import COUNTERPART, nearest_of, soft_overlap, stated_words
from engine.protocol.messages import ReviewOptions
from engine.states.ngrams import NgramEncoder
from resources import resource_path

ENGLISH_SAMPLE = resource_path("samples", "master_supply_agreement.txt").read_text(encoding="utf-8")
CHINESE_SAMPLE = resource_path("samples", "equipment_purchase_contract_zh.txt").read_text(encoding="utf-8")


def encoded(text: str, name: str = "made.txt"):
    document = document_of(text, name)
    units = build_units([document], {document.id: extract_anchors(document)})
    states = encode_units(units, lambda _: NgramEncoder(), lambda *_: None, lambda: False)
    return units, states


@pytest.fixture(scope="module", params=["en", "zh"])
def sample(request):
    """Units, sides, candidates and word index of a sample contract."""
    text = ENGLISH_SAMPLE if request.param == "en" else CHINESE_SAMPLE
    units, states = encoded(text)
    candidates, index = find_candidates(units, states.vectors, lambda: False)
    sides = [side_of(unit, words, index.idf) for unit, words in zip(units, states.words, strict=True)]
    return units, sides, candidates[:1500], index


def plain_run(a: tuple[str, ...], b: tuple[str, ...]) -> int:
    if len(a) * len(b) > 40_000:
        return 0
    best = 0
    for i, j in itertools.product(range(len(a)), range(len(b))):
        k = 0
        while i + k < len(a) and j + k < len(b) and a[i + k] == b[j + k]:
            k += 1
        best = max(best, k)
    return best


def plain_mean(values, weights) -> float:
    total = float(weights.sum())
    return float(values @ weights) / total if total > 0 else 0.0


def plain_soft(similarity) -> tuple[float, float, float, float]:
    if similarity.size == 0:
        return 0.0, 0.0, 0.0, 1.0
    forth, back = similarity.max(axis=1), similarity.max(axis=0)
    return float(forth.mean()), float(back.mean()), float(forth.min()), float((forth < COUNTERPART).mean())


def plain_align(similarity, a: Segments, b: Segments, a_weights, b_weights) -> tuple[float, ...]:
    """The alignment from its definition: every pair of segments."""
    if similarity.size == 0:
        return (0.0, 0.0, 0.0, -1.0, 0.0, 0.0, -1.0, 0.0)
    best, clash_cover = (0.0, -1, -1), 0.0
    for (i, s), (j, t) in itertools.product(enumerate(a.norms), enumerate(b.norms)):
        rows, columns = list(s.subject + s.act), list(t.subject + t.act)
        if rows and columns:
            cover = plain_mean(similarity[:, columns].max(axis=1)[rows], a_weights[rows])
            best = max(best, (cover, i, j), key=lambda found: found[0])
            if clash(s.modality, t.modality) == 2:
                clash_cover = max(clash_cover, cover)
    weighted = plain_mean(similarity.max(axis=1), a_weights)
    outside = [similarity[i].max() for i in a.condition] + [similarity[:, j].max() for j in b.condition]
    condition = float(np.mean(outside)) if outside else -1.0
    cover, i, j = best
    if i < 0:
        return (0.0, 0.0, 0.0, -1.0, 0.0, 0.0, condition, weighted)
    s, t = a.norms[i], b.norms[j]
    rows, columns = list(s.subject + s.act), list(t.subject + t.act)
    back = plain_mean(similarity[np.ix_(rows, columns)].max(axis=0), b_weights[columns])
    subject = -1.0
    if s.subject and t.subject:
        block = similarity[np.ix_(s.subject, t.subject)]
        subject = min(float(block.max(axis=1).mean()), float(block.max(axis=0).mean()))
    verb = float(similarity[s.act[0], columns].max()) if s.act else 0.0
    return (cover, back, float(clash(s.modality, t.modality)), subject, verb, clash_cover, condition, weighted)


def plain_opposites(a: str, b: str) -> list[tuple[str, str]]:
    found = []
    for x, y in CHINESE_PAIRS:
        for first, second in ((x, y), (y, x)):
            long, short = (first, second) if len(first) >= len(second) else (second, first)
            a_rest, b_rest = a.replace(long, ""), b.replace(long, "")
            has_a = long in a if first == long else short in a_rest
            has_b = long in b if second == long else short in b_rest
            not_a = second not in (a_rest if second == short else a)
            not_b = first not in (b_rest if first == short else b)
            if has_a and has_b and not_a and not_b:
                found.append((first, second))
    return found


def plain_features(a: Unit, b: Unit, x: Side, y: Side, pair: Candidate, index: WordIndex) -> dict[str, float]:
    """The features that are computed in another way than they read, from the units and their sides."""
    short, long = (x, y) if len(x.sequence) <= len(y.sequence) else (y, x)
    similarity = np.asarray(short.words @ long.words.T, np.float32)
    soft = plain_soft(similarity)
    aligned = plain_align(similarity, short.segments, long.segments, short.weights, long.weights)
    only_short, only_long = short.stems - long.stems, long.stems - short.stems
    cues = [(s, t) for s, _, _ in a.norm.cues for t, _, _ in b.norm.cues] if len(a.norm.cues) < 50 else []
    roles = [(s.role, t.role) for s in a.anchors for t in b.anchors if s.kind is t.kind and s.kind in VALUE_KINDS]
    mains = [side.stems - side.scope.trigger for side in (x, y)]
    mains.append(mains[0] & mains[1])
    weights = [math.fsum(index.idf.get(word, 4.0) for word in main) for main in mains]
    own = [(x.scope.trigger - y.scope.trigger, mains[1]), (y.scope.trigger - x.scope.trigger, mains[0])]
    names = ("cover", "back", "clash", "subject", "verb")
    return {
        **dict(zip(("soft_short", "soft_long", "soft_worst", "soft_without"), soft, strict=True)),
        **{f"segment_{name}": value for name, value in zip(names, aligned[:5], strict=True)},
        **dict(zip(("clash_cover", "condition_cover", "soft_weighted"), aligned[5:], strict=True)),
        "run": plain_run(short.sequence, long.sequence) / max(1, len(short.sequence)),
        "extra_long": min(20, len(only_long)),
        "extra_both": min(8, len(only_short), len(only_long)),
        "extra_weight_short": math.fsum(index.idf.get(w, 4.0) for w in only_short) / max(1, len(only_short)),
        "names_differ": bool(short.names - long.stems) and bool(long.names - short.stems),
        "clash_any": max((clash(s, t) for s, t in cues), default=0) if len(cues) < 50 else 0,
        "roles_differ": any(s and t and s != t for s, t in roles),
        "same_words": all(word[0].isdigit() for word in x.stems ^ y.stems),
        "main_cover": weights[2] / max(1e-6, min(weights[:2])),
        "condition_in_main": max([len(words & main) / len(words) for words, main in own if words], default=0.0),
    }


def test_features_are_the_plain_ones_to_the_last_bit(sample) -> None:
    units, sides, candidates, index = sample
    assert len(candidates) > 200
    for pair in candidates:
        sentences = units[pair.a], units[pair.b], sides[pair.a], sides[pair.b]
        row, differences = compare(*sentences, pair, index)
        plain = plain_features(*sentences, pair, index)
        mine = row[[FEATURES.index(name) for name in plain]]
        wanted = np.array(list(plain.values()), np.float32)
        assert np.array_equal(mine, wanted), [name for name, x, y in zip(plain, mine, wanted, strict=True) if x != y]
        if units[pair.a].chinese and units[pair.b].chinese:
            said = plain_opposites(units[pair.a].text, units[pair.b].text)
            assert set(said) <= set(differences.opposites)


def test_runs_of_words() -> None:
    chance = random.Random(1)
    for _ in range(300):
        a, b = (tuple(chance.choices("abcde", k=chance.choice((0, 1, 2, 7, 8, 9, 15, 16, 40)))) for _ in range(2))
        assert longest_run(a, b) == plain_run(a, b) == longest_run(b, a)
    words = tuple(f"w{i}" for i in range(200))
    assert longest_run(words, words) == 200
    assert longest_run(words, (*words, "more")) == 0


def test_alignment_of_any_sentences() -> None:
    chance = np.random.default_rng(1)
    texts = [sentence.group() for sentence in re.finditer(r"[A-Z][^.]{30,}\.", ENGLISH_SAMPLE)][:40]
    cut = [(words := stated_words(text), segments_of(text, words, chinese=False)) for text in texts]
    for (a_words, a), (b_words, b) in itertools.product(cut, cut):
        similarity = chance.uniform(-1, 1, (len(a_words), len(b_words))).astype(np.float32)
        weights = [chance.uniform(0, 6, len(words)).astype(np.float32) for words in (a_words, b_words)]
        nearest = nearest_of(similarity)
        mine = align(similarity, nearest, parts_of(a, weights[0]), parts_of(b, weights[1]))
        assert tuple(mine) == plain_align(similarity, a, b, *weights)
        assert soft_overlap(nearest) == plain_soft(similarity)
    nothing = np.zeros((0, 3), np.float32)
    assert soft_overlap(nearest_of(nothing)) == (0.0, 0.0, 0.0, 1.0)


def test_opposed_chinese_words() -> None:
    chance = random.Random(2)
    words = [word for pair in CHINESE_PAIRS for word in pair]
    for _ in range(2000):
        a, b = ("，".join(chance.choices(words, k=3)) + "".join(chance.choices(words, k=2)) for _ in range(2))
        assert chinese_opposites(a, b) == plain_opposites(a, b)


def test_modals_are_found_as_each_by_itself() -> None:
    english = re.compile("|".join(f"(?P<{m.name}>\\b(?:{p}))" for m, p in ENGLISH), re.IGNORECASE)
    chinese = re.compile("|".join(f"(?P<{m.name}>{p})" for m, p in CHINESE))
    for text in re.split(r"(?<=[.。\n])", ENGLISH_SAMPLE + CHINESE_SAMPLE):
        letters = sum(c.isalpha() for c in text)
        assert is_chinese(text) == (2 * sum("\u3400" <= c <= "\u9fff" for c in text) > letters)
        found = [(m.lastgroup, *m.span()) for m in (chinese if is_chinese(text) else english).finditer(text)]
        assert [(said.name, start, end) for said, start, end in parse_norm(text).cues] == found


def test_trees_are_walked() -> None:
    ranker = shipped_ranker()
    file = msgspec.json.decode(resource_path("weights", "pair_ranker.json").read_bytes(), type=RankerFile)
    chance = np.random.default_rng(3)
    table = chance.uniform(-1, 3, (60, len(FEATURES))).astype(np.float32)
    # Features on a threshold go left, unknown ones right.
    for row, tree in zip(table, file.trees, strict=False):
        row[FEATURES.index(file.features[tree.feature[0]])] = tree.threshold[0]
    table[0, :7] = np.nan
    sums = []
    for row in table[:, [FEATURES.index(name) for name in file.features]]:
        total = file.base
        for tree in file.trees:
            node = 0
            while tree.left[node] >= 0:
                left = bool(row[tree.feature[node]] <= tree.threshold[node])
                node = tree.left[node] if left else tree.right[node]
            total += tree.value[node]
        sums.append(total)
    assert ranker.raw(table).tolist() == sums


def _noisy(text: str) -> str:
    """Letters misread, lost and put in, as a bad scan has them."""
    chance = random.Random(4)
    kept = []
    for c in text:
        dice = chance.random()
        kept.append("" if dice < 0.02 else chance.choice("1lI|rn0O。,; ") if dice < 0.07 else c)
    return "".join(kept)


_ROW = " ".join(f"Item {i} costs $ {37 * i + 100:,}.00 within {i % 30 + 1} days" for i in range(30))
UNLIKE_OTHERS = {
    "one sentence": "The Buyer shall pay the price of the pumps within 30 days.",
    "nothing": "",
    "no norms": "\n".join(f"{i}. Rain over hill number {i} and a grey sky {3 * i}." for i in range(60)),
    "one clause 500 times": "1. The Buyer shall pay the price within 30 days after the invoice.\n" * 500,
    "a page 500 times": (ENGLISH_SAMPLE[:300] + "\n") * 500,
    "one clause with 120 values": "\n".join(
        f"{i}. The Buyer shall pay USD {7 * i + 1} within {i % 28 + 2} days after invoice {i}." for i in range(120)
    ),
    "a bad scan": _noisy(ENGLISH_SAMPLE[:5000]),
    "a bad Chinese scan": _noisy(CHINESE_SAMPLE[:1500]),
    "two languages": ENGLISH_SAMPLE[:3000] + CHINESE_SAMPLE[:1000],
    "rows of a table": "\n".join(f"{k}. Lot {k}: {_ROW.replace('Item ', f'Item {k}')}." for k in range(1, 6)),
    "many modals": "\n".join(
        f"{k}. " + " and ".join(f"the Seller shall ship part {i} and may not keep it" for i in range(k, k + 25))
        for k in range(1, 8)
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", UNLIKE_OTHERS)
def test_documents_unlike_others(name: str) -> None:
    document = document_of(UNLIKE_OTHERS[name])
    reviews = [
        review_documents(
            [document], encoder_for=lambda _: NgramEncoder(), options=ReviewOptions(), progress=lambda *_: None,
            cancelled=lambda: False, notice=pytest.fail,
        )[0]
        for _ in range(2)
    ]  # fmt: skip
    assert msgspec.json.encode(reviews[0]) == msgspec.json.encode(reviews[1])
    units, states = encoded(UNLIKE_OTHERS[name])
    _, table, _, _ = feature_table(units, states, lambda *_: None, lambda: False)
    assert np.isfinite(table).all()


def test_stops_wherever_it_is_asked_to() -> None:
    units, states = encoded(ENGLISH_SAMPLE[:9000])

    def asked(stop: float) -> tuple[int, int]:
        """How often it asked when the answer was True from the ``stop``-th time on, and how many pairs it gave."""
        count = itertools.count()
        found = score_pairs(units, states, ReviewOptions(), lambda *_: None, lambda: next(count) >= stop)
        return next(count), len(found)

    often, some = asked(math.inf)
    assert some > 0
    for stop in (0, 1, 3, often // 2, often - 2, often - 1):
        # Asked again on its way out, but no more work is begun.
        again, none = asked(stop)
        assert none == 0
        assert again <= stop + 4
