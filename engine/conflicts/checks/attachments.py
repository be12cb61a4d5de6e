"""reference.attachment: an exhibit or schedule that a series of attachments lacks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.anchors.chinese_numerals import chinese_value
from engine.anchors.model import Anchor, AnchorKind
from engine.conflicts.checks.evidence import Evidence, make
from engine.conflicts.checks.references import speaks_of_another
from engine.conflicts.checks.sentences import phrase, say
from engine.document import Document
from engine.protocol.findings import Finding, Severity

_ATTACHED = re.compile(
    r"(?:^|\n)[ \t*#\"“]{0,80}(?P<word>schedule|exhibit|annex(?:ure)?|appendix|attachment|addendum|附件|附录"
    r"|附表)[ \t]{0,4}(?:no\.?[ ]?)?[\"“]?(?P<number>[A-Z]{1,2}|\d{1,2}|[IVX]{1,5}"
    r"|[一二三四五六七八九十]{1,3})(?:[-.]\d{1,2})?(?![a-z\d])",
    re.IGNORECASE,
)


def attachments(document: Document) -> dict[str, set[str]]:
    """The attachments that stand in the document: kind to numbers, from lines that begin with them."""
    found: dict[str, set[str]] = {}
    for match in _ATTACHED.finditer(document.text):
        found.setdefault(_kind(match["word"]), set()).add(_attachment_number(match["number"]))
    return found


def _kind(word: str) -> str:
    word = word.lower()
    return "annex" if word.startswith("annex") else "attachment" if word[0] > "\x7f" else word


def _attachment_number(text: str) -> str:
    if text and text[0] > "\x7f":
        value = chinese_value(text)
        return str(int(value)) if value is not None else text
    return text.upper()


#: A reference that says itself that what it names is part of this file.
_SAID_ATTACHED = re.compile(
    r"[^.;]{0,60}\b(?:attached|annexed|appended)\b|[^.;]{0,40}\b(?:hereto|to this agreement)\b", re.IGNORECASE
)
_LISTED = re.compile(r"(?:附件|附录|附表)(?:包括|如下|为|有|清单|目录)|(?:后附|所附)|attached", re.IGNORECASE)


def _said_attached(evidence: Evidence, anchor: Anchor) -> bool:
    """Whether the sentence says that it is attached: "Exhibit B attached hereto", 本合同附件包括附件二."""
    low, high = evidence.sentence_span(anchor.start, anchor.end)
    before = evidence.text[max(low, anchor.start - 80) : anchor.start]
    return bool(_SAID_ATTACHED.match(evidence.text[anchor.end : high]) or _LISTED.search(before))


def _follows_body(evidence: Evidence, kind: str) -> bool:
    """Whether the attachments of a kind stand behind clauses: one at the front would be the file itself."""
    clauses = evidence.document.clauses
    first = next((m.start() for m in _ATTACHED.finditer(evidence.text) if _kind(m["word"]) == kind), 0)
    return sum(clause.start < first for clause in clauses[:8]) >= 2


def check_attachments(evidence: Evidence) -> Iterator[Finding]:
    """reference.attachment: "Exhibit D" where the document brings Exhibits A to C."""
    present = attachments(evidence.document)
    missing: dict[tuple[str, str], list[Anchor]] = {}
    for anchor in evidence.of_kind(AnchorKind.REFERENCE):
        if anchor.detail.get("form") != "attachment":
            continue
        kind, number = (
            anchor.value.partition(":")[0],
            anchor.detail["number"].partition("(")[0].partition("-")[0].upper(),
        )
        # "Exhibit 2.2" is numbered by the section that speaks of it; such series have holes by design.
        if "." in number:
            continue
        here = present.get(kind, set())
        # One attachment alone may be the file itself; with two there is a series that can lack one. With none nobody
        # can tell whether they come in files of their own.
        series = len(here) >= 2 or (
            len(here) == 1 and _follows_body(evidence, kind) and _said_attached(evidence, anchor)
        )
        if (
            series
            and number
            and number not in here
            and _same_series(number, here)
            and not speaks_of_another(evidence, anchor)
        ):
            missing.setdefault((kind, number), []).append(anchor)
    of_kind: dict[str, list[tuple[str, list[Anchor]]]] = {}
    for (kind, number), anchors in missing.items():
        of_kind.setdefault(kind, []).append((number, anchors))
    for kind, found in of_kind.items():
        yield _missing(evidence, kind, found, sorted(present[kind]))


def _missing(evidence: Evidence, kind: str, found: list[tuple[str, list[Anchor]]], present: list[str]) -> Finding:
    """One finding for all attachments of a kind that a document lacks: a passage for each, with its other places."""
    first = found[0][1][0]
    chinese = evidence.chinese(first.start)
    named = [_named(evidence, anchors[0], kind, number) for number, anchors in found]
    comma = phrase("list", chinese)
    also: dict[int, list[tuple[int, int]]] = {}
    at: dict[tuple[int, int], list[Anchor]] = {}
    for _, (one, *others) in found:
        at.setdefault(evidence.sentence_span(one.start, one.end), []).append(one)
        also[one.start] = [(other.start, other.end) for other in others]
    return make(
        "reference.attachment",
        0.7,
        Severity.MEDIUM,
        say(
            "reference.attachment" if len(found) == 1 else "reference.attachment/several",
            chinese,
            place=evidence.place(first.start),
            name=comma.join(name for _, name in named),
            present=f"{named[0][0]}{comma.join(present)}",
            count=len(found),
        ),
        [
            evidence.passage(own[0].start, own[-1].end, own, [place for one in own for place in also[one.start]])
            for own in at.values()
        ],
    )


def _named(evidence: Evidence, anchor: Anchor, kind: str, number: str) -> tuple[str, str]:
    """The word for the attachment and its whole name, the Chinese one as the text has it."""
    word = anchor.detail.get("word", "")
    if not evidence.chinese(anchor.start) or word.isascii():
        return f"{kind.title()} ", f"{kind.title()} {number}"
    written = evidence.text[anchor.start : anchor.end]
    return word, written[written.find(word) :]


def _same_series(number: str, present: set[str]) -> bool:
    return all(n.isdigit() == number.isdigit() and len(n) <= 2 for n in present) and len(number) <= 2
