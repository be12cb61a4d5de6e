"""The full check: which pairs are read again, what that changes, and what happens when it cannot be done."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from check_document import document_of
from numpy.typing import NDArray

from engine.conflicts import full_check
from engine.conflicts.full_check import LEFT_OUT, read_pairs, reordered, rows_to_read, shipped_reader
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
    _, stages, _ = _review(without=("reading",))
    assert "reading" not in stages
    assert not readers["en"].read
    _, stages, notices = _review(full_check=True)
    assert "reading" in stages
    assert not notices
    assert all(text[0] < "\u3400" for pair in readers["en"].read for text in pair)
    assert {text[-1] for pair in readers["zh"].read for text in pair} == {"。"}


def test_what_cannot_be_read_is_said_and_the_review_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(language: str, _: object) -> Counting:
        raise EncoderError(f"no weights for {language}")

    monkeypatch.setattr("engine.conflicts.review.shipped_reader", none)
    plain, _, _ = _review(without=("reading",))
    found, _, notices = _review()
    assert [(f.id, f.score) for f in found] == [(f.id, f.score) for f in plain]
    assert notices == [
        LEFT_OUT.format(language="English", error="no weights for en"),
        LEFT_OUT.format(language="Chinese", error="no weights for zh"),
    ]


def test_a_fallback_that_says_so_itself_is_not_remarked_on_unless_the_person_asked() -> None:
    notices: list[str] = []
    for asked in (False, True):
        review_documents(
            [document_of(TEXT)], encoder_for=lambda _: NgramEncoder(), options=ReviewOptions(full_check=asked),
            progress=lambda *_: None, cancelled=lambda: False, notice=notices.append,
        )  # fmt: skip
        assert len(notices) == (2 if asked else 0)


def test_cancelling_is_heard_between_batches() -> None:
    asked = 0

    def cancelled() -> bool:
        return reading

    reading = False

    def progress(stage: str, _done: int, _total: int) -> None:
        nonlocal reading, asked
        reading = reading or stage == "reading"
        asked += reading

    with pytest.raises(ReviewCancelled):
        review_documents(
            [document_of(TEXT)], encoder_for=load_encoder, options=ReviewOptions(full_check=True),
            progress=progress, cancelled=cancelled,
        )  # fmt: skip
    assert asked == 1


def test_a_review_reads_the_best_pairs_and_the_full_check_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(full_check, "READ_OF_A_DOCUMENT", 2)
    raw = np.array([0.5, -3.0, 2.0, -1.0, 0.5])
    assert rows_to_read(raw, 1, full=False) == [2, 0]
    assert rows_to_read(raw, 2, full=False) == [2, 0, 4, 3]
    assert rows_to_read(raw, 1, full=True) == [0, 1, 2, 3, 4]
    readers = {"en": Counting(), "zh": Counting()}
    monkeypatch.setattr("engine.conflicts.review.shipped_reader", lambda language, _: readers[language])
    _review()
    assert sum(len(reader.read) for reader in readers.values()) == 2


def test_what_is_read_changes_the_order_of_what_was_read_only() -> None:
    raw = np.array([3.0, 2.0, 1.0, 0.0, -1.0, 5.0])
    read = np.array([-4.0, -4.5, 9.0, np.nan, 8.0, np.nan])
    none = np.zeros(6, bool)
    found = reordered(raw, read, none, none)
    assert sorted(found) == sorted(raw)
    assert found[[3, 5]].tolist() == [0.0, 5.0]
    assert found[2] > found[1]
    assert reordered(raw, read, none, none, alone=True)[[0, 1, 2, 4]].tolist() == [1.0, -1.0, 3.0, 2.0]
    # Each language's readers judge among themselves.
    chinese = np.array([False, True, False, False, True, False])
    mixed = reordered(raw, read, chinese, none, alone=True)
    assert mixed.tolist() == [1.0, -1.0, 3.0, 0.0, 2.0, 5.0]
    # What reading says counts for more where one passage alone has a condition.
    with_condition = np.array([False, False, True, False, False, False])
    assert reordered(raw, read, none, with_condition)[2] > found[2]


def test_nothing_to_read() -> None:
    counting = Counting()
    found = read_pairs([], [], [], lambda _: counting, lambda *_: None, lambda: False, lambda _: None)  # type: ignore[arg-type, return-value]
    assert found.shape == (0,)


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
