"""Pages without a reader: a source that paints numbered sheets, and a Document that stands on them."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject, QRect, QSizeF, Qt, QTimer, Slot
from PySide6.QtGui import QColor, QImage, QPainter

from engine.document import CharacterBoxes, Clause, ClauseKind, Document, Media, Page, Sentence
from gui.pages import ImageKey, PageSource

WIDTH_PT, HEIGHT_PT = 595.0, 842.0
LEFT_PT, TOP_PT = 72.0, 72.0
CHARACTER_PT, LINE_PT, INK_PT = 6.0, 28.0, 12.0
LINES_A_PAGE = 20


class PaintedPages(PageSource):
    """Sheets with their number in the middle. Answers from the event loop, or by hand with ``holds``.

    Attributes:
        asked: every key that was requested, in order.
        withdrawn: every key that was cancelled.
        waiting: requested, neither answered nor cancelled.
    """

    def __init__(self, pages: int, *, holds: bool = False, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._count = pages
        self.holds = holds
        self.asked: list[ImageKey] = []
        self.withdrawn: list[ImageKey] = []
        self.waiting: list[ImageKey] = []
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.on_timer_timeout)

    def page_count(self) -> int:
        return self._count

    def page_size(self, page: int) -> QSizeF:
        return QSizeF(WIDTH_PT, HEIGHT_PT)

    def request(self, key: ImageKey) -> None:
        self.asked.append(key)
        self.waiting.append(key)
        if not self.holds:
            self._timer.start(0)

    def cancel(self, key: ImageKey) -> None:
        self.withdrawn.append(key)
        if key in self.waiting:
            self.waiting.remove(key)

    @Slot()
    def on_timer_timeout(self) -> None:
        if self.waiting:
            self.answer(self.waiting[0])
        if self.waiting and not self.holds:
            self._timer.start(0)

    def answer(self, key: ImageKey) -> None:
        self.waiting.remove(key)
        self.image_ready.emit(key, painted(key))

    def fail(self, key: ImageKey) -> None:
        self.waiting.remove(key)
        self.image_failed.emit(key, "This page cannot be drawn.")


def painted(key: ImageKey) -> QImage:
    """A white sheet (or the part of it) with a grey frame and the page's number in black."""
    x0, y0, x1, y1 = key.clip or (0.0, 0.0, WIDTH_PT, HEIGHT_PT)
    image = QImage(round((x1 - x0) * key.scale), round((y1 - y0) * key.scale), QImage.Format.Format_RGB888)
    image.fill(QColor("white"))
    painter = QPainter(image)
    painter.scale(key.scale, key.scale)
    painter.translate(-x0, -y0)
    painter.fillRect(QRect(60, 400, 100, 40), QColor("black"))
    painter.setPen(QColor("grey"))
    painter.drawRect(QRect(20, 20, round(WIDTH_PT) - 40, round(HEIGHT_PT) - 40))
    painter.drawText(QRect(0, 0, round(WIDTH_PT), round(HEIGHT_PT)), Qt.AlignmentFlag.AlignCenter, str(key.page + 1))
    painter.end()
    return image


def contract(pages: int, lines: tuple[str, ...] = (), lines_a_page: int = LINES_A_PAGE) -> Document:
    """A Document on painted pages: one clause a line, one box of 6 x 12 points a character.

    Lines are numbered clauses in English and Chinese by turns unless given; given lines fill the first page.
    """
    text: list[str] = []
    rect: list[tuple[float, float, float, float]] = []
    on_page: list[int] = []
    sheets: list[Page] = []
    clauses: list[Clause] = []
    sentences: list[Sentence] = []
    for page in range(pages):
        first = len(text)
        for row in range(lines_a_page):
            number = page * lines_a_page + row + 1
            if lines and (page or row >= len(lines)):
                break
            line = lines[row] if lines else _line(number)
            start = len(text)
            y = TOP_PT + row * LINE_PT
            for column, character in enumerate(line):
                x = LEFT_PT + column * CHARACTER_PT
                text.append(character)
                rect.append((x, y, x if character == " " else x + CHARACTER_PT, y + INK_PT))
                on_page.append(page)
            end = len(text)
            x = LEFT_PT + len(line) * CHARACTER_PT
            text.append("\n")
            rect.append((x, y, x, y + INK_PT))
            on_page.append(page)
            body = start + line.find(" ") + 1
            clauses.append(
                Clause(f"c{len(clauses)}", str(number), (number,), str(number), "", 0, ClauseKind.CLAUSE, start, end,
                       body, "", page, "en")
            )  # fmt: skip
            sentences.append(Sentence(body, end, clauses[-1].id))
        sheets.append(Page(page, WIDTH_PT, HEIGHT_PT, first, len(text)))
    boxes = CharacterBoxes(np.array(rect, np.float32).reshape(-1, 4), np.array(on_page, np.int32))
    return Document(
        "sha256:painted", "painted.pdf", Media.PDF, "en", "".join(text), tuple(sheets), tuple(clauses),
        tuple(sentences), (), (), boxes,
    )  # fmt: skip


def _line(number: int) -> str:
    if number % 2:
        return f"{number}. The Buyer shall pay USD {number * 100} within 30 days of the invoice."
    return f"{number}、甲方应当在收到发票后{number}日内向乙方支付价款。"


def middle_of(document: Document, offset: int) -> tuple[int, float, float]:
    """Page and middle (points) of a character's box."""
    x0, y0, x1, y1 = (float(v) for v in document.boxes.rect[offset])
    return int(document.boxes.page[offset]), (x0 + x1) / 2, (y0 + y1) / 2
