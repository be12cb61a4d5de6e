"""The real reader asked for one state of a Word file's tracked changes, and what else a file brings."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.document import Document, Revisions, RevisionView, unpack
from engine.protocol import codec
from engine.protocol.child import Child, Role
from engine.protocol.messages import DocumentRead, Failed, FromReader, OpenDocument, ReadingOptions

sys.path.insert(0, str(Path(__file__).parents[1] / "reading"))

import docx_making as make

REVISED = make.docx(
    "<w:p>" + make.run("The price is ")
    + '<w:del w:id="1" w:author="a"><w:r><w:delText>USD 100</w:delText></w:r></w:del>'
    + '<w:ins w:id="2" w:author="a">' + make.run("USD 200") + "</w:ins>" + make.run(".") + "</w:p>"
)  # fmt: skip


@pytest.fixture(scope="module")
def reader() -> Iterator[Child[FromReader]]:
    child = Child.start(Role.READER, codec.from_reader)
    yield child
    child.stop()


def read(reader: Child[FromReader], path: Path, options: ReadingOptions) -> Document:
    reader.wire.send(OpenDocument(1, str(path), options=options))
    while not isinstance(message := reader.wire.receive(), DocumentRead | Failed):
        pass
    assert isinstance(message, DocumentRead), message
    return unpack(message.packed)


@pytest.mark.parametrize(
    ("wanted", "view", "text"),
    [
        ("accepted", RevisionView.ACCEPTED, "The price is USD 200."),
        ("original", RevisionView.ORIGINAL, "The price is USD 100."),
        ("both", RevisionView.BOTH, "The price is USD 100USD 200."),
        ("of a newer program", RevisionView.ACCEPTED, "The price is USD 200."),
    ],
)
def test_the_state_asked_for_is_read(
    reader: Child[FromReader], tmp_path: Path, wanted: str, view: RevisionView, text: str
) -> None:
    path = tmp_path / "price.docx"
    path.write_bytes(REVISED)
    document = read(reader, path, ReadingOptions(revisions=wanted))
    assert document.text == text
    assert document.revisions == Revisions(view, 1, 1)


def test_a_file_without_changes_says_so(reader: Child[FromReader], tmp_path: Path) -> None:
    path = tmp_path / "plain.docx"
    path.write_bytes(make.docx(make.paragraph("1. The Buyer pays.")))
    assert read(reader, path, ReadingOptions()).revisions is None
