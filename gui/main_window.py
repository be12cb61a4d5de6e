"""The window: where everything stands. What happens is in gui/flows, who owns whom in gui/app.py."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, QEvent, QRect, QSettings, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QPaintEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QSplitter, QVBoxLayout, QWidget

from gui.centre.pages_place import PagesPlace
from gui.commands.actions import Actions
from gui.commands.names import Name
from gui.commands.palette import CommandPalette
from gui.help.keyboard_sheet import KeyboardSheet
from gui.left.left_panel import LeftPanel
from gui.right.right_panel import RightPanel
from gui.state.sieve import Certainty, Sieve
from gui.status.status_line import StatusLine
from gui.theme import grid
from gui.top_bar.top_bar import TopBar

LEFT_PX, RIGHT_PX = 300, 400
SEARCH_SWITCHES = (Name.FIND_CASE, Name.FIND_WORD, Name.FIND_EXPRESSION, Name.FIND_EVERYWHERE)


class MainWindow(QMainWindow):
    """Top bar, left panel, pages, right panel, status line.

    Signals:
        first_frame_painted(): something is on the screen; heavy work may begin.
        files_dropped(list[Path]): files were dropped on the window.
        closing(): the window is about to go; what runs must end.
    """

    first_frame_painted = Signal()
    files_dropped = Signal(list)
    closing = Signal()

    def __init__(self, settings: QSettings) -> None:
        super().__init__()
        self._settings = settings
        self._is_painted = False
        self.actions_by_name = Actions(self)
        self.top_bar = TopBar(
            self.actions_by_name[Name.OPEN],
            self.actions_by_name[Name.BACK],
            self.actions_by_name[Name.FORWARD],
            [self.actions_by_name[Name.ADD], self.actions_by_name[Name.REVIEW]],
            [self.actions_by_name[name] for name in SEARCH_SWITCHES],
        )
        self.left = LeftPanel()
        self.pages = PagesPlace()
        self.right = RightPanel()
        self.status = StatusLine()
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self._lay_out()
        self.actions_by_name.fill_menus(self.menuBar())
        self.palette_of_commands = CommandPalette(self)
        self.sheet = KeyboardSheet(self)
        self.setAcceptDrops(True)
        # The system moves windows itself when a screen goes, or does not: it is looked at afterwards.
        self._screen_timer = QTimer(self, singleShot=True, interval=500)
        self._screen_timer.timeout.connect(self.come_into_sight)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.screenRemoved.connect(self.on_application_screen_removed)
        self.setWindowTitle("Antinomy")
        self._restore()
        # Without this the first button would be framed as if it had been chosen.
        self.pages.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.pages.setFocus()

    def _lay_out(self) -> None:
        self.splitter.setHandleWidth(1)
        self.splitter.setChildrenCollapsible(True)
        for i, part in enumerate((self.left, self.pages, self.right)):
            self.splitter.addWidget(part)
            self.splitter.setCollapsible(i, i != 1)
        self.left.setMinimumWidth(grid(60))
        self.right.setMinimumWidth(grid(80))
        self.splitter.setStretchFactor(0, 0)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setStretchFactor(2, 0)
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.top_bar)
        column.addWidget(self.splitter, 1)
        column.addWidget(self.status)
        self.setCentralWidget(middle)

    # --- remembered state ---------------------------------------------------------------------------

    def _restore(self) -> None:
        geometry = self._settings.value("window/geometry")
        if not (isinstance(geometry, QByteArray) and self.restoreGeometry(geometry)):
            available = self.screen().availableGeometry()
            self.resize(min(1440, available.width() - grid(10)), min(900, available.height() - grid(15)))
        self.come_into_sight()
        sizes = self._settings.value("window/splitter")
        if not (isinstance(sizes, QByteArray) and self.splitter.restoreState(sizes)):
            self.splitter.setSizes([LEFT_PX, max(240, self.width() - LEFT_PX - RIGHT_PX), RIGHT_PX])
        grouping = self.left.findings.group_box.findData(str(self._settings.value("window/grouping", "")))
        if grouping >= 0:
            self.left.findings.group_box.setCurrentIndex(grouping)
        self._restore_sieve()
        tab = str(self._settings.value("window/tab", "0"))
        self.left.setCurrentIndex(int(tab) if tab.isdigit() and int(tab) < self.left.count() else 0)

    @Slot()
    def come_into_sight(self) -> None:
        """Stand on a screen that is there, no larger than it; a window that can be reached stays where it is."""
        frame = self.frameGeometry()
        head = QRect(frame.left(), frame.top(), frame.width(), grid(8))
        screens = [screen.availableGeometry() for screen in QApplication.screens()]
        if self.isMaximized() or self.isFullScreen() or any(
            (head & seen).width() >= grid(30) and seen.top() <= head.top() < seen.bottom() - grid(8) for seen in screens
        ):
            return
        seen = QApplication.primaryScreen().availableGeometry()
        self.resize(min(self.width(), seen.width()), min(self.height(), seen.height()))
        left = max(seen.left(), min(frame.left(), seen.right() + 1 - self.width()))
        top = max(seen.top(), min(frame.top(), seen.bottom() + 1 - self.height()))
        self.move(left, top)

    def _restore_sieve(self) -> None:
        certainty = str(self._settings.value("window/certainty", ""))
        score = str(self._settings.value("window/least_percent", ""))
        usual = Sieve()
        self.left.findings.certainty.set_sieve(
            Sieve(
                Certainty(certainty) if certainty in set(Certainty) else usual.certainty,
                int(score) / 100 if score.isdecimal() and int(score) <= 100 else usual.score,
            )
        )

    def save_state(self) -> None:
        """Remember size, splitters, what is listed, and tab."""
        sieve = self.left.findings.certainty.sieve
        self._settings.setValue("window/certainty", sieve.certainty.value)
        self._settings.setValue("window/least_percent", str(round(100 * sieve.score)))
        self._settings.setValue("window/geometry", self.saveGeometry())
        self._settings.setValue("window/splitter", self.splitter.saveState())
        self._settings.setValue("window/grouping", str(self.left.findings.group_box.currentData()))
        self._settings.setValue("window/tab", str(self.left.currentIndex()))
        self._settings.sync()

    @Slot()
    def on_application_screen_removed(self) -> None:
        """A screen was unplugged."""
        self._screen_timer.start()

    # --- the keyboard's way round ---------------------------------------------------------------------

    def step_panel(self, step: int) -> None:
        """Put the keyboard into the next (1) or previous (-1) of: left, pages, right, search."""
        right = self.right.link_form.search if self.right.currentWidget() is self.right.link_form else None
        stops: list[QWidget] = [
            getattr(self.left.currentWidget(), "view", self.left),
            self.pages.view,
            self.pages.beside.view,
            right or self.right.evidence.cards[0],
            self.top_bar.search,
        ]
        stops = [stop for stop in stops if stop.isVisible()]
        if not stops:
            return
        focus = QApplication.focusWidget()
        here = self._panel(focus) if focus is not None else None
        at = next((i for i, stop in enumerate(stops) if here is not None and self._panel(stop) is here), -1)
        stops[(at + step) % len(stops)].setFocus(Qt.FocusReason.TabFocusReason)

    def _panel(self, widget: QWidget) -> QWidget | None:
        panels = (self.left, self.pages, self.right, self.top_bar)
        return next((panel for panel in panels if panel is widget or panel.isAncestorOf(widget)), None)

    # --- Qt's interface -------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """The first one is news."""
        super().paintEvent(event)
        if not self._is_painted:
            self._is_painted = True
            self.first_frame_painted.emit()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files may be dropped anywhere."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped."""
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.files_dropped.emit(paths)

    def changeEvent(self, event: QEvent) -> None:
        """Another language: the menus' words."""
        if event.type() == QEvent.Type.LanguageChange:
            self.actions_by_name.translate()
            self.actions_by_name.fill_menus(self.menuBar())
        super().changeEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember, let what runs end, go."""
        self.right.evidence.note.flush()
        self.save_state()
        self.closing.emit()
        event.accept()
