"""Marked copies of PDFs, looked at with another reader (poppler): do the notes cover their words, and are they seen?

    python tests/accuracy/check_marked_copies.py [FOLDER] [--most N]

Without a folder the check makes its own files: turned pages, two columns, Chinese. Of each file up to 12 sentences,
spread over it, are marked; the copy is read back. A note counts as right when the words that poppler's ``pdftotext
-bbox`` finds under its quads have the letters and digits of the passage (boundaries of words apart), and as seen when
``pdftoppm`` paints its colour there. Answers 1 when a note is not both.
"""

from __future__ import annotations

import html
import re
import subprocess
import sys
import tempfile
import unicodedata
from pathlib import Path
from typing import Any

import pymupdf

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]
A_FILE = 12
_WORD = re.compile(r'<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(.*?)</word>')
_PAGE = re.compile(r'<page width="([\d.]+)" height="([\d.]+)">(.*?)</page>', re.DOTALL)
Box = tuple[float, float, float, float]
ENGLISH = "The Buyer shall pay invoice {n} within {n} days after the goods have been accepted in writing."
CHINESE = "第{n}条 买方应当在收到第{n}号发票后三十日内，将全部货款支付至卖方指定的银行账户。"


def make(folder: Path) -> list[Path]:
    """Small files of our own: turned by 90, 180, 270 degrees, two columns, Chinese, Chinese turned."""
    made = []
    for name, turn, words, columns in (
        ("turned 90", 90, ENGLISH, 1), ("turned 180", 180, ENGLISH, 1), ("turned 270", 270, ENGLISH, 1),
        ("two columns", 0, ENGLISH, 2), ("Chinese", 0, CHINESE, 1), ("Chinese turned", 90, CHINESE, 2),
    ):  # fmt: skip
        with pymupdf.open() as file:
            for number in range(3):
                page = file.new_page()
                width = 450 / columns - 10
                for column in range(columns):
                    left = 72 + column * 235
                    text = "\n".join(words.format(n=number * 20 + column * 10 + i + 1) for i in range(8))
                    box = pymupdf.Rect(left, 72, left + width, 760)
                    page.insert_textbox(box, text, fontsize=10, fontname="china-s" if words is CHINESE else "helv")
                page.set_rotation(turn)
            path = folder / f"{name}.pdf"
            file.save(path)
            made.append(path)
    return made


def letters(words: str) -> str:
    """Letters and digits alone, in one width and case."""
    return "".join(c for c in unicodedata.normalize("NFKC", words).casefold() if c.isalnum())


def words_on(path: Path) -> list[list[tuple[Box, str]]]:
    """Poppler's words of every page, with their boxes on the page as displayed."""
    out = subprocess.run(["pdftotext", "-bbox", str(path), "-"], capture_output=True, check=True)
    text = out.stdout.decode(errors="replace")
    pages = []
    for _, _, body in _PAGE.findall(text):
        found = []
        for x0, y0, x1, y1, raw in _WORD.findall(body):
            word = html.unescape(raw)
            found.append(((float(x0), float(y0), float(x1), float(y1)), word))
        pages.append(found)
    return pages


def under(words: list[tuple[Box, str]], quads: list[Box]) -> str:
    """The letters of the words that lie under the quads by more than half, in the order of the quads."""
    out = []
    for a, b, c, d in quads:
        for (x0, y0, x1, y1), word in words:
            middle = (y0 + y1) / 2
            if not b <= middle <= d or x1 <= a or x0 >= c or x1 <= x0:
                continue
            # A word of poppler's may hold many Chinese letters: the part of it that lies under the quad.
            first, last = ((max(a, x0) - x0) / (x1 - x0), (min(c, x1) - x0) / (x1 - x0))
            out.append(word[round(first * len(word)) : round(last * len(word))])
    return letters("".join(out))


def is_seen(page: Any, quads: list[Box], picture: Any) -> bool:
    """Whether poppler's picture has the colour of a mark inside each quad."""
    zoom = picture.width / page.rect.width
    for a, b, c, d in quads:
        middle = round((b + d) / 2 * zoom)
        row = [picture.pixel(min(x, picture.width - 1), middle) for x in range(round(a * zoom), round(c * zoom), 2)]
        if row and not any(r > blue + 20 for r, _, blue in row):
            return False
    return True


def check(path: Path, folder: Path) -> tuple[int, int, int, list[str]]:
    """Notes of one file: how many, how many right, how many seen; and what was not."""
    from engine.document import quads
    from engine.export.marked_pdf import mark_pdf
    from engine.protocol.handover import Mark, MarkedPassage
    from engine.reading.open_file import open_file

    opened = open_file(str(path))
    for _ in opened.read():
        pass
    document = opened.document
    opened.close()
    whole = [s for s in document.sentences if 20 <= s.end - s.start <= 400]
    marks = []
    for n, sentence in enumerate(whole[:: max(1, len(whole) // A_FILE)][:A_FILE]):
        boxes = tuple((q.page, q.x0, q.y0, q.x1, q.y1) for q in quads(document, sentence.start, sentence.end))
        quote = document.quote(sentence.start, sentence.end)
        passage = MarkedPassage(f"{n}a", document.id, "", sentence.start, sentence.end, quote, boxes)
        marks.append(Mark(f"f-{n}", "Check", "checked", (passage,)))
    target = folder / "marked.pdf"
    left_out = mark_pdf(path.read_bytes(), path.name, document.id, tuple(marks), target)
    words, right, seen, missed = words_on(target), 0, 0, [f"left out: {label}" for label in left_out]
    with pymupdf.open(target) as file:
        for mark in marks:
            (passage,) = mark.passages
            found = [(p, note) for p in file for note in p.annots() if note.info["id"] == f"antinomy-{passage.label}"]
            covered, visible = "", True
            for page, note in found:
                corners = [pymupdf.Point(v) * page.rotation_matrix for v in note.vertices]
                boxes = [tuple(pymupdf.Quad(corners[i : i + 4]).rect) for i in range(0, len(corners), 4)]
                covered += under(words[page.number], boxes)
                stem = folder / "page"
                only = ["-f", str(page.number + 1), "-l", str(page.number + 1), "-singlefile"]
                command = ["pdftoppm", "-r", "100", *only, "-png", str(target), str(stem)]
                subprocess.run(command, check=True, capture_output=True)
                visible = visible and is_seen(page, boxes, pymupdf.Pixmap(str(stem) + ".png"))
            wanted = letters(passage.text)
            if found and (covered == wanted or _likeness(covered, wanted) >= 0.97):
                right += 1
            else:
                missed.append(f"{path.name} {passage.label}: {len(wanted)} letters, {len(covered)} under the note")
            seen += bool(found) and visible
    return len(marks), right, seen, missed


def _likeness(a: str, b: str) -> float:
    import difflib

    return difflib.SequenceMatcher(None, a, b, autojunk=False).ratio()


def main() -> int:
    """Own files, or those of a folder."""
    arguments = [each for each in sys.argv[1:] if not each.startswith("--")]
    most = int(sys.argv[sys.argv.index("--most") + 1]) if "--most" in sys.argv else 40
    total = [0, 0, 0]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = sorted(Path(arguments[0]).rglob("*.pdf"))[:most] if arguments else make(folder)
        for path in files:
            notes, right, seen, missed = check(path, folder)
            sys.stdout.write(f"{path.name}: {notes} notes, {right} over their words, {seen} seen\n")
            for line in missed[:5]:
                sys.stdout.write(f"  {line}\n")
            total = [a + b for a, b in zip(total, (notes, right, seen), strict=True)]
    sys.stdout.write(f"all: {total[0]} notes, {total[1]} over their words, {total[2]} seen (asked: all)\n")
    return 0 if total[0] == total[1] == total[2] else 1


if __name__ == "__main__":
    raise SystemExit(main())
