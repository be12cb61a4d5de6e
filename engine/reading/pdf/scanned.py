"""Pages of a PDF that are pictures: which they are, and how their recognised lines come among the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.document import Notice
from engine.reading.ocr.choice import INSTALL_LINE
from engine.reading.pdf.extract import PageLines
from engine.reading.pdf.line import Line

#: A page with no more text than a stamp or header has, and a picture below it, is a scan.
_STAMP_CHARACTERS = 300
#: A page whose characters are unknown by more than this share is read from its picture.
_UNREADABLE = 0.2
#: A recognised line that lies so far on a line of text is that line.
_SAME = 0.4
_UNTRUE_THEN = ("no_text_layer", "unreadable_font")


def pages_to_recognise(pages: Sequence[PageLines], shows_ink: Callable[[PageLines], bool]) -> list[int]:
    """The indexes of pages whose text is a picture, or in fonts that do not say what it means.

    ``shows_ink``: whether something is drawn on a page without text, or a large picture below its text.
    """
    found = []
    for page in pages:
        unreadable = page.characters and page.unreadable > _UNREADABLE * page.characters
        few = sum(len(line.text) for line in page.lines) <= _STAMP_CHARACTERS
        if unreadable or (few and shows_ink(page)):
            found.append(page.index)
    return found


def add_recognised(page: PageLines, recognised: PageLines) -> bool:
    """Make ``recognised`` the page with what was recognised on it; whether that is anything at all.

    Lines that the page had as text stay as they are.
    """
    own = [] if page.unreadable > _UNREADABLE * max(1, page.characters) else page.lines
    fresh = [line for line in recognised.lines if not any(_is_over(line, other) for other in own)]
    recognised.lines = [*own, *fresh]
    recognised.annotations = page.annotations
    return bool(fresh)


def notices_after(notices: Sequence[Notice], recognised: Sequence[int], failed: Sequence[int]) -> list[Notice]:
    """The notices once pages were recognised: theirs have become untrue."""
    settled = set(recognised)
    kept = [each for each in notices if each.code not in _UNTRUE_THEN or each.page not in settled]
    return kept + [Notice("recognition_failed", f"Page {i + 1} could not be recognised.", i) for i in failed]


def _is_over(line: Line, other: Line) -> bool:
    low, high = line.rect[:, :2].min(axis=0), line.rect[:, 2:].max(axis=0)
    other_low, other_high = other.rect[:, :2].min(axis=0), other.rect[:, 2:].max(axis=0)
    shared = (high.clip(max=other_high) - low.clip(min=other_low)).clip(min=0)
    return bool(shared.prod() > _SAME * (high - low).prod())


def recognised_notice(count: int, uncertain: int) -> Notice:
    """What is said of a document with recognised pages."""
    pages = "1 page is a picture" if count == 1 else f"{count:,} pages are pictures"
    words = "1 word is" if uncertain == 1 else f"{uncertain:,} words are"
    doubt = f" {words} uncertain and marked; compare them with the page." if uncertain else ""
    return Notice("recognised", f"{pages}; the text was recognised.{doubt}")


def no_recogniser_notice(pages: Sequence[int]) -> Notice:
    """What is said of scanned pages on a machine that cannot recognise them."""
    which = f"Page {pages[0] + 1} is a picture" if len(pages) == 1 else f"{len(pages):,} pages are pictures"
    text = f"{which} and not part of this review. To have such pages read: {INSTALL_LINE}"
    return Notice("no_recogniser", text)
