from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pymupdf
import pytest
import test_docx_legacy
from pdf_making import opened, read, saved, write

from engine.document import Media
from engine.protocol.messages import FaultCode
from engine.reading import open_file as module
from engine.reading.errors import ReadingError


def fault_of(path: Path | str, password: str = "") -> tuple[FaultCode, str]:
    with pytest.raises(ReadingError) as caught:
        opened(str(path), password)
    sentence = caught.value.fault.sentence
    assert sentence[0].isupper() or sentence[0] == "“"
    assert sentence.endswith(".")
    return caught.value.fault.code, sentence


def zip_of(**parts: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name.replace("__", "/"), data)
    return buffer.getvalue()


def test_missing_and_folder(tmp_path: Path) -> None:
    assert fault_of(tmp_path / "gone.pdf")[0] is FaultCode.MISSING_FILE
    assert fault_of(tmp_path)[0] is FaultCode.UNREADABLE_FILE
    assert fault_of("a\0b.pdf")[0] in (FaultCode.UNREADABLE_FILE, FaultCode.MISSING_FILE)


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("a.pdf", b"", FaultCode.EMPTY_FILE),
        ("a.txt", b"\r\n \n", FaultCode.EMPTY_FILE),
        ("a.pdf", b"just words", FaultCode.WRONG_FORMAT),
        ("a.docx", b"just words", FaultCode.WRONG_FORMAT),
        ("a.txt", b"\x89PNG\r\n\x1a\n....", FaultCode.UNSUPPORTED_FORMAT),
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), FaultCode.UNSUPPORTED_FORMAT),
        ("a.docx", zip_of(readme=b"hello"), FaultCode.WRONG_FORMAT),
        ("a.docx", zip_of(xl__workbook=b"x", **{"[Content_Types].xml": b"x"}), FaultCode.UNSUPPORTED_FORMAT),
        ("a.docx", b"PK\x03\x04" + bytes(40), FaultCode.UNREADABLE_FILE),
        ("a.pdf", b"%PDF-1.7\nnothing else", FaultCode.UNREADABLE_FILE),
        ("a.rtf", b"{\\rtf1 x}", FaultCode.UNSUPPORTED_FORMAT),
        ("a.txt", bytes(range(1, 32)) * 40, FaultCode.WRONG_FORMAT),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, name: str, data: bytes, code: FaultCode) -> None:
    (tmp_path / name).write_bytes(data)
    assert fault_of(tmp_path / name)[0] is code


OLD_WORD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + "WordDocument".encode("utf-16-le") + bytes(64)


def test_an_old_word_file_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.doc").write_bytes(OLD_WORD)
    monkeypatch.setenv("PATH", str(tmp_path))
    code, sentence = fault_of(tmp_path / "a.doc")
    assert code is FaultCode.UNSUPPORTED_FORMAT
    assert "install LibreOffice" in sentence


def test_an_old_word_file_opens_through_libreoffice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.doc").write_bytes(OLD_WORD)
    test_docx_legacy.stand_in(tmp_path, monkeypatch, test_docx_legacy.CONVERT.partition('(here / "seen')[0])
    document = read(str(tmp_path / "a.doc"))
    assert (document.name, document.media, document.text) == ("a.doc", Media.DOCX, "Out of an old file.")


def test_an_old_encrypted_file_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.docx").write_bytes(OLD_WORD + "EncryptedPackage".encode("utf-16-le"))
    assert "password" in fault_of(tmp_path / "a.docx")[1]


def test_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.txt").write_text("word " * 100)
    monkeypatch.setattr(module, "MAX_FILE_BYTES", 10)
    assert fault_of(tmp_path / "a.txt")[0] is FaultCode.TOO_LARGE


def test_a_zip_that_would_fill_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.docx").write_bytes(zip_of(word__document=bytes(100_000)))
    monkeypatch.setattr(module, "MAX_UNPACKED_BYTES", 50_000)
    assert fault_of(tmp_path / "a.docx")[0] is FaultCode.TOO_LARGE


def test_the_content_decides_not_the_suffix(tmp_path: Path) -> None:
    path = Path(saved(tmp_path, lambda file: write(file.new_page(), ["1. Sale"])))
    renamed = path.rename(tmp_path / "a.txt")
    assert read(str(renamed)).media is Media.PDF


def test_passwords(tmp_path: Path) -> None:
    path = saved(
        tmp_path,
        lambda file: write(file.new_page(), ["1. Sale"]),
        encryption=pymupdf.PDF_ENCRYPT_AES_256,
        user_pw="open",
        owner_pw="all",
    )
    assert fault_of(path)[0] is FaultCode.NEEDS_PASSWORD
    assert fault_of(path, "wrong")[0] is FaultCode.WRONG_PASSWORD
    assert opened(path, "open").document.text == "1. Sale"
    assert opened(path, "all").document.text == "1. Sale"


def test_only_an_owner_password_opens_without_asking(tmp_path: Path) -> None:
    path = saved(
        tmp_path,
        lambda file: write(file.new_page(), ["1. Sale"]),
        encryption=pymupdf.PDF_ENCRYPT_AES_256,
        owner_pw="all",
        permissions=pymupdf.PDF_PERM_PRINT,
    )
    document = read(path)
    assert document.text == "1. Sale"
    assert [notice.code for notice in document.notices] == ["copying_restricted"]


def test_a_pdf_cut_off_in_the_middle(tmp_path: Path) -> None:
    def draw(file: pymupdf.Document) -> None:
        for _ in range(5):
            write(file.new_page(), ["The Seller delivers the goods."] * 20)

    path = Path(saved(tmp_path, draw))
    data = path.read_bytes()
    for share in (0.02, 0.3, 0.6, 0.9):
        path.write_bytes(data[: int(len(data) * share)])
        assert _code_of_damaged(str(path)) in (None, FaultCode.UNREADABLE_FILE)


def _code_of_damaged(path: str) -> FaultCode | None:
    """The fault's code, or None when something of the file can still be read."""
    try:
        opened(path).close()
    except ReadingError as error:
        return error.fault.code
    return None


def test_text_and_markdown(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("1. Sale\nThe Seller sells.\n")
    (tmp_path / "b.md").write_text("# Sale\n\n1. The Seller sells.\n")
    text, markdown = read(str(tmp_path / "a.txt")), read(str(tmp_path / "b.md"))
    assert (text.media, markdown.media) == (Media.TEXT, Media.MARKDOWN)
    assert text.text == "1. Sale\nThe Seller sells."
    assert markdown.text == "Sale\n1. The Seller sells."
    assert len(text.pages) == 1
    assert (text.boxes.rect[0, 2] - text.boxes.rect[0, 0]) > 0
