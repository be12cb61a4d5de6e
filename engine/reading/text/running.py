"""Running lines of the pages that a text file was made from: the same line again and again beside page numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from engine.reading.structure.labels import label_at
from engine.reading.text.paragraphs import RawParagraph

_PAGE_NUMBER = re.compile(
    r"[-–—(\[]?\s*(?:page\s+)?(?:[A-Z]{1,3}-|\d{1,2}-)?(?P<number>\d{1,4}|[ivxl]{1,6})\s*[-–—)\]]?(?:\s*of\s+\d+)?$",
    re.IGNORECASE,
)
_SOURCE = re.compile(r"source:\s.*\d{1,2}/\d{1,2}/\d{4}$", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
#: Longer lines, and lines that come less often, are the contract's own.
_LONGEST, _FEWEST = 140, 3


def without_running_lines(paragraphs: Sequence[RawParagraph]) -> list[RawParagraph]:
    """The paragraphs without running titles and page numbers; a sentence that they interrupted is joined."""
    aside = _running(paragraphs)
    if not aside:
        return list(paragraphs)
    kept: list[RawParagraph] = []
    interrupted = False
    for index, paragraph in enumerate(paragraphs):
        if index in aside:
            interrupted = True
            continue
        if interrupted and kept and _goes_on(kept[-1], paragraph):
            kept[-1].text = f"{kept[-1].text} {paragraph.text}"
        else:
            kept.append(paragraph)
        interrupted = False
    return kept


def _running(paragraphs: Sequence[RawParagraph]) -> set[int]:
    keys = [
        _DIGITS.sub("#", paragraph.text.lower()) if len(paragraph.text) <= _LONGEST else "" for paragraph in paragraphs
    ]
    numbers = {
        index: match for index, paragraph in enumerate(paragraphs) if (match := _PAGE_NUMBER.match(paragraph.text))
    }
    counts = Counter(keys)
    aside: set[int] = set()
    for key, count in counts.items():
        if count < _FEWEST or not key or key.strip("# ivxl-–—()[]") == "" or _PAGE_NUMBER.match(key):
            continue
        places = [index for index, other in enumerate(keys) if other == key]
        beside = sum(1 for index in places if index - 1 in numbers or index + 1 in numbers)
        if beside >= 0.6 * count or _SOURCE.match(paragraphs[places[0]].text):
            aside.update(places)
    aside.update(_chain_of_numbers(numbers, aside))
    aside.update(index for index in numbers if _cuts_sentence(paragraphs, index))
    return aside


def _cuts_sentence(paragraphs: Sequence[RawParagraph], index: int) -> bool:
    """A page number in the middle of a sentence: "seven (7) days", "2", "following the execution"."""
    if not 0 < index < len(paragraphs) - 1:
        return False
    before, after = paragraphs[index - 1].text, paragraphs[index + 1].text
    return (before[-1:].islower() or before[-1:] in ",，") and after[:1].islower()


def _chain_of_numbers(numbers: dict[int, re.Match[str]], aside: set[int]) -> set[int]:
    """Paragraphs that are nothing but a number, each one more than the last."""
    chain: list[int] = []
    found: set[int] = {index for index in numbers if index - 1 in aside or index + 1 in aside}
    last = 0
    for index, match in numbers.items():
        if not match["number"].isdigit():
            continue
        value = int(match["number"])
        if not chain or 1 <= value - last <= 2:
            chain.append(index)
            last = value
    return found | set(chain) if len(chain) >= _FEWEST else found


def _goes_on(before: RawParagraph, after: RawParagraph) -> bool:
    if before.cell is not None or after.cell is not None or not before.text or not after.text:
        return False
    if label_at(after.text, 0, len(after.text)) is not None or before.text[-1] in ".;:!?。；：！？":
        return False
    return after.text[0].islower() or before.text[-1] in ",，-" or (len(before.text) > 60 and not after.text.isupper())
