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
    Sentence,
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
    "Sentence",
    "UnreadableDocument",
    "pack",
    "quads",
    "unpack",
]
