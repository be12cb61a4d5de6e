"""Page images from the reader process."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QSizeF, Slot
from PySide6.QtGui import QImage

from engine.protocol.messages import Fault, PageSize
from gui.pages.page_source import ImageKey, PageSource
from gui.processes.interface import Clip, Processes


class SupervisorSource(PageSource):
    """The pages of one opened document, drawn by the reader.

    Args:
        processes: who draws; its ``page_rendered``, ``job_failed`` and ``job_cancelled`` are listened to.
        document: the document's id, as told when it was opened.
        pages: the sizes of its pages.
    """

    def __init__(
        self, processes: Processes, document: str, pages: Sequence[PageSize], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._processes = processes
        self._document = document
        self._sizes = [QSizeF(page.width_pt, page.height_pt) for page in pages]
        self._key_of: dict[int, ImageKey] = {}
        self._job_of: dict[ImageKey, int] = {}
        processes.page_rendered.connect(self.on_processes_page_rendered)
        processes.job_failed.connect(self.on_processes_job_failed)
        processes.job_cancelled.connect(self.on_processes_job_cancelled)
        processes.child_restarted.connect(self.on_processes_child_restarted)

    def page_count(self) -> int:
        """How many pages the document has."""
        return len(self._sizes)

    def page_size(self, page: int) -> QSizeF:
        """A page's displayed size in PDF points."""
        return self._sizes[page]

    def request(self, key: ImageKey) -> None:
        """Ask the reader for an image; a key that is under way already is not asked for twice."""
        if key in self._job_of:
            return
        clip: Clip | None = (key.clip[0], key.clip[1], key.clip[2], key.clip[3]) if key.clip else None
        job = self._processes.render(self._document, key.page, key.scale, clip)
        self._key_of[job] = key
        self._job_of[key] = job

    def cancel(self, key: ImageKey) -> None:
        """Withdraw a request."""
        job = self._job_of.pop(key, None)
        if job is not None:
            del self._key_of[job]
            self._processes.cancel(job)

    @Slot(int, str, int, QImage, float)
    def on_processes_page_rendered(self, job: int, _document: str, _page: int, image: QImage, _scale: float) -> None:
        """An image has come; it is ours if the job is."""
        key = self._take(job)
        if key is not None:
            self.image_ready.emit(key, image)

    @Slot(int, object)
    def on_processes_job_failed(self, job: int, fault: Fault) -> None:
        """A job has failed; it is ours if we know its number."""
        key = self._take(job)
        if key is not None:
            self.image_failed.emit(key, fault.sentence)

    @Slot(int)
    def on_processes_job_cancelled(self, job: int) -> None:
        """Somebody else cancelled a job of ours: as good as a failure for who waits."""
        key = self._take(job)
        if key is not None:
            self.image_failed.emit(key, "")

    @Slot(str)
    def on_processes_child_restarted(self, role: str) -> None:
        """A new reader opens the file again by itself."""
        if role == "reader":
            self.renewed.emit()

    def _take(self, job: int) -> ImageKey | None:
        key = self._key_of.pop(job, None)
        if key is not None:
            self._job_of.pop(key, None)
        return key
