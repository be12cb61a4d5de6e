"""Chinese conflicts and look-alikes made from real sentences, for the full check's multilingual reader.

The operations of planting.py that carry over: another modal, another value, a narrower way, a contrary rule under a
condition; and as look-alikes the same in other words, the other party's like duty, an exception that says it is one,
the same rule for another thing. Deterministic for a given random generator.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

from planting_parts import Planted

from engine.conflicts.norms import Modality, Norm, parse_norm

#: How a contrary modal is said, by the modality that stands there.
AGAINST = {
    Modality.MUST: ("不得", "无需", "无须", "可以不", "不必", "无义务", "有权拒绝"),
    Modality.MAY: ("不得", "无权", "不可以", "不允许", "禁止"),
    Modality.MUST_NOT: ("可以", "有权", "得以", "应当", "应"),
    Modality.NEED_NOT: ("应当", "必须", "应", "须"),
}
SAME = {
    Modality.MUST: ("应当", "应", "必须", "须", "有义务"),
    Modality.MAY: ("可以", "有权", "可", "得以"),
    Modality.MUST_NOT: ("不得", "禁止", "不可以", "不能"),
    Modality.NEED_NOT: ("无需", "无须", "不必", "无义务"),
}
PARTIES = (
    ("甲方", "乙方"), ("出租方", "承租方"), ("买方", "卖方"), ("委托人", "受托人"), ("发包人", "承包人"),
    ("供方", "需方"), ("出租人", "承租人"), ("许可方", "被许可方"),
)  # fmt: skip
SYNONYMS = (
    ("应当", "应"), ("支付", "付给"), ("之日起", "起"), ("终止", "解除"), ("书面通知", "以书面形式通知"),
    ("期限", "期间"), ("费用", "款项"), ("交付", "移交"), ("承担", "负担"), ("如果", "若"), ("不得", "禁止"),
    ("本合同", "本协议"),
)  # fmt: skip
OPPOSITES = (
    ("独家", "非独家"), ("含税", "不含税"), ("书面", "口头"), ("之前", "之后"), ("以内", "以后"),
    ("可续期", "不可续期"), ("有息", "无息"), ("增加", "减少"), ("自动续期", "自动终止"), ("公开", "保密"),
    ("一次性", "分期"), ("预付", "后付"),
)  # fmt: skip
CONDITIONS = (
    "遇节假日", "甲方提出要求", "价格上涨", "对方未书面反对", "金额超过一万元", "第三方要求", "合同期满前三十日",
    "设备正常运行", "对方逾期", "天气恶劣", "经负责人口头同意", "双方未另行协商",
)  # fmt: skip
WAYS = ("仅限以现金方式", "只能在工作日", "仅在收到预付款后", "只能通过第三方", "仅限一次", "只能以电子邮件方式")
THINGS = ("备件", "附属设施", "软件", "样品", "第二批货物", "停车位", "培训", "广告位", "仓库", "临时工程")
EXCEPTIONS = ("作为前述规定的例外，", "尽管有上述约定，", "除本款另有约定外，", "仅在不可抗力情形下，")
_NUMBER = re.compile(r"\d+(?:\.\d+)?|[一二三四五六七八九十百]{1,4}(?=[日天月年%％个万元])")
_NUMERALS = ("二", "三", "五", "七", "十", "十五", "二十", "三十", "四十五", "六十", "九十")


def swap_modal(text: str, norm: Norm, rng: Random) -> Planted | None:
    """The same act must, may or must not be done."""
    if norm.modality not in AGAINST:
        return None
    start, end = norm.cue
    return Planted(text[:start] + rng.choice(AGAINST[norm.modality]) + text[end:], "modality", "swap_modal")


def change_value(text: str, _norm: Norm, rng: Random) -> Planted | None:
    """Another number or count."""
    found = [match for match in _NUMBER.finditer(text) if match.start() > 1]
    if not found:
        return None
    match = rng.choice(found)
    old = match.group()
    if old[0].isdigit():
        value = float(old)
        new = str(max(1, round(value * rng.choice((0.5, 2, 3, 1.5))))) if value < 1900 else str(int(value) + 1)
    else:
        new = rng.choice(_NUMERALS)
    if new == old:
        return None
    return Planted(text[: match.start()] + new + text[match.end() :], "object", "change_value")


def change_word(text: str, _norm: Norm, rng: Random) -> Planted | None:
    """An opposite in place of one word."""
    fitting = [(x, y) for pair in OPPOSITES for x, y in (pair, pair[::-1]) if x in text and y not in text]
    if not fitting:
        return None
    old, new = rng.choice(fitting)
    return Planted(text.replace(old, new, 1), "object", "change_word")


def own_way(text: str, norm: Norm, rng: Random) -> Planted | None:
    """The duty narrowed in a way that the original does not know."""
    if norm.modality not in (Modality.MUST, Modality.MAY):
        return None
    start = norm.cue[0]
    return Planted(text[:start] + rng.choice(WAYS) + text[norm.cue[1] :], "object", "own_way")


def short_denial(text: str, norm: Norm, rng: Random) -> Planted | None:
    """The core of the norm in a few words, denied."""
    if norm.modality not in AGAINST:
        return None
    bearer = re.split(r"[，,；。]", text[slice(*norm.bearer)])[-1]
    act = re.split(r"[，,；。]", text[norm.act[0] :])[0]
    if not 1 <= len(bearer) <= 12 or not 3 <= len(act) <= 40:
        return None
    return Planted(f"{bearer}{rng.choice(AGAINST[norm.modality])}{act}。", "opposition", "short_denial")


def add_condition(text: str, norm: Norm, rng: Random) -> Planted | None:
    """A contrary norm under a condition."""
    made = short_denial(text, norm, rng) or swap_modal(text, norm, rng)
    if made is None:
        return None
    opening, closing = rng.choice((("如", "，"), ("若", "的，"), ("", "的，"), ("在", "的情况下，")))
    return Planted(f"{opening}{rng.choice(CONDITIONS)}{closing}{made.text}", "conditional", "add_condition")


def other_bearer(text: str, norm: Norm, rng: Random) -> Planted | None:
    """The other party decides, pays or owns."""
    bearer = text[slice(*norm.bearer)]
    fitting = [(x, y) for pair in PARTIES for x, y in (pair, pair[::-1]) if x in bearer and y not in text]
    if norm.modality is not Modality.MUST or not fitting:
        return None
    old, new = rng.choice(fitting)
    return Planted(text.replace(old, new, 1), "object", "other_bearer")


def same_words(text: str, norm: Norm, rng: Random) -> Planted | None:
    """A paraphrase: no conflict."""
    if norm.modality in SAME:
        text = text[: norm.cue[0]] + rng.choice(SAME[norm.modality]) + text[norm.cue[1] :]
    return Planted(text, "", "same_words")


def mirror(text: str, _norm: Norm, rng: Random) -> Planted | None:
    """The same duty of the other party, exchanged throughout, often with another value: no conflict."""
    pair = next(((x, y) for x, y in PARTIES if x in text and y in text), None)
    if pair is None:
        return None
    x, y = pair
    swapped = re.sub(f"{x}|{y}", lambda match: y if match.group() == x else x, text)
    changed = change_value(swapped, parse_norm(swapped), rng) if rng.random() < 0.5 else None
    return Planted(changed.text if changed else swapped, "", "mirror")


def excepted(text: str, norm: Norm, rng: Random) -> Planted | None:
    """A contrary norm that says that it is an exception: no conflict."""
    made = swap_modal(text, norm, rng)
    return Planted(rng.choice(EXCEPTIONS) + made.text, "", "excepted") if made else None


def other_thing(text: str, norm: Norm, rng: Random) -> Planted | None:
    """The same rule for another thing, with another value or modal: no conflict."""
    made = change_value(text, norm, rng) or (swap_modal(text, norm, rng) if rng.random() < 0.5 else None)
    lead = rng.choice(("就{}而言，", "对于{}，", "{}的，", "涉及{}时，"))
    return Planted(lead.format(rng.choice(THINGS)) + (made.text if made else text), "", "other_thing")


CONFLICTS = (swap_modal, swap_modal, change_value, change_value, change_word, own_way, short_denial, short_denial,
             add_condition, add_condition, other_bearer)  # fmt: skip
LOOKALIKES = (same_words, same_words, mirror, mirror, excepted, other_thing, other_thing)


def plant_zh(text: str, rng: Random, *, conflict: bool, others: Sequence[str] = ()) -> Planted | None:
    """One changed copy of a norm sentence, or None when the chosen operation does not fit it.

    ``others`` are sentences of the contract; one in eight look-alikes is simply another of them.
    """
    if not conflict and others and rng.random() < 0.125:
        return Planted(rng.choice(others), "", "another")
    operation: Callable[[str, Norm, Random], Planted | None] = rng.choice(CONFLICTS if conflict else LOOKALIKES)
    made = operation(text, parse_norm(text), rng)
    if made is None or (conflict and made.text == text):
        return None
    text = made.text
    for old, new in SYNONYMS:
        if made.operation != "same_words" and rng.random() < 0.3:
            text = text.replace(old, new, 1)
    return made._replace(text=text)
