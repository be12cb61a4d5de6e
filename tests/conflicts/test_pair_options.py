"""Alternatives of a form do not contradict each other or the contract before they are ticked."""

from __future__ import annotations

import pytest
from check_document import document_of

from engine.anchors.extract import extract_anchors
from engine.conflicts.arbitration import State, arbitrate
from engine.conflicts.encoding import encode_units
from engine.conflicts.forum import forum_conflicts
from engine.conflicts.pairs import score_pairs
from engine.conflicts.units import build_units
from engine.protocol.messages import ReviewOptions
from engine.states.ngrams import NgramEncoder

THIRTY = "The Buyer shall pay each invoice within thirty (30) days."
SIXTY = "The Buyer shall pay each invoice within sixty (60) days."
THIRTY_ZH = "买方应当在收到发票后三十日内支付全部货款。"
SIXTY_ZH = "买方应当在收到发票后六十日内支付全部货款。"


def _verdict(text: str) -> tuple[State, list[tuple[str, str]]]:
    document = document_of(text)
    units = build_units([document], {document.id: extract_anchors(document)})
    encoded = encode_units(units, lambda _: NgramEncoder(), lambda *_: None, lambda: False)
    (scored,) = score_pairs(units, encoded, ReviewOptions(), lambda *_: None, lambda: False)
    verdict, path = arbitrate(scored.case)
    return verdict, [(step.state, step.because) for step in path]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"[ ] {THIRTY}\n[ ] {SIXTY}", "One of them is one of several options of a form."),
        (f"(x) {THIRTY}\n( ) {SIXTY}", "One of them is one of several options of a form."),
        (f"□ {THIRTY_ZH}\n□ {SIXTY_ZH}", "其中一处是表单中的备选项之一。"),
        (f"☑ {THIRTY_ZH}\n□ {SIXTY_ZH}", "其中一处是表单中的备选项之一。"),
    ],
)
def test_an_option_that_was_not_chosen_contradicts_nothing(text: str, reason: str) -> None:
    verdict, path = _verdict(text)
    assert verdict is State.RESOLVED
    assert reason in [because for state, because in path if state == State.DIFFERENT]
    assert State.SCOPED_APART in [state for state, _ in path]


@pytest.mark.parametrize(
    "text",
    [
        f"[x] {THIRTY}\n[x] {SIXTY}\n[ ] Another way.",
        f"{THIRTY}\n{SIXTY}",
        f"☑ {THIRTY_ZH}\n☑ {SIXTY_ZH}",
        # What has been ticked holds, and contradicts the contract's own words.
        f"[x] {THIRTY}\n[ ] Another way.\n1. {SIXTY}",
    ],
)
def test_what_was_ticked_holds(text: str) -> None:
    verdict, _ = _verdict(text)
    assert verdict is State.CONFLICT


def test_two_forums_of_a_form_are_no_conflict() -> None:
    arbitration = "因本合同产生的争议，提交北京仲裁委员会仲裁。"
    court = "因本合同产生的争议，由北京市海淀区人民法院管辖。"
    found = []
    for sign in "□", "":
        document = document_of(f"{sign}{arbitration}\n{sign}{court}")
        units = build_units([document], {document.id: extract_anchors(document)})
        found.append(len(forum_conflicts(units)))
    assert found == [0, 1]
