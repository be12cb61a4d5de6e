"""The grounds of the arbitration: what can be said of a pair, each as a test of its case."""

from __future__ import annotations

import dataclasses
import functools

from engine.anchors.model import Anchor
from engine.conflicts import alike, exceptions, labels, own_cases, owners
from engine.conflicts.differences import Differences
from engine.conflicts.norms import Modality
from engine.conflicts.units import Unit

#: Two sentences that come nearer by this share of their word pairs when the parties are exchanged are mirrored.
EXCHANGED = 0.1

#: A clause that is restated stands so many units and more from its first text.
RESTATED_FROM = 20

#: The same among the pairs that name a party; and from where on modals or values may differ too: each has its own.
PARTIES_EXCHANGED, PLAINLY_EXCHANGED = 0.34, 0.6


@dataclasses.dataclass(frozen=True)
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

    @functools.cached_property
    def rivals(self) -> tuple[tuple[Anchor, Anchor], ...]:
        """The pairs of values that differ, without those that are none of this contract's own."""
        return tuple(
            (x, y)
            for x, y in self.differences.values
            if not owners.foreign(self.a, x, self.b)
            and not owners.foreign(self.b, y, self.a)
            and owners.grace(self.a, x) == owners.grace(self.b, y)
        )

    @functools.cached_property
    def named_apart(self) -> tuple[str, str]:
        """The labels by which they speak of two things of one kind, else "", ""."""
        return labels.labels_apart(self.a.text, self.b.text)

    @functools.cached_property
    def perhaps_apart(self) -> tuple[str, str]:
        """Words by which they may speak of two things: payments, parts of the contract, words that were exchanged."""
        pair = (self.a.text, self.b.text)
        parts = labels.parts_apart(*pair) if self.rivals else ("", "")
        found = next((words for words in (labels.payments_apart(*pair), parts) if words[0]), ("", ""))
        return found if found[0] or not self.rivals else alike.exchanged_words(self.a, self.b)


def near_copy(case: Case) -> bool:
    """They use nearly the same words."""
    return case.contained >= 0.75


def speaks_of_one_thing(case: Case) -> bool:
    """Words or vectors are near."""
    return case.contained >= 0.35 or case.cosine >= 0.6


def mirrored(case: Case) -> bool:
    """Each binds the other party to the same."""
    d = case.differences
    if d.only:
        return False
    if d.exchanged >= PLAINLY_EXCHANGED and d.clash < 2:
        return True
    exchanged = (d.swapped >= EXCHANGED or d.exchanged >= PARTIES_EXCHANGED) and not d.values
    nearer = max(d.swapped, d.exchanged)
    # Without a gain it is no mirror: "Materials shall be supplied by Buyer" beside "Buyer shall pay for materials".
    return ((d.bearer == "mirrored" and nearer > 0) or exchanged) and d.clash == 0 and not d.negation


def one_role(case: Case) -> bool:
    """Whether they give two values to one thing."""
    return any(x.role and x.role == y.role for x, y in case.rivals)


def lead_ins(case: Case) -> bool:
    """Both only introduce lists."""
    return case.a.introduces and case.b.introduces and not one_role(case)


def lead_in(case: Case) -> bool:
    """One of them only introduces a list."""
    return (case.a.introduces or case.b.introduces) and not one_role(case)


def cases(case: Case) -> bool:
    """One is a case in a list of cases, which binds nobody by itself."""
    return (case.a.case or case.b.case or alike.case_item(case.a) or alike.case_item(case.b)) and not one_role(case)


def both_ask(case: Case) -> bool:
    """A duty and a prohibition ask for the same."""
    d = case.differences
    return (d.both_ask or alike.undone(case.a, case.b, d.opposites)) and not d.values


def right_and_duty(case: Case) -> bool:
    """One party's right stands beside the other party's duty."""
    d = case.differences
    kinds = frozenset((case.a.norm.modality, case.b.norm.modality))
    right_and_duty = kinds == frozenset((Modality.MAY, Modality.MUST))
    other = d.values or d.only or d.opposites or d.negation
    return d.actors == "different" and right_and_duty and not other


def other_occasion(case: Case) -> bool:
    """They speak of other regular occasions, or one of a breach and one of none."""
    d = case.differences
    # Adjusted monthly here and yearly there is a clash; what is paid in ten days a month, in thirty a quarter, is none.
    return (d.rhythms_apart and (bool(case.rivals) or not near_copy(case))) or (d.faults_apart and not near_copy(case))


def other_trigger(case: Case) -> bool:
    """Each says when it applies, in other words."""
    return case.differences.triggers_apart


def all_but_this(case: Case) -> bool:
    """One holds in a case, the other in all but this case."""
    return alike.all_but(case.a, case.b) or alike.all_but(case.b, case.a)


def part_payments(case: Case) -> bool:
    """Each is an instalment of one price."""
    return bool(case.differences.values) and own_cases.instalments(case.a, case.b)


def complementary(case: Case) -> bool:
    """One holds if something is so, the other if not."""
    d = case.differences
    # If both ask for the same, the two conditions do not explain why both were written.
    opposed = d.complementary or own_cases.opposed_cases(case.a, case.b)
    return opposed and bool(d.clash or d.negation or d.opposites or d.values or d.numbers)


def consequence(case: Case) -> bool:
    """One says what follows from the other's act."""
    d = case.differences
    return d.consequence and not d.values and d.clash < 2 and not d.opposites and not near_copy(case)


def note(case: Case) -> bool:
    """One speaks to the drafter."""
    return case.a.note or case.b.note


def two_things(case: Case) -> bool:
    """Each has a label of its own, of one family: two options, two phases, two grades of a fault."""
    return bool(case.named_apart[0])


def two_options(case: Case) -> bool:
    """Each stands under a title of its own, with nearly the same words: alternatives of a form."""
    return near_copy(case) and bool(labels.titles_apart(case.a.text, case.b.text))


def two_permissions(case: Case) -> bool:
    """Both permit something, neither permits nothing else, and no value or word of theirs excludes the other."""
    d = case.differences
    other = case.rivals or d.only or d.opposites or d.negation or near_copy(case)
    return alike.plain_permission(case.a) and alike.plain_permission(case.b) and not other


def opposite_parties(case: Case) -> bool:
    """What one party must or may, and what the other must not."""
    kinds = frozenset((case.a.norm.modality, case.b.norm.modality))
    forbids = Modality.MUST_NOT in kinds and kinds & {Modality.MAY, Modality.MUST}
    return bool(forbids) and not case.rivals and alike.opposite_actors(case.a, case.b)


def no_liability(case: Case) -> bool:
    """A duty to act beside words that exclude liability for something: not being liable frees nobody from the duty."""
    return not case.rivals and not case.differences.opposites and alike.excludes_liability(case.a, case.b)


def perhaps_two_things(case: Case) -> bool:
    """Each names something of its own that may tell their subjects apart."""
    return bool(case.perhaps_apart[0])


def others_values(case: Case) -> bool:
    """Their values differ, but those of one are another document's, and nothing else differs that a rule names."""
    d = case.differences
    return bool(d.values) and not case.rivals and d.clash < 2 and not d.opposites


def other_partys_act(case: Case) -> bool:
    """Each says what follows from the act of another party."""
    return bool(alike.acting_parties(case.a, case.b)) and case.differences.clash < 2


def restrictions(case: Case) -> bool:
    """A permission of nothing but this beside a prohibition of all but that: both restrict."""
    return not case.rivals and (alike.restricts(case.a, case.b) or alike.restricts(case.b, case.a))


def duty_with_ban(case: Case) -> bool:
    """A duty that is followed by a prohibition of its own beside a like prohibition."""
    return not case.rivals and not case.differences.opposites and alike.bans_too(case.a, case.b)


def rephrased(case: Case) -> bool:
    """The same words but for such as say nothing: however, applicable, 特此."""
    d = case.differences
    named = case.rivals or d.opposites or d.negation or d.clash
    return not named and alike.same_but_for_little(case.a, case.b)


def other_condition(case: Case) -> bool:
    """Both have a condition and each condition has words of its own, so that they may speak of two cases."""
    d = case.differences
    return (
        d.condition == "both" and bool(d.clash or case.rivals or d.negation) and alike.conditions_differ(case.a, case.b)
    )


def rows(case: Case) -> bool:
    """Lines of one table or form with the same words and another value each."""
    return bool(case.rivals) and alike.lines_of_one_table(case.a, case.b)


def restated(case: Case) -> bool:
    """Both stand under one number, far from each other, in nearly the same words: one may restate the other."""
    first, second = case.a.first.clause, case.b.first.clause
    if first is None or second is None or first is second or not first.number:
        return False
    return first.number == second.number and near_copy(case) and abs(case.a.order - case.b.order) > RESTATED_FROM


def fragment(case: Case) -> bool:
    """One of them breaks off, so that what it applies to is not there."""
    return alike.breaks_off(case.a) or alike.breaks_off(case.b)


def exception_named(case: Case) -> bool:
    """The exception of one names the other, or one overrides what stands just before it."""
    return exceptions.names(case.a, case.b) or exceptions.names(case.b, case.a)


def apart(case: Case) -> bool:
    """Something says that they apply to two things or cases, though not beyond doubt."""
    return (
        other_trigger(case)
        or other_occasion(case)
        or lead_in(case)
        or perhaps_two_things(case)
        or rows(case)
        or restated(case)
        or fragment(case)
    )


def other_terms(case: Case) -> bool:
    """They name different defined things."""
    return bool(case.differences.terms[0])


def two_definitions(case: Case) -> bool:
    """They define different terms."""
    return bool(case.a.defines and case.b.defines) and case.a.defines.casefold() != case.b.defines.casefold()


def definition_and_rule(case: Case) -> bool:
    """One defines, the other rules."""
    return bool(case.a.defines) != bool(case.b.defines) and not case.differences.values


def one_list(case: Case) -> bool:
    """They are items of one list."""
    listed = case.a.lead_at == case.b.lead_at and case.a.lead_at[1] >= 0
    same = listed or (bool(case.a.lead_tokens) and case.a.lead_tokens == case.b.lead_tokens)
    return same and not near_copy(case)


def says_the_same(case: Case) -> bool:
    """Nothing differs that could matter."""
    d = case.differences
    # "should" beside "shall" is a difference that some contracts live by.
    modality = cue(case.a).casefold() == cue(case.b).casefold()
    other = d.values or d.numbers or d.opposites or d.negation or d.only or d.condition == "one"
    return modality and d.same_words and not other


def modals(case: Case) -> bool:
    """Their modals clash."""
    return case.differences.clash > 0


def values(case: Case) -> bool:
    """They give different values."""
    return bool(case.rivals)


def opposites(case: Case) -> bool:
    """A word of one excludes a word of the other."""
    return bool(case.differences.opposites)


def negation(case: Case) -> bool:
    """One has more negations."""
    return case.differences.negation


def condition(case: Case) -> bool:
    """Only one has a condition."""
    return case.differences.condition == "one"


def only(case: Case) -> bool:
    """Only one is exclusive."""
    return case.differences.only


def bearers(case: Case) -> bool:
    """Different persons for nearly the same words."""
    return case.differences.bearer == "different" and case.contained >= 0.6


def unchosen(case: Case) -> bool:
    """One is an option that nobody has ticked."""
    return case.a.unchosen or case.b.unchosen


def side_by_side(case: Case) -> bool:
    """They follow each other in one clause and give no two values to one thing."""
    special = case.differences.condition == "one" and case.differences.clash < 2
    return case.beside and (special or not near_copy(case)) and not one_role(case)


def prevails(case: Case) -> bool:
    """One of their documents prevails over the other."""
    return bool(case.prevails)


def yields(case: Case) -> bool:
    """One of them yields or overrides in words, and not only to clauses that the other is none of."""
    return case.yields or exception_named(case)


def other_bearers(case: Case) -> bool:
    """They may bind different persons."""
    return case.differences.bearer in ("different", "mirrored") and not near_copy(case)


def told_by_rule(case: Case) -> bool:
    """A rule names what differs and the two are near enough for it to be the same act."""
    d = case.differences
    if one_role(case):
        return True
    strong = bool(case.rivals) or bool(d.opposites) or d.clash == 2 or (d.clash == 1 and case.contained >= 0.6)
    return strong and (case.contained >= 0.5 or case.cosine >= 0.75)


def series(case: Case) -> bool:
    """They belong to a series of like sentences."""
    return case.series and not told_by_rule(case) and case.differences.clash == 0


def cue(unit: Unit) -> str:
    """The words that make a unit a duty, a permission or a prohibition, as they stand."""
    start, end = unit.norm.cue
    words = unit.text[start:end].strip()
    if words:
        return f"“{words}”"
    return "一般陈述" if unit.chinese else "a plain statement"
