"""Carrying a matter's links over to a document that was read again, or to a newer version of it."""

from __future__ import annotations

import msgspec

from engine.document import Document
from engine.matter import rows
from engine.matter.clock import now
from engine.matter.errors import UnknownRecord
from engine.matter.journal import Entry
from engine.matter.matter import Matter
from engine.matter.records import Act, Changes, Link, LinkEnd
from engine.matter.relocate import Found, relocate


class Reanchored(msgspec.Struct, frozen=True):
    """Links (by id) whose ends stand as before, were moved, or could not be found; the last stay as they are."""

    exact: tuple[str, ...]
    moved: tuple[str, ...]
    lost: tuple[str, ...]


def reanchor_links(matter: Matter, document: Document, previous: str = "") -> Reanchored:
    """Find the ends of the links again in ``document``, which must be in the matter.

    ``previous`` is the id of the document they stand in now: another version's, or "" for the same file
    read again. What was moved is one act, which :meth:`Matter.undo` takes back. A link with an end that is
    lost is left alone altogether, so that a person can mend or delete it.

    Raises:
        UnknownRecord: ``document`` is not in the matter.
    """
    old = previous or document.id
    who = matter.annotator().id
    exact: list[str] = []
    lost: list[str] = []
    moved: list[tuple[Link, Link]] = []
    with matter.transaction() as db:
        if not rows.is_in(db, "document", document.id):
            raise UnknownRecord("That document is not in this matter.")
        for link in rows.links(db, "id IN (SELECT link FROM link_end WHERE document = ?)", (old,)):
            ends = _ends(document, old, link)
            if ends is None:
                lost.append(link.id)
            elif ends == link.ends:
                exact.append(link.id)
            else:
                moved.append((link, msgspec.structs.replace(link, ends=ends, changed_at=now())))
        if moved:
            entry = Entry(db, who, Act.RELOCATE, document.name)
            for before, after in moved:
                entry.set_link(before.id, before, after)
    matter.changed(Changes(links=tuple(before.id for before, _ in moved)))
    return Reanchored(tuple(exact), tuple(before.id for before, _ in moved), tuple(lost))


def _ends(document: Document, old: str, link: Link) -> tuple[LinkEnd, ...] | None:
    """The link's ends as they are in ``document``, or None when one is lost."""
    out: list[LinkEnd] = []
    for end in link.ends:
        if end.document != old:
            out.append(end)
            continue
        relocation = relocate(document, end)
        if relocation.found is Found.LOST:
            return None
        out.append(relocation.end)
    return tuple(out)
