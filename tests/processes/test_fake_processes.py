"""The fake must behave as the real thing does where widgets can tell the difference."""

from __future__ import annotations

import inspect
from pathlib import Path

import numpy as np
import pytest

from engine.document import CharacterBoxes, Document, Media, Page
from gui.processes.fake import FakeProcesses
from gui.processes.interface import Processes
from gui.processes.supervisor import Supervisor

DOCUMENT = Document(
    "sha256:0", "a.txt", Media.TEXT, "en", "x", (Page(0, 60, 80, 0, 1),), (), (), (), (),
    CharacterBoxes(np.zeros((1, 4), np.float32), np.zeros(1, np.int32)),
)  # fmt: skip


@pytest.mark.parametrize("implementation", [Supervisor, FakeProcesses])
def test_implementations_have_the_interface_signatures(implementation):
    for name, method in inspect.getmembers(Processes, inspect.isfunction):
        if method.__qualname__.startswith("Processes."):
            own = next(vars(kind)[name] for kind in implementation.__mro__ if name in vars(kind))
            assert own is not method, name
            assert inspect.signature(own) == inspect.signature(method), name


def test_reading_drawing_and_cancelling(qtbot):
    fake = FakeProcesses()
    job = fake.open_document(Path("a.txt"))
    with qtbot.waitSignals([fake.document_opened, fake.document_read]):
        fake.play_read(job, DOCUMENT)
    with qtbot.waitSignal(fake.page_rendered) as drawn:
        fake.render(DOCUMENT.id, 0, 2.0)
    assert (drawn.args[3].width(), drawn.args[3].height()) == (120, 160)
    review = fake.review([DOCUMENT])
    with qtbot.waitSignal(fake.job_cancelled):
        fake.cancel(review)
    assert fake.waiting() == []
