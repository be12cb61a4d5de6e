"""A dataset: splits by contract that never move, texts byte for byte, a card, nobody's name."""

from __future__ import annotations

import json

import msgspec
import pytest

from engine.document import pack
from engine.matter import Annotator, Matter, ReadOnlyFolder
from engine.matter.commands import run_matter_command
from engine.matter.dataset import SPLITS, gather, split_of, write_dataset
from engine.matter.guide import Guide, Label, keep_guide

FINDING = "f-0000000000000001"


@pytest.fixture
def labelled(matter, english, ends, finding, engine_line, make_document):
    undecided = finding(english, "f-0000000000000002")
    matter.save_review([english.id], [finding(english), undecided], engine_line)
    matter.decide(FINDING, "confirmed")
    matter.add_link(ends(english, "30 days", "45 days"), "value.period")
    for number in range(40):
        document = make_document(f"1. pay in 30 days, number {number}\r\n2. pay in 45 days 😀")
        matter.add_document(document.id, f"n{number}.txt", "", "text", pack(document))
        matter.add_link(ends(document, "30 days", "45 days"), "value.period" if number % 2 else "not.override")
    return matter


def records(folder, split, kind):
    lines = [json.loads(line) for line in (folder / f"{split}.jsonl").read_bytes().split(b"\n") if line]
    assert lines[0]["schema"] == "antinomy.links/1"
    return [line[kind] for line in lines if line.get("type") == kind]


def test_a_dataset_is_whole_and_its_offsets_hold(labelled, tmp_path):
    folder = tmp_path / "set"
    report = write_dataset([labelled], folder, "CC BY 4.0", guide="Mark values.")
    assert sum(report.links.values()) == 41
    assert sum(report.documents.values()) == 41
    assert sum(report.decisions.values()) == 1
    assert all(report.links[split] for split in SPLITS)
    seen: dict[str, str] = {}
    for split in SPLITS:
        for link in records(folder, split, "link"):
            for end in link["ends"]:
                text = (folder / "texts" / f"{end['document'].removeprefix('sha256:')}.txt").read_bytes().decode()
                assert text[end["start"] : end["end"]] == end["quote"]
                assert seen.setdefault(end["document"], split) == split
    everything = "".join((folder / f"{split}.jsonl").read_text("utf-8") for split in SPLITS)
    assert "Ada" not in everything
    assert "f-0000000000000002" not in everything
    card = (folder / "CARD.md").read_text("utf-8")
    for words in ("CC BY 4.0", "| value.period | 21 |", "| not.override | 20 |", "Mark values.", "| confirmed | 1 |"):
        assert words in card
    for words in ("| en | 41 |", "| person | 41 |", "| labelled | 41 |", "| annotator 1 | 42 |", "`value.amount`"):
        assert words in card, words


def test_the_card_gives_the_agreement_by_annotator_code_and_aspect(matter, english, ends, tmp_path):
    pair = ends(english, "30 days", "45 days")
    matter.add_link(pair, "value.period", aspect="pay | price")
    matter.use_annotator(Annotator("a-two", "Bo"))
    matter.add_link(pair, "not.override")
    write_dataset([matter], tmp_path / "set", "CC0 1.0")
    card = (tmp_path / "set" / "CARD.md").read_text("utf-8")
    assert "| annotator 1 and annotator 2 (Cohen's kappa) | 0.000 | 1 |" in card
    assert "| not.override against all else (alpha) | 0.000 | 1 |" in card
    assert "| code, on the aspect “pay \\| price” (alpha) | 0.000 | 1 |" in card
    assert "| aspect (Krippendorff's alpha) | undefined (no unit was labelled by two annotators) | 0 |" in card
    assert "Ada" not in card
    assert "Bo" not in card


def test_documents_that_a_link_joins_share_a_split_and_none_moves_when_the_set_grows(labelled, ends, make_document):
    before = split_of(gather([labelled]))
    documents = [d.id for d in labelled.documents() if d.id in before]
    new = make_document("1. 30 days\n2. 45 days, another")
    labelled.add_document(new.id, "new.txt", "", "text", pack(new))
    labelled.add_link(ends(new, "30 days", "45 days"), "value.period")
    after = split_of(gather([labelled]))
    assert {d: after[d] for d in documents} == before
    texts = gather([labelled]).documents
    other = next(d for d in documents if after[d] != after[new.id])
    two = ends(new, "30 days")[0], labelled.links()[1].ends[0]
    labelled.add_link((two[0], type(two[0])(other, "", "", texts[other].text[:2], 0, 2)), "document.value.period")
    joined = split_of(gather([labelled]))
    assert joined[other] == joined[new.id]


def test_labels_without_a_text_are_left_out_and_counted(matter, english, ends, tmp_path):
    matter.add_link(ends(english, "30 days", "45 days"), "value.period")
    with Matter.create(tmp_path / "bare.antinomy", Annotator("a-two", "Bo")) as bare:
        bare.add_document("sha256:0", "gone.txt", "", "text", None)
        end = type(ends(english, "30 days")[0])("sha256:0", "", "", "ab", 0, 2)
        bare.add_link((end, end), "value.period")
        assert gather([bare]).left_out == 1
        # The same matter twice adds nothing.
        assert len(gather([matter, bare, matter]).links) == 1


def test_the_command_and_a_folder_in_use(labelled, tmp_path):
    path = labelled.path
    labelled.close()
    guide = tmp_path / "guide.md"
    guide.write_text("指南", "utf-8")
    lines: list[str] = []
    command = ["dataset", str(tmp_path / "out"), str(path), "--licence", "CC BY 4.0", "--guide", str(guide)]
    assert run_matter_command(command, lines.append) == 0
    assert [line.split(":")[0] for line in lines] == list(SPLITS)
    assert "指南" in (tmp_path / "out" / "CARD.md").read_text("utf-8")
    assert run_matter_command(command, lines.append) == 2
    assert "not empty" in lines[-1]
    with Matter.open(path) as matter, pytest.raises(ReadOnlyFolder):
        write_dataset([matter], guide, "x")
    assert run_matter_command([*command[:-1], str(tmp_path / "none.md")], lines.append) == 2


def test_the_label_set_and_the_guide_go_with_the_labels(matter, english, ends, tmp_path):
    keep_guide(matter, Guide("Read both clauses whole.", (Label("value.period", "Frist", "1"),)))
    matter.add_link(ends(english, "30 days", "45 days"), "value.period")
    write_dataset([matter], tmp_path / "set", "CC0")
    (guide,) = msgspec.json.decode((tmp_path / "set" / "labels.json").read_bytes(), type=list[Guide])
    assert guide.labels[0].words == "Frist"
    assert "Read both clauses whole." in (tmp_path / "set" / "CARD.md").read_text("utf-8")
