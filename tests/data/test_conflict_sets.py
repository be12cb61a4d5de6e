"""The conflict sets are what their README says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.matter.labels import CONFLICT_CODES, NotAConflict

HERE = Path(__file__).parent
ONE_PASSAGE = {"value.words_figures", "value.arithmetic"}


def entries(name):
    return [json.loads(line) for line in (HERE / name / "gold.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("name", ["zh_conflicts", "en_conflicts"])
def test_every_passage_stands_once_in_its_text(name):
    ids = set()
    for entry in entries(name):
        text = (HERE / name / entry["document"]).read_text("utf-8")
        assert "{{" not in text
        for item in entry["conflicts"] + entry["traps"]:
            assert item["id"] not in ids
            ids.add(item["id"])
            assert [text.count(passage) for passage in item["passages"]] == [1] * len(item["passages"])


@pytest.mark.parametrize("name", ["zh_conflicts", "en_conflicts"])
def test_the_sets_are_large_and_labelled(name):
    found = entries(name)
    conflicts = [conflict for entry in found for conflict in entry["conflicts"]]
    traps = [trap for entry in found for trap in entry["traps"]]
    assert len(found) == 12
    assert len(conflicts) >= 60
    assert len(traps) >= 60
    assert all(len(entry["conflicts"]) >= 5 and len(entry["traps"]) >= 5 for entry in found)
    for conflict in conflicts:
        assert conflict["kind"] in CONFLICT_CODES
        assert len(conflict["passages"]) == (1 if conflict["kind"] in ONE_PASSAGE else 2)
    assert {trap["why"] for trap in traps} <= set(NotAConflict)
    assert all(len(trap["passages"]) == 2 for trap in traps)
    files = {path.name for path in (HERE / name / "contracts").iterdir()}
    assert files == {Path(entry["document"]).name for entry in found}
