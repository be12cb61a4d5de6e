"""The preferences: a page in the middle of the window, made of commands."""

from __future__ import annotations

import shutil

from PySide6.QtCore import QObject, QSettings, Slot

from gui.commands.names import Name
from gui.main_window import MainWindow
from gui.state.desk import Desk

_RECOGNISE = "reading/recognise"
#: LibreOffice's program, by the names that systems give it.
_PROGRAMS = ("soffice", "libreoffice")


class PreferencesFlow(QObject):
    """Opens and leaves the page; keeps what no other flow keeps."""

    def __init__(self, window: MainWindow, desk: Desk, settings: QSettings) -> None:
        super().__init__(window)
        self._window = window
        self._desk = desk
        self._settings = settings
        actions = window.actions_by_name
        actions[Name.PREFERENCES].triggered.connect(self.open)
        window.pages.preferences.left.connect(self.leave)
        recognise = actions[Name.RECOGNISE]
        recognise.setChecked(str(settings.value(_RECOGNISE, "yes")) != "no")
        recognise.toggled.connect(self.on_recognise_toggled)
        self._apply(recognise.isChecked())

    @Slot()
    def open(self) -> None:
        """Show the page as things are now; again: back."""
        pages, actions = self._window.pages, self._window.actions_by_name
        if pages.shows_preferences:
            self.leave()
            return
        groups = {
            self.tr("Colours"): (Name.THEME_SYSTEM, Name.THEME_LIGHT, Name.THEME_DARK),
            self.tr("Paper"): (Name.TONE_WINDOW, Name.TONE_WHITE, Name.TONE_SEPIA, Name.TONE_DARK),
            self.tr("Language"): (Name.LANGUAGE_ENGLISH, Name.LANGUAGE_CHINESE),
            self.tr("Findings listed"): (Name.LIST_SURE, Name.LIST_LIKELY, Name.LIST_EVERYTHING),
        }
        program = next((path for path in map(shutil.which, _PROGRAMS) if path), None)
        office = self.tr("Not installed. Word files of the old format (.doc) cannot be opened without it.")
        if program is not None:
            office = self.tr("Found: {path}. It turns Word files of the old format (.doc) into new ones.")
            office = office.format(path=program)
        pages.preferences.fill(
            {words: [actions[name] for name in names] for words, names in groups.items()},
            [actions[Name.RECOGNISE]],
            {"LibreOffice": office},
        )
        pages.show_preferences()
        pages.preferences.choices[0].setFocus()

    @Slot()
    def leave(self) -> None:
        """Back to the pages, or to the first page."""
        self._window.pages.leave_preferences()

    @Slot(bool)
    def on_recognise_toggled(self, wanted: bool) -> None:
        """Scanned pages are read, or left as pictures, in files opened from now on."""
        self._settings.setValue(_RECOGNISE, "yes" if wanted else "no")
        self._apply(wanted)

    def _apply(self, recognises: bool) -> None:
        self._desk.recogniser = "" if recognises else "none"
