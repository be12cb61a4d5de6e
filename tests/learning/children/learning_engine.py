"""An engine that learns in no time, for tests: seed 13 brings it bad luck."""

from __future__ import annotations

import sys
from pathlib import Path

from engine.learning.shelf import Shelf
from engine.protocol import codec
from engine.protocol.child import Role
from engine.protocol.learning import Card, Figure
from engine.protocol.messages import EngineStatus, Failed, Fault, FaultCode, Learn, Learned, Progress, Shutdown
from engine.protocol.serve import connect, prepare_process


def main() -> int:
    prepare_process(Role.ENGINE)
    wire = connect(sys.argv[1], Role.ENGINE, codec.to_engine)
    wire.send(EngineStatus("ready", "cpu", "float32", "none", "none"))
    while True:
        match wire.receive():
            case Shutdown():
                return 0
            case Learn(job, documents, labels, folder, name, seed):
                wire.send(Progress(job, "preparing", 1, len(documents)))
                if seed == 13:
                    wire.send(Failed(job, Fault(FaultCode.OUT_OF_MEMORY, "Too little memory.")))
                    continue
                figures = (Figure("average_precision", 0.4, 0.5, 0.1, 0.2), Figure("recall_10", 0.5, 0.6, 0.0, 0.2))
                sides = [label.is_conflict for label in labels]
                counts = (sum(sides), len(sides) - sum(sides), len(sides))
                moment = "2026-11-30T10:00:00+00:00"
                card = Card(name, "0", moment, seed, 3, *counts, {}, "b", figures, (0.6, 0.6), True, {})
                Shelf(Path(folder)).put_on_trial(b"weights", card)
                wire.send(Learned(job, card))


if __name__ == "__main__":
    raise SystemExit(main())
