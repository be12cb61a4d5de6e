"""A review on the terminal: the findings by rank, each with its sentence and its passages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.command.columns import printable, shorten, wrap
from engine.document import Document
from engine.protocol.findings import Finding, Passage, Severity

_INDENT = "    "
_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"
_COLOUR = {Severity.HIGH: "\x1b[31m", Severity.MEDIUM: "\x1b[33m", Severity.LOW: "\x1b[36m"}
_LANGUAGES = {"en": "English", "zh": "Chinese"}
_TIERS = {"conflict": "conflict", "possible": "possible conflict", "check": "please check"}


def summary_lines(
    documents: Sequence[Document],
    findings: Sequence[Finding],
    seconds: float,
    *,
    columns: int,
    colour: bool,
    most: int,
) -> Iterator[str]:
    """The lines to print: the documents, at most ``most`` findings (0: all), what was left out."""
    for document in documents:
        language = _LANGUAGES.get(document.language, "language unknown")
        yield (
            f"{printable(document.name)}: {_count(len(document.pages), 'page')}, {len(document.text):,} characters, "
            f"{_count(sum(bool(c.number) for c in document.clauses), 'numbered clause')}, {language}"
        )
        for notice in document.notices:
            yield from (_INDENT + line for line in wrap(notice.text, columns - len(_INDENT)))
    yield f"{_count(len(findings), 'finding') if findings else 'No findings'} in {seconds:.1f} s"
    names = {document.id: document.name for document in documents}
    ranked = sorted(findings, key=lambda finding: finding.rank)
    shown = ranked[:most] if most else ranked
    for finding in shown:
        yield ""
        yield from _finding_lines(finding, names if len(documents) > 1 else {}, columns, colour)
    if len(shown) < len(ranked):
        yield ""
        yield f"{_count(len(ranked) - len(shown), 'finding')} more; --top 0 shows all, --json writes all."


def _finding_lines(finding: Finding, names: dict[str, str], columns: int, colour: bool) -> Iterator[str]:
    severity = finding.severity.value.upper()
    tier = _TIERS.get(finding.tier, finding.tier)
    if colour:
        severity = f"{_COLOUR[finding.severity]}{_BOLD}{severity}{_PLAIN}"
    yield f"{finding.rank:3d} {severity}  {finding.code}  {tier}, score {finding.score:.2f}"
    room = max(20, columns - len(_INDENT))
    for line in wrap(finding.summary, room):
        yield _INDENT + (f"{_BOLD}{line}{_PLAIN}" if colour else line)
    for passage in finding.passages:
        yield _INDENT + _place(passage, names)
        yield from (_INDENT + "  " + line for line in _quote(passage, room - 2))
    for line in wrap(finding.settle, room) if finding.settle else ():
        yield _INDENT + line


def _place(passage: Passage, names: dict[str, str]) -> str:
    name = names.get(passage.document, "")
    parts = [name, passage.clause, f"page {passage.page + 1}"]
    return printable(", ".join(part for part in parts if part)) + ":"


def _quote(passage: Passage, columns: int) -> list[str]:
    """The passage on at most two lines, with its first clashing value in sight."""
    around = None
    if passage.anchors:
        first = passage.anchors[0]
        around = (max(0, first.start - passage.start), max(0, first.end - passage.start))
    return wrap(f"“{shorten(passage.text, 2 * columns - 12, around)}”", columns)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
