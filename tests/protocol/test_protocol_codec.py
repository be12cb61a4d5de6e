"""Frames: what was encoded is decoded, and nothing else is."""

from __future__ import annotations

import contextlib
import enum
import typing

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.protocol import codec, messages
from engine.protocol.codec import ProtocolError, encode
from engine.protocol.findings import Finding

DIRECTIONS = [codec.to_reader, codec.from_reader, codec.to_engine, codec.from_engine]
text = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
number = st.integers(-(2**53), 2**53)


SIMPLE = {
    str: text, int: number, float: st.floats(allow_nan=False), bytes: st.binary(max_size=40), bool: st.booleans(),
    type(None): st.none(),
}  # fmt: skip


def of(kind) -> st.SearchStrategy:
    """Values of a field's type, or a message."""
    if kind in SIMPLE:
        return SIMPLE[kind]
    if isinstance(kind, type):
        if issubclass(kind, enum.Enum):
            return st.sampled_from(kind)
        return st.builds(kind, **{field.name: of(field.type) for field in msgspec.structs.fields(kind)})
    inside = typing.get_args(kind)
    made = {
        tuple: lambda: of_tuple(inside),
        dict: lambda: st.dictionaries(*map(of, inside), max_size=3),
        typing.Annotated: lambda: st.floats(0, 1),
    }
    return made.get(typing.get_origin(kind), lambda: st.one_of(*map(of, inside)))()


def of_tuple(inside) -> st.SearchStrategy:
    if inside[-1] is Ellipsis:
        return st.lists(of(inside[0]), max_size=3).map(tuple)
    return st.tuples(*map(of, inside))


UNIONS = {
    codec.to_reader: messages.ToReader,
    codec.from_reader: messages.FromReader,
    codec.to_engine: messages.ToEngine,
    codec.from_engine: messages.FromEngine,
}


@pytest.mark.parametrize("decode", DIRECTIONS, ids=lambda decode: decode.direction)
@given(data=st.data())
def test_every_message_comes_back(decode, data):
    message = data.draw(st.sampled_from(UNIONS[decode].__args__).flatmap(of))
    assert decode(encode(message)) == message


@pytest.mark.parametrize("decode", DIRECTIONS, ids=lambda decode: decode.direction)
@given(frame=st.binary(max_size=200))
def test_any_bytes_are_a_message_or_a_protocol_error(decode, frame):
    with contextlib.suppress(ProtocolError):
        assert isinstance(decode(frame), UNIONS[decode].__args__)


@given(data=st.data(), at=st.integers(0, 10_000), byte=st.integers(0, 255))
def test_a_damaged_frame_is_a_message_or_a_protocol_error(data, at, byte):
    message = data.draw(st.sampled_from(messages.FromReader.__args__).flatmap(of))
    frame = bytearray(encode(message))
    frame[at % len(frame)] = byte
    for damaged in (bytes(frame), bytes(frame[: at % len(frame)])):
        with contextlib.suppress(ProtocolError):
            codec.from_reader(damaged)


@pytest.mark.parametrize(
    ("decode", "frame"),
    [
        (codec.to_reader, encode(messages.Diagnose(1))),
        (codec.to_engine, encode(messages.CloseDocument("x"))),
        (codec.to_reader, msgspec.msgpack.encode({"type": "ping", "token": "1"})),
        (codec.to_reader, msgspec.msgpack.encode({"type": "ping", "token": 1, "more": 2})),
        (codec.to_reader, msgspec.msgpack.encode({"type": "ping"})),
        (codec.to_reader, msgspec.msgpack.encode({"token": 1})),
        (codec.to_reader, b"\x91" * 100_000),
    ],
    ids=["wrong direction", "wrong child", "wrong type", "unknown field", "missing field", "no tag", "deep"],
)
def test_types_and_fields_are_strict(decode, frame):
    with pytest.raises(ProtocolError):
        decode(frame)


def test_findings_travel_whole():
    finding = Finding("f-1", "value.period", 1, 0.5, "high", "30 或 45 天？😀", (), ())
    sent = messages.ReviewDone(1, (finding,), {"a": 1.0})
    assert codec.from_engine(encode(sent)) == sent
