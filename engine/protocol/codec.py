"""From messages to frames and back: msgpack, one strict decoder per direction."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import msgspec

from engine.protocol.messages import FromEngine, FromReader, Message, ToEngine, ToReader

Received = TypeVar("Received")


class ProtocolError(Exception):
    """A frame is not a message of its direction: foreign bytes, another version, or our bug."""


class FrameDecoder(Generic[Received]):
    """Reads the frames of one direction; any number of threads may share it."""

    def __init__(self, decoder: msgspec.msgpack.Decoder[Received], direction: str) -> None:
        self._decoder = decoder
        self.direction = direction

    def __call__(self, frame: bytes) -> Received:
        """The message in ``frame``.

        Raises:
            ProtocolError: the frame is not a message of this direction.
        """
        try:
            return self._decoder.decode(frame)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise ProtocolError(f"not a message {self.direction}: {error}") from error


_encoder = msgspec.msgpack.Encoder()


def _decoder_of(union: Any, direction: str) -> FrameDecoder[Any]:
    return FrameDecoder(msgspec.msgpack.Decoder(union, strict=True), direction)


to_reader: FrameDecoder[ToReader] = _decoder_of(ToReader, "to the reader")
from_reader: FrameDecoder[FromReader] = _decoder_of(FromReader, "from the reader")
to_engine: FrameDecoder[ToEngine] = _decoder_of(ToEngine, "to the engine")
from_engine: FrameDecoder[FromEngine] = _decoder_of(FromEngine, "from the engine")


def encode(message: Message) -> bytes:
    """The frame of a message."""
    return _encoder.encode(message)
