"""The arbitration: a candidate pair walks from *same matter?* to a verdict, and its path is the explanation.

:data:`TABLE` is the whole automaton. From each state the first transition whose test holds is taken; each state
ends with one that always holds. Every transition says why in both languages.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable

from engine.conflicts import grounds
from engine.conflicts.grounds import Case
from engine.protocol.findings import PathStep


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
class Transition:
    """From ``source``, when ``test`` holds, to ``target``, because of ``because`` (English, Chinese)."""

    source: State
    test: Callable[[Case], bool]
    target: State
    because: tuple[str, str]


def _always(_: Case) -> bool:
    return True


S = State
TABLE: tuple[Transition, ...] = (
    Transition(S.SAME_MATTER, grounds.near_copy, S.COMPARABLE, (
        "Both use nearly the same words: {words}.",
        "两处用语几乎相同：{words}。",
    )),
    Transition(S.SAME_MATTER, grounds.speaks_of_one_thing, S.COMPARABLE, (
        "Both speak of {words}.",
        "两处都涉及{words}。",
    )),
    Transition(S.SAME_MATTER, _always, S.COMPARABLE, (
        "They mean similar things in other words.",
        "两处用语不同而含义相近。",
    )),
    Transition(S.COMPARABLE, grounds.note, S.CONSISTENT, (
        "One of them is a note to the drafter, or text that is taken out, and binds nobody.",
        "其中一处是写给起草人的说明或者被删除的文字，没有约束力。",
    )),
    Transition(S.COMPARABLE, grounds.two_definitions, S.CONSISTENT, (
        "They define different terms.",
        "两处定义的是不同术语。",
    )),
    Transition(S.COMPARABLE, grounds.definition_and_rule, S.CONSISTENT, (
        "One defines a term, the other uses it.",
        "一处定义术语，另一处使用该术语。",
    )),
    Transition(S.COMPARABLE, grounds.one_list, S.CONSISTENT, (
        "They are items of one list.",
        "两处为同一列举中的并列项。",
    )),
    Transition(S.COMPARABLE, grounds.lead_ins, S.CONSISTENT, (
        "Both only introduce lists, whose items are compared themselves.",
        "两处均为列举的引导语，所列各项另行比较。",
    )),
    Transition(S.COMPARABLE, grounds.cases, S.CONSISTENT, (
        "One of them is a case in a list of cases and no rule by itself.",
        "其中一处是所列情形之一，本身并非规则。",
    )),
    Transition(S.COMPARABLE, grounds.says_the_same, S.CONSISTENT, (
        "They say the same.",
        "两处内容相同。",
    )),
    Transition(S.COMPARABLE, grounds.rephrased, S.CONSISTENT, (
        "They say the same but for words that change nothing.",
        "两处仅有不影响含义的用语差异。",
    )),
    Transition(S.COMPARABLE, grounds.two_things, S.CONSISTENT, (
        "They are about two things of one kind: {label_a}, {label_b}.",
        "两处针对同类的不同对象：{label_a}、{label_b}。",
    )),
    Transition(S.COMPARABLE, grounds.two_options, S.CONSISTENT, (
        "Each stands under a title of its own: alternatives of a form.",
        "两处各有其标题，为表单中的备选内容。",
    )),
    Transition(S.COMPARABLE, grounds.two_permissions, S.CONSISTENT, (
        "Both permit something, and neither excludes what the other permits.",
        "两处均为许可，互不排斥。",
    )),
    Transition(S.COMPARABLE, grounds.opposite_parties, S.CONSISTENT, (
        "One binds one party, the other forbids something to the party opposite.",
        "一处约束一方，另一处禁止的是对方的行为。",
    )),
    Transition(S.COMPARABLE, grounds.no_liability, S.CONSISTENT, (
        "One is a duty, the other only excludes liability.",
        "一处为义务，另一处仅免除责任。",
    )),
    Transition(S.COMPARABLE, grounds.all_but_this, S.CONSISTENT, (
        "One holds in a case, the other in all but this case.",
        "一处适用于某一情形，另一处适用于该情形以外的情形。",
    )),
    Transition(S.COMPARABLE, grounds.others_values, S.CONSISTENT, (
        "What one of them gives is the value of something else, such as another document's date.",
        "其中一处的数值属于其他对象，例如另一份文件的日期。",
    )),
    Transition(S.COMPARABLE, grounds.series, S.CONSISTENT, (
        "They belong to a series of like sentences about different things.",
        "两处属于针对不同事项的一组同类条款。",
    )),
    Transition(S.COMPARABLE, grounds.mirrored, S.CONSISTENT, (
        "Each binds the other party: a mirrored duty.",
        "两处分别约束对方，为对等义务。",
    )),
    Transition(S.COMPARABLE, grounds.complementary, S.CONSISTENT, (
        "One holds if something is so, the other if it is not.",
        "一处适用于某条件成立之时，另一处适用于该条件不成立之时。",
    )),
    Transition(S.COMPARABLE, grounds.part_payments, S.CONSISTENT, (
        "They are instalments of one price, each with its own time.",
        "两处为同一价款的分期支付，各有其支付时间。",
    )),
    Transition(S.COMPARABLE, grounds.both_ask, S.CONSISTENT, (
        "The duty and the prohibition ask for the same.",
        "一处的义务与另一处的禁止指向同一要求。",
    )),
    Transition(S.COMPARABLE, grounds.right_and_duty, S.CONSISTENT, (
        "One gives one party a right, the other binds the other party.",
        "一处赋予一方权利，另一处约束另一方。",
    )),
    Transition(S.COMPARABLE, grounds.other_partys_act, S.CONSISTENT, (
        "Each says what follows from the act of another party.",
        "两处分别约定不同当事人行为的后果。",
    )),
    Transition(S.COMPARABLE, grounds.restrictions, S.CONSISTENT, (
        "One permits nothing but this, the other forbids all but that: both restrict.",
        "一处仅许可特定事项，另一处禁止例外以外的事项，均属限制。",
    )),
    Transition(S.COMPARABLE, grounds.duty_with_ban, S.CONSISTENT, (
        "The duty goes on to forbid what the other forbids.",
        "一处的义务同时包含另一处的禁止。",
    )),
    Transition(S.COMPARABLE, grounds.consequence, S.CONSISTENT, (
        "One says what follows when the other's act is done.",
        "一处约定的是另一处行为发生之后的后果。",
    )),
    Transition(S.COMPARABLE, grounds.values, S.DIFFERENT, (
        "One gives {value_a}, the other {value_b}.",
        "一处为{value_a}，另一处为{value_b}。",
    )),
    Transition(S.COMPARABLE, grounds.modals, S.DIFFERENT, (
        "In one it is {modal_a}, in the other {modal_b}.",
        "一处为{modal_a}，另一处为{modal_b}。",
    )),
    Transition(S.COMPARABLE, grounds.opposites, S.DIFFERENT, (
        "“{opposite_a}” stands against “{opposite_b}”.",
        "“{opposite_a}”与“{opposite_b}”相对。",
    )),
    Transition(S.COMPARABLE, grounds.negation, S.DIFFERENT, (
        "One denies what the other says.",
        "一处否定了另一处的内容。",
    )),
    Transition(S.COMPARABLE, grounds.only, S.DIFFERENT, (
        "Only one of them is exclusive.",
        "仅一处为排他性约定。",
    )),
    Transition(S.COMPARABLE, grounds.condition, S.DIFFERENT, (
        "Only one of them makes it depend on a condition.",
        "仅一处附有条件。",
    )),
    Transition(S.COMPARABLE, grounds.bearers, S.DIFFERENT, (
        "They name different persons for the same act.",
        "同一行为由不同主体承担。",
    )),
    Transition(S.COMPARABLE, _always, S.DIFFERENT, (
        "The content differs in words that no rule names.",
        "内容有别，但不属于规则所列的差异。",
    )),
    Transition(S.DIFFERENT, grounds.unchosen, S.SCOPED_APART, (
        "One of them is one of several options of a form.",
        "其中一处是表单中的备选项之一。",
    )),
    Transition(S.DIFFERENT, grounds.prevails, S.OVERRIDDEN, (
        "The documents agree on which of them prevails: “{prevails}”.",
        "文件之间已约定优先顺序：“{prevails}”。",
    )),
    Transition(S.DIFFERENT, grounds.yields, S.OVERRIDDEN, (
        "One of them names an exception or says that it yields.",
        "其中一处含有例外或从属的表述。",
    )),
    Transition(S.DIFFERENT, _always, S.SCOPED_APART, (
        "Neither yields to the other in words.",
        "两处均未约定以另一处为准。",
    )),
    Transition(S.OVERRIDDEN, grounds.prevails, S.RESOLVED, (
        "The document that prevails settles it.",
        "以优先文件为准。",
    )),
    Transition(S.OVERRIDDEN, grounds.exception_named, S.RESOLVED, (
        "The exception names the place where the other stands.",
        "该例外指明了另一处所在的条款或部分。",
    )),
    Transition(S.OVERRIDDEN, grounds.told_by_rule, S.CHECK, (
        "Whether its words reach the other passage has to be read.",
        "该表述是否及于另一处，须人工核对。",
    )),
    Transition(S.OVERRIDDEN, _always, S.RESOLVED, (
        "The exception explains the difference.",
        "该例外可以解释差异。",
    )),
    Transition(S.SCOPED_APART, grounds.unchosen, S.RESOLVED, (
        "That option has not been chosen, so it does not apply.",
        "该备选项未被选定，不产生效力。",
    )),
    Transition(S.SCOPED_APART, grounds.side_by_side, S.CHECK, (
        "They follow each other in one clause; the second may narrow the first.",
        "两处在同一条款中前后相连，后者可能是对前者的限定。",
    )),
    Transition(S.SCOPED_APART, grounds.other_terms, S.CHECK, (
        "They name different things: {term_a}, {term_b}.",
        "两处所称对象不同：{term_a}、{term_b}。",
    )),
    Transition(S.SCOPED_APART, grounds.perhaps_two_things, S.CHECK, (
        "They may speak of two things: {thing_a}, {thing_b}.",
        "两处所指可能不同：{thing_a}、{thing_b}。",
    )),
    Transition(S.SCOPED_APART, grounds.rows, S.CHECK, (
        "They are lines of one table, each with a value of its own.",
        "两处为同一表格中的不同行，各有其数值。",
    )),
    Transition(S.SCOPED_APART, grounds.restated, S.CHECK, (
        "Both stand under one number; one may restate the other.",
        "两处编号相同，其中一处可能是对另一处的重述或修订。",
    )),
    Transition(S.SCOPED_APART, grounds.other_bearers, S.CHECK, (
        "They may bind different persons.",
        "两处可能约束不同主体。",
    )),
    Transition(S.SCOPED_APART, grounds.lead_in, S.CHECK, (
        "One of them only introduces a list; what it says depends on the items.",
        "其中一处仅为列举的引导语，须结合所列各项判断。",
    )),
    Transition(S.SCOPED_APART, grounds.other_trigger, S.CHECK, (
        "Each says when it applies, in other words.",
        "两处各自的适用情形表述不同。",
    )),
    Transition(S.SCOPED_APART, grounds.other_condition, S.CHECK, (
        "Each has a condition with words of its own.",
        "两处所附的条件不同。",
    )),
    Transition(S.SCOPED_APART, grounds.fragment, S.CHECK, (
        "One of them breaks off; what it applies to stands elsewhere.",
        "其中一处语句不完整，适用范围须结合上下文判断。",
    )),
    Transition(S.SCOPED_APART, grounds.other_occasion, S.CHECK, (
        "They speak of different occasions or grounds.",
        "两处针对的周期或事由不同。",
    )),
    Transition(S.SCOPED_APART, grounds.told_by_rule, S.CONFLICT, (
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
    if case.rivals:
        first, second = case.rivals[0]
        value_a, value_b = case.a.text[first.start : first.end], case.b.text[second.start : second.end]
    opposite_a, opposite_b = d.opposites[0] if d.opposites else ("", "")
    return {
        "words": ("、" if case.a.chinese else ", ").join(case.shared_words),
        "value_a": value_a,
        "value_b": value_b,
        "modal_a": grounds.cue(case.a),
        "modal_b": grounds.cue(case.b),
        "opposite_a": opposite_a,
        "opposite_b": opposite_b,
        "prevails": case.prevails,
        "term_a": d.terms[0],
        "term_b": d.terms[1],
        "label_a": case.named_apart[0],
        "label_b": case.named_apart[1],
        "thing_a": case.perhaps_apart[0],
        "thing_b": case.perhaps_apart[1],
    }


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
