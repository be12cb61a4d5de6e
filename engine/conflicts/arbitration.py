"""The arbitration: a candidate pair walks from *same matter?* to a verdict, and its path is the explanation.

:data:`TABLE` is the whole automaton. From each state the first transition whose test holds is taken; each state
ends with one that always holds. Every transition says why in both languages.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable

from engine.conflicts.comparison import Differences
from engine.conflicts.units import Unit
from engine.protocol.findings import PathStep

#: Two sentences that come nearer by this share of their word pairs when the parties are exchanged are mirrored.
EXCHANGED = 0.1


class State(enum.StrEnum):
    """Where a pair can stand. The last four are verdicts."""

    SAME_MATTER = "same_matter"
    COMPARABLE = "comparable"
    DIFFERENT = "different"
    OVERRIDDEN = "overridden"
    SCOPED_APART = "scoped_apart"
    CONFLICT = "conflict"
    RESOLVED = "resolved"
    CONSISTENT = "consistent"
    CHECK = "check"


VERDICTS = frozenset((State.CONFLICT, State.RESOLVED, State.CONSISTENT, State.CHECK))


@dataclasses.dataclass(frozen=True, slots=True)
class Case:
    """A pair as the automaton sees it.

    Attributes:
        a, b: the units.
        differences: what differs between them.
        cosine: of the masked vectors; ``contained``: how much of the shorter one stands in the longer one, 0..1.
        shared_words: some words that stand in both, for the explanation.
        yields: whether exactly one of them yields to, or overrides, others in words.
        series: whether each has several other sentences that are just as like it.
        prevails: the words by which one of two documents prevails over the other, else empty.
        beside: whether they follow each other in one clause, where the second is often the exception to the first.
    """

    a: Unit
    b: Unit
    differences: Differences
    cosine: float
    contained: float
    shared_words: tuple[str, ...]
    yields: bool
    series: bool = False
    prevails: str = ""
    beside: bool = False


@dataclasses.dataclass(frozen=True, slots=True)
class Transition:
    """From ``source``, when ``test`` holds, to ``target``, because of ``because`` (English, Chinese)."""

    source: State
    test: Callable[[Case], bool]
    target: State
    because: tuple[str, str]


def _always(_: Case) -> bool:
    return True


def _near_copy(case: Case) -> bool:
    return case.contained >= 0.75


def _speaks_of_one_thing(case: Case) -> bool:
    return case.contained >= 0.35 or case.cosine >= 0.6


def _mirrored(case: Case) -> bool:
    d = case.differences
    exchanged = d.swapped >= EXCHANGED and not d.values
    return (d.bearer == "mirrored" or exchanged) and d.clash == 0 and not d.negation


def _complementary(case: Case) -> bool:
    return case.differences.complementary


def _consequence(case: Case) -> bool:
    return case.differences.consequence and not case.differences.values and not _near_copy(case)


def _other_terms(case: Case) -> bool:
    return bool(case.differences.terms[0])


def _two_definitions(case: Case) -> bool:
    return bool(case.a.defines and case.b.defines) and case.a.defines.casefold() != case.b.defines.casefold()


def _definition_and_rule(case: Case) -> bool:
    return bool(case.a.defines) != bool(case.b.defines) and not case.differences.values


def _one_list(case: Case) -> bool:
    same = bool(case.a.lead_tokens) and case.a.lead_tokens == case.b.lead_tokens
    return same and not _near_copy(case)


def _says_the_same(case: Case) -> bool:
    d = case.differences
    # "should" beside "shall" is a difference that some contracts live by.
    modality = _cue(case.a).casefold() == _cue(case.b).casefold()
    other = d.values or d.numbers or d.opposites or d.negation or d.only or d.condition == "one"
    return modality and d.same_words and not other


def _modals(case: Case) -> bool:
    return case.differences.clash > 0


def _values(case: Case) -> bool:
    return bool(case.differences.values)


def _opposites(case: Case) -> bool:
    return bool(case.differences.opposites)


def _negation(case: Case) -> bool:
    return case.differences.negation


def _condition(case: Case) -> bool:
    return case.differences.condition == "one"


def _only(case: Case) -> bool:
    return case.differences.only


def _bearers(case: Case) -> bool:
    return case.differences.bearer == "different" and case.contained >= 0.6


def _unchosen(case: Case) -> bool:
    return case.a.unchosen or case.b.unchosen


def _side_by_side(case: Case) -> bool:
    one_role = any(x.role and x.role == y.role for x, y in case.differences.values)
    return case.beside and not _near_copy(case) and not one_role


def _prevails(case: Case) -> bool:
    return bool(case.prevails)


def _yields(case: Case) -> bool:
    return case.yields


def _other_bearers(case: Case) -> bool:
    return case.differences.bearer in ("different", "mirrored") and not _near_copy(case)


def _told_by_rule(case: Case) -> bool:
    """A rule names what differs and the two are near enough for it to be the same act."""
    d = case.differences
    if any(x.role and x.role == y.role for x, y in d.values):
        return True
    strong = bool(d.values) or bool(d.opposites) or d.clash == 2 or (d.clash == 1 and case.contained >= 0.6)
    return strong and (case.contained >= 0.5 or case.cosine >= 0.75)


def _series(case: Case) -> bool:
    return case.series and not _told_by_rule(case) and case.differences.clash == 0


S = State
TABLE: tuple[Transition, ...] = (
    Transition(S.SAME_MATTER, _near_copy, S.COMPARABLE, (
        "Both use nearly the same words: {words}.",
        "两处用语几乎相同：{words}。",
    )),
    Transition(S.SAME_MATTER, _speaks_of_one_thing, S.COMPARABLE, (
        "Both speak of {words}.",
        "两处都涉及{words}。",
    )),
    Transition(S.SAME_MATTER, _always, S.COMPARABLE, (
        "They mean similar things in other words.",
        "两处用语不同而含义相近。",
    )),
    Transition(S.COMPARABLE, _two_definitions, S.CONSISTENT, (
        "They define different terms.",
        "两处定义的是不同术语。",
    )),
    Transition(S.COMPARABLE, _definition_and_rule, S.CONSISTENT, (
        "One defines a term, the other uses it.",
        "一处定义术语，另一处使用该术语。",
    )),
    Transition(S.COMPARABLE, _one_list, S.CONSISTENT, (
        "They are items of one list.",
        "两处为同一列举中的并列项。",
    )),
    Transition(S.COMPARABLE, _says_the_same, S.CONSISTENT, (
        "They say the same.",
        "两处内容相同。",
    )),
    Transition(S.COMPARABLE, _series, S.CONSISTENT, (
        "They belong to a series of like sentences about different things.",
        "两处属于针对不同事项的一组同类条款。",
    )),
    Transition(S.COMPARABLE, _mirrored, S.CONSISTENT, (
        "Each binds the other party: a mirrored duty.",
        "两处分别约束对方，为对等义务。",
    )),
    Transition(S.COMPARABLE, _complementary, S.CONSISTENT, (
        "One holds if something is so, the other if it is not.",
        "一处适用于某条件成立之时，另一处适用于该条件不成立之时。",
    )),
    Transition(S.COMPARABLE, _consequence, S.CONSISTENT, (
        "One says what follows when the other's act is done.",
        "一处约定的是另一处行为发生之后的后果。",
    )),
    Transition(S.COMPARABLE, _values, S.DIFFERENT, (
        "One gives {value_a}, the other {value_b}.",
        "一处为{value_a}，另一处为{value_b}。",
    )),
    Transition(S.COMPARABLE, _modals, S.DIFFERENT, (
        "In one it is {modal_a}, in the other {modal_b}.",
        "一处为{modal_a}，另一处为{modal_b}。",
    )),
    Transition(S.COMPARABLE, _opposites, S.DIFFERENT, (
        "“{opposite_a}” stands against “{opposite_b}”.",
        "“{opposite_a}”与“{opposite_b}”相对。",
    )),
    Transition(S.COMPARABLE, _negation, S.DIFFERENT, (
        "One denies what the other says.",
        "一处否定了另一处的内容。",
    )),
    Transition(S.COMPARABLE, _only, S.DIFFERENT, (
        "Only one of them is exclusive.",
        "仅一处为排他性约定。",
    )),
    Transition(S.COMPARABLE, _condition, S.DIFFERENT, (
        "Only one of them makes it depend on a condition.",
        "仅一处附有条件。",
    )),
    Transition(S.COMPARABLE, _bearers, S.DIFFERENT, (
        "They name different persons for the same act.",
        "同一行为由不同主体承担。",
    )),
    Transition(S.COMPARABLE, _always, S.DIFFERENT, (
        "The content differs in words that no rule names.",
        "内容有别，但不属于规则所列的差异。",
    )),
    Transition(S.DIFFERENT, _unchosen, S.SCOPED_APART, (
        "One of them is one of several options of a form.",
        "其中一处是表单中的备选项之一。",
    )),
    Transition(S.DIFFERENT, _prevails, S.OVERRIDDEN, (
        "The documents agree on which of them prevails: “{prevails}”.",
        "文件之间已约定优先顺序：“{prevails}”。",
    )),
    Transition(S.DIFFERENT, _yields, S.OVERRIDDEN, (
        "One of them names an exception or says that it yields.",
        "其中一处含有例外或从属的表述。",
    )),
    Transition(S.DIFFERENT, _always, S.SCOPED_APART, (
        "Neither yields to the other in words.",
        "两处均未约定以另一处为准。",
    )),
    Transition(S.OVERRIDDEN, _prevails, S.RESOLVED, (
        "The document that prevails settles it.",
        "以优先文件为准。",
    )),
    Transition(S.OVERRIDDEN, _told_by_rule, S.CHECK, (
        "Whether its words reach the other passage has to be read.",
        "该表述是否及于另一处，须人工核对。",
    )),
    Transition(S.OVERRIDDEN, _always, S.RESOLVED, (
        "The exception explains the difference.",
        "该例外可以解释差异。",
    )),
    Transition(S.SCOPED_APART, _unchosen, S.RESOLVED, (
        "That option has not been chosen, so it does not apply.",
        "该备选项未被选定，不产生效力。",
    )),
    Transition(S.SCOPED_APART, _side_by_side, S.CHECK, (
        "They follow each other in one clause; the second may narrow the first.",
        "两处在同一条款中前后相连，后者可能是对前者的限定。",
    )),
    Transition(S.SCOPED_APART, _other_terms, S.CHECK, (
        "They name different things: {term_a}, {term_b}.",
        "两处所称对象不同：{term_a}、{term_b}。",
    )),
    Transition(S.SCOPED_APART, _other_bearers, S.CHECK, (
        "They may bind different persons.",
        "两处可能约束不同主体。",
    )),
    Transition(S.SCOPED_APART, _told_by_rule, S.CONFLICT, (
        "Both cannot hold for the same case.",
        "对同一情形，两处不能同时成立。",
    )),
    Transition(S.SCOPED_APART, _always, S.CHECK, (
        "Whether both can hold has to be read.",
        "两处能否并存，须人工核对。",
    )),
)  # fmt: skip


def _fill(case: Case) -> dict[str, str]:
    d = case.differences
    value_a, value_b = ("", "")
    if d.values:
        first, second = d.values[0]
        value_a, value_b = case.a.text[first.start : first.end], case.b.text[second.start : second.end]
    opposite_a, opposite_b = d.opposites[0] if d.opposites else ("", "")
    return {
        "words": ("、" if case.a.chinese else ", ").join(case.shared_words),
        "value_a": value_a,
        "value_b": value_b,
        "modal_a": _cue(case.a),
        "modal_b": _cue(case.b),
        "opposite_a": opposite_a,
        "opposite_b": opposite_b,
        "prevails": case.prevails,
        "term_a": d.terms[0],
        "term_b": d.terms[1],
    }


def _cue(unit: Unit) -> str:
    """The words that make a unit a duty, a permission or a prohibition, as they stand."""
    start, end = unit.norm.cue
    words = unit.text[start:end].strip()
    if words:
        return f"“{words}”"
    return "一般陈述" if unit.chinese else "a plain statement"


def arbitrate(case: Case) -> tuple[State, tuple[PathStep, ...]]:
    """The verdict on a pair and the path that led there, in the language of its first passage."""
    state = State.SAME_MATTER
    words = _fill(case)
    path = []
    while state not in VERDICTS:
        step = next(t for t in TABLE if t.source is state and t.test(case))
        path.append(PathStep(state.value, step.because[int(case.a.chinese)].format(**words)))
        state = step.target
    path.append(PathStep(state.value, _VERDICT_WORDS[state][int(case.a.chinese)]))
    return state, tuple(path)


_VERDICT_WORDS = {
    State.CONFLICT: ("The passages contradict each other.", "两处相互矛盾。"),
    State.RESOLVED: ("The contract itself resolves this.", "合同本身已作出处理。"),
    State.CONSISTENT: ("Both can hold.", "两处可以并存。"),
    State.CHECK: ("Please check by hand.", "请人工核对。"),
}
