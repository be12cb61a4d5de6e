"""An engine without torch, for tests: it answers reviews by what the first document's text says."""

from __future__ import annotations

import os
import signal
import sys
import threading

from engine.comparison.compare import compare_documents
from engine.document import unpack
from engine.protocol import codec
from engine.protocol.child import Role
from engine.protocol.messages import (
    Cancel,
    Cancelled,
    Compare,
    Compared,
    Diagnose,
    Diagnosis,
    EngineStatus,
    Failed,
    Fault,
    FaultCode,
    Ping,
    Pong,
    Progress,
    Review,
    ReviewDone,
    Shutdown,
)
from engine.protocol.serve import connect, prepare_process


def main() -> int:
    prepare_process(Role.ENGINE)
    wire = connect(sys.argv[1], Role.ENGINE, codec.to_engine)
    wire.send(EngineStatus("ready", "cpu", "float32", "none", "none"))
    held: set[int] = set()
    while True:
        match wire.receive():
            case Ping(token):
                wire.send(Pong(token))
            case Shutdown():
                return 0
            case Cancel(job):
                if job in held:
                    held.discard(job)
                    wire.send(Cancelled(job))
            case Diagnose(job):
                wire.send(Diagnosis(job, {"device": "cpu"}))
            case Compare(job, old, new):
                wire.send(Compared(job, compare_documents(unpack(old), unpack(new)), {}))
            case Review(job, documents):
                text = unpack(documents[0]).text
                wire.send(Progress(job, "reading", 1, 2))
                if "crash" in text:
                    os.kill(os.getpid(), signal.SIGKILL)
                elif "deaf" in text:
                    threading.Event().wait()
                elif "garbage" in text:
                    wire.connection.send_bytes(b"\xc1garbage")
                elif "hold" in text:
                    held.add(job)
                elif "fault" in text:
                    wire.send(Failed(job, Fault(FaultCode.OUT_OF_MEMORY, "Too little memory.")))
                else:
                    wire.send(ReviewDone(job, (), {"all": 0.0}))


if __name__ == "__main__":
    raise SystemExit(main())
