"""The full check: which pairs are read again, what that changes, and what happens when it cannot be done."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from check_document import document_of
from numpy.typing import NDArray

from engine.conflicts.full_check import LEFT_OUT, WEIGHT, read_pairs, shipped_reader, with_full_check
from engine.conflicts.review import ReviewCancelled, review_documents
from engine.protocol.findings import Finding
from engine.protocol.messages import ReviewOptions
from engine.states.encoder import Encoder, EncoderError, load_encoder
from engine.states.ngrams import NgramEncoder

TEXT = (
    "1. The Buyer shall pay each invoice within thirty days of receipt.\n"
    "2. The Buyer shall not pay any invoice before sixty days have passed.\n"
    "3. The Seller shall insure the goods until delivery.\n"
    "4. The Seller may assign this Agreement to an affiliate.\n"
    "5. 买方应当在收到发票后三十日内支付全部货款。\n"
    "6. 买方无需在收到发票后支付任何货款。\n"
)


class Counting:
    """A reader that finds every pair a conflict and counts what it reads."""

    notice = ""

    def __init__(self) -> None:
        self.read: list[tuple[str, str]] = []

    def log_odds(
        self, texts: Sequence[str], pairs: Sequence[tuple[int, int]], *, cancelled: Callable[[], bool],
        done: Callable[[int], None],
    ) -> NDArray[np.float64]:  # fmt: skip
        """Three, for each."""
        del cancelled
        self.read += [(texts[a], texts[b]) for a, b in pairs]
        done(len(pairs))
        return np.full(len(pairs), 3.0)


def _review(**settings: object) -> tuple[list[Finding], list[str], list[str]]:
    stages: list[str] = []
    notices: list[str] = []
    encoders: dict[str, Encoder] = {}

    def encoder_for(language: str) -> Encoder:
        return encoders.setdefault(language, load_encoder(language))

    found, _ = review_documents(
        [document_of(TEXT)], encoder_for=encoder_for, options=ReviewOptions(**settings),  # type: ignore[arg-type]
        progress=lambda stage, _done, _total: stages.append(stage), cancelled=lambda: False, notice=notices.append,
    )  # fmt: skip
    return found, stages, notices


def test_pairs_of_one_language_are_read_each_by_its_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    readers = {"en": Counting(), "zh": Counting()}
    monkeypatch.setattr("engine.conflicts.review.shipped_reader", lambda language, _: readers[language])
    plain, stages, _ = _review()
    assert "full_check" not in stages
    assert not readers["en"].read
    found, stages, notices = _review(full_check=True)
    assert "full_check" in stages
    assert not notices
    assert all(text[0] < "\u3400" for pair in readers["en"].read for text in pair)
    assert {text[-1] for pair in readers["zh"].read for text in pair} == {"。"}
    best = {finding.passages[0].start: finding.score for finding in plain if len(finding.passages) > 1}
    more = {finding.passages[0].start: finding.score for finding in found if len(finding.passages) > 1}
    assert sum(more.values()) > sum(best.values())


def test_what_cannot_be_read_is_said_and_the_review_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(language: str, _: object) -> Counting:
        raise EncoderError(f"no weights for {language}")

    monkeypatch.setattr("engine.conflicts.review.shipped_reader", none)
    plain, _, _ = _review()
    found, _, notices = _review(full_check=True)
    assert [(f.id, f.score) for f in found] == [(f.id, f.score) for f in plain]
    assert notices == [
        LEFT_OUT.format(language="English", error="no weights for en"),
        LEFT_OUT.format(language="Chinese", error="no weights for zh"),
    ]


def test_cancelling_is_heard_between_batches() -> None:
    asked = 0

    def cancelled() -> bool:
        return reading

    reading = False

    def progress(stage: str, _done: int, _total: int) -> None:
        nonlocal reading, asked
        reading = reading or stage == "full_check"
        asked += reading

    with pytest.raises(ReviewCancelled):
        review_documents(
            [document_of(TEXT)], encoder_for=load_encoder, options=ReviewOptions(full_check=True),
            progress=progress, cancelled=cancelled,
        )  # fmt: skip
    assert asked == 1


def test_mixing_leaves_what_was_not_read() -> None:
    raw = np.array([1.0, -2.0, 0.5])
    read = np.array([2.0, np.nan, -1.0])
    mixed = with_full_check(raw, read)
    assert mixed.tolist() == [(1 + 2 * WEIGHT) / (1 + WEIGHT), -2.0, (0.5 - WEIGHT) / (1 + WEIGHT)]
    assert with_full_check(raw, read, alone=True).tolist() == [2.0, -2.0, -1.0]
    assert read_pairs([], [], lambda _: Counting(), lambda *_: None, lambda: False, lambda _: None).shape == (0,)  # type: ignore[return-value, arg-type]


def test_an_encoder_that_reads_no_pairs_is_an_error_in_words() -> None:
    with pytest.raises(EncoderError, match="cannot read two texts together"):
        shipped_reader("zh", lambda _: NgramEncoder())


@pytest.mark.parametrize(
    ("language", "text", "contrary", "alike"),
    [
        (
            "en",
            "The Supplier shall deliver the goods to the Buyer's warehouse.",
            "The Supplier shall not deliver the goods to the Buyer's warehouse.",
            "The Supplier must deliver the goods to the warehouse of the Buyer.",
        ),
        ("zh", "乙方应当每月五日前支付租金。", "乙方无需每月支付租金。", "乙方须在每月五日前支付租金。"),
    ],
)
def test_the_shipped_readers_know_a_denial_from_a_paraphrase(
    language: str, text: str, contrary: str, alike: str
) -> None:
    encoder = load_encoder(language)
    if language == "zh" and isinstance(encoder, NgramEncoder):
        pytest.skip("the multilingual encoder's weights are not installed")
    reader = shipped_reader(language, lambda _: encoder)
    odds = reader.log_odds([text, contrary, alike], [(0, 1), (0, 2)])
    assert odds[0] > odds[1] + 1
