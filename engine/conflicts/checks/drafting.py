"""draft.*: what was left in from drafting. One finding a kind and document, so that a form does not drown the rest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from engine.anchors.model import AnchorKind
from engine.conflicts.checks.evidence import Evidence, make, quoted
from engine.conflicts.checks.sentences import phrase, say
from engine.document import ClauseKind
from engine.protocol.findings import Finding, Severity

#: So many places are shown as passages; the rest is counted.
SHOWN = 3
#: With more places than this in all the document is a form to be filled in, and the findings weigh less.
FORM = 12

_BLANK = re.compile(r"_{3,}|＿{2,}|\[[ \t_.●•∙⚫·]{0,40}\]|【[ \u3000_●•]{0,40}】|\[●+\]|（[ \u3000]{3,40}）")
_SIGNS = re.compile(
    r"(?:by|its|name|title|date|signed|signature|witness|attest|print(?:ed)? name|address|e-?mail|phone|fax"
    r"|telephone|per|notary|seal|initials?|officer|director|secretary|president|signatory|representative)\W{0,4}$"
    r"|签字|签章|盖章|签名|法定代表人|代表人|日期|电话|地址|身份证|开户|账号|邮编|传真|联系|签订|代理人",
    re.IGNORECASE,
)
_BY = re.compile(r"\bBy\W{0,3}:")
#: A blank of so many characters with nothing before it on its line is a ruled line.
RULED = 40
#: With so many places of one kind the X stand for words that were struck out, not for words still to come.
STRUCK_OUT = 6
_CROSSED = re.compile(r"X{3,}")
_BRACKET = re.compile(r"\[(?P<inside>[^\[\]\n]{2,160})\](?![(:])|【(?P<zh>[^【】\n]{1,80})】")
_HARMLESS = re.compile(
    r"^(?:[*\s.…]+|!.*|see .*|\W*\d{1,3}\W*|[xX✓✔√]|reserved.*|intentionally.*|omitted.*|sic|redacted.*|signature.*"
    r"|seal"
    r"|letterhead.*|remainder.*|page.*|end of.*|this page.*|table of.*|the rest.*"
    r"|confidential.*|continued.*|execution.*|l\.?s\.?|i+v?|[a-z]|\W+|blank.*|exhibit.*|schedule.*|attached.*"
    r"|image.*|illegible.*|\d.*|.*logo|logo.*|graphic.*|rest of.*|.*follows?.*|.*left blank.*|.*to come)$",
    re.IGNORECASE,
)
_FILL = re.compile(
    r"(?:insert|enter|describe|fill|name|date|address|amount|list|specify|state|choose|select|add|provide|identify"
    r"|optional|if )",
    re.IGNORECASE,
)
_NOTE = re.compile(
    r"\b(?:note to (?:draft(?:er)?s?|self|reviewer)|drafting note|drafter['’]s note|NTD:)"
    r"|\[NTD\b|(?<![A-Za-z])TBD(?![A-Za-z])|T\.B\.D\.|\?{3,}|(?-i:\bXXX+\b)|[\[(](?:to be|please) (?:inserted"
    r"|completed|filled in|supplied|added|confirmed|agreed|discussed)[^\[\]()]{0,30}[\])]"
    r"|起草说明|编者注|待补充|待填写|此处(?:插入|填写)|[（(【]注[:：]",
    re.IGNORECASE,
)
_OPTION = re.compile(
    r"(?:下列|以下|如下)?第?[ \u3000]{0,3}[(（]?[ \u3000]{0,3}(?:_{1,20}|＿{1,20}"
    r"|[ \u3000]{2,20})[ \u3000]{0,3}[)）]?[ \u3000]{0,3}[种项]\s{0,2}(?:方式|方法|解决|选择|付款)"
    r"|\[(?:select|choose|check|pick)[ ](?:one|either|applicable|all)[^\[\]\n]{0,60}\]|\((?:select|choose"
    r"|check)[ ](?:one|either)[^()\n]{0,40}\)",
    re.IGNORECASE,
)
_EMPTY_BOX = re.compile(r"[□☐▢]|(?:^|\n)[ \t]{0,12}\[[ ]{0,6}\](?=[ \t]{1,8}\S)")
_TICKED = re.compile(r"[☑☒■√✓✔]|\[[ ]?[xX✓][ ]?\]")


def _places(evidence: Evidence, pattern: re.Pattern[str]) -> list[tuple[int, int]]:
    out: list[tuple[int, int]] = []
    last = -2
    for match in pattern.finditer(evidence.text):
        clause = evidence.document.clause_at(match.start())
        if clause is not None and clause.kind in (ClauseKind.SIGNATURE, ClauseKind.CONTENTS):
            continue
        line = evidence.text.rfind("\n", 0, match.start())
        # Several blanks on one line are one place to fill in.
        if line != last or pattern is not _BLANK:
            out.append(match.span())
        last = line
    return out


def _line_around(text: str, start: int, end: int) -> tuple[str, str]:
    low, high = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    return text[low:start], text[end : high if high >= 0 else len(text)]


def _blanks(evidence: Evidence) -> list[tuple[int, int]]:
    out = []
    for start, end in _places(evidence, _BLANK):
        before, after = _line_around(evidence.text, start, end)
        letters = any(c.isalpha() for c in before + after)
        box = bool(_EMPTY_BOX.match(evidence.text, max(0, evidence.text.rfind("\n", 0, start)))) and not before.strip()
        # A long line alone before its text is ruled, not left to be filled in.
        ruled = end - start >= RULED and not before.strip()
        signs = _SIGNS.search(before[-24:].rstrip()) or _BY.search(before)
        if letters and not box and not ruled and not signs:
            out.append((start, end))
    return out


def _brackets(evidence: Evidence) -> list[tuple[int, int]]:
    out = []
    titled = {a.end for a in evidence.of_kind(AnchorKind.REFERENCE)}
    for start, end in _places(evidence, _BRACKET):
        # The title of a cited clause, or part of a name or formula.
        around = evidence.text[max(0, start - 1) : start] + evidence.text[end : end + 1]
        if {start, start - 1, start - 2} & titled or any(c.isascii() and c.isalnum() for c in around):
            continue
        inside = evidence.text[start + 1 : end - 1].strip()
        # A long aside in brackets is the author's own; a blank to fill in is short or says what to do.
        short = len(inside.split()) <= 8 or bool(_FILL.match(inside))
        if (
            inside
            and short
            and any(c.isalpha() for c in inside)
            and not _HARMLESS.match(inside)
            and not _BLANK.fullmatch(evidence.text, start, end)
        ):
            out.append((start, end))
    return out


def _groups(evidence: Evidence) -> list[tuple[int, int]]:
    """Stretches in which one tick would do: the text from one clause's start to the next one's."""
    starts = [0, *(clause.start for clause in evidence.document.clauses), len(evidence.text)]
    return [(a, b) for a, b in pairwise(sorted(set(starts))) if b > a]


#: So many characters of an open choice are quoted.
_SHOWN_OPTION = 40


def _options(evidence: Evidence) -> list[tuple[int, int]]:
    out = _places(evidence, _OPTION)
    for start, end in _groups(evidence):
        boxes = list(_EMPTY_BOX.finditer(evidence.text, start, end))
        if len(boxes) >= 2 and not _TICKED.search(evidence.text, start, end):
            at = boxes[0].end() - len(boxes[0].group().strip())
            if not any(abs(place - at) < 2 for place, _ in out):
                line = evidence.text.find("\n", at, at + _SHOWN_OPTION)
                out.append((at, line if line >= 0 else min(end, at + _SHOWN_OPTION)))
    return sorted(out)


#: What a form that is attached has until it is used, and what that is worth: of those judged in signed contracts four
#: in five were false alarms (results/conflicts_reading.md).
_OF_FORMS = frozenset({"draft.blank", "draft.bracket"})
ATTACHED_SCORE = 0.25


def _one(evidence: Evidence, code: str, places: list[tuple[int, int]], form: bool) -> Finding:
    """The finding for all places of one kind; in a form that is meant to be filled in it weighs less."""
    passages = [evidence.passage(start, end) for start, end in places[:SHOWN]]
    distinct = list({(p.start, p.end): p for p in passages}.values())
    start, end = places[0]
    chinese, many = evidence.chinese(start), len(places) > 1
    count = f"{len(places)} places" if many else "One place"
    said = say(
        code,
        chinese,
        number=len(places),
        count=f"{count} {'are' if many else 'is'}",
        noted=f"{count} {'hold notes' if many else 'holds a note'}",
        chosen=f"{count} {'have' if many else 'has'}",
        first=phrase("first.many" if many else "first.one", chinese),
        where=evidence.where(start),
        words=quoted(evidence.text[start:end], 50),
    )
    if code in _OF_FORMS and all(evidence.attachment_at(start) for start, _ in places):
        return make(code, ATTACHED_SCORE, Severity.LOW, said, distinct, tier="check")
    return make(code, 0.6 if form else 0.85, Severity.LOW if form else Severity.MEDIUM, said, distinct, tier="check")


def check_drafting(evidence: Evidence) -> Iterator[Finding]:
    """At most one finding each of draft.blank, draft.bracket, draft.note and draft.option."""
    notes = _places(evidence, _NOTE)
    crossed = {place for place in notes if _CROSSED.fullmatch(evidence.text[slice(*place)])}
    if len(crossed) >= STRUCK_OUT:
        notes = [place for place in notes if place not in crossed]
    brackets = [
        place
        for place in _brackets(evidence)
        if not any(a <= place[0] < b or place[0] <= a < place[1] for a, b in notes)
    ]
    found = {
        "draft.blank": _blanks(evidence),
        "draft.bracket": brackets,
        "draft.note": notes,
        "draft.option": _options(evidence),
    }
    form = sum(map(len, found.values())) > FORM
    for code, places in found.items():
        if places:
            yield _one(evidence, code, places, form)
