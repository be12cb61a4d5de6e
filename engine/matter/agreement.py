"""How far annotators agree, on pairs of clauses: whether they conflict, on which code, on which aspect.

The unit is the set of clauses that a link joins, not its exact words, so that one annotator's sentence
and another's half sentence in the same clauses are one unit. Saying nothing is a label ("none") only for
an annotator whose assignment of all the documents concerned is done; otherwise it is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations

import msgspec

from engine.matter.coefficients import Coefficient, cohen, fleiss, krippendorff
from engine.matter.labels import is_conflict
from engine.matter.matter import Matter
from engine.matter.records import Link, LinkEnd, Origin

#: The label of an annotator who had the documents and made no link.
NONE = "none"

Place = tuple[str, str]
Unit = frozenset[Place]


class Pairwise(msgspec.Struct, frozen=True):
    """Two annotators (by id) and their Cohen's kappa."""

    first: str
    second: str
    kappa: Coefficient


class ByCode(msgspec.Struct, frozen=True):
    """One code against all else: how often it was given, and alpha."""

    code: str
    given: int
    alpha: Coefficient


class ByAspect(msgspec.Struct, frozen=True):
    """The links on one aspect: how many, and alpha on their codes among the pairs that anybody put under it."""

    aspect: str
    given: int
    alpha: Coefficient


class Agreement(msgspec.Struct, frozen=True):
    """All coefficients over one matter.

    ``conflict`` is alpha on conflict against no conflict, ``code`` alpha on the codes, ``aspect`` alpha
    on the aspects among links that say conflict; ``fleiss`` and ``pairwise`` are on the codes.
    """

    annotators: tuple[str, ...]
    units: int
    conflict: Coefficient
    code: Coefficient
    aspect: Coefficient
    fleiss: Coefficient
    pairwise: tuple[Pairwise, ...]
    by_code: tuple[ByCode, ...]
    by_aspect: tuple[ByAspect, ...] = ()


def agreement(matter: Matter) -> Agreement:
    """The agreement of everybody who linked or was assigned something in the matter."""
    # An adjudicator's ruling is no judgement of its own.
    links = [link for link in matter.links() if link.origin is not Origin.ADJUDICATION]
    done: dict[str, set[str]] = {}
    for assignment in matter.assignments():
        if assignment.state == "done":
            done.setdefault(assignment.annotator, set()).add(assignment.document)
    people = tuple(sorted({link.annotator for link in links} | set(done)))
    codes = _table(links, people, done, lambda link: link.code)
    flags = _table(links, people, done, lambda link: "conflict" if is_conflict(link.code) else NONE)
    said = [link for link in links if is_conflict(link.code) and link.aspect]
    aspects = _table(said, people, {}, _aspect)
    columns = list(zip(*codes, strict=True)) if codes else [() for _ in people]
    return Agreement(
        annotators=people,
        units=len(codes),
        conflict=krippendorff(flags),
        code=krippendorff(codes),
        aspect=krippendorff(aspects),
        fleiss=fleiss(codes),
        pairwise=tuple(
            Pairwise(people[i], people[j], cohen(columns[i], columns[j]))
            for i, j in combinations(range(len(people)), 2)
        ),
        by_code=tuple(_by_code(code, codes) for code in sorted({link.code for link in links})),
        by_aspect=tuple(_by_aspect(each, links, people, done) for each in sorted({_aspect(link) for link in said})),
    )


def _aspect(link: Link) -> str:
    return " ".join(link.aspect.casefold().split())


def _by_aspect(aspect: str, links: list[Link], people: tuple[str, ...], done: dict[str, set[str]]) -> ByAspect:
    named = [link for link in links if _aspect(link) == aspect]
    units = {unit_of(link) for link in named}
    # Whatever else was said on the same clauses counts too: who chose another aspect may have chosen another code.
    table = _table([link for link in links if unit_of(link) in units], people, done, lambda link: link.code)
    return ByAspect(aspect, len(named), krippendorff(table))


def _by_code(code: str, table: list[list[str | None]]) -> ByCode:
    given = sum(label == code for row in table for label in row)
    one = [[None if label is None else (code if label == code else NONE) for label in row] for row in table]
    return ByCode(code, given, krippendorff(one))


def _table(
    links: Iterable[Link], people: tuple[str, ...], done: dict[str, set[str]], label: Callable[[Link], str]
) -> list[list[str | None]]:
    """One row per unit, one column per annotator; an annotator's newest link on a unit counts."""
    given: dict[Unit, dict[str, str]] = {}
    for link in sorted(links, key=lambda each: each.changed_at):
        given.setdefault(unit_of(link), {})[link.annotator] = label(link)
    out: list[list[str | None]] = []
    for unit in sorted(given, key=sorted):
        documents = {document for document, _ in unit}
        out.append([
            given[unit].get(who, NONE if documents <= done.get(who, set()) else None) for who in people
        ])  # fmt: skip
    return out


def unit_of(link: Link) -> Unit:
    """The clauses that a link joins, whatever the order of its ends."""
    return frozenset(_place(end) for end in link.ends)


def _place(end: LinkEnd) -> Place:
    return end.document, end.clause_id or end.clause_number or f"{end.start}-{end.end}"
