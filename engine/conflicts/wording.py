"""What a finding says: its kind, one plain sentence, what would settle it, how much is at stake."""

from __future__ import annotations

import re

from engine.anchors.model import AnchorKind
from engine.anchors.roles import role_name
from engine.conflicts.checks.evidence import named
from engine.conflicts.forum import ForumConflict
from engine.conflicts.grounds import Case
from engine.conflicts.norms import Modality
from engine.conflicts.units import Unit
from engine.document import Document
from engine.protocol.findings import Severity

_VALUE_CODE = {
    AnchorKind.AMOUNT: "value.amount",
    AnchorKind.PERIOD: "value.period",
    AnchorKind.DATE: "value.date",
    AnchorKind.PERCENT: "value.percent",
    AnchorKind.QUANTITY: "value.quantity",
    AnchorKind.RATE: "value.percent",
}

#: Words of a passage that say money, term, liability, ownership or forum is at stake.
HIGH_STAKES = re.compile(
    r"\b(?:pay|payment|price|fee|invoice|liab\w+|indemnif\w+|terminat\w+|exclusiv\w+|own(?:s|ed|ership)?|title|"
    r"confidential\w*|warrant\w+|damages|govern\w+ law|governed|arbitrat\w+|jurisdiction|assign\w*|licen[sc]e\w*|"
    r"penalty|insurance|renew\w*|refund\w*)\b|付款|支付|价款|费用|违约|赔偿|责任|解除|终止|独家|所有权|知识产权|保密|保证|"
    r"适用法律|仲裁|管辖|转让|许可|罚|保险|续|退还|押金|保证金|租金",
    re.IGNORECASE,
)

_MODAL_WORDS = {
    Modality.MUST: ("must", "必须"),
    Modality.MAY: ("may", "可以"),
    Modality.MUST_NOT: ("must not", "不得"),
    Modality.NEED_NOT: ("need not", "无需"),
}


def code_of(case: Case) -> str:
    """The kind of conflict, as DESIGN's table names it."""
    d = case.differences
    near = case.contained >= 0.7 or case.cosine >= 0.86
    modals = (case.a.norm.modality, case.b.norm.modality)
    one_role = any(x.role and x.role == y.role for x, y in case.rivals)
    if case.rivals and (one_role or d.clash == 0 or case.contained >= 0.85):
        return _VALUE_CODE[case.rivals[0][0].kind]
    if d.clash and near and d.condition != "one":
        return "norm.modality"
    if d.condition == "one":
        return "norm.condition"
    if d.clash or d.opposites or d.negation:
        return "norm.opposition"
    if d.only:
        return "norm.scope"
    other_party = d.bearer == "different" and near and Modality.STATEMENT not in modals
    return "norm.party" if other_party else "norm.object"


def severity_of(case: Case, code: str) -> Severity:
    """Money, term, liability and forum before everything else; a difference of strength before none."""
    stakes = HIGH_STAKES.search(case.a.text) is not None
    if stakes and (code.startswith(("value.", "forum.")) or case.differences.clash == 2):
        return Severity.HIGH
    return Severity.MEDIUM if stakes or case.differences.clash or case.rivals else Severity.LOW


def place_name(document: Document, unit: Unit, chinese: bool) -> str:
    """How a person finds a unit: its clause number, else its page."""
    clause = unit.first.clause
    if clause is not None and clause.number:
        return named(clause, chinese)
    page = document.page_at(unit.first.start) + 1
    return f"第{page}页" if chinese else f"page {page}"


def _short(text: str, chinese: bool) -> str:
    """The first words of an act, cut at a comma."""
    text = " ".join(text.split()).strip(" ,.;:，。；：")
    text = re.split(r"[;；。]|, (?!and )", text, maxsplit=1)[0]
    if chinese:
        return text if len(text) <= 24 else text[:24] + "…"
    words = text.split()
    return " ".join(words) if len(words) <= 9 else " ".join(words[:9]) + " …"


#: "may, at its option, cancel": the words between the commas are no act.
_ASIDE = re.compile(r"^\s*,[^,]{2,60},\s*")


def _act(unit: Unit) -> str:
    start, end = unit.norm.act
    return _short(_ASIDE.sub("", unit.text[start:end]), unit.chinese)


def _bearer(unit: Unit) -> str:
    start, end = unit.norm.bearer
    text = " ".join(unit.text[start:end].split()).strip(" ,.;:，。；：")
    text = re.split(r"[,，]\s*", text)[-1]
    return text if len(text) <= 48 else ""


def summary_of(case: Case, code: str, place_a: str, place_b: str) -> str:
    """One plain sentence in the language of the passages."""
    chinese = case.a.chinese
    d = case.differences
    if place_a == place_b:
        places = ("一处", "另一处") if chinese else ("one passage", "another")
        place_a, place_b = places
        where = case.a.first.clause
        if where is not None and where.number:
            place_a = f"{named(where, True)}中一处" if chinese else f"one sentence of {named(where)}"
    if code.startswith("value.") and case.rivals:
        value_a, value_b = case.rivals[0]
        first, second = case.a.text[value_a.start : value_a.end], case.b.text[value_b.start : value_b.end]
        role = value_a.role or value_b.role
        what = role_name(role, "zh" if chinese else "en") if role else _act(case.a)
        if chinese:
            return f"{place_a}约定{first}，{place_b}约定{second}（{what}）。"
        return _sentence(f"{place_a} gives {first}, {place_b} gives {second} ({what}).")
    modal_a, modal_b = (_MODAL_WORDS.get(u.norm.modality) for u in (case.a, case.b))
    who = _bearer(case.a)
    if d.clash and modal_a and modal_b and (who or chinese):
        if chinese:
            return f"{place_a}：{who}{modal_a[1]}{_act(case.a)}；{place_b}：{modal_b[1]}{_act(case.b)}。"
        other = _bearer(case.b)
        again = "it" if not other or other.lower() == who.lower() else _within(other)
        return _sentence(
            f"{place_a} says that {_within(who)} {modal_a[0]} {_bare(_act(case.a))}; "
            f"{place_b} says that {again} {modal_b[0]} {_bare(_act(case.b))}."
        )
    quote_a, quote_b = _short(_core(case.a), chinese), _short(_core(case.b), chinese)
    if chinese:
        return f"{place_a}“{quote_a}”与{place_b}“{quote_b}”不一致。"
    return _sentence(f"{place_a} (“{quote_a}”) does not fit {place_b} (“{quote_b}”).")


#: Words that have a capital only because they begin a sentence.
_OPENING = re.compile(
    r"(The|An?|Each|Either|Neither|Both|All|Any|No|Every|Such|This|These|Those|It|They|"
    r"After|Before|During|If|When|On|Upon|In|At|For)\b"
)


def _within(subject: str) -> str:
    """A sentence's subject as it stands inside another sentence."""
    return subject[0].lower() + subject[1:] if _OPENING.match(subject) else subject


def _core(unit: Unit) -> str:
    return unit.text[unit.norm.bearer[0] :]


def _bare(act: str) -> str:
    return act.removeprefix("to ").removeprefix("be ") if act.startswith("to ") else act


def _sentence(text: str) -> str:
    text = text[0].upper() + text[1:]
    return text.replace("..", ".") if not text.endswith("...") else text


def settle_of(case: Case, code: str) -> str:
    """What would settle it, in one sentence."""
    if case.a.chinese:
        if code.startswith("value."):
            return "确认正确的数值，并在一处约定、另一处援引。"
        return "确认哪一处体现双方真实意思，删除另一处或约定优先顺序。"
    if code.startswith("value."):
        return "Settle which value is meant and state it once; let the other passage refer to it."
    if code == "norm.condition":
        return "Say in both places under which condition the rule holds."
    return "Settle which of the two is meant, and delete the other or say which prevails."


def forum_words(conflict: ForumConflict, places: tuple[str, str], chinese: bool) -> tuple[str, str]:
    """Summary and what would settle it, for two laws or two forums."""
    law = conflict.code == "forum.law"
    if chinese:
        subject = "适用法律" if law else "争议解决方式"
        return (
            f"{places[0]}约定{subject}为{conflict.first}，{places[1]}约定为{conflict.second}。",
            f"双方确定唯一的{subject}，删除另一处。",
        )
    subject = "the governing law" if law else "the forum for disputes"
    return (
        _sentence(f"{places[0]} makes {conflict.first} {subject}, {places[1]} {conflict.second}."),
        f"Choose {subject} once and delete the other clause.",
    )
