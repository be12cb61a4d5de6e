"""The names that people see for documents' roles and for what became of a clause."""

from __future__ import annotations

from PySide6.QtCore import QObject

from engine.matter.records import DocumentRole
from engine.protocol.comparison import ChangeKind, ClauseChange, FindingState

#: What stands before a clause, so that nothing rests on colour.
SIGNS: dict[ChangeKind, str] = {
    ChangeKind.CHANGED: "≠",
    ChangeKind.MOVED: "↔",
    ChangeKind.RENUMBERED: "#",
    ChangeKind.INSERTED: "+",
    ChangeKind.DELETED: "−",
    ChangeKind.SAME: "=",
}
FINDING_SIGNS: dict[FindingState, str] = {
    FindingState.INTRODUCED: "▲",
    FindingState.RESOLVED: "✓",
    FindingState.KEPT: "●",
}


def document_role_words(role: DocumentRole) -> str:
    """The name of a document's role."""
    words = QObject()
    return {
        DocumentRole.MASTER: words.tr("Main agreement"),
        DocumentRole.ORDER: words.tr("Order"),
        DocumentRole.ANNEX: words.tr("Annex"),
        DocumentRole.AMENDMENT: words.tr("Amendment"),
        DocumentRole.EARLIER_VERSION: words.tr("Earlier version"),
        DocumentRole.TRANSLATION: words.tr("Other language"),
        DocumentRole.OTHER: words.tr("Other document"),
    }[role]


def kind_words(change: ClauseChange) -> str:
    """What became of a clause."""
    words = QObject()
    named = {
        ChangeKind.CHANGED: words.tr("changed"),
        ChangeKind.MOVED: words.tr("moved"),
        ChangeKind.RENUMBERED: words.tr("renumbered"),
        ChangeKind.INSERTED: words.tr("inserted"),
        ChangeKind.DELETED: words.tr("deleted"),
        ChangeKind.SAME: words.tr("unchanged"),
    }
    parts = [named[change.kind]]
    if change.moved and change.kind is not ChangeKind.MOVED:
        parts.append(named[ChangeKind.MOVED])
    if change.renumbered and change.kind is not ChangeKind.RENUMBERED:
        parts.append(named[ChangeKind.RENUMBERED])
    return ", ".join(parts)


def finding_state_words(state: FindingState) -> str:
    """What became of a finding."""
    words = QObject()
    return {
        FindingState.INTRODUCED: words.tr("introduced"),
        FindingState.RESOLVED: words.tr("resolved"),
        FindingState.KEPT: words.tr("still there"),
    }[state]


def value_kind_words(kind: str) -> str:
    """The name of a kind of value, in the singular."""
    words = QObject()
    return {
        "amount": words.tr("amount"),
        "date": words.tr("date"),
        "period": words.tr("period"),
        "percent": words.tr("percentage"),
        "rate": words.tr("rate"),
        "quantity": words.tr("quantity"),
    }.get(kind, kind)
