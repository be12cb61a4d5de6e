"""Lines that state one term ("Monthly rent: USD 11,540.") against the clause that says otherwise.

A summary of key terms and the clause it sums up share few words, so neither vectors nor trees bring them together; the
label says itself what the value is the value of.
"""

from __future__ import annotations

from engine.anchors.model import Anchor
from engine.anchors.roles import comparable
from engine.conflicts.sides import Side
from engine.conflicts.units import STATED, VALUE_KINDS, Unit
from engine.conflicts.words import content_tokens, tokenize

#: The least log-odds of a line and a clause that differ on what the line states.
STATED_FLOOR = -0.5

#: A stated line has at most so many words.
MOST_WORDS = 24

#: So much of a label of three words and more stands in the clause, all of a shorter one.
COVERED = 0.66

#: Two values are comparable at all (kinds and units) from here on.
COMPARABLE = 0.1


def label_of(unit: Unit) -> frozenset[str]:
    """Stems of the words before the colon of a line that states a term; empty for any other unit."""
    if not STATED.match(unit.text) or len(unit.tokens) > MOST_WORDS:
        return frozenset()
    label = unit.text.replace("：", ":").partition(":")[0]
    return frozenset(token.stem for token in content_tokens(tokenize(label)))


def _values(unit: Unit) -> list[Anchor]:
    return [anchor for anchor in unit.anchors if anchor.kind in VALUE_KINDS]


def states_otherwise(line: Unit, clause: Unit, clause_side: Side) -> bool:
    """Whether a line states another value for what a clause speaks of."""
    label = label_of(line)
    stated = _values(line)
    if not label or len(stated) != 1 or line.defines:
        return False
    needed = COVERED * len(label) if len(label) > 2 else len(label)
    if len(label & clause_side.stems) < needed:
        return False
    (value,) = stated
    rivals = [anchor for anchor in _values(clause) if anchor.kind is value.kind]
    if len(rivals) != 1 or rivals[0].value == value.value:
        return False
    (rival,) = rivals
    other_role = bool(value.role and rival.role) and value.role != rival.role
    return not other_role and comparable(value, rival) >= COMPARABLE
