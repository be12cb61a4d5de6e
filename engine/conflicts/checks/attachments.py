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
        word = match["word"].lower()
        kind = "annex" if word.startswith("annex") else "attachment" if word[0] > "\x7f" else word
        found.setdefault(kind, set()).add(_attachment_number(match["number"]))
    return found


def _attachment_number(text: str) -> str:
    if text and text[0] > "\x7f":
        value = chinese_value(text)
        return str(int(value)) if value is not None else text
    return text.upper()


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
        # One attachment alone may be the file itself; with two there is a series that can lack one.
        if (
            len(here) >= 2
            and number
            and number not in here
            and _same_series(number, here)
            and not speaks_of_another(evidence, anchor)
        ):
            missing.setdefault((kind, number), []).append(anchor)
    for (kind, number), anchors in missing.items():
        first = anchors[0]
        chinese = evidence.chinese(first.start)
        word, name = _named(evidence, first, kind, number)
        shown = phrase("list", chinese).join(sorted(present[kind]))
        yield make(
            "reference.attachment",
            0.7,
            Severity.MEDIUM,
            say(
                "reference.attachment",
                chinese,
                place=evidence.place(first.start),
                name=name,
                present=f"{word}{shown}",
            ),
            [evidence.passage(first.start, first.end, [first], [(a.start, a.end) for a in anchors[1:]])],
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
