"""Printing: the pages of the document that is shown, drawn sharp by the reader and sent to a printer one by one."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QRectF, QSizeF, Qt, Slot
from PySide6.QtGui import QImage, QPageLayout, QPainter
from PySide6.QtPrintSupport import QPrintDialog, QPrinter

from gui.commands.names import Name
from gui.main_window import MainWindow
from gui.pages.page_source import ImageKey, sane_size
from gui.pages.supervisor_source import SupervisorSource
from gui.processes.interface import Processes
from gui.state.desk import Desk

#: Below this letters show steps on paper; above it a page of images takes long and gains nothing.
LEAST_DPI, MOST_DPI = 200, 300

#: Asks the person for a printer and its settings, None when she gives up; a test puts its own in.
AskPrinter = Callable[[], QPrinter | None]


class PrintFlow(QObject):
    """One printing at a time; the window stays usable while pages are drawn."""

    def __init__(
        self, window: MainWindow, desk: Desk, processes: Processes, ask_printer: AskPrinter | None = None
    ) -> None:
        super().__init__(window)
        self._window = window
        self._desk = desk
        self._processes = processes
        self.ask_printer = ask_printer or self._ask_with_dialog
        self._printer: QPrinter | None = None
        self._painter: QPainter | None = None
        self._source: SupervisorSource | None = None
        self._pages: list[int] = []
        self._done = 0
        window.actions_by_name[Name.PRINT].triggered.connect(self.on_print_triggered)
        window.closing.connect(self.give_up)
        desk.document_removed.connect(self.on_desk_document_removed)
        self._document = ""

    @property
    def is_printing(self) -> bool:
        """Whether pages are on their way."""
        return self._printer is not None

    @Slot()
    def on_print_triggered(self) -> None:
        """Ask for a printer, then print."""
        entry = self._desk.documents.get(self._desk.current)
        if entry is None or not entry.pages:
            self._window.status.say(self.tr("Open a contract first, and wait until it has been read."))
            return
        if self.is_printing:
            self._window.status.say(self.tr("The pages are still being printed."))
            return
        printer = self.ask_printer()
        if printer is None:
            return
        count = len(entry.pages)
        first = max(1, printer.fromPage() or 1)
        last = min(count, printer.toPage() or count)
        self._pages = list(range(first - 1, last))
        if not self._pages:
            self._window.status.say(self.tr("The document has no such pages."))
            return
        self._printer, self._document, self._done = printer, entry.id, 0
        self._source = SupervisorSource(self._processes, entry.id, entry.pages, self)
        self._source.image_ready.connect(self.on_source_image_ready)
        self._source.image_failed.connect(self.on_source_image_failed)
        printer.setDocName(entry.name)
        self._request()

    def _request(self) -> None:
        if self._source is None or self._printer is None:
            return
        page = self._pages[self._done]
        dpi = min(MOST_DPI, max(LEAST_DPI, self._printer.resolution()))
        words = self.tr("Printing page {n} of {total}…").format(n=self._done + 1, total=len(self._pages))
        self._window.status.say(words)
        self._source.request(ImageKey(page, dpi / 72.0))

    @Slot(object, QImage)
    def on_source_image_ready(self, key: ImageKey, image: QImage) -> None:
        """Put the page on paper, then ask for the next one."""
        if self._printer is None or self._source is None:
            return
        size = sane_size(self._source.page_size(key.page))
        if not self._turn(size) or self._painter is None:
            self._fail(self.tr("The printer does not take the pages. Check it, or choose another one."))
            return
        sheet = QRectF(self._printer.pageLayout().paintRectPixels(self._printer.resolution()))
        fitted = QSizeF(size).scaled(sheet.size(), Qt.AspectRatioMode.KeepAspectRatio)
        left, top = (sheet.width() - fitted.width()) / 2, (sheet.height() - fitted.height()) / 2
        self._painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        self._painter.drawImage(QRectF(left, top, fitted.width(), fitted.height()), image)
        self._done += 1
        if self._done < len(self._pages):
            self._request()
        else:
            words = self.tr("{total} pages were sent to the printer.").format(total=self._done)
            self.give_up(abort=False)
            self._window.status.say(words)

    def _turn(self, size: QSizeF) -> bool:
        """A new sheet, upright or lying as the page is; False when the printer takes none."""
        printer = self._printer
        if printer is None:
            return False
        wide = size.width() > size.height()
        printer.setPageOrientation(QPageLayout.Orientation.Landscape if wide else QPageLayout.Orientation.Portrait)
        if self._painter is None:
            self._painter = QPainter()
            return self._painter.begin(printer)
        return printer.newPage()

    @Slot(object, str)
    def on_source_image_failed(self, key: ImageKey, sentence: str) -> None:
        """A page that cannot be drawn: stop, half a contract on paper must not look whole."""
        words = self.tr("Page {n} cannot be drawn, so printing stopped there. {why}")
        self._fail(words.format(n=key.page + 1, why=sentence).rstrip())

    def _fail(self, sentence: str) -> None:
        self.give_up()
        self._window.pages.banner.say(sentence)

    @Slot(str)
    def on_desk_document_removed(self, document_id: str) -> None:
        """What is being printed has left the desk."""
        if document_id == self._document and self.is_printing:
            self._fail(self.tr("Printing stopped: the document was closed."))

    @Slot()
    def give_up(self, abort: bool = True) -> None:
        """End what runs; ``abort`` keeps the printer from what it has not got out yet."""
        printer, painter, source = self._printer, self._painter, self._source
        self._printer = self._painter = self._source = None
        if printer is not None and abort:
            printer.abort()
        if painter is not None and painter.isActive():
            painter.end()
        if source is not None:
            source.deleteLater()

    def _ask_with_dialog(self) -> QPrinter | None:
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        dialog = QPrintDialog(printer, self._window)
        dialog.setOption(QPrintDialog.PrintDialogOption.PrintSelection, False)
        dialog.setMinMax(1, max(1, self._window.pages.view.page_count))
        chosen = dialog.exec() == QPrintDialog.DialogCode.Accepted
        dialog.deleteLater()
        return printer if chosen else None
