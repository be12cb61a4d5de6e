"""Several people in the window: profiles, assignments, blind, agreement, rulings, guide, import."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import Qt
from window_bench import Bench

from engine.matter import Annotator, Matter
from engine.matter.adjudication import remarks
from engine.matter.exchange import export_links
from engine.matter.guide import Guide, Label, keep_guide
from engine.matter.records import LinkStatus
from gui.commands.names import Name
from gui.right.people_panel import PeoplePanel
from gui.right.rulings_panel import RulingsPanel


def people(bench: Bench) -> PeoplePanel:
    bench.trigger(Name.PEOPLE)
    return bench.workbench.people.people


def rulings(bench: Bench) -> RulingsPanel:
    bench.trigger(Name.RULINGS)
    return bench.workbench.people.rulings


def add(bench: Bench, name: str) -> None:
    panel = people(bench)
    panel.name.setFocus()
    bench.type(name)
    bench.press(Qt.Key.Key_Return)


def link(bench: Bench, first: int, second: int, digit: Qt.Key) -> None:
    a, b = bench.document.clauses[first], bench.document.clauses[second]
    bench.window.pages.view.link_dropped.emit(a.start, a.end - 1, b.start, b.end - 1)
    bench.press(digit)
    bench.press(Qt.Key.Key_Return)


def become(bench: Bench, name: str) -> None:
    panel = people(bench)
    panel.person.setCurrentIndex(panel.person.findText(name))
    panel.person.activated.emit(panel.person.currentIndex())


@pytest.fixture
def disputed(reviewed: Bench) -> Bench:
    """Ada and Bo judged one pair differently; Cy is to rule."""
    add(reviewed, "Ada")
    link(reviewed, 0, 2, Qt.Key.Key_2)
    add(reviewed, "Bo")
    link(reviewed, 0, 2, Qt.Key.Key_1)
    add(reviewed, "Cy")
    return reviewed


def test_a_new_annotator_labels_from_now_on(reviewed: Bench) -> None:
    add(reviewed, "Ada")
    link(reviewed, 0, 2, Qt.Key.Key_2)
    (made,) = reviewed.desk.book.links()
    assert reviewed.workbench.labelling.names()[made.annotator] == "Ada"
    assert reviewed.window.left.links.model.index(0, 5).data() == "Ada"
    assert people(reviewed).person.currentText() == "Ada"


def test_a_document_is_given_finished_and_opened_again(reviewed: Bench) -> None:
    add(reviewed, "Ada")
    panel = people(reviewed)
    reviewed.click(panel.assign)
    me = reviewed.workbench.labelling.me
    assert me is not None
    assert [(a.annotator, a.state) for a in reviewed.workbench.labelling.assignments()] == [(me.id, "open")]
    reviewed.click(panel.done)
    assert panel.table.item(0, 2).text() == "done"
    reviewed.click(panel.done)
    assert panel.table.item(0, 2).text() == "open"


def test_blind_hides_what_others_said_until_done(reviewed: Bench) -> None:
    add(reviewed, "Ada")
    link(reviewed, 0, 2, Qt.Key.Key_2)
    add(reviewed, "Bo")
    panel = people(reviewed)
    reviewed.click(panel.assign)
    panel.blind.click()
    assert reviewed.desk.book.links() == ()
    assert reviewed.window.left.links.model.rowCount() == 0
    assert "Hidden" in panel.agreement.text()
    assert "Hidden" in rulings(reviewed).said.text()
    panel = people(reviewed)
    reviewed.click(panel.done)
    assert len(reviewed.desk.book.links()) == 1
    become(reviewed, "Ada")
    assert len(reviewed.desk.book.links()) == 1


def test_agreement_is_shown_with_why_a_value_is_missing(disputed: Bench) -> None:
    text = people(disputed).agreement.text()
    assert "1 pairs of clauses, 2 annotators" in text
    assert "Two annotators (Cohen)" in text
    assert "Ada / Bo" in text or "Bo / Ada" in text
    # Every reason once, whatever number of values lack it.
    assert text.count("chance alone would agree") == 1
    assert "chance alone would agree" in text


def test_a_pair_judged_differently_is_ruled_on_by_a_key_and_undone(disputed: Bench) -> None:
    panel = rulings(disputed)
    assert panel.pairs.count() == 1
    assert {panel.judgements.item(i).text().split(":")[0] for i in range(2)} == {"Ada", "Bo"}
    chosen = panel.chosen
    assert chosen is not None
    disputed.press(Qt.Key.Key_A, panel.pairs)
    states = {each.id: each.status for each in disputed.desk.book.links()}
    assert states[chosen.id] is LinkStatus.ACCEPTED
    assert sorted(states.values()) == [LinkStatus.ACCEPTED, LinkStatus.REJECTED]
    assert panel.pairs.item(0).text().startswith("✓")
    disputed.press(Qt.Key.Key_U, panel.pairs)
    assert {each.status for each in disputed.desk.book.links()} == {LinkStatus.LABELLED}
    assert panel.pairs.item(0).text().startswith("•")


def test_merging_rejecting_and_commenting_are_recorded(disputed: Bench) -> None:
    panel = rulings(disputed)
    panel.comment.setFocus()
    disputed.type("see annex")
    disputed.press(Qt.Key.Key_Return)
    assert "see annex" in panel.record.text()
    assert "Commented" in panel.record.text()
    assert disputed.document.clauses[0].number in panel.quotes.text()
    disputed.press(Qt.Key.Key_R, panel.judgements)
    disputed.press(Qt.Key.Key_M, panel.judgements)
    record = disputed.desk.book.ask(remarks, ())
    assert [(each.ruling, each.comment) for each in record] == [("comment", "see annex"), ("reject", ""), ("merge", "")]
    assert len(disputed.desk.book.links()) == 3
    disputed.press(Qt.Key.Key_Escape, panel)
    assert disputed.window.right.evidence.isVisible()


def test_the_label_set_of_the_project_is_what_the_form_offers(make_bench: Callable[[], Bench]) -> None:
    bench = make_bench()
    bench.open()
    bench.trigger(Name.GUIDE)
    panel = bench.workbench.people.guide
    panel.text.setPlainText("Read both clauses whole.")
    panel.table.setRowCount(0)
    liability = ("risk.liability", "Liability", "3", "#aa3300", "capped here, unlimited there")
    for cells in (liability, ("not.same", "Same", "1", "", "")):
        panel._put_row(cells)
    bench.click(panel.save)
    link(bench, 0, 2, Qt.Key.Key_3)
    assert bench.desk.book.links()[0].code == "risk.liability"
    assert bench.window.left.links.model.index(0, 1).data() == "Liability"
    again = make_bench()
    again.open()
    labels = (Label(*liability), Label("not.same", "Same", "1"))
    assert again.workbench.labelling.guide() == Guide("Read both clauses whole.", labels)
    link(again, 1, 2, Qt.Key.Key_3)
    assert {each.code for each in again.desk.book.links()} == {"risk.liability"}


def test_a_label_set_that_does_not_hold_together_is_not_kept(reviewed: Bench) -> None:
    reviewed.trigger(Name.GUIDE)
    panel = reviewed.workbench.people.guide
    before = reviewed.workbench.labelling.guide()
    panel._put_row(("Not A Label", "x", "", "", ""))
    reviewed.click(panel.save)
    assert reviewed.workbench.labelling.guide() == before
    assert "not a label" in reviewed.said


FILES = (".csv", ".json", ".jsonl", ".ann")

# --- import ----------------------------------------------------------------------------------------------------


@pytest.fixture
def exported(reviewed: Bench, tmp_path: Path) -> Path:
    """Two links written to a file and then deleted."""
    for first, second in ((0, 2), (1, 3)):
        link(reviewed, first, second, Qt.Key.Key_2)
    path = tmp_path / "links.jsonl"
    reviewed.workbench.exchange.ask_path = lambda to_write, name: path
    reviewed.trigger(Name.EXPORT_LINKS)
    for each in reviewed.desk.book.links():
        reviewed.desk.book.delete_link(each.id)
    return path


def test_a_good_file_is_imported_when_the_person_agrees_and_undone(reviewed: Bench, exported: Path) -> None:
    reviewed.trigger(Name.IMPORT_LINKS)
    panel = reviewed.workbench.exchange.panel
    assert not panel.table.isVisible()
    assert "2 links" in panel.summary.text()
    assert reviewed.desk.book.links() == ()
    reviewed.press(Qt.Key.Key_Return, panel.take)
    assert len(reviewed.desk.book.links()) == 2
    reviewed.press(Qt.Key.Key_U, reviewed.window)
    assert reviewed.desk.book.links() == ()


def test_bad_lines_are_listed_and_the_good_ones_taken_only_if_agreed(reviewed: Bench, exported: Path) -> None:
    lines = exported.read_text("utf-8").splitlines()
    at = next(i for i, line in enumerate(lines) if '"type":"link"' in line)
    bad = msgspec.json.decode(lines[at])
    worse = {
        "offsets": {"ends": [{**end, "start": end["start"] + 1} for end in bad["link"]["ends"]]},
        "label": {"code": "No Label"},
        "document": {"ends": [{**end, "document": "sha256:" + "0" * 64} for end in bad["link"]["ends"]]},
    }
    for name, changes in worse.items():
        lines.append(msgspec.json.encode({**bad, "link": {**bad["link"], "id": f"l-{name}", **changes}}).decode())
    lines += [lines[at], "{half a line"]
    exported.write_text("\n".join(lines), "utf-8")
    reviewed.trigger(Name.IMPORT_LINKS)
    panel = reviewed.workbench.exchange.panel
    said = [panel.table.item(row, 1).text() for row in range(panel.table.rowCount())]
    expected = ("offsets do not fit", "not a label", "neither in the matter", "twice", "not a line")
    assert len(said) == len(expected)
    assert [part for part, words in zip(expected, said, strict=True) if part not in words] == [], said
    assert panel.table.item(0, 0).text() == str(len(lines) - 4)
    reviewed.press(Qt.Key.Key_Escape, panel)
    assert reviewed.desk.book.links() == ()
    reviewed.trigger(Name.IMPORT_LINKS)
    reviewed.click(panel.take)
    assert len(reviewed.desk.book.links()) == 2


def test_a_file_that_is_no_list_of_links_is_refused_in_a_sentence(reviewed: Bench, tmp_path: Path) -> None:
    for name, content in (("empty.jsonl", b""), ("other.jsonl", b'{"schema":"x/1"}\n'), ("raw.jsonl", b"\xff\xfe\x00")):
        (tmp_path / name).write_bytes(content)
        reviewed.workbench.exchange.look_at(tmp_path / name)
        assert name in reviewed.said
    reviewed.workbench.exchange.look_at(tmp_path / "missing.jsonl")
    assert "not there" in reviewed.said


def test_an_export_holds_what_the_matter_holds(reviewed: Bench, exported: Path, tmp_path: Path) -> None:
    reviewed.desk.book.undo()
    reviewed.desk.book.undo()
    again = tmp_path / "again.jsonl"
    reviewed.desk.book.ask(lambda matter: export_links(matter, again), 0)
    assert again.read_text("utf-8").splitlines()[1:] == exported.read_text("utf-8").splitlines()[1:]


def test_every_format_is_imported_in_the_window(reviewed: Bench, exported: Path, tmp_path: Path) -> None:
    reviewed.desk.book.undo()
    reviewed.desk.book.undo()
    kept = {each.id for each in reviewed.desk.book.links()}
    exchange = reviewed.workbench.exchange
    for name in ("csv", "label-studio", "doccano", "brat", "uima-cas-json", "pawls"):
        folder = tmp_path / name

        def ask(to_write: bool, _: str, name: str = name, folder: Path = folder) -> Path:
            exchange.format = name
            return folder if to_write else next(p for p in sorted(folder.rglob("*")) if p.suffix in FILES)

        exchange.ask_path = ask
        reviewed.trigger(Name.EXPORT_LINKS)
        if name != "csv":
            assert reviewed.window.right.currentWidget() is exchange.panel, name
            assert exchange.panel.table.rowCount() > 0, name
            reviewed.press(Qt.Key.Key_Escape, exchange.panel)
        if name == "pawls" and not any(folder.rglob("*_annotations.json")):
            continue  # the played document has no boxes; that is what was said above
        for each in reviewed.desk.book.links():
            reviewed.desk.book.delete_link(each.id)
        reviewed.trigger(Name.IMPORT_LINKS)
        assert "2 links" in exchange.panel.summary.text(), (name, exchange.panel.summary.text())
        reviewed.press(Qt.Key.Key_Return, exchange.panel.take)
        assert len(reviewed.desk.book.links()) == 2, name
    assert len(kept) == 2


def test_a_label_that_the_set_lacks_comes_only_with_the_box(reviewed: Bench, exported: Path) -> None:
    text = exported.read_text("utf-8").replace('"code":"value.period"', '"code":"colour.green"', 1)
    exported.write_text(text, "utf-8")
    reviewed.trigger(Name.IMPORT_LINKS)
    panel = reviewed.workbench.exchange.panel
    assert "not in this matter's label set" in panel.table.item(0, 1).text()
    assert "colour.green (1)" in panel.more.text()
    panel.more.setChecked(True)
    reviewed.click(panel.take)
    assert sorted(each.code for each in reviewed.desk.book.links()) == ["colour.green", "value.period"]
    assert "colour.green" in [label.code for label in reviewed.workbench.labelling.guide().labels]
    assert "colour.green" in [label.code for label in reviewed.window.right.link_form._labels]


def test_another_matter_is_looked_at_and_merged(reviewed: Bench, tmp_path: Path) -> None:
    link(reviewed, 0, 2, Qt.Key.Key_2)
    path = reviewed.desk.book.path
    assert path is not None
    other = tmp_path / "theirs.antinomy"
    reviewed.desk.book.ask(lambda matter: matter.compact(), None)
    shutil.copy(path, other)
    with Matter.open(other) as theirs:
        theirs.use_annotator(Annotator("a-bo", "Bo"))
        theirs.add_link(theirs.links()[0].ends, "not.override")
        keep_guide(theirs, Guide("Look twice.", (Label("value.period", key="1"), Label("not.override", key="2"))))
    reviewed.workbench.exchange.look_at(other)
    panel = reviewed.workbench.exchange.panel
    assert "1 judgements are new" in panel.summary.text()
    assert len(reviewed.desk.book.links()) == 1
    reviewed.press(Qt.Key.Key_Return, panel.take)
    assert sorted(each.code for each in reviewed.desk.book.links()) == ["not.override", "value.period"]
    reviewed.workbench.exchange.look_at(other)
    assert "already" in panel.summary.text()
    assert not panel.take.isVisible()
    reviewed.press(Qt.Key.Key_Escape, panel)
    (tmp_path / "empty.antinomy").write_bytes(b"")
    reviewed.workbench.exchange.look_at(tmp_path / "empty.antinomy")
    assert "not a matter file" in reviewed.said


def test_what_one_saves_on_another_s_link_is_one_s_own(reviewed: Bench) -> None:
    add(reviewed, "Ada")
    link(reviewed, 0, 2, Qt.Key.Key_2)
    add(reviewed, "Bo")
    (hers,) = reviewed.desk.book.links()
    form = reviewed.window.right.link_form
    reviewed.workbench.links.show_link(hers)
    assert form.title.text() == "Judged by Ada"
    form.search.setFocus()
    reviewed.press(Qt.Key.Key_1)
    reviewed.press(Qt.Key.Key_Return)
    names = reviewed.workbench.labelling.names()
    assert [(names[each.annotator], each.code) for each in reviewed.desk.book.links()] == [
        ("Ada", "value.period"), ("Bo", "value.amount")
    ]  # fmt: skip
    assert "that of Ada stays" in reviewed.window.status.remark.text()
