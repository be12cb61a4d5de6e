"""The rows of the Links tab: judgements and suggestions, filtered and sorted in plain Python, which 10,000 stand."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
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


class LinksModel(QAbstractTableModel):
    """Columns: clauses, kind, aspect, by whom, state, date. ``LinkRole`` gives the Link or the Suggestion."""

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
        # Of each row, by id: the row they were made of, its cells, and what the filter looks through.
        self._made: dict[str, tuple[Row, tuple[str, ...], str]] = {}
        self._fetched = 0
        self._italic = QFont()
        self._italic.setItalic(True)

    # --- content --------------------------------------------------------------------------------------

    def set_links(self, links: Sequence[Link], names: Mapping[str, str] | None = None, me: str = "") -> None:
        """Replace all links, the newest is listed first; ``names`` are the annotators' by id."""
        self._links = list(reversed(links))
        if names != self._names:
            self._made.clear()
        self._names, self._me = dict(names or {}), me
        self._arrange()

    def set_suggestions(self, suggestions: Sequence[Suggestion]) -> None:
        """Replace the suggestions; their order is the one given."""
        self._suggestions = list(suggestions)
        if self._shown is Shown.SUGGESTIONS:
            self._arrange()

    def set_label_words(self, words: Mapping[str, str]) -> None:
        """What the project calls its labels, by code."""
        self._words = dict(words)
        self._made.clear()
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
            rows = [row for row in rows if all(word in self._text_of(row) for word in words)]
        column, order = self._sorted_by
        if column >= 0:
            # Reversed twice, so that equal ones keep their order either way.
            descending = order is Qt.SortOrder.DescendingOrder
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

    def _text_of(self, row: Row) -> str:
        return self._of(row)[1]

    def _cells(self, row: Row) -> tuple[str, ...]:
        return self._of(row)[0]

    def _of(self, row: Row) -> tuple[tuple[str, ...], str]:
        made = self._made.get(row.id)
        if made is None or made[0] is not row:
            cells = self._new_cells(row)
            more = row.note if isinstance(row, Link) else row.summary
            text = "\n".join((*cells, row.code, more, *(end.quote for end in row.ends))).casefold()
            made = self._made[row.id] = (row, cells, text)
        return made[1], made[2]

    def _sort_key(self, row: Row, column: int) -> tuple[object, ...]:
        if column == 0:
            return tuple((end.document, end.start) for end in row.ends)
        return (self._cells(row)[column].casefold(),)

    def _new_cells(self, row: Row) -> tuple[str, ...]:
        kind = self._words.get(row.code)
        if kind is None:
            kind = self._words[row.code] = code_words(row.code)
        if isinstance(row, Suggestion):
            # No score: it would lead the annotator, and tell the random controls from the others.
            return (places_of(row.ends), kind, "", "", self.tr("suggested"), "")
        name = self._names.get(row.annotator, row.annotator)
        return (link_places(row), kind, row.aspect, name, link_status_words(row), row.changed_at[:10])

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
        """Six."""
        return 0 if parent.isValid() else 6

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """The columns' names."""
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            names = (self.tr("Clauses"), self.tr("Kind"), self.tr("Aspect"), self.tr("By"), self.tr("State"))
            return (*names, self.tr("Date"))[section]
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
