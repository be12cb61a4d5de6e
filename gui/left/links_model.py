"""The rows of the Links tab: judgements and suggestions, filtered and sorted in plain Python, which 10,000 stand."""

from __future__ import annotations

import enum
import time
from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, QTimer, Slot
from PySide6.QtGui import QColor, QFont, QGuiApplication

from engine.matter.queue import Suggestion
from engine.matter.records import Link, LinkEnd, LinkStatus
from gui.look import theme_of
from gui.state.wording import code_words, link_status_words
from gui.theme import colours

AnyIndex = QModelIndex | QPersistentModelIndex
Row = Link | Suggestion
_ROOT = QModelIndex()
_QUOTE_CHARACTERS = 32
#: Rows that the view is told of at a time: it asks each of them for its place when the rows change.
_AT_ONCE = 500
_CELL_CHARACTERS = 160
#: How long making rows ready may hold the window up at a time.
_SLICE_S = 0.004


class Shown(enum.StrEnum):
    """Which rows are listed."""

    LINKS = "links"
    SUGGESTIONS = "suggestions"
    MINE = "mine"
    OTHERS = "others"
    CONFLICTS = "conflicts"
    NO_CONFLICTS = "no_conflicts"
    RULED = "ruled"


def places_of(ends: Sequence[LinkEnd]) -> str:
    """The clauses joined: ``4.1 ↔ 9.3``; words stand in for clauses without a number."""
    return " ↔ ".join(end.clause_number or _opening(end.quote) for end in ends)


def link_places(link: Link) -> str:
    """The clauses a link joins."""
    return places_of(link.ends)


def _opening(quote: str) -> str:
    words = " ".join(quote.split())
    return words if len(words) <= _QUOTE_CHARACTERS else words[: _QUOTE_CHARACTERS - 1] + "…"


def _words_of(quote: str) -> str:
    """A quote as a cell shows it; a cell has no room for more."""
    return " ".join(quote[:_CELL_CHARACTERS].split())


class LinksModel(QAbstractTableModel):
    """Columns: clauses, kind, aspect, both quotes, by whom, state, date. ``LinkRole`` gives the Link or Suggestion."""

    LinkRole = Qt.ItemDataRole.UserRole + 1

    def __init__(self) -> None:
        super().__init__()
        self._links: list[Link] = []
        self._suggestions: list[Suggestion] = []
        self._rows: list[Row] = []
        self._names: Mapping[str, str] = {}
        self._me = ""
        self._needle = ""
        self._shown = Shown.LINKS
        self._sorted_by: tuple[int, Qt.SortOrder] = (-1, Qt.SortOrder.AscendingOrder)
        self._words: dict[str, str] = {}
        # Of each row, by id: its cells, and what the filter looks through. The rest waits: see :meth:`_make_some`.
        self._cells_of: dict[str, tuple[str, ...]] = {}
        self._text_of: dict[str, str] = {}
        self._made_of: dict[str, Row] = {}
        self._waiting: list[Row] = []
        self._idle = QTimer(self, singleShot=True, interval=0)
        self._idle.timeout.connect(self.on_idle_timeout)
        self._fetched = 0
        self._italic = QFont()
        self._italic.setItalic(True)

    # --- content --------------------------------------------------------------------------------------

    def set_links(self, links: Sequence[Link], names: Mapping[str, str] | None = None, me: str = "") -> None:
        """Replace all links, the newest is listed first; ``names`` are the annotators' by id."""
        self._links = list(reversed(links))
        if names != self._names:
            self._made_of.clear()
        self._names, self._me = dict(names or {}), me
        self._wait_for_making()
        self._arrange()

    def set_suggestions(self, suggestions: Sequence[Suggestion]) -> None:
        """Replace the suggestions; their order is the one given."""
        self._suggestions = list(suggestions)
        self._wait_for_making()
        if self._shown is Shown.SUGGESTIONS:
            self._arrange()

    def set_label_words(self, words: Mapping[str, str]) -> None:
        """What the project calls its labels, by code."""
        self._words = dict(words)
        self._made_of.clear()
        self._wait_for_making()
        self._arrange()

    def set_filter(self, text: str) -> None:
        """List rows that contain all words of ``text`` in any case."""
        self._needle = text
        self._arrange()

    def set_shown(self, shown: Shown) -> None:
        """List other rows."""
        self._shown = shown
        self._arrange()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """By a column; -1 for the newest first, or the teaching order."""
        self._sorted_by = (column, order)
        self._arrange()

    @property
    def count(self) -> int:
        """How many there are of the kind shown, filtered or not."""
        return len(self._suggestions) if self._shown is Shown.SUGGESTIONS else len(self._links)

    def _arrange(self) -> None:
        rows: list[Row] = [*self._suggestions] if self._shown is Shown.SUGGESTIONS else self._chosen_links()
        words = self._needle.casefold().split()
        if words:
            self._make_all()
            text_of = self._text_of
            for word in words:
                rows = [row for row in rows if word in text_of[row.id]]
        column, order = self._sorted_by
        if column >= 0:
            # Reversed twice, so that equal ones keep their order either way.
            descending = order is Qt.SortOrder.DescendingOrder
            self._make_all()
            rows.sort(key=lambda row: self._sort_key(row, column), reverse=descending)
        self.beginResetModel()
        self._rows = rows
        self._fetched = min(_AT_ONCE, len(rows))
        self.endResetModel()

    def _chosen_links(self) -> list[Row]:
        tests: dict[Shown, Callable[[Link], bool]] = {
            Shown.MINE: lambda link: link.annotator == self._me,
            Shown.OTHERS: lambda link: link.annotator != self._me,
            Shown.CONFLICTS: lambda link: not link.code.startswith("not."),
            Shown.NO_CONFLICTS: lambda link: link.code.startswith("not."),
            Shown.RULED: lambda link: link.status is not LinkStatus.LABELLED,
        }
        test = tests.get(self._shown)
        return [*self._links] if test is None else [link for link in self._links if test(link)]

    # --- what the cells say and the filter looks through -----------------------------------------------

    def _wait_for_making(self) -> None:
        """Rows whose words are not known yet are made ready while nothing else happens, so that no filter waits."""
        made = self._made_of
        rows: list[Row] = [*self._suggestions, *self._links]
        self._waiting = [row for row in rows if made.get(row.id) is not row]
        if self._waiting:
            self._idle.start()

    @property
    def is_ready(self) -> bool:
        """Whether the words of all rows are there for the filter."""
        return not self._waiting

    @Slot()
    def on_idle_timeout(self) -> None:
        """A slice of them; the window is looked after between the slices."""
        until_s = time.perf_counter() + _SLICE_S
        while self._waiting and time.perf_counter() < until_s:
            self._make(self._waiting.pop())
        if self._waiting:
            self._idle.start()

    def _make_all(self) -> None:
        for row in self._waiting:
            self._make(row)
        self._waiting = []

    def _make(self, row: Row) -> None:
        cells = self._new_cells(row)
        more = row.note if isinstance(row, Link) else row.summary
        self._made_of[row.id], self._cells_of[row.id] = row, cells
        words = (*cells[:3], *cells[5:], row.code, more, *(end.quote for end in row.ends))
        self._text_of[row.id] = "\n".join(words).casefold()

    def _cells(self, row: Row) -> tuple[str, ...]:
        if self._made_of.get(row.id) is not row:
            self._make(row)
        return self._cells_of[row.id]

    def _sort_key(self, row: Row, column: int) -> tuple[object, ...]:
        if column == 0:
            return tuple((end.document, end.start) for end in row.ends)
        return (self._cells_of[row.id][column].casefold(),)

    def _new_cells(self, row: Row) -> tuple[str, ...]:
        kind = self._words.get(row.code)
        if kind is None:
            kind = self._words[row.code] = code_words(row.code)
        quotes = (_words_of(row.ends[0].quote), " · ".join(_words_of(end.quote) for end in row.ends[1:]))
        if isinstance(row, Suggestion):
            # No score: it would lead the annotator, and tell the random controls from the others.
            return (places_of(row.ends), kind, "", *quotes, "", self.tr("suggested"), "")
        name = self._names.get(row.annotator, row.annotator)
        return (link_places(row), kind, row.aspect, *quotes, name, link_status_words(row), row.changed_at[:10])

    # --- Qt's interface ---------------------------------------------------------------------------------

    def rowCount(self, parent: AnyIndex = _ROOT) -> int:
        """One a link or suggestion, as far as the view has come."""
        return 0 if parent.isValid() else self._fetched

    def canFetchMore(self, parent: AnyIndex) -> bool:  # noqa: N802 - Qt's name
        """Whether rows wait below those that the view knows."""
        return not parent.isValid() and self._fetched < len(self._rows)

    def fetchMore(self, parent: AnyIndex) -> None:  # noqa: N802 - Qt's name
        """The view has come to the end of those it knows."""
        if self.canFetchMore(parent):
            self._know(min(self._fetched + _AT_ONCE, len(self._rows)))

    def _know(self, count: int) -> None:
        self.beginInsertRows(_ROOT, self._fetched, count - 1)
        self._fetched = count
        self.endInsertRows()

    def columnCount(self, parent: AnyIndex = _ROOT) -> int:
        """Eight."""
        return 0 if parent.isValid() else 8

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """The columns' names."""
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            names = (self.tr("Clauses"), self.tr("Kind"), self.tr("Aspect"))
            quotes = (self.tr("First passage"), self.tr("Second passage"))
            return (*names, *quotes, self.tr("By"), self.tr("State"), self.tr("Date"))[section]
        return None

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The words of a cell, the quotes in the tool tip; suggestions are in faint italics."""
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == self.LinkRole:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return self._cells(row)[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            more = [row.note, row.changed_at[:10]] if isinstance(row, Link) else [row.summary]
            return "\n\n".join(part for part in [*(end.quote for end in row.ends), *more] if part)
        return self._look(role) if isinstance(row, Suggestion) else None

    def _look(self, role: int) -> object:
        """How a suggestion differs from a judgement."""
        if role == Qt.ItemDataRole.FontRole:
            return self._italic
        if role == Qt.ItemDataRole.ForegroundRole:
            return QColor(colours(theme_of(QGuiApplication.palette())).faint)
        return None

    def row_of(self, row_id: str) -> int:
        """Where a link or suggestion is listed, -1 when it is not."""
        at = next((i for i, row in enumerate(self._rows) if row.id == row_id), -1)
        if at >= self._fetched:
            self._know(at + 1)
        return at

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        """Rows can be chosen."""
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemNeverHasChildren if index.isValid() else flags
