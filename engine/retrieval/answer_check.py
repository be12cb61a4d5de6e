"""Terminal check: every value in an answer is looked up in the passages that it cites; what is not there is marked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from engine.anchors.extract import extract_from_text
from engine.anchors.model import Anchor, AnchorKind
from engine.protocol.answers import Unsupported

#: Kinds that an answer may not make up.
CHECKED = frozenset(
    {AnchorKind.AMOUNT, AnchorKind.DATE, AnchorKind.PERIOD, AnchorKind.PERCENT, AnchorKind.RATE, AnchorKind.QUANTITY,
     AnchorKind.REFERENCE, AnchorKind.LAW, AnchorKind.COURT, AnchorKind.ARBITRATION}
)  # fmt: skip
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?!\w)")
#: A run of capitalised words: a company or a person; single words of a sentence's beginning are not looked at.
_NAME = re.compile(
    r"\b(?:[A-Z][\w&.'’-]*|[A-Z]{2,})(?:\s+(?:of|and|&|de|von|the)\s+(?=[A-Z])|\s+)"
    r"(?:[A-Z][\w&.'’-]*)(?:\s+[A-Z][\w&.'’-]*)*"
)
_CHINESE_NAME = re.compile(
    r"[\u3400-\u9fff（）()]{2,30}?(?:有限责任公司|股份有限公司|有限公司|公司|集团|银行|事务所|委员会)"
)
_CITED = re.compile(r"\[(\d+)\]")


class Source(NamedTuple):
    """A cited passage: its words, the number of the clause it stands in ("" without), and its document's parties."""

    text: str
    language: str
    clause: str = ""
    names: tuple[str, ...] = ()


def check_answer(answer: str, sources: Sequence[Source]) -> list[Unsupported]:
    """The values in ``answer`` that the sources do not have, in order.

    A reference is supported when a source mentions that clause or stands in it. Marks of citation (``[2]``) are
    left alone as long as there is such a source.
    """
    language = "zh" if re.search(r"[\u3400-\u9fff]", answer) else "en"
    citations = [match.span() for match in _CITED.finditer(answer) if 1 <= int(match.group(1)) <= len(sources)]
    held = _held(sources)
    found: list[Unsupported] = []
    covered = list(citations)
    for anchor in extract_from_text(answer, language):
        if anchor.kind not in CHECKED or _touches(anchor.start, anchor.end, citations):
            continue
        covered.append((anchor.start, anchor.end))
        if not _supported(anchor, held, sources):
            found.append(Unsupported(anchor.kind.value, anchor.value, anchor.start, anchor.end))
    found += _bare_numbers(answer, sources, covered)
    found += _unknown_names(answer, sources, covered)
    return sorted(found, key=lambda each: (each.start, each.end))


def _held(sources: Sequence[Source]) -> set[tuple[AnchorKind, str]]:
    held: set[tuple[AnchorKind, str]] = set()
    for source in sources:
        for anchor in extract_from_text(source.text, source.language):
            held.add((anchor.kind, anchor.value))
            # "thirty-five (30) days" says both; an answer may repeat either.
            held.update((anchor.kind, other) for key, other in anchor.detail.items() if key in ("words", "figures"))
    return held


def _supported(anchor: Anchor, held: set[tuple[AnchorKind, str]], sources: Sequence[Source]) -> bool:
    if (anchor.kind, anchor.value) in held:
        return True
    if anchor.kind is AnchorKind.REFERENCE:
        return any(_names_clause(anchor.value, source.clause) for source in sources if source.clause)
    if "|" in anchor.value:
        return any((anchor.kind, reading) in held for reading in anchor.value.split("|"))
    # The same words are the same value, whatever they were read as.
    return False


def _names_clause(value: str, clause: str) -> bool:
    """Whether a reference's value is the clause of that number, or one that it lies in (``clause:4`` for 4.2(a))."""
    read = [*extract_from_text(clause, "zh"), *extract_from_text(f"Section {clause}", "en")]
    values = {anchor.value for anchor in read if anchor.kind is AnchorKind.REFERENCE}
    return any(own == value or own.startswith((value + ".", value + "(")) for own in values)


def _bare_numbers(answer: str, sources: Sequence[Source], covered: list[tuple[int, int]]) -> list[Unsupported]:
    """Figures that are no anchor of a known kind: they must stand in a source as they are."""
    known = {match.group().replace(",", "") for source in sources for match in _NUMBER.finditer(source.text)}
    known |= {match.group() for source in sources for match in re.finditer(r"\d+", source.clause)}
    return [
        Unsupported("number", match.group(), *match.span())
        for match in _NUMBER.finditer(answer)
        if match.group().replace(",", "") not in known and not _touches(*match.span(), covered)
    ]


def _unknown_names(answer: str, sources: Sequence[Source], covered: list[tuple[int, int]]) -> list[Unsupported]:
    """Names of parties that neither a passage nor its document has."""
    known = _folded(" ".join([*(s.text for s in sources), *(name for s in sources for name in s.names)]))
    out = []
    for match in [*_NAME.finditer(answer), *_CHINESE_NAME.finditer(answer)]:
        words = _folded(match.group())
        if words not in known and not _touches(*match.span(), covered):
            out.append(Unsupported("party", match.group(), *match.span()))
    return out


def _folded(text: str) -> str:
    return re.sub(r"[\s.,，。()（）]+", " ", text).strip().casefold()


def _touches(start: int, end: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start < b and a < end for a, b in spans)
