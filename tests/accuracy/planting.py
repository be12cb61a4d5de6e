"""Conflicts and look-alikes made from real sentences: what the ranker and the cross-encoder are trained on.

Each operation takes a norm apart (engine.conflicts.norms) and changes one thing that makes both versions
incompatible, or something that does not; then the copy is reworded, shortened and reordered, so that what is
learnt is the relation and not the template. English. Deterministic for a given random generator.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from engine.conflicts.norms import Modality, Norm, parse_norm

MUST = ("shall", "will", "must", "is required to", "is obliged to", "agrees to", "has to", "has the obligation to", "should")
MAY = ("may", "can", "is entitled to", "has the right to", "is permitted to", "may, at its option,", "is free to")
MUST_NOT = (
    "shall not", "will not", "must not", "may not", "cannot", "shall never", "is not permitted to", "shall in no event",
    "is prohibited from", "has no right to", "should not", "agrees not to", "is not allowed to",
)  # fmt: skip
NEED_NOT = (
    "is not required to", "is not obliged to", "need not", "shall have no obligation to", "is not responsible to",
    "may refuse to", "may decline to", "is under no obligation to", "will not be required to", "does not have to",
)  # fmt: skip

#: For each modality, the ones that cannot hold beside it, with how often each is chosen.
AGAINST: dict[Modality, tuple[tuple[str, ...], ...]] = {
    Modality.MUST: (MUST_NOT, MUST_NOT, MUST_NOT, NEED_NOT, NEED_NOT, MAY, MAY, MAY),
    Modality.MAY: (MUST_NOT, MUST_NOT, MUST_NOT, MUST),
    Modality.MUST_NOT: (MAY, MAY, MUST),
    Modality.NEED_NOT: (MUST,),
}
SAME: dict[Modality, tuple[str, ...]] = {
    Modality.MUST: MUST[:6],
    Modality.MAY: MAY[:5],
    Modality.MUST_NOT: MUST_NOT[:5],
    Modality.NEED_NOT: NEED_NOT[:4],
}

SYNONYMS = """purchase buy;provide supply;provide give;furnish provide;deliver ship;notify inform;immediately promptly;prior to before;
commence begin;terminate end;pursuant to under;in accordance with according to;in accordance with following;obtain get;utilize use;assist help;
require need;facility plant;equipment machinery;employees staff;Agreement contract;hereunder under this document;herein in this document;
purchase price cost;amount sum;subsequent later;additional further;in the event that if;in the event if;upon after;such the;such these;
all every;each every;any the;Products goods;information data;third party other person;third parties others;written in writing;remain stay;
maintain keep;promptly as soon as possible;reasonable adequate;responsible accountable;expenses costs;modify change;performance execution;
obligations duties;consent permission;consent authorization;approval permission;ensure guarantee;comply with follow;submit present;
submit send;return give back;retain keep;prepare make;receive get;determine define;request ask for;respond reply;execute sign;
transfer convey;concerning about;regarding about;sufficient enough;entire whole;annual yearly;during throughout;within in;
attached hereto attached;thereof of it;therein in it;sole only;solely only;invoice bill;payment payment of money;products items"""  # noqa: E501 - a table

OPPOSITES = """all no;all some;each no;both neither;any no;before after;prior to after;include exclude;including excluding;weekly monthly;
monthly quarterly;monthly annually;quarterly annually;annually monthly;exclusive non-exclusive;exclusively jointly;solely jointly;only also;
increase decrease;own lease;accept reject;approve reject;written oral;in writing orally;at least at most;not less than not more than;
not exceed exceed;maximum minimum;remain cease;always never;directly indirectly;with without;first last;gross net;confidential public;
irrevocable revocable;refundable non-refundable;advance arrears;actual estimated;new used;commercially reasonable best;
without charge for a fee;at its own expense at the other party's expense;at no cost at full cost"""

CONDITIONS = (
    "previously agreed", "the other party asks for it", "it wishes", "needed", "the quantity is less than three units",
    "the delivery takes more than two days", "it is in its interest", "the market price has changed", "there is a special situation",
    "it has been paid in full", "the parties agree in writing", "the costs are higher than expected", "no other supplier is found",
    "the other party does not comply", "the contract has been in force for more than a year", "requested by a third party",
    "there is enough stock", "it is shipped abroad", "a holiday falls in that week", "the board so decides", "required by law",
)  # fmt: skip

NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
WORD_NUMBER = {w: i for i, w in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)}
MONTHS = "January February March April May June July August September October November December".split()


class Planted(NamedTuple):
    """A changed copy: the text, the kind of conflict, or "" for a look-alike, and the operation's name."""

    text: str
    kind: str
    operation: str


def _pairs(table: str) -> list[tuple[str, str]]:
    """The table's entries; of an entry of several words the first word or known phrase is the left side."""
    phrases = ("prior to", "pursuant to", "in accordance with", "in the event that", "in the event", "purchase price", "third party",
               "third parties", "comply with", "attached hereto", "in writing", "at least", "not less than", "not exceed",
               "without charge", "at its own expense", "at no cost", "commercially reasonable")  # fmt: skip
    found = []
    for entry in table.replace("\n", "").split(";"):
        left = next((p for p in phrases if entry.startswith(p + " ")), entry.split()[0])
        found.append((left, entry[len(left) + 1 :]))
    return found


SYNONYM_PAIRS = _pairs(SYNONYMS)
OPPOSITE_PAIRS = _pairs(OPPOSITES)


def _replace_word(text: str, old: str, new: str) -> str:
    return re.sub(rf"\b{re.escape(old)}\b", new, text, count=1)


def _pieces(text: str, norm: Norm) -> tuple[str, str, str, str]:
    """Leading words, bearer, cue, act."""
    lead = text[: norm.bearer[0]]
    return lead, text[slice(*norm.bearer)].strip(), text[slice(*norm.cue)].strip(), text[slice(*norm.act)].strip()


def _join(*parts: str) -> str:
    text = re.sub(r"\s+", " ", " ".join(part for part in parts if part)).strip()
    return text[0].upper() + text[1:] if text else text


def swap_modal(text: str, norm: Norm, rng: Random) -> Planted | None:
    """The same act must, may or must not be done."""
    if norm.modality not in AGAINST:
        return None
    lead, bearer, cue, act = _pieces(text, norm)
    simple = rng.random() < 0.4
    group = rng.choice(AGAINST[norm.modality])
    new = group[0] if simple else rng.choice(group)
    if " be " in f" {cue} ":
        act = f"be {cue.rsplit('be ', 1)[-1]} {act}"
    if new.endswith("from"):
        verb, _, rest = act.partition(" ")
        act = f"{verb.removesuffix('e')}ing {rest}"
    return Planted(_join(lead, bearer, new, act), "modality" if simple else "opposition", "swap_modal")


def change_number(text: str, norm: Norm, rng: Random) -> Planted | None:
    """Another number, amount, date or count."""
    choices: list[Callable[[], str]] = []
    for match in list(NUMBER.finditer(text))[:6]:
        plain = match.group().replace(",", "")
        if match.start() > 3 and plain.count(".") <= 1 and plain.replace(".", "").isdigit():
            old = float(plain)
            new = str(int(max(1, old * rng.choice((0.25, 0.5, 0.67, 1.5, 2, 3)) + rng.choice((0, 0, 1))))) if old < 1900 else str(int(old) + 1)
            if new != plain:
                choices.append(lambda m=match, n=new: text[: m.start()] + n + text[m.end() :])  # type: ignore[misc]
    for word, value in WORD_NUMBER.items():
        if re.search(rf"\b{word}\b", text) and value > 1:
            other = rng.choice([w for w, v in WORD_NUMBER.items() if v != value])
            choices.append(lambda w=word, o=other: _replace_word(text, w, o))  # type: ignore[misc]
    for month in MONTHS:
        if re.search(rf"\b{month} \d", text):
            choices.append(lambda m=month, o=rng.choice(MONTHS): _replace_word(text, m, o))  # type: ignore[misc]
    if not choices:
        return None
    changed = rng.choice(choices)()
    return Planted(changed, "object", "change_number") if changed != text else None


def change_word(text: str, norm: Norm, rng: Random) -> Planted | None:
    """An opposite in place of one word."""
    fitting = [pair for pair in OPPOSITE_PAIRS if re.search(rf"\b{re.escape(pair[0])}\b", text[norm.bearer[0] :])]
    if not fitting:
        return None
    old, new = rng.choice(fitting)
    return Planted(text[: norm.bearer[0]] + _replace_word(text[norm.bearer[0] :], old, new), "object", "change_word")


def add_only(text: str, norm: Norm, rng: Random) -> Planted | None:
    """A duty or right narrowed in a way that excludes the other."""
    if norm.modality not in (Modality.MUST, Modality.MAY):
        return None
    lead, bearer, cue, act = _pieces(text, norm)
    way = rng.choice(("through a bank account", "by registered mail", "once a year", "as it prefers", "according to its own terms",
                      "with its own employees", "in its own facilities", "to one person", "in part", "twice a month"))  # fmt: skip
    act = act.rstrip(" .;")
    return Planted(_join(lead, bearer, cue, "only" if rng.random() < 0.4 else "", act, way) + ".", "object", "add_only")


def add_condition(text: str, norm: Norm, rng: Random, others: Sequence[str] = ()) -> Planted | None:
    """A condition under which one breaks the other; the modal is turned round, weakened or kept."""
    if norm.modality not in AGAINST:
        return None
    lead, bearer, cue, act = _pieces(text, norm)
    condition = rng.choice(CONDITIONS)
    if others and rng.random() < 0.5:
        other = rng.choice(others)
        piece = parse_norm(other)
        if piece.modality is not Modality.STATEMENT:
            words = other[piece.act[0] :].split()[: rng.randint(4, 10)]
            condition = f"{bearer.split(',')[-1].strip() or 'it'} does {'not ' if rng.random() < 0.4 else ''}{' '.join(words)}".rstrip(" .;,")
    opening = rng.choice(("If", "If", "If", "Only if", "Unless", "When", "In case", "Provided that"))
    modal = cue if opening in ("Only if", "Unless") and rng.random() < 0.5 else rng.choice(rng.choice(AGAINST[norm.modality]))
    if modal.endswith("from"):
        modal = "must not"
    act = act.rstrip(" .;")
    text_new = (
        _join(opening, condition + ",", bearer, modal, act) + "."
        if rng.random() < 0.7
        else _join(bearer, modal, act, opening.lower(), condition) + "."
    )
    return Planted(text_new, "conditional", "add_condition")


def turn_condition(text: str, norm: Norm, rng: Random) -> Planted | None:
    """The condition denied, dropped, or made of the duty itself."""
    lead, bearer, cue, act = _pieces(text, norm)
    if norm.modality not in AGAINST:
        return None
    if not lead.strip():
        new = rng.choice(rng.choice(AGAINST[norm.modality]))
        verb = "does not" if rng.random() < 0.6 else "does"
        words = act.split()
        half = max(3, len(words) // 2)
        return Planted(
            _join("If", bearer, verb, *words[:half]).rstrip(",.;") + ", " + _join("it", new.replace("is prohibited from", "shall not"), *words[half:]).lower(),
            "conditional",
            "turn_condition",
        )
    if rng.random() < 0.4:
        return swap_modal(text[len(lead) :], parse_norm(text[len(lead) :]), rng)
    turned = re.sub(r"^\W*(If|In the event|When|Upon|Unless|Should)\b", lambda m: {"Unless": "If"}.get(m.group(1), "If not"), lead, count=1)
    return Planted(_join(turned, bearer, cue, act), "conditional", "turn_condition") if turned != lead else None


def other_bearer(text: str, norm: Norm, rng: Random, bearers: Sequence[str] = ()) -> Planted | None:
    """Another person decides, pays or owns."""
    lead, bearer, cue, act = _pieces(text, norm)
    others = [b for b in bearers if b.lower() not in bearer.lower() and b.lower() not in act.lower()]
    if norm.modality is not Modality.MUST or not others or len(bearer.split()) > 4:
        return None
    return Planted(_join(lead, rng.choice(others), "alone" if rng.random() < 0.2 else "", cue, act), "object", "other_bearer")


def short_denial(text: str, norm: Norm, rng: Random) -> Planted | None:
    """The core of the norm in a few words, denied: "Seller shall not file any vendor registration"."""
    if norm.modality not in AGAINST:
        return None
    _, bearer, _, act = _pieces(text, norm)
    bearer = re.split(r",\s*", bearer)[-1]
    words = act.rstrip(" .;").split()
    keep = words[: rng.randint(2, 8)]
    while keep and keep[-1].lower().strip(",") in ("the", "a", "of", "to", "and", "or", "in", "with", "for", "by", "any", "all", "its", "such"):
        keep.pop()
    if len(keep) < 2 or not bearer:
        return None
    new = rng.choice(rng.choice(AGAINST[norm.modality]))
    if new.endswith("from"):
        new = "shall not"
    return Planted(_join(bearer, new, *keep).rstrip(",;") + ".", "opposition", "short_denial")


def turn_passive(text: str, norm: Norm, rng: Random) -> Planted | None:
    """ "X shall deliver the goods" as "The goods shall not be delivered by X"."""
    if norm.modality not in (Modality.MUST, Modality.MAY):
        return None
    _, bearer, _, act = _pieces(text, norm)
    match = re.match(r"(?:also |promptly |then )?([a-z]{3,12}) ((?:the|all|any|each|a|an|its|such) (?:[\w-]+ ?){1,4}?)(?= (?:to|for|in|of|with|by|on|at|and|or)\b|[,.;]|$)", act)  # noqa: E501 - one pattern
    bearer = re.split(r",\s*", bearer)[-1]
    if match is None or not bearer:
        return None
    verb, thing = match.group(1), match.group(2).strip()
    ended = verb + "d" if verb.endswith("e") else verb[:-1] + "ied" if verb.endswith("y") else verb + "ed"
    new = rng.choice(("shall not be", "may not be", "need not be", "will never be", "must not be", "cannot be", "may be"))
    rest = act[match.end() :].strip() if rng.random() < 0.4 else "."
    return Planted(_join(thing, new, ended, f"by {bearer}" if rng.random() < 0.7 else "", rest), "opposition", "turn_passive")


def same_words(text: str, norm: Norm, rng: Random) -> Planted | None:
    """A paraphrase: no conflict."""
    if norm.modality not in SAME or not norm.cue[1]:
        return Planted(text, "", "same_words")
    lead, bearer, cue, act = _pieces(text, norm)
    new = rng.choice(SAME[norm.modality])
    if " be " in f" {cue} " or new == cue:
        new = cue
    return Planted(_join(lead, bearer, new, act), "", "same_words")


def mirror(text: str, norm: Norm, rng: Random, bearers: Sequence[str] = ()) -> Planted | None:
    """The same duty of the other party, who is swapped throughout: no conflict."""
    _, bearer, _, act = _pieces(text, norm)
    inside = [b for b in bearers if re.search(rf"\b{re.escape(b)}\b", bearer)]
    outside = [b for b in bearers if b not in inside and (re.search(rf"\b{re.escape(b)}\b", act) or rng.random() < 0.3)]
    if not inside or not outside:
        return None
    x, y = inside[0], rng.choice(outside)
    swapped = re.sub(rf"\b(?:{re.escape(x)}|{re.escape(y)})\b", lambda m: y if m.group() == x else x, text)
    if rng.random() < 0.3:
        turned = swap_modal(swapped, parse_norm(swapped), rng)
        swapped = turned.text if turned else swapped
    return Planted(swapped, "", "mirror")


def excepted(text: str, norm: Norm, rng: Random) -> Planted | None:
    """A contrary norm that says it is an exception: no conflict."""
    turned = swap_modal(text, norm, rng)
    if turned is None:
        return None
    lead = rng.choice(("Notwithstanding the foregoing,", "Except as provided in Section 4.2,", "Notwithstanding Section 3,",
                       "Unless otherwise agreed in writing,", "As an exception to Section 5.1,", "Subject to Section 7,"))  # fmt: skip
    return Planted(_join(lead, turned.text), "", "excepted")


def reword(text: str, rng: Random, amount: float) -> str:
    """The same in other words: synonyms, dropped words, a shortened end, a moved opening. ``amount`` 0..1."""
    for old, new in rng.sample(SYNONYM_PAIRS, k=int(len(SYNONYM_PAIRS) * min(1.0, 0.2 + amount))):
        if rng.random() < amount:
            text = _replace_word(text, old, new)
    if rng.random() < amount * 0.6:
        cut = re.search(r",? (?:in accordance with|pursuant to|including|as set forth|as provided|in connection with|which|as described)\b[^,;]*(?=[,;.]|$)", text)  # noqa: E501 - one pattern
        if cut and cut.start() > 30:
            text = text[: cut.start()] + text[cut.end() :]
    if rng.random() < amount * 0.5:
        words = text.split()
        text = " ".join(w for w in words if w[0].isupper() or len(w) > 9 or rng.random() > 0.12 * amount or w in ("not", "no", "never"))
    if rng.random() < amount * 0.3:
        text = re.sub(r"^(?:\W*\(?[a-z0-9]{1,3}[.)])\s*", "", text)
    return text


CONFLICTS = (swap_modal, swap_modal, change_number, change_word, add_only, short_denial, short_denial, turn_passive, turn_condition, add_condition, add_condition, other_bearer)
LOOKALIKES = (same_words, mirror, mirror, excepted)


def plant(text: str, rng: Random, *, conflict: bool, bearers: Sequence[str] = (), others: Sequence[str] = ()) -> Planted | None:
    """One changed copy of a norm sentence, or None when the chosen operation does not fit it."""
    norm = parse_norm(text)
    operation = rng.choice(CONFLICTS if conflict else LOOKALIKES)
    if operation in (other_bearer, mirror):
        made = operation(text, norm, rng, bearers)  # type: ignore[call-arg]
    elif operation is add_condition:
        made = add_condition(text, norm, rng, others)
    else:
        made = operation(text, norm, rng)  # type: ignore[operator]
    if made is None or made.text == text:
        return made if made is not None and not conflict else None
    amount = rng.choice((0.0, 0.0, 0.3, 0.6, 0.9))
    if made.operation == "change_number":
        amount = min(amount, 0.3)
    return made._replace(text=reword(made.text, rng, amount))
