"""The sample contracts: built from their texts, small, and with the contradictions we say they have."""

from __future__ import annotations

import importlib.util
import json
import re
import zipfile

import pytest

from resources import resource_path

SAMPLES = resource_path("samples")
BUILT = [
    ("master_supply_agreement", "ENGLISH"),
    ("equipment_purchase_contract_zh", "CHINESE"),
]


@pytest.fixture(scope="module")
def builder():
    spec = importlib.util.spec_from_file_location("build_samples", SAMPLES / "build_samples.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # A dataclass looks its module up by name.
    import sys

    sys.modules["build_samples"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["build_samples"]


def known():
    return [json.loads(line) for line in (SAMPLES / "known.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize(("name", "look"), BUILT)
def test_the_docx_is_what_its_text_says(builder, tmp_path, name, look):
    builder.build(SAMPLES / f"{name}.txt", tmp_path / "new.docx", getattr(builder, look))
    with zipfile.ZipFile(tmp_path / "new.docx") as new, zipfile.ZipFile(SAMPLES / f"{name}.docx") as old:
        for part in ("word/document.xml", "word/numbering.xml"):
            assert new.read(part) == old.read(part)


def test_every_known_passage_is_in_its_text(builder):
    assert builder.missing_passages(SAMPLES) == []


def test_the_samples_hold_enough_and_are_small():
    assert {entry["document"] for entry in known()} == {
        "master_supply_agreement.docx",
        "master_supply_agreement.pdf",
        "equipment_purchase_contract_zh.docx",
    }
    for entry in known():
        assert (SAMPLES / entry["document"]).is_file()
        ids = [item["id"] for item in entry["conflicts"] + entry["traps"]]
        assert len(ids) == len(set(ids))
        assert len(entry["conflicts"]) >= 12
        assert len(entry["traps"]) >= 8
    assert sum(path.stat().st_size for path in SAMPLES.iterdir() if path.is_file()) < 1_000_000


@pytest.mark.parametrize(
    ("name", "pattern", "dangling"),
    [
        ("master_supply_agreement", r"Sections? (\d+\.\d+)", {"22.11"}),
        ("equipment_purchase_contract_zh", r"第(\d+\.\d+)款", set()),
    ],
)
def test_only_the_references_that_should_point_nowhere_do(name, pattern, dangling):
    """The texts' numbers are automatic, so an edit can move what a reference means."""
    text = (SAMPLES / f"{name}.txt").read_text("utf-8")
    article = section = 0
    numbers = set()
    for line in text.splitlines():
        if line.startswith("# "):
            article, section = article + 1, 0
        elif line.startswith("## "):
            section += 1
            numbers.add(f"{article}.{section}")
    assert set(re.findall(pattern, text)) - numbers == dangling
