"""Colours, zoom, panels, the palette of commands, the sheet of keys: what only changes the looks."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSettings, Qt, Signal, Slot
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QApplication

from engine import APP_VERSION
from gui.commands.names import Name
from gui.look import style_sheet
from gui.main_window import MainWindow
from gui.pages.history import Fit
from gui.theme import Theme, system_theme, widget_palette
from gui.translation import Language

_THEMES = {Name.THEME_LIGHT: Theme.LIGHT, Name.THEME_DARK: Theme.DARK}
_TONES = {Name.TONE_WHITE: Theme.LIGHT, Name.TONE_SEPIA: Theme.SEPIA, Name.TONE_DARK: Theme.DARK}


class LooksFlow(QObject):
    """Settings of the eye, kept in the settings file.

    Signals:
        language_wanted(language): a :class:`Language`'s value.
    """

    language_wanted = Signal(str)

    def __init__(self, window: MainWindow, settings: QSettings) -> None:
        super().__init__(window)
        self._window = window
        self._settings = settings
        actions = window.actions_by_name
        for name in (Name.THEME_SYSTEM, Name.THEME_LIGHT, Name.THEME_DARK):
            actions[name].triggered.connect(self.on_theme_triggered)
        for name in (Name.TONE_WINDOW, *_TONES):
            actions[name].triggered.connect(self.on_tone_triggered)
        for name in (Name.LANGUAGE_ENGLISH, Name.LANGUAGE_CHINESE):
            actions[name].triggered.connect(self.on_language_triggered)
        speaks_chinese = self.tr("Findings") != "Findings"
        actions[Name.LANGUAGE_CHINESE if speaks_chinese else Name.LANGUAGE_ENGLISH].setChecked(True)
        actions[Name.ZOOM_IN].triggered.connect(self.on_zoom_in_triggered)
        actions[Name.ZOOM_OUT].triggered.connect(self.on_zoom_out_triggered)
        actions[Name.FIT_WIDTH].triggered.connect(self.on_fit_width_triggered)
        actions[Name.FIT_PAGE].triggered.connect(self.on_fit_page_triggered)
        actions[Name.FIT_TEXT].triggered.connect(self.on_fit_text_triggered)
        actions[Name.NEXT_PAGE].triggered.connect(self.on_next_page_triggered)
        actions[Name.PREVIOUS_PAGE].triggered.connect(self.on_previous_page_triggered)
        actions[Name.SHOW_FINDINGS].triggered.connect(self.on_show_findings_triggered)
        actions[Name.SHOW_CLAUSES].triggered.connect(self.on_show_clauses_triggered)
        actions[Name.SHOW_ANCHORS].triggered.connect(self.on_show_anchors_triggered)
        actions[Name.SHOW_LINKS].triggered.connect(self.on_show_links_triggered)
        actions[Name.NEXT_PANEL].triggered.connect(self.on_next_panel_triggered)
        actions[Name.PREVIOUS_PANEL].triggered.connect(self.on_previous_panel_triggered)
        actions[Name.PALETTE].triggered.connect(self.on_palette_triggered)
        actions[Name.KEYS].triggered.connect(self.on_keys_triggered)
        actions[Name.ABOUT].triggered.connect(self.on_about_triggered)
        actions[Name.QUIT].triggered.connect(window.close)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self.on_system_colours_changed)
        self._apply(self._wanted())

    # --- colours --------------------------------------------------------------------------------------------

    def _wanted(self) -> Name:
        stored = str(self._settings.value("looks/theme", Name.THEME_SYSTEM.value))
        return Name(stored) if stored in {*_THEMES, Name.THEME_SYSTEM} else Name.THEME_SYSTEM

    def _tone(self) -> Name:
        stored = str(self._settings.value("looks/tone", Name.TONE_WINDOW.value))
        return Name(stored) if stored in _TONES else Name.TONE_WINDOW

    def _apply(self, name: Name) -> None:
        self._window.actions_by_name[name].setChecked(True)
        theme = _THEMES.get(name) or system_theme()
        application, sheet = QApplication.instance(), style_sheet(theme)
        # Each makes every widget anew to look at: a third of a second, which other paper or a new window need not cost.
        if isinstance(application, QApplication) and application.styleSheet() != sheet:
            application.setPalette(widget_palette(theme))
            application.setStyleSheet(sheet)
        tone = self._tone()
        self._window.actions_by_name[tone].setChecked(True)
        for pages in (self._window.pages.view, self._window.pages.beside.view, self._window.left.pages.view):
            pages.set_theme(_TONES.get(tone, theme))

    @Slot()
    def on_theme_triggered(self) -> None:
        """Other colours, remembered."""
        action = self.sender()
        if isinstance(action, QAction):
            self._settings.setValue("looks/theme", action.objectName())
            self._apply(Name(action.objectName()))

    @Slot()
    def on_tone_triggered(self) -> None:
        """Other paper, remembered."""
        action = self.sender()
        if isinstance(action, QAction):
            self._settings.setValue("looks/tone", action.objectName())
            self._apply(self._wanted())

    @Slot(Qt.ColorScheme)
    def on_system_colours_changed(self) -> None:
        """The system went dark or light."""
        if self._wanted() is Name.THEME_SYSTEM:
            self._apply(Name.THEME_SYSTEM)

    @Slot()
    def on_language_triggered(self) -> None:
        """Another language."""
        action = self.sender()
        if isinstance(action, QAction):
            chinese = action.objectName() == Name.LANGUAGE_CHINESE
            self.language_wanted.emit((Language.CHINESE if chinese else Language.ENGLISH).value)

    # --- the pages ------------------------------------------------------------------------------------------

    @Slot()
    def on_zoom_in_triggered(self) -> None:
        """Larger, in the view that has the keyboard."""
        self._window.pages.active_view.zoom_in()

    @Slot()
    def on_zoom_out_triggered(self) -> None:
        """Smaller."""
        self._window.pages.active_view.zoom_out()

    @Slot()
    def on_fit_width_triggered(self) -> None:
        """As wide as the view."""
        self._window.pages.active_view.set_fit(Fit.WIDTH)

    @Slot()
    def on_fit_page_triggered(self) -> None:
        """A whole page."""
        self._window.pages.active_view.set_fit(Fit.PAGE)

    @Slot()
    def on_fit_text_triggered(self) -> None:
        """The text without its margins."""
        self._window.pages.active_view.set_fit(Fit.TEXT)

    @Slot()
    def on_next_page_triggered(self) -> None:
        """The page after."""
        view = self._window.pages.active_view
        view.go_to_page(view.current_page + 1)

    @Slot()
    def on_previous_page_triggered(self) -> None:
        """The page before."""
        view = self._window.pages.active_view
        view.go_to_page(view.current_page - 1)

    # --- panels ---------------------------------------------------------------------------------------------

    @Slot()
    def on_show_findings_triggered(self) -> None:
        """The inbox."""
        self._window.left.show_tab(self._window.left.findings)

    @Slot()
    def on_show_clauses_triggered(self) -> None:
        """The clause tree."""
        self._window.left.show_tab(self._window.left.clauses)

    @Slot()
    def on_show_anchors_triggered(self) -> None:
        """The values."""
        self._window.left.show_tab(self._window.left.anchors)

    @Slot()
    def on_show_links_triggered(self) -> None:
        """The links."""
        self._window.left.show_tab(self._window.left.links)

    @Slot()
    def on_next_panel_triggered(self) -> None:
        """F6."""
        self._window.step_panel(1)

    @Slot()
    def on_previous_panel_triggered(self) -> None:
        """Shift+F6."""
        self._window.step_panel(-1)

    # --- help -----------------------------------------------------------------------------------------------

    @Slot()
    def on_palette_triggered(self) -> None:
        """Every command by name."""
        actions = [action for command, action in self._window.actions_by_name if command.name is not Name.PALETTE]
        self._window.palette_of_commands.ask(actions)

    @Slot()
    def on_keys_triggered(self) -> None:
        """All keys."""
        self._window.sheet.show_keys(self._window.actions_by_name)

    @Slot()
    def on_about_triggered(self) -> None:
        """Name, version, licence."""
        words = self.tr(
            "Antinomy {version}. Finds where contracts contradict themselves; works on this machine alone. "
            "Free software under the AGPL, version 3 or later."
        ).format(version=APP_VERSION)
        self._window.pages.banner.say(words, calm=True)
