"""Window, desk, children and flows, made and connected: the composition that the program and the tests share."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, QSettings, Qt, QTimer, Slot
from PySide6.QtWidgets import QApplication

from engine.protocol.places import log_dir
from gui.flows.anchors_flow import AnchorsFlow
from gui.flows.ask_flow import AskFlow
from gui.flows.beside_flow import BesideFlow
from gui.flows.comparison_flow import ComparisonFlow
from gui.flows.deletion_flow import DeletionFlow
from gui.flows.documents_flow import AskFiles, DocumentsFlow
from gui.flows.engine_flow import EngineFlow
from gui.flows.exchange_flow import ExchangeFlow
from gui.flows.findings_flow import FindingsFlow
from gui.flows.handover_flow import HandoverFlow
from gui.flows.help_flow import HelpFlow
from gui.flows.labelling_flow import LabellingFlow
from gui.flows.learn_flow import LearnFlow
from gui.flows.links_beside import LinksBeside
from gui.flows.links_flow import LinksFlow
from gui.flows.list_flow import AskTarget, ListFlow
from gui.flows.looks_flow import LooksFlow
from gui.flows.matter_flow import MatterFlow
from gui.flows.pages_flow import PagesFlow
from gui.flows.people_flow import PeopleFlow
from gui.flows.preferences_flow import PreferencesFlow
from gui.flows.print_flow import PrintFlow
from gui.flows.recognition_flow import RecognitionFlow
from gui.flows.references_flow import ReferencesFlow
from gui.flows.remarks_flow import RemarksFlow
from gui.flows.roles_flow import RolesFlow
from gui.flows.search_flow import SearchFlow
from gui.flows.write_flow import WriteFlow
from gui.fonts import FontExport, font_file
from gui.main_window import MainWindow
from gui.processes.interface import Processes
from gui.processes.supervisor import Supervisor
from gui.state.desk import Desk
from gui.state.handover import AskPlace
from gui.state.labelling import Labelling
from gui.state.learning import LearningRun
from gui.state.matter_book import MatterBook
from gui.state.open_matter import load_matter_library
from gui.state.versions import Versions
from gui.theme import application_font, chinese_family
from gui.translation import Language, TableTranslator, qt_words, system_language, table


class Workbench(QObject):
    """One window on one desk. The window is made anew when the language changes; the desk stays.

    Args:
        processes: the children, not started.
        folder: where matters, settings and the recent list are kept.
        ask_files: asks the person for files; the system's dialog when None.
        ask_target, ask_place: ask where to write one; likewise.
    """

    def __init__(
        self,
        processes: Processes,
        folder: Path,
        ask_files: AskFiles | None = None,
        ask_target: AskTarget | None = None,
        ask_place: AskPlace | None = None,
    ) -> None:
        super().__init__()
        self._ask_target = ask_target
        self._ask_place = ask_place
        self._folder = folder
        self._ask_files = ask_files
        self._is_closed = False
        self._is_started = False
        self._to_open: list[Path] = []
        self._sample = False
        self._font_export: FontExport | None = None
        self._translator: TableTranslator | None = None
        self.processes = processes
        self.settings = QSettings(str(folder / "window.ini"), QSettings.Format.IniFormat)
        self.desk = Desk(processes, MatterBook(), folder)
        self.desk.book.setParent(self.desk)
        self.learning = LearningRun(self.desk, processes, folder, self)
        self.versions = Versions(self.desk, self.desk)
        self._speak(self._language())
        self._make_window()

    @classmethod
    def with_children(cls, folder: Path) -> Workbench:
        """A workbench with the real children and fonts with Chinese glyphs."""
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.setFont(application_font(font_file(folder)))
        return cls(Supervisor(), folder)

    def _make_window(self) -> None:
        self.window = MainWindow(self.settings)
        self.looks = LooksFlow(self.window, self.settings)
        self.documents = DocumentsFlow(self.window, self.desk, self.processes, self._ask_files)
        self.findings = FindingsFlow(self.window, self.desk)
        self.list = ListFlow(self.window, self.desk, self.findings, self._ask_target)
        self.handover = HandoverFlow(self.window, self.desk, self.processes, self._ask_place)
        self.ask = AskFlow(self.window, self.desk, self.processes)
        self.writing = WriteFlow(self.window, self.processes, self._folder, self.ask)
        self.labelling = Labelling(self.desk, self.window)
        self.links = LinksFlow(self.window, self.desk, self.labelling)
        self.suggestions = LabellingFlow(self.window, self.desk, self.labelling, self.links)
        self.people = PeopleFlow(self.window, self.desk, self.labelling, self.links)
        self.learn = LearnFlow(self.window, self.learning)
        self.exchange = ExchangeFlow(self.window, self.desk, self.labelling)
        self.beside = BesideFlow(self.window, self.desk, self.processes, self.findings, self.links)
        self.links_beside = LinksBeside(self.window, self.desk, self.links, self.suggestions, self.beside)
        self.comparison = ComparisonFlow(
            self.window, self.desk, self.processes, self.versions, self.beside, self._ask_target
        )
        self.roles = RolesFlow(self.window, self.desk, self.versions, self.comparison)
        self.pages = PagesFlow(self.window, self.desk, self.processes)
        self.documents.document_switched.connect(self.pages.follow)
        self.deletion = DeletionFlow(self.window, self.desk)
        self.preferences = PreferencesFlow(self.window, self.desk, self.settings, self.labelling)
        self.help = HelpFlow(self.window, self._language().value)
        self.printing = PrintFlow(self.window, self.desk, self.processes)
        self.references = ReferencesFlow(self.window, self.desk)
        self.remarks = RemarksFlow(self.window, self.desk)
        self.anchors = AnchorsFlow(self.window, self.desk, self.processes, self._ask_target)
        self.search = SearchFlow(self.window, self.desk)
        self.matter = MatterFlow(self.window, self.desk, self.documents.ask_files)
        self.engine = EngineFlow(self.window, self.desk, self.processes)
        self.recognition = RecognitionFlow(self.window, self.desk, self.processes)
        self.documents.text_shown.connect(self.findings.mark_pages)
        self.documents.text_shown.connect(self.links.mark_pages)
        self.documents.text_shown.connect(self.recognition.mark_pages)
        self.documents.text_shown.connect(self.remarks.mark_pages)
        self.documents.document_switched.connect(self.search.follow)
        self.documents.text_shown.connect(self.search.follow)
        self.looks.language_wanted.connect(self.on_looks_language_wanted, Qt.ConnectionType.QueuedConnection)
        self.window.closing.connect(self.close)
        # Queued: what is heavy begins when the first frame is on the screen, not while it is being painted.
        self.window.first_frame_painted.connect(self.on_window_first_frame_painted, Qt.ConnectionType.QueuedConnection)

    # --- starting -------------------------------------------------------------------------------------------

    def open_when_painted(self, paths: Sequence[Path], sample: bool = False) -> None:
        """Open these once the first frame is on the screen."""
        self._to_open, self._sample = list(paths), sample

    @Slot()
    def on_window_first_frame_painted(self) -> None:
        """The children may start; files may be opened."""
        if self._is_started or self._is_closed:
            return
        self._is_started = True
        self.processes.start()
        threading.Thread(target=load_matter_library, name="matter library").start()
        if self._sample:
            self.documents.open_sample()
        elif self._to_open:
            self.documents.open_paths(self._to_open)
        QTimer.singleShot(0, self, self.fetch_font)

    @Slot()
    def fetch_font(self) -> None:
        """Get a font with Chinese glyphs, once, where the system has none."""
        if self._is_closed or chinese_family(font_file(self._folder)) is not None:
            return
        self._font_export = FontExport(font_file(self._folder), self)
        self._font_export.font_written.connect(self.on_font_export_font_written)
        self._font_export.start()

    @Slot(str)
    def on_font_export_font_written(self, path: str) -> None:
        """Chinese glyphs are there."""
        application = QCoreApplication.instance()
        if isinstance(application, QApplication):
            application.setFont(application_font(Path(path)))

    # --- language -------------------------------------------------------------------------------------------

    def _language(self) -> Language:
        stored = str(self.settings.value("looks/language", ""))
        return Language(stored) if stored in set(Language) else system_language()

    def _speak(self, language: Language) -> None:
        self.desk.book.language = language.value
        application = QCoreApplication.instance()
        if application is None:
            return
        if self._translator is not None:
            application.removeTranslator(self._translator)
            self._translator = None
        if language is not Language.ENGLISH:
            self._translator = TableTranslator(table(language), self, qt_words(language, self))
            application.installTranslator(self._translator)

    @Slot(str)
    def on_looks_language_wanted(self, language: str) -> None:
        """Speak another language: a new window on the same desk, where the old one stood."""
        if self._is_closed:
            return
        self.settings.setValue("looks/language", language)
        old = self.window
        old.right.evidence.note.flush()
        old.save_state()
        old.closing.disconnect(self.close)
        self._speak(Language(language))
        self._make_window()
        for flow in (self.documents, self.findings, self.links, self.anchors, self.engine):
            flow.refresh()
        if old.pages.shows_preferences:
            self.preferences.open()
        self.window.show()
        old.close()
        old.deleteLater()

    # --- ending ---------------------------------------------------------------------------------------------

    @Slot()
    def say_mistake(self) -> None:
        """A mistake of ours: said calmly, the trace is in the log."""
        words = self.tr(
            "Something went wrong inside Antinomy. What you decided is saved. The details are in {file}."
        ).format(file=log_dir() / "window.log")
        self.window.pages.banner.say(words)

    @Slot()
    def close(self) -> None:
        """End what runs; everything that was decided is on the disk already. Again is harmless."""
        if self._is_closed:
            return
        self._is_closed = True
        # A quit by signal comes here without a close event; what stands in the note is kept all the same.
        self.window.right.evidence.note.flush()
        self._speak(Language.ENGLISH)
        if self._font_export is not None:
            self._font_export.close()
        self.learning.close()
        self.desk.close()
        self.processes.close()
