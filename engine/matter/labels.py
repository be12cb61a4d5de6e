"""The label set: what a conflict is called, and why a pair is not one."""

from __future__ import annotations

import enum
import re
from collections.abc import Collection


class NotAConflict(enum.StrEnum):
    """Why two passages that look opposed are no conflict. Used as a link's code and as a reason to dismiss."""

    DIFFERENT_SUBJECT = "not.different_subject"
    DIFFERENT_PARTY = "not.different_party"
    DIFFERENT_TRIGGER = "not.different_trigger"
    OVERRIDE = "not.override"
    COMPLEMENTARY = "not.complementary"
    SUPERSEDED = "not.superseded"
    AMBIGUOUS = "not.ambiguous"
    OMISSION = "not.omission"
    MISREAD = "not.misread"


#: DESIGN's table "What counts as a conflict"; ``document.`` may stand before any of them.
CONFLICT_CODES: tuple[str, ...] = (
    "value.amount", "value.period", "value.date", "value.percent", "value.quantity",
    "value.words_figures", "value.arithmetic",
    "norm.modality", "norm.opposition", "norm.object", "norm.condition", "norm.scope", "norm.party", "norm.process",
    "forum.law", "forum.court",
    "precedence",
    "term.duplicate", "term.undefined", "term.unused", "term.drift", "term.order",
    "party.name",
    "reference.dangling", "reference.misdirected", "reference.self", "reference.attachment",
    "number.gap", "number.duplicate", "number.order",
    "draft.blank", "draft.bracket", "draft.note", "draft.option", "draft.unpaired",
)  # fmt: skip

_SHAPE = re.compile(r"[a-z][a-z0-9_]*(\.[a-z0-9_]+)*")


def is_code(code: str) -> bool:
    """Whether ``code`` has the shape of a label: lower-case words joined by dots."""
    return _SHAPE.fullmatch(code) is not None


def is_conflict(code: str) -> bool:
    """Whether a link with this code says that its passages conflict."""
    return not code.startswith("not.")


def is_of_set(code: str, codes: Collection[str]) -> bool:
    """Whether a label set has the code, or the one that it is between two documents (``document.``)."""
    return code in codes or code.removeprefix("document.") in codes
