"""A sentence in plain words becomes entries of a knowledge pack, with a preview for the person before anything is kept.

Forms, in English and in Chinese (quotation marks may be left out where the words are clear without):

- ``"Vendor" means the same as "Supplier" and "Merchant"`` · ``“卖方”与“供货方”同义``
- ``"exclusive" excludes "non-exclusive" for licence`` · ``“独家”与“非独家”不能并存（许可）``
- ``A deposit must not exceed 20 % (Civil Code, Article 586)`` · ``定金不得超过20%（民法典第五百八十六条）``
- ``"in no event" overrides`` · ``“以本附件为准”优先``
- ``"no liability for death" is void (Unfair Contract Terms Act 1977, s 2)`` · ``“概不负责”无效（民法典第五百零六条）``
"""

from __future__ import annotations

import re
from typing import NamedTuple

from engine.anchors.extract import extract_from_text
from engine.anchors.model import AnchorKind
from engine.states.knowledge import Knowledge
from engine.states.knowledge_pack import Concept, Entry, Exclusive, Limit, Precedence, Void

_HAN = re.compile(r"[\u3400-\u9fff]")
_SOURCE = re.compile(r"[（(]([^（）()]{4,120})[)）]\s*[.。]?\s*$")
_QUOTED = re.compile(r"[\"“「『']([^\"”」』']{1,80})[\"”」』']")
_SAME = re.compile(
    r"^(?P<first>.+?)\s+(?:means the same as|is the same as|is another word for|equals)\s+(?P<rest>.+)$"
    r"|^(?P<zh>.+?)(?:是同义词|同义|是同一概念|指同一概念|含义相同|意思相同)$",
    re.IGNORECASE,
)
_EXCLUDE = re.compile(
    r"^(?P<a>.+?)\s+(?:excludes?|cannot stand with|contradicts?|rules out)\s+(?P<b>.+?)(?:\s+for\s+(?P<about>.+))?$"
    r"|^(?P<az>.+?)[与和同](?P<bz>.+?)(?:不能并存|互相排斥|相互排斥|不能同时成立|互斥|矛盾)(?:[（(](?P<aboutz>.+?)[）)])?$",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"^(?:the |an? )?(?P<subject>.+?)\s+(?:must not|may not|shall not|cannot)\s+(?:exceed|be (?:more|longer) than)\s+\S"
    r"|^(?:the |an? )?(?P<least>.+?)\s+(?:must|shall)\s+(?:be at least|not be less than|be no less than)\s+\S"
    r"|^(?P<subjectz>.+?)(?:最长|最高|最多)?不得?(?:超过|高于|多于)|^(?P<leastz>.+?)不得?(?:低于|少于)",
    re.IGNORECASE,
)
_EFFECT = re.compile(
    r"^(?P<phrase>.+?)\s+(?P<effect>overrides|yields|prevails|replaces)$|^(?P<phrasez>.+?)(?P<effectz>优先|让位|取代)$",
    re.IGNORECASE,
)
_VOID = re.compile(r"^(?P<phrase>.+?)\s+(?:is|are)\s+void$|^(?P<phrasez>.+?)(?:的约定)?无效$", re.IGNORECASE)
_EFFECTS_ZH = {"优先": "prevails", "让位": "yields", "取代": "replaces"}


class RuleError(Exception):
    """A sentence is none of the forms; the message says which form it comes nearest to."""


class Preview(NamedTuple):
    """What a sentence would add: entries, and what they mean in a sentence each."""

    entries: tuple[Entry, ...]
    meaning: tuple[str, ...]


def _names(words: str) -> tuple[str, ...]:
    quoted = _QUOTED.findall(words)
    if not quoted:
        quoted = re.split(r"\s*(?:,|;|、|，|\band\b|\bor\b|与|和|及|或)\s*", words)
    return tuple(dict.fromkeys(name.strip() for name in quoted if name.strip()))


def _name(words: str) -> str:
    quoted = _QUOTED.search(words)
    return (quoted.group(1) if quoted else words).strip(" \"'“”「」")


def _id(words: str) -> str:
    return re.sub(r"[^\w]+", "_", words.lower()).strip("_")[:60]


def build_entries(sentence: str, knowledge: Knowledge) -> Preview:
    """The entries of a plain sentence.

    Args:
        sentence: one rule, in one of the forms of the module's docstring.
        knowledge: packs that are there already: names of a known concept are added to that one.

    Raises:
        RuleError: none of the forms, or a part of it is missing.
    """
    text = " ".join(sentence.split()).rstrip("。.")
    source = _SOURCE.search(text)
    bare = text[: source.start()].rstrip(" 。.") if source else text
    for read in (_concept, _exclusive, _limit, _void, _precedence):
        found = read(text if read is _exclusive else bare, source.group(1) if source else "", knowledge)
        if found is not None:
            return found
    raise RuleError(
        "this sentence is none of the rules that can be read; say that names mean the same, that words exclude each "
        "other, that a value must not exceed a limit (with the statute), that a phrase prevails, or that words are void"
    )


def _concept(text: str, _source: str, knowledge: Knowledge) -> Preview | None:
    match = _SAME.match(text)
    if not match:
        return None
    names = _names(match["zh"]) if match["zh"] else (_name(match["first"]), *_names(match["rest"]))
    names = tuple(dict.fromkeys(names))
    if len(names) < 2:
        raise RuleError("a rule about names needs at least two of them")
    known = [concept for name in names if (concept := knowledge.concept_of(name))]
    if len(set(known)) > 1:
        raise RuleError(f"these names stand for different things already: {', '.join(sorted(set(known)))}")
    concept = known[0] if known else _id(names[0])
    meaning = f"{' = '.join(names)} (concept {concept}{', known already' if known else ''})"
    return Preview((Concept(concept, "own", names),), (meaning,))


def _exclusive(text: str, _source: str, _knowledge: Knowledge) -> Preview | None:
    match = _EXCLUDE.match(text)
    if not match:
        return None
    a, b = _names(match["a"] or match["az"]), _names(match["b"] or match["bz"])
    if {x.lower() for x in a} & {x.lower() for x in b}:
        raise RuleError("the same words stand on both sides")
    about = "|".join(_names(match["about"] or match["aboutz"] or ""))
    entry = Exclusive(_id(f"{a[0]} {b[0]}"), a, b, (about,) if about else ())
    where = f", where both texts speak of {about.replace('|', ' or ')}" if about else ""
    return Preview((entry,), (f"{' / '.join(a)} cannot stand with {' / '.join(b)}{where}",))


def _limit(text: str, source: str, _knowledge: Knowledge) -> Preview | None:
    match = _LIMIT.match(text)
    if not match:
        return None
    subject = _name(match["subject"] or match["least"] or match["subjectz"] or match["leastz"])
    bound = "at_least" if match["least"] or match["leastz"] else "at_most"
    values = extract_from_text(text, "zh" if _HAN.search(text) else "en")
    value = next((a for a in values if a.kind in (AnchorKind.PERCENT, AnchorKind.PERIOD)), None)
    if value is None:
        raise RuleError("the limit's value could not be read; write a percentage (20 %) or a period (20 years)")
    if not source:
        raise RuleError("a limit needs its source in brackets at the end: (Civil Code, Article 586)")
    entry = Limit(_id(subject), (subject,), value.kind, bound, value.value, source, text, (), ())
    side = "at most" if bound == "at_most" else "at least"
    return Preview((entry,), (f"{subject}: {side} {value.value}, by {source}",))


def _void(text: str, source: str, _knowledge: Knowledge) -> Preview | None:
    match = _VOID.match(text)
    if not match:
        return None
    if not source:
        raise RuleError("a rule that makes words void needs its source in brackets at the end")
    phrase = _name(match["phrase"] or match["phrasez"])
    return Preview((Void(_id(phrase), (phrase,), source, text, ()),), (f"“{phrase}” is void, by {source}",))


def _precedence(text: str, _source: str, _knowledge: Knowledge) -> Preview | None:
    match = _EFFECT.match(text)
    if not match:
        return None
    phrase = _name(match["phrase"] or match["phrasez"])
    effect = match["effect"].lower() if match["effect"] else _EFFECTS_ZH[match["effectz"]]
    return Preview((Precedence(_id(phrase), effect, (phrase,)),), (f"“{phrase}” {effect}",))
