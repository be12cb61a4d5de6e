"""Reader and engine for the command line: asked one thing after another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from multiprocessing.connection import wait
from pathlib import Path
from types import TracebackType

from engine.document import Document, pack, unpack
from engine.protocol import codec
from engine.protocol.child import SILENCE_BUSY_S, Child, Role, child_command
from engine.protocol.codec import ProtocolError
from engine.protocol.findings import Finding
from engine.protocol.learning import Card, PairLabel
from engine.protocol.messages import (
    Answered,
    Ask,
    Cancelled,
    CloseDocument,
    Compare,
    Compared,
    Diagnose,
    Diagnosis,
    DocumentRead,
    EngineStatus,
    Failed,
    Fault,
    FaultCode,
    FromEngine,
    FromReader,
    Learn,
    Learned,
    OpenDocument,
    Progress,
    ReadingOptions,
    Review,
    ReviewDone,
    ReviewOptions,
)
from engine.protocol.transport import ConnectionLost

OnProgress = Callable[[str, int, int], None]
CommandLine = Callable[[Role, str], Sequence[str]]


class JobFailed(Exception):
    """A child could not do what was asked; ``fault`` says why in one sentence."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.sentence)
        self.fault = fault


class Children:
    """Both children, started together so that the engine loads while the reader reads.

    Attributes:
        status: the engine's last status, None before the first.
    """

    def __init__(self, command: CommandLine = child_command) -> None:
        self.status: EngineStatus | None = None
        self._jobs = 0
        self._engine: Child[FromEngine] = Child.start(Role.ENGINE, codec.from_engine, command=command)
        try:
            self._reader: Child[FromReader] = Child.start(Role.READER, codec.from_reader, command=command)
        except BaseException:
            self._engine.kill()
            self._engine.stop(0)
            raise

    def __enter__(self) -> Children:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End both; at once after an error, also one of the keyboard."""
        for child in (self._reader, self._engine):
            if error is not None:
                child.kill()
            child.stop()

    def read(
        self, path: Path, password: str, progress: OnProgress, options: ReadingOptions | None = None
    ) -> Document:
        """Read a file to its Document.

        Raises:
            JobFailed: it cannot be read.
        """
        self._jobs += 1
        job = self._jobs
        self._reader.wire.send(OpenDocument(job, str(path.absolute()), password, options or ReadingOptions()))
        while True:
            message = self._next_of_reader(path)
            match message:
                case Progress():
                    progress(message.stage, message.done, message.total)
                case DocumentRead():
                    document = unpack(message.packed)
                    self._reader.wire.send(CloseDocument(message.document))
                    return document
                case Failed():
                    raise JobFailed(message.fault)

    def _next_of_reader(self, path: Path) -> FromReader:
        try:
            if not self._reader.wire.poll(SILENCE_BUSY_S[Role.READER]):
                self._reader.kill()
                sentence = f"Reading {path.name} came to a standstill; the file may be damaged or made to harm."
                raise JobFailed(Fault(FaultCode.TOO_SLOW, sentence))
            return self._reader.wire.receive()
        except (ConnectionLost, ProtocolError) as error:
            sentence = f"Reading {path.name} ended the reading process; the file may be damaged or made to harm."
            raise JobFailed(Fault(FaultCode.CHILD_DIED, sentence)) from error

    def review(self, documents: Sequence[Document], options: ReviewOptions, progress: OnProgress) -> ReviewDone:
        """Find the conflicts; waits for the engine when it still loads.

        Raises:
            JobFailed: it cannot be done.
        """
        self._jobs += 1
        packed = tuple(pack(document.without_boxes()) for document in documents)
        self._engine.wire.send(Review(self._jobs, packed, options))
        while True:
            match message := self._next_of_engine():
                case Progress():
                    progress(message.stage, message.done, message.total)
                case ReviewDone():
                    return message
                case Failed():
                    raise JobFailed(message.fault)
                case Cancelled():
                    raise JobFailed(Fault(FaultCode.INTERNAL, "The review ended by itself."))

    def ask(
        self,
        question: str,
        documents: Sequence[Document],
        language: str,
        encoder: str,
        progress: OnProgress,
        ranking: dict[str, float] | None = None,
    ) -> Answered:
        """Answer a question from these documents, all of them indexed for it; ``ranking`` changes weights.

        Raises:
            JobFailed: it cannot be done.
        """
        self._jobs += 1
        packed = tuple(pack(document.without_boxes()) for document in documents)
        ids = tuple(document.id for document in documents)
        self._engine.wire.send(Ask(self._jobs, question, ids, language, packed, encoder=encoder, ranking=ranking or {}))
        while True:
            match message := self._next_of_engine():
                case Progress():
                    progress(message.stage, message.done, message.total)
                case Answered():
                    return message
                case Failed():
                    raise JobFailed(message.fault)
                case Cancelled():
                    raise JobFailed(Fault(FaultCode.INTERNAL, "The question was dropped."))

    def compare(
        self, old: Document, new: Document, old_findings: Sequence[Finding] = (), new_findings: Sequence[Finding] = ()
    ) -> Compared:
        """Compare two versions; does not wait for the engine to have loaded.

        Raises:
            JobFailed: it cannot be done.
        """
        self._jobs += 1
        before, after = (pack(document.without_boxes()) for document in (old, new))
        self._engine.wire.send(Compare(self._jobs, before, after, tuple(old_findings), tuple(new_findings)))
        while True:
            match message := self._next_of_engine():
                case Compared():
                    return message
                case Failed():
                    raise JobFailed(message.fault)

    def learn(
        self, packed: tuple[bytes, ...], labels: tuple[PairLabel, ...], folder: str, name: str, seed: int,
        progress: OnProgress,
    ) -> Card:  # fmt: skip
        """Learn from labels; the result is on trial in ``folder`` then.

        Raises:
            JobFailed: it cannot be done.
        """
        self._jobs += 1
        self._engine.wire.send(Learn(self._jobs, packed, labels, folder, name, seed))
        while True:
            match message := self._next_of_engine():
                case Progress():
                    progress(message.stage, message.done, message.total)
                case Learned():
                    return message.card
                case Failed():
                    raise JobFailed(message.fault)
                case Cancelled():
                    raise JobFailed(Fault(FaultCode.INTERNAL, "The learning ended by itself."))

    def diagnose(self, timeout_s: float) -> dict[str, str]:
        """Facts about the engine's machine, once it is ready, has failed, or ``timeout_s`` has passed.

        Raises:
            JobFailed: the engine died.
        """
        while self.status is None or self.status.state == "loading":
            if not wait([self._engine.wire.connection], timeout_s):
                break
            self._next_of_engine()
        self._jobs += 1
        self._engine.wire.send(Diagnose(self._jobs))
        while not isinstance(message := self._next_of_engine(), Diagnosis):
            pass
        return message.facts

    def _next_of_engine(self) -> FromEngine:
        try:
            message = self._engine.wire.receive()
        except (ConnectionLost, ProtocolError) as error:
            sentence = "The engine process ended unexpectedly; its log has the details (antinomy doctor says where)."
            raise JobFailed(Fault(FaultCode.CHILD_DIED, sentence)) from error
        if isinstance(message, EngineStatus):
            self.status = message
        return message
