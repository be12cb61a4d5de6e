"""The structure of a contract out of its text: clause tree, definitions, lists, language."""

from engine.reading.structure.build import build_document, build_steps

__all__ = ["build_document", "build_steps"]
