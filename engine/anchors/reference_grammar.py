"""The grammar of cross-references in English: keywords, numbers, lists, ranges, and whose clause is meant."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from engine.anchors.number_words import number_words

WORD = re.compile(
    r"(?<![A-Za-z])(?P<word>sub-?sections?|sections?|sub-?clauses?|clauses?|sub-?paragraphs?|paragraphs?|articles?"
    r"|secs?\.|paras?\.|arts?\.|cl\."
    r"|items?|parts?|schedules?|exhibits?|annex(?:es|ure|ures)?|appendix|appendices|attachments?|addend(?:um"
    r"|a))(?![A-Za-z])|(?P<sign>§{1,2})",
    re.IGNORECASE,
)
_SPACE = r"[ \t]{0,4}(?:\n[ \t]{0,40})?"
_ITEM = r"[(][ ]?(?:[A-Za-z]{1,2}|[ivxlIVXL]{1,6}|\d{1,3})[ ]?[)]"
_NUMBER = re.compile(
    rf"(?P<number>\d{{1,4}}(?:\.\d{{1,4}}){{0,6}}(?![\d])(?:[A-Z](?![A-Za-z]))?"
    rf"|[A-Z]{{1,2}}(?:[.-]\d{{1,3}}){{1,4}}(?![\d])|[A-Z](?:\d{{1,2}})?(?![A-Za-z\d])"
    rf"|[IVXLC]{{1,7}}(?![A-Za-z\d])(?:[.-]\d{{1,3}}){{0,3}})?"
    rf"(?P<items>(?:[ ]?{_ITEM}){{0,6}})(?P<low>(?<=\d)[a-z](?![A-Za-z]))?"
)
_NEXT_CLAUSE = re.compile(r"[.)]?[ ]{1,4}[A-Z][A-Za-z]{2}")
_LEADING = re.compile(_SPACE)
_JOIN = re.compile(
    rf"{_SPACE}(?:,{_SPACE}(?:and|or|and/or|&)?|;{_SPACE}(?:and|or)|and/or|and|or|&)?{_SPACE}", re.IGNORECASE
)
_RANGE = re.compile(rf"{_SPACE}(?:-{{1,2}}|to|through|thru|until){_SPACE}(?:and including )?", re.IGNORECASE)
THIS = re.compile(r"(?:this|the present)[ \n]{1,3}$", re.IGNORECASE)
TITLE = re.compile(
    r"[ ]{0,2}[(](?P<title>[\"“]?[A-Z][^()\n]{2,90})[)]|[ ]{0,2},?[ ](?P<quoted>[“\"][A-Z][^“”\"\n]{2,80}[”\"])"
    r"|[ ]{1,2}\[(?P<square>[A-Z][^\[\]\n]{2,80})\]"
)
_TAIL = re.compile(
    r"[ ,]{0,3}(?:[(][^()]{0,60}[)])?[ ,]{0,3}(?P<here>hereof|herein|hereto|hereunder|above|below)(?![A-Za-z])"
    r"|[ ,]{0,3}(?:[(][^()]{0,60}[)])?[ ,]{0,3}(?P<there>thereof|therein|thereto|thereunder)(?![A-Za-z])"
    r"|[ ,]{0,3}(?:[(][^()]{0,60}[)])?[ ,]{0,3}(?:of|in|to|under|from|set forth in|contained in"
    r"|pursuant to)[ \n]{1,3}(?P<of>(?:this|the|that|such|said|its|each|any"
    r"|an?)[ \n]{1,3})?(?P<name>[^;:()\n]{2,140})",
    re.IGNORECASE,
)
_DOCUMENT = re.compile(
    r"(?P<name>(?:[A-Z][\w&.’'-]{0,24},?[ ]{1,2}|of[ ]|and[ ]|the[ ]|for[ ]){0,12}[A-Z]?[\w’'-]{0,24}"
    r"(?:Agreement|Contract|Lease|Note|Deed|Indenture|Plan|Policy|Policies|Terms|Conditions|Guaranty|Guarantee"
    r"|Mortgage|License|Licence|Bylaws|By-laws|Charter|Certificate|Letter|Order|Amendment|Addendum|Protocol|Exhibit"
    r"|Schedule|Annex|Appendix|Attachment|Statement|SOW|MSA|DPA|NDA|Clauses|SCCs|Commitment|Declaration|Constitution"
    r"|Memorandum))s?(?![A-Za-z])"
)
_STATUTE = re.compile(
    r"(?P<name>(?:[A-Z][\w&.’'-]{0,24}[ ]{1,2}|of[ ]|and[ ]|the[ ]|for[ ]|on[ ]|in[ ]){0,9}"
    r"(?:Act|Acts|Code|Law|Laws|Regulations?|Rules?|Statutes?|Statute|Ordinance|Directive|GDPR|ERISA|HIPAA|UCC|CFR"
    r"|C\.F\.R\.|U\.S\.C\.|Treaty|Convention|Constitution|Title)(?:s)?(?![A-Za-z])(?:[ ](?:of[ ])?\d{4})?)"
)
_STATUTE_BEFORE = re.compile(
    r"(?:(?:Act|Code|Law|Regulations?|Rules?|Statutes?|U\.?S\.?C\.?A?\.?|C\.?F\.?R\.?|Stat\.|Ann\.|GDPR|UCC"
    r"|Treas\. Reg\.|Reg\.|Directive|ERISA|HIPAA|[A-Z]{3,6})[,]?[ ]{0,3}(?:of \d{4},?[ ])?(?:at )?"
    r"|Treasury Regulations? |I\.?R\.?C\.? )$"
)
ATTACHMENTS = ("schedule", "exhibit", "annex", "appendix", "attachment", "addendum")
HERE = re.compile(
    r"(?<![A-Za-z])(?P<word>hereof|herein|hereto|hereunder|herewith|herefrom|thereof|therein|thereto|thereunder)(?![A-Za-z])",
    re.IGNORECASE,
)


class Element(NamedTuple):
    """One number of a reference, its span, and the last number of a range (``to``)."""

    label: str
    start: int
    end: int
    to: str = ""


def _clean(text: str) -> str:
    return re.sub(r"\s", "", text)


def _number_at(text: str, at: int, word: str) -> Element | None:
    """A number such as ``12.4(c)(3)``, ``IV``, ``A`` or ``(b)`` at ``at``."""
    match = _NUMBER.match(text, at)
    if not match or match.end() == at:
        return None
    number, items = match["number"] or "", match["items"] or ""
    end = match.end()
    if not number and not items:
        return None
    if number.isalpha() and len(number) == 1 and number in ("A", "I") and not items:
        # "Section A" is a number, "the Article A party" or "I" as a word is not.
        follows = text[end : end + 2]
        if (word not in ATTACHMENTS and word not in ("article", "section", "part")) or (
            follows[1:].islower() and number == "I"
        ):
            return None
    return Element(_clean(number + items + (match["low"] or "")), at, end)


def _words_at(text: str, at: int) -> list[Element]:
    """``clauses thirty and six``: numbers in words right after the keyword."""
    window = text[at : at + 60]
    out: list[Element] = []
    position = len(window) - len(window.lstrip())
    for number in number_words(window):
        if number.ordinal or number.part:
            break
        gap = window[position : number.start]
        if gap.strip() and gap.strip().lower() not in ("and", "or", ",", "to"):
            break
        out.append(Element(str(int(number.value)), at + number.start, at + number.end))
        position = number.end
    return out


def elements_at(text: str, at: int, word: str, plural: bool) -> list[Element]:
    """The numbers that follow a keyword: a single one, a list or a range."""
    space = _LEADING.match(text, at)
    first_at = space.end() if space else at
    for prefix in ("No. ", "no. ", "Nos. ", "number ", "Number "):
        if text.startswith(prefix, first_at):
            first_at += len(prefix)
    first = _number_at(text, first_at, word)
    if first is not None and "\n" in text[at:first_at] and _NEXT_CLAUSE.match(text, first.end):
        # "ANNEXES / 20. SIGNATURES": the next line's clause, not the number of this word.
        return []
    if first is None:
        return _words_at(text, at)
    out = [first]
    while len(out) < 40:
        last = out[-1]
        ranged = _RANGE.match(text, last.end)
        if ranged and (target := _number_at(text, ranged.end(), word)) and _alike(last, target):
            out[-1] = Element(last.label, last.start, target.end, target.label)
            continue
        join = _JOIN.match(text, last.end)
        if not join or join.end() == last.end:
            break
        following = _number_at(text, join.end(), word)
        if following is None or not _alike(last, following):
            break
        bare = join.group().strip() == ""
        if (bare and not (plural or following.label.startswith("("))) or (bare and not following.label.startswith("(")):
            break
        if not plural and last.label[0] != "(" and not _continues(following) and not _plain_list(text, following.end):
            break
        out.append(following)
    return _split_siblings(text, out)


_ONE_ITEM = re.compile(_ITEM)


def _split_siblings(text: str, elements: list[Element]) -> list[Element]:
    """``(c) (d)`` without a comma are two items when the second follows the first in the alphabet."""
    out: list[Element] = []
    for element in elements:
        marks = list(_ONE_ITEM.finditer(text, element.start, element.end))
        letters = [mark.group().strip("( )") for mark in marks]
        siblings = (
            element.label.startswith("(")
            and len(marks) > 1
            and all(len(letter) == 1 for letter in letters)
            and all(ord(b) - ord(a) == 1 for a, b in pairwise(letters))
            and all(b.start() > a.end() for a, b in pairwise(marks))
        )
        if siblings:
            out += [Element(_clean(mark.group()), mark.start(), mark.end()) for mark in marks]
        else:
            out.append(element)
    return out


def _continues(following: Element) -> bool:
    """Whether a singular keyword's list goes on: ``Section 4.2 or 4.3``, ``Section 5(a) and (b)``."""
    if following.label.startswith("("):
        return True
    return "." in following.label and following.label[0].isdigit()


_LIST_END = re.compile(
    r"[ \n]{0,3}(?:,[ ](?:and[ ]|or[ ])?\d{1,3}[ ,.;)]|(?:and|or)[ ]\d{1,3}[ ](?:of|hereof|above|below)(?![A-Za-z])"
    r"|(?:of[ \n](?:this|the|that|such)|hereof|above|below)(?![A-Za-z]))"
)


def _plain_list(text: str, at: int) -> bool:
    """Whether ``Section 5, 8 and 9 of the`` goes on as a list of clauses, not as a count of something."""
    return bool(_LIST_END.match(text, at))


def _shape(label: str) -> str:
    if label.startswith("("):
        return "item"
    return "digit" if label[0].isdigit() else "letter"


def _alike(a: Element, b: Element) -> bool:
    """Whether two numbers can stand in one list."""
    first, second = _shape(a.label), _shape(b.label)
    return first == second or (second == "item" and first != "letter")


def keyword_kind(word: str) -> str:
    """The keyword in its full singular form: ``section`` for Secs. and §, ``exhibit`` for Exhibits."""
    base = word.lower().rstrip(".").replace("-", "")
    for attachment in ATTACHMENTS:
        if base.startswith(attachment[:5]):
            return attachment
    base = base.rstrip("s")
    return {
        "sec": "section",
        "para": "paragraph",
        "art": "article",
        "cl": "clause",
        "subsec": "subsection",
        "§": "section",
        "§§": "section",
        "": "section",
    }.get(base, base)


def target_of(text: str, start: int, end: int) -> tuple[str, str]:
    """``("here"|"other"|"external", name)`` from the words around a reference; ``("", "")`` when they are silent."""
    before = text[max(0, start - 60) : start]
    if match := _STATUTE_BEFORE.search(before):
        return "external", " ".join(before[: match.end()].split()[-4:])
    tail = _TAIL.match(text, end)
    if tail is None:
        return "", ""
    if tail["here"] or (tail["of"] or "").strip().lower() == "this":
        return "here", ""
    return ("other", tail["there"].lower()) if tail["there"] else _named_document(tail["name"])


def _named_document(name: str) -> tuple[str, str]:
    """Whether the words behind "of the" name a statute or another document."""
    statute = _STATUTE.match(name)
    if statute and statute["name"][0].isupper():
        return "external", statute["name"].strip()
    document = _DOCUMENT.match(name)
    return ("other", document["name"].strip()) if document else ("", "")


_PARENT = re.compile(
    rf"{_SPACE}(?:,[ ])?(?:of|to|in)[ \n]{{1,3}}(?:the[ ])?(?P<word>sub-?sections?|sections?|sub-?clauses?|clauses?"
    rf"|sub-?paragraphs?|paragraphs?|articles?)(?![A-Za-z]){_SPACE}",
    re.IGNORECASE,
)


def parent_of(text: str, at: int) -> Element | None:
    """The clause that items belong to: ``subsection (3)`` in "paragraph (b) or (c) of subsection (3)"."""
    match = _PARENT.match(text, at)
    if not match:
        return None
    return _number_at(text, match.end(), keyword_kind(match["word"]))
