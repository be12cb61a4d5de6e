"""Headings: after a clause number, on a line of their own, and before running text."""

from __future__ import annotations

import re

from engine.reading.source import Block

_MAX_WORDS = 14
_SMALL_WORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "as",
        "at",
        "but",
        "by",
        "for",
        "from",
        "in",
        "into",
        "nor",
        "of",
        "on",
        "or",
        "per",
        "the",
        "to",
        "under",
        "upon",
        "with",
        "without",
        "not",
        "no",
        "vs",
        "via",
        "re",
        "its",
    ]
)
_VERBS = frozenset(
    [
        "shall",
        "will",
        "must",
        "may",
        "can",
        "cannot",
        "should",
        "would",
        "could",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "has",
        "have",
        "had",
        "does",
        "do",
        "did",
        "means",
        "mean",
        "agrees",
        "agree",
        "acknowledges",
        "warrants",
        "represents",
        "includes",
    ]
)
_RUN_IN = re.compile(
    r"(?P<heading>(?:[^.:;。：；—–\n]|;(?=\s[A-Z])){1,110}?)"
    r"(?P<stop>\.(?=[\s\"”’'*_–—-])|[:：.](?=\s)|\s?[–—]\s?(?=[A-Z])|:\s?$)"
)
_WORD = re.compile(r"[^\W_]+(?:['’&/.-][^\W_]+)*")
#: Scraps of scans and of turned lines have no two letters in a row.
_REAL_WORD = re.compile(r"[^\W\d_]{2}|[㐀-鿿]")
_HAN = re.compile(r"[㐀-鿿]")
#: "该房屋为毛坯出租" is a sentence without its stop, "电热水器   个" a line of a form.
_HAN_NO_TITLE = re.compile(r"^[该此]|[㐀-鿿]{2}[ \u3000]{2,}\S")
_HAN_RUN_IN = re.compile(r"(?P<heading>[^\s。：；，,:;、（）()\d_]{2,14})(?P<stop>[：:](?=.)|[ \u3000\t]+(?=[^\s\d]))")
_RUN_TOGETHER = re.compile(
    r"(?P<heading>[A-Z][^\s.:;,]*(?:\s[^\s.:;,]+){0,5}?)\s+(?=(?:The|This|These|If|Each|Any|All|In|No|Either|Neither|Upon|During|"
    r"Subject to|Except|Notwithstanding|It|Both|Neither)\s[a-zA-Z])"
)
#: Words of a sentence, not of a title; more of them count where only a space, perhaps a blank, stands behind.
_HAN_SHALL = "(?<![响供对相反适])应(?![急用付对变收聘])|须(?!知)|不得"
_HAN_CLAUSE_WORDS = re.compile(f"{_HAN_SHALL}|[的为是于在由向]$")
_HAN_LEADS = re.compile(f"以下|下列|如下|{_HAN_SHALL}|均|[按有为将在]")
_HAN_SENTENCE = re.compile(f"[，；：。！？（]|{_HAN_SHALL}|后|时|由|按|可|自|将|已|均|需|请|_")
_HAN_CLAUSE_WORDS_SPACED = re.compile(f"{_HAN_SHALL}|[后时由按可在以内自将为是向共于至计从每]|的$")
#: "Address: 1 High Street" is an entry, "Law. It applies" a heading with its sentence; neither is a heading.
_LABELLED = re.compile(
    r"[:：]\s*\S|,?\s[A-Z]{2}\.?,?\s\d{5}(?:-\d{4})?$|,\s*[A-Z][a-z]+ [A-Z]?[a-z]*\s*\d{5}$|"
    r"[A-Za-z]{3,}\.\s+[\"“(]?[A-Z]"
)
_CAPITALS_TO_STOP = re.compile(r"\s[A-Z][A-Z ,&/'’-]{2,60}\.(?=\s|$)")
#: "TECHNOLOGY TRANSFER The documents include …": a title in capitals and the words below it.
_CAPITALS_THEN_WORDS = re.compile(r"[\s.:–—-]*(?:[A-Z][A-Z&,/-]+\s+){2,}[A-Z][a-z]+(?:\s+[a-z]+){2}")
_ATTACHED_TO = re.compile(r"[\s:–—-]*to\b")
_TOKEN = re.compile(r"\S+")
_LONGEST_TITLE = 200
#: Of a title's significant words so many begin with a capital, slips allowed.
_MOSTLY = 0.75
_SPEECH = "\"'“‘"


def heading_after_label(text: str, start: int, end: int, block: Block) -> tuple[str, int]:
    """The heading that follows a clause number, and where the body begins.

    Args:
        text: the canonical text.
        start: offset behind the label.
        end: end of the paragraph.
        block: the paragraph, for what the file says about its look.

    Returns:
        (heading, body_start); ("", start) without one. ``body_start`` equals ``end`` for a paragraph
        that is nothing but number and heading.
    """
    while start < end and (text[start].isspace() or text[start] in "*_:–—-.：．"):
        start += 1
    rest = text[start:end]
    if not rest:
        return "", end
    if start < block.title_end <= end:  # the file's own outline names the heading
        return _clean(text[start : block.title_end]), _skip_marks(text, block.title_end, end)
    if _HAN.search(rest[:20]):
        return _han_heading(text, start, end)
    return _latin_heading(text, start, end, block)


def _skip_marks(text: str, at: int, end: int) -> int:
    while at < end and (text[at].isspace() or text[at] in ".．:：。*_–—-"):
        at += 1
    return at


def _latin_heading(text: str, start: int, end: int, block: Block) -> tuple[str, int]:
    rest = text[start:end]
    if is_heading_line(rest, block.bold or block.centred or block.outline_level >= 0):
        return _clean(rest), end
    match = _RUN_IN.match(text, start, end)
    if match is None or rest[0] in _SPEECH:
        return _unpunctuated(text, start, end)
    heading, stop = match["heading"], match.end()
    if match["stop"] == ":" and heading.isupper() and (second := _CAPITALS_TO_STOP.match(text, stop, end)) is not None:
        heading, stop = text[start : second.end() - 1], second.end()  # "SOLE COMPENSATION: NO MITIGATION."
    if not _is_title(heading) and not (_is_phrase(heading) and _begins_sentence(text, stop, end)):
        return _unpunctuated(text, start, end)
    body = stop
    while body < end and (text[body].isspace() or text[body] in "*_–—"):
        body += 1
    return _clean(heading), body


def schedule_heading(text: str, start: int, end: int) -> tuple[str, int]:
    """The title of an attachment behind its number, and where its text begins (``end`` on a line of its own)."""
    rest = text[start:end]
    if _ATTACHED_TO.match(rest) and len(rest) <= 120:
        return "", end  # "Attachment A to Master Agreement": its title follows
    if len(rest) <= 120 and not _CAPITALS_THEN_WORDS.match(rest):
        return rest.strip(' .:：–—-\t"”'), end
    body = start
    for word in _TOKEN.finditer(text, start, min(end, start + _LONGEST_TITLE)):
        if word.group().upper() != word.group() or not any(character.isalpha() for character in word.group()):
            break
        body = word.end()
    following = _TOKEN.search(text, body, end)
    if following is None or len(text[start:body].strip()) < 3:
        return "", start
    return _clean(text[start:body]), following.start()


def _unpunctuated(text: str, start: int, end: int) -> tuple[str, int]:
    """ "Minimum Purchase The Distributor agrees …": a title run into its sentence without any mark."""
    match = _RUN_TOGETHER.match(text, start, end)
    if match is None or not _is_title(match["heading"]) or len(_WORD.findall(match["heading"])) > 6:
        return "", start
    return _clean(match["heading"]), match.end()


def is_heading_line(line: str, emphasised: bool) -> bool:
    """Whether a whole short line reads as a heading (no sentence, no list item)."""
    line = line.strip(" *_\t")
    words = _WORD.findall(line)
    long = len(words) > _MAX_WORDS or len(line) > 120
    if not words or long or line[-1] in ",;，；、" or _LABELLED.search(line) or not _REAL_WORD.search(line):
        return False
    if _HAN.search(line):
        short = len(line) <= 24 and line[-1] not in "。！？:：" and _HAN_NO_TITLE.search(line) is None
        return short and (emphasised or "，" not in line)
    if any(word.lower() in _VERBS for word in words) and not line.isupper():
        return False
    if (line.endswith(".") and len(words) > 8) or line[0].islower() or line[0] in "{[□☐" or "____" in line:
        return False
    return (
        line.isupper()
        or _is_title(line)
        or (emphasised and len(words) <= 10)
        or (len(words) <= 5 and not line.endswith("."))
    )


def _is_title(phrase: str) -> bool:
    """All significant words begin with a capital (or a digit), and no verb of a sentence is among them."""
    words = _WORD.findall(phrase)
    if not words or len(words) > _MAX_WORDS or not (phrase.lstrip(' "“(*_[')[:1].isupper() or phrase[:1].isdigit()):
        return False
    lowered = [word.lower() for word in words]
    significant = [word for word, lower in zip(words, lowered, strict=True) if lower not in _SMALL_WORDS]
    capital = sum(1 for word in significant if not word[0].islower())
    return bool(significant) and capital >= 0.99 * len(significant) and not ("," in phrase and len(words) > 8)


def _is_phrase(phrase: str) -> bool:
    """A phrase without a verb: short and in sentence case ("Term of agreement"), or nearly a title."""
    words = _WORD.findall(phrase)
    if not phrase[:1].isupper() or "," in phrase or any(word.lower() in _VERBS for word in words):
        return False
    if 1 <= len(words) <= 6 and not any(word.endswith("ed") for word in words[1:]):
        return True
    # "Other professionals and Limited Assumed Obligations": a title with a slip.
    significant = [word for word in words if word.lower() not in _SMALL_WORDS]
    capital = sum(1 for word in significant if word[0].isupper())
    return 2 <= len(words) <= _MAX_WORDS and capital >= _MOSTLY * len(significant)


def _begins_sentence(text: str, at: int, end: int) -> bool:
    while at < end and (text[at].isspace() or text[at] in '"“(*_–—'):
        at += 1
    return at < end and not text[at].islower()


def _han_heading(text: str, start: int, end: int) -> tuple[str, int]:
    line = text[start:end].strip()
    titled = len(line) <= 14 and line[-1] == "。" and _HAN_SENTENCE.search(line[:-1]) is None
    if titled or is_heading_line(line, emphasised=False) or _han_entry(line):
        return line.strip("：:。 \u3000"), end
    match = _HAN_RUN_IN.match(text, start, end)
    clause_words = _HAN_CLAUSE_WORDS if match is not None and match["stop"].strip() else _HAN_CLAUSE_WORDS_SPACED
    if match is None or clause_words.search(match["heading"]):
        return "", start
    body = match.end()
    while body < end and text[body].isspace():
        body += 1
    return match["heading"], body


def _han_entry(line: str) -> bool:
    """ "租赁期限：", "水电费、保洁费和维修费的缴费办法：" are titles; "甲方按以下进度付款：" leads into a list."""
    longest = 26 if "、" in line else 14
    return len(line) <= longest and line[-1] in "：:" and _HAN_LEADS.search(line) is None


def _clean(heading: str) -> str:
    heading = heading.strip(" \t*_.:：—–-")
    return heading[1:-1] if len(heading) > 2 and heading[0] in '"“' and heading[-1] in '"”' else heading
