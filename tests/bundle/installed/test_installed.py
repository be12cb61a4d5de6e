"""The Debian package, unpacked as the system would: it is whole and the program in it works.

Run by `make installer`, after the package is made. Nothing of the system is changed.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import engine
from resources.installer.debian import architecture

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "dist" / f"antinomy_{engine.APP_VERSION}_{architecture()}.deb"
SAMPLE = ROOT / "resources" / "samples" / "equipment_purchase_contract_zh.docx"


def test_the_unpacked_program_reviews_a_contract(tmp_path: Path) -> None:
    assert PACKAGE.is_file(), f"{PACKAGE} is not there: run `make installer`, which makes it first"
    subprocess.run(["dpkg-deb", "--extract", str(PACKAGE), str(tmp_path)], check=True, timeout=300)
    assert (tmp_path / "usr/share/applications/antinomy.desktop").is_file()
    out = tmp_path / "findings.json"
    program = tmp_path / "opt/antinomy/antinomy"
    bare = {name: os.environ[name] for name in ("HOME", "TMPDIR", "LANG") if name in os.environ}
    done = subprocess.run(
        [str(program), "review", str(SAMPLE), "--json", str(out)],
        env=bare | {"PATH": "/usr/bin:/bin", "ANTINOMY_HOME": str(tmp_path / "home")},
        capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert len(json.loads(out.read_text(encoding="utf-8"))["findings"]) >= 5
