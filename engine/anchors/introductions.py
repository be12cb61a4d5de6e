"""Where the parties are introduced: the opening between "by and between" and the recitals, and the names in it."""

from __future__ import annotations

import itertools
import re

#: The opening is looked for in this many code points of the text (a cover and a table of contents may come first), at
#: so many places that speak of "between", and is no longer than the third number.
_FRONT, _TRIES, _LENGTH = 24000, 24, 5000
#: An opening gives short names: ("Seller"), hereinafter "Seller".
_NAMES = re.compile(r"[(\s][\"“][A-Za-z][^\"“”\n]{1,60}[\"”]")
_BEGINS = re.compile(
    r"(?<![A-Za-z])(?:by and (?:between|among)|between|among|amongst|following parties|PARTIES"
    r"|entered into by(?![ ]and[ ](?:between|among)))(?![A-Za-z])",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"WITNESSETH|W[ ]I[ ]T[ ]N|WHEREAS|Whereas|RECITAL|Recitals|BACKGROUND|Background|NOW,? THEREFORE|PRELIMINARY"
    r"|STATEMENT OF|agrees? as follows|AGREES? AS FOLLOWS|DEFINITIONS|for the purposes? of"
    r"|(?:\n|^)[ \t]{0,6}(?:ARTICLE|Article|SECTION|Section)?[ ]?(?:1|I)[.)][ \t\n]|(?:\n|^)[ \t]{0,6}A[.)][ \t]"
)
SUFFIX = (
    r"(?:Incorporated|Inc|INC|inc|Corporation|CORPORATION|Corp|CORP|LLC|L\.L\.C|Limited|LIMITED|Ltda?|LTD|L\.P|LP|LLP"
    r"|L\.L\.P|PLC|plc|GmbH|AG|S\.A|N\.V|B\.V|Co|CO|Company|COMPANY|N\.A|Pty|Trust|TRUST|Foundation|Association"
    r"|University|Partnership|Bank|BANK)"
)
#: A bracket may belong to a name ("(UK)"), but not the one that gives the short name ("(the “Seller”)").
_BRACKET = r"\((?=[A-Z0-9])(?!The |Each |Together |Collectively|Hereinafter)"
_NAME = re.compile(
    r"(?P<name>[A-Z0-9][\w.&'’/®-]{0,30}(?:[ ](?:(?:of|de|da|do|van|von|&|-|for)(?=[ ][A-Z])"
    rf"|(?:[A-Z0-9&]|{_BRACKET})[\w.&'’)/®-]{{0,30}})){{0,9}}(?:,?[ ]{{1,2}}{SUFFIX}(?![A-Za-z])\.?){{0,3}})"
)
_LEGAL = re.compile(rf"(?<![A-Za-z]){SUFFIX}\.?$")
_LEADS = re.compile(
    r"(?:^[\s,;:)]{0,6}(?:and[ \n]{1,3})?|(?<![A-Za-z])(?:by and between|between|among|and|parties|by)[:\s]{1,6}"
    r"(?:[(][\w]{1,3}[)][ ]{0,2})?(?:each of[ ])?|[;:\n][ ]{0,6}(?:[(]?[\w]{1,3}[).][ ]{1,2})?)(?:the[ ])?",
    re.IGNORECASE,
)
#: What may follow the name of a party in an opening.
_FOLLOWS = re.compile(r"[ \n]{0,4}(?:[,(\"“]|of[ ]|an?[ ]|whose|with|having|doing|d/b/a|dba|$|\n)")
_NO_NAME = re.compile(r"(?:This|THIS|The|State|Commonwealth|Province|Delaware|California|New York|Texas)$")


def opening_of(text: str) -> tuple[int, int]:
    """The span in which the parties are named; ``(0, 0)`` when there is no such opening."""
    for match in itertools.islice(_BEGINS.finditer(text, 0, min(len(text), _FRONT)), _TRIES):
        stop = min(len(text), match.end() + _LENGTH)
        end = _ENDS.search(text, match.end() + 3, stop)
        if end is not None and _NAMES.search(text, match.end(), end.start()):
            return match.start(), end.start()
    return 0, 0


def segment_before(text: str, at: int, low: int = 0) -> str:
    """What stands between the bracket before and the one at ``at``: the words that introduce one party."""
    before = text[max(low, at - 400) : at].rstrip(' (“"‘')
    for mark in ('")', "”)", '"),', "\n\n"):
        cut = before.rfind(mark)
        if cut >= 0 and len(before) - cut > len(mark) + 3:
            before = before[cut + len(mark) :]
    return before


_THE = re.compile(r"[ \n(“\"‘]{0,3}(?:(?:each an?|an?|the|collectively|hereinafter|together|as)[, ]{1,2}){0,3}$")


def stands_beside(text: str, at: int, name: str, low: int = 0) -> bool:
    """Whether ``name`` (or a blank for one) ends right where the bracket at ``at`` begins."""
    before = segment_before(text, at, low)
    lead = _THE.search(before)
    before = (before[: lead.start()] if lead else before).rstrip(" ,(")
    return before.endswith(("]", "_", "}")) or (bool(name) and before.endswith(name))


def name_before(text: str, at: int, low: int = 0) -> str:
    """The party's name in front of a bracket such as ``(the "Seller")`` at ``at``, or ""."""
    before = segment_before(text, at, low)
    found: list[str] = []
    for lead in _LEADS.finditer(before):
        name = _NAME.match(before, lead.end())
        if name and _FOLLOWS.match(before, name.end()) and not _NO_NAME.match(name["name"]):
            found.append(name["name"].strip(" ,"))
    legal = [name for name in found if _LEGAL.search(name)]
    return (legal or found or [""])[-1]
