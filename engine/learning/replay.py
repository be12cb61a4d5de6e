"""Labelled contracts of our own that every learning sees as well, so that what the program knew is not forgotten.

They are the two samples of resources/samples in their saved form with their known conflicts and look-alikes
(resources/learning/replay.msgpack, made by tests/accuracy/make_replay.py). Texts are kept and not the numbers
computed from them, so that other features or another encoder need no other file.
"""

from __future__ import annotations

import msgspec

from engine.document import Document, UnreadableDocument, unpack
from engine.protocol.learning import PairLabel
from resources import resource_path

FILE = "replay.msgpack"


class ReplayContract(msgspec.Struct, frozen=True):
    """A contract's saved form and the labels of its pairs."""

    packed: bytes
    labels: tuple[PairLabel, ...]


def replay() -> list[tuple[Document, tuple[PairLabel, ...]]]:
    """The contracts with their labels.

    Raises:
        ValueError: the file is missing or damaged; learning can do without it and says so.
    """
    try:
        data = resource_path("learning", FILE).read_bytes()
        contracts = msgspec.msgpack.decode(data, type=list[ReplayContract])
        return [(unpack(contract.packed), contract.labels) for contract in contracts]
    except (OSError, msgspec.MsgspecError, UnreadableDocument) as error:
        raise ValueError(f"the program's own labelled contracts cannot be read: {error}") from error
