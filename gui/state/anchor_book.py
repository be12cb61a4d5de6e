"""The anchors of the matter as the window lists them: by kind and value, which of them agree and which differ."""

from __future__ import annotations

import bisect
import dataclasses
import enum
import itertools
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from engine.document import Document
from engine.protocol.messages import AnchorPlace, AnchorsFound

#: Kinds in the order in which they are listed; kinds that are not named here come last.
KINDS = (
    "amount", "percent", "period", "date", "rate", "quantity", "party", "term", "reference", "law", "court",
    "arbitration", "address", "person", "precedence", "condition", "modality",
)  # fmt: skip
#: Values of these kinds can differ from each other when they have one role.
_COMPARED = frozenset(("amount", "percent", "period", "date", "rate", "quantity", "law", "court", "arbitration"))
#: Words of the language rather than things that are fixed: nothing pops up over them.
SILENT = frozenset(("modality", "condition", "precedence"))
#: A role with more values than this is a general one (each fee has its own amount): they do not contradict each other.
MOST_RIVALS = 4
_FLOOR, _CEILING = frozenset(("at_least", "more_than")), frozenset(("at_most", "less_than"))
_WORDS_SHOWN, _AROUND = 60, 48
#: An anchor is looked for among so many that begin before a place.
_LOOK_BACK = 24


class Standing(enum.Enum):
    """How a value stands to the other values of its role; the more to be looked at come first."""

    CONFLICT = 0
    DIFFERS = 1
    AGREES = 2
    ALONE = 3


class Spot(NamedTuple):
    """Where an anchor stands, and what it is the value of."""

    document: str
    start: int
    end: int
    role: str
    bound: str


@dataclasses.dataclass(slots=True, eq=False)
class Value:
    """A canonical value with its places; ``words`` is how the first of them is written."""

    kind: str
    value: str
    words: str
    spots: tuple[Spot, ...]
    roles: tuple[str, ...]
    standing: Standing = Standing.ALONE
    rivals: tuple[Value, ...] = ()
    search: str = ""


#: Kind and value, to the values that a finding holds against it.
Clashes = Mapping[tuple[str, str], Collection[tuple[str, str]]]


class AnchorBook:
    """All values, for the panel; and what stands under the pointer, for the pages.

    ``is_whole`` is False when the matter is too large and only one document's anchors are listed.
    """

    def __init__(self, values: list[Value], is_whole: bool) -> None:
        self.values = values
        self.is_whole = is_whole
        self.places = sum(len(value.spots) for value in values)
        self._by_document: dict[str, list[tuple[int, int, int, int]]] = defaultdict(list)
        for number, value in enumerate(values):
            for i, spot in enumerate(value.spots):
                self._by_document[spot.document].append((spot.start, spot.end, number, i))
        for spots in self._by_document.values():
            spots.sort()

    @classmethod
    def of(cls, found: AnchorsFound, documents: Mapping[str, Document], clashes: Clashes) -> AnchorBook:
        """From the engine's list; ``clashes`` come from the findings."""
        values = []
        for each in found.values:
            spots = tuple(spot_of(found, place) for place in each.places)
            roles = tuple(dict.fromkeys(spot.role for spot in spots if spot.role))
            words = _written(spots[0], documents) or each.value
            search = "\n".join((words, each.value, *roles)).casefold()
            values.append(Value(each.kind, each.value, words, spots, roles, search=search))
        _compare(values, clashes)
        order = {kind: number for number, kind in enumerate(KINDS)}
        values.sort(key=lambda v: (order.get(v.kind, len(KINDS)), v.standing.value, -len(v.spots), v.value))
        return cls(values, not found.left_out)

    def at(self, document: str, offset: int) -> tuple[Value, Spot] | None:
        """The shortest anchor around a place; None where there is none that anything pops up over."""
        spots = self._by_document.get(document, [])
        last = bisect.bisect_right(spots, (offset, 1 << 62))
        best: tuple[int, Value, Spot] | None = None
        for start, end, number, i in spots[max(0, last - _LOOK_BACK) : last]:
            value = self.values[number]
            if offset < end and value.kind not in SILENT and (best is None or end - start < best[0]):
                best = (end - start, value, value.spots[i])
        return None if best is None else best[1:]

    def listed(self, text: str = "", kind: str = "", standings: Collection[Standing] = ()) -> Iterator[Value]:
        """The values that contain ``text``, of a kind ("" for all) and of some standings (none for all)."""
        wanted = text.casefold().split()
        for value in self.values:
            if kind and value.kind != kind:
                continue
            if standings and value.standing not in standings:
                continue
            if all(word in value.search for word in wanted):
                yield value


def spot_of(found: AnchorsFound, place: AnchorPlace) -> Spot:
    """A place of the engine's answer."""
    return Spot(found.documents[place.document], place.start, place.end, place.role, place.bound)


def _written(spot: Spot, documents: Mapping[str, Document]) -> str:
    document = documents.get(spot.document)
    if document is None or spot.end > len(document.text):
        return ""
    words = " ".join(document.text[spot.start : spot.end].split())
    return words if len(words) <= _WORDS_SHOWN else words[: _WORDS_SHOWN - 1] + "…"


def _compare(values: Sequence[Value], clashes: Clashes) -> None:
    """Say of each value how it stands to the others of its roles."""
    rivals = _rivals(values)
    by_name = {(value.kind, value.value): value for value in values}
    for value in values:
        against = [by_name[name] for name in clashes.get((value.kind, value.value), ()) if name in by_name]
        value.rivals = tuple(dict.fromkeys([*against, *rivals.get(value, ())]))
        if (value.kind, value.value) in clashes:
            value.standing = Standing.CONFLICT
        elif value.rivals:
            value.standing = Standing.DIFFERS
        elif len(value.spots) > 1:
            value.standing = Standing.AGREES


def _rivals(values: Iterable[Value]) -> dict[Value, dict[Value, None]]:
    """For each value the others of its kind that could stand in its place, in a stable order."""
    by_role: dict[tuple[str, str], dict[Value, set[str]]] = defaultdict(lambda: defaultdict(set))
    for value in values:
        for spot in value.spots if value.kind in _COMPARED else ():
            if spot.role and not spot.role.startswith("ordinal"):
                by_role[(value.kind, spot.role)][value].add(spot.bound)
    rivals: dict[Value, dict[Value, None]] = defaultdict(dict)
    for group in by_role.values():
        if len(group) <= MOST_RIVALS + 1:
            for (value, bounds), (other, others) in itertools.permutations(group.items(), 2):
                if _can_differ(bounds, others):
                    rivals[value][other] = None
    return rivals


def _can_differ(bounds: set[str], others: set[str]) -> bool:
    """A floor and a ceiling do not contradict each other by being different numbers."""
    return not ((bounds <= _FLOOR and others <= _CEILING) or (bounds <= _CEILING and others <= _FLOOR))


def place_words(document: Document | None, spot: Spot) -> tuple[str, int, str]:
    """The clause's number ("" without one), the page (from 0) and the words around a place."""
    if document is None or spot.end > len(document.text):
        return "", 0, ""
    clause = document.clause_at(spot.start)
    while clause is not None and not clause.number:
        clause = document.clause_by_id.get(clause.parent)
    low, high = max(0, spot.start - _AROUND), min(len(document.text), spot.end + _AROUND)
    sentence = document.sentence_at(spot.start)
    if sentence is not None:
        low, high = max(low, sentence.start), max(spot.end, min(high, sentence.end))
    cut = low > (sentence.start if sentence is not None else 0)
    if cut and document.text[low - 1].isascii() and document.text[low - 1].isalnum():
        # Begin with a whole word; Chinese has no gaps to wait for.
        gap = document.text.find(" ", low, spot.start)
        low = gap + 1 if gap >= 0 else low
    around = " ".join(document.text[low:high].split())
    return (clause.number if clause else ""), document.page_at(spot.start), ("… " if cut else "") + around
