"""The model of a contract as read, alone: no parsing, no window, no torch."""

from engine.document.codec import UnreadableDocument, pack, unpack
from engine.document.geometry import Quad, quads
from engine.document.model import (
    CharacterBoxes,
    Clause,
    ClauseKind,
    CrossReference,
    CrossReferenceKind,
    Document,
    Furniture,
    FurnitureKind,
    Media,
    Notice,
    OutlineEntry,
    Page,
    Remark,
    Revisions,
    RevisionView,
    Sentence,
    UncertainWord,
)

__all__ = [
    "CharacterBoxes",
    "Clause",
    "ClauseKind",
    "CrossReference",
    "CrossReferenceKind",
    "Document",
    "Furniture",
    "FurnitureKind",
    "Media",
    "Notice",
    "OutlineEntry",
    "Page",
    "Quad",
    "Remark",
    "RevisionView",
    "Revisions",
    "Sentence",
    "UncertainWord",
    "UnreadableDocument",
    "pack",
    "quads",
    "unpack",
]
