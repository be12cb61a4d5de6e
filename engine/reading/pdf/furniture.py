"""Running headers, footers, page numbers, line numbers: told from the text by repetition and position."""

from __future__ import annotations

import difflib
import itertools
import re
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence

from engine.document import Furniture, FurnitureKind
from engine.reading.pdf.extract import PageLines
from engine.reading.pdf.line import Line
from engine.reading.structure import numerals

#: Pages between two steps.
_PAGES_A_STEP = 50
#: Height of the bands at the top and bottom of a page in which furniture stands, as a share of the page.
_BAND = 0.13
#: How far a repeated line may wander from page to page, in points.
_WANDER_PT = 10.0
#: Recognised lines of at least so many characters that agree so far are the same; so many are compared with.
_SHORTEST_ALIKE, _ALIKE, _MOST_KNOWN = 8, 0.85, 200
#: At most so many candidates for page numbers are compared with each other.
_MOST_NUMBERS = 2_000
_NUMBER = re.compile(r"\d+|\b[ivxlc]{1,6}\b", re.IGNORECASE)
_PAGE_NUMBER = re.compile(
    r"[\[(–—-]*\s*(?:page|p\.|pg\.?|第)?\s*(?:[A-Z]{1,3}-|\d{1,2}-)?(?P<number>\d{1,4}|[ivxl]{1,6})\s*(?:页)?\s*(?:(?:of|/|／|共)\s*(?:第|共)?\s*\d{1,4}\s*页?)?\s*[\])–—-]*$",
    re.IGNORECASE,
)
_INTEGER = re.compile(r"\d{1,3}$")
#: A clause's number alone on its line, its text further right; and how far right that text may begin, in points.
_CLAUSE_NUMBER = re.compile(r"(?:[(（]?[\w.]{1,8}[)）.]?|第\s?\S{1,5}\s?[条章])$")
_HANGING_PT = 72.0
#: Words that end as a sentence or a clause does; its number stands elsewhere than at its end.
_SENTENCE = re.compile(r"(?:\S+\s+){4,}\S*\w[.;:,]$|[\u3400-\u9fff，、]{6,}[^#]*[。；：，]$")


#: What the lines that are furniture are, by page.
Marks = dict[int, dict[Line, FurnitureKind]]


def furniture_steps(
    pages: Sequence[PageLines], is_picture: Callable[[PageLines], bool]
) -> Generator[None, None, Marks]:
    """Find the lines that are furniture, in steps of some milliseconds.

    ``is_picture``: whether a page shows a large picture, so that words on it may well be only a stamp's.
    """
    found: Marks = {page.index: {} for page in pages}
    for page in pages:
        for line in _line_numbers(page):
            found[page.index][line] = FurnitureKind.LINE_NUMBER
        for line in page.lines:
            if line.turned and len(line.text) < 200 and (line.x0 < 0.08 * page.width or line.x1 > 0.92 * page.width):
                found[page.index][line] = FurnitureKind.STAMP
        if page.index % _PAGES_A_STEP == 0:
            yield
    yield from _repeated(pages, found)
    yield from _page_numbers(pages, found)
    yield from _numbers_in_flow(pages, found)
    yield from _give_back(pages, found, is_picture)
    return found


def as_furniture(line: Line, kind: FurnitureKind) -> Furniture:
    """The record that the Document keeps of a furniture line."""
    low, high = line.rect[:, :2].min(axis=0), line.rect[:, 2:].max(axis=0)
    return Furniture(kind, line.page, line.text, (float(low[0]), float(low[1]), float(high[0]), float(high[1])))


def _band(page: PageLines, line: Line) -> str:
    if line.y1 < _BAND * page.height:
        return "top"
    return "bottom" if line.y0 > (1 - _BAND) * page.height else ""


def _key(line: Line) -> str:
    """A line's words with its numbers left open."""
    return _NUMBER.sub("#", line.text.lower())


class _Alike:
    """The keys of recognised lines: a letter read wrong on one page makes no other line of it."""

    def __init__(self) -> None:
        self._known: list[tuple[str, float, float]] = []

    def key(self, line: Line) -> str:
        """The key of the first line that stood where this one does and said nearly the same, else its own."""
        own = _key(line)
        for key, x0, y0 in self._known:
            if abs(x0 - line.x0) + abs(y0 - line.y0) > _WANDER_PT or len(own) < _SHORTEST_ALIKE:
                continue
            if difflib.SequenceMatcher(None, key, own, autojunk=False).ratio() > _ALIKE:
                return key
        if len(self._known) < _MOST_KNOWN:
            self._known.append((own, line.x0, line.y0))
        return own


def _repeated(pages: Sequence[PageLines], found: Marks) -> Iterator[None]:
    groups: dict[tuple[str, str], list[tuple[PageLines, Line]]] = defaultdict(list)
    alike = _Alike()
    for page in pages:
        if page.index % _PAGES_A_STEP == 0:
            yield
        for line in page.lines:
            band = _band(page, line)
            if band and line not in found[page.index]:
                groups[band, _key(line) if line.confidence is None else alike.key(line)].append((page, line))
    repeated: Marks = {page.index: {} for page in pages}
    for place, ((band, key), members) in enumerate(groups.items()):
        if place % _PAGES_A_STEP == 0 or len(members) > _PAGES_A_STEP:
            yield
        close = _largest_cluster(members)
        distinct = {page.index for page, _ in close}
        needed = 2 if len(pages) <= 6 else max(3, 0.12 * len(pages))
        if len(distinct) < needed:
            continue
        if _differ_as_clauses(key, close):
            continue
        kind = FurnitureKind.HEADER if band == "top" else FurnitureKind.FOOTER
        for page, line in close:
            numbered = bool(_PAGE_NUMBER.match(line.text))
            repeated[page.index][line] = FurnitureKind.PAGE_NUMBER if numbered else kind
    for page in pages:
        if page.index % _PAGES_A_STEP == 0:
            yield
        _keep_hanging(page, repeated[page.index])
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


def _differ_as_clauses(key: str, members: list[tuple[PageLines, Line]]) -> bool:
    """Whether lines alike but for their numbers are clauses rather than one header's."""
    if len({line.text for _, line in members}) == 1:
        return False
    recognised = all(line.confidence is not None for _, line in members)
    if recognised and len({tuple(_NUMBER.findall(line.text.lower())) for _, line in members}) == 1:
        return False  # they differ by what was misread
    numbered = len(key) > 30 or re.match(r"\W*#\W+[\w#]", key)
    if numbered and not _counts_up(members):
        return True  # "3. Fees" and "4. Fees" at the top of two pages are clauses, "4.8" and "6.7" their numbers
    return _SENTENCE.search(key) is not None  # "12. The Buyer pays USD 12 within 30 days."


def _keep_hanging(page: PageLines, aside: dict[Line, FurnitureKind]) -> None:
    """Take the numbers of clauses out of the lines set aside."""
    for line in [line for line in aside if _is_hanging(page, line, aside)]:
        del aside[line]


def _is_hanging(page: PageLines, line: Line, aside: Mapping[Line, FurnitureKind]) -> bool:
    """Whether a line is a clause's number with the clause's text, which is not ``aside``, beside it."""
    if _CLAUSE_NUMBER.match(line.text) is None:
        return False
    return any(
        0 <= other.x0 - line.x1 < _HANGING_PT and abs(other.baseline - line.baseline) < 0.5 * line.height
        for other in page.lines
        if other is not line and other not in aside and len(other.text) > len(line.text)
    )


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


def _page_numbers(pages: Sequence[PageLines], found: Marks) -> Iterator[None]:
    """The outermost line of a page, when it is nothing but a page number."""
    for page in pages:
        if page.index % _PAGES_A_STEP == 0:
            yield
        rest = [line for line in page.lines if line not in found[page.index] and not line.turned]
        if len(rest) < 2:
            continue
        for line in (max(rest, key=lambda line: line.y1), min(rest, key=lambda line: line.y0)):
            match = _PAGE_NUMBER.match(line.text)
            if match is None or not _band(page, line) or _is_hanging(page, line, found[page.index]):
                continue
            middle = (line.x0 + line.x1) / 2
            at_usual_place = (
                abs(middle - page.width / 2) < 0.1 * page.width
                or line.x0 > 0.75 * page.width
                or line.x1 < 0.25 * page.width
            )
            if at_usual_place:
                found[page.index][line] = FurnitureKind.PAGE_NUMBER


def _numbers_in_flow(pages: Sequence[PageLines], found: Marks) -> Iterator[None]:
    """Page numbers of the original in a file printed anew: alone on their line anywhere, counting up by one."""
    series: dict[str, list[tuple[int, float, Line]]] = defaultdict(list)
    for page in pages:
        if page.index % _PAGES_A_STEP == 0:
            yield
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
        chain = yield from _longest_count(candidates)
        if len(chain) >= 3:
            for line in chain:
                found[line.page][line] = FurnitureKind.PAGE_NUMBER


def _longest_count(candidates: Sequence[tuple[int, float, Line]]) -> Generator[None, None, list[Line]]:
    """The longest run of numbers at one place across the page, each one or two more than the last."""
    best: list[Line] = []
    for start, (first, place, line) in enumerate(candidates):
        if len(best) >= len(candidates) - start:
            break
        if start % _PAGES_A_STEP == 0:
            yield
        chain, last = [line], first
        for value, middle, other in candidates[start + 1 :]:
            if 1 <= value - last <= 2 and abs(middle - place) < 0.06:
                chain.append(other)
                last = value
        if len(chain) > len(best):
            best = chain
    return best


def _give_back(
    pages: Sequence[PageLines], found: Marks, is_picture: Callable[[PageLines], bool]
) -> Iterator[None]:
    """Headers that stand on no page with other text are themselves the text: nothing else would be left."""
    running = (FurnitureKind.HEADER, FurnitureKind.FOOTER)
    bare: list[PageLines] = []
    proven: set[str] = set()
    for page in pages:
        if page.index % _PAGES_A_STEP == 0:
            yield
        aside = found[page.index]
        if all(line in aside for line in page.lines):
            bare.append(page)
        else:
            proven.update(_key(line) for line, kind in aside.items() if kind in running)
    for place, page in enumerate(bare):
        if place % _PAGES_A_STEP == 0:
            yield
        aside = found[page.index]
        own = [line for line, kind in aside.items() if kind in running and _key(line) not in proven]
        if own and not is_picture(page):
            for line in own:
                del aside[line]


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
