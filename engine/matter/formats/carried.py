"""A whole link, carried as JSON in a field of another tool's relation that is meant for free text."""

from __future__ import annotations

import msgspec

from engine.matter.formats.bundle import BundleDocument, end_at, new_link
from engine.matter.records import Direction, Link


class CarriedLink(msgspec.Struct, omit_defaults=True):
    """The link; of the several relations that a link of many ends becomes, the ``first`` brings it back."""

    link: Link
    first: bool = False


_decoder = msgspec.json.Decoder(CarriedLink)


def carried(link: Link, *, first: bool) -> str:
    """The JSON to put into the relation."""
    return msgspec.json.encode(CarriedLink(link, first)).decode()


def read_carried(text: str) -> CarriedLink:
    """What :func:`carried` wrote.

    Raises:
        msgspec.MsgspecError: it is something else.
    """
    return _decoder.decode(text)


def brought_back(
    document: BundleDocument, code: str, spans: tuple[tuple[int, int], tuple[int, int]], annotator: str,
    note: CarriedLink | None, direction: Direction = Direction.NONE,
) -> Link | None:  # fmt: skip
    """The link that a relation of another tool stands for, None when another relation brings it.

    A relation that carries its link gives it back whole, with the code that it has now: somebody may have
    changed that in the tool. One whose passages were moved there is a link of its own.
    """
    if note is not None and _unmoved(note.link, spans):
        return msgspec.structs.replace(note.link, code=code) if note.first else None
    return new_link([end_at(document, *span) for span in spans], code, annotator, direction=direction)


def _unmoved(link: Link, spans: tuple[tuple[int, int], tuple[int, int]]) -> bool:
    first = link.ends[0]
    return first.start <= spans[0][0] and spans[0][1] <= first.end and any(
        end.start <= spans[1][0] and spans[1][1] <= end.end for end in link.ends[1:]
    )
