"""LibreOffice, where it is installed: files turned into other formats by a process of its own.

It runs with a profile of its own in a folder that is thrown away: macros off, linked content from outside
the file blocked, every connection sent to a port where nobody listens, ended after a time limit.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Iterator
from pathlib import Path

from engine.protocol.programs import libreoffice

#: How long it may take for a file, in seconds.
TIMEOUT_S = 60.0
#: How long one step waits for it.
STEP_S = 0.015
_SECURITY = "org.openoffice.Office.Common/Security/Scripting"
_NETWORK = "org.openoffice.Inet/Settings"
#: Settings that keep it inside the file: place, name, value. Proxy of type 2 is the one named; port 9 discards.
_SETTINGS = (
    (_SECURITY, "BlockUntrustedRefererLinks", "true"),
    (_SECURITY, "DisableMacrosExecution", "true"),
    (_SECURITY, "DisableActiveContent", "true"),
    (_SECURITY, "MacroSecurityLevel", "3"),
    (_NETWORK, "ooInetProxyType", "2"),
    (_NETWORK, "ooInetHTTPProxyName", "127.0.0.1"),
    (_NETWORK, "ooInetHTTPProxyPort", "9"),
    (_NETWORK, "ooInetHTTPSProxyName", "127.0.0.1"),
    (_NETWORK, "ooInetHTTPSProxyPort", "9"),
)


class NotInstalled(Exception):
    """There is no LibreOffice on this machine."""


class TooSlow(Exception):
    """LibreOffice was ended at :data:`TIMEOUT_S`."""


def program() -> str | None:
    """The path of LibreOffice's program, None when it is not installed."""
    return libreoffice(sys.platform)


def converted(data: bytes, suffix: str, target: str) -> Generator[None, None, bytes | None]:
    """A file's bytes in another format, in short steps that take seconds together; None when it cannot be read.

    Closing the generator ends LibreOffice and leaves nothing behind.

    Args:
        data: the file.
        suffix: its suffix, without the dot.
        target: as ``--convert-to`` takes it: the new suffix, a colon, the filter and its options.

    Raises:
        NotInstalled: there is no LibreOffice.
        TooSlow: it took longer than :data:`TIMEOUT_S`.
    """
    path = program()
    if path is None:
        raise NotInstalled
    with tempfile.TemporaryDirectory(prefix="antinomy-office-", ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        source = home / f"file.{suffix}"
        source.write_bytes(data)
        _write_profile(home / "profile" / "user")
        yield from _run(path, home, source, target)
        result = home / "out" / f"file.{target.partition(':')[0]}"
        return result.read_bytes() if result.is_file() else None


def _write_profile(user: Path) -> None:
    items = "".join(
        f'<item oor:path="/{place}"><prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop></item>'
        for place, name, value in _SETTINGS
    )
    user.mkdir(parents=True)
    (user / "registrymodifications.xcu").write_text(
        '<?xml version="1.0" encoding="UTF-8"?>'
        '<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema"'
        f' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">{items}</oor:items>',
        encoding="utf-8",
    )


def _run(path: str, home: Path, source: Path, target: str) -> Iterator[None]:
    command = [
        path,
        f"-env:UserInstallation={(home / 'profile').as_uri()}",
        "--headless",
        "--norestore",
        "--nolockcheck",
        "--nodefault",
        "--convert-to",
        target,
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
                    raise TooSlow from None
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
