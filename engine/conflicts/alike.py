"""Two passages with nearly the same words: which are not the same, and whether that tells their subjects apart."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

from engine.anchors.model import AnchorKind
from engine.conflicts.norms import Modality
from engine.conflicts.scope import PARTIES, PARTIES_ZH
from engine.conflicts.units import VALUE_KINDS, Unit
from engine.conflicts.words import Token, content_tokens, is_content
from engine.document import ClauseKind

#: From this share of common words on, in order and without values, two sentences are one pattern.
ONE_PATTERN = 0.7
#: Words that were exchanged are at most so many on each side: more is another sentence.
MOST_EXCHANGED = 5
#: Longer sentences are not compared word by word, which costs the square of their length: a pattern is short.
MOST_COMPARED = 150
#: Lines of one table stand within so many units of each other, and share this much of their words without values.
TABLE_REACH, ONE_LINE = 250, 0.85
#: Conditions that share less than this part of the shorter one's words are two.
CONDITION_SHARED, CONDITION_SHARED_ZH = 0.67, 0.5

#: Words that change nothing.
_LITTLE = frozenset((
    "however", "clarity", "clarification", "avoidance", "doubt", "furthermore", "moreover", "accordingly",
    "additionally", "addition", "applicable", "respective", "relevant", "certain", "namely", "thereto", "thereof",
    "hereunder", "selected", "described", "aforementioned", "aforesaid",
))  # fmt: skip
#: Words that are often put for each other: that one is exchanged tells nothing.
_SYNONYMS = frozenset((
    "bear", "bears", "attract", "attracts", "accrue", "accrues", "carry", "carries", "incur", "incurs", "pay", "pays",
    "paid", "payable", "remit", "settle", "settled", "due", "provide", "supply", "furnish", "deliver", "give", "begin",
    "commence", "start", "end", "ends", "expire", "expires", "terminate", "aggregate", "total", "overall", "maximum",
    "limited", "capped", "exceed", "obtain", "maintain", "keep", "written", "writing", "prior", "receipt", "receiving",
))  # fmt: skip
_LITTLE_ZH = re.compile(r"特此|但是?|此外|另外|同时|相应|上述|前述|该等|盖章|签字|签章|签名|公章|（|）|\(|\)")
_OUGHT = re.compile("应当")
_WRITTEN = re.compile(r"\w")
_PRONOUNS = frozenset(
    ("we", "us", "our", "you", "your", "they", "them", "their", "it", "its", "he", "she", "his", "her")
)
#: "only" beside a permission, an exception behind a prohibition.
_ONLY = re.compile(r"\b(?:only|solely|exclusively)\b|仅|只", re.IGNORECASE)
_ONLY_THEN = re.compile(r"方可|才可|才能|方能|方有权|\bonly\b|\bsolely\b|\bexclusive", re.IGNORECASE)
_EXCEPT = re.compile(
    r"\b(?:except|other than|unless|save|beyond|for (?:any|no) (?:other )?purposes?|without)\b|除|未经|以外|之外|超出",
    re.IGNORECASE,
)
#: A condition that names a case; "after receipt" says when a time begins.
_CASE = re.compile(
    r"(?:if|unless|provided|in the event|in case|where|when(?:ever)?|should|only if|to the extent|so long as|"
    r"as long as)\b",
    re.IGNORECASE,
)
#: A Chinese case of a list, with an example behind it: 因不可抗力……的（如政府征用）；
_CASE_ITEM_ZH = re.compile(r"的[（(][^（）()]{1,30}[）)]\s*[；;。，,]?\s*$")
#: All cases but one.
_ALL_BUT = re.compile(
    r"\b(?:reasons?|causes?|events?|cases?|circumstances?) other than\b|\bexcept (?:by|due to|because of|where|if)\b|"
    r"\bfor any other reason\b|\bnot (?:due to|caused by|attributable to|because of)\b|"
    r"非(?=因|由|属)|以外的?(?:原因|情形|事由)|除[^，。；]{2,20}外",
    re.IGNORECASE,
)
_LIABILITY = re.compile(
    r"liab\w*|responsib\w*|indemn\w*|compensat\w*|reimburs\w*|damages|责任|赔偿|负责|承担|补偿|维修费", re.IGNORECASE
)
#: Words that exclude liability: "shall not be liable", 不承担责任.
_NOT_LIABLE = re.compile(
    r"(?:not|no|neither)\s+(?:be\s+|in any (?:way|event)\s+)*(?:liable|liability)|"
    r"不(?:承担|负)(?:任何|一切|相关|由此产生的|违约|赔偿|法律)*的?责任|概不负责|免(?:除|于)[^，。；]{0,8}责任",
    re.IGNORECASE,
)
#: A sentence never ends so.
_BREAKS_OFF = re.compile(
    r"\b(?:the|an?|each|every|of|and|or|to|in|by|for|with|from|any|such|its|their|this|that|which|within|under)\s*$",
    re.IGNORECASE,
)
#: Who stands opposite to whom; each line holds two sides.
_SIDES = (
    ("buyer purchaser customer client subscriber user recipient owner company principal employer",
     "seller vendor supplier contractor subcontractor consultant provider manufacturer developer carrier employee"),
    ("landlord lessor", "tenant lessee"), ("licensor", "licensee sublicensee"), ("franchisor", "franchisee"),
    ("lender bank", "borrower"), ("discloser disclosing", "recipient receiving"),
    ("supplier manufacturer", "distributor reseller"), ("publisher", "author"), ("principal", "agent"),
)  # fmt: skip
_SIDES_ZH = (
    "甲方 乙方", "甲方 丙方", "乙方 丙方", "出租人|出租方 承租人|承租方", "供方 需方", "披露方 接收方", "贷款人 借款人",
    "买方|买受人|买受方 卖方|出卖人|出卖方", "委托人|委托方 受托人|受托方|代理商", "发包人|发包方 承包人|承包方",
    "许可人|许可方 被许可人|被许可方", "转让人|转让方 受让人|受让方", "定作人 承揽人", "托运人 承运人", "寄存人 保管人",
    "用人单位 劳动者", "公司 员工", "房东 租客", "供货方|供应商 采购方|需求方",
)  # fmt: skip


def _unvalued(unit: Unit) -> list[Token]:
    """Its words without its values."""
    values = [(a.start, a.end) for a in unit.anchors if a.kind in VALUE_KINDS]
    return [t for t in unit.tokens if not any(start < t.end and t.start < end for start, end in values)]


def exchanged_words(a: Unit, b: Unit) -> tuple[str, str]:
    """The first words that stand for each other in two sentences of one pattern (firm, interruptible), else "", ""."""
    first, second = _unvalued(a), _unvalued(b)
    if not 4 <= len(first) <= MOST_COMPARED or len(second) > MOST_COMPARED:
        return "", ""
    matcher = difflib.SequenceMatcher(None, [t.lower for t in first], [t.lower for t in second], autojunk=False)
    if matcher.quick_ratio() < ONE_PATTERN or matcher.ratio() < ONE_PATTERN:
        return "", ""
    for kind, low, high, other_low, other_high in matcher.get_opcodes():
        if kind != "replace" or max(high - low, other_high - other_low) > MOST_EXCHANGED:
            continue
        mine, theirs = first[low:high], second[other_low:other_high]
        if _tells(mine, theirs) and _tells(theirs, mine):
            return _words(a, mine), _words(b, theirs)
    return "", ""


def _tells(mine: list[Token], theirs: list[Token]) -> bool:
    """Whether these words say something that those do not, and not in another form."""
    stems = {token.stem for token in theirs}
    own = [t for t in mine if is_content(t) and not t.lower[0].isdigit() and t.stem not in stems]
    return any(t.lower not in _LITTLE and t.lower not in _SYNONYMS for t in own)


def _words(unit: Unit, tokens: list[Token]) -> str:
    return " ".join(unit.text[tokens[0].start : tokens[-1].end].split())


def same_but_for_little(a: Unit, b: Unit) -> bool:
    """Whether two sentences are one but for words that change nothing."""
    cues = [unit.text[slice(*unit.norm.cue)].lower().replace("will", "shall") for unit in (a, b)]
    if a.norm.modality is not b.norm.modality or cues[0] != cues[1]:
        return False
    if a.chinese and b.chinese:
        plain = [_LITTLE_ZH.sub("", "".join(t.lower for t in unit.tokens)) for unit in (a, b)]
        return plain[0] == plain[1]
    left = [
        [t.stem for t in unit.tokens if is_content(t) and t.lower not in _LITTLE and t.lower not in _PRONOUNS]
        for unit in (a, b)
    ]
    return left[0] == left[1]


def conditions_differ(a: Unit, b: Unit) -> bool:
    """Whether each condition has words of its own and they share few."""
    conditions = []
    for unit in (a, b):
        low, high = unit.norm.condition
        conditions.append({t.stem for t in content_tokens(unit.tokens) if low <= t.start and t.end <= high})
    first, second = conditions
    least = min(len(first), len(second))
    # 应当在十日内 has no 当…时 in it, though it looks so.
    opened = all((unit.chinese and not _OUGHT.match(unit.text, max(0, unit.norm.condition[0] - 1))) or
                 _CASE.match(unit.text, unit.norm.condition[0]) for unit in (a, b))  # fmt: skip
    if least < 2 or not opened or not first - second or not second - first:
        return False
    return len(first & second) < (CONDITION_SHARED_ZH if a.chinese else CONDITION_SHARED) * least


def restricts(permission: Unit, ban: Unit) -> bool:
    """Whether one permits nothing but this and the other forbids all but that."""
    if permission.norm.modality is not Modality.MAY or ban.norm.modality is not Modality.MUST_NOT:
        return False
    return _ONLY.search(permission.text) is not None and _EXCEPT.search(ban.text) is not None


def bans_too(a: Unit, b: Unit) -> bool:
    """Whether a duty goes on to forbid, and the other forbids: 应当保密，不得公开 beside 不得披露."""
    if frozenset((a.norm.modality, b.norm.modality)) != frozenset((Modality.MUST, Modality.MUST_NOT)):
        return False
    duty, ban = (a, b) if a.norm.modality is Modality.MUST else (b, a)
    if all(kind is not Modality.MUST_NOT for kind, _, _ in duty.norm.cues):
        return False
    # What must be done is not what must not.
    acts = [{t.stem for t in content_tokens(unit.tokens) if t.start >= unit.norm.act[0]} for unit in (duty, ban)]
    first = [_first_act(duty), _first_act(ban)]
    return bool(first[0] and first[1]) and first[0] not in acts[1] and first[1] != first[0]


def _first_act(unit: Unit) -> str:
    return next((t.stem for t in content_tokens(unit.tokens) if t.start >= unit.norm.act[0]), "")


def acting_parties(a: Unit, b: Unit) -> tuple[str, str] | tuple[()]:
    """The parties whose acts the two passages start from, when they stand opposite to each other."""
    first, second = (_trigger_parties(unit) for unit in (a, b))
    if len(first) != 1 or len(second) != 1 or first == second:
        return ()
    (x,), (y,) = first, second
    return (x, y) if _opposite(x, y) else ()


def begins_with_case(unit: Unit) -> bool:
    """Whether a passage says first when it applies; a plain statement may do so, too."""
    low, high = unit.norm.condition
    first = unit.tokens[0].start if unit.tokens else 0
    return high > low and (unit.norm.leading or low <= first)


def _trigger_parties(unit: Unit) -> set[str]:
    """Who acts in the words that say when a passage applies; the first party named there."""
    low, high = unit.norm.condition
    if not begins_with_case(unit):
        return set()
    words = unit.text[low:high]
    if unit.chinese:
        # Who is named later in it suffers what happens, or is told of it.
        match = PARTIES_ZH.match(words.lstrip("如若果倘一旦因当在"))
        return {match.group()} if match else set()
    named = [(a.start, a.value.casefold()) for a in unit.values(AnchorKind.PARTY) if low <= a.start < high]
    named += [(t.start, t.lower) for t in unit.tokens if low <= t.start < high and t.lower in PARTIES]
    return {min(named)[1]} if named else set()


def _opposite(x: str, y: str) -> bool:
    if not x or not y:
        return False
    lines = [line.split() for line in _SIDES_ZH] if not x.isascii() else [list(sides) for sides in _SIDES]
    split = "|" if not x.isascii() else " "
    return any(
        (x in left.split(split) and y in right.split(split)) or (y in left.split(split) and x in right.split(split))
        for left, right in lines
    )


def lines_of_one_table(a: Unit, b: Unit) -> bool:
    """Whether two unnumbered lines near each other, which bind nobody by themselves, differ in their values alone."""
    first, second = a.first.clause, b.first.clause
    if first is None or second is None or a.first.document != b.first.document:
        return False
    kinds = (ClauseKind.ITEM, ClauseKind.PARAGRAPH, ClauseKind.TABLE_ROW)
    plain = first is second or all(c.kind in kinds and not _WRITTEN.search(c.label) for c in (first, second))
    states = all(unit.norm.cue == (0, 0) for unit in (a, b))
    if not plain or not states or abs(a.order - b.order) > TABLE_REACH:
        return False
    words = [[t.lower for t in _unvalued(unit) if not t.lower[0].isdigit()] for unit in (a, b)]
    if max(map(len, words)) > MOST_COMPARED:
        return False
    return difflib.SequenceMatcher(None, words[0], words[1], autojunk=False).ratio() >= ONE_LINE


def case_item(unit: Unit) -> bool:
    """Whether a Chinese passage is a case with an example in brackets, and no rule."""
    return unit.chinese and _CASE_ITEM_ZH.search(unit.text) is not None


def all_but(rest: Unit, case: Unit) -> bool:
    """Whether ``rest`` holds in all cases but that of ``case``: "a cause other than the architect", "the architect"."""
    low, high = rest.norm.condition
    own_low, own_high = case.norm.condition
    if high <= low or own_high <= own_low or _ALL_BUT.search(case.text, own_low, own_high):
        return False
    match = _ALL_BUT.search(rest.text, low, high)
    if match is None:
        return False
    named = {t.stem for t in content_tokens(rest.tokens) if match.end() <= t.start < high}
    theirs = {t.stem for t in content_tokens(case.tokens) if own_low <= t.start < own_high}
    return bool(named) and 3 * len(named & theirs) >= 2 * len(named)


def plain_permission(unit: Unit) -> bool:
    """Whether a passage permits, and neither forbids something besides nor permits only under a condition."""
    forbids = any(kind in (Modality.MUST_NOT, Modality.NOT, Modality.NEED_NOT) for kind, _, _ in unit.norm.cues)
    return unit.norm.modality is Modality.MAY and not forbids and _ONLY_THEN.search(unit.text) is None


def excludes_liability(a: Unit, b: Unit) -> bool:
    """Whether one is a duty that is no liability and the other only excludes liability."""
    if frozenset((a.norm.modality, b.norm.modality)) != frozenset((Modality.MUST, Modality.NEED_NOT)):
        return False
    duty, free = (a, b) if a.norm.modality is Modality.MUST else (b, a)
    return _NOT_LIABLE.search(free.text) is not None and _LIABILITY.search(duty.text) is None


def _actor(unit: Unit) -> str:
    """The party that is bound, as it is usually called, else ""."""
    low, high = unit.norm.bearer
    if unit.chinese:
        found = [m.group() for m in PARTIES_ZH.finditer(unit.text, low, high)]
    else:
        found = [t.lower for t in unit.tokens if low <= t.start < high and t.lower in PARTIES]
    return found[-1] if found else ""


def opposite_actors(a: Unit, b: Unit) -> bool:
    """Whether they bind parties that stand opposite to each other: buyer and seller, 甲方 and 乙方."""
    return _opposite(_actor(a), _actor(b))


def breaks_off(unit: Unit) -> bool:
    """Whether a sentence ends in the middle, as lines of broken tables do."""
    return not unit.chinese and _BREAKS_OFF.search(unit.text) is not None


def undone(a: Unit, b: Unit, opposites: Sequence[tuple[str, str]]) -> bool:
    """One must be done and its opposite must not: "shall return the papers" beside "shall not keep the papers".

    Args:
        opposites: the opposed words of the two, a's first.
    """
    if frozenset((a.norm.modality, b.norm.modality)) != frozenset((Modality.MUST, Modality.MUST_NOT)):
        return False
    heads = [_head(a), _head(b)]
    return any((x in heads[0] and y in heads[1]) or (y in heads[0] and x in heads[1]) for x, y in opposites)


def _head(unit: Unit) -> str | tuple[str, ...]:
    """How an act begins: its first words, or characters."""
    start = unit.norm.act[0]
    if unit.chinese:
        return unit.text[start : start + 8]
    return tuple(token.stem for token in unit.tokens if token.start >= start)[:2]
