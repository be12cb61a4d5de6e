"""term.order: a list of definitions that is in alphabetical order but for one or two."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from engine.anchors.model import Anchor, AnchorKind
from engine.conflicts.checks.evidence import Evidence, make
from engine.conflicts.checks.pairing import longest_run
from engine.conflicts.checks.sentences import say
from engine.protocol.findings import Finding, Severity

#: A list of fewer definitions than this may be in order by chance.
FEWEST = 8
#: So many may stand out of order in a list that is otherwise in order, and at least so many for each of them must not.
MOST_APART, FOR_EACH = 2, 6
#: Definitions farther apart than this belong to different lists.
REACH = 4000
#: From here on GB 2312 goes by radicals; before it, by sound.
_BY_RADICAL = 0xD8
_ARTICLE = re.compile(r"^(?:the|an?) ", re.IGNORECASE)
_LIST_LABEL = re.compile(r"[\s“\"‘'(（\[*#•·\-–.)）、:：0-9A-Za-z一二三四五六七八九十]{0,24}")


def _definitions(evidence: Evidence) -> list[Anchor]:
    """Definitions that begin their paragraph, with the paragraph's number or bullet before them at most."""
    out = []
    for anchor in evidence.of_kind(AnchorKind.TERM):
        if anchor.role != "definition" or anchor.detail.get("how") != "means":
            continue
        before = evidence.text[evidence.text.rfind("\n", 0, anchor.start) + 1 : anchor.start]
        words = re.findall(r"[A-Za-z]{3,}|[\u4e00-\u9fff]{2,}", before)
        if not words and _LIST_LABEL.fullmatch(before):
            out.append(anchor)
    return out


def _lists(anchors: list[Anchor]) -> Iterator[list[Anchor]]:
    run: list[Anchor] = []
    for anchor in anchors:
        if run and anchor.start - run[-1].end > REACH:
            yield run
            run = []
        run.append(anchor)
    if run:
        yield run


def _keys(term: str) -> tuple[str, str] | None:
    """What a term is sorted by, word by word and letter by letter; None when its order cannot be told."""
    plain = _ARTICLE.sub("", term.strip()).casefold()
    if not plain:
        return None
    if plain.isascii():
        words = re.sub(r"[^a-z0-9 ]+", "", plain.replace("-", " ")).split()
        return (" ".join(words), "".join(words)) if words and words[0][0].isalpha() else None
    try:
        code = plain.encode("gb2312")
    except UnicodeEncodeError:
        return None
    # Only its first sign counts: two readings of the later ones are sorted either way.
    return (code[:2].hex(), code[:2].hex()) if 0xB0 <= code[0] < _BY_RADICAL else None


#: Nobody is misled by the order: of five that were judged in signed contracts one was worth a look.
STYLE_SCORE = 0.25


def check_term_order(evidence: Evidence) -> Iterator[Finding]:
    """term.order, as style: only where the whole list but one or two is in order."""
    for run in _lists(_definitions(evidence)):
        known = [(anchor, keys) for anchor in run if (keys := _keys(anchor.value)) is not None]
        for _, group in groupby(known, key=lambda pair: pair[0].value.isascii()):
            yield from _apart(evidence, list(group))


def ordered_lists(evidence: Evidence) -> int:
    """How many definitions stand in lists that are in order, but for as many as :data:`MOST_APART`."""
    count = 0
    for run in _lists(_definitions(evidence)):
        keys = [found for anchor in run if (found := _keys(anchor.value)) is not None]
        best = max(len(longest_run([pair[way] for pair in keys])) for way in (0, 1)) if keys else 0
        count += len(keys) if len(keys) >= FEWEST and len(keys) - best <= len(keys) // FOR_EACH else 0
    return count


def _apart(evidence: Evidence, known: list[tuple[Anchor, tuple[str, str]]]) -> Iterator[Finding]:
    # One term may be defined in two paragraphs running.
    known = [pair for i, pair in enumerate(known) if not i or pair[1] != known[i - 1][1]]
    if len(known) < FEWEST:
        return
    runs = [longest_run([keys[way] for _, keys in known]) for way in (0, 1)]
    way = 0 if len(runs[0]) >= len(runs[1]) else 1
    in_order = runs[way]
    apart = [i for i in range(len(known)) if i not in set(in_order)]
    if not 1 <= len(apart) <= min(MOST_APART, len(known) // FOR_EACH) or len({k for _, k in known}) < FEWEST // 2:
        return
    for i in apart:
        anchor, chinese = known[i][0], evidence.chinese(known[i][0].start)
        # What it should stand before, or else what it should stand after.
        passed = [j for j in in_order if j < i and known[j][1][way] > known[i][1][way]]
        ahead = [j for j in in_order if j > i and known[j][1][way] < known[i][1][way]]
        yield make(
            "term.order",
            STYLE_SCORE,
            Severity.LOW,
            say(
                "term.order/after" if passed else "term.order/before",
                chinese,
                term=anchor.value,
                other=known[passed[0] if passed else ahead[-1]][0].value,
                where=evidence.where(anchor.start),
                count=len(known),
            ),
            [evidence.passage(anchor.start, anchor.end, [anchor])],
            tier="check",
        )
