"""Old .doc files through LibreOffice: with a stand-in for its program, so that the tests need none."""

from __future__ import annotations

from pathlib import Path

import docx_making as make
import office_making as office
import psutil
import pytest

from engine.protocol.messages import FaultCode
from engine.reading.docx import legacy, libreoffice, open_legacy
from engine.reading.docx.package import OLE_MAGIC
from engine.reading.errors import ReadingError
from engine.reading.identity import document_id

DOCX = make.docx(make.paragraph("Out of an old file."))


def stand_in(folder: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    """See :func:`office_making.stand_in`; it finds a converted file beside it."""
    (folder / "result.docx").write_bytes(DOCX)
    office.stand_in(folder, monkeypatch, body)


def converted(data: bytes) -> bytes:
    """All steps of a conversion."""
    steps = legacy.docx_of(data)
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            result: bytes = stop.value
            return result


CONVERT = """
out = pathlib.Path(sys.argv[sys.argv.index("--outdir") + 1])
out.mkdir()
(out / "file.docx").write_bytes((here / "result.docx").read_bytes())
profile = next(a for a in sys.argv if a.startswith("-env:UserInstallation=file://"))
settings = pathlib.Path(profile.partition("file://")[2]) / "user" / "registrymodifications.xcu"
(here / "seen.txt").write_text(settings.read_text() + pathlib.Path(sys.argv[-1]).read_text())
"""


def test_a_doc_comes_out_as_docx(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path, monkeypatch, CONVERT)
    assert converted(b"old bytes") == DOCX
    seen = (tmp_path / "seen.txt").read_text()
    assert "BlockUntrustedRefererLinks" in seen
    assert seen.endswith("old bytes")


def test_an_old_file_keeps_the_identity_of_its_own_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path, monkeypatch, CONVERT.partition('(here / "seen')[0])
    data = OLE_MAGIC + b"\0" * 512 + "WordDocument".encode("utf-16-le")
    opened = open_legacy(data, "old.doc")
    assert opened.source.text == "Out of an old file."
    assert opened.id == document_id(data)
    opened.close()


def test_another_ole_file_is_no_word_file() -> None:
    with pytest.raises(ReadingError) as caught:
        open_legacy(OLE_MAGIC + "Workbook".encode("utf-16-le"), "book.xls")
    assert caught.value.fault.code is FaultCode.WRONG_FORMAT


def test_without_libreoffice_a_sentence_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ReadingError, match="install LibreOffice") as caught:
        converted(b"old bytes")
    assert caught.value.fault.code is FaultCode.UNSUPPORTED_FORMAT


def test_a_file_that_libreoffice_cannot_read_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path, monkeypatch, "sys.exit(1)")
    with pytest.raises(ReadingError) as caught:
        converted(b"old bytes")
    assert caught.value.fault.code is FaultCode.UNREADABLE_FILE


def test_an_abandoned_conversion_ends_libreoffice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wait = "(here / 'pid').write_text(str(__import__('os').getpid()))\nimport threading; threading.Event().wait()"
    stand_in(tmp_path, monkeypatch, wait)
    opened = open_legacy(OLE_MAGIC + b"\0" * 512 + "WordDocument".encode("utf-16-le"), "old.doc")
    steps = opened.prepare()
    assert next(steps)[0] == "converting"
    while not ((tmp_path / "pid").exists() and (tmp_path / "pid").read_text()):
        next(steps)
    steps.close()
    assert not psutil.pid_exists(int((tmp_path / "pid").read_text()))


def test_a_hang_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path, monkeypatch, "import threading; threading.Event().wait()")
    monkeypatch.setattr(libreoffice, "TIMEOUT_S", 0.2)
    with pytest.raises(ReadingError) as caught:
        converted(b"old bytes")
    assert caught.value.fault.code is FaultCode.TOO_SLOW
