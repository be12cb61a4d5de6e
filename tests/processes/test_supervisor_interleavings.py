"""Whatever order asking, cancelling, answering and dying come in: each job ends exactly once."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QImage

from engine.document import CharacterBoxes, Document, Media
from engine.protocol.messages import (
    Cancel,
    Cancelled,
    DocumentOpened,
    Failed,
    Fault,
    FaultCode,
    OpenDocument,
    PageSize,
    Progress,
    RenderPage,
    Review,
    ReviewDone,
)
from gui.processes import keeper as keeper_module
from gui.processes.channel import DocumentArrived, EngineChannel, PageArrived, ReaderChannel
from gui.processes.supervisor import Supervisor

ENDS = ("document_read", "page_rendered", "review_finished", "diagnosed", "job_failed", "job_cancelled")
FAULT = Fault(FaultCode.UNREADABLE_FILE, "It cannot be read.")


def document(identity: str) -> Document:
    return Document(identity, "a", Media.TEXT, "en", "x", (), (), (), (), (), CharacterBoxes.empty())


class PlayedChild:
    """Stands for thread and process: the test says what comes and when it ends."""

    def begin(self) -> None:
        self.inbox: list[object] = []
        self.running = False

    def start(self) -> None:
        self.running = True
        self.connected.emit(1)

    def post(self, message) -> None:
        self.inbox.append(message() if callable(message) else message)

    def abandon(self) -> None:
        self.end("It was ended.")

    def end(self, sentence: str) -> None:
        if self.running:
            self.running = False
            self.release()
            self.closed.emit(sentence)

    def isRunning(self) -> bool:  # noqa: N802 - Qt's name
        return self.running

    def wait(self, *_: int) -> bool:
        return True


class PlayedReader(PlayedChild, ReaderChannel):
    def __init__(self) -> None:
        ReaderChannel.__init__(self)
        self.begin()


class PlayedEngine(PlayedChild, EngineChannel):
    def __init__(self) -> None:
        EngineChannel.__init__(self)
        self.begin()


class Interleavings(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.supervisor = Supervisor(make_reader=PlayedReader, make_engine=PlayedEngine)
        self.jobs: list[int] = []
        self.documents: list[str] = []
        self.ends: Counter[int] = Counter()
        self.late: list[str] = []
        for name in ENDS:
            getattr(self.supervisor, name).connect(self._count)
        self.supervisor.document_opened.connect(lambda job, opened: self.documents.append(opened.document))

    def _count(self, job: int, *_: object) -> None:
        self.ends[job] += 1

    @initialize()
    def begin(self) -> None:
        self.supervisor.start()
        QCoreApplication.processEvents()

    # --- the window -----------------------------------------------------------------------------

    @rule(name=st.sampled_from("abc"))
    def open(self, name: str) -> None:
        self.jobs.append(self.supervisor.open_document(Path(f"/{name}")))

    @rule(page=st.integers(-1, 3), data=st.data())
    def draw(self, page: int, data) -> None:
        known = [*self.documents, "sha256:unknown"]
        self.jobs.append(self.supervisor.render(data.draw(st.sampled_from(known)), page, 1.0))

    @rule()
    def review(self) -> None:
        self.jobs.append(self.supervisor.review([document("sha256:a")]))

    @precondition(lambda self: self.jobs)
    @rule(data=st.data())
    def cancel(self, data) -> None:
        self.supervisor.cancel(data.draw(st.sampled_from(self.jobs)))

    @precondition(lambda self: self.documents)
    @rule(data=st.data())
    def forget(self, data) -> None:
        self.supervisor.close_document(data.draw(st.sampled_from(self.documents)))

    @rule(role=st.sampled_from(["reader", "engine"]))
    def restart(self, role: str) -> None:
        self.supervisor.restart(role)

    # --- the children ---------------------------------------------------------------------------

    def _keeper(self, role: str):
        return self.supervisor._reader if role == "reader" else self.supervisor._engine

    def _answers(self, request: object) -> list[object]:
        match request:
            case OpenDocument(job, path):
                identity = f"sha256:{path}"
                opened = DocumentOpened(job, identity, path, "text", (PageSize(10, 10), PageSize(10, 10)))
                changed = DocumentOpened(job, "sha256:changed", path, "text", (PageSize(10, 10),))
                read = DocumentArrived(job, document(identity))
                return [opened, changed, read, Failed(job, FAULT), Cancelled(job), Progress(job, "reading", 1, 2)]
            case RenderPage(job, of, page):
                return [PageArrived(job, of, page, QImage()), Failed(job, FAULT), Cancelled(job)]
            case Review(job):
                return [ReviewDone(job, (), {}), Failed(job, FAULT), Progress(job, "comparing", 1, 2)]
            case Cancel(job):
                return [Cancelled(job)]
        return []

    @rule(role=st.sampled_from(["reader", "engine"]), data=st.data())
    def answer(self, role: str, data) -> None:
        """Any answer to any request so far, sensible or not, also twice, also after the end."""
        channel = self._keeper(role).channel
        if channel is not None and channel.running:
            possible = [answer for request in channel.inbox for answer in self._answers(request)]
            if possible:
                channel.message_received.emit(data.draw(st.sampled_from(possible)))

    @rule(role=st.sampled_from(["reader", "engine"]))
    def die(self, role: str) -> None:
        channel = self._keeper(role).channel
        if channel is not None:
            channel.end("It died.")

    @rule()
    def time_passes(self) -> None:
        QCoreApplication.processEvents()

    @rule()
    def beat(self) -> None:
        self.supervisor._heartbeat.on_timer_timeout()

    # --- always ---------------------------------------------------------------------------------

    @invariant()
    def no_job_ends_twice(self) -> None:
        assert all(count == 1 for count in self.ends.values())
        assert set(self.ends) <= set(self.jobs)

    def teardown(self) -> None:
        """Let a sensible child answer everything; then every job has ended."""
        for role in ("reader", "engine"):
            self.supervisor.restart(role)
        for _ in range(200):
            QCoreApplication.processEvents()
            if all(self.ends[job] for job in self.jobs):
                break
            for role in ("reader", "engine"):
                channel = self._keeper(role).channel
                for request in [] if channel is None or not channel.running else list(channel.inbox):
                    answers = self._answers(request)
                    wanted = [a for a in answers if isinstance(a, DocumentOpened) and a.document != "sha256:changed"]
                    ending = [a for a in answers if isinstance(a, DocumentArrived | PageArrived | ReviewDone)]
                    for answer in wanted + ending:
                        channel.message_received.emit(answer)
                    channel.inbox.remove(request)
        assert sorted(self.ends) == sorted(self.jobs)
        self.no_job_ends_twice()
        images = [k.channel._images for k in (self.supervisor._reader,) if k.channel is not None]
        self.supervisor.close()
        QCoreApplication.processEvents()
        self.no_job_ends_twice()
        for held in images:
            for image in list(held.values()):
                image.close()


def test_each_job_ends_exactly_once(qapp, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(keeper_module, "BACKOFF_MS", (0,))
    run_state_machine_as_test(
        Interleavings,
        settings=settings(
            max_examples=60, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
