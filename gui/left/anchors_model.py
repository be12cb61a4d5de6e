"""The anchors as a tree: kinds, values in them, and under a value its places and those of its rivals."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, Qt

from engine.document import Document
from gui.left.anchors_delegate import FAINT_ROLE, HEAD_ROLE, RIGHT_ROLE, STANDING_ROLE
from gui.state.anchor_book import AnchorBook, Spot, Standing, Value, place_words
from gui.state.wording import anchor_words, page_words, role_words, standing_words

AnyIndex = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
#: An index's number: 0 for a kind, 1 + the kind's row for a value, else this and the value's number.
_PLACE = 1 << 32


class AnchorsModel(QAbstractItemModel):
    """One column, drawn by :class:`gui.left.anchors_delegate.AnchorsDelegate`."""

    def __init__(self) -> None:
        super().__init__()
        self._book = AnchorBook([], True)
        self._documents: Mapping[str, Document] = {}
        self._kinds: list[tuple[str, list[Value]]] = []
        self._values: list[tuple[int, int, Value]] = []
        self._number: dict[int, int] = {}
        self._children: dict[int, list[tuple[Value, Spot]]] = {}
        self._filter: tuple[str, str, Collection[Standing]] = ("", "", ())

    def set_book(self, book: AnchorBook, documents: Mapping[str, Document]) -> None:
        """List other anchors; ``documents`` give the words around a place."""
        self._book, self._documents = book, documents
        self._list()

    def set_filter(self, text: str, kind: str, standings: Collection[Standing]) -> None:
        """Show values that contain ``text``, of one kind ("" for all), of some standings (none for all)."""
        self._filter = (text, kind, standings)
        self._list()

    def _list(self) -> None:
        self.beginResetModel()
        self._kinds, self._values, self._number, self._children = [], [], {}, {}
        for value in self._book.listed(*self._filter):
            if not self._kinds or self._kinds[-1][0] != value.kind:
                self._kinds.append((value.kind, []))
            siblings = self._kinds[-1][1]
            self._number[id(value)] = len(self._values)
            self._values.append((len(self._kinds) - 1, len(siblings), value))
            siblings.append(value)
        self.endResetModel()

    # --- what stands in a row -------------------------------------------------------------------------------

    def value_at(self, index: AnyIndex) -> Value | None:
        """The value of a row; None for a kind and for a place."""
        if not index.isValid() or not 1 <= index.internalId() < _PLACE:
            return None
        return self._kinds[index.internalId() - 1][1][index.row()]

    def spot_at(self, index: AnyIndex) -> Spot | None:
        """The place of a row; a value's is its first one, a kind has none."""
        value = self.value_at(index)
        if value is not None:
            return value.spots[0]
        if not index.isValid() or index.internalId() < _PLACE:
            return None
        return self._places(index.internalId() - _PLACE)[index.row()][1]

    def shown(self) -> list[Value]:
        """The values listed now."""
        return [value for _, _, value in self._values]

    def _places(self, number: int) -> list[tuple[Value, Spot]]:
        """What stands under a value: its places, then those of its rivals."""
        places = self._children.get(number)
        if places is None:
            value = self._values[number][2]
            places = [(value, spot) for spot in value.spots]
            for rival in value.rivals:
                same = [spot for spot in rival.spots if spot.role and spot.role in value.roles]
                places += [(rival, spot) for spot in same or rival.spots]
            self._children[number] = places
        return places

    # --- Qt's interface ---------------------------------------------------------------------------------------

    def index(self, row: int, column: int, parent: AnyIndex = _ROOT) -> QModelIndex:
        """A row under its parent."""
        if column != 0 or not 0 <= row < self.rowCount(parent):
            return QModelIndex()
        if not parent.isValid():
            return self.createIndex(row, 0, 0)
        value = self.value_at(parent)
        return self.createIndex(row, 0, parent.row() + 1 if value is None else _PLACE + self._number[id(value)])

    def parent(self, child: AnyIndex) -> QModelIndex:  # type: ignore[override]  # the stubs add QObject.parent()
        """The kind of a value, the value of a place."""
        number = child.internalId() if child.isValid() else 0
        if number == 0:
            return QModelIndex()
        if number < _PLACE:
            return self.createIndex(number - 1, 0, 0)
        kind, row, _ = self._values[number - _PLACE]
        return self.createIndex(row, 0, kind + 1)

    def rowCount(self, parent: AnyIndex = _ROOT) -> int:
        """Kinds, values of a kind, places under a value."""
        if not parent.isValid():
            return len(self._kinds)
        if parent.internalId() == 0:
            return len(self._kinds[parent.row()][1])
        value = self.value_at(parent)
        return 0 if value is None else len(self._places(self._number[id(value)]))

    def hasChildren(self, parent: AnyIndex = _ROOT) -> bool:
        """Kinds have values and values have places; asked for each row, so nothing is gathered for it."""
        return bool(self._kinds) if not parent.isValid() else parent.internalId() < _PLACE

    def columnCount(self, _parent: AnyIndex = _ROOT) -> int:
        """One."""
        return 1

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Words, sign, count."""
        if not index.isValid():
            return None
        value = self.value_at(index)
        if value is not None:
            return _value_data(value, role)
        if index.internalId() == 0:
            return self._kind_data(*self._kinds[index.row()], role)
        number = index.internalId() - _PLACE
        return self._place_data(self._values[number][2], *self._places(number)[index.row()], role)

    @staticmethod
    def _kind_data(kind: str, values: list[Value], role: int) -> object:
        if role == Qt.ItemDataRole.DisplayRole:
            return anchor_words(kind)
        if role == RIGHT_ROLE:
            apart = sum(value.standing in (Standing.CONFLICT, Standing.DIFFERS) for value in values)
            return f"≠ {apart}   {len(values)}" if apart else str(len(values))
        return True if role == HEAD_ROLE else None

    def _place_data(self, under: Value, value: Value, spot: Spot, role: int) -> object:
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, FAINT_ROLE, STANDING_ROLE):
            return None
        is_rival = value is not under
        if role == STANDING_ROLE:
            return Standing.DIFFERS if is_rival else None
        document = self._documents.get(spot.document)
        number, page, around = place_words(document, spot)
        where = number or page_words(page)
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{where}  {value.words}" if is_rival else where
        if role == FAINT_ROLE:
            return around
        return "\n".join(part for part in (document.name if document else "", where, around) if part)


def _value_data(value: Value, role: int) -> object:
    if role == Qt.ItemDataRole.DisplayRole:
        return value.words
    if role == STANDING_ROLE:
        return value.standing
    if role == FAINT_ROLE:
        return ", ".join(role_words(each) for each in value.roles[:2])
    if role == RIGHT_ROLE:
        return str(len(value.spots))
    if role == Qt.ItemDataRole.AccessibleTextRole:
        return f"{value.words}, {standing_words(value.standing.name)}, {len(value.spots)}"
    return None
