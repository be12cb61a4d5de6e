"""The supervisor with real child processes that speak the real protocol over made-up files."""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication

from engine.document import Document
from engine.protocol.child import Role
from engine.protocol.messages import FaultCode
from gui.processes import heartbeat as heartbeat_module
from gui.processes.supervisor import Supervisor


def open_and_read(supervisor: Supervisor, ear, path: Path) -> Document:
    job = supervisor.open_document(path)
    name, arguments = ear.wait_for_end(job)
    assert name == "document_read", arguments
    return arguments[1]


def entries(folder: str) -> set[Path]:
    return set(Path(folder).iterdir())


def page_memory() -> int:
    """How many page images this process holds open."""
    count = 0
    for path in entries("/proc/self/fd"):
        with contextlib.suppress(OSError):
            count += "antinomy-page" in str(path.readlink())
    return count


def kill_child(keeper, qtbot) -> None:
    """Kill the child once it is up: before that there is no process id, and kill(0) would end our own group."""
    qtbot.waitUntil(lambda: keeper.channel.pid is not None, timeout=20_000)
    os.kill(keeper.channel.pid, signal.SIGKILL)


def test_a_document_is_opened_read_and_drawn(supervisor, ear, made_up):
    job = supervisor.open_document(made_up("pages=3"))
    opened_job, opened = ear.wait("document_opened")
    assert (opened_job, opened.name, len(opened.pages)) == (job, "deal.txt", 3)
    name, (_, document) = ear.wait_for_end(job)
    assert name == "document_read"
    assert document.text.endswith("30 days.\n")
    assert len(document.boxes) == len(document.text)

    drawing = supervisor.render(document.id, 1, 2.0)
    name, (_, of, page, image, scale) = ear.wait_for_end(drawing)
    assert (name, of, page, scale) == ("page_rendered", document.id, 1, 2.0)
    assert (image.width(), image.height()) == (120, 160)
    assert image.pixelColor(119, 159).getRgb()[:3] == (20, 20, 30)


def test_a_part_of_a_page_is_drawn(supervisor, ear, made_up):
    document = open_and_read(supervisor, ear, made_up())
    drawing = supervisor.render(document.id, 0, 1.0, (10.0, 10.0, 30.0, 20.0))
    _, (_, _, _, image, _) = ear.wait_for_end(drawing)
    assert (image.width(), image.height()) == (20, 10)


def test_jobs_may_be_asked_for_before_the_start(qtbot, made_up, supervisor, ear):
    # The fixture's supervisor has only just been started: no child is up yet.
    job = supervisor.open_document(made_up())
    assert ear.wait_for_end(job)[0] == "document_read"


@pytest.mark.parametrize(
    ("ways", "password", "code"),
    [
        ("password=open", "", FaultCode.NEEDS_PASSWORD),
        ("password=open", "wrong", FaultCode.WRONG_PASSWORD),
        ("memory=1", "", FaultCode.TOO_LARGE),
        ("bug=1", "", FaultCode.INTERNAL),
    ],
)
def test_failures_are_typed(supervisor, ear, made_up, ways, password, code):
    job = supervisor.open_document(made_up(ways), password)
    name, (_, fault) = ear.wait_for_end(job)
    assert (name, fault.code) == ("job_failed", code)
    assert bool(fault.trace) == (code is FaultCode.INTERNAL)


def test_a_missing_file_leaves_the_open_one_alone(supervisor, ear, made_up, tmp_path):
    document = open_and_read(supervisor, ear, made_up())
    job = supervisor.open_document(tmp_path / "none.txt")
    assert ear.wait_for_end(job)[1][1].code is FaultCode.MISSING_FILE
    assert ear.wait_for_end(supervisor.render(document.id, 0, 1.0))[0] == "page_rendered"


def test_a_page_with_impossible_measures_is_refused(supervisor, ear, made_up):
    document = open_and_read(supervisor, ear, made_up("stride=9999999"))
    name, (_, fault) = ear.wait_for_end(supervisor.render(document.id, 0, 1.0))
    assert (name, fault.code) == ("job_failed", FaultCode.INTERNAL)


@pytest.mark.parametrize(
    ("document", "page", "scale"), [("sha256:no", 0, 1.0), ("", 7, 1.0), ("", 0, 1e9), ("", 0, -1.0)]
)
def test_impossible_drawings_fail_after_the_call(supervisor, ear, made_up, document, page, scale):
    known = open_and_read(supervisor, ear, made_up())
    job = supervisor.render(document or known.id, page, scale)
    assert not ear.ends(job)
    assert ear.wait_for_end(job)[0] == "job_failed"


def test_a_cancelled_reading_ends_once(supervisor, ear, made_up):
    job = supervisor.open_document(made_up("steps=2000 step_ms=5"))
    ear.wait("job_progressed")
    supervisor.cancel(job)
    assert not ear.ends(job)
    assert ear.wait_for_end(job)[0] == "job_cancelled"
    # The reader is free for the next file, which would otherwise wait ten seconds.
    open_and_read(supervisor, ear, made_up(name="next.txt"))
    assert ear.ends(job) == ["job_cancelled"]


def test_a_reader_stuck_in_a_cancelled_step_is_replaced(supervisor, ear, made_up):
    stuck = supervisor.open_document(made_up("hang=0"))
    ear.wait("document_opened")
    supervisor.cancel(stuck)
    job = supervisor.open_document(made_up(name="next.txt"))
    assert ear.wait_for_end(job)[0] == "document_read"
    assert ear.ends(stuck) == ["job_cancelled"]
    assert ear.wait("child_died")[0] == "reader"


def test_a_reader_killed_while_idle_comes_back_with_its_documents(supervisor, ear, made_up, qtbot):
    document = open_and_read(supervisor, ear, made_up("pages=2"))
    kill_child(supervisor._reader, qtbot)
    assert ear.wait("child_died")[0] == "reader"
    job = supervisor.render(document.id, 1, 1.0)
    assert ear.wait_for_end(job)[0] == "page_rendered"
    assert ear.all("child_restarted") == [("reader",)]
    # Re-opening is the supervisor's own business.
    assert len(ear.all("document_opened")) == 1
    assert len(ear.all("document_read")) == 1


def test_a_reader_that_crashes_in_a_job_fails_it_once(supervisor, ear, made_up):
    job = supervisor.open_document(made_up("crash=2"))
    name, (_, fault) = ear.wait_for_end(job)
    assert (name, fault.code) == ("job_failed", FaultCode.CHILD_DIED)
    assert "deal.txt" in fault.sentence
    open_and_read(supervisor, ear, made_up(name="next.txt"))
    assert ear.ends(job) == ["job_failed"]


def test_a_file_changed_on_disk_is_not_drawn_as_the_old_one(supervisor, ear, made_up, qtbot):
    document = open_and_read(supervisor, ear, made_up())
    kill_child(supervisor._reader, qtbot)
    ear.wait("child_died")
    made_up(text="Something else.\n")
    name, (_, fault) = ear.wait_for_end(supervisor.render(document.id, 0, 1.0))
    assert (name, fault.code) == ("job_failed", FaultCode.NOT_OPEN)
    assert "changed" in fault.sentence


def test_a_reader_that_keeps_crashing_is_given_up_and_can_be_restarted(supervisor, ear, made_up):
    path = made_up("crash=0")
    for _ in range(5):
        assert ear.wait_for_end(supervisor.open_document(path))[1][1].code is FaultCode.CHILD_DIED
    job = supervisor.open_document(made_up(name="next.txt"))
    assert ear.wait_for_end(job)[1][1].code is FaultCode.CHILD_DIED
    assert ear.all("child_given_up") == [("reader",)]
    supervisor.restart("reader")
    open_and_read(supervisor, ear, made_up(name="last.txt"))


@pytest.mark.parametrize(
    ("text", "end", "code"),
    [
        ("fine", "review_finished", None),
        ("fault", "job_failed", FaultCode.OUT_OF_MEMORY),
        ("crash", "job_failed", FaultCode.CHILD_DIED),
        ("garbage", "job_failed", FaultCode.CHILD_DIED),
    ],
)
def test_a_review_ends_once(supervisor, ear, made_up, text, end, code):
    document = open_and_read(supervisor, ear, made_up(text=text))
    job = supervisor.review([document])
    name, arguments = ear.wait_for_end(job)
    assert name == end
    if code is not None:
        assert arguments[1].code is code
    # The engine answers again, after a crash too, and nothing more comes for the job.
    assert ear.wait_for_end(supervisor.diagnose())[0] == "diagnosed"
    assert ear.ends(job) == [end]


def test_a_review_is_cancelled(supervisor, ear, made_up):
    document = open_and_read(supervisor, ear, made_up(text="hold"))
    job = supervisor.review([document])
    ear.wait("job_progressed")
    supervisor.cancel(job)
    assert ear.wait_for_end(job)[0] == "job_cancelled"
    assert ear.wait_for_end(supervisor.diagnose())[0] == "diagnosed"
    assert ear.ends(job) == ["job_cancelled"]


@pytest.mark.parametrize("moment", ["at once", "started", "reading", "engine deaf", "after a crash"])
def test_closing_is_safe_at_any_moment(supervisor, ear, made_up, qtbot, moment):
    if moment != "at once":
        ear.wait("engine_status_changed")
    if moment == "reading":
        supervisor.open_document(made_up("steps=2000 step_ms=5"))
        ear.wait("job_progressed")
    elif moment == "engine deaf":
        supervisor.review([open_and_read(supervisor, ear, made_up(text="deaf"))])
        ear.wait("job_progressed")
    elif moment == "after a crash":
        kill_child(supervisor._engine, qtbot)
        ear.wait("child_died")
    supervisor.close()
    supervisor.close()
    count = len(ear.heard)
    QCoreApplication.processEvents()
    assert len(ear.heard) == count


def test_drawings_leave_no_shared_memory(supervisor, ear, made_up):
    before = entries("/dev/shm")
    assert page_memory() == 0
    document = open_and_read(supervisor, ear, made_up("pages=9 render_crash=8"))
    jobs = [supervisor.render(document.id, page, 3.0) for page in range(9)]
    assert page_memory() > 0
    supervisor.cancel(jobs[3])
    assert ear.wait_for_end(jobs[8])[0] == "job_failed"
    assert all(len(ear.ends(job)) == 1 for job in jobs)
    supervisor.close()
    assert entries("/dev/shm") <= before
    assert page_memory() == 0


def test_drawings_come_between_the_steps_of_a_reading(supervisor, ear, made_up):
    job = supervisor.open_document(made_up("steps=200 step_ms=5"))
    _, opened = ear.wait("document_opened")
    drawing = supervisor.render(opened.document, 0, 1.0)
    assert ear.wait_for_end(drawing)[0] == "page_rendered"
    assert not ear.ends(job)
    assert ear.wait_for_end(job)[0] == "document_read"
    progress = [arguments for arguments in ear.all("job_progressed") if arguments[0] == job]
    assert 1 <= len(progress) < 100


@pytest.mark.parametrize("moment", ["starting", "idle", "working"])
@pytest.mark.parametrize("role", ["reader", "engine"])
def test_a_child_killed_at_any_moment_is_replaced(supervisor, ear, made_up, qtbot, role, moment):
    keeper = supervisor._reader if role == "reader" else supervisor._engine
    job = 0
    if moment != "starting":
        document = open_and_read(supervisor, ear, made_up(text="hold"))
        if moment == "working":
            long = made_up("steps=5000 step_ms=5", name="long.txt")
            job = supervisor.open_document(long) if role == "reader" else supervisor.review([document])
            qtbot.waitUntil(lambda: any(a[0] == job for a in ear.all("job_progressed")), timeout=20_000)
    kill_child(keeper, qtbot)
    died_role, sentence = ear.wait("child_died")
    assert died_role == role
    assert "-9" in sentence
    ear.wait("child_restarted")
    if job:
        assert ear.wait_for_end(job)[1][1].code is FaultCode.CHILD_DIED
    reread = open_and_read(supervisor, ear, made_up(name="after.txt"))
    assert ear.wait_for_end(supervisor.review([reread]))[0] == "review_finished"
    assert not job or ear.ends(job) == ["job_failed"]


def test_a_child_that_hangs_is_replaced_and_its_job_was_too_slow(supervisor, ear, made_up, qtbot, monkeypatch):
    document = open_and_read(supervisor, ear, made_up(text="deaf"))
    job = supervisor.review([document])
    ear.wait("job_progressed")
    monkeypatch.setattr(heartbeat_module, "SILENCE_BUSY_S", {Role.READER: 60.0, Role.ENGINE: 0.2})
    name, (_, fault) = ear.wait_for_end(job)
    assert (name, fault.code) == ("job_failed", FaultCode.TOO_SLOW)
    assert "not answer" in ear.wait("child_died")[1]
    assert ear.wait_for_end(supervisor.diagnose())[0] == "diagnosed"
    assert ear.ends(job) == ["job_failed"]


def test_a_window_that_slept_does_not_blame_its_children(supervisor, ear, monkeypatch):
    ear.wait("engine_status_changed")
    monkeypatch.setattr(heartbeat_module, "SILENCE_IDLE_S", -1.0)
    supervisor._heartbeat.last_beat_s -= 3600
    supervisor._heartbeat.on_timer_timeout()
    assert supervisor._reader._replaced_because == ""
    assert supervisor._engine._replaced_because == ""


def test_drawings_and_cancelling_come_between_the_steps_of_preparing(supervisor, ear, made_up):
    first = open_and_read(supervisor, ear, made_up(name="first.txt"))
    job = supervisor.open_document(made_up("prepare=2000 step_ms=5"))
    ear.wait("job_progressed")
    assert ear.wait_for_end(supervisor.render(first.id, 0, 1.0))[0] == "page_rendered"
    assert len(ear.all("document_opened")) == 1
    supervisor.cancel(job)
    assert ear.wait_for_end(job)[0] == "job_cancelled"
    again = open_and_read(supervisor, ear, made_up("prepare=3", name="next.txt"))
    assert again.name == "next.txt"


def test_a_file_that_cannot_be_prepared_is_a_fault(supervisor, ear, made_up):
    job = supervisor.open_document(made_up("prepare=2 prepare_fault=1"))
    _, (_, fault) = ear.wait_for_end(job)
    assert fault.code is FaultCode.UNREADABLE_FILE
    assert not ear.all("document_opened")
