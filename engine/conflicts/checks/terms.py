"""term.*: a term defined twice and differently, said to be defined where it is not, never used, or written two ways."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from engine.anchors.model import Anchor, AnchorKind
from engine.conflicts.checks.evidence import STRUCK_OUT, Evidence, make, named, quoted
from engine.conflicts.checks.numbering import NumberIndex, path_of_label
from engine.conflicts.checks.references import is_amendment
from engine.conflicts.checks.sentences import say
from engine.protocol.findings import Finding, Severity

_SECOND_NAME = re.compile(r"[”\"’]?[ ]{1,2}(?:or|and)[ ]{1,2}[“\"‘]")
_POINTS = re.compile(
    r"(?:ha(?:s|ve)|shall have|having) the (?:respective |same )?meanings?|is defined|are defined|as defined"
    r"|defined (?:in|above|below)|meaning (?:set forth|given|specified|ascribed|assigned)|见|的含义",
    re.IGNORECASE,
)
_POINTS_AT_ONCE = re.compile(
    r"\W{0,4}(?:(?:shall|will) )?(?:have|has|having|is|are|as) (?:defined|the (?:respective |same )?meanings? (?:set"
    r"|given|specified|ascribed|assigned|stated|provided|attributed))"
    r"|\W{0,3}(?:一词)?的?(?:含义|定义)(?:详?见|载于|规定于)|\W{0,3}具有(?:本合同)?第",
    re.IGNORECASE,
)
_LOCAL = re.compile(
    r"as used in (?:this|the foregoing)|for (?:the )?purposes? of this|in this (?:section|clause|article|paragraph)"
    r"|本[条款项]",
    re.IGNORECASE,
)
#: So many characters after a clause's beginning are searched for a term, even where the tree ends the clause before.
MARGIN = 8000
#: More definitions than this are not looked at one by one for their uses; no contract has them.
MOST_TERMS = 600
_LETTERS = re.compile(r"[^a-z0-9\u4e00-\u9fff]+")


def _definitions(evidence: Evidence) -> list[Anchor]:
    return [a for a in evidence.of_kind(AnchorKind.TERM) if a.role == "definition" and a.detail.get("how") == "means"]


def _body(evidence: Evidence, anchor: Anchor) -> str:
    """What the definition says, from after the term to the end of its sentence."""
    _, high = evidence.sentence_span(anchor.start, anchor.end)
    return evidence.text[anchor.end : high]


def _leads(evidence: Evidence, anchor: Anchor) -> bool:
    """Whether the term stands at the front of its sentence, as in a list of definitions, and is no second name."""
    low, _ = evidence.sentence_span(anchor.start, anchor.end)
    before = evidence.text[low : anchor.start]
    second = before.rstrip(' “"').lower().endswith(("or", "and"))
    return len(before) <= 24 and not second and not _SECOND_NAME.match(evidence.text, anchor.end)


def check_duplicates(evidence: Evidence) -> Iterator[Finding]:
    """term.duplicate: two definitions of one term with different words, neither of them only for its own clause."""
    groups: dict[tuple[str, str], list[Anchor]] = defaultdict(list)
    for anchor in _definitions(evidence):
        body = _body(evidence, anchor)
        if not _leads(evidence, anchor):
            continue
        near = evidence.text[max(0, anchor.start - 120) : anchor.start] + body
        if (
            _POINTS.search(body[:120])
            or anchor.detail.get("scope")
            or _LOCAL.search(near)
            or (len(body.split()) < 4 and body.isascii())
        ):
            continue
        groups[(evidence.attachment_at(anchor.start), anchor.value)].append(anchor)
    for (_, term), anchors in groups.items():
        first = anchors[0]
        number = evidence.place(first.start)
        other = next(
            (
                a
                for a in anchors[1:]
                if evidence.place(a.start) != number
                and _plain(_body(evidence, a))[:400] != _plain(_body(evidence, first))[:400]
            ),
            None,
        )
        if other is None:
            continue
        yield make(
            "term.duplicate",
            0.8,
            Severity.MEDIUM,
            say(
                "term.duplicate",
                evidence.chinese(first.start),
                term=term,
                where=evidence.where(first.start),
                other=evidence.where(other.start),
            ),
            [evidence.passage(first.start, first.end, [first]), evidence.passage(other.start, other.end, [other])],
        )


def _plain(text: str) -> str:
    return _LETTERS.sub(" ", text.lower()).strip()


def check_pointers(evidence: Evidence, index: NumberIndex) -> Iterator[Finding]:
    """term.undefined: "X has the meaning set forth in Section 2.8", where 2.8 does not speak of X."""
    for anchor in _definitions(evidence):
        body = _body(evidence, anchor)
        if not _POINTS_AT_ONCE.match(body):
            continue
        pointers = [
            r for r in evidence.between(anchor.end, anchor.end + min(len(body), 140)) if r.kind is AnchorKind.REFERENCE
        ]
        if len(pointers) != 1 or pointers[0].detail.get("form") != "section":
            continue
        numeric, _ = path_of_label(pointers[0].detail["number"])
        target = index.unique(numeric)
        if target is None or target.start <= anchor.start < target.end:
            continue
        if evidence.attachment_at(target.start) != evidence.attachment_at(anchor.start):
            continue
        # The tree may end a clause too early, so the next clauses of the same number and a margin count too.
        end = target.end if index.complete_around(target) else max(target.end, target.start + MARGIN)
        # What was struck out there may be the definition.
        if STRUCK_OUT.search(evidence.text, target.start, end):
            continue
        spoken = _stems(evidence.text[target.start : end])
        if all(stem in spoken for stem in _stems(anchor.value)):
            continue
        yield make(
            "term.undefined",
            0.85,
            Severity.MEDIUM,
            say(
                "term.undefined",
                evidence.chinese(anchor.start),
                term=anchor.value,
                target=named(target, evidence.chinese(anchor.start)),
            ),
            [
                evidence.passage(anchor.start, anchor.end, [anchor, pointers[0]]),
                evidence.passage(target.start, target.start + 1),
            ],
        )


def _stem(term: str) -> str:
    """The term in lower case down to what its plural and its verb share with it."""
    stem = term.lower().removesuffix("(s)")
    for ending in ("ies", "ing", "es", "s", "y"):
        if stem.endswith(ending) and len(stem) - len(ending) >= 4:
            return stem[: -len(ending)]
    return stem


def _says_something(evidence: Evidence, anchor: Anchor) -> bool:
    """Whether the definition has a body; a form's "means [   ]" has none yet."""
    # A Chinese sign says as much as two letters.
    return sum(2 if c > "\u2e7f" else 1 for c in _body(evidence, anchor) if c.isalnum()) >= 16


def _stems(text: str) -> set[str]:
    """The words of a text without their endings; for Chinese its pairs of signs."""
    words = {_stem(word) for word in re.findall(r"[A-Za-z]{2,}", text)}
    signs = re.findall(r"[\u4e00-\u9fff]+", text)
    return words | {run[i : i + 2] for run in signs for i in range(len(run) - 1)}


def _abbreviated(text: str, term: str) -> bool:
    """Whether the term's initials stand twice or more: "Maximum Daily Quantity or MDQ" is used as MDQ."""
    initials = "".join(word[0] for word in term.split() if word[0].isupper())
    return len(initials) >= 3 and len(re.findall(rf"\b{re.escape(initials)}\b", text)) >= 2


def check_unused(evidence: Evidence) -> Iterator[Finding]:
    """term.unused: a term of the definitions that stands nowhere else, in any case or number."""
    definitions = _definitions(evidence)
    # Where words were struck out, the term may be among them.
    if len(definitions) < 3 or is_amendment(evidence.document) or STRUCK_OUT.search(evidence.text):
        return
    words = " ".join(evidence.text.replace("’", "'").split()).lower()
    for anchor in definitions[:MOST_TERMS]:
        if _POINTS.search(_body(evidence, anchor)[:80]) or not _leads(evidence, anchor):
            continue
        stem = _stem(anchor.value)
        if (
            (len(stem) < 3 and stem.isascii())
            or words.count(stem) > 1
            or "/" in anchor.value
            or _abbreviated(evidence.text, anchor.value)
            or not _says_something(evidence, anchor)
        ):
            continue
        yield make(
            "term.unused",
            0.6,
            Severity.LOW,
            say("term.unused", evidence.chinese(anchor.start), term=anchor.value, where=evidence.where(anchor.start)),
            [evidence.passage(anchor.start, anchor.end, [anchor])],
        )


def _variants(term: str) -> set[str]:
    """Other spellings of a term that mean the same: 与/和/及, and/&, hyphens."""
    out: set[str] = set()
    for a, b in (
        ("与", "和"),
        ("和", "与"),
        ("与", "及"),
        ("及", "与"),
        ("和", "及"),
        ("及", "和"),
        (" and ", " & "),
        (" & ", " and "),
        ("-", " "),
        ("-", ""),
    ):
        if a in term:
            out.add(term.replace(a, b))
    words = term.split(" ")
    if len(words) > 1 and all(w[:1].isupper() for w in words):
        out.add("-".join(words))
    return out - {term}


def check_drift(evidence: Evidence) -> Iterator[Finding]:
    """term.drift: a defined term that is also written another way."""
    terms = {a.value: a for a in evidence.of_kind(AnchorKind.TERM) if a.role == "definition"}
    for term, anchor in list(terms.items())[:MOST_TERMS]:
        if len(term) < 3:
            continue
        for variant in sorted(_variants(term)):
            if variant in terms or len(variant) < 3:
                continue
            at = _whole(evidence.text, variant)
            if at >= 0:
                yield make(
                    "term.drift",
                    0.65,
                    Severity.LOW,
                    say("term.drift", evidence.chinese(anchor.start), term=quoted(term), variant=quoted(variant)),
                    [evidence.passage(anchor.start, anchor.end, [anchor]), evidence.passage(at, at + len(variant))],
                )
                break


def _whole(text: str, words: str) -> int:
    """The first place where ``words`` stand as words of their own, or -1."""
    at = text.find(words)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(words) : at + len(words) + 1]
        if not words.isascii() or not (before.isalnum() or after.isalnum() or before == "-" or after == "-"):
            return at
        at = text.find(words, at + 1)
    return -1
