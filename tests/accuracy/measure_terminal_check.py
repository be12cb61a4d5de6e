"""The terminal check on generated answers: each with one planted wrong value, and right ones.

    .venv/bin/python tests/accuracy/measure_terminal_check.py [--answers 200] [--seed N] [--show]

Answers are written over our own contracts (tests/data, resources/samples) from one to three of a passage's values, in
other forms than the passage has them (:mod:`paraphrase`), a sixth of them in the other language. A wrong value is of
the same kind, and stands in none of the answer's passages. A wrong answer counts as caught when the mark touches the
planted value; a right one counts against us when anything in it is marked.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from measure_retrieval import read
from paraphrase import changed, write

from engine.anchors.extract import extract_anchors
from engine.anchors.model import AnchorKind
from engine.retrieval.answer_check import Source, check_answer
from engine.retrieval.chunks import chunks_of

ROOT = Path(__file__).parent.parent.parent
KINDS = ("period", "amount", "percent", "date", "reference", "quantity")
OPENINGS = {
    "en": (
        "According to the contract, the {noun} is {value}{cite}.", "It is {value}{cite}.",
        "The {noun} here is {value}{cite}.", "Yes: {value}{cite}, as the passage says.",
        "If that happens, the {noun} will be {value}{cite}.", "Under this Agreement the {noun} equals {value}{cite}.",
        "The Parties agreed on {value}{cite}.", "In short, {value}{cite}.", "- **{value}**{cite}",
        "Please note that {value} applies{cite}.",
    ),
    "zh": (
        "根据合同，{noun}为{value}{cite}。", "约定的是{value}{cite}。", "该{noun}为{value}{cite}。",
        "是的，为{value}{cite}。", "双方约定{noun}是{value}{cite}。", "请注意，{noun}系{value}{cite}。",
        "按照本合同的约定，{noun}应为{value}{cite}。",
        "也就是说，{value}{cite}。", "- **{value}**{cite}", "合同写明由{value}{cite}确定。",
    ),
}  # fmt: skip
NOUNS = {
    "period": ("period", "期限"), "amount": ("amount", "金额"), "percent": ("rate", "比例"), "date": ("date", "日期"),
    "reference": ("relevant provision", "有关条款"), "quantity": ("number", "数量"), "party": ("party", "当事人"),
}  # fmt: skip


class Fact(NamedTuple):
    """A value of a passage: the passage's place in its contract, kind, canonical value."""

    passage: int
    kind: str
    value: str


class Contract(NamedTuple):
    """A contract's passages, facts, every canonical value of each passage, and its parties' names."""

    language: str
    sources: list[Source]
    facts: list[Fact]
    values: list[set[tuple[str, str]]]
    names: list[str]


def contracts() -> list[Contract]:
    """Our own contracts, read as any file is."""
    paths = sorted((ROOT / "tests" / "data").glob("*/contracts/*.txt")) + sorted(
        (ROOT / "resources" / "samples").glob("*.txt")
    )
    return [_contract(path) for path in paths]


def _contract(path: Path) -> Contract:
    document = read(path)
    anchors = extract_anchors(document)
    names = sorted(
        {document.text[a.start : a.end] for a in anchors if a.kind is AnchorKind.PARTY and a.end - a.start > 9}
    )
    names = [name for name in names if name.endswith(("公司", "Inc.", "LLC", "Ltd", "Limited", "GmbH"))]
    sources, facts, values = [], [], []
    for i, chunk in enumerate(chunks_of(document)):
        inside = [a for a in anchors if chunk.start <= a.start and a.end <= chunk.end]
        sources.append(Source(document.text[chunk.start : chunk.end], chunk.language, chunk.number, tuple(names)))
        values.append({(a.kind.value, v) for a in inside for v in (a.value, *a.detail.values())})
        facts += [Fact(i, a.kind.value, a.value) for a in inside if a.kind.value in KINDS]
    return Contract(document.language, sources, facts, values, names)


def answer(
    contract: Contract, others: list[str], chance: random.Random, *, wrong: bool
) -> tuple[str, list[Source], tuple[int, int], str] | None:
    """An answer, its sources, the planted value's span (0, 0 without), its kind; None when the draw has no form."""
    kind = chance.choice(sorted({fact.kind for fact in contract.facts}))
    first = chance.choice([fact for fact in contract.facts if fact.kind == kind])
    language = contract.language if chance.random() > 1 / 6 else "zh" if contract.language == "en" else "en"
    others_here = [f for f in contract.facts if f.passage == first.passage and f != first]
    facts = [first, *chance.sample(others_here, min(len(others_here), chance.randrange(3)))]
    also = chance.randrange(len(contract.sources))
    sources = [contract.sources[first.passage], contract.sources[also]]
    held = contract.values[first.passage] | contract.values[also]
    parts: list[tuple[str, str, bool]] = []
    for i, fact in enumerate(facts):
        kind, value, planted = fact.kind, fact.value, wrong and i == 0
        if planted:
            value = changed(kind, value, chance)
            if value == fact.value or (kind, value) in held or (kind == "reference" and _names(value, sources)):
                return None
        words = write(kind, value, language, chance)
        if words is None:
            return None
        parts.append((kind, words, planted))
    if contract.names and chance.random() < 0.3:
        if wrong:
            name = chance.choice(others)
            if name in contract.names:
                return None
            parts = [("party", name, True), *((k, w, False) for k, w, planted in parts if not planted)]
        else:
            parts.append(("party", chance.choice(contract.names), False))
    return _joined(parts, sources, language, chance)


def _joined(
    parts: list[tuple[str, str, bool]], sources: list[Source], language: str, chance: random.Random
) -> tuple[str, list[Source], tuple[int, int], str]:
    text, span, kind_planted = "", (0, 0), ""
    for kind, words, planted in parts:
        form = chance.choice(OPENINGS[language])
        cite = chance.choice((" [1]", "", "[1]"))
        sentence = form.format(noun=NOUNS[kind][language == "zh"], value=words, cite=cite)
        if planted:
            at = len(text) + sentence.index(words)
            span, kind_planted = (at, at + len(words)), kind
        text += sentence + ("" if language == "zh" else " ")
    return text, sources, span, kind_planted


def _names(value: str, sources: list[Source]) -> bool:
    number = value.removeprefix("clause:")
    return any(number in source.clause or number in source.text for source in sources)


def say(line: str) -> None:
    """Print at once."""
    sys.stdout.write(line + "\n")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=200)
    parser.add_argument("--seed", type=int, default=9)
    parser.add_argument("--show", action="store_true", help="print the answers that went wrong")
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    read_contracts = contracts()
    names = sorted({name for contract in read_contracts for name in contract.names})
    for wrong in (True, False):
        kinds: Counter[str] = Counter()
        bad = done = 0
        while done < arguments.answers:
            drawn = answer(chance.choice(read_contracts), names, chance, wrong=wrong)
            if drawn is None:
                continue
            text, sources, span, kind = drawn
            found = check_answer(text, sources)
            caught = any(each.start < span[1] and span[0] < each.end for each in found)
            done += 1
            kinds[kind] += 1
            if wrong != caught if wrong else bool(found):
                bad += 1
                if arguments.show:
                    marked = [text[each.start : each.end] for each in found]
                    say(f"--- {text!r} planted {text[span[0] : span[1]]!r} marked {marked}")
                    say(f"    {sources[0].text[:300]!r}")
        if wrong:
            told = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())
            say(f"wrong answers marked: {done - bad} of {done} ({told})")
        else:
            say(f"right answers marked: {bad} of {done}")


if __name__ == "__main__":
    main()
