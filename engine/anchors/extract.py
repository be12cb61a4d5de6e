"""All anchors of a document or a text, found kind by kind on one folded copy of the text."""

from __future__ import annotations

from collections.abc import Callable

from engine.anchors.amounts import find_amounts
from engine.anchors.contacts import find_contacts
from engine.anchors.dates import find_dates
from engine.anchors.forum import find_forum
from engine.anchors.model import Anchor, AnchorKind
from engine.anchors.norms import find_norms
from engine.anchors.parties import find_parties_and_terms
from engine.anchors.percents import find_percents
from engine.anchors.periods import find_periods
from engine.anchors.quantities import find_quantities
from engine.anchors.references import find_references
from engine.anchors.roles import Window, assign_roles, windows_of
from engine.anchors.scan import Scan
from engine.anchors.terms import definitions
from engine.document import Document


def _never() -> bool:
    return False


#: The order settles who owns a number: a reference before a date, a date before an amount, a count last.
_FINDERS = (
    find_references, find_dates, find_amounts, find_percents, find_periods, find_quantities, find_forum, find_contacts,
    find_norms,
)  # fmt: skip


def _find(text: str, language: str, cancelled: Callable[[], bool] = _never) -> list[Anchor]:
    scan = Scan.of(text, language)
    for find in _FINDERS:
        if cancelled():
            return []
        find(scan)
    find_parties_and_terms(scan, definitions(scan))
    scan.found.sort(key=lambda anchor: (anchor.start, -anchor.end, anchor.kind))
    return scan.found


def extract_from_text(text: str, language: str = "en") -> list[Anchor]:
    """The anchors of a small text, sorted by start; roles come from the text alone."""
    return assign_roles(text, _find(text, language), windows_of(text))


def _windows(document: Document) -> list[Window]:
    """The document's sentences with the headings above them and the words that lead into a list item."""
    text = document.text
    out: list[Window] = []
    for sentence in document.sentences:
        clause = document.clause_by_id.get(sentence.clause)
        headings = [] if clause is None else [clause.heading, *(c.heading for c in document.ancestors(clause))]
        lead = ""
        if 0 <= sentence.lead_in < len(document.sentences):
            led = document.sentences[sentence.lead_in]
            lead = text[led.start : led.end] + " "
        out.append(Window(sentence.start, sentence.end, " / ".join(h for h in headings if h), lead))
    return out


def extract_anchors(document: Document, cancelled: Callable[[], bool] = _never) -> list[Anchor]:
    """The anchors of a document, sorted by start; spans are code points of its canonical text.

    ``cancelled`` is asked between two kinds of anchors; when it answers True there are none.
    """
    windows = _windows(document) or windows_of(document.text)
    labels = {clause.start: clause.start + len(clause.label) for clause in document.clauses if clause.label}
    found = [
        anchor
        for anchor in _find(document.text, document.language, cancelled)
        # "Section 9.1" at the head of section 9.1 is its number, no reference to it.
        if not (anchor.kind is AnchorKind.REFERENCE and anchor.end <= labels.get(anchor.start, -1) + 1)
    ]
    return assign_roles(document.text, found, windows)
