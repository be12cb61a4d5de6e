"""The alternatives of a form: lines to tick, of which one or none will hold.

``[ ] Provider will procure ...``, ``(x) No Third-Party Materials ...``, ``□甲方 ／ ☑乙方``. What stands behind a box,
up to the next box or the line's end, says nothing before it has been ticked. 按下列第＿种方式解决：（1）……；（2）…… and
"(select one)" do the same with numbers.
"""

from __future__ import annotations

import re
from bisect import bisect_left
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
    """The alternatives in a document, in reading order."""
    return sorted([*_boxed(document.text), *_by_number(document.text)])


def _boxed(text: str) -> list[Option]:
    boxes = list(_BOX.finditer(text))
    spots = [(m.start("bracket" if m["bracket"] else "sign"), m.end(), m["bracket"] or m["sign"]) for m in boxes]
    empty = [start for start, _, sign in spots if not _TICKED.search(sign) and not _BULLETS.fullmatch(sign)]
    out: list[Option] = []
    for i, (start, after, sign) in enumerate(spots):
        ticked = bool(_TICKED.search(sign))
        doubtful = bool(_BULLETS.fullmatch(sign)) or sign.strip("(（）) ").lower() == "x"
        near = bisect_left(empty, start - REACH)
        if doubtful and not (near < len(empty) and empty[near] <= start + REACH):
            continue
        line = text.find("\n", after)
        following = spots[i + 1][0] if i + 1 < len(spots) else len(text)
        end = min(x for x in (line if line >= 0 else len(text), following, after + LONGEST))
        if text[after:end].strip():
            out.append(Option(start, end, ticked))
    return out


#: A choice by number; the number may be blank still.
_CHOICE = re.compile(
    r"(?:下列|以下|如下)第?[ \u3000]{0,3}[(（]?[ \u3000]{0,6}(?P<number>_{1,20}|＿{1,20}|\d|[一二三四五六七八九])?"
    r"[ \u3000_]{0,6}[)）]?[ \u3000]{0,3}[种项](?:方式|方法|办法|选择)[^\n:：]{0,24}[:：]?"
    r"|[\[(][^\[\]()\n]{0,20}\b(?:select|choose|check|tick|pick) (?:only )?one\b[^\[\]()\n]{0,40}[\])]",
    re.IGNORECASE,
)
_ITEM = re.compile(
    r"(?:^|(?<=[\n:：;；。，,.]))[ \t\u3000]{0,12}"
    r"(?:[(（](?P<a>[\da-h一二三四五六七八九])[)）]|(?P<b>[\da-h一二三四五六七八九])[.、])"
)
_ORDER = "123456789", "一二三四五六七八九", "abcdefghi"


def _rank(label: str) -> int:
    """1 for 1, 一 and a; 0 for what is no such label."""
    return max(order.find(label) + 1 for order in _ORDER) if label else 0


def _by_number(text: str) -> list[Option]:
    """The items after a choice by number, as far as they count up from 1; the last one ends with its line."""
    out: list[Option] = []
    choices = list(_CHOICE.finditer(text))
    for i, choice in enumerate(choices):
        following = choices[i + 1].start() if i + 1 < len(choices) else len(text)
        stop = min(following, choice.end() + LONGEST)
        starts: list[int] = []
        for item in _ITEM.finditer(text, choice.end(), stop):
            if _rank(item["a"] or item["b"]) == len(starts) + 1:
                starts.append(item.start("a") - 1 if item["a"] else item.start("b"))
        if len(starts) < 2:
            continue
        line = text.find("\n", starts[-1], stop)
        ends = [*starts[1:], line if line >= 0 else stop]
        chosen = _rank((choice["number"] or "").strip("_＿"))
        out += [Option(a, b, k == chosen) for k, (a, b) in enumerate(zip(starts, ends, strict=True), 1)]
    return out


def option_spans(document: Document) -> list[tuple[int, int]]:
    """The spans of :func:`options`, ticked or not."""
    return [(option.start, option.end) for option in options(document)]
