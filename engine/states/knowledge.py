"""Knowledge anchors: what contracts of one language commonly mean, from packs of JSON lines.

A pack's first line says what it is (``{"kind": "pack", "schema": "antinomy.knowledge/1", "id", "language", …}``); each
other line is an entry:

- ``concept``: an id, a field (role, money, time …) and labels that name one thing: Supplier, Vendor, Seller.
- ``exclusive``: phrases ``a`` and ``b`` that cannot both hold of one thing; ``about`` are groups of words
  (``licence|license``) of which both texts must have the same one (what the phrase is said of), unless there are none.
- ``precedence``: phrases and their effect (overrides, yields, prevails, order, replaces, keeps, explains).
- ``limit``: a statute's bound on a value: subjects, the anchor's kind, ``at_most`` or ``at_least``, value, source.
- ``void``: phrases that a statute makes void, with the source.

:class:`Knowledge` answers questions about texts; it is immutable, so a running engine swaps one for another.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from engine.anchors.model import Anchor, AnchorKind
from engine.states.knowledge_pack import Concept, Exclusive, Limit, Pack, Precedence, Void, read_pack
from engine.states.phrases import Found, Phrases
from resources import resource_path

SHIPPED = ("en", "zh")
#: A limit's value stands within so many code points after its subject, in the same sentence.
NEAR = 60
#: … or ends so many before it.
JUST_BEFORE = 2
_SENTENCE_END = re.compile(r"[。；;\n]|\.(?=\s|$)")
_DAYS = {"Y": 365.0, "M": 30.0, "W": 7.0, "D": 1.0, "BD": 1.4}
_PERIOD = re.compile(r"P(?:(\d+(?:\.\d+)?)(Y|M|W|D|BD))$|PT(\d+(?:\.\d+)?)(H|M)$")


class ConceptHit(NamedTuple):
    """A concept named in a text: its id, its field, and where."""

    concept: str
    field: str
    start: int
    end: int


#: By exclusive entry: the side that a text names (``a`` or ``b``), where, and the groups of ``about`` that it has.
Said = dict[str, tuple[str, int, int, frozenset[int]]]


class Exclusion(NamedTuple):
    """Two texts say what cannot both hold: the entry's id, the phrase in each text as ``(start, end)``."""

    entry: str
    first: tuple[int, int]
    second: tuple[int, int]


class Breach(NamedTuple):
    """A text goes beyond the law: the entry, where, the anchor if there is one."""

    entry: Limit | Void
    start: int
    end: int
    anchor: Anchor | None

    @property
    def because(self) -> str:
        """The rule and its source, in the pack's language."""
        return f"{self.entry.summary} ({self.entry.source})"


def shipped_packs() -> list[Pack]:
    """The packs that come with Antinomy."""
    return [read_pack(resource_path("knowledge", f"{name}.jsonl")) for name in SHIPPED]


def load_knowledge(paths: Iterable[Path] = ()) -> Knowledge:
    """The shipped packs and those at ``paths``, which come after them and win where an id is the same.

    Raises:
        PackError: a pack cannot be read or is wrong; the message says where.
    """
    return Knowledge([*shipped_packs(), *(read_pack(path) for path in paths)])


@dataclasses.dataclass(frozen=True)
class Knowledge:
    """The entries of some packs, compiled for looking up. All spans are within the text that is asked about."""

    packs: Sequence[Pack]

    @cached_property
    def _concepts(self) -> dict[str, Concept]:
        """Concepts by ``language:id``; a later pack's labels are added to an earlier one's."""
        found: dict[str, Concept] = {}
        for pack in self.packs:
            for entry in pack.concepts:
                key = f"{pack.language}:{entry.id}"
                before = found[key].labels if key in found else ()
                found[key] = dataclasses.replace(entry, labels=tuple(dict.fromkeys((*before, *entry.labels))))
        return found

    @cached_property
    def _labels(self) -> Phrases:
        return Phrases((label, key) for key, concept in self._concepts.items() for label in concept.labels)

    @cached_property
    def _exclusives(self) -> dict[str, Exclusive]:
        return {f"{pack.language}:{entry.id}": entry for pack in self.packs for entry in pack.exclusives}

    @cached_property
    def _sides(self) -> Phrases:
        # Two packs may say the same words of different things (exclusive agents, exclusive licences).
        sides = (
            (phrase, f"{key}\x1f{side}")
            for key, entry in self._exclusives.items()
            for side, phrases in (("a", entry.a), ("b", entry.b))
            for phrase in phrases
        )
        return Phrases(sides, several=True)

    @cached_property
    def _precedence(self) -> Phrases:
        return Phrases((p, entry.effect) for entry in self._all_precedence for p in entry.phrases)

    @property
    def _all_precedence(self) -> list[Precedence]:
        return [entry for pack in self.packs for entry in pack.precedence]

    @cached_property
    def _limits(self) -> list[Limit]:
        return list({(p.language, e.id): e for p in self.packs for e in p.limits}.values())

    @cached_property
    def _voids(self) -> list[Void]:
        return list({(p.language, e.id): e for p in self.packs for e in p.voids}.values())

    # --- concepts ---------------------------------------------------------------------------------

    def concepts_in(self, text: str) -> list[ConceptHit]:
        """The concepts named in a text, in order; the longest label wins where labels overlap."""
        hits = self._labels.find(text)
        return [ConceptHit(_id(hit.key), self._concepts[hit.key].field, hit.start, hit.end) for hit in hits]

    def concept_of(self, name: str) -> str:
        """The concept that a name stands for, whole (``Vendor`` → ``supplier``); empty when there is none."""
        bare = re.sub(r"^(?:the|a|an)\s+", "", name.strip(), flags=re.IGNORECASE)
        hits = self._labels.find(bare)
        return _id(hits[0].key) if len(hits) == 1 and (hits[0].start, hits[0].end) == (0, len(bare)) else ""

    def same_concept(self, first: str, second: str) -> bool:
        """Whether two names stand for one concept (Supplier and Vendor; 卖方 and 供应商)."""
        concept = self.concept_of(first)
        return bool(concept) and concept == self.concept_of(second)

    def synonyms(self, name: str) -> tuple[str, ...]:
        """The other names of what a name stands for, in all languages."""
        concept = self.concept_of(name)
        labels = (label for key, entry in self._concepts.items() if _id(key) == concept for label in entry.labels)
        return tuple(label for label in labels if label.lower() != name.strip().lower()) if concept else ()

    def concept_anchors(self, text: str) -> list[Anchor]:
        """The concepts of a text as anchor-table entries: kind ``term``, value ``concept:supplier``."""
        origin = {"from": "knowledge"}
        return [
            Anchor(AnchorKind.TERM, f"concept:{hit.concept}", hit.start, hit.end, 0.8, role=hit.field, detail=origin)
            for hit in self.concepts_in(text)
        ]

    # --- what cannot both hold --------------------------------------------------------------------

    def exclusions(self, first: str, second: str) -> list[Exclusion]:
        """Where two texts say what cannot both hold of one thing; a text that says both itself decides nothing."""
        return self.exclusions_between(self.said(first), self.said(second))

    def said(self, text: str) -> Said:
        """What a text says of each exclusive entry; once a text, for comparing many pairs of texts."""
        sides: dict[str, dict[str, Found]] = {}
        for hit in self._sides.find(text):
            key, _, side = hit.key.partition("\x1f")
            sides.setdefault(key, {}).setdefault(side, hit)
        folded = text.lower()
        said: Said = {}
        for key, mine in sides.items():
            groups = self._exclusives[key].about
            about = frozenset(i for i, group in enumerate(groups) if any(w in folded for w in group.lower().split("|")))
            if len(mine) == 1 and (about or not groups):
                ((side, hit),) = mine.items()
                said[key] = (side, hit.start, hit.end, about)
        return said

    def exclusions_between(self, first: Said, second: Said) -> list[Exclusion]:
        """:meth:`exclusions` of two texts that were looked at before."""
        found = []
        for key in sorted(first.keys() & second.keys()):
            a, b = first[key], second[key]
            if a[0] != b[0] and (a[3] & b[3] or not self._exclusives[key].about):
                found.append(Exclusion(_id(key), a[1:3], b[1:3]))
        return found

    # --- precedence and law -----------------------------------------------------------------------

    def precedence_in(self, text: str) -> list[Found]:
        """Precedence phrases of a text: the effect (``key``) and where."""
        return self._precedence.find(text)

    def breaches(self, text: str, anchors: Sequence[Anchor], context: str = "") -> list[Breach]:
        """Where a text goes beyond a statute's limit, or says what a statute makes void.

        Args:
            text: a sentence, or an item with what introduces it.
            anchors: of the text, spans within it.
            context: more text in which an entry's ``needs`` may stand (the clause, its headings).
        """
        found: list[Breach] = []
        whole = (context + "\n" + text).lower()
        for limit in self._limits:
            if _applies(limit.needs, limit.unless, whole, text.lower()):
                found += _beyond(limit, text, anchors)
        for void in self._voids:
            if _applies(void.needs, (), whole, ""):
                at = min((i for phrase in void.phrases if (i := text.lower().find(phrase.lower())) >= 0), default=-1)
                if at >= 0:
                    phrase = next(p for p in void.phrases if text.lower().startswith(p.lower(), at))
                    found.append(Breach(void, at, at + len(phrase), None))
        return found


def _id(key: str) -> str:
    return key.partition(":")[2]


def _applies(needs: Sequence[str], unless: Sequence[str], whole: str, text: str) -> bool:
    return (not needs or any(n.lower() in whole for n in needs)) and not any(u.lower() in text for u in unless)


def _beyond(limit: Limit, text: str, anchors: Sequence[Anchor]) -> list[Breach]:
    folded = text.lower()
    for subject in limit.subject:
        at = folded.find(subject.lower())
        while at >= 0:
            end = at + len(subject)
            stop = _SENTENCE_END.search(text, end)
            reach = min(end + NEAR, stop.start() if stop else len(text))
            values = [a for a in anchors if a.kind == limit.anchor]
            # "a deposit of 30 %" and 总价30%的定金: the value follows within the sentence, or stands right before.
            before = [a for a in values if at - JUST_BEFORE <= a.end <= at]
            near = before or [a for a in values if end <= a.start < reach]
            if near and _outside(near[0], limit):
                return [Breach(limit, min(at, near[0].start), max(end, near[0].end), near[0])]
            at = folded.find(subject.lower(), end)
    return []


def _outside(anchor: Anchor, limit: Limit) -> bool:
    """Whether a value goes beyond the bound; a value that is itself only a bound the other way never does."""
    value, bound = magnitude(anchor.value), magnitude(limit.value)
    if value is None or bound is None:
        return False
    if limit.bound == "at_most":
        return value > bound * 1.001 and anchor.bound != "less_than"
    return value < bound * 0.999 and anchor.bound != "more_than"


def magnitude(value: str) -> float | None:
    """A percentage or a period (in days of 365 a year, 30 a month) as a number; None for anything else."""
    if value.endswith("%"):
        try:
            return float(value[:-1])
        except ValueError:
            return None
    match = _PERIOD.match(value)
    if not match:
        return None
    number, unit, hours, hour_unit = match.groups()
    if number:
        return float(number) * _DAYS[unit]
    return float(hours) / (24 if hour_unit == "H" else 1440)
