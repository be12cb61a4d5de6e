"""Page images from the reader, asked for and answered through a fake of the child processes."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSizeF
from PySide6.QtGui import QImage

from engine.protocol.messages import Fault, FaultCode, PageSize
from gui.pages import ImageKey, PageView, SupervisorSource
from gui.pages.page_images import PageImages
from gui.processes.fake import FakeProcesses

SIZES = (PageSize(595.0, 842.0), PageSize(842.0, 595.0))


@pytest.fixture
def processes(qapp) -> FakeProcesses:
    return FakeProcesses(draw=False)


@pytest.fixture
def source(processes) -> SupervisorSource:
    return SupervisorSource(processes, "sha256:a", SIZES, processes)


def image() -> QImage:
    made = QImage(10, 10, QImage.Format.Format_RGB888)
    made.fill(0)
    return made


def test_sizes_are_those_of_the_opened_document(source):
    assert source.page_count() == 2
    assert source.page_size(1) == QSizeF(842, 595)


def test_answers_carry_the_key_that_was_asked(qtbot, processes, source):
    whole, part = ImageKey(0, 1.25), ImageKey(0, 1.25, (0.0, 0.0, 100.0, 50.0))
    source.request(whole)
    source.request(part)
    source.request(whole)
    jobs = processes.waiting("render")
    assert len(jobs) == 2
    with qtbot.waitSignal(source.image_ready) as ready:
        processes.page_rendered.emit(jobs[1], "sha256:a", 0, image(), 1.25)
    assert ready.args[0] == part
    with qtbot.assertNotEmitted(source.image_ready):
        processes.page_rendered.emit(jobs[1], "sha256:a", 0, image(), 1.25)
        processes.page_rendered.emit(987654, "sha256:other", 0, image(), 1.25)


def test_failures_are_told_once_and_cancelled_jobs_are_silent(qtbot, processes, source):
    source.request(ImageKey(0, 1.0))
    source.request(ImageKey(1, 1.0))
    first, second = processes.waiting("render")
    with qtbot.waitSignal(source.image_failed) as failed:
        processes.job_failed.emit(first, Fault(FaultCode.CHILD_DIED, "The reader ended."))
    assert failed.args == [ImageKey(0, 1.0), "The reader ended."]
    source.cancel(ImageKey(1, 1.0))
    assert second not in processes.waiting("render")
    with qtbot.assertNotEmitted(source.image_failed), qtbot.assertNotEmitted(source.image_ready):
        processes.job_cancelled.emit(second)
        processes.page_rendered.emit(second, "sha256:a", 1, image(), 1.0)
    source.cancel(ImageKey(1, 1.0))


def test_a_restarted_reader_is_asked_again_for_what_failed(qtbot, processes, source):
    images = PageImages()
    images.set_source(source)
    images.want([ImageKey(0, 1.0)])
    (job,) = processes.waiting("render")
    processes.play_failed(job, Fault(FaultCode.CHILD_DIED, "The reader ended."))
    assert not processes.waiting("render")
    processes.child_restarted.emit("engine")
    assert not processes.waiting("render")
    processes.child_restarted.emit("reader")
    assert len(processes.waiting("render")) == 1
    images.set_source(None)


def test_a_view_asks_the_reader_for_what_shows(qtbot):
    drawing = FakeProcesses()
    view = PageView()
    qtbot.addWidget(view)
    view.resize(500, 400)
    view.set_source(SupervisorSource(drawing, "sha256:a", SIZES, view))
    with qtbot.waitSignal(view.first_page_shown):
        view.show()
    assert drawing.asked
    view.close()
