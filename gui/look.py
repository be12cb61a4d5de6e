"""What the theme alone cannot say: the style sheet, and which theme a widget is drawn in."""

from __future__ import annotations

from PySide6.QtGui import QColor, QPalette

from gui.theme import OkabeIto, Theme, colours
from resources import resource_path


def theme_of(palette: QPalette) -> Theme:
    """The theme that a widget's palette belongs to (sepia reads as light: only pages are sepia)."""
    return Theme.DARK if palette.color(QPalette.ColorRole.Window).lightness() < 128 else Theme.LIGHT


def severity_colour(severity: str, theme: Theme) -> QColor:
    """The colour of a severity's shape; the shape and the word say the same without it."""
    light = {"high": OkabeIto.VERMILION, "medium": "#9A6A00", "low": "#5C6168"}
    dark = {"high": "#FF8A3D", "medium": OkabeIto.ORANGE, "low": "#A3A8AF"}
    return QColor((dark if theme is Theme.DARK else light).get(severity, OkabeIto.GREY))


def style_sheet(theme: Theme) -> str:
    """The few rules that a palette cannot express. Distances are on the 4-pixel grid."""
    c = colours(theme)
    shade = "dark" if theme is Theme.DARK else "light"
    chevron = resource_path("icons", f"chevron_{shade}.svg").as_posix()
    closed = resource_path("icons", f"branch_closed_{shade}.svg").as_posix()
    return f"""
QMainWindow, QStatusBar {{ background: {c.panel}; }}
QMainWindow::separator {{ width: 0; height: 0; }}
QStatusBar::item {{ border: none; }}
QSplitter::handle {{ background: {c.line}; }}
QSplitter::handle:hover {{ background: {c.accent}; }}
QToolTip {{ background: {c.raised}; color: {c.text}; border: 1px solid {c.line}; padding: 4px; }}
QTabBar {{ qproperty-drawBase: 0; }}
QTabBar::tab {{ background: transparent; color: {c.faint}; padding: 8px 4px 6px 4px; border: none;
    border-bottom: 2px solid transparent; }}
QTabBar::tab:selected {{ color: {c.text}; border-bottom: 2px solid {c.accent}; }}
QTabBar::tab:hover {{ color: {c.text}; }}
QTabBar::tab:focus {{ color: {c.accent}; }}
QTabWidget::pane {{ border: none; border-top: 1px solid {c.line}; }}
QLineEdit, QPlainTextEdit, QComboBox {{ background: {c.raised}; color: {c.text}; border: 1px solid {c.line};
    border-radius: 4px; padding: 4px 8px; selection-background-color: {c.accent}; selection-color: {c.on_accent}; }}
QPlainTextEdit {{ padding: 4px; }}
QLineEdit:focus, QPlainTextEdit:focus, QComboBox:focus {{ border: 1px solid {c.accent}; }}
QComboBox::drop-down {{ border: none; width: 24px; }}
QComboBox::down-arrow {{ image: url("{chevron}"); width: 12px; height: 12px; }}
QTreeView::branch:has-children:closed {{ image: url("{closed}"); }}
QTreeView::branch:has-children:open {{ image: url("{chevron}"); }}
QTreeView::branch:selected {{ background: {c.accent}; }}
QComboBox QAbstractItemView {{ background: {c.raised}; border: 1px solid {c.line}; outline: none; }}
QPushButton {{ background: {c.raised}; color: {c.text}; border: 1px solid {c.line}; border-radius: 4px;
    padding: 5px 12px; }}
QPushButton:hover {{ border-color: {c.faint}; }}
QPushButton:focus {{ border-color: {c.accent}; }}
QPushButton:pressed {{ background: {c.line}; }}
QPushButton:disabled {{ color: {c.faint}; background: {c.panel}; }}
QPushButton[chosen="true"] {{ border: 1px solid {c.accent}; color: {c.accent}; }}
QPushButton[role="decision"] {{ padding: 5px 4px; }}
QPushButton[role="main"] {{ background: {c.accent}; color: {c.on_accent}; border-color: {c.accent}; }}
QPushButton[quiet="true"] {{ background: transparent; color: {c.faint}; border: none; border-radius: 0;
    border-top: 1px solid {c.line}; padding: 7px 12px; text-align: left; }}
QPushButton[quiet="true"]:hover, QPushButton[quiet="true"]:focus {{ color: {c.accent}; }}
QToolButton {{ background: transparent; color: {c.text}; border: 1px solid transparent; border-radius: 4px;
    padding: 4px 8px; }}
QToolButton:hover {{ background: {c.raised}; border-color: {c.line}; }}
QToolButton:focus {{ border-color: {c.accent}; }}
QToolButton:disabled {{ color: {c.line}; }}
QToolButton::menu-indicator {{ image: none; }}
QListView, QTreeView, QTableView {{ background: {c.panel}; border: none; outline: none; color: {c.text}; }}
QTreeView::item, QTableView::item {{ padding: 3px 4px; }}
QTreeView::item:selected, QTableView::item:selected {{ background: {c.accent}; color: {c.on_accent}; }}
QListWidget::item {{ padding: 3px 4px; border-radius: 3px; }}
QListWidget::item:hover {{ background: {c.panel}; }}
QListWidget::item:selected {{ background: {c.accent}; color: {c.on_accent}; }}
QHeaderView::section {{ background: {c.panel}; color: {c.faint}; border: none; border-bottom: 1px solid {c.line};
    padding: 4px 8px; }}
QScrollArea {{ background: {c.panel}; border: none; }}
QMenu {{ background: {c.raised}; color: {c.text}; border: 1px solid {c.line}; padding: 4px 0; }}
QMenu::item {{ padding: 5px 24px 5px 16px; }}
QMenu::item:selected {{ background: {c.accent}; color: {c.on_accent}; }}
QMenu::item:disabled {{ color: {c.faint}; }}
QMenu::separator {{ height: 1px; background: {c.line}; margin: 4px 0; }}
QMenuBar {{ background: {c.panel}; color: {c.text}; }}
QMenuBar::item {{ padding: 4px 8px; background: transparent; }}
QMenuBar::item:selected {{ background: {c.line}; }}
QProgressBar {{ background: {c.line}; border: none; border-radius: 2px; max-height: 4px; min-height: 4px; }}
QProgressBar::chunk {{ background: {c.accent}; border-radius: 2px; }}
QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; }}
QScrollBar::handle:vertical {{ background: {c.line}; border-radius: 4px; min-height: 24px; margin: 1px; }}
QScrollBar::handle:vertical:hover {{ background: {c.faint}; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 0; }}
QScrollBar::handle:horizontal {{ background: {c.line}; border-radius: 4px; min-width: 24px; margin: 1px; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
#top_bar {{ background: {c.panel}; border-bottom: 1px solid {c.line}; }}
#status_line {{ background: {c.panel}; border-top: 1px solid {c.line}; }}
#banner {{ background: {c.raised}; border-bottom: 1px solid {c.line}; border-left: 4px solid {c.warning}; }}
#banner[tone="calm"] {{ border-left: 4px solid {c.accent}; }}
#reading_bar {{ background: {c.panel}; border-bottom: 1px solid {c.line}; }}
QToolButton#switch {{ color: {c.faint}; padding: 3px 5px; }}
QToolButton#switch:checked {{ color: {c.text}; background: {c.raised}; border-color: {c.accent}; }}
#reading_bar QToolButton {{ color: {c.faint}; padding: 3px 8px; }}
#reading_bar QToolButton:checked {{ color: {c.text}; background: {c.raised}; border-color: {c.accent}; }}
#suggestion {{ border: 1px dashed {c.faint}; border-radius: 6px; }}
#card {{ background: {c.raised}; border: 1px solid {c.line}; border-radius: 6px; }}
#card[current="true"] {{ border: 1px solid {c.accent}; }}
#decision_bar {{ background: {c.panel}; border-top: 1px solid {c.line}; }}
#popup {{ background: {c.raised}; border: 1px solid {c.line}; border-radius: 6px; }}
#popup QListView {{ background: {c.raised}; }}
QLabel[faint="true"] {{ color: {c.faint}; }}
QLabel[key="true"] {{ color: {c.text}; background: {c.panel}; border: 1px solid {c.line}; border-radius: 3px;
    padding: 1px 6px; }}
"""
