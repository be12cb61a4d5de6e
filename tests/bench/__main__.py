"""`make bench`: run every benchmark, one after the other, and print the machine above their figures.

Each ``bench_*.py`` is a program of its own that prints lines of ``name: value unit (asked …)``; it
makes its own inputs. ANTINOMY_DATA names a folder with contracts for those that can use real ones.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import psutil


def processor() -> str:
    """The processor's name, from /proc where there is one."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.processor())


def main() -> int:
    """Run all benchmarks, or those whose names are given; 1 when one of them fails."""
    here = Path(__file__).parent
    wanted = sys.argv[1:]
    memory_gb = psutil.virtual_memory().total / 2**30
    sys.stdout.write(
        f"machine: {processor()}, {os.cpu_count()} cores, {memory_gb:.0f} GB, {platform.platform()}, "
        f"Python {platform.python_version()}; load before: {os.getloadavg()[0]:.1f}\n"
    )
    failed = 0
    for path in sorted(here.glob("bench_*.py")):
        if wanted and not any(word in path.stem for word in wanted):
            continue
        sys.stdout.write(f"\n== {path.stem.removeprefix('bench_')}\n")
        sys.stdout.flush()
        environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ}
        done = subprocess.run([sys.executable, str(path)], check=False, env=environment, cwd=here.parent.parent)
        failed |= done.returncode
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
