"""The messages between the window (or the command line) and its two children.

One union and one decoder per direction; strict types; unknown fields are refused. A job is a number
chosen by the side that asks. Each job ends in exactly one terminal message: its answer
(:class:`DocumentRead`, :class:`PageRendered`, :class:`HandedOver`, :class:`ReviewDone`, :class:`AnchorsFound`,
:class:`Compared`, :class:`Learned`, :class:`Diagnosis`), :class:`Failed` or :class:`Cancelled`. :class:`Progress`,
:class:`DocumentOpened` may come before it.
"""

from __future__ import annotations

from engine.protocol.base import (
    PROTOCOL,
    Cancel,
    Cancelled,
    Failed,
    Fault,
    FaultCode,
    Hello,
    Message,
    Ping,
    Pong,
    Progress,
    Shutdown,
)
from engine.protocol.engine_messages import (
    AnchorPlace,
    AnchorsFound,
    AnchorValue,
    Answered,
    Ask,
    Compare,
    Compared,
    Diagnose,
    Diagnosis,
    EngineStatus,
    FindPlaces,
    Learn,
    Learned,
    ListAnchors,
    Review,
    ReviewDone,
    ReviewOptions,
)
from engine.protocol.reader_messages import (
    CloseDocument,
    DocumentOpened,
    DocumentRead,
    HandedOver,
    HandOver,
    OpenDocument,
    PageRendered,
    PageSize,
    ReadingOptions,
    RenderPage,
)
from engine.protocol.writing import FromWriting, ToWriting

__all__ = [
    "PROTOCOL",
    "AnchorPlace",
    "AnchorValue",
    "AnchorsFound",
    "Answered",
    "Ask",
    "Cancel",
    "Cancelled",
    "CloseDocument",
    "Compare",
    "Compared",
    "Diagnose",
    "Diagnosis",
    "DocumentOpened",
    "DocumentRead",
    "EngineStatus",
    "Failed",
    "Fault",
    "FaultCode",
    "FindPlaces",
    "FromEngine",
    "FromReader",
    "HandOver",
    "HandedOver",
    "Hello",
    "Learn",
    "Learned",
    "ListAnchors",
    "Message",
    "OpenDocument",
    "PageRendered",
    "PageSize",
    "Ping",
    "Pong",
    "Progress",
    "ReadingOptions",
    "RenderPage",
    "Review",
    "ReviewDone",
    "ReviewOptions",
    "Shutdown",
    "ToEngine",
    "ToReader",
]

ToReader = OpenDocument | RenderPage | HandOver | CloseDocument | Cancel | Ping | Shutdown
FromReader = Hello | Pong | Progress | DocumentOpened | DocumentRead | PageRendered | HandedOver | Failed | Cancelled
ToEngine = ToWriting | Review | Ask | Compare | Learn | ListAnchors | FindPlaces | Diagnose | Cancel | Ping | Shutdown
FromEngine = (
    FromWriting | Hello | Pong | Progress | EngineStatus | ReviewDone | Answered | AnchorsFound | Compared | Learned
    | Diagnosis | Failed | Cancelled
)
