"""A sentence taken apart as a norm: who must, may or must not do what, and under which condition.

Rules over words, in two tables: :data:`ENGLISH` and :data:`CHINESE` list how a duty, a permission, a prohibition
and a freedom from duty are said. The first that stands in the main clause decides; the words before it are the
bearer, those after it the act. A sentence without any is a statement ("Title passes on delivery").
"""

from __future__ import annotations

import enum
import re
from typing import NamedTuple


class Modality(enum.StrEnum):
    """What a norm does to an act."""

    MUST = "must"
    MAY = "may"
    MUST_NOT = "must_not"
    NEED_NOT = "need_not"
    STATEMENT = "statement"
    NOT = "not"


#: What could turn out so and is not forbidden: "this provision may not be enforceable".
_PERHAPS_NOT = (
    r"may not be (?:able|accurate|applicable|available|complete|enforceable|possible|protectable|sufficient|suitable|"
    r"unique|valid)\b"
)

#: How English says it; tried in this order at each place, so that longer phrases win.
ENGLISH: tuple[tuple[Modality, str], ...] = (
    (
        Modality.NEED_NOT,
        (
            r"(?:shall|will|is|are|be|does|do|would|should|may) not (?:be |have )?(?:been )?(?:required|obligated|"
            r"obliged|responsible|liable|bound|need)\b|(?:(?:shall|will|may) )?(?:is|are|be) (?:relieved|released|"
            r"excused|discharged|exempt(?:ed)?) (?:of|from)\b|need not\b|(?:(?:shall|will) )?(?:has|have|had|bears?|"
            r"assumes?|be under|is under|are under|it is) (?:absolutely )?(?:no|not an|not any) (?:further |such |"
            r"other )?(?:obligation|duty|responsibility|liability)|(?:is|are|shall be|will be) (?:not|neither|"
            r"in no way|under no obligation to)\s?(?:responsible|liable|obligated|required|obliged)?|may (?:refuse|"
            r"decline|omit|elect not|choose not)\b|no (?:obligation|duty|responsibility|liability)\b"
        ),
    ),
    (
        Modality.MUST_NOT,
        (
            rf"(?!{_PERHAPS_NOT})(?:shall|will|may|must|can|should|would) (?:also |only |further |hereby )?(?:not|"
            r"never|in no (?:event|way|case)|under no circumstances?)\b|cannot\b|can't\b|won't\b|shan't\b|"
            r"(?:(?:shall|will) )?(?:is|are|be) (?:prohibited|forbidden|barred|precluded|restricted) from\b|(?:is|are|"
            r"be|shall be|will be) not (?:permitted|entitled|allowed|authorized|authorised)\b|"
            r"(?:(?:shall|will) )?(?:has|have) no (?:right|authority|power|entitlement)\b|agrees? (?:not|never) to\b|"
            r"(?:does|do|did) not agree\b|refrains? from\b|not to\b"
        ),
    ),
    (
        Modality.MAY,
        (
            r"may\b(?! \d)|can\b|might\b|could\b|(?:(?:shall|will) )?(?:is|are|be) (?:hereby |also )?(?:entitled|"
            r"permitted|allowed|authorized|authorised|free) to\b|(?:(?:shall|will) )?(?:has|have) (?:the|a) (?:sole |"
            r"exclusive |absolute |unrestricted )?(?:right|option|discretion)\b|reserves? the (?:right|option)\b|"
            r"at (?:its|their|his) (?:sole )?(?:option|discretion|election)\b"
        ),
    ),
    (
        Modality.MUST,
        (
            r"shall\b|will\b|must\b|ought to\b|should\b|agrees? (?:to|that)\b|undertakes? to\b|covenants? (?:to|"
            r"that)\b|(?:is|are|be) (?:required|obligated|obliged|responsible|bound|liable)\b|ha(?:s|"
            r"ve) (?:an? )?(?:obligation )?to\b|(?:has|have) (?:the|a) (?:duty|obligation|responsibility)\b|(?:is|"
            r"are) to\b"
        ),
    ),
    (
        Modality.NOT,
        r"(?:is|are|does|do|has|have|was|were) (?:not|never)\b|no longer\b",
    ),
)

#: How Chinese says it.
CHINESE: tuple[tuple[Modality, str], ...] = (
    (
        Modality.NEED_NOT,
        (
            r"无需|无须|不必|毋需|毋须|不需要?|可以?不|有权拒绝|可以?拒绝|不承担|不负(?:责|有|担)?|无义务|没有义务|"
            r"免于|免除|概不负责|不再承担"
        ),
    ),
    (
        Modality.MUST_NOT,
        r"不得|禁止|严禁|不可(?!抗力|撤销|分割)|不应当?|不能|无权|没有权利|不允许|未经[^，。；]{1,20}不",
    ),
    (
        Modality.MAY,
        r"(?<!所)有权(?!益|属)|可以|可(?!能|行|靠|知|见|用|供|抗)|得以|享有[^，。；]{0,8}权利?|允许|自行决定|自主",
    ),
    (
        Modality.MUST,
        (
            r"应当|应该|必须|须(?!知)|应(?!收|付款|急|用|答|税)|有义务|负责|负有|承担|保证|承诺|需(?!求)|不得不|务必|"
            r"同意(?!书)"
        ),
    ),
    (
        Modality.NOT,
        r"不(?!动产|可抗力|同|足|良|仅|但|论|管)|没有|未(?!来)|非(?!法)",
    ),
)

# One \b for all, so that a place within a word is looked at once.
_ENGLISH = re.compile(rf"\b(?:{'|'.join(f'(?P<{m.name}>{p})' for m, p in ENGLISH)})", re.IGNORECASE)
_HAN = re.compile("[\u3400-\u9fff]")
_CHINESE = re.compile("|".join(f"(?P<{m.name}>{p})" for m, p in CHINESE))

#: Where a condition begins.
CONDITION = re.compile(
    r"\b(?:if|unless|until|provided (?:that|however)|provided, however|in the event|in case|where|when(?:ever)?|should|"
    r"upon|only (?:if|when|to the extent)|to the extent|subject to|except|so long as|as long as|on condition|"
    r"other than|after|before|prior to)\b",
    re.IGNORECASE,
)
CONDITION_ZH = re.compile(
    r"除非|除[^，。；]{1,30}外|如果|如(?![下实期何])|若|倘若?|一旦|"
    r"在[^，。；]{1,24}(?:情况下|情形下|条件下|前提下)|当[^，。；]{1,24}时|"
    r"只有|仅在|但书|直到|[^，。；]{2,24}的，|经[^，。；]{1,20}同意|未经"
)

_LEADING = re.compile(
    r"\W*(?:\(?\w{1,3}[.)]\s+)?(?:if|unless|in the event|in case|where|when(?:ever)?|should|upon|to the extent|"
    r"subject to|except|so long as|as long as|provided|notwithstanding|until|after|before|prior to|during|"
    r"as soon as)\b[^,;]*,",
    re.IGNORECASE,
)
_LEADING_ZH = re.compile(
    r"\W*(?:(?:如果?|若|倘若?|除非|一旦|当|在|未经|经|除|自|因)[^；。，]*?，|[^，。；]{2,30}的，|"
    r"[^，。；]{2,16}(?:期间|期内|期满|届满|终止时|解除时|之日起|之前|之后|后|前|时)，)+"
)
_PRONOUN_NEGATION = re.compile(r"\b(?:neither|no|none of the|nothing)\b", re.IGNORECASE)


class Norm(NamedTuple):
    """One sentence as a norm.

    Attributes:
        modality: see :class:`Modality`.
        cue: span of the words that say so, (0, 0) for a plain statement.
        bearer: span of the words before the cue (who).
        act: span of the words after it (what).
        condition: span of the first condition, (0, 0) without one.
        leading: whether that condition stands before the bearer.
        cues: every modal in the sentence, in order.
    """

    modality: Modality
    cue: tuple[int, int]
    bearer: tuple[int, int]
    act: tuple[int, int]
    condition: tuple[int, int]
    leading: bool
    cues: tuple[tuple[Modality, int, int], ...]


_NEGATED_SUBJECT = {
    Modality.MUST: Modality.MUST_NOT,
    Modality.MAY: Modality.MUST_NOT,
    Modality.STATEMENT: Modality.NOT,
}


def is_chinese(text: str) -> bool:
    """Whether most letters of a text are Chinese characters."""
    han = len(_HAN.findall(text))
    return han > 0 and han * 2 > sum(1 for c in text if c.isalpha())


def _modality(match: re.Match[str]) -> Modality:
    return Modality[match.lastgroup or "STATEMENT"]


def _condition(text: str, chinese: bool, cue: int) -> tuple[tuple[int, int], bool]:
    match = (CONDITION_ZH if chinese else CONDITION).search(text)
    if match is None:
        return (0, 0), False
    stop = re.compile(r"[，；。]" if chinese else r"[,;.]").search(text, match.end())
    return (match.start(), stop.start() if stop else len(text)), match.start() < cue


def parse_norm(text: str, skip: int = 0) -> Norm:
    """The norm in a sentence; never fails. The first ``skip`` characters are a clause number or list mark."""
    chinese = is_chinese(text)
    cues = [(_modality(m), m.start(), m.end()) for m in (_CHINESE if chinese else _ENGLISH).finditer(text)]
    begin = skip
    # 的，closes a Chinese condition as a comma closes an English one.
    lead = (_LEADING_ZH if chinese else _LEADING).match(text, skip)
    if lead is not None and any(start >= lead.end() for _, start, _ in cues):
        begin = lead.end()
    main = next((cue for cue in cues if cue[1] >= begin), None)
    if main is None:
        modality, cue_span = Modality.STATEMENT, (0, 0)
        bearer, act = (begin, begin), (begin, len(text))
    else:
        modality, cue_span = main[0], (main[1], main[2])
        bearer, act = (begin, main[1]), (main[2], len(text))
        before = text[begin : main[1]]
        if not chinese and _PRONOUN_NEGATION.match(before.strip()) and len(before) < 60:
            modality = _NEGATED_SUBJECT.get(modality, modality)
    condition, leading = _condition(text, chinese, act[0])
    return Norm(modality, cue_span, bearer, act, condition, leading, tuple(cues))


#: How two modalities of one act and one bearer stand to each other: 2 cannot both hold, 1 differ in strength.
CLASH: dict[frozenset[Modality], int] = {
    frozenset((Modality.MUST, Modality.MUST_NOT)): 2,
    frozenset((Modality.MUST, Modality.NEED_NOT)): 2,
    frozenset((Modality.MAY, Modality.MUST_NOT)): 2,
    frozenset((Modality.MUST, Modality.MAY)): 1,
    frozenset((Modality.STATEMENT, Modality.NOT)): 2,
    frozenset((Modality.STATEMENT, Modality.MUST_NOT)): 2,
    frozenset((Modality.STATEMENT, Modality.NEED_NOT)): 2,
    frozenset((Modality.MUST, Modality.NOT)): 2,
    frozenset((Modality.MAY, Modality.NOT)): 1,
    frozenset((Modality.STATEMENT, Modality.MAY)): 1,
}


_CLASH = {(a, b): CLASH.get(frozenset((a, b)), 0) for a in Modality for b in Modality}


def clash(a: Modality, b: Modality) -> int:
    """0 they can both hold, 1 they differ in strength, 2 they cannot both hold (same act, same bearer)."""
    return _CLASH[a, b]
