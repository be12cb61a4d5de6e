"""Documents' roles in a matter, as people give them; what a name suggests is in role_proposals."""

from __future__ import annotations

import msgspec

from engine.matter import journal
from engine.matter.errors import UnknownRecord
from engine.matter.matter import Matter
from engine.matter.records import Act, Changes, DocumentRole, RoleChoice


def set_role(matter: Matter, document_id: str, role: DocumentRole) -> Changes:
    """Give a document its role; one step to undo. The one it has, said once more, is said by a person from now on.

    Raises:
        UnknownRecord: no such document.
    """
    who = matter.annotator().id
    known = {document.id: document for document in matter.documents()}
    if document_id not in known:
        raise UnknownRecord("That document is not in this matter.")
    before = RoleChoice(known[document_id].role, document_id in chosen(matter))
    after = RoleChoice(role.value, True)
    if before == after:
        return matter.changed(Changes())
    with matter.transaction() as db:
        entry = journal.Entry(db, who, Act.SET_ROLE, known[document_id].name)
        entry.set_role(document_id, before, after)
    return matter.changed(entry.changes)


def chosen(matter: Matter) -> frozenset[str]:
    """The documents whose role a person said, here or in a matter that was merged into this one."""
    with matter.snapshot() as db:
        # What was said here comes after the history of other files, whenever that was brought in.
        events = db.execute(
            "SELECT e.document, e.after FROM document_event AS e JOIN change AS c ON c.id = e.change "
            "ORDER BY c.step <> 'history', e.id"
        ).fetchall()
    last = {document: msgspec.json.decode(after, type=RoleChoice) for document, after in events}
    return frozenset(document for document, choice in last.items() if choice.by_person)
