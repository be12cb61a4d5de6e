"""The real reader over files that are broken or made to harm: one sentence each, and it goes on with the next."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pymupdf
import pytest

from engine.document import unpack
from engine.protocol import codec
from engine.protocol.child import Child, Role
from engine.protocol.messages import DocumentRead, Failed, FaultCode, FromReader, OpenDocument

ROOT = Path(__file__).parents[2]
CLAUSE = "1. Payment. The Buyer shall pay within 30 days."
CATALOGUE = b"<</Type/Catalog/Pages 2 0 R>>"
FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"


def good_pdf(**how: object) -> bytes:
    document = pymupdf.open()
    for page in range(3):
        document.new_page().insert_text((72, 120 + 40 * page), CLAUSE if page == 1 else f"{page + 2}. Delivery {page}.")
    return document.tobytes(**how)


def scan_pdf() -> bytes:
    document = pymupdf.open()
    picture = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 8, 8))
    picture.clear_with(255)
    document.new_page().insert_image(pymupdf.Rect(0, 0, 500, 700), pixmap=picture)
    return document.tobytes()


def raw_pdf(objects: list[bytes], more: bytes = b"") -> bytes:
    """A PDF of these objects; the first is its catalogue."""
    data, offsets = bytearray(b"%PDF-1.5\n"), []
    for number, content in enumerate(objects, 1):
        offsets.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start = len(data)
    data += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    data += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    trailer = b"/Size %d/Root 1 0 R%s" % (len(objects) + 1, more.replace(b"HERE", b"%d" % start))
    return bytes(data + b"trailer\n<<%s>>\nstartxref\n%d\n%%%%EOF\n" % (trailer, start))


def one_page(media_box: bytes = b"[0 0 612 792]", more: bytes = b"") -> bytes:
    text = b"BT /F 12 Tf 72 700 Td (%s) Tj ET" % CLAUSE.encode()
    page = b"<</Type/Page/Parent 2 0 R/MediaBox %s/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>" % media_box
    stream = b"<</Length %d>>stream\n%s\nendstream" % (len(text), text)
    return raw_pdf([CATALOGUE, b"<</Type/Pages/Kids[3 0 R]/Count 1>>", page, stream, FONT], more)


def nested_pages(depth: int) -> bytes:
    objects = [CATALOGUE]
    objects += [b"<</Type/Pages/Kids[%d 0 R]/Count 1>>" % (number + 3) for number in range(depth)]
    page = b"<</Type/Page/Parent %d 0 R/MediaBox[0 0 612 792]>>" % (depth + 1)
    return raw_pdf([*objects, page])


@pytest.fixture(scope="module")
def reader() -> Iterator[Child[FromReader]]:
    child = Child.start(Role.READER, codec.from_reader)
    yield child
    child.stop()


@pytest.fixture
def read(reader: Child[FromReader], tmp_path: Path) -> Callable[..., DocumentRead | Failed]:
    def ask(name: str, data: bytes | None, password: str = "") -> DocumentRead | Failed:
        path = tmp_path / name
        if data is not None:
            path.write_bytes(data)
        reader.wire.send(OpenDocument(1, str(path), password))
        while not isinstance(message := reader.wire.receive(), DocumentRead | Failed):
            pass
        return message

    return ask


@pytest.mark.parametrize(
    ("name", "make", "code"),
    [
        ("none.pdf", lambda: None, FaultCode.MISSING_FILE),
        ("empty.pdf", lambda: b"", FaultCode.EMPTY_FILE),
        ("zeros.pdf", lambda: bytes(5000), FaultCode.EMPTY_FILE),
        ("picture.pdf", lambda: b"\x89PNG\r\n\x1a\n" + bytes(100), FaultCode.UNSUPPORTED_FORMAT),
        ("words.docx", lambda: b"1. Payment is due in 30 days.", FaultCode.WRONG_FORMAT),
        ("cut.docx", lambda: b"PK\x03\x04" + bytes(200), FaultCode.UNREADABLE_FILE),
        ("head.pdf", lambda: good_pdf()[:400], FaultCode.UNREADABLE_FILE),
        ("loop.pdf", lambda: raw_pdf([CATALOGUE, b"<</Type/Pages/Kids[2 0 R]/Count 9>>"]), FaultCode.UNREADABLE_FILE),
        ("binary.txt", lambda: bytes(range(256)) * 20, FaultCode.WRONG_FORMAT),
    ],
)  # fmt: skip
def test_an_unusable_file_is_a_typed_sentence(read, name, make, code):
    answer = read(name, make())
    assert isinstance(answer, Failed)
    assert answer.fault.code is code, answer.fault
    assert answer.fault.trace == ""
    assert answer.fault.sentence.endswith(".")
    assert "\n" not in answer.fault.sentence


def test_a_password_is_asked_for_and_a_wrong_one_is_said(read):
    data = good_pdf(encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="open", owner_pw="owner")
    assert read("locked.pdf", data).fault.code is FaultCode.NEEDS_PASSWORD
    for _ in range(3):
        assert read("locked.pdf", data, "guess").fault.code is FaultCode.WRONG_PASSWORD
    assert isinstance(read("locked.pdf", data, "open"), DocumentRead)


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("middle gone", lambda: good_pdf()[:700] + bytes(300) + good_pdf()[1000:]),
        ("end gone", lambda: good_pdf()[:-200]),
        ("xref that names itself", lambda: one_page(more=b"/Prev HERE")),
        ("page without a size", lambda: one_page(b"[0 0 0 0]")),
        ("page of nonsense", lambda: one_page(b"[0 0 /a (b)]")),
        ("page turned round", lambda: one_page(b"[612 792 0 0]")),
        ("page of 35 km", lambda: one_page(b"[0 0 99999999 99999999]")),
        ("deep tree", lambda: nested_pages(2000)),
        ("deep array", lambda: one_page(more=b"/X " + b"[" * 50_000 + b"]" * 50_000)),
    ],
)
def test_a_damaged_file_is_read_as_far_as_it_goes_or_refused(read, name, make):
    answer = read(f"{name}.pdf", make())
    if isinstance(answer, Failed):
        assert answer.fault.code in (FaultCode.UNREADABLE_FILE, FaultCode.TOO_LARGE), answer.fault
        assert answer.fault.trace == ""
    else:
        unpack(answer.packed)
    # The next one is not any the worse for it.
    assert CLAUSE.split(". ", 1)[1] in unpack(read("good.pdf", good_pdf()).packed).text


@pytest.mark.skipif(sys.platform == "win32", reason="Windows bounds no address space")
def test_what_asks_for_more_memory_than_is_allowed_is_too_large():
    script = (
        "import engine.reader_process as r\n"
        "r.MOST_MEMORY_BYTES = 1 << 30\n"
        "r.limit_memory()\n"
        "try:\n    bytearray(2 << 30)\n"
        "except MemoryError as error:\n    print(r.fault_of(error).code)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == FaultCode.TOO_LARGE


def test_a_file_without_text_is_read_and_says_so(read):
    document = unpack(read("scan.pdf", scan_pdf()).packed)
    assert document.text == ""
    assert [(notice.code, notice.page) for notice in document.notices] == [("no_text_layer", 0)]
