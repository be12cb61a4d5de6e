"""reference.*: a cross-reference to nothing, to the wrong subject, to itself by a wrong number, to no attachment."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator

from engine.anchors.model import Anchor, AnchorKind
from engine.anchors.normal import alternatives
from engine.conflicts.checks.evidence import Evidence, make, named, quoted
from engine.conflicts.checks.field_references import check_fields, field_at, fields_of
from engine.conflicts.checks.numbering import NumberIndex, Path, clause_path, path_of_label
from engine.conflicts.checks.sentences import phrase, say
from engine.document import Clause, ClauseKind, Document
from engine.protocol.findings import Finding, Severity

_ELSEWHERE = re.compile(
    r"\b(?:there(?:in|of|to|under)|Act|Code|Regulations?|Rules?|U\.S\.C|C\.F\.R|Statutes?|Treasury|GDPR|Directive"
    r"|Existing|Original|Prior|Revised|Master|Purchase|Credit|Loan|Merger|Security|Underlying"
    r"|RESPA|ERISA|UCC|Uniform Commercial|SCCs|Township|Range"
    r"|Addendum)\b|\bof the [A-Z]{3,6}\b|法(?![定院人律务])|条例|办法"
    r"|规定》|》",
)
_AMENDS = re.compile(
    r"\b(?:amendment|addendum|supplement|side letter|amending|playbook|explainer)\b|补充协议|变更协议|修正",
    re.IGNORECASE,
)
#: How far back (code points) words that name another text are looked for inside a clause.
BACK = 4000
_COMPLETES = re.compile(
    r"\b(?:SCCs|Standard Contractual Clauses|UK Addendum|FIDIC|AIA Document"
    r"|General Conditions)\b[^.]{0,200}\b(?:as follows|following)\b"
    r"|\b(?:is|are|be) (?:hereby )?(?:amended|modified|completed|supplemented|deleted"
    r"|replaced)[^.]{0,60}\b(?:as follows|following|in its entirety)\b"
)
_CHANGES = re.compile(
    r"(?:is|are) hereby (?:amended|deleted|replaced|restated)|(?:amended and restated|replaced|deleted) in (?:its"
    r"|their) entirety"
    r"|修改为[：:]|变更为[：:]"
)
_WORDS = re.compile(r"[A-Za-z]{2,}|[\u4e00-\u9fff]")
_LITTLE = alternatives("the|a|an|of|and|or|to|for|in|on|by|with|upon|under|from|as|its|this|that")


def own_references(evidence: Evidence) -> list[Anchor]:
    """The references to numbered clauses of the document itself."""
    return [
        a
        for a in evidence.of_kind(AnchorKind.REFERENCE)
        if a.value.startswith("clause:") and a.detail.get("form") in ("section", "item") and "number" in a.detail
    ]


def is_amendment(document: Document) -> bool:
    """Whether the document speaks mostly of another one's clauses."""
    title = next((c for c in document.clauses if c.kind is ClauseKind.TITLE), None)
    opening = (title.heading if title else "") + " " + document.text[:400]
    if _AMENDS.search(opening) or _AMENDS.search(document.name):
        return True
    return len(_CHANGES.findall(document.text)) >= 2


def speaks_of_another(evidence: Evidence, anchor: Anchor) -> bool:
    """Whether another document or a statute stands close to the reference, so that the number may be its."""
    if anchor.detail.get("own") == "yes":
        return False
    low, high = evidence.sentence_span(anchor.start, anchor.end)
    if _inside_another(evidence, anchor) or _listed_with_another(evidence, anchor, high):
        return True
    near = (
        evidence.text[max(low, anchor.start - 60) : anchor.start]
        + " | "
        + evidence.text[anchor.end : min(high, anchor.end + 70)]
    )
    return bool(_ELSEWHERE.search(near))


#: What joins references to one document: "Section 2 through Section 5 of the Supply Agreement".
_JOINED = re.compile(r"\s*(?:,|，|、)?\s*(?:and|or|and/or|through|to|until|-|–|至|到|及|和|或|以及)?\s*", re.IGNORECASE)


def _listed_with_another(evidence: Evidence, anchor: Anchor, high: int) -> bool:
    """Whether the references that follow in one list or range end in one to another document's clause."""
    end = anchor.end
    for other in evidence.between(anchor.end, high):
        if other.kind is not AnchorKind.REFERENCE or other.start < end:
            continue
        joined = _JOINED.fullmatch(evidence.text, end, other.start)
        if joined is None or not joined.group().strip():
            return False
        if other.detail.get("form") in ("other", "external"):
            return True
        end = other.end
    return False


def _inside_another(evidence: Evidence, anchor: Anchor) -> bool:
    """Whether the clause as a whole completes or changes another text: "the EEA SCCs are completed as follows"."""
    clause = evidence.document.clause_at(anchor.start)
    while clause is not None and clause.parent and not (clause.path and clause.level <= 1):
        clause = evidence.document.clause_by_id.get(clause.parent)
    return clause is not None and bool(
        _COMPLETES.search(evidence.text, max(clause.start, anchor.start - BACK), anchor.start)
    )


def _labels(anchor: Anchor) -> list[str]:
    if "to" in anchor.detail:
        return [anchor.detail["from"], anchor.detail["to"]]
    return [anchor.detail["number"]]


def _missing(index: NumberIndex, numeric: Path, chinese: bool) -> tuple[str, float] | None:
    """Why a number is missing and how sure that is, or None when it is there or cannot be told."""
    if index.has(numeric):
        return None
    if len(numeric) > 1:
        return _missing_dotted(index, numeric, chinese)
    if not numeric[0].isdigit() or not index.reliable or len(index.tops) < 5:
        return None
    # Far above the last number it may be another text's; of a run without holes, twice the last is not too far.
    last = index.tops[-1]
    if int(numeric[0]) > (max(2 * last, last + 10) if index.whole else last + 10):
        return None
    return _beyond(index, numeric[0], chinese), 0.8


def _beyond(index: NumberIndex, number: str, chinese: bool) -> str:
    return phrase("absent.number", chinese, first=index.tops[0], last=index.tops[-1], number=number)


def _missing_dotted(index: NumberIndex, numeric: Path, chinese: bool) -> tuple[str, float] | None:
    """The same for 12.4, whose neighbours 12.1, 12.2 tell more than the articles do."""
    siblings = index.siblings(numeric)
    dotted = ".".join(numeric)
    if len(siblings) >= 2 or (siblings == [1] and index.reliable):
        head, last = ".".join(numeric[:-1]), siblings[-1]
        run = phrase("list", chinese).join(f"{head}.{n}" for n in siblings[:3])
        run += f" … {head}.{last}" if len(siblings) > 3 else ""
        return phrase("absent.dotted", chinese, head=head, run=run, number=dotted), 0.9
    if not index.reliable:
        return None
    if not index.has(numeric[:1]):
        near = len(index.tops) >= 5 and int(numeric[0]) <= index.tops[-1] + 10
        return (_beyond(index, dotted, chinese), 0.75) if near else None
    if len(numeric) == 2 and index.unique(numeric[:1]) and _dotted_elsewhere(index) and not siblings:
        return phrase("absent.parts", chinese, head=numeric[0], number=dotted), 0.65
    return None


def _dotted_elsewhere(index: NumberIndex) -> bool:
    return sum(1 for path in index.by_path if len(path) == 2 and path[1].isdigit()) >= 4


def check_dangling(evidence: Evidence, index: NumberIndex) -> Iterator[Finding]:
    """reference.dangling for each number that the document does not have; like references are joined.

    A cross-reference field of the file itself is not guessed at: see :func:`check_fields`.
    """
    amends = is_amendment(evidence.document)
    yield from check_fields(evidence, amends=amends)
    if amends:
        return
    fields = fields_of(evidence)
    foreign = _foreign_words(evidence, index)
    grouped: dict[str, list[tuple[Anchor, str, float]]] = {}
    for anchor in own_references(evidence):
        # "This Section 8.15" is check_self's matter; items and parts are counted things more often than clauses.
        if anchor.detail.get("own") == "yes" or anchor.detail["word"] in ("item", "part") or _bare_paragraph(anchor):
            continue
        if speaks_of_another(evidence, anchor) or _in_contents(evidence, anchor) or foreign(anchor):
            continue
        if field_at(fields, anchor.start, anchor.end) is not None:
            continue
        for label in _labels(anchor):
            numeric, items = path_of_label(label)
            if not numeric:
                continue
            chinese = evidence.chinese(anchor.start)
            missing = _missing(index, numeric, chinese) or _missing_item(evidence, index, numeric, items)
            if missing:
                grouped.setdefault(label, []).append((anchor, *missing))
                break
    for cases in grouped.values():
        first, why, score = cases[0]
        words = _with_kind(quoted(evidence.text[first.start : first.end], 40), first)
        also = [(a.start, a.end) for a, _, _ in cases[1:]]
        yield make(
            "reference.dangling",
            score,
            Severity.MEDIUM,
            say(
                "reference.dangling",
                evidence.chinese(first.start),
                place=evidence.place(first.start),
                words=words,
                why=why,
            ),
            [evidence.passage(first.start, first.end, [first], also)],
        )


def _bare_paragraph(anchor: Anchor) -> bool:
    """第二款 counts the paragraphs of a clause; only 第8.6款 names a clause."""
    return anchor.detail["word"] in ("款", "项") and "." not in anchor.detail["number"]


def _with_kind(words: str, anchor: Anchor) -> str:
    """The reference as written; a later number of a list gets its keyword: "(Section) 6.6"."""
    whole = not words[:1].isdigit() or words[-1:] in "条款项章节"
    return words if whole else f"{anchor.detail['word'].title()} {words}"


def _foreign_words(evidence: Evidence, index: NumberIndex) -> Callable[[Anchor], bool]:
    """Tells references whose keyword this document hardly ever uses for its own clauses.

    A contract that calls its parts sections and says "Clause 13" here and there speaks of another text (a standard, the
    annexed terms of a regulator).
    """
    resolved: Counter[str] = Counter()
    for anchor in own_references(evidence):
        numeric, _ = path_of_label(_labels(anchor)[0])
        if numeric and index.has(numeric):
            resolved[anchor.detail["word"]] += 1
    total = sum(resolved.values())
    return lambda anchor: total >= 8 and resolved[anchor.detail["word"]] < 0.08 * total


def _in_contents(evidence: Evidence, anchor: Anchor) -> bool:
    clause = evidence.document.clause_at(anchor.start)
    return clause is not None and clause.kind is ClauseKind.CONTENTS


def _missing_item(evidence: Evidence, index: NumberIndex, numeric: Path, items: Path) -> tuple[str, float] | None:
    """An item such as (c) that its clause does not have: looked for literally in the clause's whole span."""
    if not items or len(items) > 1 or len(items[0]) > 1 or not items[0].isalpha():
        return None
    clause = index.unique(numeric)
    if clause is None or not index.reliable or not index.complete_around(clause):
        return None
    body = evidence.text[clause.start : clause.end]
    letters = sorted(
        {m.group(1) for m in re.finditer(r"[(]([a-z])[)]|(?:^|\n)[ \t]{0,8}[a-z][.)]", body) if m.group(1)}
    )
    if len(letters) < 3 or letters[0] != "a" or letters[-1] >= items[0]:
        return None
    run = [chr(ord("a") + i) for i in range(len(letters))]
    if letters != run:
        return None
    number = ".".join(numeric)
    chinese = evidence.chinese(clause.start)
    return phrase("absent.item", chinese, head=number, first=letters[0], last=letters[-1], item=items[0]), 0.7


#: With more places than this the contract's numbers and the tree's are two different countings: one finding says so.
MOST_SELF = 3


def check_self(evidence: Evidence, index: NumberIndex) -> Iterator[Finding]:
    """reference.self: "this Section 8.15" inside 8.13; like ones are joined."""
    if is_amendment(evidence.document):
        return
    cases: dict[tuple[str, str], list[Anchor]] = {}
    for anchor in own_references(evidence):
        enclosing = _numbered_clause(evidence, anchor.start) if anchor.detail.get("own") == "yes" else None
        if enclosing is not None and _another_number(evidence, index, anchor, enclosing):
            words = quoted(evidence.text[anchor.start : anchor.end], 40)
            here = named(enclosing, evidence.chinese(anchor.start))
            cases.setdefault((here, words.lower()), []).append(anchor)
    many = len(cases) > MOST_SELF
    for (here, _), anchors in list(cases.items())[: 1 if many else None]:
        first = anchors[0]
        words = quoted(evidence.text[first.start : first.end], 40)
        numeric, _ = path_of_label(first.detail["number"])
        others = [a for group in cases.values() for a in group][1:] if many else anchors[1:]
        yield make(
            "reference.self",
            0.5 if many else 0.8 if index.has(numeric) else 0.9,
            Severity.MEDIUM,
            say(
                "reference.self/many" if many else "reference.self",
                evidence.chinese(first.start),
                here=here,
                words=words,
                count=len(cases),
            ),
            [evidence.passage(first.start, first.end, [first], [(a.start, a.end) for a in others])],
        )


def _another_number(evidence: Evidence, index: NumberIndex, anchor: Anchor, enclosing: Clause) -> bool:
    """Whether "this Section N" cannot mean the clause it stands in, and the tree is to be trusted on that."""
    numeric, _ = path_of_label(anchor.detail["number"])
    path = clause_path(enclosing)
    depth = sum(part.isdigit() for part in path)
    related = path[: len(numeric)] == numeric or numeric[: len(path)] == path
    # Too shallow a clause around it means that the tree lost a heading, not that the contract is wrong.
    if not numeric or related or depth < len(numeric) or not index.reliable:
        return False
    if index.has(numeric) and not index.complete_around(enclosing):
        return False
    return not stands_as_heading(evidence, numeric, max(enclosing.start, anchor.start - 5 * BACK), anchor.start)


def stands_as_heading(evidence: Evidence, numeric: Path, start: int, end: int) -> bool:
    """Whether a dotted number stands between two offsets other than behind a word such as Section.

    A heading that a reading ran into its neighbour's text looks like this; 6.5 may be printed 6.05.
    """
    if len(numeric) < 2:
        plain = re.compile(rf"(?<![\d.$]){re.escape(numeric[0])}\.0?[ \n]{{1,3}}[A-Z]")
        return bool(plain.search(evidence.text, start, end))
    padded = [*numeric[:-1], numeric[-1].zfill(2)]
    pattern = re.compile(rf"(?<![\d.])(?:{re.escape('.'.join(numeric))}|{re.escape('.'.join(padded))})(?!\d|\.\d)")
    for match in pattern.finditer(evidence.text, start, end):
        ahead = evidence.text[max(0, match.start() - 14) : match.start()].lower()
        if not _KEYWORD_AHEAD.search(ahead) or "\n" in ahead:
            return True
    return False


_KEYWORD_AHEAD = re.compile(r"(?:sections?|clauses?|paragraphs?|articles?|and|or|,|§)\s{0,3}$")


def _numbered_clause(evidence: Evidence, offset: int) -> Clause | None:
    """The clause around ``offset`` down to its last purely numeric number."""
    clause = evidence.document.clause_at(offset)
    while clause is not None and not (clause.path and str(clause.path[0]).isdigit()):
        clause = evidence.document.clause_by_id.get(clause.parent)
    return clause


def _title_words(text: str) -> set[str]:
    return {w.lower().rstrip("s") for w in _WORDS.findall(text)} - _LITTLE


def _likeness(a: str, b: str) -> float:
    first, second = _title_words(a), _title_words(b)
    if not first or not second:
        return 0.0
    return len(first & second) / len(first | second)


def _same_line(path: Path, numeric: Path) -> bool:
    """Whether a clause is the cited one (perhaps of an exhibit that numbers likewise) or lies around it."""
    plain = tuple(part for part in path if part.isdigit())
    plain = plain[:1] if plain[1:] == ("0",) else plain
    return not plain or numeric[: len(plain)] == plain or plain[-len(numeric) :] == numeric


def check_misdirected(evidence: Evidence, index: NumberIndex) -> Iterator[Finding]:
    """reference.misdirected: a title in brackets that is another clause's heading."""
    fields = fields_of(evidence)
    headed = [c for c in evidence.document.clauses if c.heading and c.path and c.kind is not ClauseKind.CONTENTS]
    for anchor in own_references(evidence):
        title = anchor.detail.get("title", "")
        # "this Section 13 ("Indemnified Party")" defines a term; it gives no title.
        if not _title_words(title) or anchor.detail.get("own") == "yes" or speaks_of_another(evidence, anchor):
            continue
        numeric, items = path_of_label(anchor.detail["number"])
        field = field_at(fields, anchor.start, anchor.end)
        led_to = evidence.document.clause_by_id.get(field.clause) if field is not None else None
        target = led_to or index.unique(numeric + items) or index.unique(numeric)
        if target is None or not target.heading or _likeness(title, target.heading) > 0.34:
            continue
        if title.lower() in target.heading.lower() or target.heading.lower() in title.lower():
            continue
        family = [target.heading, *(c.heading for c in headed if clause_path(c)[: len(numeric)] == numeric)]
        if any(_likeness(title, heading) > 0.5 for heading in family):
            continue
        rivals = [c for c in headed if _likeness(title, c.heading) >= 0.75 and not _same_line(clause_path(c), numeric)]
        if not rivals or (items and any(clause_path(c)[-1:] == items[-1:] for c in rivals)):
            continue
        words = quoted(evidence.text[anchor.start : anchor.end], 40)
        rival, chinese = rivals[0], evidence.chinese(anchor.start)
        yield make(
            "reference.misdirected",
            0.9,
            Severity.MEDIUM,
            say(
                "reference.misdirected",
                chinese,
                place=evidence.place(anchor.start),
                words=words,
                title=quoted(title),
                rival=named(rival, chinese),
                target=named(target, chinese),
                heading=quoted(target.heading),
            ),
            [evidence.passage(anchor.start, anchor.end, [anchor]), evidence.passage(target.start, target.start + 1),
             evidence.passage(rival.start, rival.start + 1)],
        )  # fmt: skip
