"""The matter's documents by their roles: who is what, what is reviewed apart, whose findings are whose."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from PySide6.QtCore import QObject, Signal, Slot

from engine import APP_VERSION
from engine.document import Document
from engine.matter.records import DocumentRole
from engine.matter.role_proposals import Described, proposals
from engine.protocol.findings import Finding
from gui.state.desk import Desk

#: The matter's setting that keeps what was found in an earlier version; the document's id follows.
_FINDINGS_SETTING = "version_findings:"
#: The order in which people think of roles, and in which they are offered.
ROLES: tuple[DocumentRole, ...] = (
    DocumentRole.MASTER,
    DocumentRole.ORDER,
    DocumentRole.ANNEX,
    DocumentRole.AMENDMENT,
    DocumentRole.EARLIER_VERSION,
    DocumentRole.TRANSLATION,
    DocumentRole.OTHER,
)


class RoleEntry(NamedTuple):
    """A document of the matter with its role; ``is_proposed`` while no person has said so."""

    id: str
    name: str
    role: DocumentRole
    is_proposed: bool


class _VersionFindings(msgspec.Struct, frozen=True):
    """What a review of an earlier version found: by which program, in which text."""

    app_version: str
    text: str
    findings: tuple[Finding, ...]


class Versions(QObject):
    """Roles, and earlier versions, which are no party to the deal: they are reviewed apart and not listed.

    An earlier version beside the later one would make a finding of every change between them.

    Signals:
        roles_changed(): a role, a proposal, or the list of documents is another one.
        findings_changed(document id): what an earlier version's review found is known.
    """

    roles_changed = Signal()
    findings_changed = Signal(str)

    def __init__(self, desk: Desk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._book = desk.book
        self._found: dict[str, _VersionFindings] = {}
        self._path = self._book.path
        self._earlier = self._book.earlier_versions()
        desk.review.divide = self.divide
        desk.review.version_reviewed.connect(self.on_review_version_reviewed)
        self._book.documents_changed.connect(self.on_book_documents_changed)
        desk.document_known.connect(self.roles_changed)
        desk.document_removed.connect(self.roles_changed)

    # --- roles ----------------------------------------------------------------------------------------------

    def entries(self) -> tuple[RoleEntry, ...]:
        """The documents on the desk with their roles, in the matter's order."""
        from engine.matter.roles import chosen

        said: frozenset[str] = self._book.ask(chosen, frozenset())
        records = [record for record in self._book.documents() if record.id in self._desk.documents]
        suggested = proposals([self._described(record.id, record.name) for record in records])
        out = []
        for record in records:
            if record.id in said:
                role = DocumentRole(record.role) if record.role in set(DocumentRole) else DocumentRole.OTHER
            else:
                role = suggested.get(record.id, DocumentRole.OTHER)
            out.append(RoleEntry(record.id, record.name, role, record.id not in said))
        return tuple(out)

    def entry(self, document_id: str) -> RoleEntry | None:
        """One of them."""
        return next((each for each in self.entries() if each.id == document_id), None)

    def give(self, document_id: str, role: DocumentRole) -> bool:
        """A person says what a document is; False when it cannot be kept."""
        return self._book.set_role(document_id, role)

    def in_order(self, first: str, second: str) -> tuple[str, str]:
        """Two documents as (earlier, later): by what was said, else by their names, else as they are given."""
        roles = {each.id: each.role for each in self.entries()}
        earlier = DocumentRole.EARLIER_VERSION
        if roles.get(second) is earlier and roles.get(first) is not earlier:
            return second, first
        return first, second

    def _described(self, document_id: str, name: str) -> Described:
        document = self._desk.document(document_id)
        text = document.text[:400].strip() if document is not None else ""
        return Described(document_id, name, document.language if document is not None else "", text.partition("\n")[0])

    @Slot()
    def on_book_documents_changed(self) -> None:
        """Another list of documents, or another role; a version more or less changes what is reviewed together."""
        before, self._earlier = self._earlier, self._book.earlier_versions()
        same_matter, self._path = self._path == self._book.path, self._book.path
        if not same_matter:
            self._found.clear()
        self.roles_changed.emit()
        if same_matter and before != self._earlier:
            self._desk.review_again()

    # --- reviews --------------------------------------------------------------------------------------------

    def divide(self, documents: Sequence[Document]) -> tuple[Sequence[Document], Sequence[Document]]:
        """Which documents are reviewed together, and of which earlier versions nothing is known yet."""
        together = [document for document in documents if document.id not in self._earlier]
        if not together:
            return documents, ()
        apart = [d for d in documents if d.id in self._earlier and self.version_findings(d) is None]
        return together, apart

    @Slot(object, object)
    def on_review_version_reviewed(self, document: Document, findings: Sequence[Finding]) -> None:
        """An earlier version was reviewed: keep what was found beside the matter's own findings."""
        found = _VersionFindings(APP_VERSION, _text_mark(document), tuple(findings))
        self._found[document.id] = found
        self._book.remember(_FINDINGS_SETTING + document.id, msgspec.json.encode(found).decode())
        self.findings_changed.emit(document.id)

    def version_findings(self, document: Document) -> tuple[Finding, ...] | None:
        """What was found in an earlier version; None when it was not reviewed as it is now."""
        found = self._found.get(document.id)
        if found is None:
            kept = self._book.setting(_FINDINGS_SETTING + document.id)
            try:
                found = msgspec.json.decode(kept, type=_VersionFindings) if kept else None
            except msgspec.MsgspecError:
                found = None  # by another version of the program: it is reviewed again
        if found is None or (found.app_version, found.text) != (APP_VERSION, _text_mark(document)):
            return None
        self._found[document.id] = found
        return found.findings

    def findings_of(self, document: Document) -> tuple[Finding, ...] | None:
        """The findings in a document alone; None while an earlier version has not been reviewed."""
        if document.id in self._earlier:
            return self.version_findings(document)
        rows = (row for row in self._book.rows() if not row.is_gone)
        return tuple(
            row.finding for row in rows if all(passage.document == document.id for passage in row.finding.passages)
        )


def _text_mark(document: Document) -> str:
    """Tells a document's text from that of another reading of the same file."""
    return hashlib.sha256(document.text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
