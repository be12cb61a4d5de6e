"""The real engine loop over a backend that works in steps a test can see. First argument: how it loads."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable

from engine.document import Document
from engine.engine_process import WorkCancelled, run_engine
from engine.protocol.findings import Finding, Severity
from engine.protocol.messages import EngineStatus, ReviewOptions


class StepBackend:
    def __init__(self, loading: str) -> None:
        self._loading = loading

    def load(self, report: Callable[[EngineStatus], None]) -> bool:
        report(EngineStatus("loading", "cpu", "", "", "none"))
        if self._loading == "never":
            threading.Event().wait()
        if self._loading == "bug":
            raise RuntimeError("no libc here")
        threading.Event().wait(0.3)
        report(EngineStatus("ready", "cpu", "float32", "steps", "none"))
        return True

    def review(
        self,
        documents: list[Document],
        options: ReviewOptions,
        progress: Callable[[str, int, int], None],
        cancelled: Callable[[], bool],
    ) -> tuple[list[Finding], dict[str, float]]:
        text = documents[0].text
        if "memory" in text:
            raise MemoryError
        if "allocator" in text:
            raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes")
        if "bug" in text:
            raise KeyError("bug")
        steps = 10_000 if "long" in text else 3
        for step in range(steps):
            if cancelled():
                raise WorkCancelled
            progress("comparing", step, steps)
            threading.Event().wait(0.002)
        return [Finding("f-0", "value.period", 1, 0.5, Severity.LOW, "They differ.", (), ())], {"comparing": 0.1}

    def facts(self) -> dict[str, str]:
        return {"loading": self._loading}


if __name__ == "__main__":
    raise SystemExit(run_engine(sys.argv[2], lambda: StepBackend(sys.argv[1])))
