"""The jobs that are under way: each is taken out exactly once, so each ends exactly once."""

from __future__ import annotations

import dataclasses
import itertools
import math
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from engine.protocol.child import Role
from engine.protocol.messages import DocumentOpened, Message, PageSize, ReadingOptions

#: The largest page image that is drawn at once; a view asks for parts of the page beyond that.
MOST_IMAGE_BYTES = 256 << 20
#: A child that does not confirm a cancelled job for so long is replaced, so that the next job can begin.
CANCEL_PATIENCE_S = {Role.READER: 3.0, Role.ENGINE: 20.0}
#: Who scrolls past a page cancels its drawing: that alone must not end a reader amid a long step of a reading.
DRAWING_PATIENCE_S = 20.0
#: How a file is read when nobody has chosen.
USUAL = ReadingOptions()


@dataclasses.dataclass(slots=True)
class Job:
    """One request, kept until it ends so that it can be asked again of a child's successor.

    Attributes:
        id: its number.
        role: who works on it.
        what: for sentences: "reading msa.pdf", "drawing page 3", "the review".
        make_message: makes a request other than reading and drawing; may run in another thread.
        path, password, options: for the reading of a file.
        document, page, scale, clip: for the drawing of a page.
        opened: the window has been told that the file is open.
        hidden: our own re-opening after a restart; the window knows nothing of it.
    """

    id: int
    role: Role
    what: str
    make_message: Callable[[], Message] | None = None
    path: Path | None = None
    password: str = ""
    options: ReadingOptions = USUAL
    document: str = ""
    page: int = -1
    scale: float = 1.0
    clip: tuple[float, ...] = ()
    opened: bool = False
    hidden: bool = False

    @property
    def drawing(self) -> bool:
        """Whether it is the drawing of a page."""
        return self.role is Role.READER and self.path is None and self.make_message is None


@dataclasses.dataclass(frozen=True, slots=True)
class KnownDocument:
    """A document that was opened, with what it takes to open it again."""

    path: Path
    password: str
    opened: DocumentOpened
    options: ReadingOptions = USUAL


class JobBook:
    """Numbers and keeps jobs, and remembers which cancelled ones a child still works on."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._jobs: dict[int, Job] = {}
        self._cancelled: dict[int, tuple[Job, float]] = {}

    def number(self) -> int:
        """A number no job had before."""
        return next(self._numbers)

    def add(self, job: Job) -> None:
        """Keep a job."""
        self._jobs[job.id] = job

    def get(self, number: int) -> Job | None:
        """The job, if it has not ended."""
        return self._jobs.get(number)

    def take(self, number: int) -> Job | None:
        """The job, ended from now on; None when it had ended before."""
        return self._jobs.pop(number, None)

    def of(self, role: Role) -> list[Job]:
        """The jobs of a child, oldest first."""
        return [job for job in self._jobs.values() if job.role is role]

    def drawings_of(self, document: str) -> list[Job]:
        """The drawings of a document's pages, oldest first."""
        return [job for job in self._jobs.values() if job.drawing and job.document == document]

    def cancel(self, number: int) -> Job | None:
        """Like :meth:`take`, but the child is taken to work on it until :meth:`confirm`."""
        job = self.take(number)
        if job is not None:
            self._cancelled[number] = (job, time.monotonic())
        return job

    def confirm(self, number: int) -> None:
        """The child has ended the job."""
        self._cancelled.pop(number, None)

    def forget_cancelled(self, role: Role) -> None:
        """The child that worked on them is gone."""
        self._cancelled = {number: entry for number, entry in self._cancelled.items() if entry[0].role is not role}

    def is_overdue(self, role: Role) -> bool:
        """Whether the child has not confirmed a cancelled job for so long that it is to be replaced."""
        now = time.monotonic()
        return any(
            now - since > (DRAWING_PATIENCE_S if job.drawing else CANCEL_PATIENCE_S[role])
            for job, since in self._cancelled.values()
            if job.role is role
        )

    def busy(self, role: Role) -> bool:
        """Whether the child has work, cancelled work included."""
        return bool(self.of(role)) or any(job.role is role for job, _ in self._cancelled.values())

    def clear(self) -> None:
        """Forget all."""
        self._jobs.clear()
        self._cancelled.clear()

    def __iter__(self) -> Iterator[Job]:
        return iter(list(self._jobs.values()))


def image_bytes(size: PageSize, clip: tuple[float, ...], scale: float) -> int:
    """Room for the image of a page, or of ``clip`` of it, at ``scale`` pixels a point; 0 for an impossible one."""
    left, top, right, bottom = clip or (0.0, 0.0, size.width_pt, size.height_pt)
    if not (0 < (right - left) * scale < MOST_IMAGE_BYTES and 0 < (bottom - top) * scale < MOST_IMAGE_BYTES):
        return 0
    # Two pixels of room each way, because readers round a page's edges outwards, and a row's end aligned.
    width, height = math.ceil((right - left) * scale) + 2, math.ceil((bottom - top) * scale) + 2
    needed = (3 * width + 8) * height
    return needed if needed <= MOST_IMAGE_BYTES else 0
