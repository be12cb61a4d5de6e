"""The sample contracts' clause trees against the texts that they were built from."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pdf_making import read

from engine.document import ClauseKind, Document

SAMPLES = Path(__file__).resolve().parents[2] / "resources" / "samples"
NAMES = ("master_supply_agreement", "equipment_purchase_contract_zh")


def numbers_of_source(name: str) -> list[str]:
    """The automatic numbers that the markup asks for, in order, to the second level."""
    found: list[str] = []
    first = second = 0
    for line in (SAMPLES / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        depth = len(line) - len(line.lstrip("#"))
        if depth == 1:
            first, second = first + 1, 0
            found.append(f"{first}")
        elif depth == 2:
            second += 1
            found.append(f"{first}.{second}")
    return found


def numbers_of(document: Document) -> list[str]:
    """The same of a Document: paths of one or two numbers outside schedules."""
    paths = [clause.path for clause in document.clauses if clause.kind is not ClauseKind.SCHEDULE]
    return [
        ".".join(str(part) for part in path)
        for path in paths
        if 1 <= len(path) <= 2 and all(isinstance(part, int) for part in path)
    ]


@pytest.mark.parametrize("file", [f"{NAMES[0]}.docx", f"{NAMES[0]}.pdf", f"{NAMES[1]}.docx"])
def test_a_sample_has_the_numbers_of_its_source(file: str) -> None:
    assert numbers_of(read(str(SAMPLES / file))) == numbers_of_source(file.partition(".")[0])


def test_the_pdf_has_the_tree_of_the_word_file() -> None:
    pdf, word = (read(str(SAMPLES / f"{NAMES[0]}.{kind}")) for kind in ("pdf", "docx"))
    trees = [[(clause.path, clause.kind, clause.heading) for clause in document.clauses] for document in (pdf, word)]
    assert trees[0] == trees[1]
    assert len(re.findall(r"\S+", pdf.text)) == pytest.approx(len(re.findall(r"\S+", word.text)), rel=0.01)
