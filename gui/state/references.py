"""Where "Section 4.2" or 第十二条 under the pointer leads. By numbers alone: enough to go there, not to judge."""

from __future__ import annotations

import re

from engine.document import Clause, Document

#: How far around a place a reference may reach, in code points.
_REACH = 60
_NUMERAL = r"[0-9０-９一二三四五六七八九十百零〇]+(?:[.．][0-9０-９]+)*"
_REFERENCE = re.compile(
    r"(?:Sections?|Clauses?|Articles?|Paragraphs?|§)\s*(?P<latin>[0-9]+(?:\.[0-9]+)*(?:\s?\([a-z0-9]+\))*|[IVXLC]+\b)"
    rf"|第\s*(?P<chinese>{_NUMERAL})\s*[条款項项](?P<item>[（(][一二三四五六七八九十0-9]+[）)])?"
    r"|(?P<attachment>(?:Schedule|Exhibit|Annex|Appendix)\s+[A-Z0-9]+|附件[一二三四五六七八九十0-9]+)",
    re.IGNORECASE,
)
_FULL_WIDTH = str.maketrans("０１２３４５６７８９．（）", "0123456789.()")


def _plain(number: str) -> str:
    """A number without its word and its spaces: ``Section 9.1 (a)`` → ``9.1(a)``, ``第三条`` → ``三``."""
    text = number.translate(_FULL_WIDTH).casefold()
    text = re.sub(r"section|clause|article|paragraph|§|第|[条款项項]|\s", "", text)
    return text.rstrip(".、")


def reference_at(document: Document, offset: int) -> tuple[str, Clause] | None:
    """The words of the reference at a place and the clause that it names; None when there is none.

    A reference inside the very clause that it names (its own number) leads nowhere.
    """
    start = max(0, offset - _REACH)
    for match in _REFERENCE.finditer(document.text, start, min(len(document.text), offset + _REACH)):
        if match.start() <= offset < match.end():
            target = _target(document, match)
            if target is not None and not target.start <= offset < target.body_start:
                return match.group(), target
    return None


#: A pop-up shows this much of a clause, in code points: some ten lines.
MOST_SHOWN = 600


def clause_words(document: Document, clause: Clause) -> tuple[str, list[str]]:
    """A clause for a pop-up: its number and heading, and its paragraphs without them, cut after some ten lines."""
    title = " ".join(part for part in (clause.number or clause.label, clause.heading) if part)
    text = document.text[clause.body_start : clause.end].strip()
    if len(text) > MOST_SHOWN:
        text = text[:MOST_SHOWN].rstrip() + " …"
    return title, [line for line in (" ".join(each.split()) for each in text.split("\n")) if line]


def _target(document: Document, match: re.Match[str]) -> Clause | None:
    wanted = _plain(match.group("attachment") or match.group("latin") or match.group("chinese") or "")
    if match.group("item"):
        wanted += _plain(match.group("item"))
    for clause in document.clauses:
        if clause.number and _plain(clause.number) == wanted:
            return clause
    return next((clause for clause in document.clauses if clause.label and _plain(clause.label) == wanted), None)
