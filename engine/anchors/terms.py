"""Defined terms: where they are defined, in which scope, and where they are used.

A definition has role ``definition`` and, where the words say so, ``detail["scope"]`` ("clause 4(b)", "section",
本条); a use has role ``use``. The value is the term with straight apostrophes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from engine.anchors.model import AnchorKind
from engine.anchors.normal import alternatives
from engine.anchors.scan import Scan

_OPEN, _CLOSE = "“\"‘'「『", "”\"’'」』"
#: What ends a quotation that begins with each mark: its partner (curled and straight ones mix), or a blank line.
_CLOSERS = {
    mark: re.compile(rf"[{'”' + chr(34) if mark in '“' + chr(34) else close}]|\n\n")
    for mark, close in zip(_OPEN, _CLOSE, strict=True)
}
#: A term between quotation marks; an apostrophe inside is none of the closing marks (see :func:`_quoted_at`).
_TERM_LENGTH = 80
_MEANS = (
    r"(?:shall |will |is |are |has |have )?(?:each )?(?:individually |collectively )?"
    r"(?:means?|mean and include|refers? to|ha(?:s|ve) the (?:same )?(?:respective )?meanings?"
    r"|have the (?:respective )?meanings?|is defined|are defined|defined as"
    r"|signif(?:y|ies)|denotes?|is deemed to|be deemed to mean)"
)
_AFTER_QUOTE = re.compile(
    r"[ \n]{0,3}(?:[(][^()\n]{1,60}[)])?[ \n]{0,3}(?:,? (?:when used|as used|with respect to|for purposes? of"
    r"|in relation to)[^,.;\n]{1,80},?[ ])?[,:]?[ \n]{0,3}" + _MEANS + r"(?![A-Za-z])"
    r"|[ ]{0,2}(?:[(][^()\n]{1,40}[)])?[ ]{0,2}[:：]?[ ]{0,2}(?:是指|系指|应?指(?!定|示|派|导|标|数|引|南)"
    r"|意指|即指|均指|的含义|具有|一词|含义)",
    re.IGNORECASE,
)
_OR_QUOTE = re.compile(r"[ ]{0,2}(?:,|/|or|and|,? or|或者?|和|及|、)[ ]{0,2}", re.IGNORECASE)
_PARENTHETICAL = re.compile(
    r"[(（][ ]?(?:(?:the|each|an?|such|any|all|collectively|individually|together|hereinafter|hereafter|herein"
    r"|referred|called|known|defined|to|as|sometimes|also|or|in|this|agreement"
    r"|being|with|and|its|affiliates|be|either|every|is|are|it|jointly|severally|both|of|foregoing|which|may|shall"
    r"|for|purposes|individual|respectively|collective|singular|plural)[,:]?[ \n]{1,2}){0,14}$",
    re.IGNORECASE,
)
_ZH_SHORT = re.compile(
    r"(?:以下|下文|下称)?(?:均)?(?:简称|统称|合称|并称|下称|称之?为|称作|以下称)(?:为)?[:：]?[ "
    r"]{0,2}(?:[“\"「『](?P<quoted>[^”\"」』\n]{1,30})[”\"」』]|(?P<bare>[\u4e00-\u9fff]{1,8})(?=[)）]))"
)
_BARE = re.compile(
    r"(?:^|\n)[ \t]{0,8}(?:(?:[(]?(?:\d{1,2}(?:\.\d{1,3}){0,3}"
    r"|[a-z]{1,3})[.)]{0,2})[ ]{1,4})?(?P<term>[A-Z][A-Za-z&'’/-]{1,24}(?:[ ](?:of|and|or|the|for|to"
    r"|[A-Z][A-Za-z&'’/-]{0,24})){0,6})[ ]{1,2}(?:-{1,2}[ ]{1,2})?(?:shall mean|means)[: ]"
)
_ZH_BARE = re.compile(
    r"(?:^|\n)[ \t\u3000]{0,8}(?:[(（]?[\d.一二三四五六七八九十]{1,6}[)）、.]?[ "
    r"]{0,3})?(?P<term>[\u4e00-\u9fff]{2,14})[:：]?(?:是指"
    r"|系指)"
)
_SCOPE = re.compile(
    r"(?:for (?:the )?purposes? of|as used in|when used in|in)[ ]{1,2}(?:this[ ](?P<this>section|clause|article"
    r"|paragraph|subsection|sub-clause|schedule|exhibit|annex)|(?P<clause>(?:section|clause|article"
    r"|paragraph)[ ]\d[\w.()]{0,14}))[^.;]{0,40}$",
    re.IGNORECASE,
)
_SCOPE_AFTER = re.compile(
    r"[^.;\n]{0,200}(?:as used|for purposes? of|for the purposes? of)[ ](?:in )?this[ ](?P<this>section|clause"
    r"|article|paragraph)",
    re.IGNORECASE,
)
_ZH_SCOPE = re.compile(r"(?P<zh>本[条款项章节])(?:所称|所指|中|项下|内)?的?[^。；]{0,10}$")
_NOT_TERMS = alternatives(
    "as is|yes|no|n/a|a|b|c|i|or|and|the|including|include|without limitation|shall|may|will|section|if any|accepted"
    "|by|herein|hereof|for|to|of|in"
)


class Definition(NamedTuple):
    """A defined term: its text, its span without the quotation marks, how and in which scope, where it begins."""

    term: str
    start: int
    end: int
    how: str
    scope: str = ""
    at: int = -1


def canonical_term(text: str) -> str:
    """The term with straight apostrophes and single spaces."""
    return " ".join(text.replace("’", "'").replace("‘", "'").split()).strip(" ,.;:")


def _quoted_at(text: str, at: int) -> tuple[int, int] | None:
    """The span between the quotation mark at ``at`` and its partner; an apostrophe before a letter closes nothing."""
    stop = min(len(text), at + 2 + _TERM_LENGTH)
    for match in _CLOSERS[text[at]].finditer(text, at + 1, stop):
        i = match.start()
        if text[i] == "\n":
            return None
        apostrophe = text[i] in "’'" and text[i + 1 : i + 2].isalnum()
        if not apostrophe:
            # American style sets the full stop inside the quotation marks; it is not the term's.
            last = i - 1 if text[i - 1] in ".," and text[at + 1 : i - 1].replace(" ", "").isalpha() else i
            return (at + 1, last) if last > at + 1 else None
    return None


_UNCLOSED = re.compile(r"[A-Z][A-Za-z&-]{1,24}(?:[ ][A-Z][A-Za-z&-]{1,24}){0,3}(?=[)])")


def _unclosed_at(text: str, at: int) -> tuple[int, int] | None:
    """``(the "Proposal)``: a bracketed term whose second quotation mark was forgotten."""
    if text[max(0, at - 5) : at] != "(the " and text[at - 1 : at] != "(":
        return None
    match = _UNCLOSED.match(text, at + 1)
    return match.span() if match else None


def _scope(text: str, start: int, end: int) -> str:
    before = text[max(0, start - 120) : start]
    if match := _SCOPE.search(before):
        return (match["clause"] or f"this {match['this']}").lower()
    if match := _ZH_SCOPE.search(before[-24:]):
        return match["zh"]
    if match := _SCOPE_AFTER.match(text, end):
        return f"this {match['this']}".lower()
    return ""


def _acceptable(term: str) -> bool:
    if not term or len(term) > 70 or term.lower() in _NOT_TERMS:
        return False
    han = any("\u4e00" <= c <= "\u9fff" for c in term)
    # "iPass": a capital near the front will do.
    capital = term[0].isdigit() or any(c.isupper() for c in term[:3])
    return han or (capital and any(c.isalpha() for c in term))


_QUOTE = re.compile(f"[{_OPEN}]")
_BRACKET_ENDS = re.compile(r"[^()（）\n]{0,240}[)）]")
_REFERRED = re.compile(
    r"(?<![A-Za-z])(?:referred to|known|called|named|designated|deem(?:ed)?|termed)(?:[ ](?:herein|hereinafter"
    r"|hereafter|together|in this agreement|below|sometimes|[a-z]{4,12}ly)){0,3}(?:[ ]as)?,?[ \n]{1,2}"
    r"(?:(?:the|an?|each|collectively|individually),?[ \n]{1,2}){0,3}$",
    re.IGNORECASE,
)
#: 'The "Term" shall begin on': a sentence about the quoted word tells what it is.
_SUBJECT = re.compile(
    r"(?:^|[.,;:)\n\d][ \t]{0,3})[Tt]he[ ]$|(?:^|\n)[ \t]{0,6}(?:[(]?[\d.]{1,10}[)]?[ \t]{1,3})?$"
)
#: 1.1.30 “Operating Loan.” The working capital …: the full stop inside makes it the head of its own definition.
_HEAD = re.compile(r"(?:^|\n)[ \t]{0,8}[(]?\d[\d.]{0,10}[)]?[ \t]{1,3}$")
_ARTICLE = re.compile(r"(?:the|an?|each)[ ](?=[A-Z])")
_PREDICATE = re.compile(
    r"[ ](?:of this Agreement[ ]|hereunder[ ])?"
    r"(?:is|are|consists?|includes?|(?:shall|will)[ ](?:be|begin|commence|start|consist|include))(?![A-Za-z])"
)
_CALLED = re.compile(r"(?:简称|统称|合称|下称|称之?为|称)(?:为)?[:：]?[ ]{0,2}$")


def definitions(scan: Scan) -> list[Definition]:
    """Every definition of a term, in order."""
    text = scan.text
    found: dict[int, Definition] = {}
    resume = -1
    chain: list[tuple[int, int]] = []
    for match in _QUOTE.finditer(text):
        at = match.start()
        if at < resume or (text[at] in "'’" and at and text[at - 1].isalnum()):
            continue
        unclosed = _unclosed_at(text, at)
        span = unclosed or _quoted_at(text, at)
        if span is None:
            continue
        end = span[1]
        resume = end + 1
        chain = [*chain[-4:], span] if chain and _OR_QUOTE.fullmatch(text, chain[-1][1] + 1, at) else [span]
        how = "bracket" if unclosed else _how(text, end, chain)
        if how:
            for begin, last in chain:
                article = _ARTICLE.match(text, begin, last)
                first = article.end() if article else begin
                term = canonical_term(text[first:last])
                if _acceptable(term):
                    found.setdefault(
                        first, Definition(term, first, last, how, _scope(text, begin - 1, last + 1), begin - 1)
                    )
    for definition in _unquoted(scan):
        found.setdefault(definition.start, definition)
    return sorted(found.values(), key=lambda definition: definition.start)


def _how(text: str, end: int, chain: list[tuple[int, int]]) -> str:
    """``means`` or ``bracket``, or "" for a quotation that defines nothing."""
    if _AFTER_QUOTE.match(text, end + 1):
        return "means"
    first = chain[0][0] - 1
    named = (
        (_PARENTHETICAL.search(text, max(0, first - 160), first) and _BRACKET_ENDS.match(text, end + 1))
        or _CALLED.search(text, max(0, first - 10), first)
        or _REFERRED.search(text, max(0, first - 110), first)
        or (text[end : end + 1] == "." and _HEAD.search(text, max(0, first - 24), first))
        or _titled(text, first, chain[-1])
        or (_SUBJECT.search(text, max(0, first - 20), first) and _PREDICATE.match(text, end + 1))
    )
    return "bracket" if named else ""


def _titled(text: str, first: int, span: tuple[int, int]) -> bool:
    """``Good Reason. “Good Reason” for …``: the clause's title is the quoted term."""
    term = text[span[0] : span[1]]
    before = text[max(0, first - len(term) - 4) : first].rstrip(" \n")
    return before.endswith((term + ".", term + ":"))


def _unquoted(scan: Scan) -> Iterator[Definition]:
    text = scan.text
    for match in _BARE.finditer(text):
        term = canonical_term(match["term"])
        if _acceptable(term) and term.split()[0].lower() not in (
            "this",
            "it",
            "that",
            "which",
            "notice",
            "the",
            "such",
        ):
            yield Definition(term, match.start("term"), match.end("term"), "means", "", match.start("term"))
    if not scan.has_han:
        return
    for match in _ZH_SHORT.finditer(text):
        group = "quoted" if match["quoted"] else "bare"
        yield Definition(
            canonical_term(match[group]), match.start(group), match.end(group), "bracket", "", match.start()
        )
    for match in _ZH_BARE.finditer(text):
        yield Definition(match["term"], match.start("term"), match.end("term"), "means", "", match.start("term"))


def note_definitions(scan: Scan, parties: frozenset[str], found: list[Definition]) -> None:
    """Note the definitions of terms; those that name a party are left to that kind."""
    for definition in found:
        if definition.term in parties:
            continue
        detail = {"how": definition.how} | ({"scope": definition.scope} if definition.scope else {})
        scan.add(
            AnchorKind.TERM, definition.term, definition.start, definition.end, 0.95, role="definition", detail=detail
        )
