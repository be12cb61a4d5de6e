"""party.name: a party's name that is spelt in two ways, or carries two legal forms."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.anchors.model import Anchor, AnchorKind
from engine.anchors.parties import company_names
from engine.conflicts.checks.evidence import Evidence, make, quoted
from engine.conflicts.checks.sentences import phrase, say
from engine.document import ClauseKind
from engine.protocol.findings import Finding, Severity

_FORMS = {
    "incorporated": "inc", "inc": "inc", "corporation": "corp", "corp": "corp", "company": "co", "co": "co",
    "limited": "ltd",     "ltd": "ltd", "llc": "llc",
    "lp": "lp", "llp": "llp", "plc": "plc", "gmbh": "gmbh", "ag": "ag", "sa": "sa", "nv": "nv", "bv": "bv", "na": "na",
}  # fmt: skip
_WORD = re.compile(r"[a-z0-9\u4e00-\u9fff]+")
#: Names shorter than this differ by chance.
SHORTEST = 8


def _parts(name: str) -> tuple[str, str]:
    """The name's core in lower case without signs, and its legal form."""
    plain = re.sub(
        r"(?<=\b[a-z])\.(?=[a-z]\b|\s|$)",
        "",
        name.lower().replace("l.l.c", "llc").replace("l.p", "lp").replace("n.a", "na"),
    )
    words = _WORD.findall(plain)
    forms = []
    while words and words[-1] in _FORMS:
        forms.append(_FORMS[words.pop()])
    if words and words[0] == "the":
        words = words[1:]
    return " ".join(words), "+".join(reversed(forms))


def edit_distance(a: str, b: str, limit: int = 3) -> int:
    """Levenshtein's distance, or ``limit`` when it is that or more."""
    if abs(len(a) - len(b)) >= limit:
        return limit
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        previous, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (x != y))
        if min(row) >= limit:
            return limit
    return min(row[-1], limit)


_ANOTHER = re.compile(
    r"affiliate|subsidiar|parent|predecessor|formerly|successor|,? an? [A-Z]|[(][“\"]|关联|子公司|前身", re.IGNORECASE
)


def _misspelt(core: str, known: str) -> bool:
    """Whether two names differ by one letter inside one word of five letters or more."""
    first, second = core.replace("'s", "").split(), known.replace("'s", "").split()
    if len(first) != len(second):
        return False
    odd = [(a, b) for a, b in zip(first, second, strict=True) if a != b]
    if len(odd) != 1:
        return False
    a, b = odd[0]
    plain = any(c.isdigit() for c in a + b)
    return min(len(a), len(b)) >= 5 and a[0] == b[0] and not plain and edit_distance(a, b) == 1


def _other_form(form: str, known: str) -> bool:
    return bool(form and known and "+" not in form + known and form != known)


def _signing(evidence: Evidence) -> list[tuple[int, int]]:
    """The spans in which the parties sign."""
    return [(c.start, c.end) for c in evidence.document.clauses if c.kind is ClauseKind.SIGNATURE]


def _signs_as_another(
    evidence: Evidence,
    signing: list[tuple[int, int]],
    start: int,
    core: str,
    form: str,
    known: str,
    parties: set[tuple[str, str]],
) -> bool:
    """Whether a name among the signatures is a party's but for one word, and that party signs nowhere by its own name.

    The first word and the legal form must be the same, and no other party be meant.
    """
    known_core, known_form = _parts(known)
    if not form or form != known_form or not any(a <= start < b for a, b in signing):
        return False
    # A heading such as "For the Supplier" may stand in front of the name.
    words, other = core.split()[-len(known_core.split()) :], known_core.split()
    if len(words) != len(other) or len(words) < 2 or words[0] != other[0] or len(other[0]) < 4:
        return False
    if sum(a != b for a, b in zip(words, other, strict=True)) != 1 or (" ".join(words), form) in parties:
        return False
    signed = " ".join(_WORD.findall(" ".join(evidence.text[a:b] for a, b in signing).lower()))
    return known_core not in signed


def check_party_names(evidence: Evidence) -> Iterator[Finding]:
    """party.name for each party whose name stands in a second form that is no party's own."""
    introduced: dict[str, Anchor] = {}
    for anchor in evidence.of_kind(AnchorKind.PARTY):
        name = anchor.detail.get("name", "")
        if anchor.role == "definition" and name:
            introduced.setdefault(name, anchor)
    cores = {_parts(name)[0] for name in introduced}
    whole = {_parts(name) for name in introduced}
    told: set[str] = set()
    signing = _signing(evidence)
    for start, end, name in company_names(evidence.text):
        core, form = _parts(name)
        if (core, form) in whole:
            continue
        for known, anchor in introduced.items():
            known_core, known_form = _parts(known)
            if known in told or len(known_core) < SHORTEST or (core in cores and core != known_core):
                continue
            spelt = _misspelt(core, known_core)
            worded = _signs_as_another(evidence, signing, start, core, form, known, whole)
            formed = (
                core == known_core
                and _other_form(form, known_form)
                and not _ANOTHER.search(evidence.text, start - 90, end + 60)
            )
            if not (spelt or formed or worded):
                continue
            told.add(known)
            # What stands in front of a name among the signatures ("For the Supplier") is no part of it.
            skipped = max(0, evidence.text[start:end].lower().rfind(known_core.split()[0])) if worded else 0
            at_name, written = start + skipped, name[-(end - start - skipped) :]
            at = evidence.text.find(known, max(0, anchor.start - 400))
            introduction = (at, at + len(known)) if 0 <= at <= anchor.end else (anchor.start, anchor.end)
            yield make(
                "party.name",
                0.6 if formed else 0.75,
                Severity.MEDIUM,
                say(
                    "party.name",
                    evidence.chinese(at_name),
                    known=quoted(known),
                    name=quoted(written),
                    where=evidence.where(at_name),
                    how=phrase("how.letter" if spelt or formed else "how.word", evidence.chinese(at_name)),
                ),
                [evidence.passage(*introduction, [anchor]), evidence.passage(at_name, end)],
            )
