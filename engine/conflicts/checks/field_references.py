"""What Word's own cross-references say of themselves: a place that is gone, an error that was printed, an old number.

A field knows where it leads, so what it says counts before what the number beside it may mean.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator

from engine.conflicts.checks.evidence import Evidence, make, named, quoted
from engine.conflicts.checks.numbering import clause_path, path_of_label
from engine.conflicts.checks.said import CONFLICT, DIFFERENT, SAME, Said
from engine.document import Clause, CrossReference, CrossReferenceKind
from engine.protocol.findings import Finding, Severity

#: What Word and LibreOffice print in place of a reference that leads nowhere.
_PRINTED = re.compile(
    r"Error[!:]\s{0,2}(?:Reference\s+source\s+not\s+found|Bookmark\s+not\s+defined)\.?"
    r"|错误[!！:：]\s?(?:未找到引用源|引用源未找到|未定义书签|书签未定义)[。.]?"
    r"|錯誤[!！:：]\s?(?:找不到參照來源|尚未定義書籤)[。.]?",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?:[A-Za-z]+\.?\s+)?(?P<number>\d[\d.]*(?:\([a-z0-9]{1,4}\))*)\.?")
_WORDINGS = {
    "printed": (
        Said(
            "{place} has “{words}” where a cross-reference should stand.",
            (
                (SAME, "Word prints this for a cross-reference whose target it no longer finds."),
                (CONFLICT, "What the text referred to cannot be read from the document."),
            ),
            "Put the reference in again; an earlier version of the document may still show it.",
        ),
        Said(
            "{place}应为交叉引用之处显示“{words}”。",
            ((SAME, "Word 找不到交叉引用的目标时显示此文字。"), (CONFLICT, "从文件中无法得知原来引用的内容。")),
            "重新插入引用；较早的版本中可能仍有原文。",
        ),
    ),
    "gone": (
        Said(
            "{place} refers to “{words}” by a field whose target is no longer in the document.",
            (
                (SAME, "“{words}” is a cross-reference field of Word."),
                (CONFLICT, "The place it leads to was deleted; on the next update Word prints an error there."),
            ),
            "Name the clause that is meant and put the reference in again.",
        ),
        Said(
            "{place}中的“{words}”是交叉引用域，但其目标已不在文件中。",
            ((SAME, "“{words}”是 Word 的交叉引用域。"), (CONFLICT, "其目标已被删除；下次更新域时 Word 将显示错误。")),
            "确认所指的条款，重新插入引用。",
        ),
    ),
    "stale": (
        Said(
            "{place} shows “{words}”, but its cross-reference leads to {target}.",
            (
                (SAME, "“{words}” is a cross-reference field of Word."),
                (DIFFERENT, "The field leads to {target}; the number shown is an older one."),
                (CONFLICT, "The number and the place it stands for are not the same clause."),
            ),
            "Update the fields (in Word: select all, then F9) and read the reference again.",
        ),
        Said(
            "{place}显示“{words}”，但该交叉引用指向{target}。",
            (
                (SAME, "“{words}”是 Word 的交叉引用域。"),
                (DIFFERENT, "该域指向{target}，所显示的编号未更新。"),
                (CONFLICT, "所显示的编号与所指的条款不一致。"),
            ),
            "更新域（在 Word 中全选后按 F9），再核对该引用。",
        ),
    ),
}


def fields_of(evidence: Evidence) -> list[CrossReference]:
    """The document's reference fields, in order."""
    return [each for each in evidence.document.cross_references if each.kind is CrossReferenceKind.FIELD]


def field_at(fields: list[CrossReference], start: int, end: int) -> CrossReference | None:
    """The field whose words overlap ``[start, end)``, None without one."""
    at = bisect.bisect_right([field.start for field in fields], end - 1) - 1
    return fields[at] if at >= 0 and fields[at].end > start else None


def check_fields(evidence: Evidence, *, amends: bool) -> Iterator[Finding]:
    """reference.dangling for fields that lead nowhere, reference.misdirected for those that show an old number.

    ``amends``: the document speaks mostly of another one's clauses; its fields may have come from there.
    """
    printed: dict[str, list[tuple[int, int]]] = {}
    for match in _PRINTED.finditer(evidence.text):
        printed.setdefault(" ".join(match[0].split()).rstrip(".。").lower(), []).append(match.span())
    for spans in printed.values():
        yield _finding(evidence, "printed", spans, 0.95)
    gone: dict[str, list[tuple[int, int]]] = {}
    for field in fields_of(evidence):
        words = evidence.text[field.start : field.end]
        if _PRINTED.search(words) or not words.strip():
            continue
        if field.target < 0:
            if not amends:
                gone.setdefault(words.strip(), []).append((field.start, field.end))
            continue
        target = evidence.document.clause_by_id.get(field.clause)
        if target is not None and _is_stale(words, target):
            yield _finding(evidence, "stale", [(field.start, field.end)], 0.7, target)
    for spans in gone.values():
        yield _finding(evidence, "gone", spans, 0.85)


def _finding(
    evidence: Evidence, kind: str, spans: list[tuple[int, int]], score: float, target: Clause | None = None
) -> Finding:
    start, end = spans[0]
    chinese = evidence.chinese(start)
    said = _WORDINGS[kind][chinese]
    parts = {
        "place": evidence.place(start),
        "words": quoted(evidence.text[start:end], 40),
        "target": named(target, chinese) if target is not None else "",
    }
    filled = Said(
        said.summary.format(**parts),
        tuple((state, because.format(**parts)) for state, because in said.path),
        said.settle.format(**parts),
    )
    passages = [evidence.passage(start, end, also=spans[1:])]
    if target is not None:
        passages.append(evidence.passage(target.start, target.start + 1))
    code = "reference.misdirected" if kind == "stale" else "reference.dangling"
    return make(code, score, Severity.MEDIUM, filled, passages)


def _is_stale(words: str, target: Clause) -> bool:
    """Whether a field shows the number of another clause than it leads to.

    Only whole numbers are judged: "(a)" may be short for 5.2(a), and the field of a heading shows its words.
    """
    match = _NUMBER.fullmatch(words.strip())
    path = clause_path(target)
    if match is None or not path or not path[0].isdigit():
        return False
    numeric, items = path_of_label(match["number"].rstrip("."))
    shown = numeric + items
    depth = min(len(shown), len(path))
    # A bookmark may stand in an item of the clause that is cited, or the citation name an item without its own node.
    return bool(shown) and shown[:depth] != path[:depth] and path[-len(shown) :] != shown
