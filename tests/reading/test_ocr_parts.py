"""The parts of recognising, each by itself: the job's steps, skew, detection, decoding, weights, doubts."""

from __future__ import annotations

import struct
import threading
from collections.abc import Callable

import numpy as np
import pytest

from engine.document import UncertainWord
from engine.reading.ocr import blocks
from engine.reading.ocr.detection import line_boxes
from engine.reading.ocr.job import RecognitionJob
from engine.reading.ocr.model import PagePicture, RecognisedLine, RecognitionStopped
from engine.reading.ocr.recognition import decoded
from engine.reading.ocr.rules import find_rules
from engine.reading.ocr.skew import find_skew
from engine.reading.ocr.weights import without_denormals
from engine.reading.pdf.uncertain import uncertain_words


class StandIn:
    """A recogniser that reads what it is told, breaks, or waits until it is stopped."""

    name = "stand-in"
    in_background = True

    def __init__(self, behaviours: list[str]) -> None:
        self.behaviours = behaviours
        self.started = threading.Event()
        self.closed = False

    def recognise(self, picture: PagePicture, stopped: Callable[[], bool]) -> tuple[list[RecognisedLine], int]:
        behaviour = self.behaviours.pop(0)
        self.started.set()
        if behaviour == "break":
            raise RuntimeError("made to break")
        while behaviour == "wait":
            if stopped():
                raise RecognitionStopped
        boxes = np.array([[10 * i, 10, 10 * i + 9, 22] for i in range(len(behaviour))], np.float32)
        return [RecognisedLine(behaviour, boxes, np.ones(len(behaviour), np.float32))], 0

    def close(self) -> None:
        self.closed = True


def paper(_index: int = 0) -> PagePicture:
    to_page = np.array([[0.5, 0.0], [0.0, 0.5], [0.0, 0.0]])
    return PagePicture(np.full((60, 200), 255, np.uint8), 2.0, to_page)


def test_a_page_that_cannot_be_recognised_does_not_lose_the_others() -> None:
    recogniser = StandIn(["Term", "break", "Rent"])
    job = RecognitionJob(lambda: recogniser, paper)
    steps = list(job.steps([0, 4, 7]))
    assert {index: page.lines[0].text for index, page in job.pages.items()} == {0: "Term", 7: "Rent"}
    assert job.failed == [4]
    assert steps[0] == ("recognition", 0, 3)
    assert steps[-1] == ("recognition", 3, 3)
    assert recogniser.closed


def test_a_job_that_is_closed_stops_the_recogniser() -> None:
    recogniser = StandIn(["wait"])
    job = RecognitionJob(lambda: recogniser, paper)
    steps = job.steps([0])
    while not recogniser.started.is_set():
        next(steps)
    steps.close()
    assert recogniser.closed
    assert not job.pages


def test_a_blank_page_has_no_lines() -> None:
    job = RecognitionJob(lambda: StandIn([]), lambda _index: None)
    list(job.steps([0]))
    assert (job.pages, job.failed) == ({}, [])


@pytest.mark.parametrize("angle", [-6.0, -1.5, 0.0, 0.7, 3.0])
def test_skew_of_striped_pages(angle: float) -> None:
    y, x = np.mgrid[0:700, 0:520].astype(np.float64)
    turn = np.deg2rad(angle)
    row = y * np.cos(turn) - x * np.sin(turn)
    words = (x * np.cos(turn) + y * np.sin(turn)) % 23 < 17
    dark = (row % 14 < 6) & words & (abs(x - 260) < 200) & (abs(y - 350) < 300)
    assert find_skew(np.where(dark, 0, 255).astype(np.uint8)) == pytest.approx(angle, abs=0.11)


def test_skew_of_an_empty_page_is_none() -> None:
    assert find_skew(np.full((200, 200), 255, np.uint8)) == 0.0


def test_boxes_from_a_map_of_text() -> None:
    text_map = np.zeros((100, 200), np.float32)
    text_map[20:26, 30:150] = 0.9
    text_map[60:66, 30:80] = 0.9
    text_map[60:66, 120:160] = 0.35
    text_map[90, 5] = 0.9
    boxes = line_boxes(text_map, 100, 200)
    assert len(boxes) == 2
    x0, y0, x1, y1 = boxes[0]
    assert (x0 < 30, y0 < 20, x1 > 150, y1 > 26) == (True, True, True, True)


def test_decoding_joins_runs_and_parts_equals_by_blanks() -> None:
    best = [0, 1, 1, 0, 1, 2, 0]
    likely = np.full((7, 3), 0.1, np.float32)
    likely[np.arange(7), best] = 0.8
    reading = decoded(likely, ["a", "b"])
    assert reading.text == "aab"
    assert reading.middle.tolist() == pytest.approx([2 / 7, 4.5 / 7, 5.5 / 7])


def test_rules_are_long_and_thin() -> None:
    grey = np.full((300, 400), 255, np.uint8)
    grey[100:102, 20:380] = 190
    grey[20:280, 50:52] = 0
    grey[200:240, 200:380] = 0
    across, down = find_rules(grey, 2.0)
    assert [round(rule.at) for rule in across] == [50]
    assert 26 in [round(rule.at) for rule in down]


def field(number: int, data: bytes) -> bytes:
    assert len(data) < 128
    return bytes([number << 3 | 2, len(data)]) + data


def test_weights_too_small_become_zero_and_nothing_else_changes() -> None:
    values = struct.pack("<4f", 1.5, 1e-40, -3e-39, 2e-30)
    tensor = bytes([2 << 3, 1]) + field(9, values)
    model = field(2, b"maker") + field(7, field(1, b"node") + field(5, tensor))
    cleaned = without_denormals(model)
    assert len(cleaned) == len(model)
    assert np.frombuffer(cleaned[-16:], np.float32).tolist() == pytest.approx([1.5, 0.0, 0.0, 2e-30])
    assert cleaned[:-16] == model[:-16]
    assert without_denormals(b"\xff" * 9) == b"\xff" * 9


def test_uncertain_words() -> None:
    text = "pay USD 45,000 now 乙方应付"
    sure = np.ones(len(text), np.float32)
    sure[text.index("5")] = 0.4
    sure[text.index("方") : text.index("付")] = 0.6
    assert list(uncertain_words(text, 0, sure)) == [
        UncertainWord(8, 14, 0.4),
        UncertainWord(text.index("方"), text.index("付"), 0.6),
    ]
    sure[:] = 1
    assert not list(uncertain_words(text, 0, sure))


@pytest.mark.parametrize(
    ("read", "left", "top", "right", "bottom", "said"),
    [
        ("一", 20, 10, 220, 45, ""),  # words blacked out
        ("1", 40, 2, 56, 58, ""),  # a bar
        ("□", 20, 15, 50, 45, "■"),  # a box filled in
        ("一", 20, 30, 60, 35, "一"),  # the character
        ("1", 40, 10, 48, 50, "1"),  # a thin stroke
        ("支付价款", 20, 10, 220, 45, "支付价款"),  # a solid area among letters
    ],
)
def test_a_solid_area_is_no_letter(read: str, left: int, top: int, right: int, bottom: int, said: str) -> None:
    crop = np.full((60, 240), 255, np.uint8)
    crop[top:bottom, left:right] = 10
    assert blocks.without_block(read, crop, 3.5) == said


def test_print_in_white_on_black_stays() -> None:
    crop = np.full((60, 240), 255, np.uint8)
    crop[10:50, 20:90] = 10
    crop[20:40, 40:70] = 255
    assert blocks.without_block("口", crop, 3.5) == "口"
