"""The preferences: a page in the middle of the window, made of commands."""

from __future__ import annotations

import shutil

from PySide6.QtCore import QObject, QSettings, Slot

from engine.matter.records import Annotator
from gui.commands.names import Name
from gui.main_window import MainWindow
from gui.state.desk import Desk
from gui.state.labelling import Labelling
from gui.state.profile import Profile

_RECOGNISE = "reading/recognise"
_FULL_CHECK = "review/full_check"
#: LibreOffice's program, by the names that systems give it.
_PROGRAMS = ("soffice", "libreoffice")


class PreferencesFlow(QObject):
    """Opens and leaves the page; keeps what no other flow keeps."""

    def __init__(self, window: MainWindow, desk: Desk, settings: QSettings, labelling: Labelling) -> None:
        super().__init__(window)
        self._labelling = labelling
        self._profile = Profile(settings)
        desk.book.person = self._profile.annotator()
        self._window = window
        self._desk = desk
        self._settings = settings
        actions = window.actions_by_name
        actions[Name.PREFERENCES].triggered.connect(self.open)
        window.pages.preferences.left.connect(self.leave)
        window.pages.preferences.name_given.connect(self.on_page_name_given)
        recognise = actions[Name.RECOGNISE]
        recognise.setChecked(str(settings.value(_RECOGNISE, "yes")) != "no")
        recognise.toggled.connect(self.on_recognise_toggled)
        full = actions[Name.FULL_CHECK]
        full.setChecked(str(settings.value(_FULL_CHECK, "no")) == "yes")
        full.toggled.connect(self.on_full_check_toggled)
        desk.review.full_check = full.isChecked()
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
            [actions[Name.RECOGNISE], actions[Name.FULL_CHECK]],
            {"LibreOffice": office},
            self._shown_name(),
        )
        pages.show_preferences()
        pages.preferences.choices[0].setFocus()

    @Slot()
    def leave(self) -> None:
        """Back to the pages, or to the first page."""
        self._window.pages.leave_preferences()

    def _shown_name(self) -> str:
        """Who works here: in an open matter whom it knows as that."""
        me = self._labelling.me
        return me.name if me is not None and self._is_mine(me) else self._profile.name

    def _is_mine(self, me: Annotator) -> bool:
        """Whether the open matter's present annotator is the person of this machine, and not a colleague at it."""
        return me.id == self._profile.annotator().id or len(self._labelling.people()) == 1

    @Slot(str)
    def on_page_name_given(self, name: str) -> None:
        """Another name, from now on and in the open matter."""
        self._profile.name = name
        self._desk.book.person = self._profile.annotator()
        me = self._labelling.me
        if me is not None and self._is_mine(me) and not self._desk.book.read_only and me.name != self._profile.name:
            self._labelling.become(Annotator(me.id, self._profile.name, me.created_at))

    @Slot(bool)
    def on_recognise_toggled(self, wanted: bool) -> None:
        """Scanned pages are read, or left as pictures, in files opened from now on."""
        self._settings.setValue(_RECOGNISE, "yes" if wanted else "no")
        self._apply(wanted)

    @Slot(bool)
    def on_full_check_toggled(self, wanted: bool) -> None:
        """Reviews read every pair again from now on, or no longer; what is on the desk is reviewed so at once."""
        self._settings.setValue(_FULL_CHECK, "yes" if wanted else "no")
        self._desk.review.full_check = wanted
        self._desk.review_again()

    def _apply(self, recognises: bool) -> None:
        self._desk.recogniser = "" if recognises else "none"
