"""Failures of exporting that a person can act on."""

from __future__ import annotations

from engine.protocol.messages import Fault, FaultCode


class ExportError(Exception):
    """A file cannot be made; ``fault`` says why and what to do, in one sentence (see :meth:`Fault.of`)."""

    def __init__(self, code: FaultCode, sentence: str, **values: str) -> None:
        self.fault = Fault.of(code, sentence, values)
        super().__init__(self.fault.sentence)
