"""number.gap, number.duplicate, number.order: clause numbers that do not run on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from engine.anchors.chinese_numerals import ALL as CHINESE
from engine.anchors.chinese_numerals import write_chinese
from engine.conflicts.checks.evidence import Evidence, chinese_number, make, named, quoted
from engine.conflicts.checks.numbering import NumberIndex, Path, clause_path, continues_a_line, write_roman
from engine.conflicts.checks.references import is_amendment, stands_as_heading
from engine.conflicts.checks.sentences import phrase, say
from engine.document import Clause, ClauseKind
from engine.protocol.findings import Finding, Passage, Severity

_LEFT_OUT = (ClauseKind.CONTENTS, ClauseKind.TABLE_ROW, ClauseKind.FOOTNOTE, ClauseKind.SIGNATURE)


class Run(NamedTuple):
    """Numbered clauses that follow each other under one parent, with the path they share and their last numbers."""

    head: Path
    clauses: tuple[Clause, ...]
    numbers: tuple[int, ...]


def runs(evidence: Evidence, index: NumberIndex) -> list[Run]:
    """The runs of numbered clauses, in reading order; a run ends where its numbering starts again at 1."""
    groups: dict[tuple[str, str, Path], list[Clause]] = {}
    if is_amendment(evidence.document):
        # What it quotes carries the numbers of the text that it changes.
        return []
    for clause in evidence.document.clauses:
        if not clause.path or clause.kind in _LEFT_OUT or index.contents_like(clause):
            continue
        if continues_a_line(evidence.document, clause):
            continue
        path = clause_path(clause)
        if not path[-1].isdigit():
            continue
        groups.setdefault((_schedule_of(evidence, clause), _style(clause), path[:-1]), []).append(clause)
    out: list[Run] = []
    for (_, _, head), clauses in groups.items():
        current: list[Clause] = []
        for clause in clauses:
            number = int(clause_path(clause)[-1])
            if current and number == 1 and _restarts(clause):
                out.append(_run(head, current))
                current = []
            current.append(clause)
        if current:
            out.append(_run(head, current))
    return out


def _run(head: Path, clauses: Sequence[Clause]) -> Run:
    return Run(head, tuple(clauses), tuple(int(clause_path(c)[-1]) for c in clauses))


def _schedule_of(evidence: Evidence, clause: Clause) -> str:
    for ancestor in evidence.document.ancestors(clause):
        if ancestor.kind is ClauseKind.SCHEDULE:
            return ancestor.id
    return ""


def _style(clause: Clause) -> str:
    """How the number is printed: numbers of different fashion are no neighbours."""
    label = clause.label.strip()
    if label.startswith("第"):
        return "第" + label[-1:]
    if _COUNTED.fullmatch(label):
        return "、"
    if label[:1].isalpha():
        return label.split()[0].lower()
    return f"{'(' if label[:1] in '(（' else ''}{label.count('.') if label.rstrip('.').count('.') else 0}"


def _restarts(clause: Clause) -> bool:
    """A plain list (1. 2. 3.) may begin again; 9.1 and 第一条 may not."""
    label = clause.label.strip()
    return label.rstrip(".").count(".") == 0 and not label.startswith("第")


_COUNTED = re.compile(rf"[{CHINESE}]{{1,4}}[、.．]?")


def _strict(run: Run) -> bool:
    """Whether the run is a numbering that a reader relies on: dotted, 第…条, or a word with its number."""
    label = run.clauses[0].label.strip()
    if _COUNTED.fullmatch(label):
        return False
    return label.rstrip(".").count(".") >= 1 or label.startswith("第") or label[:1].isalpha()


#: A plain list (1. 2. 3., 一、二、三、) is looked at from this length on.
LIST = 4


def _list_with_one_slip(run: Run, slip: int) -> bool:
    """Whether a plain list runs from 1 under one clause, but for a single step of ``slip`` instead of 1."""
    steps = [b - a for a, b in pairwise(run.numbers)]
    one_place = len({clause.parent for clause in run.clauses}) == 1
    return (
        one_place and run.numbers[0] == 1 and len(run.numbers) >= LIST
        and steps.count(slip) == 1 and steps.count(1) == len(steps) - 1
    )  # fmt: skip


def _mostly_regular(run: Run) -> bool:
    steps = [b - a for a, b in pairwise(run.numbers)]
    return len(steps) >= 2 and sum(step == 1 for step in steps) >= max(2, 0.7 * len(steps))


def _literally_between(index: NumberIndex, path: Path, start: int, end: int) -> bool:
    places = index.literal.get(path, [])
    return any(start < place < end for place in places)


def check_gaps(evidence: Evidence, index: NumberIndex) -> Iterator[Finding]:
    """number.gap: one or two numbers left out of an otherwise regular run."""
    for run in runs(evidence, index):
        plain = _list_with_one_slip(run, 2) and not _strict(run)
        if not (plain or (_strict(run) and _mostly_regular(run))):
            continue
        for (before, a), (after, b) in pairwise(zip(run.clauses, run.numbers, strict=True)):
            absent = list(range(a + 1, b))
            if not 1 <= len(absent) <= 2:
                continue
            paths = [(*run.head, str(n)) for n in absent]
            if any(
                _literally_between(index, path, before.start, after.start + 1) or index.by_path.get(path)
                for path in paths
            ):
                continue
            if any(stands_as_heading(evidence, path, before.start, after.start) for path in paths):
                continue
            if plain and _in_list(evidence, absent[0], before.start, after.start):
                continue
            chinese = evidence.chinese(before.start)
            shown = [_like(before, path) for path in paths]
            names = phrase("and", chinese).join(chinese_number(name) if chinese else name for name in shown)
            yield make(
                "number.gap",
                0.85,
                Severity.LOW,
                say(
                    "number.gap",
                    chinese,
                    before=named(before, chinese),
                    after=named(after, chinese),
                    names=names,
                    absent=f"{names} {'is' if len(paths) == 1 else 'are'}",
                ),
                [_heading_passage(evidence, before), _heading_passage(evidence, after)],
            )


def _in_list(evidence: Evidence, number: int, start: int, end: int) -> bool:
    """Whether the number stands somewhere in between as a list's number would, whatever the tree made of it."""
    return bool(re.search(rf"(?<![\d.])(?:{number}|{write_chinese(number)})[ ]?[.、)．）]", evidence.text[start:end]))


def _like(clause: Clause, path: Path) -> str:
    """The missing number written as its neighbours are."""
    label = clause.label.strip()
    if label.startswith("第"):
        number = int(path[-1])
        return f"第{number if any(c.isascii() and c.isdigit() for c in label) else write_chinese(number)}{label[-1]}"
    if label.rstrip(".").endswith(".0"):
        return f"{path[-1]}.0"
    if label.rstrip(".").count(".") >= 1:
        return re.sub(
            r"\d+(?=\.?$)", lambda m: path[-1].zfill(len(m.group()) if m.group()[0] == "0" else 1), label
        ).rstrip(".")
    if _COUNTED.fullmatch(label) or not label[:1].isalpha():
        number = int(path[-1])
        return _LAST.sub(lambda m: str(number) if m[1].isascii() else write_chinese(number), clause.number)
    word, *rest = label.split()
    roman = bool(rest) and rest[0].rstrip(".").isalpha()
    return f"{word} {write_roman(int(path[-1])) if roman else path[-1]}"


_LAST = re.compile(rf"(\d+|[{CHINESE}]+)(?=[^\d{CHINESE}]*$)")


def _heading_passage(evidence: Evidence, clause: Clause) -> Passage:
    return evidence.passage(clause.start, min(clause.end, clause.start + max(1, len(clause.label))))


def check_duplicates(evidence: Evidence, index: NumberIndex) -> Iterator[Finding]:
    """number.duplicate: one number for two clauses of a run."""
    for run in runs(evidence, index):
        if not (_strict(run) or _list_with_one_slip(run, 0)) or len(run.numbers) < 3:
            continue
        first_at: dict[int, int] = {}
        rising = sum(b > a for a, b in pairwise(run.numbers)) >= 0.8 * (len(run.numbers) - 1)
        for i, (clause, value) in enumerate(zip(run.clauses, run.numbers, strict=True)):
            k = first_at.setdefault(value, i)
            earlier = run.clauses[k]
            # 11 13 12 13 14: it is the first 13 that stands wrong.
            odd = k != i and (_out_of_step(run, i, rising) or _out_of_step(run, k, False))
            if not odd or _starts_over(index, run.head, earlier, clause) or not _two_clauses(evidence, earlier, clause):
                continue
            chinese, number = evidence.chinese(clause.start), clause.label.strip().rstrip(".、")
            yield make(
                "number.duplicate",
                0.85,
                Severity.MEDIUM,
                say(
                    "number.duplicate",
                    chinese,
                    number=named(clause, True) if chinese else number,
                    titles=_titles(earlier, clause, chinese),
                ),
                [_heading_passage(evidence, earlier), _heading_passage(evidence, clause)],
            )


def _starts_over(index: NumberIndex, head: Path, earlier: Clause, clause: Clause) -> bool:
    """Whether the article itself comes a second time in between: an attached contract with its own numbering."""
    return bool(head) and any(
        earlier.start < article.start <= clause.start for article in index.by_path.get(head[:1], ())
    )


def _out_of_step(run: Run, i: int, rising: bool) -> bool:
    """Whether the run goes on past clause ``i`` as if it had the next number, so that one number is wrong.

    A run that as a whole starts over (a schedule that the tree did not see) does not: 1 2 3 1 2 3.
    """
    if i == 0:
        return False
    expected = run.numbers[i - 1] + 1
    if run.numbers[i] == expected:
        return False
    if i + 1 == len(run.numbers):
        return True
    following = run.numbers[i + 1]
    starts_over = run.numbers[i] == 1 and following == 2
    return following in (expected, expected + 1) or (rising and not starts_over)


_AFTER_LABEL = re.compile(r"^[ .\t):：、，—\u3000-]{1,12}")


def _titles(a: Clause, b: Clause, chinese: bool) -> str:
    if not (a.heading and b.heading):
        return ""
    return phrase("titles", chinese, first=quoted(a.heading, 40), second=quoted(b.heading, 40))


def _two_clauses(evidence: Evidence, a: Clause, b: Clause) -> bool:
    """Whether both are clauses of their own, not one read twice or a mention at the start of a line."""
    if a.kind is ClauseKind.DEFINITION and b.kind is ClauseKind.DEFINITION and a.heading == b.heading:
        return False
    if a.heading and b.heading and a.heading.lower() == b.heading.lower():
        return False
    return _looks_like_heading(evidence, a) and _looks_like_heading(evidence, b)


def _looks_like_heading(evidence: Evidence, clause: Clause) -> bool:
    begin = clause.start + len(clause.label)
    after = _AFTER_LABEL.sub("", evidence.text[begin : begin + 12])
    return bool(after) and (after[0].isupper() or after[0] in '“"[' or after[0] > "\u2e7f")


def check_order(evidence: Evidence, index: NumberIndex) -> Iterator[Finding]:
    """number.order: a clause whose number belongs to another article (1.1 under 4, before 4.2)."""
    if is_amendment(evidence.document):
        return
    article: Clause | None = None
    before: Clause | None = None
    ordered = [
        c for c in evidence.document.clauses if c.path and c.kind not in _LEFT_OUT and not index.contents_like(c)
    ]
    dotted = [
        c
        for c in ordered
        if len(c.path) == 2 and all(isinstance(p, int) for p in c.path) and "." in c.label.strip().rstrip(".")
    ]
    following = {a.id: b for a, b in pairwise(dotted)}
    for clause in ordered:
        if len(clause.path) == 1 and isinstance(clause.path[0], int):
            article, before = clause, None
            continue
        if clause.id not in following and clause not in dotted[-1:]:
            continue
        after = following.get(clause.id)
        number = article.path[0] if article is not None else None
        astray = article is not None and clause.path[0] != number and after is not None and after.path[0] == number
        in_step = after is not None and astray and after.path[1] == (2 if before is None else _last(before) + 2)
        if astray and in_step and article is not None and after is not None and _looks_like_heading(evidence, clause):
            expected = f"{number}.{_last(after) - 1}"
            yield make(
                "number.order",
                0.85,
                Severity.LOW,
                say(
                    "number.order",
                    evidence.chinese(clause.start),
                    number=clause.label.strip(),
                    article=named(article, evidence.chinese(clause.start)),
                    expected=expected,
                    next=after.label.strip(),
                ),
                [_heading_passage(evidence, clause), _heading_passage(evidence, after)],
            )
        if not astray:
            before = clause


def _last(clause: Clause) -> int:
    part = clause.path[-1]
    return part if isinstance(part, int) else 0
