"""Damaged and hostile Word files: each is a typed fault or is read, nothing outside is opened."""

from __future__ import annotations

import io
import random
import zipfile

import docx_making as make
import pytest

from engine.protocol.messages import FaultCode
from engine.reading.docx import package, read_source
from engine.reading.errors import ReadingError
from engine.reading.layout import pages

ORDINARY = make.docx(
    make.paragraph("Payment within 30 days.")
    + make.numbered("first", 1)
    + make.table(make.row(make.cell("a"), make.cell("b")), make.row(make.cell("c", '<w:gridSpan w:val="2"/>'))),
    numbering=make.numbering(make.level(0, "decimal", "%1.")),
)


def fault(data: bytes) -> FaultCode:
    with pytest.raises(ReadingError) as caught:
        read_source(data)
    sentence = caught.value.fault.sentence
    assert sentence.endswith(".")
    return caught.value.fault.code


def replaced(name: str, text: str | bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(ORDINARY)) as archive:
        files: dict[str, str | bytes] = {n: archive.read(n) for n in archive.namelist()}
    files[name] = text
    return make.archive(files)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", FaultCode.EMPTY_FILE),
        (b"plain text", FaultCode.WRONG_FORMAT),
        (b"%PDF-1.7", FaultCode.WRONG_FORMAT),
        (b"PK\x03\x04", FaultCode.UNREADABLE_FILE),
        (ORDINARY[: len(ORDINARY) // 2], FaultCode.UNREADABLE_FILE),
        (make.archive({"a.txt": "a"}), FaultCode.WRONG_FORMAT),
        (make.archive({"xl/workbook.xml": "<a/>", "[Content_Types].xml": "<a/>"}), FaultCode.WRONG_FORMAT),
        (make.archive({"content.xml": "<a/>"}), FaultCode.WRONG_FORMAT),
        (package.OLE_MAGIC + b"\0" * 600, FaultCode.UNSUPPORTED_FORMAT),
        (package.OLE_MAGIC + "EncryptedPackage".encode("utf-16-le"), FaultCode.UNSUPPORTED_FORMAT),
        (replaced("word/document.xml", "<w:document"), FaultCode.UNREADABLE_FILE),
        (replaced("word/document.xml", ""), FaultCode.UNREADABLE_FILE),
    ],
)
def test_what_is_no_word_file_is_a_clear_fault(data: bytes, expected: FaultCode) -> None:
    assert fault(data) is expected


def test_a_password_is_named() -> None:
    with pytest.raises(ReadingError, match="password"):
        read_source(package.OLE_MAGIC + "EncryptedPackage".encode("utf-16-le"))


def test_a_bomb_is_not_unpacked() -> None:
    bomb = make.part("document", "<w:body>" + " " * (40 << 20) + "</w:body>")
    assert fault(replaced("word/document.xml", bomb)) is FaultCode.TOO_LARGE


def test_many_parts_together_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package, "MAX_TOTAL_BYTES", 500)
    assert fault(ORDINARY) is FaultCode.TOO_LARGE


def test_too_many_elements_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package, "MAX_ELEMENTS", 10)
    assert fault(ORDINARY) is FaultCode.TOO_LARGE


def test_too_many_pages_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MAX_PAGES", 5)
    assert fault(make.docx(make.paragraph("x", "<w:pageBreakBefore/>") * 7)) is FaultCode.TOO_LARGE


def test_too_many_members_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package, "MAX_MEMBERS", 3)
    assert fault(ORDINARY) is FaultCode.TOO_LARGE


ENTITIES = '<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>'
OUTSIDE = '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>'


@pytest.mark.parametrize("prologue", [ENTITIES, OUTSIDE, '<!DOCTYPE d SYSTEM "http://example.invalid/x.dtd">'])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_and_document_types_are_refused(prologue: str, encoding: str) -> None:
    text = (
        f'<?xml version="1.0" encoding="{encoding}"?>{prologue}'
        + make.part("document", f"<w:body>{make.paragraph('&b;&x;')}</w:body>").partition("?>")[2]
    )
    assert fault(replaced("word/document.xml", text.encode(encoding))) is FaultCode.UNREADABLE_FILE


def test_an_entity_bomb_in_another_part_is_noted_and_left_out() -> None:
    source = read_source(replaced("word/numbering.xml", ENTITIES + "<a>&b;</a>"))
    assert source.text.startswith("Payment within 30 days.\nfirst\n")
    assert [n.code for n in source.notices] == ["part_unreadable"]


def test_deep_nesting_is_refused_or_read() -> None:
    deep = "<w:sdt><w:sdtContent>" * 2000 + "</w:sdtContent></w:sdt>" * 2000
    assert fault(replaced("word/document.xml", make.part("document", f"<w:body>{deep}</w:body>"))) is (
        FaultCode.UNREADABLE_FILE
    )


def test_tables_nested_forty_deep_are_read() -> None:
    content = make.paragraph("innermost")
    for _ in range(40):
        content = make.table(make.row(make.cell(content)))
    source = read_source(make.docx(content))
    assert source.text == "innermost"


def test_outside_references_are_noted_not_opened() -> None:
    relations = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        '<Relationship Id="rId1" Type="http://x/header" Target="file:///etc/passwd" TargetMode="External"/>'
        '<Relationship Id="rId2" Type="http://x/styles" Target="../../../etc/passwd"/>'
        '<Relationship Id="rId3" Type="http://x/attachedTemplate" Target="http://example.invalid/t"'
        ' TargetMode="External"/>'
        "</Relationships>"
    )
    source = read_source(replaced("word/_rels/document.xml.rels", relations))
    assert source.text.startswith("Payment")
    assert "external_references" in [n.code for n in source.notices]


def test_loops_of_styles_and_lists_end() -> None:
    style = (
        '<w:style w:type="paragraph" w:styleId="{0}"><w:name w:val="{0}"/><w:basedOn w:val="{1}"/><w:pPr><w:numPr>'
        '<w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
    )
    styles = make.part("styles", style.format("A", "B") + style.format("B", "A"))
    loop = '<w:abstractNum w:abstractNumId="1"><w:numStyleLink w:val="A"/></w:abstractNum>'
    nums = '<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>'
    body = make.paragraph("x", '<w:pStyle w:val="A"/>')
    source = read_source(make.docx(body, styles=styles, numbering=make.numbering("", loop, nums)))
    assert source.text.endswith("x")


def test_measures_beyond_reason_are_bounded() -> None:
    body = make.paragraph(
        make.run("x" * 500, '<w:sz w:val="99999999"/>'),
        '<w:ind w:left="99999999" w:hanging="-5"/><w:spacing w:before="99999999" w:line="99999999"/>'
        '<w:numPr><w:ilvl w:val="77"/><w:numId w:val="1"/></w:numPr>',
    )
    body += make.table(make.row(make.cell("y", '<w:gridSpan w:val="99999999"/>')), grid=(0, -5, 99999999))
    body += '<w:sectPr><w:pgSz w:w="1" w:h="nan"/><w:pgMar w:top="99999" w:left="inf"/></w:sectPr>'
    source = read_source(make.docx(body, numbering=make.numbering(make.level(0, "decimal", "%1.", start=2**40))))
    assert source.text.replace("\n", "").endswith("x" * 500 + "y")
    assert len(source.boxes) == len(source.text)


def test_mutated_files_are_read_or_refused() -> None:
    random_source = random.Random(20260401)
    with zipfile.ZipFile(io.BytesIO(ORDINARY)) as archive:
        document = archive.read("word/document.xml")
        numbering = archive.read("word/numbering.xml")
    outcomes = set()
    for round_number in range(120):
        if round_number % 3 == 0:
            data = bytearray(ORDINARY)
            for _ in range(random_source.randint(1, 6)):
                data[random_source.randrange(len(data))] = random_source.randrange(256)
            mutated = bytes(data)
        else:
            name, part = ("document", document) if round_number % 3 == 1 else ("numbering", numbering)
            pieces = part.replace(b"><", b">\0<").split(b"\0")
            i, j = random_source.randrange(2, len(pieces)), random_source.randrange(2, len(pieces))
            pieces[i], pieces[j] = pieces[j], pieces[i]
            if random_source.random() < 0.5:
                pieces[i] = pieces[i].replace(b"1", b"-99999")
            mutated = replaced(f"word/{name}.xml", b"".join(pieces))
        try:
            source = read_source(mutated)
        except ReadingError:
            outcomes.add("refused")
        else:
            outcomes.add("read")
            assert len(source.boxes) == len(source.text)
    assert outcomes == {"read", "refused"}


def test_far_too_much_text_is_refused_before_it_is_laid_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.reading.docx.opened.MAX_CHARACTERS", 50)
    with pytest.raises(ReadingError, match="far more text") as caught:
        read_source(make.docx(make.paragraph("A" * 51)))
    assert caught.value.fault.code is FaultCode.TOO_LARGE


def test_far_too_many_paragraphs_are_refused_before_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.reading.docx.reader.MAX_RECORDS", 20)
    with pytest.raises(ReadingError, match="far more parts"):
        read_source(make.docx("<w:p/>" * 21))
