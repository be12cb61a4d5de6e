"""Words that exclude each other, written by us. Stems are compared, so one form of each word is enough."""

from __future__ import annotations

import functools
from typing import NamedTuple

from engine.conflicts.words import stem

#: Pairs of English words; either may be a prefix-negated form that the rule in :func:`opposed` does not make.
ENGLISH = """include exclude; including excluding; exclusive nonexclusive; before after; increase decrease; increase reduce; raise lower;
own lease; accept reject; accept refuse; affirm deny; confirm deny; confirm dissent; pass fail; elect decline; more lower; approve reject; approve disapprove; grant deny; permit prohibit; allow prohibit; allow forbid;
permit forbid; allow prevent; buyer seller; begin end; commence terminate; start stop; continue cease; continue terminate; renew expire;
maximum minimum; more less; most least; above below; over under; first last; early late; earlier later; prior subsequent; prior following;
directly indirectly; direct indirect; mandatory optional; compulsory voluntary; revocable irrevocable; refundable nonrefundable;
transferable nontransferable; gross net; written oral; domestic foreign; domestic international; public private; public confidential;
confidential nonconfidential; disclose withhold; retain return; retain destroy; keep destroy; keep return; open closed; open close;
opened unopened; joint several; jointly severally; jointly separately; together separately; solely jointly; sole joint; alone together;
always never; all none; some all; any none; every no; both neither; full partial; fully partially; whole part; entire partial;
temporary permanent; valid invalid; void valid; enforceable unenforceable; legal illegal; lawful unlawful; reasonable unreasonable;
reasonable sole; advance arrears; credit debit; debit credit; pay receive; buy sell; purchase sell; lend borrow; arbitration litigation;
arbitration court; court arbitrator; mediate litigate; perpetual limited; limited unlimited; weekly monthly; daily weekly; daily monthly;
monthly quarterly; monthly annually; quarterly annually; monthly annual; quarterly annual; once twice; day month; day year; month year;
week month; free charge; cost free; new used; success failure; succeed fail; comply violate; agree disagree; able unable; capable incapable;
remain revert; expressly impliedly; express implied; calendar business; calendar working; inside outside; within outside; within beyond;
present absent; presence absence; consent dissent; assign retain; waive reserve; survive terminate; survive expire; supply withhold;
encourage discourage; best reasonable; upward downward; separate same; separate along; different same; prompt delay; promptly delay; approved unapproved; authorized unauthorized;
necessary unnecessary; taxable exempt; inclusive exclusive; internal external; lower higher; lowest highest; with without"""  # noqa: E501 - a table

#: Pairs of Chinese words.
CHINESE = """包括 不包括; 包含 不含; 含税 不含税; 独占 非独占; 排他 非排他; 独家 非独家; 之前 之后; 以前 以后; 增加 减少; 提高 降低; 上调 下调;
接受 拒绝; 同意 拒绝; 允许 禁止; 开始 终止; 继续 停止; 续约 终止; 最高 最低; 不超过 不少于; 不高于 不低于; 至多 至少; 以上 以下; 书面 口头;
公开 保密; 返还 不予返还; 退还 不退; 退还 没收; 可撤销 不可撤销; 仲裁 诉讼; 仲裁委员会 人民法院; 有效 无效; 全部 部分; 预付 后付; 自然日 工作日; 日历日 工作日;
单方 共同; 连带 按份; 免费 收费; 无偿 有偿; 甲方 乙方; 买方 卖方; 出租人 承租人; 每月 每季度; 每月 每年; 按月 按季; 按月 按年; 按季 按年; 一次性 分期; 自动续 不自动; 继续 终止; 合格 不合格"""  # noqa: E501 - a table

#: Opposed parties are a mirrored duty, not a contradiction; they are kept out of the opposites.
_PARTIES = frozenset(("buyer", "seller", "甲方", "乙方", "买方", "卖方", "出租人", "承租人"))

_PREFIXES = ("un", "non", "in", "im", "ir", "dis")


def _pairs(table: str) -> list[tuple[str, str]]:
    pairs = []
    for entry in table.replace("\n", " ").split(";"):
        first, second = entry.split()
        pairs.append((first, second))
    return pairs


_OPPOSITES: dict[str, set[str]] = {}
for _first, _second in _pairs(ENGLISH):
    if _first not in _PARTIES:
        _OPPOSITES.setdefault(stem(_first), set()).add(stem(_second))
        _OPPOSITES.setdefault(stem(_second), set()).add(stem(_first))

CHINESE_PAIRS = tuple(pair for pair in _pairs(CHINESE) if pair[0] not in _PARTIES)
#: Each pair both ways round.
ORDERED = tuple(pair for x, y in CHINESE_PAIRS for pair in ((x, y), (y, x)))


@functools.lru_cache(maxsize=65536)
def opposites_of(word: str) -> frozenset[str]:
    """The stems that exclude a stem, by the table or by a negating prefix (approved, unapproved)."""
    found = set(_OPPOSITES.get(word, ()))
    if len(word) >= 4:
        found.update(prefix + word for prefix in _PREFIXES)
    for prefix in _PREFIXES:
        bare = word.removeprefix(prefix)
        if bare != word and len(bare) >= 4:
            found.add(bare)
    return frozenset(found)


def opposites_between(only_a: frozenset[str], only_b: frozenset[str]) -> list[tuple[str, str]]:
    """Opposed pairs between the stems that stand in one sentence only, in a fixed order."""
    found = []
    for x in only_a:
        against = opposites_of(x)
        if not against.isdisjoint(only_b):
            found += [(x, y) for y in against & only_b]
    return sorted(found)


class Said(NamedTuple):
    """Of :data:`ORDERED`, where a text says the first word and not the second, and where the second alone."""

    first: frozenset[int]
    second: frozenset[int]


NOTHING_SAID = Said(frozenset(), frozenset())


def said_of(text: str) -> Said:
    """Which opposed Chinese words a text says without their counterparts; worked out once per sentence."""
    first_alone: list[int] = []
    second_alone: list[int] = []
    for i, (first, second) in enumerate(ORDERED):
        long, short = (first, second) if len(first) >= len(second) else (second, first)
        # 不含税 contains 含税: the longer word is taken out before the shorter is looked for.
        says_long = long in text
        says_short = short in (text.replace(long, "") if says_long else text)
        if says_long != says_short:
            (first_alone if says_long == (first == long) else second_alone).append(i)
    return Said(frozenset(first_alone), frozenset(second_alone))


def opposites_said(a: Said, b: Said) -> list[tuple[str, str]]:
    """Opposed Chinese words where each stands in one of two sentences only."""
    return [ORDERED[i] for i in sorted(a.first & b.second)]


def chinese_opposites(a: str, b: str) -> list[tuple[str, str]]:
    """The same from the sentences' texts."""
    return opposites_said(said_of(a), said_of(b))
