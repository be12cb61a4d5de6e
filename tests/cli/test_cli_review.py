"""`antinomy review`: what it prints, writes and answers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from engine.cli import run_command_line
from engine.command.review import CommandFailed, ReviewRequest, review_files
from engine.protocol import child
from engine.protocol.messages import ReviewOptions

ROOT = Path(__file__).parents[2]

CONTRACT = """SUPPLY AGREEMENT

This Supply Agreement is made between Acme Inc. (the "Supplier") and Bolt Ltd. (the "Buyer").

1. Payment

1.1 The Buyer shall pay each invoice within thirty (30) days after receipt of the invoice.

1.2 The Supplier shall deliver the goods in accordance with Section 9.9.

2. Invoices

2.1 The Buyer shall pay each invoice within forty-five (60) days after receipt of the invoice.
"""


def request(*files: Path, json: str = "", password: str = "", most: int = 50) -> ReviewRequest:
    return ReviewRequest(files, json, password, ReviewOptions(), most)


@pytest.fixture
def made_up(tmp_path):
    def write(ways: str = "", text: str = "Payment is due.", name: str = "deal.txt") -> Path:
        path = tmp_path / name
        path.write_text(f"{ways}\n{text}")
        return path

    return write


def test_nothing_found_is_said(made_up, made_up_command, terminal):
    out, err = terminal(False), terminal(False)
    review_files(request(made_up()), out, err, command=made_up_command)
    assert "deal.txt: 1 page" in out.text
    assert "No findings in" in out.text
    assert err.text == ""


def test_progress_is_drawn_on_a_terminal_and_taken_away(made_up, made_up_command, terminal):
    out, err = terminal(False), terminal(True)
    review_files(request(made_up("steps=5 step_ms=30")), out, err, command=made_up_command)
    assert "reading deal.txt: reading  [" in err.text
    assert err.text.endswith("\r")
    assert "\x1b" not in out.text


@pytest.mark.parametrize(
    ("ways", "words", "status"),
    [
        ("password=x", r"needs its password\. \(--password", 2),
        ("crash=1", "ended the reading process", 2),
        ("bug=1", "mistake of its own", 1),
    ],
)
def test_an_unusable_file_is_one_line(made_up, made_up_command, terminal, ways, words, status):
    with pytest.raises(CommandFailed, match=words) as failed:
        review_files(request(made_up(ways)), terminal(False), terminal(False), command=made_up_command)
    assert failed.value.status == status
    assert "\n" not in str(failed.value)


def test_a_file_that_brings_reading_to_a_standstill_is_one_line(made_up, made_up_command, terminal, monkeypatch):
    monkeypatch.setitem(child.SILENCE_BUSY_S, child.Role.READER, 0.2)
    with pytest.raises(CommandFailed, match="standstill") as failed:
        review_files(request(made_up("hang=0")), terminal(False), terminal(False), command=made_up_command)
    assert failed.value.status == 2


def test_a_file_without_text_is_unusable(tmp_path, made_up_command, terminal):
    path = tmp_path / "scan.txt"
    path.write_text("  \n ")
    with pytest.raises(CommandFailed, match="no text can be read") as failed:
        review_files(request(path), terminal(False), terminal(False), command=made_up_command)
    assert failed.value.status == 2


@pytest.mark.parametrize(("text", "words"), [("crash", "engine process ended"), ("fault", "Too little memory")])
def test_an_engine_that_fails_is_our_failure(made_up, made_up_command, terminal, text, words):
    with pytest.raises(CommandFailed, match=words) as failed:
        review_files(request(made_up(text=text)), terminal(False), terminal(False), command=made_up_command)
    assert failed.value.status == 1


@pytest.mark.parametrize(("answers", "works"), [(["no", "open"], True), (["a", "b", "c"], False)])
def test_a_person_may_give_the_password_three_times(made_up, made_up_command, terminal, monkeypatch, answers, works):
    monkeypatch.setattr(sys, "stdin", terminal(True))
    asked: list[str] = []

    def ask(prompt: str) -> str:
        asked.append(prompt)
        return answers[len(asked) - 1]

    arguments = (request(made_up("password=open")), terminal(False), terminal(False))
    if works:
        review_files(*arguments, command=made_up_command, ask_password=ask)
    else:
        with pytest.raises(CommandFailed, match="password"):
            review_files(*arguments, command=made_up_command, ask_password=ask)
    assert len(asked) == len(answers)


def test_a_given_password_is_used_and_never_asked_for(made_up, made_up_command, terminal):
    out = terminal(False)
    review_files(request(made_up("password=p"), password="p"), out, terminal(False), command=made_up_command)
    assert "deal.txt" in out.text


def test_the_same_content_twice_is_one_document(made_up, made_up_command, terminal):
    out = terminal(False)
    paths = made_up(), made_up(name="copy.txt")
    review_files(request(*paths, json="-"), out, terminal(False), command=made_up_command)
    assert len(json.loads(out.data)["documents"]) == 1


@pytest.mark.parametrize(
    ("files", "out", "words"),
    [
        (["none.pdf"], "", "no such file"),
        (["."], "", "is a folder"),
        (["deal.txt"], "nowhere/out.json", "nothing can be written"),
        (["deal.txt"], ".", "nothing can be written"),
    ],
)
def test_bad_arguments_start_no_process(made_up, terminal, monkeypatch, files, out, words):
    monkeypatch.chdir(made_up().parent)

    def command(role: str, address: str) -> list[str]:
        raise AssertionError("a process was started")

    with pytest.raises(CommandFailed, match=words) as failed:
        review_files(
            request(*map(Path, files), json=out), terminal(False), terminal(False), command=command
        )
    assert failed.value.status == 2


# --- the program itself, with the real children ---------------------------------------------------


def test_a_real_review_finds_and_writes(run, tmp_path):
    (tmp_path / "合同 deal.txt").write_text(CONTRACT)
    done = run("review", "合同 deal.txt", "--json", "out.json")
    assert done.returncode == 0, done.stderr
    assert "合同 deal.txt: " in done.stdout
    assert "value.words_figures" in done.stdout
    assert "forty-five (60) days" in done.stdout
    result = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert result["schema"] == "antinomy.findings/1"
    assert [finding["rank"] for finding in result["findings"]] == list(range(1, len(result["findings"]) + 1))
    text = CONTRACT
    assert result["documents"][0]["characters"] <= len(text)
    for finding in result["findings"]:
        for passage in finding["passages"]:
            assert passage["document"] == result["documents"][0]["id"]
            assert passage["end"] - passage["start"] == len(passage["text"])
            assert passage["quads"], passage
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.json", "合同 deal.txt"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["review"],
        ["review", "none.pdf"],
        ["review", "empty.pdf"],
        ["review", "fake.pdf"],
        ["review", "a.txt", "--minimum-score", "7"],
        ["review", "a.txt", "--without", "everything"],
    ],
)
def test_unusable_input_is_status_2_and_words(run, tmp_path, arguments):
    (tmp_path / "empty.pdf").write_bytes(b"")
    (tmp_path / "fake.pdf").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    (tmp_path / "a.txt").write_text("1. Payment is due.")
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stderr.strip()
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("arguments", [["nonsense"], [], ["review", "--top", "-1", "a.txt"]])
def test_a_command_line_that_means_nothing_is_status_2(arguments, capsys):
    assert run_command_line(arguments) == 2
    assert "usage: antinomy" in capsys.readouterr().err


def test_version_and_help(run):
    assert run("--version").stdout.startswith("antinomy 0.")
    assert "review" in run("--help").stdout
    assert "--json" in run("review", "--help").stdout


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)])
def test_an_interrupted_review_leaves_no_children(made_up, number, status):
    script = (
        # Whoever runs the tests in the background lets them inherit an ignored SIGINT.
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "import sys; from engine.command import review; from engine import cli; from engine.protocol import child\n"
        "command = lambda role, address: [sys.executable, f'{sys.argv[1]}/{role}.py', address]\n"
        "run = review.review_files\n"
        "review.review_files = lambda *a: run(*a, command=command)\n"
        "raise SystemExit(cli.run_command_line(sys.argv[2:]))\n"
    )
    path = made_up("steps=100000 step_ms=5")
    command = [sys.executable, "-c", script, str(ROOT / "tests/processes/children"), "review", str(path)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as program:
        watched = psutil.Process(program.pid)
        children: list[psutil.Process] = []
        while len(children) < 2 or not any(busy(child) for child in children):
            with pytest.raises(subprocess.TimeoutExpired):
                program.wait(0.05)
            children = watched.children()
        program.send_signal(number)
        _, err = program.communicate()
    assert program.returncode == status
    assert "Traceback" not in err
    _, alive = psutil.wait_procs(children, timeout=10)
    assert alive == []


def busy(child: psutil.Process) -> bool:
    """Whether the child has done its start: it is past its imports when it has used its own file."""
    try:
        return child.cpu_times().user > 0.1
    except psutil.Error:
        return False


def test_a_pager_that_closes_early_is_no_error(run, tmp_path):
    (tmp_path / "a.txt").write_text(CONTRACT)
    program = f"{sys.executable} -m antinomy review a.txt --json - | head -c 1 >/dev/null; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", program],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() in ("0", "141")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("given", "most", "weak_too", "minimum"),
    [
        ([], 50, False, 0.0),
        (["--all"], 0, True, 0.0),
        (["--all", "--top", "7"], 7, True, 0.0),
        (["--minimum-score", "0"], 50, True, 0.0),
        (["--minimum-score", "0.4", "--top", "0"], 0, True, 0.4),
    ],
)
def test_weak_findings_are_printed_only_when_asked_for(monkeypatch, given, most, weak_too, minimum):
    asked = []
    monkeypatch.setattr("engine.command.review.review_files", lambda request, out, err: asked.append(request))
    assert run_command_line(["review", "a.txt", *given]) == 0
    assert (asked[0].most, asked[0].weak_too, asked[0].options.minimum_score) == (most, weak_too, minimum)


def test_the_state_of_tracked_changes_is_passed_on(monkeypatch):
    asked = []
    monkeypatch.setattr("engine.command.review.review_files", lambda request, out, err: asked.append(request))
    assert run_command_line(["review", "a.docx", "--revisions", "both"]) == 0
    assert run_command_line(["review", "a.docx"]) == 0
    assert [request.reading.revisions for request in asked] == ["both", "accepted"]


def test_whose_pages_are_cited_is_passed_on(monkeypatch):
    asked = []
    monkeypatch.setattr("engine.command.review.review_files", lambda request, out, err: asked.append(request))
    assert run_command_line(["review", "a.docx", "--layout", "libreoffice"]) == 0
    assert run_command_line(["review", "a.docx"]) == 0
    assert [request.reading.layout for request in asked] == ["libreoffice", ""]
