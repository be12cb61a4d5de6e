"""Findings that rest on words recognised with little confidence."""

from __future__ import annotations

import msgspec
from check_document import document_of

from engine.conflicts.recognised import with_doubts
from engine.document import UncertainWord
from engine.protocol.findings import AnchorMark, Finding, Passage, Severity


def finding(document_id: str, text: str, start: int, marks: tuple[AnchorMark, ...]) -> Finding:
    passage = Passage(document_id, "1", "c0", 0, start, start + len(text), text, marks)
    return Finding("f-0", "value.period", 1, 0.9, Severity.HIGH, "…", (), (passage,))


def test_a_finding_names_the_uncertain_words_it_rests_on() -> None:
    text = "1. The Buyer pays within 45 days of the invoice."
    document = document_of(text)
    at = document.text.index("45")
    uncertain = (UncertainWord(at, at + 2, 0.5), UncertainWord(document.text.index("invoice"), len(text), 0.6))
    document = msgspec.structs.replace(document, uncertain=uncertain)
    marks = (AnchorMark("period", "P45D", at, at + 7),)
    (doubted,) = with_doubts([document], [finding(document.id, document.text, 0, marks)])
    assert doubted.path[-1].state == "recognised"
    assert "“45”" in doubted.path[-1].because
    assert "invoice" not in doubted.path[-1].because


def test_a_finding_on_sure_words_is_left_alone() -> None:
    document = document_of("1. The Buyer pays within 45 days of the invoice.")
    whole = finding(document.id, document.text, 0, ())
    assert with_doubts([document], [whole]) == [whole]
    elsewhere = msgspec.structs.replace(document, uncertain=(UncertainWord(0, 2, 0.3),))
    assert with_doubts([elsewhere], [finding(document.id, "Buyer", 7, ())])[0].path == ()
