"""House mistakes that no linter knows, found by small regular expressions. Run by `make check`.

Prints one line per mistake and exits 1 when there is any.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAX_FILE_LINES = 400

#: (pattern, what to do instead, paths it holds for)
RULES = [
    (re.compile(r"#\s*noqa\s*$"), "a bare noqa: name the rule and say why", "*.py"),
    (re.compile(r"#\s*type:\s*ignore\s*$"), "a bare type: ignore: name the code and say why", "*.py"),
    (re.compile(r"\btime\.sleep\("), "sleeping: wait for an event or a signal", "*.py"),
    (re.compile(r"^\s*except\s*:"), "a bare except: name the errors", "*.py"),
    (re.compile(r"lambda[^\n]*\.emit\("), "emitting from a lambda: connect a bound slot", "gui/**/*.py"),
    (re.compile(r"\bimport fitz\b"), "import pymupdf, not fitz", "*.py"),
    (re.compile(r"\b(pickle|marshal)\.loads?\("), "unpickling: the protocol is msgspec", "*.py"),
    (re.compile(r"\bconnection\.(send|recv)\("), "Connection.send is pickle: send_bytes and recv_bytes", "*.py"),
]
BANNED_NAMES = re.compile(r"(^|/)(utils?|helpers?|managers?)(\.py)?(/|$)")


def tracked_files() -> list[Path]:
    """The files git knows or would add, as paths relative to the root."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [Path(line) for line in listed.stdout.splitlines() if (ROOT / line).is_file()]


def mistakes() -> list[str]:
    """One line per mistake: file, line, what to do."""
    found = []
    for path in tracked_files():
        if path.suffix != ".py" or path == Path("tests/house_rules.py"):
            continue
        if BANNED_NAMES.search(str(path)):
            found.append(f"{path}: a name that says nothing (utils, helpers, manager)")
        lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
        if len(lines) > MAX_FILE_LINES and path.parts[0] != "tests":
            found.append(f"{path}: {len(lines)} lines, more than {MAX_FILE_LINES}: it is asking to be two files")
        for number, line in enumerate(lines, 1):
            broken = [what for rule, what, where in RULES if path.match(where) and rule.search(line)]
            found += [f"{path}:{number}: {what}" for what in broken]
    if (ROOT / "kernels/__init__.py").read_text(encoding="utf-8").strip():
        found.append("kernels/__init__.py must stay empty: transformers probes a package of that name")
    return found


def main() -> int:
    """Print the mistakes; 1 if there are any."""
    found = mistakes()
    sys.stdout.writelines(line + "\n" for line in found)
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
