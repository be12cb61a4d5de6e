"""The making of an anchor table: columns from anchors, rows sorted into entries, entries hashed into 16 segments.

A document's anchors become columns when it is read (:func:`columns_of`, a microsecond for two or three of them); the
building of a whole matter's table then runs in numpy, and Python per distinct value of a document alone. Segments are
laid out side by side in threads, for numpy lets go of the interpreter while it sorts and gathers.
"""

from __future__ import annotations

import gc
import struct
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from engine.anchors.model import Anchor, AnchorKind
from engine.anchors.table_format import (
    BOUNDS,
    I64,
    SEGMENT_BITS,
    SEGMENTS,
    SEPARATOR,
    U32,
    U64,
    Header,
    Words,
    key_of,
    layout,
    pack_header,
    role_key,
    with_document,
)

#: Two values of these kinds can be rivals when they have one role; a party or a reference has none.
COMPARABLE = frozenset(
    kind.value
    for kind in (
        AnchorKind.AMOUNT, AnchorKind.PERCENT, AnchorKind.QUANTITY, AnchorKind.PERIOD, AnchorKind.DATE,
        AnchorKind.RATE, AnchorKind.LAW, AnchorKind.COURT, AnchorKind.ARBITRATION,
    )
)  # fmt: skip
_ROLE_SHIFT = 4
_KINDS = tuple(kind.value for kind in AnchorKind)
KINDS = frozenset(_KINDS)
_KIND_NUMBER = {kind: number for number, kind in enumerate(_KINDS)}
_BOUND_NUMBER = {bound: number for number, bound in enumerate(BOUNDS)}


@dataclass(slots=True)
class Rows:
    """The anchors of a matter in columns (uint32 ``[n]`` each), document by document; ``owner`` uint64 ``[values]``."""

    words: Words
    owner: U64
    document: U32
    start: U32
    end: U32
    value: U32
    fact: U32


class Columns(NamedTuple):
    """The anchors of one document: distinct values and roles (``kind``, separator, value or role) and uint32 ``[n]``.

    ``value`` are numbers in ``values``; ``fact`` is 16 times the number in ``roles``, plus the bound's.
    """

    values: list[str]
    roles: list[str]
    start: U32
    end: U32
    value: U32
    fact: U32


Counted = defaultdict[str, int]


def _counted() -> Counted:
    """Numbers strings in the order in which they are first asked for."""
    return defaultdict(count().__next__)


def _facts() -> dict[str, defaultdict[str, Counted]]:
    """Kind → role → bound → number; nested, for a tuple as key would cost more than all the rest."""
    number = count().__next__
    return {kind: defaultdict(lambda: defaultdict(number)) for kind in _KINDS}


def columns_of(anchors: Sequence[Anchor]) -> Columns:
    """The columns of a document's anchors."""
    form, facts, strings = f"{len(anchors)}I", _facts(), _counted()
    # struct packs a list of whole numbers several times faster than numpy takes it in.
    start = np.frombuffer(struct.pack(form, *[a.start for a in anchors]), np.uint32)
    end = np.frombuffer(struct.pack(form, *[a.end for a in anchors]), np.uint32)
    string = np.frombuffer(struct.pack(form, *[strings[a.value] for a in anchors]), np.uint32)
    # _value_ is what StrEnum keeps its string in; asking for .value, or hashing a member, runs Python.
    meant = struct.pack(form, *[facts[a.kind._value_][a.role][a.bound] for a in anchors])
    roles = _counted()
    known = {}
    for kind, by_role in facts.items():
        for role, by_bound in by_role.items():
            for bound, number in by_bound.items():
                fact = roles[kind + SEPARATOR + role] << _ROLE_SHIFT | _BOUND_NUMBER.get(bound, 0)
                known[number] = (_KIND_NUMBER[kind], fact)
    meaning = np.array([known[i] for i in range(len(known))], np.uint32).reshape(-1, 2)[np.frombuffer(meant, np.uint32)]
    # A value is its string and its kind.
    seen = np.zeros(len(strings) * len(_KINDS), bool)
    whole = string * np.uint32(len(_KINDS)) + meaning[:, 0]
    seen[whole] = True
    number_of = (np.cumsum(seen) - 1).astype(np.uint32)
    texts = list(strings)
    values = [_KINDS[i % len(_KINDS)] + SEPARATOR + texts[i // len(_KINDS)] for i in np.flatnonzero(seen).tolist()]
    return Columns(values, list(roles), start, end, number_of[whole], meaning[:, 1])


def gather(documents: Mapping[str, Columns | Sequence[Anchor]], onto: Rows | None = None) -> Rows:
    """The rows of these documents, after those of another table; equal values share a number."""
    old = onto or Rows(Words([], [], []), np.zeros(0, np.uint64), *(np.zeros(0, np.uint32) for _ in range(5)))
    values, roles = _counted(), _counted()
    for text in old.words.values:
        values[text]
    for text in old.words.roles:
        roles[text]
    parts: list[tuple[U32, ...]] = [(old.document, old.start, old.end, old.value, old.fact)]
    with _no_collection():
        for number, given in enumerate(documents.values(), len(old.words.documents)):
            columns = given if isinstance(given, Columns) else columns_of(given)
            value = np.array([values[text] for text in columns.values], np.uint32)
            role = np.array([roles[text] for text in columns.roles], np.uint32) << np.uint32(_ROLE_SHIFT)
            fact, rest = columns.fact >> np.uint32(_ROLE_SHIFT), columns.fact & np.uint32((1 << _ROLE_SHIFT) - 1)
            document = np.full(len(columns.start), number, np.uint32)
            parts.append((document, columns.start, columns.end, value[columns.value], role[fact] | rest))
    known = len(old.owner)
    owner = np.array([key_of(text) for text in islice(values, known, None)], np.uint64)
    words = Words([*old.words.documents, *documents], list(values), list(roles))
    return Rows(words, np.concatenate([old.owner, owner]), *map(np.concatenate, zip(*parts, strict=True)))


@contextmanager
def _no_collection() -> Iterator[None]:
    """The short-lived tuples of a million anchors would set off the garbage collector over and over."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def without(rows: Rows, documents: Collection[str]) -> Rows:
    """The rows without those of some documents, and without values that then stand nowhere."""
    names = rows.words.documents
    stays = np.array([name not in documents for name in names], bool)
    if stays.all():
        return rows
    keep = stays[rows.document]
    used, value = np.unique(rows.value[keep], return_inverse=True)
    words = Words(
        [name for name, stay in zip(names, stays, strict=True) if stay],
        [rows.words.values[number] for number in used],
        rows.words.roles,
    )
    return Rows(
        words,
        rows.owner[used],
        (np.cumsum(stays) - 1).astype(np.uint32)[rows.document[keep]],
        rows.start[keep],
        rows.end[keep],
        value.astype(np.uint32),
        rows.fact[keep],
    )


def _order(document: U32, group: U32) -> I64:
    """The order (int64 ``[n]``) of rows by document, group, row."""
    n = len(document)
    row_bits, group_bits = max(1, n - 1).bit_length(), int(group.max(initial=0)).bit_length()
    if row_bits + group_bits + int(document.max(initial=0)).bit_length() > 64:
        return np.lexsort((group, document))
    # One sort of whole numbers, for which there are vector instructions, with the row inside: stable by itself.
    whole = document.astype(np.uint64)
    whole <<= np.uint64(group_bits)
    whole |= group
    whole <<= np.uint64(row_bits)
    whole |= np.arange(n, dtype=np.uint64)
    whole.sort()
    whole &= np.uint64((1 << row_bits) - 1)
    return whole.view(np.int64)


def _begins(document: U32, group: U32) -> I64:
    """Where (int64 ``[groups]``) another document or group begins in sorted rows."""
    changes = np.ones(len(document), bool)
    np.not_equal(document[1:], document[:-1], out=changes[1:])
    changes[1:] |= group[1:] != group[:-1]
    return np.flatnonzero(changes)


def write(path: Path, rows: Rows, workers: int = 2) -> None:
    """Write the table of some rows to ``path``, replacing what is there at once or not at all.

    Raises:
        OSError: it cannot be written there.
    """
    with ThreadPoolExecutor(max(1, workers)) as pool:
        order = _order(rows.document, rows.value)
        fact_later = pool.submit(rows.fact.take, order)
        spans_later = [pool.submit(column.take, order) for column in (rows.start, rows.end)]
        # A document's rows stand together and in its number's order already.
        document, value, fact = rows.document, rows.value[order], fact_later.result()
        begins, role = _begins(document, value), fact >> np.uint32(_ROLE_SHIFT)
        with_role = np.flatnonzero(_paired(rows.words)[role])
        member = with_role[_order(document[with_role], role[with_role])]
        role_begins = _begins(document[member], role[member])
        chief = member[role_begins]
        role_owner = np.array([role_key(*text.split(SEPARATOR, 1)) for text in rows.words.roles], np.uint64)
        keys = np.concatenate(
            [
                with_document(rows.owner[value[begins]], document[begins].astype(np.uint64)),
                with_document(role_owner[role[chief]], document[chief].astype(np.uint64)),
            ]
        )
        first = np.concatenate([begins, role_begins + len(value), [len(value) + len(member)]])
        bits, slots, entry = _hashed(keys, pool)
        start, end = (later.result() for later in spans_later)
    text = msgspec.msgpack.encode(rows.words)
    header = Header(len(rows.words.documents), bits, len(keys), len(value), len(member), len(rows.owner), len(text))
    arrays: dict[str, NDArray[Any]] = {
        "keys": slots, "entry": entry, "first": first.astype(np.uint32), "document": document, "start": start,
        "end": end, "value": value, "fact": fact, "member": member.astype(np.uint32), "owner": rows.owner,
    }  # fmt: skip
    _save(path, header, {name: np.ascontiguousarray(array).data for name, array in arrays.items()}, text)


def _paired(words: Words) -> NDArray[np.bool_]:
    """Which roles (bool ``[roles]``) make rivals of different values."""
    pairs = (text.split(SEPARATOR, 1) for text in words.roles)
    # The third payment is no rival of the second one.
    return np.array([k in COMPARABLE and bool(role) and not role.startswith("ordinal") for k, role in pairs], bool)


def _save(path: Path, header: Header, arrays: Mapping[str, memoryview], words: bytes) -> None:
    spans = layout(header)
    temporary = path.with_name(path.name + ".new")
    with temporary.open("wb") as file:
        file.write(pack_header(header))
        for name, data in (*arrays.items(), ("words", memoryview(words))):
            file.seek(spans[name][0])
            if data.nbytes:
                file.write(data.cast("B"))
        file.truncate(spans["size"][0])
    temporary.replace(path)


def _hashed(keys: U64, pool: ThreadPoolExecutor) -> tuple[int, U64, U32]:
    """Bits of a segment, and the slots of all of them: keys (uint64) and numbers of entries (uint32)."""
    segment = (keys >> np.uint64(64 - SEGMENT_BITS)).astype(np.uint8)
    fullest = int(np.bincount(segment, minlength=SEGMENTS).max())
    # All segments get the size that the fullest one needs, so that a slot follows from the key alone.
    bits = (2 * fullest - 1).bit_length() if fullest else 0
    slots, entry = np.zeros(SEGMENTS << bits, np.uint64), np.zeros(SEGMENTS << bits, np.uint32)

    def lay_out(number: int) -> None:
        mine = np.flatnonzero(segment == number)
        at = _slots_of(keys[mine], bits) + (number << bits)
        slots[at] = keys[mine]
        entry[at] = mine

    list(pool.map(lay_out, range(SEGMENTS)))
    return bits, slots, entry


def _slots_of(keys: U64, bits: int) -> I64:
    """A slot (int64 ``[n]``) for each key of one segment of ``2 ** bits``: its own, or the next free one after it.

    In order of their own slots h₀ ≤ h₁ ≤ …, key i goes to i + max over j ≤ i of (hⱼ - j), which leaves no gap between
    its own slot and it. What runs over the end begins again at slot 0, before those that belong there.
    """
    home = (keys & np.uint64((1 << bits) - 1)).astype(np.int64)
    number = np.arange(len(keys), dtype=np.int64)
    whole = np.sort(home << 32 | number)
    order, wanted = whole & 0xFFFFFFFF, whole >> 32
    over = 0
    while True:
        # The last ``over`` keys want slot 0; taking them out of the end changes nothing for those before them.
        taken = np.concatenate([np.zeros(over, np.int64), wanted[: len(wanted) - over]])
        at = np.maximum.accumulate(taken - number) + number
        beyond = int(np.count_nonzero(at >= 1 << bits))
        if not beyond:
            break
        over += beyond
    out = np.empty(len(keys), np.int64)
    out[np.roll(order, over)] = at
    return out
