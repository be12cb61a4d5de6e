"""Learning from the person's labels: which there are, the engine's work on them, and what becomes of the result."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from engine.learning.shelf import SHIPPED, Shelf, ShelfError
from engine.matter.errors import MatterError
from engine.protocol.learning import Card
from engine.protocol.messages import Fault, Learn
from gui.processes.interface import Processes
from gui.state.desk import Desk
from gui.state.file_pool import FilePool
from gui.state.wording import fault_words, filled

if TYPE_CHECKING:
    from engine.matter.judgements import Judgements

MATTERS = "*.antinomy"
#: The part of the whole that each of the engine's stages takes, as measured.
STAGES = {"preparing": (0.0, 0.75), "learning": (0.75, 1.0)}


class LearningRun(QObject):
    """One learning at a time, whatever window shows it.

    Signals:
        labels_found(): :attr:`found` is there.
        progressed(share): 0..1 of the whole.
        ended(sentence): learnt (:attr:`trial` is there and the sentence empty), stopped, or failed: why.
        settled(): the result was kept or dropped, or other weights are in use.
    """

    labels_found = Signal()
    progressed = Signal(float)
    ended = Signal(str)
    settled = Signal()

    def __init__(self, desk: Desk, processes: Processes, folder: Path, parent: QObject | None = None) -> None:
        """``folder`` is the person's: matters are in ``matters``, what is learnt in ``learned``."""
        super().__init__(parent)
        self._desk = desk
        self._processes = processes
        self._matters = folder / "matters"
        self._pool = FilePool(self)
        self._job = 0
        self._share = 0.0
        self.shelf = Shelf(folder)
        #: What the matters hold, None before :meth:`look` has answered; unread names matters that cannot be read.
        self.found: Judgements | None = None
        self.unread: tuple[str, ...] = ()
        processes.weights = self.shelf.weights_in_use
        processes.job_progressed.connect(self.on_processes_job_progressed)
        processes.learned.connect(self.on_processes_learned)
        processes.job_failed.connect(self.on_processes_job_failed)
        processes.job_cancelled.connect(self.on_processes_job_cancelled)

    @property
    def is_running(self) -> bool:
        """Whether the engine learns."""
        return self._job != 0

    @property
    def share(self) -> float:
        """How far it is, 0..1."""
        return self._share

    def look(self) -> None:
        """Gather the labels of all matters of the person and of the one that is open; :attr:`labels_found` follows."""
        paths = sorted(self._matters.glob(MATTERS))
        if self._desk.book.path is not None and self._desk.book.path not in paths:
            paths.append(self._desk.book.path)
        self._pool.run(lambda: _gathered(paths), self._take_found)

    def _take_found(self, answer: object) -> None:
        if isinstance(answer, tuple):
            self.found, self.unread = answer
            self.labels_found.emit()

    def start(self) -> None:
        """Learn from :attr:`found`, when it is enough and nothing is being learnt."""
        if self.found is None or any(self.found.missing) or self._job:
            return
        self._share = 0.0
        found = self.found
        order = Learn(
            0, tuple(found.packed.values()), found.labels, str(self.shelf.folder.parent), self.shelf.free_name()
        )  # fmt: skip
        self._job = self._processes.learn(order)

    def cancel(self) -> None:
        """Stop; nothing is changed."""
        if self._job:
            self._processes.cancel(self._job)

    @property
    def trial(self) -> Card | None:
        """What waits to be kept or dropped."""
        return self.shelf.trial()

    def keep(self) -> str:
        """Keep the result and review with it; why not, or ""."""
        try:
            self.shelf.keep()
        except ShelfError as error:
            return filled(error.english, error.values)
        self._settle(review=True)
        return ""

    def drop(self) -> str:
        """Forget the result; why not, or ""."""
        try:
            self.shelf.drop()
        except ShelfError as error:
            return filled(error.english, error.values)
        self._settle(review=False)
        return ""

    def use(self, name: str) -> str:
        """Review with the weights of that name ("" for the shipped ones) from now on; why not, or ""."""
        if name == self.shelf.in_use():
            return ""
        try:
            self.shelf.use(name or SHIPPED)
        except ShelfError as error:
            return filled(error.english, error.values)
        self._settle(review=True)
        return ""

    def _settle(self, *, review: bool) -> None:
        self.settled.emit()
        if review:
            self._desk.review_again()

    def close(self) -> None:
        """Stop what runs."""
        self.cancel()
        self._pool.close()

    # --- what the engine says -------------------------------------------------------------------------------

    @Slot(int, str, int, int)
    def on_processes_job_progressed(self, job: int, stage: str, done: int, total: int) -> None:
        """A step further."""
        if job and job == self._job and total:
            begin, end = STAGES.get(stage, (0.0, 1.0))
            self._share = max(self._share, begin + (end - begin) * done / total)
            self.progressed.emit(self._share)

    @Slot(int, object)
    def on_processes_learned(self, job: int, _card: Card) -> None:
        """It is on trial."""
        self._end(job, "")

    @Slot(int, object)
    def on_processes_job_failed(self, job: int, fault: Fault) -> None:
        """It could not be."""
        self._end(job, fault_words(fault))

    @Slot(int)
    def on_processes_job_cancelled(self, job: int) -> None:
        """It was stopped."""
        self._end(job, self.tr("Stopped. Nothing was changed."))

    def _end(self, job: int, sentence: str) -> None:
        if job and job == self._job:
            self._job = 0
            self.ended.emit(sentence)


def _gathered(paths: Sequence[Path]) -> tuple[Judgements, tuple[str, ...]]:
    """In a pool's thread: the labels of the matters that can be read, and the names of the others."""
    from engine.matter import Matter
    from engine.matter.judgements import judgements

    opened: list[Matter] = []
    unread: list[str] = []
    try:
        for path in paths:
            try:
                opened.append(Matter.open(path, read_only=True))
                judgements(opened[-1:])
            except MatterError:
                unread.append(path.name)
                if opened and opened[-1].path == path:
                    opened.pop().close()
        return judgements(opened), tuple(unread)
    finally:
        for matter in opened:
            matter.close()
