"""Terminal check: every value in an answer is looked up in the passages that it cites; what is not there is marked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from engine.anchors.extract import extract_from_text
from engine.anchors.model import Anchor, AnchorKind
from engine.protocol.answers import Unsupported

#: Kinds that an answer may not make up.
CHECKED = frozenset(
    {AnchorKind.AMOUNT, AnchorKind.DATE, AnchorKind.PERIOD, AnchorKind.PERCENT, AnchorKind.RATE, AnchorKind.QUANTITY,
     AnchorKind.REFERENCE, AnchorKind.LAW, AnchorKind.COURT, AnchorKind.ARBITRATION}
)  # fmt: skip
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?!\w)")
#: A run of capitalised words: a company or a person. Chinese may stand right before it, so no word boundary.
_NAME = re.compile(
    r"(?<![A-Za-z0-9])(?:[A-Z][\w&.'’-]*)(?:,?\s+(?:(?:of|and|&|de|von|the)\s+(?=[A-Z]))?[A-Z][\w&.'’-]*)+", re.ASCII
)
#: What a sentence begins with before a name.
_BEFORE_NAMES = frozenset(
    re.findall(
        r"\w+",
        "a an the if when where under in on at by for from to of and or but as per since after before until unless "
        "upon both either each any no yes so then thus while although because with without that this these those "
        "it its also according however please note only all",
    )
)
_CHINESE_NAME = re.compile(
    r"[\u3400-\u9fff（）()]{2,30}?(?:有限责任公司|股份有限公司|有限公司|合伙企业|(?:公司|集团|银行|事务所))"
)
_WHOLE_TAIL = re.compile(r"(?:有限责任公司|股份有限公司|有限公司|合伙企业)$")
_SHORT_TAIL = re.compile(r"(?:公司|集团|银行|事务所)$")
#: Characters that stand between a sentence and a name in it. Some names have them too.
_BETWEEN = "为是由向与和的该给对从在及即至于系归让请经自被把将或者方人"
#: What comes before 公司 when it names none.
_NO_NAME = frozenset(
    ("该", "贵", "我", "本", "子", "母", "总", "分", "各", "两", "双方", "目标", "任何", "关联", "上述", "相关",
     "第三方", "开户", "律师", "会计师", "一家", "其他")
)  # fmt: skip
_CITED = re.compile(r"\[(\d+)\]")
_HAN = re.compile(r"[\u3400-\u9fff]")


class Source(NamedTuple):
    """A cited passage: its words, the number of the clause it stands in ("" without), and its document's parties."""

    text: str
    language: str
    clause: str = ""
    names: tuple[str, ...] = ()


def check_answer(answer: str, sources: Sequence[Source]) -> list[Unsupported]:
    """The values in ``answer`` that the sources do not have, in order.

    A reference is supported when a source mentions that clause or stands in it. Marks of citation (``[2]``) are
    left alone as long as there is such a source.
    """
    language = "zh" if _HAN.search(answer) else "en"
    # A mark of citation right behind a value would be read as part of it; blanks keep every span where it is.
    text = _CITED.sub(lambda mark: _blank(mark, len(sources)), answer)
    held = _held(sources)
    found: list[Unsupported] = []
    covered: list[tuple[int, int]] = []
    for anchor in extract_from_text(text, language):
        if anchor.kind not in CHECKED:
            continue
        covered.append((anchor.start, anchor.end))
        if not _supported(anchor, held, sources):
            found.append(Unsupported(anchor.kind.value, anchor.value, anchor.start, anchor.end))
    found += _bare_numbers(text, sources, covered)
    found += _unknown_names(text, sources, covered)
    return sorted(found, key=lambda each: (each.start, each.end))


def count_values(answer: str) -> int:
    """How many values and names of an answer are looked up by :func:`check_answer`."""
    return len(check_answer(_CITED.sub(lambda mark: " " * len(mark.group()), answer), ()))


def _blank(mark: re.Match[str], count: int) -> str:
    return " " * len(mark.group()) if 1 <= int(mark.group(1)) <= count else mark.group()


def _held(sources: Sequence[Source]) -> set[tuple[AnchorKind, str]]:
    held: set[tuple[AnchorKind, str]] = set()
    for source in sources:
        for anchor in extract_from_text(source.text, source.language):
            held.add((anchor.kind, anchor.value))
            # "thirty-five (30) days" says both; an answer may repeat either.
            held.update((anchor.kind, other) for key, other in anchor.detail.items() if key in ("words", "figures"))
    return held


def _supported(anchor: Anchor, held: set[tuple[AnchorKind, str]], sources: Sequence[Source]) -> bool:
    if (anchor.kind, anchor.value) in held:
        return True
    if anchor.kind is AnchorKind.REFERENCE:
        return any(_names_clause(anchor.value, source.clause) for source in sources if source.clause)
    if "|" in anchor.value:
        return any((anchor.kind, reading) in held for reading in anchor.value.split("|"))
    # The same words are the same value, whatever they were read as.
    return False


def _names_clause(value: str, clause: str) -> bool:
    """Whether a reference's value is the clause of that number, or one that it lies in (``clause:4`` for 4.2(a))."""
    read = [*extract_from_text(clause, "zh"), *extract_from_text(f"Section {clause}", "en")]
    values = {anchor.value for anchor in read if anchor.kind is AnchorKind.REFERENCE}
    return any(own == value or own.startswith((value + ".", value + "(")) for own in values)


def _bare_numbers(answer: str, sources: Sequence[Source], covered: list[tuple[int, int]]) -> list[Unsupported]:
    """Figures that are no anchor of a known kind: they must stand in a source as they are."""
    known = {match.group().replace(",", "") for source in sources for match in _NUMBER.finditer(source.text)}
    known |= {match.group() for source in sources for match in re.finditer(r"\d+", source.clause)}
    return [
        Unsupported("number", match.group(), *match.span())
        for match in _NUMBER.finditer(answer)
        if match.group().replace(",", "") not in known and not _touches(*match.span(), covered)
    ]


def _unknown_names(answer: str, sources: Sequence[Source], covered: list[tuple[int, int]]) -> list[Unsupported]:
    """Names of parties that neither a passage nor its document has."""
    names = {_folded(name) for source in sources for name in source.names}
    known = _folded(" ".join([*(s.text for s in sources), *names]))
    out = []
    for match in _NAME.finditer(answer):
        start = match.start() + _lead(match.group())
        words = answer[start : match.end()]
        if " " in words and not _all_known(words, known) and not _touches(start, match.end(), covered):
            out.append(Unsupported("party", words, start, start + len(words)))
    for match in _CHINESE_NAME.finditer(answer):
        if _touches(*match.span(), covered) or _is_known_chinese(match.group(), names, known):
            continue
        out.append(Unsupported("party", match.group(), *match.span()))
    return out


def _lead(run: str) -> int:
    """How much of a run of capitalised words is a sentence's beginning ("If Alpha Valves")."""
    at = 0
    for word in re.finditer(r"\S+\s+", run):
        if word.group().strip(" ,").lower() not in _BEFORE_NAMES:
            break
        at = word.end()
    return at


def _all_known(words: str, known: str) -> bool:
    """Whether a run is in the sources, or two names that are, joined ("Alpha Valves and the Buyer")."""
    if _folded(words) in known:
        return True
    parts = [part for part in re.split(r"\s+(?:and|&|of)\s+(?:the\s+)?|,\s+", words) if part]
    return len(parts) > 1 and all(_folded(part) in known for part in parts)


def _is_known_chinese(run: str, names: set[str], known: str) -> bool:
    """Whether a run of characters ends with a name of the sources, or names nobody (该公司)."""
    folded = _folded(run)
    if folded in known or any(folded.endswith(name) for name in names if len(name) >= 4):
        return True
    cuts = [i + 1 for i, character in enumerate(run) if character in _BETWEEN]
    for cut in cuts:
        # In the source it must begin there too: 和平公司 is not known because 北京和平公司 is.
        if re.search(rf"(?:^|[^\u3400-\u9fff]|[{_BETWEEN}]){re.escape(_folded(run[cut:]))}", known) and (
            len(run) - cut >= 4
        ):
            return True
    if _WHOLE_TAIL.search(run):
        return _WHOLE_TAIL.sub("", run[max(cuts, default=0) :]) == ""
    left = _SHORT_TAIL.sub("", run)
    left = left[max((i + 1 for i, c in enumerate(left) if c in _BETWEEN), default=0) :]
    return len(left) < 2 or left in _NO_NAME or any(left.endswith(each) for each in _NO_NAME)


def _folded(text: str) -> str:
    return re.sub(r"[\s.,，。()（）]+", " ", text).strip().casefold()


def _touches(start: int, end: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start < b and a < end for a, b in spans)
