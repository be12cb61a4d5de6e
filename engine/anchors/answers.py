"""What the window asks of a matter's anchor table: all anchors, or every place of one value and its rivals."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from engine.anchors.table import AnchorTable, Known
from engine.anchors.table_format import UnreadableTable
from engine.protocol.messages import AnchorPlace, AnchorsFound, AnchorValue, FindPlaces, ListAnchors

#: A matter with more anchors than this is listed one document at a time.
MOST_LISTED = 60_000
#: So many places of the value asked for, and so many of each rival, are told; the rest is counted.
MOST_PLACES, MOST_RIVALS, MOST_RIVAL_PLACES = 500, 60, 20
#: Among so many places of other values the rivals are looked for.
MOST_LOOKED_AT = 5000

log = logging.getLogger(__name__)


class OpenTables:
    """Answers from tables; keeps the one asked last open while its file is the same."""

    def __init__(self) -> None:
        self._path = ""
        self._file = (0, 0, 0)
        self._table: AnchorTable | None = None

    def answer(self, asked: ListAnchors | FindPlaces) -> AnchorsFound:
        """The answer; empty when there is no table, or none that can be read (the log says why)."""
        try:
            table = self._open(asked.table)
            return _listed(table, asked) if isinstance(asked, ListAnchors) else _found(table, asked)
        except FileNotFoundError:
            pass
        except (UnreadableTable, OSError) as error:
            log.warning("The anchor table %s cannot be used: %s. The next review builds it.", asked.table, error)
        self._table = None
        return AnchorsFound(asked.job, (), ())

    def _open(self, path: str) -> AnchorTable:
        status = Path(path).stat()
        file = (status.st_ino, status.st_size, status.st_mtime_ns)
        if self._table is None or (path, file) != (self._path, self._file):
            self._table = AnchorTable.open(Path(path))
            self._path, self._file = path, file
        return self._table


def _listed(table: AnchorTable, asked: ListAnchors) -> AnchorsFound:
    total = len(table.value)
    rows = np.arange(total, dtype=np.int64) if total <= MOST_LISTED else table.rows_of(asked.document)[:MOST_LISTED]
    return _told(asked.job, table.known(rows), total - len(rows))


def _found(table: AnchorTable, asked: FindPlaces) -> AnchorsFound:
    own, role = table.value_rows(asked.kind, asked.value), table.role_rows(asked.kind, asked.role)
    others = role[table.value[role] != table.value[own[0]]] if len(own) else role
    told = table.known(own[:MOST_PLACES])
    counted: dict[str, int] = {}
    for known in table.known(others[:MOST_LOOKED_AT]):
        seen = counted[known.value] = counted.get(known.value, 0) + 1
        if seen <= MOST_RIVAL_PLACES and len(counted) <= MOST_RIVALS:
            told.append(known)
    return _told(asked.job, told, len(own) + len(others) - len(told))


def _told(job: int, found: Iterable[Known], left_out: int) -> AnchorsFound:
    documents: dict[str, int] = {}
    values: dict[tuple[str, str], list[AnchorPlace]] = {}
    for document, start, end, kind, value, role, bound in found:
        number = documents.setdefault(document, len(documents))
        values.setdefault((kind, value), []).append(AnchorPlace(number, start, end, role, bound))
    listed = (AnchorValue(kind, value, tuple(places)) for (kind, value), places in values.items())
    return AnchorsFound(job, tuple(documents), tuple(listed), left_out)
