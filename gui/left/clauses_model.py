"""The clause tree of a document, as rows that can be dragged onto each other."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from PySide6.QtCore import QAbstractItemModel, QMimeData, QModelIndex, QPersistentModelIndex, Qt, Signal

from engine.document import Clause, ClauseKind, Document
from gui.pages.span_mime import SPAN_MIME_TYPE, DraggedSpan, decode_span, encode_span

AnyIndex = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
#: What is no place to go to in a list of clauses.
_LEFT_OUT = frozenset({ClauseKind.CONTENTS, ClauseKind.PARAGRAPH, ClauseKind.FOOTNOTE})
_OPENING_CHARACTERS = 90
#: Made once: Qt asks for them thousands of times.
_CLAUSE_FLAGS = (
    Qt.ItemFlag.ItemIsEnabled
    | Qt.ItemFlag.ItemIsSelectable
    | Qt.ItemFlag.ItemIsDragEnabled
    | Qt.ItemFlag.ItemIsDropEnabled
)


@dataclasses.dataclass(slots=True)
class _Node:
    clause: Clause
    words: str
    parent: int
    row: int
    children: list[int] = dataclasses.field(default_factory=list)


def clause_words(document: Document, clause: Clause) -> str:
    """A clause in one line: number and heading, or number and its first words."""
    words = clause.heading or document.text[clause.body_start : clause.body_start + _OPENING_CHARACTERS]
    line = " ".join(words.split())
    label = clause.label or clause.number
    if not label:
        return line or " ".join(document.text[clause.start : clause.start + _OPENING_CHARACTERS].split())
    return f"{label}  {line}" if line else label


class ClausesModel(QAbstractItemModel):
    """One column. ``ClauseRole`` gives the :class:`Clause`.

    Signals:
        link_dropped(DraggedSpan, DraggedSpan): the first span was dropped on the clause of the second.
    """

    ClauseRole = Qt.ItemDataRole.UserRole + 1
    link_dropped = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self._document: Document | None = None
        self._nodes: list[_Node] = []
        self._roots: list[int] = []
        self._at: dict[str, int] = {}

    def set_document(self, document: Document | None) -> None:
        """Show another document's clauses."""
        self.beginResetModel()
        self._document = document
        self._nodes, self._roots, self._at = [], [], {}
        for clause in document.clauses if document else ():
            if document is not None and clause.kind not in _LEFT_OUT:
                self._add(document, clause)
        self.endResetModel()

    def _add(self, document: Document, clause: Clause) -> None:
        parent = self._at.get(clause.parent, -1)
        siblings = self._nodes[parent].children if parent >= 0 else self._roots
        self._at[clause.id] = len(self._nodes)
        siblings.append(len(self._nodes))
        self._nodes.append(_Node(clause, clause_words(document, clause), parent, len(siblings) - 1))

    def clause_at(self, index: AnyIndex) -> Clause | None:
        """The clause of a row."""
        return self._nodes[index.internalId()].clause if index.isValid() else None

    def index_of(self, clause_id: str) -> QModelIndex:
        """Where a clause stands; invalid when it is not listed."""
        at = self._at.get(clause_id)
        return QModelIndex() if at is None else self.createIndex(self._nodes[at].row, 0, at)

    # --- Qt's interface -------------------------------------------------------------------------------

    def _children(self, parent: AnyIndex) -> Sequence[int]:
        return self._nodes[parent.internalId()].children if parent.isValid() else self._roots

    def index(self, row: int, column: int, parent: AnyIndex = _ROOT) -> QModelIndex:
        """A row under its parent."""
        children = self._children(parent)
        if column != 0 or not 0 <= row < len(children):
            return QModelIndex()
        return self.createIndex(row, 0, children[row])

    def parent(self, child: AnyIndex) -> QModelIndex:  # type: ignore[override]  # the stubs add QObject.parent()
        """The clause around a clause."""
        if not child.isValid():
            return QModelIndex()
        parent = self._nodes[child.internalId()].parent
        return QModelIndex() if parent < 0 else self.createIndex(self._nodes[parent].row, 0, parent)

    def rowCount(self, parent: AnyIndex = _ROOT) -> int:
        """Clauses directly inside."""
        return len(self._children(parent))

    def columnCount(self, _parent: AnyIndex = _ROOT) -> int:
        """One."""
        return 1

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """A clause's line, its page in the tool tip."""
        if not index.isValid():
            return None
        node = self._nodes[index.internalId()]
        if role == Qt.ItemDataRole.DisplayRole:
            return node.words
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.tr("{number} · page {page}").format(
                number=node.clause.number or node.words, page=node.clause.page + 1
            )
        return node.clause if role == self.ClauseRole else None

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        """Every clause can be dragged and be dropped on."""
        return _CLAUSE_FLAGS if index.isValid() else Qt.ItemFlag.NoItemFlags

    def mimeTypes(self) -> list[str]:
        """Spans alone."""
        return [SPAN_MIME_TYPE]

    def supportedDropActions(self) -> Qt.DropAction:
        """A drop links; nothing moves."""
        return Qt.DropAction.LinkAction | Qt.DropAction.CopyAction

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """The first clause dragged, as a span."""
        clause = self.clause_at(indexes[0]) if indexes else None
        if clause is None or self._document is None:
            return QMimeData()
        span = self._span(clause)
        return encode_span(span.document, span.start, span.end, self._document.quote(span.start, span.end))

    def dropMimeData(
        self, data: QMimeData, _action: Qt.DropAction, _row: int, _column: int, parent: AnyIndex
    ) -> bool:
        """A span dropped on a clause asks for a link."""
        source, clause = decode_span(data), self.clause_at(parent)
        if source is None or clause is None:
            return False
        target = self._span(clause)
        if source == target:
            return False
        self.link_dropped.emit(source, target)
        return True

    def _span(self, clause: Clause) -> DraggedSpan:
        document = self._document
        end = clause.end
        if document is not None:
            # A trailing line break belongs to no one's quotation.
            end = clause.start + len(document.text[clause.start : clause.end].rstrip())
        return DraggedSpan(document.id if document else "", clause.start, max(end, clause.start + 1))
