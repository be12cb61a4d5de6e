"""The grounds of the arbitration: what can be said of a pair, each as a test of its case."""

from __future__ import annotations

import dataclasses

from engine.conflicts.differences import Differences
from engine.conflicts.norms import Modality
from engine.conflicts.units import Unit

#: Two sentences that come nearer by this share of their word pairs when the parties are exchanged are mirrored.
EXCHANGED = 0.1

#: The same among the pairs that name a party; and from where on modals or values may differ too: each has its own.
PARTIES_EXCHANGED, PLAINLY_EXCHANGED = 0.34, 0.6


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
    return any(x.role and x.role == y.role for x, y in case.differences.values)


def lead_ins(case: Case) -> bool:
    """Both only introduce lists."""
    return case.a.introduces and case.b.introduces and not one_role(case)


def lead_in(case: Case) -> bool:
    """One of them only introduces a list."""
    return (case.a.introduces or case.b.introduces) and not one_role(case)


def cases(case: Case) -> bool:
    """One is a case in a list of cases, which binds nobody by itself."""
    return (case.a.case or case.b.case) and not one_role(case)


def both_ask(case: Case) -> bool:
    """A duty and a prohibition ask for the same."""
    return (case.differences.both_ask or _undone(case)) and not case.differences.values


def _undone(case: Case) -> bool:
    """One must be done and its opposite must not: "shall return the papers" beside "shall not keep the papers"."""
    if frozenset((case.a.norm.modality, case.b.norm.modality)) != frozenset((Modality.MUST, Modality.MUST_NOT)):
        return False
    heads = [_head(case.a), _head(case.b)]
    return any(
        (x in heads[0] and y in heads[1]) or (y in heads[0] and x in heads[1]) for x, y in case.differences.opposites
    )


def _head(unit: Unit) -> str | tuple[str, ...]:
    """How an act begins: its first words, or characters."""
    start = unit.norm.act[0]
    if unit.chinese:
        return unit.text[start : start + 8]
    return tuple(token.stem for token in unit.tokens if token.start >= start)[:2]


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
    return (d.rhythms_apart or d.faults_apart) and not near_copy(case)


def other_trigger(case: Case) -> bool:
    """Each says when it applies, in other words."""
    return case.differences.triggers_apart


def complementary(case: Case) -> bool:
    """One holds if something is so, the other if not."""
    d = case.differences
    # If both ask for the same, the two conditions do not explain why both were written.
    return d.complementary and bool(d.clash or d.negation or d.opposites or d.values or d.numbers)


def consequence(case: Case) -> bool:
    """One says what follows from the other's act."""
    d = case.differences
    return d.consequence and not d.values and d.clash < 2 and not d.opposites and not near_copy(case)


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
    return bool(case.differences.values)


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
    """One of them yields or overrides in words."""
    return case.yields


def other_bearers(case: Case) -> bool:
    """They may bind different persons."""
    return case.differences.bearer in ("different", "mirrored") and not near_copy(case)


def told_by_rule(case: Case) -> bool:
    """A rule names what differs and the two are near enough for it to be the same act."""
    d = case.differences
    if one_role(case):
        return True
    strong = bool(d.values) or bool(d.opposites) or d.clash == 2 or (d.clash == 1 and case.contained >= 0.6)
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
