"""`antinomy doctor` over children that work and children that do not."""

from __future__ import annotations

import json
import sys

import msgspec

from engine.doctor import DoctorReport, examine, report_lines


def test_a_machine_that_works(made_up_command):
    report = examine(made_up_command)
    assert report.healthy
    said = "\n".join(report_lines(report))
    for words in ("Engine", "device", "ocr", "libreoffice", "fonts", "PySide6", "log", "can be reviewed"):
        assert words in said
    assert msgspec.json.decode(msgspec.json.encode(report), type=DoctorReport) == report


def test_a_machine_whose_engine_does_not_start():
    report = examine(lambda role, address: [sys.executable, "-c", "raise SystemExit(3)"])
    assert not report.healthy
    assert "status 3" in "\n".join(report_lines(report))


def test_the_real_engine_is_asked(run):
    done = run("doctor", "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["schema"] == "antinomy.doctor/1"
    names = {check["name"]: check["text"] for check in report["checks"]}
    assert names["device"].startswith(("cpu", "cuda"))
