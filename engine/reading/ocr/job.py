"""Recognising the pages of a file one by one, beside the thread that draws them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TypeVar

import numpy as np

from engine.reading.mupdf import DAMAGE
from engine.reading.ocr.lines import page_lines
from engine.reading.ocr.model import PagePicture, Recogniser
from engine.reading.ocr.rules import find_rules
from engine.reading.pdf.extract import PageLines
from engine.reading.pdf.tables import RuledTable, tables_of_rules

#: How long a step waits for the recogniser before others get their turn.
_WAIT_S = 0.02
STAGE = "recognition"
_T = TypeVar("_T")
log = logging.getLogger(__name__)


class RecognitionJob:
    """Recognises pages of an open file.

    Attributes:
        name: the recogniser's, once it is loaded.
        pages: the recognised pages by index; blank ones have no lines.
        tables: the ruled tables on them.
        failed: the indexes of pages that could not be recognised.
    """

    def __init__(self, make: Callable[[], Recogniser], draw: Callable[[int], PagePicture | None]) -> None:
        """
        Args:
            make: loads the recogniser; called in another thread.
            draw: draws a page; called in the thread that runs :meth:`steps`.
        """
        self.name = ""
        self.pages: dict[int, PageLines] = {}
        self.tables: dict[int, list[RuledTable]] = {}
        self.failed: list[int] = []
        self._make = make
        self._draw = draw
        self._stop = threading.Event()

    def steps(self, wanted: Sequence[int]) -> Generator[tuple[str, int, int], None, None]:
        """Recognise the pages ``wanted`` in steps of some 20 ms; closing the generator ends it within a line.

        Yields:
            ("recognition", pages done, pages in all).
        """
        total = len(wanted)
        worker = ThreadPoolExecutor(1, "page recognition")
        recogniser: Recogniser | None = None
        try:
            loading = worker.submit(self._make)
            yield from _until_done(loading, 0, total)
            recogniser = loading.result()
            self.name = recogniser.name
            for done, index in enumerate(wanted):
                yield STAGE, done, total
                yield from self._recognise(worker, recogniser, index, done, total)
            yield STAGE, total, total
        finally:
            self._stop.set()
            worker.shutdown(wait=True, cancel_futures=True)
            if recogniser is not None:
                recogniser.close()

    def _recognise(
        self, worker: ThreadPoolExecutor, recogniser: Recogniser, index: int, done: int, total: int
    ) -> Generator[tuple[str, int, int], None, None]:
        try:
            picture = self._draw(index)
        except DAMAGE as error:
            log.warning("page %d cannot be drawn for recognition: %s", index + 1, error)
            self.failed.append(index)
            return
        if picture is None:
            return
        work = worker.submit(self._page, recogniser, index, picture)
        if not recogniser.in_background:
            wait([work])
        yield from _until_done(work, done, total)
        page = work.result()
        if page is None:
            self.failed.append(index)
        else:
            self.pages[index] = page

    def _page(self, recogniser: Recogniser, index: int, picture: PagePicture) -> PageLines | None:
        try:
            lines, turns = recogniser.recognise(picture, self._stop.is_set)
            page = page_lines(index, picture, lines, turns)
            self.tables[index] = tables_of_rules(
                *find_rules(np.rot90(picture.grey, turns), picture.scale), page.lines
            )
            return page
        except Exception:  # thread boundary: a page that cannot be recognised does not lose the others
            log.exception("page %d could not be recognised", index + 1)
            return None


def _until_done(work: Future[_T], done: int, total: int) -> Generator[tuple[str, int, int], None, None]:
    while not wait([work], _WAIT_S).done:
        yield STAGE, done, total
