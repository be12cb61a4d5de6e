"""One thread per child: it starts the process, owns the connection, decodes, and says what came.

A channel lives as long as its child; the next child gets a new channel. The thread blocks in the
connection, so that the end of a child is seen in milliseconds. What is to be sent goes through a
queue into a second, plain thread: a child that reads nothing must never block the window.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable
from typing import Generic

import msgspec
from PySide6.QtCore import QObject, QThread, Signal
from PySide6.QtGui import QImage

from engine.document import Document, UnreadableDocument, unpack
from engine.protocol import codec
from engine.protocol.child import Child, ChildStartError, Role, child_command
from engine.protocol.codec import FrameDecoder, ProtocolError, Received
from engine.protocol.messages import (
    Cancelled,
    DocumentRead,
    Failed,
    Fault,
    FaultCode,
    FromEngine,
    FromReader,
    Message,
    PageRendered,
    RenderPage,
)
from engine.protocol.shared_image import SharedImage
from engine.protocol.transport import ConnectionLost

#: A message, or what makes one: packing a document takes too long for the window's thread.
Outgoing = Message | Callable[[], Message]
CommandLine = Callable[[Role, str], list[str]]
log = logging.getLogger(__name__)


class DocumentArrived(msgspec.Struct, frozen=True, eq=False):
    """A :class:`DocumentRead`, unpacked in the channel's thread."""

    job: int
    document: Document


class PageArrived(msgspec.Struct, frozen=True, eq=False):
    """A :class:`PageRendered` with its image, copied out of the shared memory."""

    job: int
    document: str
    page: int
    image: QImage


class ChildChannel(QThread, Generic[Received]):
    """Starts one child and speaks with it until it ends.

    Signals:
        connected(pid): the child has said hello.
        message_received(object): a message, or :class:`DocumentArrived`, :class:`PageArrived`.
        closed(sentence): the child has ended or never started; nothing comes after it. The sentence says why.
    """

    connected = Signal(int)
    message_received = Signal(object)
    closed = Signal(str)

    def __init__(
        self,
        role: Role,
        decode: FrameDecoder[Received],
        command: CommandLine = child_command,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName(f"{role}-channel")
        self.role = role
        self._decode = decode
        self._command = command
        self._outgoing: queue.SimpleQueue[Outgoing | None] = queue.SimpleQueue()
        self._abandoned = threading.Event()
        self._child: Child[Received] | None = None
        self._last_heard_s = time.monotonic()

    # --- the window's side ----------------------------------------------------------------------

    @property
    def silence_s(self) -> float:
        """Seconds since the child was last heard."""
        return time.monotonic() - self._last_heard_s

    def touch(self) -> None:
        """Begin to count the silence anew."""
        self._last_heard_s = time.monotonic()

    @property
    def pid(self) -> int | None:
        """The child's process id, None before it has said hello (0 would mean the caller's own group to ``kill``)."""
        child = self._child
        return child.pid if child else None

    def post(self, message: Outgoing) -> None:
        """Send a message as soon as may be; never blocks. Messages to a child that ended are dropped."""
        self._outgoing.put(message)

    def abandon(self) -> None:
        """End the child at once, or its start; ``closed`` follows."""
        self._abandoned.set()
        child = self._child
        if child is not None:
            child.kill()

    # --- the channel's thread -------------------------------------------------------------------

    def run(self) -> None:
        """Start the child, receive until it ends (QThread's own thread)."""
        try:
            child = Child.start(self.role, self._decode, abandoned=self._abandoned.is_set, command=self._command)
        except ChildStartError as error:
            self.release()
            self.closed.emit(str(error))
            return
        except Exception:  # thread boundary: the window must hear of it, whatever it is
            log.exception("starting the %s failed", self.role)
            self.release()
            self.closed.emit(f"The {self.role} process could not be started; the log has the details.")
            return
        self._child = child
        if self._abandoned.is_set():
            child.kill()
        self._last_heard_s = time.monotonic()
        self.connected.emit(child.hello.pid)
        sender = threading.Thread(target=self._send_all, args=(child,), name=f"{self.role}-sender", daemon=True)
        sender.start()
        sentence = self._receive_all(child)
        child.kill()
        self._outgoing.put(None)
        sender.join()
        child.stop(timeout_s=0)
        self.release()
        self.closed.emit(sentence)

    def _receive_all(self, child: Child[Received]) -> str:
        try:
            while True:
                message = child.wire.receive()
                self._last_heard_s = time.monotonic()
                self.message_received.emit(self.digest(message))
        except ConnectionLost:
            status = child.wait(0.05)
            how = f"status {status}" if status is not None else "its connection closed"
            return f"The {self.role} process ended unexpectedly ({how})."
        except ProtocolError as error:
            log.error("the %s sent %s", self.role, error)
            return f"The {self.role} process sent something that cannot be understood."
        except Exception:  # thread boundary: the window must hear of it, whatever it is
            log.exception("a message of the %s failed", self.role)
            return f"Antinomy failed on a message of the {self.role} process; the log has the details."

    def _send_all(self, child: Child[Received]) -> None:
        while (item := self._outgoing.get()) is not None:
            try:
                child.wire.send(item if isinstance(item, Message) else item())
            except ConnectionLost:
                return  # the receiving side notices and says so
            except Exception:  # thread boundary: an unsendable message is our bug; the child's jobs must not wait
                log.exception("a message to the %s could not be sent", self.role)
                child.kill()
                return

    def digest(self, message: Received) -> object:
        """What is emitted for a message; runs in the channel's thread."""
        return message

    def release(self) -> None:
        """Free what the channel holds for a child that has ended; runs in the channel's thread."""


class ReaderChannel(ChildChannel[FromReader]):
    """The reader's channel: holds the memory that page images come in."""

    def __init__(self, command: CommandLine = child_command, parent: QObject | None = None) -> None:
        super().__init__(Role.READER, codec.from_reader, command, parent)
        self._images: dict[int, SharedImage] = {}
        self._images_lock = threading.Lock()
        self._released = False

    def post_render(self, request: RenderPage, image: SharedImage) -> None:
        """Ask for a page in ``image``, which is freed when the job ends or the child does."""
        with self._images_lock:
            if self._released:
                image.close()
                return
            self._images[request.job] = image
        self.post(request)

    def digest(self, message: FromReader) -> object:
        """Unpack documents, copy images, free memory of ended jobs."""
        match message:
            case DocumentRead():
                try:
                    return DocumentArrived(message.job, unpack(message.packed, keep=True))
                except UnreadableDocument as error:
                    fault = Fault.of(FaultCode.INTERNAL, "The document came damaged from the reader.", trace=str(error))
                    return Failed(message.job, fault)
            case PageRendered():
                return self._copied(message)
            case Failed() | Cancelled():
                image = self._taken(message.job)
                if image is not None:
                    image.close()
        return message

    def release(self) -> None:
        """Free the memory of pages that will never come."""
        with self._images_lock:
            images, self._images = self._images, {}
            self._released = True
        for image in images.values():
            image.close()

    def _taken(self, job: int) -> SharedImage | None:
        with self._images_lock:
            return self._images.pop(job, None)

    def _copied(self, message: PageRendered) -> PageArrived | Failed:
        memory = self._taken(message.job)
        if memory is None:
            return Failed(message.job, Fault.of(FaultCode.INTERNAL, "A page came that nobody asked for."))
        width, height, stride = message.width_px, message.height_px, message.stride
        try:
            # The reader is not to be trusted: a hostile file may have taken it over.
            if width <= 0 or height <= 0 or stride < 3 * width or height * stride > memory.capacity:
                return Failed(message.job, Fault.of(FaultCode.INTERNAL, "A page came with impossible measures."))
            with memory.view[: height * stride] as pixels:
                image = QImage(pixels, width, height, stride, QImage.Format.Format_RGB888).copy()
            return PageArrived(message.job, message.document, message.page, image)
        finally:
            memory.close()


class EngineChannel(ChildChannel[FromEngine]):
    """The engine's channel."""

    def __init__(self, command: CommandLine = child_command, parent: QObject | None = None) -> None:
        super().__init__(Role.ENGINE, codec.from_engine, command, parent)
