"""Word files of the old format (.doc) turned into .docx by LibreOffice, where it is installed.

LibreOffice runs as a process of its own with a profile of its own in a folder that is thrown away:
macros off, linked content from outside the file blocked, ended after a time limit.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Generator, Iterator
from pathlib import Path

from engine.protocol.messages import FaultCode
from engine.reading.errors import ReadingError

PROGRAMS = ("soffice", "libreoffice")
TIMEOUT_S = 60.0
#: How long one step waits for LibreOffice.
STEP_S = 0.015
#: Names of settings that keep LibreOffice inside the file, with their values.
_SETTINGS = {
    "BlockUntrustedRefererLinks": "true",
    "DisableMacrosExecution": "true",
    "DisableActiveContent": "true",
    "MacroSecurityLevel": "3",
}


def program() -> str | None:
    """The path of LibreOffice's program, None when it is not installed."""
    return next((found for name in PROGRAMS if (found := shutil.which(name))), None)


def docx_of(data: bytes) -> Generator[None, None, bytes]:
    """A .doc file's bytes as those of a .docx file, in short steps that take seconds together.

    Closing the generator ends LibreOffice and leaves nothing behind.

    Raises:
        ReadingError: LibreOffice is not installed, takes too long, or cannot read the file.
    """
    path = program()
    if path is None:
        raise ReadingError(
            FaultCode.UNSUPPORTED_FORMAT,
            "This is a Word file of the old format (.doc). Save it as .docx, or install LibreOffice to open it here.",
        )
    with tempfile.TemporaryDirectory(prefix="antinomy-doc-") as folder:
        home = Path(folder)
        source = home / "file.doc"
        source.write_bytes(data)
        _write_profile(home / "profile" / "user")
        yield from _run(path, home, source)
        result = home / "out" / "file.docx"
        if not result.is_file():
            raise ReadingError(
                FaultCode.UNREADABLE_FILE,
                "LibreOffice cannot read this .doc file; it may be damaged. Ask for it again as .docx or PDF.",
            )
        return result.read_bytes()


def _write_profile(user: Path) -> None:
    items = "".join(
        '<item oor:path="/org.openoffice.Office.Common/Security/Scripting">'
        f'<prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop></item>'
        for name, value in _SETTINGS.items()
    )
    user.mkdir(parents=True)
    (user / "registrymodifications.xcu").write_text(
        '<?xml version="1.0" encoding="UTF-8"?>'
        '<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema"'
        f' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">{items}</oor:items>',
        encoding="utf-8",
    )


def _run(path: str, home: Path, source: Path) -> Iterator[None]:
    command = [
        path,
        f"-env:UserInstallation={(home / 'profile').as_uri()}",
        "--headless",
        "--norestore",
        "--nolockcheck",
        "--nodefault",
        "--convert-to",
        "docx:Office Open XML Text",
        "--outdir",
        str(home / "out"),
        str(source),
    ]
    # Its wrapper script starts children: all are ended together.
    process = subprocess.Popen(
        command,
        cwd=home,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    deadline = time.monotonic() + TIMEOUT_S
    try:
        while True:
            try:
                process.wait(STEP_S)
            except subprocess.TimeoutExpired:
                if time.monotonic() > deadline:
                    raise ReadingError(
                        FaultCode.TOO_SLOW,
                        "LibreOffice took more than {seconds} seconds for this .doc file. Save it as .docx.",
                        seconds=f"{TIMEOUT_S:.0f}",
                    ) from None
                yield
            else:
                return
    finally:
        if process.returncode is None:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process with its children."""
    if os.name == "posix":
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()
