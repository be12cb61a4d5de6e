"""The inbox as a list: filtered, grouped, with a header line before each group."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping, Sequence

from PySide6.QtCore import QAbstractListModel, QMimeData, QModelIndex, QPersistentModelIndex, Qt

from engine.matter.records import DecisionState
from engine.protocol.findings import Severity
from gui.pages.span_mime import SPAN_MIME_TYPE, encode_span
from gui.state.finding_row import FindingRow
from gui.state.sieve import Certainty, Sieve
from gui.state.wording import code_words, severity_words, tier_words, verdict_words

AnyIndex = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
#: Made once: Qt asks for them thousands of times.
_ROW_FLAGS = (
    Qt.ItemFlag.ItemIsEnabled
    | Qt.ItemFlag.ItemIsSelectable
    | Qt.ItemFlag.ItemIsDragEnabled
    | Qt.ItemFlag.ItemNeverHasChildren
)
_TIER_ORDER = {"conflict": 0, "possible": 1, "check": 2}
_SEVERITY_ORDER = {Severity.HIGH: 0, Severity.MEDIUM: 1, Severity.LOW: 2}


class Grouping(enum.StrEnum):
    """By what the inbox is grouped."""

    TIER = "tier"
    SEVERITY = "severity"
    KIND = "kind"
    CLAUSE = "clause"
    DOCUMENT = "document"
    STATE = "state"
    NONE = "none"


class Show(enum.StrEnum):
    """Which states the inbox shows."""

    ALL = "all"
    TO_DO = "to_do"
    CONFIRMED = "confirmed"
    DISMISSED = "dismissed"
    DIFFERENT = "different"


class Header(str):
    """The words of a group's header line."""

    __slots__ = ()


_SHOWN: dict[Show, frozenset[DecisionState]] = {
    Show.ALL: frozenset(DecisionState),
    Show.TO_DO: frozenset({DecisionState.OPEN, DecisionState.FLAGGED}),
    Show.CONFIRMED: frozenset({DecisionState.CONFIRMED}),
    Show.DISMISSED: frozenset({DecisionState.DISMISSED}),
    Show.DIFFERENT: frozenset(DecisionState),
}


def _first_place(row: FindingRow) -> int:
    return row.finding.passages[0].start if row.finding.passages else 0


def _document_of(row: FindingRow, names: Mapping[str, str]) -> str:
    """The documents that a finding lies in, the matter's order kept: ``a.pdf ↔ b.pdf``."""
    touched = {passage.document for passage in row.finding.passages}
    return " ↔ ".join(name for document, name in names.items() if document in touched)


def _document_order(row: FindingRow, names: Mapping[str, str]) -> tuple[int, ...]:
    touched = {passage.document for passage in row.finding.passages}
    return tuple(i for i, document in enumerate(names) if document in touched)


def _group_of(grouping: Grouping, names: Mapping[str, str]) -> Callable[[FindingRow], tuple[object, str]]:
    """What sorts a row's group, and the group's words."""
    if grouping is Grouping.TIER:
        return lambda row: (_TIER_ORDER.get(row.finding.tier, len(_TIER_ORDER)), tier_words(row.finding.tier))
    if grouping is Grouping.SEVERITY:
        return lambda row: (_SEVERITY_ORDER[row.finding.severity], severity_words(row.finding.severity))
    if grouping is Grouping.KIND:
        return lambda row: (code_words(row.finding.code).casefold(), code_words(row.finding.code))
    if grouping is Grouping.STATE:
        return lambda row: (list(DecisionState).index(row.verdict), verdict_words(row.verdict))
    places: dict[Grouping, Callable[[FindingRow], tuple[object, str]]] = {
        Grouping.CLAUSE: lambda row: (
            _first_place(row), row.finding.passages[0].clause if row.finding.passages else ""
        ),
        Grouping.DOCUMENT: lambda row: (_document_order(row, names), _document_of(row, names)),
    }  # fmt: skip
    return places.get(grouping, lambda _row: (0, ""))


class FindingsModel(QAbstractListModel):
    """Rows for the inbox's list view.

    ``RowRole`` gives the :class:`FindingRow` of a row, or None for a group's header.
    """

    RowRole = Qt.ItemDataRole.UserRole + 1

    def __init__(self) -> None:
        super().__init__()
        self._all: list[FindingRow] = []
        self._shown: list[FindingRow | Header] = []
        self._index_of: dict[str, int] = {}
        self._needles: list[str] = []
        self._passing: set[str] = set()
        self._hidden = 0
        # A bare model lists everything; the inbox sets what the person wants.
        self.sieve = Sieve(Certainty.EVERYTHING)
        self.grouping = Grouping.TIER
        self.show = Show.ALL
        #: The matter's documents, in order: ids with names.
        self.document_names: dict[str, str] = {}

    def set_rows(self, rows: Iterable[FindingRow]) -> None:
        """Replace all rows; the order given is the order inside a group."""
        self._all = list(rows)
        self._sift()
        self._arrange()

    def update_rows(self, changed: dict[str, FindingRow]) -> None:
        """Put new versions of rows (by id) in place.

        A row that no longer fits the filter stays until the next arrangement, so that the list does
        not jump under the person's eyes while she decides.
        """
        self._all = [changed.get(row.id, row) for row in self._all]
        self._passing.update(row.id for row in changed.values() if self.sieve.passes(row))
        places = []
        for finding_id, row in changed.items():
            at = self._index_of.get(finding_id)
            if at is not None:
                self._shown[at] = row
                places.append(at)
        if places:
            # One word for all: who listens draws what is in sight.
            self.dataChanged.emit(self.index(min(places)), self.index(max(places)))

    def set_filter(self, text: str) -> None:
        """Show rows that contain every word of ``text``, in any case."""
        self._needles = text.casefold().split()
        self._arrange()

    def set_sieve(self, sieve: Sieve) -> None:
        """Show surer findings only, or weaker ones too."""
        self.sieve = sieve
        self._sift()
        self._arrange()

    def set_grouping(self, grouping: Grouping) -> None:
        """Group by something else."""
        self.grouping = grouping
        self._arrange()

    def set_show(self, show: Show) -> None:
        """Show other states."""
        self.show = show
        self._arrange()

    def row_at(self, index: AnyIndex) -> FindingRow | None:
        """The row at an index; None for a header or nothing."""
        if not index.isValid():
            return None
        row = self._shown[index.row()]
        return None if isinstance(row, Header) else row

    def ids_between(self, top: int, bottom: int) -> list[str]:
        """The findings' ids in the rows ``top`` to ``bottom``, both included."""
        return [row.id for row in self._shown[top : bottom + 1] if not isinstance(row, Header)]

    def index_of(self, finding_id: str) -> QModelIndex:
        """Where a finding stands; invalid when it is not shown."""
        at = self._index_of.get(finding_id)
        return QModelIndex() if at is None else self.index(at)

    def neighbour(self, index: AnyIndex, step: int) -> QModelIndex:
        """The next (``step`` 1) or previous (-1) finding, headers skipped; invalid at the end."""
        at = index.row() + step if index.isValid() else (0 if step > 0 else len(self._shown) - 1)
        while 0 <= at < len(self._shown):
            if not isinstance(self._shown[at], Header):
                return self.index(at)
            at += step
        return QModelIndex()

    def shown_count(self) -> int:
        """How many findings the filter lets through."""
        return len(self._index_of)

    def total_count(self) -> int:
        """How many findings there are, shown or not."""
        return len(self._all)

    def hidden_count(self) -> int:
        """How many findings that fit the filter are hidden as too weak."""
        return self._hidden

    def rows(self) -> list[FindingRow]:
        """All rows, shown or not."""
        return self._all

    def is_passing(self, finding_id: str) -> bool:
        """Whether a finding is sure enough, whatever the filter says; as of the last arrangement."""
        return finding_id in self._passing

    def _sift(self) -> None:
        passes = self.sieve.passes
        self._passing = {row.id for row in self._all if passes(row)}

    def _matches(self, row: FindingRow) -> bool:
        if row.verdict not in _SHOWN[self.show]:
            return False
        if self.show is Show.DIFFERENT and not (row.is_new or row.is_gone or row.is_changed):
            return False
        return all(needle in row.searchable for needle in self._needles)

    def _arrange(self) -> None:
        self.beginResetModel()
        kept = [row for row in self._all if self._matches(row)] if self._needles or self.show != Show.ALL else self._all
        fitting = len(kept)
        if len(self._passing) < len(self._all):
            kept = [row for row in kept if row.id in self._passing]
        self._hidden = fitting - len(kept)
        self._shown = list(self._grouped(kept))
        self._index_of = {row.id: i for i, row in enumerate(self._shown) if not isinstance(row, Header)}
        self.endResetModel()

    def _grouped(self, rows: list[FindingRow]) -> Iterable[FindingRow | Header]:
        if self.grouping is Grouping.NONE:
            yield from rows
            return
        group_of = _group_of(self.grouping, self.document_names)
        groups: dict[tuple[object, str], list[FindingRow]] = {}
        for row in rows:
            key = group_of(row)
            if self.grouping is Grouping.CLAUSE:
                # All findings of one clause are one group, wherever in the clause they begin.
                key = next((known for known in groups if known[1] == key[1]), key)
            groups.setdefault(key, []).append(row)
        for key in sorted(groups, key=lambda k: k[0]):  # type: ignore[arg-type, return-value]  # one type per grouping
            yield Header(f"{key[1] or '—'}  ·  {len(groups[key])}")
            yield from groups[key]

    # --- Qt's interface ---------------------------------------------------------------------------

    def rowCount(self, parent: AnyIndex = _ROOT) -> int:
        """Rows shown, headers included."""
        return 0 if parent.isValid() else len(self._shown)

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        """Headers can be neither chosen nor entered."""
        return Qt.ItemFlag.NoItemFlags if self.row_at(index) is None else _ROW_FLAGS

    def mimeTypes(self) -> list[str]:
        """Spans alone."""
        return [SPAN_MIME_TYPE]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """The first passage of the finding that is dragged, to be linked with a clause."""
        row = next((row for row in map(self.row_at, indexes) if row is not None and row.finding.passages), None)
        if row is None:
            return QMimeData()
        passage = row.finding.passages[0]
        return encode_span(passage.document, passage.start, passage.end, passage.text)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The words for screen readers and tool tips; the row itself under :attr:`RowRole`."""
        if not index.isValid():
            return None
        row = self._shown[index.row()]
        if isinstance(row, Header):
            return str(row) if role == Qt.ItemDataRole.DisplayRole else None
        if role == self.RowRole:
            return row
        return self._words(row, role)

    def _words(self, row: FindingRow, role: int) -> str | None:
        finding = row.finding
        if role == Qt.ItemDataRole.DisplayRole:
            return finding.summary
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{code_words(finding.code)} · {row.places}\n{finding.summary}"
        if role == Qt.ItemDataRole.AccessibleTextRole:
            words = (severity_words(finding.severity), tier_words(finding.tier), verdict_words(row.verdict))
            return f"{', '.join(words)}: {finding.summary} {row.places}"
        return None
