"""``antinomy model`` and ``ask --write``: configured, agreed to, written, failed in a sentence."""

from __future__ import annotations

import io

import msgspec
import pytest

from engine.command.model import check_model, run_model_command, write_to
from engine.command.review import CommandFailed


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("ANTINOMY_HOME", str(tmp_path))


def test_no_model_until_one_is_configured(capsys):
    assert run_model_command([]) == 0
    assert "No model writes answers." in capsys.readouterr().out
    with pytest.raises(CommandFailed, match="no model is configured"):
        check_model()
    assert run_model_command(["--openai", "http://localhost:9/v1", "small", "--budget", "5000"]) == 0
    assert (check_model().model, check_model().budget_tokens) == ("small", 5000)
    assert run_model_command(["--anthropic", "large"]) == 0
    assert check_model().url == "https://api.anthropic.com"
    assert run_model_command(["--forget"]) == 0
    with pytest.raises(CommandFailed):
        check_model()
    assert run_model_command(["--openai", "http://example.com", "m"]) == 2
    assert "not encrypted" in capsys.readouterr().err


def written(answer, reply):
    out, err = io.StringIO(), io.StringIO()
    asked = []

    def agree(question):
        asked.append(question)
        return reply

    write_to(answer, out, err, agree=agree)
    return out.getvalue(), err.getvalue(), asked


def test_nothing_is_sent_before_it_is_agreed_to(endpoint, answer):
    run_model_command(["--openai", endpoint.url, "small"])
    out, err, asked = written(answer, "n")
    assert (out, endpoint.asked, len(asked)) == ("", [], 1)
    assert answer.passages[0].text in err
    assert endpoint.url in err
    assert "nothing was sent" in err
    out, err, asked = written(answer, "y")
    assert "within 30 days [1]" in out
    assert len(endpoint.asked) == 1
    # From now on it is known.
    assert written(answer, "")[2] == []


def test_made_up_values_and_failures_are_said(endpoint, answer):
    run_model_command(["--openai", endpoint.url, "small"])
    endpoint.words, endpoint.cut = ["It is 45 days [1]."], True
    out, _, _ = written(answer, "y")
    assert "It is [?45 days] [1]." in out
    assert "1 marked" in out
    assert "Not complete" in out
    endpoint.statuses = [401]
    out, err, _ = written(answer, "y")
    assert out == ""
    assert "no written answer: The key was refused" in err
    out, err, _ = written(msgspec.structs.replace(answer, passages=()), "y")
    assert "no passage" in err
