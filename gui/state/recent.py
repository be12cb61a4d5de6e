"""The recent matters: a small JSON file beside them."""

from __future__ import annotations

import contextlib
from pathlib import Path

import msgspec

RECENT_SCHEMA = "antinomy.recent/1"
MOST_RECENT = 12


class RecentMatter(msgspec.Struct, frozen=True):
    """A matter's file, the name of its first document, and where that document was."""

    matter: str
    name: str
    document: str


class _RecentFile(msgspec.Struct, frozen=True):
    schema: str
    matters: tuple[RecentMatter, ...]


class RecentMatters:
    """The newest first. A damaged or foreign file counts as empty: nothing but convenience is lost."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def entries(self) -> tuple[RecentMatter, ...]:
        """Those whose matter file is still there."""
        try:
            read = msgspec.json.decode(self._path.read_bytes(), type=_RecentFile)
        except (OSError, msgspec.MsgspecError):
            return ()
        if read.schema != RECENT_SCHEMA:
            return ()
        return tuple(entry for entry in read.matters if Path(entry.matter).is_file())

    def put_first(self, entry: RecentMatter) -> None:
        """Remember a matter as the newest. A folder that cannot be written only loses the list."""
        others = [old for old in self.entries() if old.matter != entry.matter]
        data = msgspec.json.encode(_RecentFile(RECENT_SCHEMA, (entry, *others)[:MOST_RECENT]))
        fresh = self._path.with_suffix(".new")
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            fresh.write_bytes(data)
            fresh.replace(self._path)
