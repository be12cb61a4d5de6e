"""A knowledge pack's file: reading, checking, writing. :mod:`engine.states.knowledge` says what the entries mean."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from engine.anchors.model import AnchorKind

SCHEMA = "antinomy.knowledge/1"
EFFECTS = ("overrides", "yields", "prevails", "order", "replaces", "keeps", "explains")
BOUNDS = ("at_most", "at_least")
#: A pack of the user's own may be large, but not so large that looking up stalls a review.
MOST_ENTRIES = 20_000
MOST_BYTES = 16 << 20


class PackError(Exception):
    """A pack cannot be used; the message says which line of which file and why, in a sentence."""


@dataclasses.dataclass(frozen=True, slots=True)
class Concept:
    """Names of one thing."""

    id: str
    field: str
    labels: tuple[str, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Exclusive:
    """Phrases that cannot both hold of one thing."""

    id: str
    a: tuple[str, ...]
    b: tuple[str, ...]
    about: tuple[str, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Precedence:
    """Phrases that say which rule goes first."""

    id: str
    effect: str
    phrases: tuple[str, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Limit:
    """A statute's bound on a value."""

    id: str
    subject: tuple[str, ...]
    anchor: AnchorKind
    bound: str
    value: str
    source: str
    summary: str
    needs: tuple[str, ...]
    unless: tuple[str, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Void:
    """Words that a statute makes void."""

    id: str
    phrases: tuple[str, ...]
    source: str
    summary: str
    needs: tuple[str, ...]


Entry = Concept | Exclusive | Precedence | Limit | Void


@dataclasses.dataclass(frozen=True, slots=True)
class Pack:
    """A pack as read."""

    id: str
    language: str
    title: str
    entries: tuple[Entry, ...]

    def _of(self, kind: type[Any]) -> list[Any]:
        return [entry for entry in self.entries if isinstance(entry, kind)]

    @property
    def concepts(self) -> list[Concept]:
        """Its concepts."""
        return self._of(Concept)

    @property
    def exclusives(self) -> list[Exclusive]:
        """What cannot both hold."""
        return self._of(Exclusive)

    @property
    def precedence(self) -> list[Precedence]:
        """Its precedence phrases."""
        return self._of(Precedence)

    @property
    def limits(self) -> list[Limit]:
        """Statutory limits."""
        return self._of(Limit)

    @property
    def voids(self) -> list[Void]:
        """What statutes make void."""
        return self._of(Void)


def _text(line: Mapping[str, Any], name: str) -> str:
    value = line.get(name)
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"“{name}” is missing or no text")
    return value.strip()


def _texts(line: Mapping[str, Any], name: str, *, optional: bool = False) -> tuple[str, ...]:
    value = line.get(name, [] if optional else None)
    if not isinstance(value, list) or not all(isinstance(each, str) and each.strip() for each in value):
        raise ValueError(f"“{name}” is missing or no list of texts")
    if not value and not optional:
        raise ValueError(f"“{name}” is empty")
    return tuple(each.strip() for each in value)


def _one_of(line: Mapping[str, Any], name: str, allowed: Iterable[str]) -> str:
    value = _text(line, name)
    if value not in allowed:
        raise ValueError(f"“{name}” is “{value}”; it is one of {', '.join(allowed)}")
    return value


def _limit(line: Mapping[str, Any]) -> Limit:
    from engine.states.knowledge import magnitude

    kind = _one_of(line, "anchor", ("percent", "period"))
    value = _text(line, "value")
    if magnitude(value) is None:
        raise ValueError(f"“value” is “{value}”; a limit is a percentage (20%) or a period (P20Y)")
    return Limit(
        _text(line, "id"), _texts(line, "subject"), AnchorKind(kind), _one_of(line, "bound", BOUNDS), value,
        _text(line, "source"), _text(line, "summary"), _texts(line, "needs", optional=True),
        _texts(line, "unless", optional=True),
    )  # fmt: skip


_READERS: dict[str, Callable[[Mapping[str, Any]], Entry]] = {
    "concept": lambda e: Concept(_text(e, "id"), _text(e, "field"), _texts(e, "labels")),
    "exclusive": lambda e: Exclusive(
        _text(e, "id"), _texts(e, "a"), _texts(e, "b"), _texts(e, "about", optional=True)
    ),
    "precedence": lambda e: Precedence(_text(e, "id"), _one_of(e, "effect", EFFECTS), _texts(e, "phrases")),
    "limit": _limit,
    "void": lambda e: Void(
        _text(e, "id"), _texts(e, "phrases"), _text(e, "source"), _text(e, "summary"), _texts(e, "needs", optional=True)
    ),
}


def read_entry(line: Mapping[str, Any]) -> Entry:
    """One entry from its fields.

    Raises:
        ValueError: a field is missing or wrong; the message names it.
    """
    return _READERS[_one_of(line, "kind", tuple(_READERS))](line)


def _head(line: Any) -> tuple[str, str, str]:
    if not isinstance(line, dict) or line.get("kind") != "pack":
        raise ValueError("the first line does not say that this is a pack")
    if line.get("schema") != SCHEMA:
        raise ValueError(f"it is written in {line.get('schema')}; this program reads {SCHEMA}")
    return _text(line, "id"), _one_of(line, "language", ("en", "zh")), _text(line, "title")


def read_pack(path: Path) -> Pack:
    """Read and check a pack.

    Raises:
        PackError: not there, too large, no JSON, a field is wrong, an id stands twice, a name means two things.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise PackError(f"{path.name} is larger than {MOST_BYTES >> 20} MB")
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise PackError(f"{path} cannot be read: {error}") from error
    head: tuple[str, str, str] | None = None
    entries: list[Entry] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            fields = json.loads(line)
            if head is None:
                head = _head(fields)
                continue
            entries.append(read_entry(fields))
        except (ValueError, AttributeError, RecursionError) as error:
            raise PackError(f"{path.name}, line {number}: {error}") from error
    if head is None:
        raise PackError(f"{path.name} is empty")
    pack = Pack(*head, tuple(entries))
    problems = check_entries(pack)
    if problems:
        raise PackError(f"{path.name}: {problems[0]}")
    return pack


def check_entries(pack: Pack) -> list[str]:
    """What is wrong with a pack's entries together, a sentence each."""
    problems = []
    if len(pack.entries) > MOST_ENTRIES:
        problems.append(f"it has more than {MOST_ENTRIES} entries")
    ids: set[tuple[type, str]] = set()
    owner: dict[str, str] = {}
    for entry in pack.entries:
        if (type(entry), entry.id) in ids:
            problems.append(f"the id “{entry.id}” stands twice")
        ids.add((type(entry), entry.id))
        if isinstance(entry, Concept):
            for label in entry.labels:
                other = owner.setdefault(label.lower(), entry.id)
                if other != entry.id:
                    problems.append(f"“{label}” means both “{other}” and “{entry.id}”")
        if isinstance(entry, Exclusive):
            both = {p.lower() for p in entry.a} & {p.lower() for p in entry.b}
            problems += [f"“{entry.id}” has “{p}” on both sides" for p in sorted(both)]
    return problems


def pack_lines(pack: Pack) -> list[str]:
    """The pack as lines of JSON, for writing."""
    names = {Concept: "concept", Exclusive: "exclusive", Precedence: "precedence", Limit: "limit", Void: "void"}
    head = {"kind": "pack", "schema": SCHEMA, "id": pack.id, "language": pack.language, "title": pack.title}
    rows = [head, *({"kind": names[type(entry)], **dataclasses.asdict(entry)} for entry in pack.entries)]
    return [json.dumps(row, ensure_ascii=False) for row in rows]
