"""Word's own cross-references: errors that were printed, places that are gone, numbers that were not updated."""

from __future__ import annotations

import msgspec
import pytest
from check_document import document_of

from engine.anchors.extract import extract_anchors
from engine.conflicts.checks import run_checks
from engine.document import CrossReference, CrossReferenceKind
from engine.protocol.findings import Finding

BODY = """1. Supply. The Seller supplies the goods.
1.1 Orders. Orders are in writing.
1.2 Delivery. Delivery is prompt.
2. Price. The price is fixed.
2.1 Invoices. Invoices are monthly.
2.2 Taxes. Taxes are extra.
3. Term. The term is two years.
4. Notices. Notices are in writing.
5. Law. The law of the seat applies.
"""


def findings(sentence: str, words: str, leads_to: str | None, name: str = "contract.docx") -> list[Finding]:
    """The reference findings on BODY with a sentence whose ``words`` are a field to a clause, or to nothing."""
    document = document_of(BODY + sentence, name)
    start = document.text.rindex(words)
    clause = next((each for each in document.clauses if each.number == leads_to), None)
    field = CrossReference(
        CrossReferenceKind.FIELD,
        start,
        start + len(words),
        clause.start if clause is not None else -1,
        clause.id if clause is not None else "",
    )
    document = msgspec.structs.replace(document, cross_references=(field,))
    found = run_checks(document, extract_anchors(document))
    return [each for each in found if each.code.startswith("reference")]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            BODY + "6. Survival. Section Error! Reference source not found. survives.",
            "Error! Reference source not found.",
        ),
        ("第一条 付款。甲方按照错误！未找到引用源。支付价款。", "错误！未找到引用源。"),
        (BODY + "6. Survival. Clause Error: Reference source not found survives.", "Error: Reference source not found"),
        (BODY + "6. Survival. See page Error! Bookmark not\ndefined. below.", "Error! Bookmark not defined."),
    ],
)
def test_a_printed_error_is_found_in_any_file(text: str, words: str) -> None:
    document = document_of(text)
    found = run_checks(document, extract_anchors(document))
    (one,) = [each for each in found if each.code == "reference.dangling"]
    assert words in one.summary
    assert one.score > 0.9


def test_like_errors_are_one_finding() -> None:
    error = "Error! Reference source not found."
    document = document_of(BODY + f"6. Survival. Clauses {error} and {error} survive.")
    (one,) = [e for e in run_checks(document, extract_anchors(document)) if e.code == "reference.dangling"]
    assert len(one.passages[0].also) == 1


def test_a_field_to_a_place_that_is_gone() -> None:
    (one,) = findings("6. Survival. Section 2.1 survives.", "2.1", None)
    assert one.code == "reference.dangling"
    assert "no longer in the document" in one.summary


def test_a_gone_field_is_told_once() -> None:
    (one,) = findings("6. Survival. Section 2.7 survives.", "2.7", None)
    assert "field" in one.summary


def test_what_was_copied_into_a_playbook_stays_silent() -> None:
    assert findings("6. Survival. Section 2.1 survives.", "2.1", None, "playbook.docx") == []


def test_a_number_that_was_not_updated() -> None:
    (one,) = findings("6. Survival. Section 1.2 survives.", "1.2", "2.2")
    assert one.code == "reference.misdirected"
    assert "leads to Section 2.2" in one.summary
    assert one.passages[1].clause == "2.2"


@pytest.mark.parametrize(
    ("words", "leads_to"),
    [("2.2", "2.2"), ("2.2(a)", "2.2"), ("2.2", "2"), ("Section 2", "2"), ("Taxes", "2.2"), ("(b)", "2.2")],
)
def test_what_agrees_or_cannot_be_judged_stays_silent(words: str, leads_to: str) -> None:
    assert findings(f"6. Survival. See {words} on that.", words, leads_to) == []


def test_a_fields_target_beats_guessing() -> None:
    """No clause is numbered 2.9 in the tree, but the field leads somewhere: the tree may have lost the number."""
    document = document_of(BODY + "6. Survival. Section 2.9 survives.")
    start = document.text.rindex("2.9")
    field = CrossReference(CrossReferenceKind.FIELD, start, start + 3, 5, "")
    document = msgspec.structs.replace(document, cross_references=(field,))
    found = run_checks(document, extract_anchors(document))
    assert [each for each in found if each.code.startswith("reference")] == []
