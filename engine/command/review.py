"""``antinomy review``: files in, findings out."""

from __future__ import annotations

import dataclasses
import getpass
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from engine.command.children import Children, CommandLine, JobFailed
from engine.command.findings_file import findings_file, to_json, write_whole
from engine.command.progress_bar import ProgressBar
from engine.command.summary import summary_lines
from engine.document import Document
from engine.protocol.child import ChildStartError, child_command
from engine.protocol.messages import FaultCode, ReadingOptions, ReviewOptions

PASSWORD_TRIES = 3
#: Failures of ours or of the machine; every other one is the file's.
_NOT_THE_FILE = (FaultCode.INTERNAL, FaultCode.ENGINE_NOT_READY, FaultCode.OUT_OF_MEMORY)


class CommandFailed(Exception):
    """Ends the command: one line for stderr and the exit status (2: unusable input, 1: our failure)."""

    def __init__(self, line: str, status: int) -> None:
        super().__init__(line)
        self.status = status


@dataclasses.dataclass(frozen=True, slots=True)
class ReviewRequest:
    """What the person asked for.

    ``json`` is a path, ``-`` for stdout, or empty; ``most`` 0 prints all; ``weak_too`` prints unlikely ones as well.
    """

    files: tuple[Path, ...]
    json: str
    password: str
    options: ReviewOptions
    most: int
    weak_too: bool = False
    reading: ReadingOptions | None = None


def review_files(
    request: ReviewRequest,
    out: TextIO,
    err: TextIO,
    *,
    command: CommandLine = child_command,
    ask_password: Callable[[str], str] = getpass.getpass,
) -> None:
    """Review and print; write the JSON file when one is asked for.

    Raises:
        CommandFailed: in one line, why not.
    """
    check_input(request)
    started_s = time.monotonic()
    bar = ProgressBar(err, "starting")
    try:
        with Children(command) as children:
            documents = read_all(children, request, err, ask_password)
            bar = ProgressBar(err, "reviewing")
            bar.update("loading the encoder", 0, 0)
            done = children.review(documents, request.options, bar.update)
            status = children.status
    except ChildStartError as error:
        raise CommandFailed(str(error), 1) from error
    except JobFailed as error:
        raise CommandFailed(error.fault.sentence, 1) from error
    finally:
        bar.clear()
    if status is not None and status.notice:
        err.write(f"antinomy: {status.notice}\n")
    if request.json:
        data = to_json(findings_file(documents, done.findings, status))
        hand_out(request.json, data, out)
        if request.json == "-":
            return
    lines = summary_lines(
        documents,
        done.findings,
        time.monotonic() - started_s,
        columns=min(shutil.get_terminal_size().columns, 120),
        colour=out.isatty() and not os.environ.get("NO_COLOR"),
        most=request.most,
        weak_too=request.weak_too,
    )
    for line in lines:
        out.write(line + "\n")


def check_input(request: ReviewRequest) -> None:
    """Say what can be said before any process is started."""
    for path in request.files:
        if path.is_dir():
            raise CommandFailed(f"{path}: is a folder; name the files in it.", 2)
        if not path.exists():
            raise CommandFailed(f"{path}: there is no such file.", 2)
        if not os.access(path, os.R_OK):
            raise CommandFailed(f"{path}: you are not allowed to read this file.", 2)
    if request.json not in ("", "-"):
        folder = Path(request.json).absolute().parent
        if Path(request.json).is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
            raise CommandFailed(f"{request.json}: nothing can be written there.", 2)


def read_all(
    children: Children, request: ReviewRequest, err: TextIO, ask_password: Callable[[str], str]
) -> list[Document]:
    """The documents, each content once however often it is named."""
    documents: dict[str, Document] = {}
    for path in request.files:
        bar = ProgressBar(err, f"reading {path.name}")
        try:
            document = _read_one(children, path, request, bar, ask_password)
        except JobFailed as error:
            raise _failure(path, error) from error
        finally:
            bar.clear()
        if not document.text.strip():
            sentence = "no text can be read from it, its pages are pictures or empty; there is nothing to review."
            hints = [notice.text for notice in document.notices if notice.code == "no_recogniser"]
            raise CommandFailed(f"{path}: {' '.join([sentence, *hints])}", 2)
        for notice in document.notices:
            if notice.code.startswith("layout_fallback"):
                err.write(f"antinomy: {path}: {notice.text}\n")
        documents.setdefault(document.id, document)
    return list(documents.values())


def _failure(path: Path, error: JobFailed) -> CommandFailed:
    """A file's failure in one line that names it once."""
    fault = error.fault
    line = fault.sentence if path.name in fault.sentence else f"{path}: {fault.sentence}"
    if fault.code is FaultCode.NEEDS_PASSWORD:
        line += " (--password or $ANTINOMY_PASSWORD)"
    return CommandFailed(line, 1 if fault.code in _NOT_THE_FILE else 2)


def _read_one(
    children: Children, path: Path, request: ReviewRequest, bar: ProgressBar, ask_password: Callable[[str], str]
) -> Document:
    """Read a file; a person at the terminal may give its password, three times."""
    password = request.password
    may_ask = not password and sys.stdin is not None and sys.stdin.isatty()
    for left in range(PASSWORD_TRIES if may_ask else 0, -1, -1):
        try:
            return children.read(path, password, bar.update, request.reading)
        except JobFailed as error:
            wanted = error.fault.code in (FaultCode.NEEDS_PASSWORD, FaultCode.WRONG_PASSWORD)
            if not wanted or left == 0:
                raise
            bar.clear()
            password = ask_password(f"Password of {path.name}: ")
    raise AssertionError("the last try returns or raises")


def hand_out(place: str, data: bytes, out: TextIO) -> None:
    """Write a command's JSON to the file ``place``, whole or not at all, or to ``out`` for ``-``.

    Raises:
        CommandFailed: the file cannot be written.
    """
    if place == "-":
        out.flush()
        out.buffer.write(data)
        out.buffer.flush()
        return
    try:
        write_whole(Path(place).absolute(), data)
    except OSError as error:
        raise CommandFailed(f"{place}: cannot be written: {error.strerror or error}.", 1) from error
