"""The window's commands as one table: name, words, keys, menu. Everything else is made from it."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenuBar, QWidget

from gui.commands.names import Name


@dataclasses.dataclass(frozen=True, slots=True)
class Command:
    """One command. ``keys`` are portable key sequences, the first one is shown; a switch is on or off by itself."""

    name: Name
    words: str
    menu: str
    keys: tuple[str, ...] = ()
    check_group: str = ""
    is_switch: bool = False
    ends_section: bool = False


_FILE, _EDIT, _FINDINGS, _VIEW, _GO, _HELP = "&File", "&Edit", "F&indings", "&View", "&Go", "&Help"
_LABEL = "&Labelling"

COMMANDS: tuple[Command, ...] = (
    Command(Name.OPEN, "Open…", _FILE, ("Ctrl+O",)),
    Command(Name.ADD, "Add documents to this matter…", _FILE, ("Ctrl+Shift+O",)),
    Command(Name.SAMPLE, "Open the English sample", _FILE),
    Command(Name.SAMPLE_CHINESE, "Open the Chinese sample", _FILE, ends_section=True),
    Command(Name.SAVE_MARKED, "Save a marked copy…", _FILE, ("Ctrl+S",)),
    Command(Name.SAVE_REPORT, "Save a report…", _FILE, ("Ctrl+Shift+S",)),
    Command(Name.SAVE_LIST, "Save the list of findings…", _FILE, ("Ctrl+L",), ends_section=True),
    Command(Name.DOCUMENTS, "Documents of this matter and their roles…", _FILE, ("Alt+7",)),
    Command(Name.ROLE, "Role of the document shown…", _FILE),
    Command(Name.COMPARE, "Compare with another version…", _FILE, ("Ctrl+D",)),
    Command(Name.SAVE_COMPARISON, "Save the list of differences…", _FILE, ends_section=True),
    Command(Name.PRINT, "Print the pages…", _FILE, ("Ctrl+P",), ends_section=True),
    Command(Name.REVIEW, "Review again", _FILE, ("F5",)),
    Command(Name.CANCEL_REVIEW, "Stop the review", _FILE, ("Shift+F5",), ends_section=True),
    Command(Name.DELETE_MATTER, "Move this matter to the trash", _FILE, ends_section=True),
    Command(Name.QUIT, "Quit", _FILE, ("Ctrl+Q",)),
    Command(Name.UNDO, "Undo", _EDIT, ("Ctrl+Z", "U")),
    Command(Name.REDO, "Redo", _EDIT, ("Ctrl+Shift+Z", "Shift+U"), ends_section=True),
    Command(Name.ASK, "Ask the contracts…", _EDIT, ("Ctrl+Shift+K", "Q")),
    Command(Name.FIND, "Search the document", _EDIT, ("Ctrl+F", "/")),
    Command(Name.FIND_NEXT, "Next hit", _EDIT, ("F3",)),
    Command(Name.FIND_PREVIOUS, "Previous hit", _EDIT, ("Shift+F3",)),
    Command(Name.FIND_CASE, "Search: capitals matter", _EDIT, ("Alt+C",), is_switch=True),
    Command(Name.FIND_WORD, "Search: whole words", _EDIT, ("Alt+W",), is_switch=True),
    Command(Name.FIND_EXPRESSION, "Search: regular expression", _EDIT, ("Alt+R",), is_switch=True),
    Command(
        Name.FIND_EVERYWHERE, "Search: all documents of the matter", _EDIT, ("Alt+A",), is_switch=True,
        ends_section=True,
    ),
    Command(Name.RECOGNISE, "Recognise the text of scanned pages", _EDIT, is_switch=True),
    Command(Name.FULL_CHECK, "Full check: read every pair of passages together (minutes)", _EDIT, is_switch=True),
    Command(Name.PREFERENCES, "Preferences…", _EDIT, ("Ctrl+,",)),
    Command(Name.NEXT_FINDING, "Next finding", _FINDINGS, ("J",)),
    Command(Name.PREVIOUS_FINDING, "Previous finding", _FINDINGS, ("K",)),
    Command(Name.OTHER_PASSAGE, "Show the other passage", _FINDINGS, ("O",)),
    Command(Name.OTHER_BESIDE, "Show both passages side by side", _FINDINGS, ("Shift+O",), ends_section=True),
    Command(Name.CONFIRM, "Confirm", _FINDINGS, ("C",)),
    Command(Name.DISMISS, "Dismiss, with a reason", _FINDINGS, ("X",)),
    Command(Name.FLAG, "Flag to come back to", _FINDINGS, ("F",)),
    Command(Name.NOTE, "Write a note", _FINDINGS, ("N",), ends_section=True),
    Command(Name.COPY_FINDING, "Copy the finding", _FINDINGS, ("Ctrl+Shift+C",)),
    Command(Name.SELECT_ALL, "Select all findings shown", _FINDINGS, ("Shift+A",), ends_section=True),
    Command(Name.LIST_SURE, "Show sure findings only", _FINDINGS, check_group="certainty"),
    Command(Name.LIST_LIKELY, "Show sure and likely findings", _FINDINGS, check_group="certainty"),
    Command(Name.LIST_EVERYTHING, "Show all findings, weak ones too", _FINDINGS, check_group="certainty"),
    Command(Name.LABEL_NEXT, "Judge the next suggestion", _LABEL, ("G",)),
    Command(Name.ACCEPT, "Accept the suggestion", _LABEL, ("A",)),
    Command(Name.CORRECT, "Correct the suggestion", _LABEL, ("E",)),
    Command(Name.REFUSE, "Refuse the suggestion", _LABEL, ("R",), ends_section=True),
    Command(Name.PEOPLE, "People, assignments, agreement…", _LABEL),
    Command(Name.RULINGS, "Rule on disagreements…", _LABEL),
    Command(Name.GUIDE, "Guide and label set…", _LABEL),
    Command(Name.LEARN, "Learn from my labels…", _LABEL, ends_section=True),
    Command(Name.IMPORT_LINKS, "Import links…", _LABEL),
    Command(Name.EXPORT_LINKS, "Export links…", _LABEL),
    Command(Name.SHOW_FINDINGS, "Findings", _VIEW, ("Alt+1",)),
    Command(Name.SHOW_CLAUSES, "Clauses", _VIEW, ("Alt+2",)),
    Command(Name.SHOW_ANCHORS, "Anchors", _VIEW, ("Alt+3",)),
    Command(Name.SHOW_LINKS, "Links", _VIEW, ("Alt+4",)),
    Command(Name.SHOW_NOTES, "Notes in the file", _VIEW, ("Alt+5",)),
    Command(Name.SHOW_PAGES, "Thumbnails of the pages", _VIEW, ("Alt+6",), ends_section=True),
    Command(Name.SHOW_BESIDE, "Show a second view beside", _VIEW, ("Ctrl+\\",), is_switch=True, ends_section=True),
    Command(Name.ZOOM_IN, "Zoom in", _VIEW, ("Ctrl++", "Ctrl+=")),
    Command(Name.ZOOM_OUT, "Zoom out", _VIEW, ("Ctrl+-",)),
    Command(Name.FIT_WIDTH, "Fit the width", _VIEW, ("Ctrl+2",)),
    Command(Name.FIT_PAGE, "Fit the page", _VIEW, ("Ctrl+1",)),
    Command(Name.FIT_TEXT, "Fit the text", _VIEW, ("Ctrl+3",), ends_section=True),
    Command(Name.THEME_SYSTEM, "Colours of the system", _VIEW, check_group="theme"),
    Command(Name.THEME_LIGHT, "Light", _VIEW, check_group="theme"),
    Command(Name.THEME_DARK, "Dark", _VIEW, check_group="theme", ends_section=True),
    Command(Name.TONE_WINDOW, "Pages as light or dark as the window", _VIEW, check_group="tone"),
    Command(Name.TONE_WHITE, "White pages", _VIEW, check_group="tone"),
    Command(Name.TONE_SEPIA, "Sepia pages", _VIEW, check_group="tone"),
    Command(Name.TONE_DARK, "Dark pages", _VIEW, check_group="tone", ends_section=True),
    Command(Name.LANGUAGE_ENGLISH, "English", _VIEW, check_group="language"),
    Command(Name.LANGUAGE_CHINESE, "中文", _VIEW, check_group="language"),
    Command(Name.BACK, "Back", _GO, ("Alt+Left",)),
    Command(Name.FORWARD, "Forward", _GO, ("Alt+Right",), ends_section=True),
    Command(Name.NEXT_PAGE, "Next page", _GO, ("Ctrl+PgDown",)),
    Command(Name.PREVIOUS_PAGE, "Previous page", _GO, ("Ctrl+PgUp",), ends_section=True),
    Command(Name.NEXT_DIFFERENCE, "Next difference", _GO, ("F7",)),
    Command(Name.PREVIOUS_DIFFERENCE, "Previous difference", _GO, ("Shift+F7",), ends_section=True),
    Command(Name.NEXT_PANEL, "Next panel", _GO, ("F6",)),
    Command(Name.PREVIOUS_PANEL, "Previous panel", _GO, ("Shift+F6",)),
    Command(Name.PALETTE, "Every command by name…", _HELP, ("Ctrl+K", "Ctrl+Shift+P")),
    Command(Name.HELP, "Help", _HELP, ("F1",)),
    Command(Name.KEYS, "All keys", _HELP, ("?",)),
    Command(Name.ABOUT, "About Antinomy", _HELP),
)


def menu_words(menu: str) -> str:
    """A menu's name without the mark of its key: ``File``, ``文件``."""
    return re.sub(r"\(&.\)|&", "", _translated(menu))


def _translated(words: str) -> str:
    return QCoreApplication.translate("commands", words)


class Actions:
    """A QAction for each command, owned by ``window``. ``actions[Name.OPEN]`` is one of them."""

    def __init__(self, window: QWidget) -> None:
        self._actions: dict[Name, QAction] = {}
        self._menu_of: dict[Name, str] = {}
        groups: dict[str, QActionGroup] = {}
        for command in COMMANDS:
            action = QAction(window)
            action.setObjectName(command.name)
            action.setShortcuts([QKeySequence(keys) for keys in command.keys])
            if command.is_switch:
                action.setCheckable(True)
            if command.check_group:
                action.setCheckable(True)
                groups.setdefault(command.check_group, QActionGroup(window)).addAction(action)
            window.addAction(action)
            self._actions[command.name] = action
            self._menu_of[command.name] = command.menu
        self.translate()

    def __getitem__(self, name: Name) -> QAction:
        return self._actions[name]

    def __iter__(self) -> Iterator[tuple[Command, QAction]]:
        return ((command, self._actions[command.name]) for command in COMMANDS)

    def translate(self) -> None:
        """Put the words in, in the present language."""
        for command in COMMANDS:
            action = self._actions[command.name]
            words = _translated(command.words)
            action.setText(words)
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            action.setToolTip(f"{words} ({keys})" if keys else words)

    def fill_menus(self, bar: QMenuBar) -> None:
        """The menus, in the table's order."""
        bar.clear()
        menus = {}
        for command in COMMANDS:
            if command.menu not in menus:
                menus[command.menu] = bar.addMenu(_translated(command.menu))
            menus[command.menu].addAction(self._actions[command.name])
            if command.ends_section:
                menus[command.menu].addSeparator()
