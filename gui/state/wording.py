"""The names that people see for codes, states and reasons; one place, so that translations have one place."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication

from engine.document import Notice, Remark
from engine.matter.errors import MatterError
from engine.matter.labels import NotAConflict
from engine.matter.records import DecisionState, Direction, Link, LinkStatus
from engine.protocol.findings import Severity
from engine.protocol.messages import EngineStatus, Fault


@dataclasses.dataclass(frozen=True, slots=True)
class Reason:
    """Why a finding is no conflict: its stored code and its untranslated words."""

    code: NotAConflict
    words: str


#: DESIGN's list, in the order of the keys 1 to 9.
DISMISSAL_REASONS: tuple[Reason, ...] = (
    Reason(NotAConflict.DIFFERENT_SUBJECT, "Different subject"),
    Reason(NotAConflict.DIFFERENT_PARTY, "Different party"),
    Reason(NotAConflict.DIFFERENT_TRIGGER, "Different trigger"),
    Reason(NotAConflict.OVERRIDE, "Express override"),
    Reason(NotAConflict.COMPLEMENTARY, "Complementary"),
    Reason(NotAConflict.SUPERSEDED, "Superseded"),
    Reason(NotAConflict.AMBIGUOUS, "Only ambiguous"),
    Reason(NotAConflict.OMISSION, "Only an omission"),
    Reason(NotAConflict.MISREAD, "Not a problem"),
)


@dataclasses.dataclass(frozen=True, slots=True)
class Code:
    """A kind of conflict: its code and its untranslated name."""

    code: str
    words: str


#: DESIGN's table. The first nine answer to the keys 1 to 9 in the link form.
CONFLICT_CODES: tuple[Code, ...] = (
    Code("value.amount", "Different amounts"),
    Code("value.period", "Different periods"),
    Code("value.date", "Different dates"),
    Code("value.percent", "Different percentages"),
    Code("norm.modality", "Must against may or must not"),
    Code("norm.opposition", "Opposite, in other words"),
    Code("norm.object", "Same duty, incompatible content"),
    Code("norm.condition", "One breaks the other's condition"),
    Code("norm.scope", "General rule against a special one"),
    Code("value.quantity", "Different quantities"),
    Code("value.words_figures", "Words and figures disagree"),
    Code("value.arithmetic", "Does not add up"),
    Code("norm.party", "Different person decides or pays"),
    Code("norm.process", "Incompatible steps or forms"),
    Code("forum.law", "Different governing laws"),
    Code("forum.court", "Different courts or arbitration"),
    Code("precedence", "Competing order of precedence"),
    Code("term.duplicate", "Term defined twice"),
    Code("term.undefined", "Term never defined"),
    Code("term.unused", "Defined term never used"),
    Code("term.drift", "Two words for one thing"),
    Code("term.order", "Definitions out of order"),
    Code("party.name", "Party's name or role varies"),
    Code("reference.dangling", "Reference to nothing"),
    Code("reference.misdirected", "Reference to the wrong place"),
    Code("reference.self", "Reference to itself misnumbered"),
    Code("reference.attachment", "Attachment missing"),
    Code("number.gap", "Numbering skips"),
    Code("number.duplicate", "Number used twice"),
    Code("number.order", "Numbering out of order"),
    Code("draft.blank", "Blank left in"),
    Code("draft.bracket", "Square brackets left in"),
    Code("draft.note", "Drafting note left in"),
    Code("draft.option", "Alternatives left in"),
    Code("draft.unpaired", "Bracket or quotation mark unpaired"),
)

_CODE_WORDS = {code.code: code.words for code in CONFLICT_CODES}
_REASON_WORDS: dict[str, str] = {reason.code: reason.words for reason in DISMISSAL_REASONS}
_SEVERITY_WORDS = {Severity.HIGH: "High", Severity.MEDIUM: "Medium", Severity.LOW: "Low"}
_TIER_WORDS = {"conflict": "Conflict", "possible": "Possible", "check": "Please check"}
_VERDICT_WORDS = {
    DecisionState.OPEN: "Open",
    DecisionState.CONFIRMED: "Confirmed",
    DecisionState.DISMISSED: "Dismissed",
    DecisionState.FLAGGED: "Flagged",
}
_LINK_STATUS_WORDS = {
    LinkStatus.LABELLED: "Judged",
    LinkStatus.ACCEPTED: "Accepted",
    LinkStatus.REJECTED: "Rejected",
}
_DIRECTION_WORDS = {
    Direction.NONE: "No direction",
    Direction.FORWARD: "First bears on second",
    Direction.BACKWARD: "Second bears on first",
}
#: The kinds of values that the engine's anchors have (engine/anchors/model.py, which the window may not import).
_ANCHOR_WORDS = {
    "amount": "Amounts",
    "percent": "Percentages",
    "quantity": "Quantities",
    "period": "Periods",
    "date": "Dates",
    "rate": "Rates",
    "party": "Parties",
    "term": "Defined terms",
    "reference": "References",
    "law": "Laws",
    "court": "Courts",
    "arbitration": "Arbitration",
    "address": "Addresses",
    "person": "Persons",
    "modality": "Must, may, must not",
    "condition": "Conditions",
    "precedence": "Precedence",
}
#: How a value stands to others of its role (gui.state.anchor_book.Standing, by name).
_STANDING_WORDS = {
    "CONFLICT": "In a finding",
    "DIFFERS": "Differs elsewhere",
    "AGREES": "Agrees",
    "ALONE": "Stands once",
}
_STATE_WORDS = {
    "same_matter": "Same matter",
    "comparable": "Comparable",
    "different": "Different",
    "overridden": "Overridden?",
    "scoped_apart": "Scoped apart?",
    "conflict": "Conflict",
    "resolved": "Resolved by precedence",
    "consistent": "Consistent",
    "check_by_hand": "Check by hand",
    "recognised": "Recognised from a picture",
    "check": "Check by hand",
}


def _translated(words: str) -> str:
    return QCoreApplication.translate("wording", words)


def code_words(code: str) -> str:
    """The name of a kind of conflict; an unknown one shows its code, readably."""
    kind = code.removeprefix("document.")
    words = _CODE_WORDS.get(kind) or _REASON_WORDS.get(kind)
    if words is None:
        return code.replace(".", ": ").replace("_", " ")
    return _translated(words)


def fault_words(fault: Fault) -> str:
    """A fault's sentence in the window's language, or the general one for its code when the table lacks it."""
    words = _translated(fault.english)
    if words != fault.english:
        return words.format_map(fault.values) if fault.values else words
    return _by_code(f"fault:{fault.code}", fault.sentence) if fault.english else fault.sentence


def matter_error_words(error: MatterError) -> str:
    """Why something could not be kept: the matter's own sentence, or the one for its kind when the table lacks it."""
    if _translated(error.template) != error.template:
        return filled(error.template, error.values)
    return _by_code(f"matter:{type(error).__name__}", str(error))


def filled(template: str, values: Mapping[str, str]) -> str:
    """A sentence of the engine's side in the window's language, with its parts filled in."""
    return _translated(template).format_map(values) if values else _translated(template)


def notice_words(notice: Notice) -> str:
    """A remark on a document or matter: the engine's own sentence in English, else the one for its code."""
    return _by_code(f"notice:{notice.code}", notice.text).replace("{page}", str(notice.page + 1))


def engine_notice_words(status: EngineStatus) -> str:
    """What the engine remarks on itself ("" for nothing): its own sentence in English, else that of its state."""
    if not status.notice:
        return ""
    words = _translated(status.notice)
    return words if words != status.notice else _by_code(f"engine:{status.state}", status.notice)


def _by_code(key: str, sentence: str) -> str:
    words = _translated(key)
    return sentence if words == key else words


_RULING_WORDS = {"accept": "Accepted", "merge": "Merged", "reject": "Rejected", "comment": "Commented"}


def ruling_words(ruling: str) -> str:
    """What an adjudicator did."""
    return _translated(_RULING_WORDS.get(ruling, ruling))


_REMARK_WORDS = {
    "comment": "Comment",
    "text": "Note",
    "free_text": "Text box",
    "highlight": "Highlight",
    "underline": "Underline",
    "strike_out": "Struck through",
    "squiggly": "Underline",
    "stamp": "Stamp",
    "ink": "Drawing",
    "caret": "Insertion mark",
    "file_attachment": "Attached file",
}


def remark_words(remark: Remark) -> tuple[str, str]:
    """A comment or annotation: who wrote it and where, and what it says (the kind where it says nothing)."""
    kind = _translated(_REMARK_WORDS.get(remark.kind, remark.kind.replace("_", " ").capitalize()))
    head = " · ".join(part for part in (remark.author or kind, page_words(remark.page), remark.date[:10]) if part)
    return head, remark.text or kind


def anchor_words(kind: str) -> str:
    """The name of a kind of value, in the plural."""
    return _translated(_ANCHOR_WORDS.get(kind, kind.replace("_", " ").capitalize()))


def standing_words(name: str) -> str:
    """How a value stands to the others of its role."""
    return _translated(_STANDING_WORDS[name])


def role_words(role: str) -> str:
    """What a value is the value of; a role that the table lacks stays English."""
    return _by_code(f"role:{role}", role)


def page_words(page: int) -> str:
    """A page, short; ``page`` counts from 0."""
    return _translated("p. {page}").format(page=page + 1)


def reason_words(code: str) -> str:
    """The name of a dismissal's reason ("" for none)."""
    return _translated(_REASON_WORDS.get(code, code.replace("_", " ")))


def severity_words(severity: Severity) -> str:
    """High, Medium, Low."""
    return _translated(_SEVERITY_WORDS[severity])


def tier_words(tier: str) -> str:
    """Conflict, Possible, Please check."""
    return _translated(_TIER_WORDS.get(tier, tier))


def verdict_words(verdict: DecisionState) -> str:
    """Open, Confirmed, Dismissed, Flagged."""
    # "Open" is a command too; where that makes two words of it, the state has a key of its own.
    return _by_code(f"verdict:{verdict.value}", _translated(_VERDICT_WORDS[verdict]))


def link_status_words(link: Link) -> str:
    """Judged, Accepted, Rejected."""
    return _translated(_LINK_STATUS_WORDS[link.status])


def direction_words(direction: Direction) -> str:
    """Which end of a link bears on which."""
    return _translated(_DIRECTION_WORDS[direction])


def state_words(state: str) -> str:
    """A state of the arbitration, as the heading of a step."""
    return _translated(_STATE_WORDS.get(state, state.replace("_", " ").capitalize()))
