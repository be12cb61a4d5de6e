"""A tiny reader for the checks' tests: one clause a line, its number at the front; sentences by full stops."""

from __future__ import annotations

import re

from engine.anchors.chinese_numerals import chinese_value
from engine.anchors.roles import windows_of
from engine.document import CharacterBoxes, Clause, ClauseKind, Document, Media, Page, Sentence

_LABEL = re.compile(
    r"(?P<label>(?:Section |Article |ARTICLE |SECTION )?(?P<number>\d+(?:\.\d+)*)\.?"
    r"|第(?P<zh>[一二三四五六七八九十百\d]+)条|\((?P<item>[a-z])\))[ \u3000]+"
    r"(?:(?P<heading>[A-Z\u4e00-\u9fff][\w \u4e00-\u9fff’'-]{1,60})(?:[.。]|$))?"
)
_SCHEDULE = re.compile(r"(?:Exhibit|Schedule|附件) ?\S+$")


def _clause(line: str, at: int, count: int) -> Clause | None:
    if _SCHEDULE.match(line):
        return Clause(
            f"c{count}", line, (), line, line, 0, ClauseKind.SCHEDULE, at, at + len(line), at + len(line), "", 0, "en"
        )
    match = _LABEL.match(line)
    if not match:
        return None
    if match["number"]:
        path: tuple[int | str, ...] = tuple(int(part) for part in match["number"].split("."))
    elif match["zh"]:
        path = (int(chinese_value(match["zh"]) or 0),)
    else:
        path = (match["item"],)
    number = match["number"] or match["label"].strip()
    kind = ClauseKind.ITEM if match["item"] else ClauseKind.ARTICLE if len(path) == 1 else ClauseKind.CLAUSE
    heading, language = (match["heading"] or "").strip(), "zh" if match["zh"] else "en"
    return Clause(
        f"c{count}", number, path, match["label"].strip(), heading, len(path) - 1, kind,
        at, at + len(line), at + match.end(), "", 0, language,
    )  # fmt: skip


def _nested(flat: list[Clause], length: int) -> tuple[Clause, ...]:
    """Parents and ends: a clause reaches to the next one that is not deeper."""
    import msgspec

    out: list[Clause] = []
    for i, clause in enumerate(flat):
        parent = ""
        path = clause.path
        for other in reversed(out):
            if clause.kind is ClauseKind.ITEM and other.kind is not ClauseKind.ITEM:
                parent, path = other.id, (*other.path, *clause.path)
                break
            if other.path and len(other.path) < len(clause.path) and clause.path[: len(other.path)] == other.path:
                parent = other.id
                break
        depth = len(path)
        end = next(
            (
                n.start
                for n in flat[i + 1 :]
                if n.kind is ClauseKind.SCHEDULE or (n.kind is not ClauseKind.ITEM and len(n.path) <= depth)
            ),
            length,
        )
        if clause.kind is ClauseKind.ITEM:
            end = next((n.start for n in flat[i + 1 :]), length)
        out.append(msgspec.structs.replace(clause, parent=parent, path=path, end=end, level=max(0, depth - 1)))
    return tuple(out)


def document_of(text: str, name: str = "contract.txt", identity: str = "sha256:00") -> Document:
    """``text`` as a Document of one page."""
    flat: list[Clause] = []
    sentences: list[Sentence] = []
    at = 0
    for line in text.split("\n"):
        clause = _clause(line, at, len(flat))
        if clause is not None:
            flat.append(clause)
        begin = clause.body_start if clause is not None and clause.body_start < at + len(line) else at
        owner = flat[-1].id if flat else ""
        for window in windows_of(text[begin : at + len(line)]):
            words = text[begin + window.start : begin + window.end]
            if words.strip():
                start = begin + window.start + len(words) - len(words.lstrip())
                sentences.append(Sentence(start, begin + window.end, owner))
        at += len(line) + 1
    page = Page(0, 595.0, 842.0, 0, len(text))
    language = "zh" if len(re.findall("[\u4e00-\u9fff]", text)) > len(re.findall("[A-Za-z]", text)) / 4 else "en"
    return Document(
        identity, name, Media.TEXT, language, text, (page,), _nested(flat, len(text)), tuple(sentences), (), (),
        CharacterBoxes.empty(),
    )  # fmt: skip


def codes_of(text: str, name: str = "contract.txt") -> list[str]:
    """The codes of the findings on a text, in order."""
    return [finding.code for finding in findings_of(text, name)]


def findings_of(text: str, name: str = "contract.txt"):
    """The findings on a text."""
    from engine.anchors.extract import extract_anchors
    from engine.conflicts.checks import run_checks

    document = document_of(text, name)
    return run_checks(document, extract_anchors(document))
