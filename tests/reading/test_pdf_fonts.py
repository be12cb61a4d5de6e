"""Fonts without a Unicode map: said page by page, and their guessed letters are not read as text."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest
from pdf_making import opened, write

from engine.reading.ocr.choice import CHOICE_VARIABLE, NONE
from engine.reading.pdf.fonts import FontMaps, are_words

CODES = {34: "quotedbl", 37: "percent", 43: "plus", 45: "hyphen", 55: "seven", 66: "B", 117: "u", 121: "y", 115: "s"}


def add_unmapped(file: pymupdf.Document, page: pymupdf.Page, text: bytes) -> None:
    """Show text in a Type 3 font whose glyphs bear names and nothing else."""
    glyph = file.get_new_xref()
    file.update_object(glyph, "<<>>")
    file.update_stream(glyph, b"600 0 0 0 500 500 d1 0 0 500 500 re f")
    names = " ".join(f"{code} /{name}" for code, name in CODES.items())
    glyphs = "".join(f"/{name} {glyph} 0 R" for name in CODES.values())
    widths = " ".join(["600"] * 100)
    font = file.get_new_xref()
    file.update_object(
        font,
        f"<</Type/Font/Subtype/Type3/Name/Far/FontBBox[0 0 600 600]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 30"
        f"/LastChar 129/Widths[{widths}]/Encoding<</Type/Encoding/Differences[{names}]>>/CharProcs<<{glyphs}>>"
        f"/Resources<<>>>>",
    )
    content = file.get_new_xref()
    file.update_object(content, "<<>>")
    file.update_stream(content, b"BT /Far 12 Tf 72 500 Td (" + text + b") Tj ET")
    resources = int(file.xref_get_key(page.xref, "Resources")[1].split()[0])
    file.xref_set_key(resources, "Font/Far", f"{font} 0 R")
    here = [f"{xref} 0 R" for xref in page.get_contents()]
    file.xref_set_key(page.xref, "Contents", f"[{' '.join([*here, f'{content} 0 R'])}]")


def made(tmp_path: Path, text: bytes) -> Path:
    with pymupdf.open() as file:
        write(file.new_page(), ["1. The Buyer pays."])
        page = file.new_page()
        write(page, ["2. The Seller delivers."])
        add_unmapped(file, page, text)
        path = tmp_path / "made.pdf"
        file.save(path)
    return path


def test_a_page_whose_font_has_no_map_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CHOICE_VARIABLE, NONE)
    file = opened(str(made(tmp_path, b'\\"7+%-7+')))
    assert [(n.code, n.page) for n in file.document.notices] == [("unreadable_font", 1)]
    assert file.document.text == "1. The Buyer pays.\n2. The Seller delivers."
    file.close()


@pytest.mark.parametrize("text", [b"Buys Buys", b"7+"])
def test_words_that_were_guessed_right_and_single_marks_are_text(tmp_path: Path, text: bytes) -> None:
    file = opened(str(made(tmp_path, text)))
    assert not file.document.notices
    assert text.decode() in file.document.text
    file.close()


def test_fonts_with_encodings_are_trusted(tmp_path: Path) -> None:
    with pymupdf.open(made(tmp_path, b"Buys")) as file:
        assert FontMaps(file).unmapped(0) == frozenset()
        assert len(FontMaps(file).unmapped(1)) == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The Seller shall deliver the goods.", True),
        ("甲方应当在三十日内付款。", True),
        ("30.06.2024 1,000", True),
        ("• • • •", True),
        ('"7+%-', False),
        ("\ufffd\ufffda\ufffdb", False),
        ("¡¢£¤¥¦§¨©", False),
    ],
)
def test_what_counts_as_words(text: str, words: bool) -> None:
    assert are_words(text) is words
