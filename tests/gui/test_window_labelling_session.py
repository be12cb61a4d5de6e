"""A labelling session on our two sample contracts: two annotators, blind, then adjudication, agreement, a dataset."""

from __future__ import annotations

from pathlib import Path

import msgspec
from PySide6.QtCore import Qt
from window_bench import Bench, finding

from engine.document import Document, pack
from engine.matter import Matter
from engine.matter.adjudication import remarks
from engine.matter.check import check
from engine.matter.dataset import write_dataset
from engine.matter.records import LinkStatus, Origin
from engine.reading.open_file import open_file
from gui.commands.names import Name
from gui.samples import sample_contracts


def read(path: Path) -> Document:
    opened = open_file(str(path.with_suffix(".txt")))
    try:
        for _step in opened.read():
            pass
        assert opened.document is not None
        return opened.document
    finally:
        opened.close()


def own_clauses(document: Document) -> list[int]:
    """The clauses without others inside that have words enough, by position."""
    parents = {clause.parent for clause in document.clauses}
    return [
        i for i, clause in enumerate(document.clauses) if clause.id not in parents and clause.end - clause.start > 20
    ]


def drag(bench: Bench, document: Document, first: int, second: int, digit: Qt.Key, no_conflict: bool = False) -> None:
    bench.desk.show(document.id)
    a, b = document.clauses[first], document.clauses[second]
    bench.window.pages.view.link_dropped.emit(a.start, a.end, b.start, b.end)
    if no_conflict:
        bench.press(Qt.Key.Key_0)
    bench.press(digit)
    bench.press(Qt.Key.Key_Return)


def label(bench: Bench, name: str, documents: list[Document], second_opinion: bool) -> None:
    """One annotator: both contracts given, six pairs dragged, the queue gone through, both finished."""
    bench.trigger(Name.PEOPLE)
    panel = bench.workbench.people.people
    panel.name.setFocus()
    bench.type(name)
    bench.press(Qt.Key.Key_Return)
    for document in documents:
        panel.document.setCurrentIndex(panel.document.findData(document.id))
        bench.click(panel.assign)
    if not panel.blind.isChecked():
        panel.blind.click()
    for document in documents:
        at = own_clauses(document)
        drag(bench, document, at[0], at[5], Qt.Key.Key_2)
        drag(bench, document, at[1], at[6], Qt.Key.Key_3 if second_opinion else Qt.Key.Key_2)
        drag(bench, document, at[2], at[7], Qt.Key.Key_5, no_conflict=second_opinion)
    bench.trigger(Name.LABEL_NEXT)
    while (shown := bench.workbench.suggestions.chosen) is not None:
        is_sure = shown.origin is Origin.SUGGESTION and shown.score > 0.5
        bench.press(Qt.Key.Key_A if is_sure else Qt.Key.Key_4)
    bench.trigger(Name.PEOPLE)
    for row, each in enumerate(bench.workbench.labelling.assignments()):
        me = bench.workbench.labelling.me
        if me is not None and each.annotator == me.id:
            panel.table.setCurrentCell(row, 0)
            bench.click(panel.done)


def test_two_annotators_an_adjudicator_and_a_dataset(bench: Bench, tmp_path: Path) -> None:
    documents = [read(path) for path in sample_contracts()]
    assert len(documents) == 2
    bench.workbench.documents.open_paths([Path(document.name) for document in documents])
    for document in documents:
        job = bench.processes.waiting("open_document")[0]
        bench.processes.play_opened(job, document)
        bench.processes.play_read(job, document)
    found = tuple(
        finding(document, 10 * n + i, at[i - 8], at[i - 4], score=0.2 + 0.2 * i)
        for n, document in enumerate(documents, 1)
        for at in [own_clauses(document)]
        for i in range(4)
    )
    bench.review(found)

    label(bench, "Ada", documents, second_opinion=False)
    ada = bench.workbench.labelling.me
    mine = len(bench.desk.book.links())
    label(bench, "Bo", documents, second_opinion=True)
    assert len(bench.desk.book.links()) == 2 * mine >= 28

    bench.trigger(Name.PEOPLE)
    panel = bench.workbench.people.people
    panel.name.setText("Cy")
    panel.add.click()
    assert "(Cohen)" in panel.agreement.text()
    bench.trigger(Name.RULINGS)
    ruling = bench.workbench.people.rulings
    assert ruling.pairs.count() == 4
    for key in (Qt.Key.Key_A, Qt.Key.Key_M, Qt.Key.Key_A, Qt.Key.Key_A):
        ruling.pairs.setCurrentRow(0)
        assert ruling.pairs.currentItem().text().startswith("•")
        bench.press(key, ruling.judgements)
    assert all(ruling.pairs.item(i).text().startswith("✓") for i in range(4))

    links = bench.desk.book.links()
    assert len(links) == 2 * mine + 1
    assert sum(link.status is LinkStatus.ACCEPTED for link in links) == 4
    assert {link.annotator for link in links} >= {ada.id if ada else ""}
    assert len(bench.desk.book.ask(remarks, ())) == 4
    path = bench.desk.book.path
    assert path is not None
    bench.desk.book.close()
    with Matter.open(path) as matter:
        assert check(matter) == ()
        assert {link.id for link in matter.links()} == {link.id for link in links}
        for document in documents:
            matter.add_document(
                document.id, document.name, "", document.media, pack(document), clauses=document.clauses
            )
        report = write_dataset([matter], tmp_path / "set", "CC0", "Read both clauses whole.")
    assert sum(report.links.values()) == len(links)
    assert report.left_out == 0
    lines = [line for split in report.links for line in (tmp_path / "set" / f"{split}.jsonl").read_bytes().splitlines()]
    kept = [msgspec.json.decode(line) for line in lines]
    assert sum(line.get("type") == "link" for line in kept) == len(links)
    assert "annotator 1" in "".join(str(line) for line in kept)
    assert "Ada" not in "".join(str(line) for line in kept)
