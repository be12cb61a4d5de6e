"""The model of a contract as read, alone: no parsing, no window, no torch."""

from engine.document.codec import UnreadableDocument, pack, unpack
from engine.document.geometry import Quad, quads
from engine.document.model import (
    CharacterBoxes,
    Clause,
    ClauseKind,
    Document,
    Furniture,
    FurnitureKind,
    Media,
    Notice,
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
    "Document",
    "Furniture",
    "FurnitureKind",
    "Media",
    "Notice",
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
