"""What learning from a person's labels is worth: a simulated reviewer judges half of the contracts, the rest tells.

    python tests/accuracy/measure_learning.py GOLD.jsonl [--labels N] [--ranker FILE --verifier FILE] [--parts]

GOLD has one document a line: ``document``, ``conflicts`` with ``passages``, perhaps ``traps`` (tests/data/zh_conflicts,
tests/data/en_conflicts, norm_conflicts of the development data). The reviewer confirms a shown finding that is a known
conflict, dismisses any other one, links known conflicts that are not shown and marks traps as none, in a matter file of
each contract; what is learnt from is read back from those files. Then the halves are exchanged. On contracts held out
every finding with two passages that is no known conflict counts as a false alarm. Printed: before and after with the
spread (nine of ten draws of contracts), what the card itself says, and the time.

``--ranker`` and ``--verifier`` take the place of the shipped weights: those have seen norm_conflicts, so it needs
weights that were trained on planted conflicts alone. ``--parts`` also measures the verifier and the correction alone.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from measure_conflicts import covers, read_document, say

from engine.conflicts.ranker import Ranker, read_ranker
from engine.conflicts.verifier import Verifier, read_verifier, shipped_verifier
from engine.document import Document, pack
from engine.learning.case import Case, make_case
from engine.learning.judging import Seen, answers, figures
from engine.learning.learn import Parts, Teacher, learn, prepare
from engine.matter.judgements import Judgements, groups_of, judgements
from engine.matter.matter import Matter
from engine.matter.records import Annotator, LinkEnd
from engine.protocol.findings import EngineLine, Finding
from engine.protocol.learning import PairLabel, Place
from engine.protocol.showing import is_likely
from engine.states.encoder import Encoder, load_encoder

ENCODERS: dict[str, Encoder] = {}


def encoder_for(language: str) -> Encoder:
    """One of each language."""
    if language not in ENCODERS:
        ENCODERS[language] = load_encoder(language)
    return ENCODERS[language]


def label_of(document: Document, passages: list[str], is_conflict: bool, code: str) -> PairLabel | None:
    """A known pair as a label: where its words stand, or the sentence that holds most of them."""
    ends = []
    for passage in passages[:2]:
        at = document.text.find(passage)
        if at >= 0:
            ends.append(Place(document.id, at, at + len(passage)))
            continue
        spans = [(s.start, s.end) for s in document.sentences if covers(passage, document.text[s.start : s.end])]
        if spans:
            ends.append(Place(document.id, *spans[0]))
    return PairLabel(tuple(ends), is_conflict, code) if len(ends) == 2 and ends[0] != ends[1] else None


def judged_matter(folder: Path, document: Document, findings: list[Finding], gold: list[PairLabel]) -> Path:
    """A matter in which a reviewer has gone through the findings shown, and linked what was missing."""
    path = folder / f"{document.id[7:31]}.antinomy"
    with Matter.create(path, Annotator("a-simulated", "Simulated")) as matter:
        matter.add_document(document.id, document.name, "", document.media, pack(document.without_boxes()))
        matter.save_review([document.id], findings, EngineLine("cpu", "", ""))
        shown = [finding for finding in findings if len(finding.passages) > 1 and is_likely(finding)]
        conflicts = [label for label in gold if label.is_conflict]
        for finding in shown:
            true = any(answers(finding, label) for label in conflicts)
            matter.decide(finding.id, "confirmed" if true else "dismissed", "" if true else "not.different_subject")
        for label in gold:
            if not any(answers(finding, label) for finding in shown):
                ends = [_end(document, place) for place in label.ends]
                matter.add_link(ends, label.code)
    return path


def _end(document: Document, place: Place) -> LinkEnd:
    clause = document.clause_at(place.start)
    names = (clause.id, clause.number) if clause else ("", "")
    return LinkEnd(place.document, *names, document.text[place.start : place.end], place.start, place.end)


def strictly_seen(findings: list[Finding], gold: list[PairLabel]) -> Seen:
    """As :func:`engine.learning.judging.seen`, but whatever is no known conflict is a false alarm."""
    conflicts = [label for label in gold if label.is_conflict]
    found: set[int] = set()
    hits = []
    first: dict[int, int] = {}
    for position, finding in enumerate(findings):
        if len(finding.passages) < 2:
            continue
        mine = {i for i, label in enumerate(conflicts) if answers(finding, label)}
        for i in mine:
            first.setdefault(i, position)
        hits.append((position, bool(mine), bool(mine - found)))
        found |= mine
    true = false = 0
    precision = []
    for _, is_true, is_new in hits:
        true += is_true
        false += not is_true
        if is_new:
            precision.append(true / (true + false))
    shown = [is_true for position, is_true, _ in hits if is_likely(findings[position])]
    wanted = len(conflicts)
    return Seen(
        sum(precision) / wanted if wanted else float("nan"),
        sum(place < 10 for place in first.values()) / wanted if wanted else float("nan"),
        sum(shown),
        len(shown) - sum(shown),
    )


def cut(found: Judgements, most: int) -> tuple[PairLabel, ...]:
    """At most so many labels, taken evenly."""
    if len(found.labels) <= most:
        return found.labels
    return tuple(found.labels[i] for i in np.linspace(0, len(found.labels) - 1, most).astype(int).tolist())


def main() -> int:
    """Measure; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gold", type=Path)
    parser.add_argument("--labels", type=int, default=200)
    parser.add_argument("--ranker", type=Path)
    parser.add_argument("--verifier", type=Path)
    parser.add_argument("--parts", action="store_true")
    parser.add_argument("--no-card", action="store_true", help="leave out the whole learning with its folds")
    args = parser.parse_args()
    ranker = read_ranker(args.ranker) if args.ranker else None
    base = read_verifier(args.verifier) if args.verifier else shipped_verifier()
    cases: list[Case] = []
    for entry in map(json.loads, args.gold.read_text("utf-8").splitlines()):
        document = read_document(args.gold.parent / entry["document"])
        pairs = [conflict for conflict in entry["conflicts"] if len(conflict["passages"]) > 1]
        known = [label_of(document, pair["passages"], True, pair["kind"]) for pair in pairs]
        known += [label_of(document, t["passages"], False, t["why"]) for t in entry.get("traps", [])]
        labels = [_named(label) for label in known if label is not None]
        started = time.process_time()
        cases.append(make_case([document], labels, encoder_for, lambda: False, ranker))
        say(f"{document.name[:40]:40} {len(labels):3} known pairs {time.process_time() - started:5.1f} s CPU")
    variants = {"all": Parts()}
    if args.parts:
        variants |= {"verifier alone": Parts(correction=False), "correction alone": Parts(verifier=False)}
    before = [strictly_seen(case.findings(base), list(case.labels)) for case in cases]
    after = {name: list(before) for name in variants}
    with tempfile.TemporaryDirectory() as folder:
        for half in (0, 1):
            taught = [case for i, case in enumerate(cases) if i % 2 == half]
            labels = _judge(Path(folder), half, taught, base, args.labels)
            _measure_half(args, half, cases, labels, base, ranker, variants, after)
    for name, seen in after.items():
        report(name, before, seen)
    return 0


def _named(label: PairLabel) -> PairLabel:
    """norm_conflicts names its kinds without their family."""
    code = label.code if "." in label.code else f"norm.{'condition' if label.code == 'conditional' else label.code}"
    return PairLabel(label.ends, label.is_conflict, code)


def _judge(folder: Path, half: int, taught: list[Case], base: Verifier, most: int) -> tuple[PairLabel, ...]:
    """The labels that a reviewer leaves in the matters of some contracts."""
    place = folder / str(half)
    place.mkdir()
    paths = [judged_matter(place, case.documents[0], case.findings(base), list(case.labels)) for case in taught]
    matters = [Matter.open(path, read_only=True) for path in paths]
    found = judgements(matters)
    for matter in matters:
        matter.close()
    labels = cut(found, most)
    conflicts = sum(label.is_conflict for label in labels)
    say(f"half {half}: {len(labels)} of {len(found.labels)} labels, {conflicts} conflicts, {len(taught)} contracts")
    return labels


def _measure_half(
    args: argparse.Namespace, half: int, cases: list[Case], labels: tuple[PairLabel, ...], base: Verifier,
    ranker: Ranker | None, variants: dict[str, Parts], after: dict[str, list[Seen]],
) -> None:  # fmt: skip
    documents = [case.documents[0] for i, case in enumerate(cases) if i % 2 == half]
    quiet = lambda *_: None  # noqa: E731 - used twice
    taught: dict[str, Verifier] = {}
    if not args.no_card:
        wall, cpu = time.perf_counter(), time.process_time()
        learnt = learn(
            documents, labels, "measured", encoder_for, quiet, lambda: False, shipped=base, ranker=ranker
        )  # fmt: skip
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        say(f"  whole learning: {wall:.0f} s, {cpu:.0f} s CPU, {len(labels)} labels; stages {learnt.card.seconds}")
        for figure in learnt.card.figures:
            spread = f"[{figure.low:+.3f} {figure.high:+.3f}]"
            say(f"  card: {figure.name:20} {figure.before:7.3f} {figure.after:7.3f} {spread}")
        say(f"  card: helps {learnt.card.helps}; own samples {learnt.card.replay}; found {learnt.card.found}")
        taught["all"] = Verifier(learnt.arrays, "all")
    if variants.keys() - taught.keys():
        ready, own = prepare(documents, labels, groups_of(labels), encoder_for, quiet, lambda: False, ranker)
        for name in variants.keys() - taught.keys():
            taught[name] = Verifier(Teacher(base, variants[name], 0, lambda: False).teach(ready, own), name)
    for name, verifier in taught.items():
        for i, case in enumerate(cases):
            if i % 2 != half:
                after[name][i] = strictly_seen(case.findings(verifier), list(case.labels))


def report(name: str, before: list[Seen], after: list[Seen]) -> None:
    """Before and after on contracts that were not learnt from."""
    say(f"{name}: {len(before)} contracts, each held out once")
    for figure in figures(before, after, 0):
        difference = f"{figure.after - figure.before:+.3f} [{figure.low:+.3f} {figure.high:+.3f}]"
        say(f"  {figure.name:20} {figure.before:7.3f} -> {figure.after:7.3f}   {difference}")


if __name__ == "__main__":
    raise SystemExit(main())
