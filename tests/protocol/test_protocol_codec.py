"""Frames: what was encoded is decoded, and nothing else is."""

from __future__ import annotations

import contextlib

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


def of(kind: type) -> st.SearchStrategy:
    values = {"str": text, "int": number, "float": st.floats(allow_nan=False), "bytes": st.binary(max_size=40)}
    special = {
        "clip": st.just(()) | st.tuples(*[st.floats(0, 900)] * 4),
        "documents": st.lists(st.binary(max_size=20), max_size=3).map(tuple),
        "options": st.builds(messages.ReviewOptions, minimum_score=st.floats(0, 1), encoder=text),
        "fault": st.builds(messages.Fault, st.sampled_from(messages.FaultCode), text, text),
        "findings": st.just(()),
        "pages": st.lists(st.builds(messages.PageSize, st.floats(0, 9), st.floats(0, 9)), max_size=3).map(tuple),
        "seconds": st.dictionaries(text, st.floats(0, 9), max_size=3),
        "facts": st.dictionaries(text, text, max_size=3),
    }
    fields = {
        field.name: special.get(field.name, values.get(getattr(field.type, "__name__", ""), st.nothing()))
        for field in msgspec.structs.fields(kind)
    }
    return st.builds(kind, **fields)


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
