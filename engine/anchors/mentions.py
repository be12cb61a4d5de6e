"""Where defined terms and names of parties are used, in every form in which they are written.

A use may be singular for plural or the other way round, and in title case for a term that is defined in capitals. A
term inside a longer capitalised name (the "Agent" in "Escrow Agent") names something else and is no use.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.anchors.normal import alternatives

_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9&’'-]{0,40}")
_BEFORE = re.compile(r"(?P<word>[A-Za-z][A-Za-z’'&-]{0,24})[ ]$")
_AFTER = re.compile(r"[ ](?P<word>[A-Z][a-z’'&-]{1,24}(?:[A-Z][a-z]{0,12})?)")
#: Capitalised words that begin a sentence or stand in a heading without being part of a name.
_FUNCTION = alternatives(
    "the|this|that|these|those|such|each|any|all|no|every|either|neither|both|some|if|upon|when|whenever|where"
    "|wherever|while|during|after|before|until|unless|except|in|on|at|by|to|from|for|of|with|within|without|under"
    "|pursuant|subject|notwithstanding|and|or|nor|but|as|provided|other|its|their|our|your|his|her|between|among|per"
    "|said|should|shall|may|will|must|since|because|once|prior|following|including|therefore|thereafter|thereupon"
    "|furthermore|additionally|moreover|otherwise|nothing|only|even|then|also|whereas|however|accordingly|through"
    "|throughout|against|about|above|below|whether|so|than|not|is|are|be|has|have|it|a|an|via|into|over|whose|which"
    "|who|certain|applicable|relevant|respective|foregoing|aforesaid|hereby|whom|upon|like|further|to|because|both"
    "|another|first|second|third|fourth|fifth|one|two|three|dear|witnesseth|therein|herein|whereby|inter|regardless"
)
#: A plural that means another thing than its singular, or more of it.
_PLURAL_ONLY = alternatives("goods|terms|works|securities|damages|means|news|customs|premises|proceeds|arms|sales")
#: What a name ends in: the "Agreement" in "Distributor Agreement" is another one, even where both are terms.
_HEADS = alternatives("agreement|agreements|amendment|addendum|contract|act|plan|note|lease|schedule|letter")
#: Chinese words before a role that make another person of it.
_ZH_OTHER = re.compile(r"(?:二手|次|转|分)$")


def _other_number(word: str) -> str:
    """The plural of a singular word or the singular of a plural one; "" when it has none of use."""
    lower = word.lower()
    if len(word) < 4 or not word.isalpha() or lower in _PLURAL_ONLY or (word.isupper() and len(word) < 5):
        return ""
    large = word.isupper()
    out = ""
    if lower.endswith("ies") and len(word) > 4:
        out = word[:-3] + ("Y" if large else "y")
    elif lower.endswith(("sses", "xes", "ches", "shes")):
        out = word[:-2]
    elif lower.endswith("s"):
        out = "" if lower.endswith(("ss", "us", "is")) else word[:-1]
    elif lower.endswith("y") and lower[-2] not in "aeiou":
        out = word[:-1] + ("IES" if large else "ies")
    elif lower.endswith(("x", "ch", "sh")):
        out = word + ("ES" if large else "es")
    else:
        out = word + ("S" if large else "s")
    return out


def forms(term: str) -> list[str]:
    """The forms in which ``term`` is written, itself first; Chinese has one form only."""
    if not term[0].isascii():
        return [term]
    out = [term]
    if term.endswith("(s)"):
        out = [term[:-3], term[:-3] + "s", term]
    words = out[0].split(" ")
    last = _other_number(words[-1])
    if last:
        out.append(" ".join([*words[:-1], last]))
    if len(words) > 2 and words[1].lower() in ("of", "in", "to") and (first := _other_number(words[0])):
        out.append(" ".join([first, *words[1:]]))
    if term.isupper() and (len(words) > 1 or len(term) > 4):
        small = alternatives("OF|AND|OR|THE|FOR|IN|TO|A|AN|ON")
        out += [" ".join(w.lower() if w in small else w.title() for w in form.split(" ")) for form in list(out)]
    return list(dict.fromkeys(out))


def term_uses(text: str, terms: set[str]) -> Iterator[tuple[str, int, int]]:
    """Every place of one of the ``terms``: the term, start and end (a possessive is left out); the longest wins."""
    named: dict[str, str] = {term: term for term in terms if term}
    for term in sorted(terms):
        for form in forms(term) if term else ():
            named.setdefault(form, term)
    english: dict[str, list[str]] = {}
    chinese: dict[str, list[str]] = {}
    for form in named:
        if form[0].isascii():
            words = _WORD.match(form)
            if words:
                english.setdefault(words.group().rstrip("'’-"), []).append(form)
        else:
            chinese.setdefault(form[0], []).append(form)
    for candidates in (*english.values(), *chinese.values()):
        candidates.sort(key=len, reverse=True)
        del candidates[64:]
    if english:
        yield from ((named[form], start, end) for form, start, end in _english_uses(text, english))
    if chinese:
        yield from _chinese_uses(text, chinese)


def _english_uses(text: str, starts: dict[str, list[str]]) -> Iterator[tuple[str, int, int]]:
    resume = 0
    for match in _WORD.finditer(text):
        at = match.start()
        word = match.group()
        candidates = (
            starts.get(word) or starts.get(word.partition("'")[0].partition("’")[0]) or starts.get(word.rstrip("s"))
        )
        if not candidates or at < resume:
            continue
        for term in candidates:
            end = _matches(text, at, term)
            if end:
                resume = end
                if not _inside_a_name(text, at, end, starts):
                    yield term, at, end
                break


def _inside_a_name(text: str, start: int, end: int, starts: dict[str, list[str]]) -> bool:
    """Whether the words at ``[start, end)`` are part of a longer capitalised name."""
    before = text[start - 1 : start]
    if before == "/" and text[start - 2 : start - 1].isalnum():
        word = _WORD.findall(text[max(0, start - 30) : start])
        if not word or word[-1] not in starts:
            return True
    if text[end : end + 1] == "/" and text[end + 1 : end + 2].isupper():
        word = _WORD.findall(text[end + 1 : end + 40])
        if not word or word[0] not in starts:
            return True
    if before == " ":
        match = _BEFORE.search(text, max(0, start - 27), start)
        if match and not (match["word"].isupper() and len(match["word"]) > 3):
            own = word_at(text, start).lower() not in _HEADS and _is_term(text, match.start("word"), starts)
            if _named(match["word"]) and not own:
                return True
    match = _AFTER.match(text, end)
    if not match or not _named(match["word"]):
        return False
    return match["word"].lower() in _HEADS or not _is_term(text, match.start("word"), starts)


def word_at(text: str, at: int) -> str:
    """The word that begins at ``at``, or ""."""
    match = _WORD.match(text, at)
    return match.group() if match else ""


def _is_term(text: str, at: int, starts: dict[str, list[str]]) -> bool:
    """Whether a term or party of its own stands at ``at``."""
    word = word_at(text, at)
    return any(_matches(text, at, term) for term in starts.get(word, ()) or starts.get(word.rstrip("s"), ()))


def _named(word: str) -> bool:
    """Whether a neighbouring word is capitalised as part of a name; a possessive ends one."""
    return word[0].isupper() and word.lower() not in _FUNCTION and "'" not in word and "’" not in word


def _matches(text: str, at: int, term: str) -> int:
    """The end of ``term`` at ``at`` (white space in the text may be wider), or 0."""
    end = at + len(term)
    if text[at:end].replace("’", "'") != term:
        parts = term.split(" ")
        if len(parts) == 1:
            return 0
        end = at
        for i, part in enumerate(parts):
            if i:
                width = 0
                while width < 40 and text[end : end + 1] in (" ", "\n", "\t") and end < len(text):
                    end += 1
                    width += 1
                if not width:
                    return 0
            if text[end : end + len(part)].replace("’", "'") != part:
                return 0
            end += len(part)
    if text[end : end + 1] == "s" and not text[end + 1 : end + 2].isalnum():
        return end + 1
    return 0 if text[end : end + 1].isalnum() else end


def _chinese_uses(text: str, starts: dict[str, list[str]]) -> Iterator[tuple[str, int, int]]:
    first = re.compile("[" + re.escape("".join(starts)) + "]")
    resume = 0
    for match in first.finditer(text):
        at = match.start()
        if at < resume:
            continue
        for term in starts[match.group()]:
            if text.startswith(term, at):
                resume = at + len(term)
                if not _ZH_OTHER.search(text, max(0, at - 2), at):
                    yield term, at, at + len(term)
                break
