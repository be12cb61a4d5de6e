"""A review on the terminal: the findings by rank, each with its sentence and its passages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from engine.command.columns import printable, shorten, wrap
from engine.document import Document
from engine.protocol.findings import Finding, Passage, Severity
from engine.protocol.showing import is_likely

_INDENT = "    "
_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"
_COLOUR = {Severity.HIGH: "\x1b[31m", Severity.MEDIUM: "\x1b[33m", Severity.LOW: "\x1b[36m"}


class English:
    """The summary's own words; the findings' sentences are in their documents' language already."""

    severities: ClassVar = {Severity.HIGH: "HIGH", Severity.MEDIUM: "MEDIUM", Severity.LOW: "LOW"}
    tiers: ClassVar = {"conflict": "conflict", "possible": "possible conflict", "check": "please check"}
    languages: ClassVar = {"en": "English", "zh": "Chinese", "und": "language unknown"}
    comma, colon = ", ", ":"

    def document(self, name: str, pages: int, characters: int, clauses: int, language: str) -> str:
        """What was read."""
        size = f"{self._count(pages, 'page')}, {self._count(characters, 'character')}"
        return f"{name}: {size}, {self._count(clauses, 'numbered clause')}, {language}"

    def total(self, findings: int, seconds: float) -> str:
        """How many findings."""
        return f"{self._count(findings, 'finding') if findings else 'No findings'} in {seconds:.1f} s"

    def score(self, score: float) -> str:
        """How sure."""
        return f"score {score:.2f}"

    def page(self, page: int) -> str:
        """Which page, from 1."""
        return f"page {page}"

    def rest(self, findings: int) -> str:
        """What is not shown."""
        return f"{self._count(findings, 'finding')} more; --top 0 shows all, --json writes all."

    def weaker(self, findings: int) -> str:
        """What is too weak to be shown unasked."""
        return f"{self._count(findings, 'weaker one')} not shown; --all shows all, --json writes all."

    @staticmethod
    def _count(number: int, noun: str) -> str:
        return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


class Chinese(English):
    """The same in Chinese, for documents that are all Chinese."""

    severities: ClassVar = {Severity.HIGH: "高", Severity.MEDIUM: "中", Severity.LOW: "低"}
    tiers: ClassVar = {"conflict": "冲突", "possible": "可能冲突", "check": "请核对"}
    languages: ClassVar = {"en": "英文", "zh": "中文", "und": "语言不明"}
    comma, colon = "，", "："

    def document(self, name: str, pages: int, characters: int, clauses: int, language: str) -> str:
        """What was read."""
        return f"{name}：{pages:,} 页，{characters:,} 字，{clauses:,} 个编号条款，{language}"

    def total(self, findings: int, seconds: float) -> str:
        """How many findings."""
        return f"{f'发现 {findings:,} 处' if findings else '未发现问题'}，用时 {seconds:.1f} 秒"

    def score(self, score: float) -> str:
        """How sure."""
        return f"得分 {score:.2f}"

    def page(self, page: int) -> str:
        """Which page, from 1."""
        return f"第 {page} 页"

    def rest(self, findings: int) -> str:
        """What is not shown."""
        return f"另有 {findings:,} 处；--top 0 显示全部，--json 写出全部。"

    def weaker(self, findings: int) -> str:
        """What is too weak to be shown unasked."""
        return f"另有 {findings:,} 处较弱，未显示；--all 显示全部，--json 写出全部。"


def summary_lines(
    documents: Sequence[Document],
    findings: Sequence[Finding],
    seconds: float,
    *,
    columns: int,
    colour: bool,
    most: int,
    weak_too: bool = False,
) -> Iterator[str]:
    """The lines to print: the documents, at most ``most`` findings (0: all), what was left out.

    Without ``weak_too`` only findings that are likely are printed, and the others counted.
    """
    words = Chinese() if all(document.language == "zh" for document in documents) else English()
    for document in documents:
        language = words.languages.get(document.language, document.language)
        numbered = sum(bool(clause.number) for clause in document.clauses)
        name = printable(document.name)
        yield words.document(name, len(document.pages), len(document.text), numbered, language)
        for notice in document.notices:
            yield from (_INDENT + line for line in wrap(notice.text, columns - len(_INDENT)))
    ranked = sorted((each for each in findings if weak_too or is_likely(each)), key=lambda finding: finding.rank)
    yield words.total(len(ranked), seconds)
    names = {document.id: document.name for document in documents} if len(documents) > 1 else {}
    shown = ranked[:most] if most else ranked
    for finding in shown:
        yield ""
        yield from _finding_lines(finding, names, words, columns, colour)
    if len(shown) < len(findings):
        yield ""
    if len(shown) < len(ranked):
        yield words.rest(len(ranked) - len(shown))
    if len(ranked) < len(findings):
        yield words.weaker(len(findings) - len(ranked))


def _finding_lines(
    finding: Finding, names: dict[str, str], words: English, columns: int, colour: bool
) -> Iterator[str]:
    severity = words.severities[finding.severity]
    if colour:
        severity = f"{_COLOUR[finding.severity]}{_BOLD}{severity}{_PLAIN}"
    tier = words.tiers.get(finding.tier, finding.tier)
    yield f"{finding.rank:3d} {severity}  {finding.code}  {tier}{words.comma}{words.score(finding.score)}"
    room = max(20, columns - len(_INDENT))
    for line in wrap(finding.summary, room):
        yield _INDENT + (f"{_BOLD}{line}{_PLAIN}" if colour else line)
    for passage in finding.passages:
        place = (names.get(passage.document, ""), passage.clause, words.page(passage.page + 1))
        yield _INDENT + printable(words.comma.join(part for part in place if part)) + words.colon
        yield from (_INDENT + "  " + line for line in _quote(passage, room - 2))
    for line in wrap(finding.settle, room) if finding.settle else ():
        yield _INDENT + line


def _quote(passage: Passage, columns: int) -> list[str]:
    """The passage on at most two lines, with its first clashing value in sight."""
    around = None
    if passage.anchors:
        first = passage.anchors[0]
        around = (max(0, first.start - passage.start), max(0, first.end - passage.start))
    return wrap(f"“{shorten(passage.text, 2 * columns - 12, around)}”", columns)
