"""Failures of reading that a person can act on."""

from __future__ import annotations

from engine.protocol.messages import Fault, FaultCode


class ReadingError(Exception):
    """A file cannot be read; ``fault`` says why and what to do, in one sentence.

    ``values`` fill the sentence's ``{names}`` and let the window say it in its own language:
    ``ReadingError(FaultCode.EMPTY_FILE, "“{name}” is empty.", name=name)``.
    """

    def __init__(self, code: FaultCode, sentence: str, **values: str) -> None:
        self.fault = Fault.of(code, sentence, values)
        super().__init__(self.fault.sentence)
