"""Running headers, footers, page numbers, line numbers: told from the text by repetition and position."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Sequence

from engine.document import Furniture, FurnitureKind
from engine.reading.pdf.extract import PageLines
from engine.reading.pdf.line import Line
from engine.reading.structure import numerals

#: Height of the bands at the top and bottom of a page in which furniture stands, as a share of the page.
_BAND = 0.13
#: How far a repeated line may wander from page to page, in points.
_WANDER_PT = 10.0
#: At most so many candidates for page numbers are compared with each other.
_MOST_NUMBERS = 2_000
_NUMBER = re.compile(r"\d+|\b[ivxlc]{1,6}\b", re.IGNORECASE)
_PAGE_NUMBER = re.compile(
    r"[\[(–—-]*\s*(?:page|p\.|pg\.?|第)?\s*(?:[A-Z]{1,3}-|\d{1,2}-)?(?P<number>\d{1,4}|[ivxl]{1,6})\s*(?:页)?\s*(?:(?:of|/|／|共)\s*(?:第|共)?\s*\d{1,4}\s*页?)?\s*[\])–—-]*$",
    re.IGNORECASE,
)
_INTEGER = re.compile(r"\d{1,3}$")


def find_furniture(pages: Sequence[PageLines]) -> dict[int, dict[Line, FurnitureKind]]:
    """The lines that are furniture, by page."""
    found: dict[int, dict[Line, FurnitureKind]] = {page.index: {} for page in pages}
    for page in pages:
        for line in _line_numbers(page):
            found[page.index][line] = FurnitureKind.LINE_NUMBER
        for line in page.lines:
            if line.turned and len(line.text) < 200 and (line.x0 < 0.08 * page.width or line.x1 > 0.92 * page.width):
                found[page.index][line] = FurnitureKind.STAMP
    _repeated(pages, found)
    _page_numbers(pages, found)
    _numbers_in_flow(pages, found)
    return found


def as_furniture(line: Line, kind: FurnitureKind) -> Furniture:
    """The record that the Document keeps of a furniture line."""
    low, high = line.rect[:, :2].min(axis=0), line.rect[:, 2:].max(axis=0)
    return Furniture(kind, line.page, line.text, (float(low[0]), float(low[1]), float(high[0]), float(high[1])))


def _band(page: PageLines, line: Line) -> str:
    if line.y1 < _BAND * page.height:
        return "top"
    return "bottom" if line.y0 > (1 - _BAND) * page.height else ""


def _repeated(pages: Sequence[PageLines], found: dict[int, dict[Line, FurnitureKind]]) -> None:
    groups: dict[tuple[str, str], list[tuple[PageLines, Line]]] = defaultdict(list)
    for page in pages:
        for line in page.lines:
            band = _band(page, line)
            if band and line not in found[page.index]:
                groups[band, _NUMBER.sub("#", line.text.lower())].append((page, line))
    repeated: dict[int, dict[Line, FurnitureKind]] = {page.index: {} for page in pages}
    for (band, key), members in groups.items():
        close = _largest_cluster(members)
        distinct = {page.index for page, _ in close}
        needed = 2 if len(pages) <= 6 else max(3, 0.12 * len(pages))
        if len(distinct) < needed:
            continue
        same_text = len({line.text for _, line in close}) == 1
        numbered_line = len(key) > 30 or re.match(r"\W*#\W+\w", key)
        if not same_text and numbered_line and not _counts_up(close):
            continue  # "3. Fees" and "4. Fees" at the top of two pages are clauses
        kind = FurnitureKind.HEADER if band == "top" else FurnitureKind.FOOTER
        for page, line in close:
            numbered = bool(_PAGE_NUMBER.match(line.text))
            repeated[page.index][line] = FurnitureKind.PAGE_NUMBER if numbered else kind
    for page in pages:
        found[page.index].update(_outermost(page, repeated[page.index], found[page.index]))


def _outermost(
    page: PageLines, repeated: dict[Line, FurnitureKind], known: dict[Line, FurnitureKind]
) -> dict[Line, FurnitureKind]:
    """Of the repeated lines of a page, those with nothing but furniture between them and the page's edge."""
    kept: dict[Line, FurnitureKind] = {}
    upright = [line for line in page.lines if not line.turned]
    for ordered in (sorted(upright, key=lambda line: line.y0), sorted(upright, key=lambda line: -line.y1)):
        row_edge = None
        for line in ordered:
            if line in repeated:
                kept[line] = repeated[line]
            elif line not in known and not _PAGE_NUMBER.match(line.text):
                middle = (line.y0 + line.y1) / 2
                if row_edge is None or not any(other.y0 < middle < other.y1 for other in kept):
                    break
            row_edge = line
    return kept


def _largest_cluster(members: list[tuple[PageLines, Line]]) -> list[tuple[PageLines, Line]]:
    ordered = sorted(members, key=lambda member: member[1].y0)
    best: list[tuple[PageLines, Line]] = []
    first = 0
    for last in range(len(ordered)):
        while ordered[last][1].y0 - ordered[first][1].y0 > _WANDER_PT:
            first += 1
        if last - first + 1 > len(best):
            best = ordered[first : last + 1]
    return best


def _counts_up(members: list[tuple[PageLines, Line]]) -> bool:
    """Whether the numbers in the lines grow with the pages by the same step."""
    offsets = []
    for page, line in members:
        numbers = re.findall(r"\d+", line.text)
        if numbers:
            offsets.append({int(number) - page.index for number in numbers})
    if not offsets:
        return True
    common = set.intersection(*offsets) if len(offsets) > 1 else set()
    return bool(common)


def _page_numbers(pages: Sequence[PageLines], found: dict[int, dict[Line, FurnitureKind]]) -> None:
    """The outermost line of a page, when it is nothing but a page number."""
    for page in pages:
        rest = [line for line in page.lines if line not in found[page.index] and not line.turned]
        if len(rest) < 2:
            continue
        for line in (max(rest, key=lambda line: line.y1), min(rest, key=lambda line: line.y0)):
            match = _PAGE_NUMBER.match(line.text)
            if match is None or not _band(page, line):
                continue
            middle = (line.x0 + line.x1) / 2
            at_usual_place = (
                abs(middle - page.width / 2) < 0.1 * page.width
                or line.x0 > 0.75 * page.width
                or line.x1 < 0.25 * page.width
            )
            if at_usual_place:
                found[page.index][line] = FurnitureKind.PAGE_NUMBER


def _numbers_in_flow(pages: Sequence[PageLines], found: dict[int, dict[Line, FurnitureKind]]) -> None:
    """Page numbers of the original in a file printed anew: alone on their line anywhere, counting up by one."""
    series: dict[str, list[tuple[int, float, Line]]] = defaultdict(list)
    for page in pages:
        upright = [line for line in page.lines if not line.turned and line not in found[page.index]]
        for line in upright:
            match = _PAGE_NUMBER.match(line.text) if len(line.text) <= 14 else None
            if match is None or any(other is not line and other.y0 < line.baseline < other.y1 for other in upright):
                continue
            value = int(match["number"]) if match["number"].isdigit() else numerals.roman(match["number"])
            prefix = _NUMBER.sub("#", line.text[: match.start("number")]) + ("#" if match["number"].isdigit() else "i")
            if value is not None and len(series[prefix]) < _MOST_NUMBERS:
                series[prefix].append((value, (line.x0 + line.x1) / 2 / page.width, line))
    for candidates in series.values():
        chain = _longest_count(candidates)
        if len(chain) >= 3:
            for line in chain:
                found[line.page][line] = FurnitureKind.PAGE_NUMBER


def _longest_count(candidates: Sequence[tuple[int, float, Line]]) -> list[Line]:
    """The longest run of numbers at one place across the page, each one or two more than the last."""
    best: list[Line] = []
    for start, (first, place, line) in enumerate(candidates):
        if len(best) >= len(candidates) - start:
            break
        chain, last = [line], first
        for value, middle, other in candidates[start + 1 :]:
            if 1 <= value - last <= 2 and abs(middle - place) < 0.06:
                chain.append(other)
                last = value
        if len(chain) > len(best):
            best = chain
    return best


def _line_numbers(page: PageLines) -> list[Line]:
    """Integers in a margin that count down the page: at least eight, each one more than the last."""
    numbers = [line for line in page.lines if _INTEGER.match(line.text) and not line.turned]
    if len(numbers) < 8:
        return []
    body = [line for line in page.lines if not _INTEGER.match(line.text) and not line.turned]
    result: list[Line] = []
    for left in (True, False):
        edge = sorted(line.x0 if left else -line.x1 for line in body)
        limit = edge[len(edge) // 4] if edge else 1e9
        side = [line for line in numbers if (line.x1 if left else -line.x0) <= limit + 4]
        side.sort(key=lambda line: line.baseline)
        steps = [int(b.text) - int(a.text) for a, b in itertools.pairwise(side)]
        if len(side) >= 8 and sum(step == 1 for step in steps) >= 0.8 * len(steps):
            result += side
    return result
