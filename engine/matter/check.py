"""Does a matter file hold together? Its pages, its rows, its journal, its quotes."""

from __future__ import annotations

import msgspec
from sqlite_utils import Database

from engine.document import UnreadableDocument, unpack
from engine.matter import rows
from engine.matter.errors import MatterDamaged, MatterError
from engine.matter.matter import Matter
from engine.matter.records import Decision, Link, RoleChoice
from engine.protocol.findings import Finding


def check(matter: Matter) -> tuple[str, ...]:
    """Everything that is wrong, one sentence each; empty when the file is sound. Changes nothing."""
    with matter.snapshot() as db:
        try:
            problems = _pages(db)
            if problems:
                return tuple(problems)
            return tuple(_findings(db) + _journal(db) + _quotes(db))
        except MatterError:
            raise
        except (msgspec.MsgspecError, ValueError) as error:
            raise MatterDamaged(
                "{name} holds a record that cannot be read ({error}); open its newest backup.",
                name=matter.path.name, error=error,
            ) from error  # fmt: skip


def _pages(db: Database) -> list[str]:
    out = [f"The file's pages: {row[0]}." for row in db.execute("PRAGMA integrity_check") if row[0] != "ok"]
    out += [
        f"A row of {row[0]} refers to a row of {row[2]} that is not there."
        for row in db.execute("PRAGMA foreign_key_check")
    ]
    return out


def _findings(db: Database) -> list[str]:
    out: list[str] = []
    for finding, body in db.execute("SELECT id, body FROM finding"):
        try:
            same = msgspec.json.decode(body, type=Finding).id == finding
        except msgspec.MsgspecError:
            same = False
        if not same:
            out.append(f"The finding {finding} cannot be read.")
    return out


def _journal(db: Database) -> list[str]:
    """Compute links and decisions again from the journal; history of other files is beside it."""
    links: dict[str, str | None] = {}
    for link, after in db.execute(
        "SELECT e.link, e.after FROM link_event AS e JOIN change AS c ON c.id = e.change "
        "WHERE c.step <> 'history' ORDER BY e.id"
    ):
        links[link] = after
    decisions: dict[tuple[str, str], str | None] = {}
    for finding, annotator, after in db.execute(
        "SELECT e.finding, e.annotator, e.after FROM decision_event AS e JOIN change AS c ON c.id = e.change "
        "WHERE c.step <> 'history' ORDER BY e.id"
    ):
        decisions[finding, annotator] = after
    replayed_links = {msgspec.json.decode(text, type=Link) for text in links.values() if text is not None}
    replayed_decisions = {msgspec.json.decode(text, type=Decision) for text in decisions.values() if text is not None}
    out = [f"The link {x.id} does not agree with the journal." for x in replayed_links ^ set(rows.links(db))]
    out += [
        f"The decision on {x.finding} does not agree with the journal."
        for x in replayed_decisions ^ set(rows.decisions(db))
    ]
    roles: dict[str, str] = {}
    for document, after in db.execute(
        "SELECT e.document, e.after FROM document_event AS e JOIN change AS c ON c.id = e.change "
        "WHERE c.step <> 'history' ORDER BY e.id"
    ):
        roles[document] = msgspec.json.decode(after, type=RoleChoice).role
    out += [
        f"The role of {document.name} does not agree with the journal."
        for document in rows.documents(db) if roles.get(document.id, document.role) != document.role
    ]
    return sorted(set(out))


def _quotes(db: Database) -> list[str]:
    texts: dict[str, str | None] = {}
    out: list[str] = []
    for document, name, packed in db.execute("SELECT id, name, packed FROM document"):
        try:
            texts[document] = None if packed is None else unpack(packed).text
        except UnreadableDocument as error:
            texts[document] = None
            out.append(f"The text of {name} cannot be read: {error}.")
    for link in rows.links(db):
        for number, end in enumerate(link.ends, 1):
            text = texts[end.document]
            if text is not None and text[end.start : end.end] != end.quote:
                out.append(f"End {number} of the link {link.id} does not stand where it says.")
    return out
