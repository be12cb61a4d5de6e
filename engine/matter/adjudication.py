"""Adjudication: the same pair of clauses judged by several people, and which judgement stands.

The unit is that of :mod:`engine.matter.agreement`. Nobody's judgement is changed in its content: an accepted or
rejected link keeps its annotator and words and changes its status; a merged judgement is a new link by the
adjudicator. Each act is one step of the journal, so undo takes it back, and has a line in the append-only table
``adjudication_event`` that says on which pair, what and why.
"""

from __future__ import annotations

import enum
import secrets
from collections.abc import Iterable, Sequence

import msgspec
from sqlite_utils import Database

from engine.matter import rows
from engine.matter.agreement import Unit, unit_of
from engine.matter.clock import now
from engine.matter.errors import InvalidLink, UnknownRecord
from engine.matter.journal import Entry
from engine.matter.matter import Matter, link_subject, require_valid
from engine.matter.records import Act, Assignment, Changes, Link, LinkStatus, Origin


class Ruling(enum.StrEnum):
    """What an adjudicator did."""

    ACCEPT = "accept"
    REJECT = "reject"
    MERGE = "merge"
    COMMENT = "comment"


class Remark(msgspec.Struct, frozen=True):
    """A line of the adjudication's own record, of acts that stand. ``at`` is ISO 8601 in UTC."""

    unit: str
    ruling: Ruling
    comment: str
    annotator: str
    at: str


class Dispute(msgspec.Struct, frozen=True):
    """A pair of clauses with what each person said: the newest link of each annotator, by annotator.

    ``silent`` are those who finished all its documents and made no link; ``is_settled`` when a link was accepted
    or all were rejected.
    """

    unit: str
    links: tuple[Link, ...]
    silent: tuple[str, ...]
    is_settled: bool


def unit_name(unit: Unit) -> str:
    """A unit as the record names it."""
    return msgspec.json.encode(sorted(unit)).decode()


def disputes(links: Iterable[Link], assignments: Iterable[Assignment]) -> tuple[Dispute, ...]:
    """The pairs on which people differ in code, aspect or direction, or one was silent; unsettled ones first."""
    done: dict[str, set[str]] = {}
    for assignment in assignments:
        if assignment.state == "done":
            done.setdefault(assignment.annotator, set()).add(assignment.document)
    units: dict[Unit, list[Link]] = {}
    for link in sorted(links, key=lambda each: each.changed_at):
        units.setdefault(unit_of(link), []).append(link)
    out: list[Dispute] = []
    for unit, members in units.items():
        newest = {link.annotator: link for link in members if link.origin is not Origin.ADJUDICATION}
        documents = {document for document, _ in unit}
        silent = tuple(sorted(who for who, had in done.items() if documents <= had and who not in newest))
        said = {(link.code, " ".join(link.aspect.casefold().split()), link.direction) for link in newest.values()}
        if len(said) > 1 or (silent and newest):
            settled = any(link.status is LinkStatus.ACCEPTED for link in members) or all(
                link.status is LinkStatus.REJECTED for link in members
            )
            shown = tuple(newest[who] for who in sorted(newest))
            out.append(Dispute(unit_name(unit), shown, silent, settled))
    return tuple(sorted(out, key=lambda each: (each.is_settled, each.unit)))


def accept(matter: Matter, link_id: str, comment: str = "") -> Changes:
    """This judgement stands; the others on the same pair are rejected.

    Raises:
        UnknownRecord: no such link.
    """
    chosen = matter.link(link_id)
    others = [link for link in _on_same_pair(matter, chosen) if link.id != link_id]
    steps = [(chosen, LinkStatus.ACCEPTED), *((link, LinkStatus.REJECTED) for link in others)]
    return _rule(matter, chosen, Ruling.ACCEPT, comment, steps)


def reject(matter: Matter, link_id: str, comment: str = "") -> Changes:
    """This judgement does not stand; nothing is said about the others.

    Raises:
        UnknownRecord: no such link.
    """
    link = matter.link(link_id)
    return _rule(matter, link, Ruling.REJECT, comment, [(link, LinkStatus.REJECTED)])


def merge_judgements(matter: Matter, link_ids: Sequence[str], comment: str = "") -> str:
    """One accepted judgement of the adjudicator's out of several, which are rejected; gives the new link's id.

    The code, direction and severity are the first's; an aspect is taken from the first that has one; different
    notes are joined. Edit the new link to change them.

    Raises:
        InvalidLink: fewer than two, or they stand on different pairs.
        UnknownRecord: one of them is not there.
    """
    links = [matter.link(each) for each in dict.fromkeys(link_ids)]
    if len(links) < 2 or len({unit_of(link) for link in links}) > 1:
        raise InvalidLink("Merging needs two judgements or more on the same clauses.")
    moment = now()
    first = links[0]
    new = msgspec.structs.replace(
        first,
        id="l-" + secrets.token_hex(8),
        aspect=next((link.aspect for link in links if link.aspect), ""),
        note=" / ".join(dict.fromkeys(link.note for link in links if link.note)),
        confidence=min(link.confidence for link in links),
        status=LinkStatus.ACCEPTED,
        origin=Origin.ADJUDICATION,
        annotator=matter.annotator().id,
        created_at=moment,
        changed_at=moment,
    )
    require_valid(new)
    others = _on_same_pair(matter, first)
    _rule(matter, first, Ruling.MERGE, comment, [(link, LinkStatus.REJECTED) for link in others], new)
    return new.id


def comment(matter: Matter, link_id: str, text: str) -> Changes:
    """Say something on the pair that a link joins; nothing else changes.

    Raises:
        UnknownRecord: no such link.
    """
    return _rule(matter, matter.link(link_id), Ruling.COMMENT, text, [])


def remarks(matter: Matter) -> tuple[Remark, ...]:
    """The adjudication's record, oldest first, without what was undone."""
    with matter.snapshot() as db:
        return tuple(
            Remark(row[0], Ruling(row[1]), row[2], row[3], row[4])
            for row in db.execute(
                "SELECT e.unit, e.ruling, e.comment, c.annotator, c.at FROM adjudication_event AS e "
                f"JOIN change AS c ON c.id = e.change WHERE {STANDS} ORDER BY c.at, e.id"
            )
        )


#: An act ``c`` of the journal that was not undone, or was done again after that.
STANDS = (
    "coalesce((SELECT step FROM change WHERE id = (SELECT max(id) FROM change WHERE target = c.id)), 'redo') = 'redo'"
)


def _on_same_pair(matter: Matter, chosen: Link) -> list[Link]:
    unit = unit_of(chosen)
    return [link for link in matter.links() if unit_of(link) == unit]


def _rule(
    matter: Matter, on: Link, ruling: Ruling, words: str, steps: Iterable[tuple[Link, LinkStatus]],
    new: Link | None = None,
) -> Changes:  # fmt: skip
    who = matter.annotator().id
    moment = now()
    with matter.transaction() as db:
        entry = Entry(db, who, Act.ADJUDICATE, link_subject(on))
        _record(db, entry.id, on, ruling, words)
        for link, status in steps:
            if not rows.is_in(db, "link", link.id):
                raise UnknownRecord("That link is not in this matter.")
            if link.status is not status:
                entry.set_link(link.id, link, msgspec.structs.replace(link, status=status, changed_at=moment))
        if new is not None:
            entry.set_link(new.id, None, new)
    return matter.changed(entry.changes)


def _record(db: Database, change: int, on: Link, ruling: Ruling, words: str) -> None:
    db.execute(
        "INSERT INTO adjudication_event (change, unit, ruling, comment) VALUES (?, ?, ?, ?)",
        (change, unit_name(unit_of(on)), ruling.value, words),
    )
