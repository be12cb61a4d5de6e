"""Pages made to harm: they are named and left out, and the others are read."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest
from pdf_making import opened, saved, write

from engine.protocol.messages import FaultCode
from engine.reading.errors import ReadingError
from engine.reading.opened import OpenedFile
from engine.reading.pdf import bounds, open_pdf


def refused(file: OpenedFile) -> None:
    """The first page is said to be too large, the second is read."""
    document = file.document
    assert [(notice.code, notice.page) for notice in document.notices] == [("page_too_large", 0)]
    assert document.text == "1. The Buyer pays."
    with pytest.raises(ReadingError) as caught:
        file.render(0, 0.1, (), memoryview(bytearray(100_000)))
    assert caught.value.fault.code is FaultCode.TOO_LARGE
    assert "Page 1 " in caught.value.fault.sentence
    file.close()


def test_content_that_unpacks_to_too_much(tmp_path: Path) -> None:
    def draw(file: pymupdf.Document) -> None:
        page = file.new_page()
        write(page, ["Much."])
        file.update_stream(page.get_contents()[0], b" " * (bounds.MAX_CONTENT_BYTES + 10))
        write(file.new_page(), ["1. The Buyer pays."])

    path = saved(tmp_path, draw, deflate=True)
    assert Path(path).stat().st_size < 100_000
    refused(opened(path))


def nest(file: pymupdf.Document, page: pymupdf.Page, depth: int, looped: bool = False) -> None:
    """Forms that each draw the next one twice; the last draws nothing, or the first again."""
    forms = [file.get_new_xref() for _ in range(depth)]
    for place, form in enumerate(forms):
        following = forms[(place + 1) % depth]
        names = f"/Resources<</XObject<</X {following} 0 R>>>>" if place + 1 < depth or looped else ""
        file.update_object(form, f"<</Type/XObject/Subtype/Form/BBox[0 0 10 10]{names}>>")
        file.update_stream(form, b"/X Do /X Do" if names else b"0 0 m")
    file.xref_set_key(page.xref, "Resources", f"<</XObject<</X {forms[0]} 0 R>>>>")
    file.update_stream(page.get_contents()[0], b"/X Do")


def test_forms_that_draw_each_other_a_billion_times(tmp_path: Path) -> None:
    def draw(file: pymupdf.Document) -> None:
        page = file.new_page()
        write(page, ["Much."])
        nest(file, page, 30)
        write(file.new_page(), ["1. The Buyer pays."])

    refused(opened(saved(tmp_path, draw)))


@pytest.mark.parametrize(("depth", "looped"), [(5, False), (3, True)])
def test_few_forms_and_loops_are_harmless(tmp_path: Path, depth: int, looped: bool) -> None:
    def draw(file: pymupdf.Document) -> None:
        page = file.new_page()
        write(page, ["Little."])
        nest(file, page, depth, looped)

    with pymupdf.open(saved(tmp_path, draw)) as file:
        assert bounds.Bounds(file).is_harmless(0)


def share(file: pymupdf.Document, pages: int, content: bytes) -> None:
    """A first page with a clause, and pages that all draw the same content stream."""
    write(file.new_page(), ["1. The Buyer pays."])
    first = file.new_page()
    write(first, ["Much."])
    shared = first.get_contents()[0]
    file.update_stream(shared, content)
    for _ in range(pages - 1):
        file.xref_set_key(file.new_page().xref, "Contents", f"{shared} 0 R")


def test_a_large_stream_that_many_pages_share_is_read_for_the_first_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "MAX_REPEATED_BYTES", 5_000)
    file = opened(saved(tmp_path, lambda made: share(made, 10, b"q Q " * 500)))
    assert [notice.page for notice in file.document.notices if notice.code == "page_too_large"] == list(range(4, 11))
    assert file.document.text == "1. The Buyer pays."
    file.close()


def test_a_small_stream_may_be_shared_by_all_pages(tmp_path: Path) -> None:
    file = opened(saved(tmp_path, lambda made: share(made, 50, b"q Q")))
    assert not [notice for notice in file.document.notices if notice.code == "page_too_large"]
    file.close()


def test_a_page_that_shows_a_book(tmp_path: Path) -> None:
    def draw(file: pymupdf.Document) -> None:
        page = file.new_page()
        write(page, ["Much."])
        file.update_stream(page.get_contents()[0], b"(aaaaaaaaaaaaaaa) Tj " * (bounds.MAX_SHOWN_BYTES // 15 + 1))
        write(file.new_page(), ["1. The Buyer pays."])

    refused(opened(saved(tmp_path, draw)))


def test_a_large_form_drawn_often(tmp_path: Path) -> None:
    def draw(file: pymupdf.Document) -> None:
        page = file.new_page()
        write(page, ["Much."])
        form = file.get_new_xref()
        file.update_object(form, "<</Type/XObject/Subtype/Form/BBox[0 0 10 10]>>")
        file.update_stream(form, b"q Q " * 250_000)
        file.xref_set_key(page.xref, "Resources", f"<</XObject<</X {form} 0 R>>>>")
        file.update_stream(page.get_contents()[0], b"/X Do " * 100)
        write(file.new_page(), ["1. The Buyer pays."])

    refused(opened(saved(tmp_path, draw)))


def test_a_page_that_fails_does_not_lose_the_others(tmp_path: Path) -> None:
    def draw(file: pymupdf.Document) -> None:
        for clause in ("1. The Buyer pays.", "2. The Seller delivers.", "3. The Agent waits."):
            write(file.new_page(), [clause])

    path = saved(tmp_path, draw)
    data = Path(path).read_bytes()
    with pymupdf.open(stream=data) as file:
        damaged = file.page_xref(1)
    body = data.index(b"%d 0 obj" % damaged)
    # The middle page's dictionary is cut in the middle of a key.
    harmed = bytearray(data)
    key = data.index(b"/Resources", body)
    harmed[key : key + 10] = b"/Re[<<ou<("
    Path(path).write_bytes(bytes(harmed))
    file = opened(path)
    text = file.document.text
    assert [notice.code for notice in file.document.notices if notice.page == 1] == ["page_failed"]
    assert "1. The Buyer pays." in text
    assert "3. The Agent waits." in text
    target = memoryview(bytearray(2_000_000))
    assert file.render(0, 0.3, (), target)[0] > 0
    assert file.render(2, 0.3, (), target)[0] > 0
    file.close()


def test_a_page_that_the_file_counts_no_more_is_damaged(tmp_path: Path) -> None:
    """MuPDF counts a damaged file's pages anew when it finds the damage; the window knows the first count."""

    def draw(file: pymupdf.Document) -> None:
        for clause in ("1. The Buyer pays.", "2. The Seller delivers."):
            write(file.new_page(), [clause])

    path = Path(saved(tmp_path, draw))
    data = path.read_bytes()
    file = open_pdf(data, "made.pdf", "")
    for _ in file.read():
        pass
    file._file.delete_page(1)
    with pytest.raises(ReadingError, match="Page 2 is damaged"):
        file.render(1, 0.3, (), memoryview(bytearray(2_000_000)))
    with pytest.raises(ValueError, match="no page 2"):
        file.render(2, 0.3, (), memoryview(bytearray(2_000_000)))
    file.close()
