"""Learning in the window: what there is, the engine's work, before and after, keep or drop."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from window_bench import Bench

from engine.backend import OUTDATED, UNUSABLE
from engine.document import CharacterBoxes, Document, Media, Page, pack
from engine.learning.shelf import Shelf
from engine.matter import Annotator, LinkEnd, Matter
from engine.protocol.learning import Card, Figure
from engine.protocol.messages import Fault, FaultCode, Learn
from gui.commands.names import Name
from gui.right.learn_panel import LearnPanel


def a_matter(path: Path, number: int, conflicts: int = 3, others: int = 3) -> None:
    """A matter whose contract has pairs of words that were linked."""
    text = " ".join(f"word{i:03}" for i in range(2 * (conflicts + others)))
    page = Page(0, 595, 842, 0, len(text))
    name, boxes = f"sha256:{number:064x}", CharacterBoxes.empty()
    document = Document(name, f"{number}.txt", Media.TEXT, "en", text, (page,), (), (), (), (), boxes)
    path.parent.mkdir(parents=True, exist_ok=True)
    with Matter.create(path, Annotator("a-one", "Ada")) as matter:
        matter.add_document(document.id, document.name, "", Media.TEXT, pack(document))
        for i in range(conflicts + others):
            ends = [LinkEnd(document.id, "", "", text[at : at + 7], at, at + 7) for at in (16 * i, 16 * i + 8)]
            matter.add_link(ends, "norm.modality" if i < conflicts else "not.different_party")


def a_card(*, helps: bool) -> Card:
    low = 0.05 if helps else -0.05
    figures = (
        Figure("average_precision", 0.4, 0.5, low, 0.2), Figure("recall_10", 0.5, 0.6, 0.0, 0.2),
        Figure("conflicts_shown", 9, 12, 1, 5), Figure("false_alarms_shown", 8, 4, -6, -1),
    )  # fmt: skip
    moment = "2026-11-30T10:00:00+00:00"
    return Card("2026-11-30-1", "0", moment, 0, 3, 9, 9, 18, {}, "base", figures, (0.6, 0.6), helps, {})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def labelled(folder: Path, bench: Bench) -> Bench:
    """A window beside three matters with labels enough."""
    for number in (1, 2, 3):
        a_matter(folder / "matters" / f"{number}.antinomy", number)
    return bench


def shown(bench: Bench) -> LearnPanel:
    with bench.qtbot.waitSignal(bench.workbench.learning.labels_found):
        bench.trigger(Name.LEARN)
    return bench.workbench.learn.panel


def start(bench: Bench) -> int:
    panel = shown(bench)
    panel.learn.click()
    (job,) = bench.processes.waiting("learn")
    return job


def learnt(bench: Bench, folder: Path, *, helps: bool = True) -> LearnPanel:
    job = start(bench)
    card = a_card(helps=helps)
    Shelf(folder).put_on_trial(b"weights", card)
    bench.processes.play_learned(job, card)
    return bench.workbench.learn.panel


def test_too_few_labels_say_what_is_needed(reviewed: Bench) -> None:
    panel = shown(reviewed)
    assert "8 more that say conflict" in panel.said.text()
    assert "in 3 more contracts" in panel.said.text()
    assert not panel.learn.isEnabled()
    panel.learn.click()
    assert not reviewed.processes.waiting("learn")


def test_one_sided_labels_say_which_are_missing(folder: Path, bench: Bench) -> None:
    for number in (1, 2, 3):
        a_matter(folder / "matters" / f"{number}.antinomy", number, conflicts=4, others=0)
    panel = shown(bench)
    assert "8 more that say none" in panel.said.text()
    assert "say conflict (at" not in panel.said.text()


def test_the_engine_gets_documents_and_labels_and_the_result_is_kept(labelled: Bench, folder: Path) -> None:
    panel = learnt(labelled, folder)
    order = next(arguments[0] for method, _, arguments in labelled.processes.asked if method == "learn")
    assert isinstance(order, Learn)
    assert (len(order.documents), len(order.labels), order.folder) == (3, 18, str(folder))
    assert "0.40" in panel.result.text()
    assert "60%" in panel.result.text()
    assert "+1 … +5" in panel.result.text()
    assert panel.keep.property("role") == "main"
    panel.keep.click()
    assert Shelf(folder).in_use() == "2026-11-30-1"
    assert panel.weights.currentData() == "2026-11-30-1"
    assert panel.keep.isHidden()
    assert labelled.processes.weights() == str(folder / "learned" / "2026-11-30-1" / "verifier.safetensors")


def test_what_does_not_help_is_better_dropped(labelled: Bench, folder: Path) -> None:
    panel = learnt(labelled, folder, helps=False)
    assert "cannot be told from chance" in panel.result.text()
    assert panel.drop.property("role") == "main"
    panel.drop.click()
    assert Shelf(folder).trial() is None
    assert Shelf(folder).in_use() == ""
    assert panel.result.isHidden()


def test_progress_is_shown_and_stopping_changes_nothing(labelled: Bench, folder: Path) -> None:
    job = start(labelled)
    panel = labelled.workbench.learn.panel
    labelled.processes.play_progress(job, "preparing", 2, 4)
    assert 300 < panel.progress.value() < 500
    assert panel.learn.isHidden()
    panel.stop.click()
    assert "Stopped" in panel.said.text()
    assert panel.learn.isEnabled()
    assert Shelf(folder).trial() is None


def test_the_labelling_panel_leads_there(reviewed: Bench) -> None:
    reviewed.trigger(Name.LABEL_NEXT)
    with reviewed.qtbot.waitSignal(reviewed.workbench.learning.labels_found):
        reviewed.workbench.suggestions.panel.learn.click()
    assert reviewed.window.right.currentWidget() is reviewed.workbench.learn.panel


def test_a_failure_is_said_and_it_can_be_tried_again(labelled: Bench) -> None:
    job = start(labelled)
    labelled.processes.play_failed(job, Fault(FaultCode.OUT_OF_MEMORY, "Too little memory."))
    panel = labelled.workbench.learn.panel
    assert panel.said.text() == "Too little memory."
    panel.learn.click()
    assert labelled.processes.waiting("learn")


def test_a_damaged_matter_is_left_out_and_said(labelled: Bench, folder: Path) -> None:
    (folder / "matters" / "4.antinomy").write_bytes(b"no matter")
    panel = shown(labelled)
    assert "1 matters cannot be read" in panel.labels.text()
    assert panel.learn.isEnabled()


def test_a_folder_that_cannot_be_written_keeps_the_result_on_trial(
    labelled: Bench, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = learnt(labelled, folder)

    def refuse(self: Path, target: Path) -> Path:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", refuse)
        panel.keep.click()
    assert "Permission denied" in panel.said.text()
    panel.keep.click()
    assert Shelf(folder).in_use() == "2026-11-30-1"


def test_another_language_goes_on_with_what_is_learnt(labelled: Bench) -> None:
    job = start(labelled)
    labelled.workbench.on_looks_language_wanted("zh")
    labelled.processes.play_progress(job, "learning", 1, 2)
    panel = shown(labelled)
    assert not panel.progress.isHidden()
    assert panel.progress.value() > 800
    assert "共 3 份合同" in panel.labels.text()


def test_closing_the_window_stops_it(labelled: Bench) -> None:
    job = start(labelled)
    labelled.workbench.close()
    assert ("cancel", job, ()) in labelled.processes.asked


def test_shipped_weights_can_be_chosen_again(labelled: Bench, folder: Path) -> None:
    panel = learnt(labelled, folder)
    panel.keep.click()
    panel.weights.setCurrentIndex(0)
    panel.weights.activated.emit(0)
    assert Shelf(folder).in_use() == ""
    assert labelled.processes.weights() == ""


def test_a_card_survives_its_file() -> None:
    card = a_card(helps=True)
    assert msgspec.json.decode(msgspec.json.encode(card), type=Card) == card


@pytest.mark.parametrize("notice", [OUTDATED, UNUSABLE])
def test_weights_that_cannot_be_used_are_said_in_chinese_too(bench: Bench, notice: str) -> None:
    bench.workbench.on_looks_language_wanted("zh")
    bench.processes.play_engine_status(notice=notice)
    assert "审查改用" in bench.window.pages.banner.sentence
