"""The packs in use: those that come with Antinomy and the user's own, looked at again when their files change.

The user's packs are ``*.jsonl`` in the folder ``knowledge`` of Antinomy's data; ``off.json`` beside them lists the ids
of packs that are switched off, shipped ones too. A running engine asks :meth:`KnowledgeShelf.current` before each
review: what was added, changed or switched since is in use then, without a restart.
"""

from __future__ import annotations

import json
import logging
import threading
from pathlib import Path

from engine.protocol.places import data_dir
from engine.states.knowledge import Knowledge, shipped_packs
from engine.states.knowledge_pack import Pack, PackError, read_pack

log = logging.getLogger(__name__)

FOLDER = "knowledge"
OFF = "off.json"


class KnowledgeShelf:
    """Packs by folder. Safe to ask from any thread.

    Attributes:
        problems: a sentence for each pack that could not be used at the last look.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or data_dir() / FOLDER
        self.problems: tuple[str, ...] = ()
        self._lock = threading.Lock()
        self._seen: tuple[tuple[str, int, int], ...] | None = None
        self._knowledge = Knowledge([])

    def current(self) -> Knowledge:
        """The knowledge of all packs that are switched on. The same object as long as no file has changed.

        A pack that is wrong, or that makes the development figures worse, is left out and said in :attr:`problems`
        with the figures; it never stops a review.
        """
        with self._lock:
            seen = self._look()
            if seen != self._seen:
                self._knowledge = self._read()
                self._seen = seen
                log.info("knowledge packs in use: %s", ", ".join(pack.id for pack in self._knowledge.packs))
            return self._knowledge

    def switched_off(self) -> frozenset[str]:
        """The ids of the packs that are off."""
        try:
            names = json.loads((self.folder / OFF).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return frozenset()
        return frozenset(name for name in names if isinstance(name, str)) if isinstance(names, list) else frozenset()

    def switch(self, pack: str, *, on: bool) -> None:
        """Switch a pack on or off; engines that run see it at their next review.

        Raises:
            OSError: the folder cannot be written.
        """
        off = self.switched_off() - {pack} if on else self.switched_off() | {pack}
        self.folder.mkdir(parents=True, exist_ok=True)
        fresh = self.folder / (OFF + ".part")
        fresh.write_text(json.dumps(sorted(off), ensure_ascii=False), encoding="utf-8")
        fresh.replace(self.folder / OFF)

    def _look(self) -> tuple[tuple[str, int, int], ...]:
        found = []
        for path in sorted([*self.folder.glob("*.jsonl"), self.folder / OFF]):
            try:
                facts = path.stat()
            except OSError:
                continue
            found.append((path.name, facts.st_mtime_ns, facts.st_size))
        return tuple(found)

    def _read(self) -> Knowledge:
        # The trial needs the encoders' module, which the packs alone do not.
        from engine.states.knowledge_trial import PackRefused, try_pack

        off = self.switched_off()
        packs: list[Pack] = [pack for pack in shipped_packs() if pack.id not in off]
        problems = []
        for path in sorted(self.folder.glob("*.jsonl")):
            try:
                pack = read_pack(path)
                if pack.id in off:
                    continue
                try_pack(pack, Knowledge(packs))
                packs.append(pack)
            except (PackError, PackRefused) as error:
                problems.append(f"The knowledge pack {path.name} is not used: {error}.")
                log.warning("%s", problems[-1])
        self.problems = tuple(problems)
        return Knowledge(packs)
