"""Failures of reading that a person can act on."""

from __future__ import annotations

from engine.protocol.messages import Fault, FaultCode


class ReadingError(Exception):
    """A file cannot be read; ``fault`` says why and what to do, in one sentence."""

    def __init__(self, code: FaultCode, sentence: str) -> None:
        super().__init__(sentence)
        self.fault = Fault(code, sentence)
