"""What sets two passages apart though their words are alike: lead-ins, lists of cases, exchanged parties, triggers.

Everything here is said by the passages themselves, in English or Chinese, and none of it is a conflict by itself:
a lead-in binds nobody without its list, a case in a list of cases is no rule, "the Buyer shall indemnify the Seller"
does not deny "the Seller shall indemnify the Buyer", and a deadline for monthly reports is none for quarterly ones.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

from engine.anchors.model import Anchor, AnchorKind
from engine.conflicts.norms import Modality, Norm, is_chinese
from engine.conflicts.words import Token, stem

if TYPE_CHECKING:
    from engine.conflicts.sides import Side

#: A sentence that only introduces a list: "The Seller shall:", 甲方有下列行为之一的，乙方有权解除合同；
INTRODUCES = re.compile(
    r"[:：]\s*$|\bas follows\W*$|(?:下列|以下|如下)[^。]{0,60}[；;，,]\s*$|"
    r"\b(?:each|any|all|one|either) of the following[^.;:]{0,60}[,;\-–—]*\s*$",
    re.IGNORECASE,
)
#: One whose list holds cases, each of which is enough, and not duties.
CASES = re.compile(
    r"之一|(?:下列|以下)[^，。；：]{0,12}(?:情形|情况|行为|事由|事件|原因|条件)|"
    r"\b(?:any|either|one)(?: one)?(?: or more)? of the following|"
    r"\bfollowing (?:events?|circumstances?|cases?|conditions?|grounds?|reasons?|acts?|occurrences?)\b|"
    r"\b(?:if|upon|unless|when|where|because|provided that|in the event that|in the event of|to the extent|"
    r"in case|except)\s*[,:：—–-]*\s*$",
    re.IGNORECASE,
)
#: A Chinese item that ends so names a case: 擅自将承租的房屋转租的；
_CASE_ITEM_ZH = re.compile(r"的\s*[；;。，,]?\s*$")
#: A Chinese item with one of these is a rule; 不能提供房屋 is none.
_RULE_ZH = re.compile(r"应[当该]?(?!收|付款|急)|必须|须(?!知)|不得|有权|可以|无需|负责|承担")
#: "The Seller shall fail to deliver" names a case in spite of its modal.
_CASE_ITEM = re.compile(r"\b(?:shall|should|will) (?:fail|become|default|breach|cease|be (?:adjudicated|declared))\b")

#: What parties are called where they are not called by name.
PARTIES_ZH = re.compile(
    r"[甲乙丙丁]方|(?:出租|承租|委托|受托|发包|承包|被许可|许可|转让|受让|披露|接收|出借|贷款|借款|供货|采购|定作|承揽|"
    r"托运|承运|保管|寄存|服务|被特许|特许|加盟|出卖|买受|担保|保证|投资|融资|经销|代理)[人方商]|"
    r"买方|卖方|供方|需方|需求方|供应商|制造商|客户|业主|用人单位|劳动者|房东|租客|公司|员工"
)
_ROLES = (
    "buyer seller purchaser vendor supplier customer client contractor subcontractor consultant owner operator "
    "landlord tenant lessor lessee licensor licensee sublicensee distributor manufacturer franchisor franchisee "
    "lender borrower employer employee principal agent company provider recipient discloser disclosing receiving "
    "sponsor publisher author carrier shipper developer reseller processor controller guarantor trustee servicer "
    "investor stockholder shareholder member manager partner subscriber user bank issuer underwriter"
)
PARTIES = frozenset(_ROLES.split())
_LETTERED = re.compile(r"\bParty ([A-D])\b")

#: How often something happens; two sentences with different ones speak of different occasions.
RHYTHMS = (
    re.compile(r"\bdaily\b|\b(?:each|every|per) day\b|每[日天]|按日", re.IGNORECASE),
    re.compile(r"\bweekly\b|\b(?:each|every|per) (?:calendar )?week\b|每周|按周", re.IGNORECASE),
    re.compile(
        r"\bmonthly\b|\b(?:each|every|per|such|calendar) (?:calendar )?month\b|每(?:个)?月|按月|月度", re.IGNORECASE
    ),
    re.compile(r"\bquarter(?:ly)?\b|每(?:个)?季|按季|季度", re.IGNORECASE),
    re.compile(r"\b(?:semi-?annual(?:ly)?|bi-?annual(?:ly)?|half-?yearly)\b|半年", re.IGNORECASE),
    re.compile(
        r"(?<!semi-)\bannual(?:ly)?\b|\byearly\b|\b(?:each|every|per|fiscal|contract) year\b|每(?:一)?年|按年|年度",
        re.IGNORECASE,
    ),
)

#: Acts that deny what follows them: "shall cease to use" asks for what "shall not use" asks for.
_UNDOING = (
    "cease discontinue stop refrain avoid abstain desist remove delete destroy erase prevent discontinuing "
    "forbear forgo waive"
)
UNDOING = frozenset(stem(word) for word in _UNDOING.split())
UNDOING_ZH = re.compile(r"^[^，。；]{0,6}(?:停止|不再|拆除|删除|销毁|避免|防止|放弃|撤除|中止)")

_LEAVE = r"(?:consent|approv\w+|permission|authori[sz]ation|confirmation|prior (?:written )?notice)\b"
CONSENT = re.compile(rf"\b{_LEAVE}|同意|许可|批准|确认|认可", re.IGNORECASE)
WITHOUT_CONSENT = re.compile(
    rf"\b(?:without|unless|except with|absent)\b[^.;]{{0,80}}?\b{_LEAVE}|未(?:经|取得|获|得)|擅自", re.IGNORECASE
)

#: For reasons of the other's fault, or of nobody's: the two sides of most termination clauses.
FAULT = re.compile(r"\b(?:breach\w*|default\w*|for cause|with cause|violat\w+|fail(?:s|ed|ure)?)\b|违约|违反|过错|过失")
NO_FAULT = re.compile(
    r"\b(?:for convenience|without cause|no cause|any reason|no reason|without breach|expir\w+|end of the term)\b|"
    r"任意解除|无故|期满|届满|无需理由|协商一致",
    re.IGNORECASE,
)

#: Names of parties looked at when two are exchanged.
MOST_EXCHANGED = 5
#: Two sentences share at least this part of their pairs of neighbouring words once parties are exchanged in one.
EXCHANGE_FROM = 0.3


def is_case(text: str, lead_in: str, *, states: bool) -> bool:
    """Whether a list's item is a case in which something follows, and no rule of its own.

    Args:
        lead_in: the sentence that introduces the list.
        states: whether the item is a plain statement, affirmed or denied.
    """
    if _CASE_ITEM_ZH.search(text):
        return True
    if not CASES.search(lead_in):
        return False
    return states or (_RULE_ZH.search(text) is None if is_chinese(text) else _CASE_ITEM.search(text) is not None)


class Scope(NamedTuple):
    """What one passage applies to.

    Attributes:
        sequence: its words, a party's name as one word; ``pairs``: its neighbours in it.
        parties: the names of parties in it; ``actor``: who must or may, "" when no party is named.
        rhythms: which of :data:`RHYTHMS`.
        trigger: stems of the words that say when it applies.
        undoing: its act denies what follows; ``consent``, ``without``: it speaks of somebody's consent, or of its want.
        fault, no_fault: it speaks of a breach, or of an end without one.
    """

    sequence: tuple[str, ...]
    pairs: frozenset[tuple[str, str]]
    parties: frozenset[str]
    actor: str
    rhythms: frozenset[int]
    trigger: frozenset[str]
    undoing: bool
    consent: bool
    without: bool
    fault: bool
    no_fault: bool


def _party_spans(text: str, anchors: Sequence[Anchor], chinese: bool) -> list[tuple[int, int, str]]:
    """Where parties are named, and how: known names first, then what parties are usually called."""
    found = [(a.start, a.end, a.value.casefold()) for a in anchors if a.kind is AnchorKind.PARTY]
    if chinese:
        found += [(m.start(), m.end(), m.group()) for m in PARTIES_ZH.finditer(text)]
    else:
        found += [(m.start(), m.end(), m.group().casefold()) for m in _LETTERED.finditer(text)]
    spans: list[tuple[int, int, str]] = []
    for start, end, name in sorted(found, key=lambda span: (span[0], -span[1])):
        if not spans or start >= spans[-1][1]:
            spans.append((start, end, name))
    return spans


def _sequence(
    text: str, tokens: Sequence[Token], anchors: Sequence[Anchor], chinese: bool
) -> list[tuple[str, int, bool]]:
    """The words, a party's name as one of them, with their places and whether they are parties."""
    spans = _party_spans(text, anchors, chinese)
    found: list[tuple[str, int, bool]] = [(name, start, True) for start, _, name in spans]
    at = 0
    for token in tokens:
        while at < len(spans) and spans[at][1] <= token.start:
            at += 1
        named = at < len(spans) and token.start >= spans[at][0]
        if not named and token.lower not in ("the", "a", "an"):
            party = token.lower in PARTIES
            # Lessor and lessee have one stem.
            found.append((token.lower if party else token.stem, token.start, party))
    return sorted(found, key=lambda word: word[1])


def scope_of(
    text: str,
    tokens: Sequence[Token],
    norm: Norm,
    content: Sequence[Token],
    anchors: Sequence[Anchor],
    *,
    chinese: bool,
) -> Scope:
    """What a sentence applies to.

    Args:
        content: its content words.
        anchors: its anchors; those of parties are used.
    """
    found = _sequence(text, tokens, anchors, chinese)
    sequence = tuple(word for word, _, _ in found)
    low, high = norm.bearer
    acting = [word for word, start, party in found if party and low <= start < high]
    spans = [(0, low)] if low > 0 else []
    if norm.condition != (0, 0):
        spans.append(norm.condition)
    trigger = frozenset(t.stem for t in content for start, end in spans if start <= t.start and t.end <= end)
    act = text[norm.act[0] :]
    first = next((t.stem for t in content if t.start >= norm.act[0]), "")
    return Scope(
        sequence=sequence,
        pairs=frozenset(itertools.pairwise(sequence)),
        parties=frozenset(word for word, _, party in found if party),
        actor=acting[-1] if acting else "",
        rhythms=frozenset(i for i, rhythm in enumerate(RHYTHMS) if rhythm.search(text)),
        trigger=trigger,
        undoing=UNDOING_ZH.search(act) is not None if chinese else first in UNDOING,
        consent=CONSENT.search(text) is not None,
        without=WITHOUT_CONSENT.search(text) is not None,
        fault=FAULT.search(text) is not None,
        no_fault=NO_FAULT.search(text) is not None,
    )


def exchanged(a: Scope, b: Scope) -> float:
    """How much nearer two sentences come when two parties are exchanged in one: 0..1.

    Counted are the pairs of neighbouring words with one of the two parties among them; the sentences must be alike
    (:data:`EXCHANGE_FROM`) once the parties are exchanged.
    """
    parties = sorted(a.parties & b.parties)[:MOST_EXCHANGED]
    shortest = min(len(a.pairs), len(b.pairs))
    best = 0.0
    for x, y in itertools.combinations(parties, 2):
        exchange = {x: y, y: x}
        turned = set(itertools.pairwise(exchange.get(word, word) for word in a.sequence))
        if len(turned & b.pairs) < EXCHANGE_FROM * shortest:
            continue
        before, after, theirs = (_with(pairs, x, y) for pairs in (a.pairs, turned, b.pairs))
        least = min(len(after), len(theirs))
        if least:
            best = max(best, (len(after & theirs) - len(before & theirs)) / least)
    return best


def _with(pairs: Collection[tuple[str, str]], x: str, y: str) -> set[tuple[str, str]]:
    """The pairs of neighbours with ``x`` or ``y`` among them."""
    return {pair for pair in pairs if x in pair or y in pair}


def triggers_apart(a: Scope, b: Scope) -> bool:
    """Whether both say when they apply, and in words of which hardly any is shared."""
    least = min(len(a.trigger), len(b.trigger))
    return least >= 2 and len(a.trigger & b.trigger) * 3 < least


def rhythms_apart(a: Scope, b: Scope) -> bool:
    """Whether they speak of different regular occasions: monthly here, quarterly there."""
    return bool(a.rhythms and b.rhythms) and a.rhythms.isdisjoint(b.rhythms)


def faults_apart(a: Scope, b: Scope) -> bool:
    """Whether one speaks of a breach and the other of an end without one."""
    return (a.fault and not a.no_fault and b.no_fault and not b.fault) or (
        b.fault and not b.no_fault and a.no_fault and not a.fault
    )


def both_ask(a: Side, b: Side, kinds: tuple[Modality, Modality]) -> bool:
    """Whether a duty and a prohibition ask for one thing: to undo and not to do; to ask and not to do without leave."""
    if frozenset(kinds) != frozenset((Modality.MUST, Modality.MUST_NOT)):
        return False
    duty, ban = (a.scope, b.scope) if kinds[0] is Modality.MUST else (b.scope, a.scope)
    return (duty.undoing and not ban.undoing) or (duty.consent and not duty.without and ban.without)
