"""The alternatives of a form: lines to tick, of which one or none will hold.

``[ ] Provider will procure ...``, ``(x) No Third-Party Materials ...``, ``□甲方 ／ ☑乙方``. What stands behind a box,
up to the next box or the line's end, says nothing before it has been ticked.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from engine.document import Document

#: A box: empty or ticked. Brackets count only where a line or an item begins, as "(x)" is an item's letter as well.
_SIGN = r"[□☐○◯▢⬜◻]|[☑☒■✓✔√●]"
_BRACKETS = r"\[[ \u3000_]{0,6}\]|\([ \u3000_]{1,6}\)|（[ \u3000_]{1,6}）|\[[ ]?[xX✓✔√][ ]?\]|[(（][ ]?[xX✓✔√][ ]?[)）]"
_NUMBER = r"(?:[(（]?[\da-zA-Z一二三四五六七八九十]{1,3}[.)）、][ \t\u3000]{0,4})?"
_BOX = re.compile(
    rf"(?:^|(?<=\n))[ \t\u3000*•·-]{{0,12}}{_NUMBER}(?P<bracket>{_BRACKETS})(?=[ \t\u3000]{{0,8}}\S)"
    rf"|(?P<sign>{_SIGN})"
)
_TICKED = re.compile(r"[☑☒■✓✔√●xX]")
#: Signs that also serve as bullets or as blanks: they are boxes only where an empty one of the same form stands near.
_BULLETS = re.compile(r"[○◯●■√✓✔]")
#: A line of roman or Latin items "(v) (w) (x) (y)" has no boxes: an (x) needs another box within so many characters.
REACH = 1500
#: The last of several boxes on one line reaches no further than this.
LONGEST = 1200


class Option(NamedTuple):
    """An alternative: its span from the box to its end, and whether it is ticked."""

    start: int
    end: int
    ticked: bool


def options(document: Document) -> list[Option]:
    """The alternatives in a document, in reading order; spans do not overlap."""
    text = document.text
    boxes = list(_BOX.finditer(text))
    spots = [(m.start("bracket" if m["bracket"] else "sign"), m.end(), m["bracket"] or m["sign"]) for m in boxes]
    empty = [start for start, _, sign in spots if not _TICKED.search(sign) and not _BULLETS.fullmatch(sign)]
    out: list[Option] = []
    for i, (start, after, sign) in enumerate(spots):
        ticked = bool(_TICKED.search(sign))
        doubtful = bool(_BULLETS.fullmatch(sign)) or sign.strip("(（）) ").lower() == "x"
        if doubtful and not any(abs(place - start) <= REACH for place in empty):
            continue
        line = text.find("\n", after)
        following = spots[i + 1][0] if i + 1 < len(spots) else len(text)
        end = min(x for x in (line if line >= 0 else len(text), following, after + LONGEST))
        if text[after:end].strip():
            out.append(Option(start, end, ticked))
    return out


def option_spans(document: Document) -> list[tuple[int, int]]:
    """The spans of :func:`options`, ticked or not."""
    return [(option.start, option.end) for option in options(document)]
