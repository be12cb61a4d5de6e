"""Damaged and harmful files through the real reader process: each must give a Document or a typed fault.

    python tests/accuracy/fuzz_reader.py [FOLDER] [--count 5000] [--seed 1] [--only N] [--no-trace] [--keep DIR]

Takes the .pdf and .docx files under FOLDER (or $ANTINOMY_DATA; our samples without either), damages them or
makes harmful ones (``mutations_pdf``, ``mutations_docx``) and has each read, and two pages drawn, by one reader
process as the window starts it. A reader that says nothing for 90 s is killed and counted, as the window
would do. Ctrl-C ends early, with the report. With strace installed, every file, program and connection that
the reader opens is looked at: harmful files name a canary file and a port of this machine, and nothing but
the file itself may be opened.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import random
import re
import shutil
import socket
import sys
import tempfile
import time
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[2]))

import mutations_docx as docx
import mutations_pdf as pdf

from engine.document import unpack
from engine.protocol import codec
from engine.protocol.child import SILENCE_BUSY_S, Child, Role, child_command
from engine.protocol.messages import (
    CloseDocument,
    DocumentOpened,
    DocumentRead,
    Failed,
    FaultCode,
    FromReader,
    OpenDocument,
    PageRendered,
    RenderPage,
)
from engine.protocol.shared_image import create_image
from engine.protocol.transport import ConnectionLost
from engine.reading.mupdf import DAMAGE, pymupdf
from engine.reading.ocr.choice import CHOICE_VARIABLE, NONE

ROOT = Path(__file__).parents[2]
Mutation = Callable[[bytes, random.Random, str], bytes]
#: Each in turn; bombs cost seconds and come once a round.
PDF_WAYS: tuple[Mutation, ...] = (
    *(pdf.flip, pdf.flip, pdf.cut, pdf.swapped_objects, pdf.swapped_objects, pdf.changed_values, pdf.changed_values,
      pdf.deeply_nested, pdf.outside_references) * 4,
    pdf.stream_bomb,
)  # fmt: skip
DOCX_WAYS: tuple[Mutation, ...] = (
    *(pdf.flip, pdf.cut, docx.swapped_parts, docx.swapped_parts, docx.swapped_parts, docx.deeply_nested,
      docx.entity_bomb, docx.outside_references) * 4,
    docx.zip_bomb,
)  # fmt: skip
#: Larger sources would spend the time on reading instead of on kinds of damage; of a PDF the first pages are taken.
MAX_SOURCE_BYTES = {".pdf": 2_000_000, ".docx": 60_000}
MAX_SOURCE_PAGES = 4
#: A file that takes longer to read, or more memory, is named in the report.
SLOW_S, LARGE_BYTES = 10.0, 1 << 30
CANARY = "CANARY-7f3a91"
_OPENED = re.compile(r'^\d+\s+(?:open|openat|openat2|execve|readlink|stat|newfstatat)\((?:AT_FDCWD, )?"([^"]*)"')
_OTHER = re.compile(r"^\d+\s+(connect|socket|bind|sendto)\((.*)")
_ALLOWED = (sys.prefix, sys.base_prefix, str(ROOT), "/proc/", "/sys/", "/dev/", "/etc/ld.so", "/lib", "/usr/lib",
            "/etc/localtime", "/usr/share/zoneinfo")  # fmt: skip


def say(line: str) -> None:
    """One line to the standard output, at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


@dataclasses.dataclass(slots=True)
class Outcome:
    """What became of one file: ``document``, ``fault CODE``, ``KILLED …`` or ``ESCAPED …``."""

    word: str
    seconds: float = 0.0


class WatchedReader:
    """One reader process, started again when it dies, with a trace of what it opens."""

    def __init__(self, folder: Path, trace: bool) -> None:
        self._folder = folder
        self._trace = trace
        self._starts = 0
        self._job = 0
        self.child = self._start()

    def _command(self, role: Role, address: str) -> Sequence[str]:
        command = child_command(role, address)
        if not self._trace:
            return command
        log = self._folder / f"trace-{self._starts}"
        calls = "trace=open,openat,openat2,execve,connect,socket,bind,sendto"
        return ["strace", "-f", "--seccomp-bpf", "-qq", "-s", "300", "-e", calls, "-o", str(log), *command]

    def _start(self) -> Child[FromReader]:
        self._starts += 1
        return Child.start(Role.READER, codec.from_reader, command=self._command)

    def restart(self) -> None:
        """End what is left of the reader and start another."""
        self.child.kill()
        self.child.stop(0)
        self.child = self._start()

    def try_file(self, path: Path) -> Outcome:
        """Have a file read and its first and last page drawn."""
        start = time.monotonic()
        try:
            outcome = self._read(path)
        except ConnectionLost:
            self.restart()
            outcome = Outcome("KILLED the process ended")
        except TimeoutError:
            self.restart()
            outcome = Outcome("KILLED it said nothing for too long")
        outcome.seconds = time.monotonic() - start
        return outcome

    def _next(self) -> FromReader:
        if not self.child.wire.poll(SILENCE_BUSY_S[Role.READER]):
            raise TimeoutError
        return self.child.wire.receive()

    def _read(self, path: Path) -> Outcome:
        self._job += 10
        wire, job = self.child.wire, self._job
        wire.send(OpenDocument(job, str(path)))
        drawings: set[int] = set()
        faults: list[str] = []
        images = []
        answer: DocumentRead | Failed | None = None
        try:
            while answer is None or drawings:
                match message := self._next():
                    case DocumentOpened():
                        for number, page in enumerate({0, len(message.pages) - 1}, 1):
                            image = create_image(8 << 20)
                            images.append(image)
                            size = message.pages[page]
                            scale = min(1.0, 1500 / max(size.width_pt, size.height_pt, 1.0))
                            drawings.add(job + number)
                            wire.send(RenderPage(job + number, message.document, page, scale, image.name, 8 << 20))
                    case PageRendered():
                        drawings.discard(message.job)
                    case Failed() if message.job in drawings:
                        drawings.discard(message.job)
                        faults += [_bug(message)] if message.fault.code is FaultCode.INTERNAL else []
                    case Failed() | DocumentRead():
                        answer = message
        finally:
            for image in images:
                image.close()
        if isinstance(answer, Failed):
            word = _bug(answer) if answer.fault.code is FaultCode.INTERNAL else f"fault {answer.fault.code.value}"
            return Outcome(word)
        wire.send(CloseDocument(answer.document))
        document = unpack(answer.packed)
        if CANARY in document.text:
            return Outcome("ESCAPED the canary was read")
        if len(document.boxes) != len(document.text):
            return Outcome("ESCAPED boxes do not match the text")
        return Outcome(f"ESCAPED drawing {faults[0]}" if faults else "document")

    def memory_bytes(self) -> int:
        """Most memory since the last call (Linux; 0 elsewhere)."""
        folder = Path(f"/proc/{self.child.hello.pid}")
        try:
            found = re.search(r"VmHWM:\s+(\d+) kB", (folder / "status").read_text())
            (folder / "clear_refs").write_text("5")
        except OSError:
            return 0
        return int(found[1]) * 1024 if found else 0

    def cpu_s(self) -> float:
        """Processor time of the reader so far, in seconds (Linux; 0 elsewhere)."""
        try:
            fields = Path(f"/proc/{self.child.hello.pid}/stat").read_text().rpartition(") ")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def outside(self, inside: Path) -> Counter[str]:
        """What was opened, run or connected to besides the files of ``inside`` and the program's own."""
        found: Counter[str] = Counter()
        for log in sorted(self._folder.glob("trace-*")):
            started = False
            with log.open(errors="replace") as lines:
                for line in lines:
                    path, other = _OPENED.match(line), _OTHER.match(line)
                    started = started or (path is not None and path[1].startswith(str(inside)))
                    if not started:
                        continue
                    if path is not None and not path[1].startswith((str(inside), *_ALLOWED)):
                        found[f"opened {path[1]}"] += 1
                    elif path is not None and "execve" in line:
                        found[f"ran {path[1]}"] += 1
                    elif other is not None:
                        found[f"{other[1]} {other[2][:80]}"] += 1
        return found


def _bug(failed: Failed) -> str:
    trace = failed.fault.trace.strip().splitlines()
    return "ESCAPED " + (trace[-1] if trace else failed.fault.sentence)


def sources(folder: Path | None) -> tuple[list[bytes], list[bytes]]:
    """The PDFs and the Word files under ``folder``, our samples among them."""
    folders = [ROOT / "resources" / "samples", *([folder] if folder else [])]
    found: dict[str, list[bytes]] = {".pdf": [], ".docx": []}
    for each in folders:
        for path in sorted(each.rglob("*")):
            suffix = path.suffix.lower()
            if suffix in found and path.stat().st_size <= MAX_SOURCE_BYTES[suffix]:
                found[suffix].append(_shortened(path) if suffix == ".pdf" else path.read_bytes())
    return found[".pdf"], found[".docx"]


def _shortened(path: Path) -> bytes:
    """A PDF with its first pages only; as it is when that fails or changes nothing."""
    try:
        with pymupdf.open(path) as file:
            if file.page_count <= MAX_SOURCE_PAGES or file.needs_pass:
                return path.read_bytes()
            file.select(list(range(MAX_SOURCE_PAGES)))
            data: bytes = file.tobytes(garbage=3)
            return data
    except DAMAGE:
        return path.read_bytes()


def mutated(number: int, seed: int, given: tuple[list[bytes], list[bytes]], outside: str) -> tuple[str, str, bytes]:
    """(suffix, name of the way, bytes) of the file with that number."""
    chance = random.Random(seed * 1_000_003 + number)
    which = number % 2
    ways = (PDF_WAYS, DOCX_WAYS)[which]
    way = ways[number // 2 % len(ways)]
    while True:
        try:
            return (".pdf", ".docx")[which], way.__name__, way(chance.choice(given[which]), chance, outside)
        except (zipfile.BadZipFile, zlib.error, ValueError):
            continue  # a source that this way cannot damage: take another


def run(arguments: argparse.Namespace, folder: Path) -> int:
    """All files; 1 when anything escaped, was killed or opened something outside."""
    given = sources(Path(arguments.folder) if arguments.folder else None)
    say(f"{len(given[0])} PDFs and {len(given[1])} Word files; {arguments.count} mutations, seed {arguments.seed}")
    files, canary = folder / "files", folder / "canary.txt"
    files.mkdir()
    canary.write_text(CANARY)
    trace = not arguments.no_trace and shutil.which("strace") is not None
    if not trace:
        say("not traced (no strace): what is opened outside the files shows only by the canary and the port")
    outcomes: Counter[str] = Counter()
    by_way: Counter[tuple[str, str]] = Counter()
    cost: Counter[str] = Counter()
    slow: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        addresses = (canary.as_uri(), str(canary), f"http://127.0.0.1:{server.getsockname()[1]}/x")
        reader = WatchedReader(folder, trace)
        numbers = [arguments.only] if arguments.only is not None else range(arguments.count)
        for number in numbers:
            suffix, way, data = mutated(number, arguments.seed, given, addresses[number // 2 % 3])
            path = files / f"{number}{suffix}"
            path.write_bytes(data)
            before = reader.cpu_s()
            try:
                outcome = reader.try_file(path)
            except KeyboardInterrupt:
                say("interrupted: the report is of the files before")
                break
            seconds, memory = max(0.0, reader.cpu_s() - before), reader.memory_bytes()
            cost[f"{suffix[1:]} {way}"] += round(seconds * 1000)
            outcomes[outcome.word] += 1
            by_way[f"{suffix[1:]} {way}", outcome.word.split()[0]] += 1
            if seconds > SLOW_S or memory > LARGE_BYTES:
                slow.append(f"{number} {way}{suffix}: {seconds:.1f} s, {memory >> 20} MB, {outcome.word}")
            if outcome.word.startswith(("ESCAPED", "KILLED")):
                say(f"{number} {way}{suffix}: {outcome.word} ({outcome.seconds:.1f} s)")
                if arguments.keep:
                    shutil.copy(path, arguments.keep)
            path.unlink()
            if arguments.verbose:
                say(f"{number} {way}{suffix} {seconds:.2f} s {memory >> 20} MB {outcome.word}")
            if number % 250 == 249:
                say(f"… {number + 1}: {dict(outcomes)}")
        outside = reader.outside(files)
        reader.child.stop()
        try:
            server.accept()
            outside["a connection came to the port that the files name"] += 1
        except BlockingIOError:
            pass
    return report(outcomes, by_way, cost, slow, outside)


def report(
    outcomes: Counter[str],
    by_way: Counter[tuple[str, str]],
    cost: Counter[str],
    slow: list[str],
    outside: Counter[str],
) -> int:
    """Print what happened; the exit status."""
    say("\noutcomes")
    for word, count in outcomes.most_common():
        say(f"{count:6d}  {word}")
    say("\nway, outcome")
    for (way, word), count in sorted(by_way.items()):
        say(f"{count:6d}  {way:28} {word}")
    say("\nway, processor time of the reader in ms a file")
    tried: Counter[str] = Counter()
    for (way, _), count in by_way.items():
        tried[way] += count
    for way, total_ms in cost.most_common():
        say(f"{total_ms / tried[way]:8.0f}  {way}")
    say(f"\nslower than {SLOW_S:.0f} s or over {LARGE_BYTES >> 20} MB: {len(slow)}")
    for line in slow:
        say(f"  {line}")
    say(f"\nopened, run or connected to outside the file: {sum(outside.values())}")
    for word, count in outside.most_common(40):
        say(f"{count:6d}  {word}")
    bad = any(word.startswith(("ESCAPED", "KILLED")) for word in outcomes)
    return 1 if bad or outside else 0


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default=os.environ.get("ANTINOMY_DATA"))
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="the file with this number alone")
    parser.add_argument("--no-trace", action="store_true")
    parser.add_argument("--recognise", action="store_true", help="pages without text are recognised too (slow)")
    parser.add_argument("--verbose", action="store_true", help="a line for each file")
    parser.add_argument("--keep", help="a folder for the files that escaped or killed the reader")
    arguments = parser.parse_args()
    if not arguments.recognise:
        os.environ[CHOICE_VARIABLE] = NONE
    if arguments.folder is None:
        say("no folder and no ANTINOMY_DATA: our samples alone are mutated")
    with tempfile.TemporaryDirectory(prefix="antinomy-fuzz-") as folder:
        return run(arguments, Path(folder))


if __name__ == "__main__":
    raise SystemExit(main())
