"""The book of jobs: what a child is still at, and for how long that is borne."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.protocol.child import Role
from gui.processes import jobs
from gui.processes.jobs import Job, JobBook


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1000.0]
    monkeypatch.setattr(jobs.time, "monotonic", lambda: now[0])
    return now


def test_a_cancelled_opening_is_borne_for_a_shorter_time_than_a_drawing(clock: list[float]):
    # A reader amid a long step of a reading confirms the drawings that were scrolled past only after it.
    book = JobBook()
    reading = Job(book.number(), Role.READER, "reading", path=Path("a.pdf"))
    drawing = Job(book.number(), Role.READER, "drawing", document="sha256:1", page=3)
    book.add(reading)
    book.add(drawing)
    assert book.cancel(drawing.id) is drawing
    assert book.cancel(drawing.id) is None
    clock[0] += jobs.CANCEL_PATIENCE_S[Role.READER] + 1
    assert not book.is_overdue(Role.READER)
    book.cancel(reading.id)
    clock[0] += jobs.CANCEL_PATIENCE_S[Role.READER] + 1
    assert book.is_overdue(Role.READER)
    assert not book.is_overdue(Role.ENGINE)
    book.confirm(reading.id)
    assert not book.is_overdue(Role.READER)
    clock[0] += jobs.DRAWING_PATIENCE_S
    assert book.is_overdue(Role.READER)
    assert book.busy(Role.READER)
    book.forget_cancelled(Role.READER)
    assert not book.is_overdue(Role.READER)
    assert not book.busy(Role.READER)
