"""What the window asks of the engine, as messages; who sends them and hears the answers is the supervisor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
from PySide6.QtCore import QObject

from engine.document import Document, pack
from engine.protocol.child import Role
from engine.protocol.findings import Finding
from engine.protocol.messages import (
    Ask,
    Compare,
    Diagnose,
    FindPlaces,
    Learn,
    ListAnchors,
    Message,
    Review,
    ReviewOptions,
)
from gui.processes.interface import Processes, WritingOrder
from gui.processes.sentences import Sentences


class EngineOrders(Processes):
    """The engine's jobs. A subclass begins them in :meth:`_order`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words = Sentences(self)

    def _order(self, role: Role, words: str, make_message: Callable[[int], Message]) -> int:
        """Begin a job whose message is made of its number, in the channel's thread; ``words`` name it to a person."""
        raise NotImplementedError

    def review(self, documents: Sequence[Document], options: ReviewOptions | None = None) -> int:
        """Find the conflicts in and between documents."""
        given, chosen = tuple(documents), options or ReviewOptions()
        if not chosen.weights:
            chosen = msgspec.structs.replace(chosen, weights=self.weights())
        return self._order(Role.ENGINE, self._words.review(), lambda n: Review(n, _packed(given), chosen))

    def list_anchors(self, table: Path, document: str = "") -> int:
        """Ask for the anchors in a matter's table."""
        return self._order(Role.ENGINE, self._words.anchors(), lambda n: ListAnchors(n, str(table), document))

    def find_places(self, table: Path, kind: str, value: str, role: str = "") -> int:
        """Ask where a value and its rivals stand."""
        return self._order(Role.ENGINE, self._words.anchors(), lambda n: FindPlaces(n, str(table), kind, value, role))

    def ask(self, order: Ask, documents: Sequence[Document]) -> int:
        """Answer a question; ``documents`` are those that the engine has not indexed yet."""
        given = tuple(documents)

        def make_message(number: int) -> Message:
            return msgspec.structs.replace(order, job=number, documents=_packed(given))

        return self._order(Role.ENGINE, self._words.question(), make_message)

    def compare(
        self, old: Document, new: Document, old_findings: Sequence[Finding] = (), new_findings: Sequence[Finding] = ()
    ) -> int:
        """Compare two versions of a document."""
        before, after = tuple(old_findings), tuple(new_findings)

        def make_message(number: int) -> Message:
            return Compare(number, pack(old.without_boxes()), pack(new.without_boxes()), before, after)

        return self._order(Role.ENGINE, self._words.comparison(), make_message)

    def write(self, order: WritingOrder) -> int:
        """Have an answer written, or its model configured."""
        return self._order(Role.ENGINE, self._words.writing(), lambda n: msgspec.structs.replace(order, job=n))

    def learn(self, order: Learn) -> int:
        """Learn from labels."""
        return self._order(Role.ENGINE, self._words.learning(), lambda n: msgspec.structs.replace(order, job=n))

    def diagnose(self) -> int:
        """Ask what the engine runs on."""
        return self._order(Role.ENGINE, self._words.diagnosis(), Diagnose)


def _packed(documents: Sequence[Document]) -> tuple[bytes, ...]:
    return tuple(pack(document.without_boxes()) for document in documents)
