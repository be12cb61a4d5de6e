"""Conflicts and look-alikes made from real sentences: what the ranker and the cross-encoder are trained on.

Each operation takes a norm apart (engine.conflicts.norms) and changes one thing that makes both versions
incompatible, or something that does not; then the copy is reworded, shortened and reordered, so that what is
learnt is the relation and not the template. English. Deterministic for a given random generator.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

from planting_parts import Planted, join, pieces
from planting_scope import general_and_case, other_occasion, other_side, other_trigger, with_leave
from planting_short import absolute, complement, other_term, own_way, short_condition
from planting_tables import (
    AGAINST,
    CONDITIONS,
    EXCEPTIONS,
    MONTHS,
    NARROWED,
    NUMBER,
    OPPOSITES,
    PHRASES,
    SAME,
    SYNONYMS,
    WORD_NUMBER,
)

from engine.conflicts.norms import Modality, Norm, parse_norm


def _pairs(table: str) -> list[tuple[str, str]]:
    """The table's entries; of an entry of several words the first word or known phrase is the left side."""
    found = []
    for entry in table.replace("\n", "").split(";"):
        left = next((p for p in PHRASES if entry.startswith(p + " ")), entry.split()[0])
        found.append((left, entry[len(left) + 1 :]))
    return found


SYNONYM_PAIRS = _pairs(SYNONYMS)
OPPOSITE_PAIRS = _pairs(OPPOSITES)


def _replace_word(text: str, old: str, new: str) -> str:
    return re.sub(rf"\b{re.escape(old)}\b", new, text, count=1)


def swap_modal(text: str, norm: Norm, rng: Random) -> Planted | None:
    """The same act must, may or must not be done."""
    if norm.modality not in AGAINST:
        return None
    lead, bearer, cue, act = pieces(text, norm)
    simple = rng.random() < 0.4
    group = rng.choice(AGAINST[norm.modality])
    new = group[0] if simple else rng.choice(group)
    if " be " in f" {cue} ":
        act = f"be {cue.rsplit('be ', 1)[-1]} {act}"
    if new.endswith("from"):
        verb, _, rest = act.partition(" ")
        act = f"{verb.removesuffix('e')}ing {rest}"
    return Planted(join(lead, bearer, new, act), "modality" if simple else "opposition", "swap_modal")


def change_number(text: str, norm: Norm, rng: Random) -> Planted | None:
    """Another number, amount, date or count."""
    choices: list[Callable[[], str]] = []
    for match in list(NUMBER.finditer(text))[:6]:
        plain = match.group().replace(",", "")
        if match.start() > 3 and plain.count(".") <= 1 and plain.replace(".", "").isdigit():
            old = float(plain)
            new = (
                str(int(max(1, old * rng.choice((0.25, 0.5, 0.67, 1.5, 2, 3)) + rng.choice((0, 0, 1)))))
                if old < 1900
                else str(int(old) + 1)
            )
            if new != plain:
                choices.append(lambda m=match, n=new: text[: m.start()] + n + text[m.end() :])
    for word, value in WORD_NUMBER.items():
        if re.search(rf"\b{word}\b", text) and value > 1:
            other = rng.choice([w for w, v in WORD_NUMBER.items() if v != value])
            choices.append(lambda w=word, o=other: _replace_word(text, w, o))
    other_month = rng.choice(MONTHS)
    for month in MONTHS:
        if re.search(rf"\b{month} \d", text):
            choices.append(lambda m=month, o=other_month: _replace_word(text, m, o))
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
    lead, bearer, cue, act = pieces(text, norm)
    way = rng.choice(NARROWED)
    act = act.rstrip(" .;")
    return Planted(join(lead, bearer, cue, "only" if rng.random() < 0.4 else "", act, way) + ".", "object", "add_only")


def add_condition(text: str, norm: Norm, rng: Random, others: Sequence[str] = ()) -> Planted | None:
    """A condition under which one breaks the other; the modal is turned round, weakened or kept."""
    if norm.modality not in AGAINST:
        return None
    _, bearer, cue, act = pieces(text, norm)
    condition = rng.choice(CONDITIONS)
    if others and rng.random() < 0.5:
        other = rng.choice(others)
        piece = parse_norm(other)
        if piece.modality is not Modality.STATEMENT:
            words = other[piece.act[0] :].split()[: rng.randint(4, 10)]
            who = bearer.split(",")[-1].strip() or "it"
            denied = "not " if rng.random() < 0.4 else ""
            condition = f"{who} does {denied}{' '.join(words)}".rstrip(" .;,")
    opening = rng.choice(("If", "If", "If", "Only if", "Unless", "When", "In case", "Provided that"))
    modal = (
        cue
        if opening in ("Only if", "Unless") and rng.random() < 0.5
        else rng.choice(rng.choice(AGAINST[norm.modality]))
    )
    if modal.endswith("from"):
        modal = "must not"
    act = act.rstrip(" .;")
    text_new = (
        join(opening, condition + ",", bearer, modal, act) + "."
        if rng.random() < 0.7
        else join(bearer, modal, act, opening.lower(), condition) + "."
    )
    return Planted(text_new, "conditional", "add_condition")


def turn_condition(text: str, norm: Norm, rng: Random) -> Planted | None:
    """The condition denied, dropped, or made of the duty itself."""
    lead, bearer, cue, act = pieces(text, norm)
    if norm.modality not in AGAINST:
        return None
    if not lead.strip():
        new = rng.choice(rng.choice(AGAINST[norm.modality]))
        verb = "does not" if rng.random() < 0.6 else "does"
        words = act.split()
        half = max(3, len(words) // 2)
        return Planted(
            join("If", bearer, verb, *words[:half]).rstrip(",.;")
            + ", "
            + join("it", new.replace("is prohibited from", "shall not"), *words[half:]).lower(),
            "conditional",
            "turn_condition",
        )
    if rng.random() < 0.4:
        return swap_modal(text[len(lead) :], parse_norm(text[len(lead) :]), rng)
    turned = re.sub(
        r"^\W*(If|In the event|When|Upon|Unless|Should)\b",
        lambda m: {"Unless": "If"}.get(m.group(1), "If not"),
        lead,
        count=1,
    )
    return Planted(join(turned, bearer, cue, act), "conditional", "turn_condition") if turned != lead else None


def other_bearer(text: str, norm: Norm, rng: Random, bearers: Sequence[str] = ()) -> Planted | None:
    """Another person decides, pays or owns."""
    lead, bearer, cue, act = pieces(text, norm)
    others = [b for b in bearers if b.lower() not in bearer.lower() and b.lower() not in act.lower()]
    if norm.modality is not Modality.MUST or not others or len(bearer.split()) > 4:
        return None
    return Planted(
        join(lead, rng.choice(others), "alone" if rng.random() < 0.2 else "", cue, act), "object", "other_bearer"
    )


def short_denial(text: str, norm: Norm, rng: Random) -> Planted | None:
    """The core of the norm in a few words, denied: "Seller shall not file any vendor registration"."""
    if norm.modality not in AGAINST:
        return None
    _, bearer, _, act = pieces(text, norm)
    bearer = re.split(r",\s*", bearer)[-1]
    words = act.rstrip(" .;").split()
    keep = words[: rng.randint(2, 8)]
    while keep and keep[-1].lower().strip(",") in (
        "the",
        "a",
        "of",
        "to",
        "and",
        "or",
        "in",
        "with",
        "for",
        "by",
        "any",
        "all",
        "its",
        "such",
    ):
        keep.pop()
    if len(keep) < 2 or not bearer:
        return None
    new = rng.choice(rng.choice(AGAINST[norm.modality]))
    if new.endswith("from"):
        new = "shall not"
    return Planted(join(bearer, new, *keep).rstrip(",;") + ".", "opposition", "short_denial")


def turn_passive(text: str, norm: Norm, rng: Random) -> Planted | None:
    """ "X shall deliver the goods" as "The goods shall not be delivered by X"."""
    if norm.modality not in (Modality.MUST, Modality.MAY):
        return None
    _, bearer, _, act = pieces(text, norm)
    match = re.match(
        r"(?:also |promptly |then )?([a-z]{3,12}) ((?:the|all|any|each|a|an|its|such) (?:[\w-]+ ?){1,4}?)"
        r"(?= (?:to|for|in|of|with|by|on|at|and|or)\b|[,.;]|$)",
        act,
    )
    bearer = re.split(r",\s*", bearer)[-1]
    if match is None or not bearer:
        return None
    verb, thing = match.group(1), match.group(2).strip()
    ended = verb + "d" if verb.endswith("e") else verb[:-1] + "ied" if verb.endswith("y") else verb + "ed"
    new = rng.choice(
        ("shall not be", "may not be", "need not be", "will never be", "must not be", "cannot be", "may be")
    )
    rest = act[match.end() :].strip() if rng.random() < 0.4 else "."
    return Planted(
        join(thing, new, ended, f"by {bearer}" if rng.random() < 0.7 else "", rest), "opposition", "turn_passive"
    )


def same_words(text: str, norm: Norm, rng: Random) -> Planted | None:
    """A paraphrase: no conflict."""
    if norm.modality not in SAME or not norm.cue[1]:
        return Planted(text, "", "same_words")
    lead, bearer, cue, act = pieces(text, norm)
    new = rng.choice(SAME[norm.modality])
    if " be " in f" {cue} " or new == cue:
        new = cue
    return Planted(join(lead, bearer, new, act), "", "same_words")


def mirror(text: str, norm: Norm, rng: Random, bearers: Sequence[str] = ()) -> Planted | None:
    """The same duty of the other party, who is swapped throughout: no conflict."""
    _, bearer, _, act = pieces(text, norm)
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
    lead = rng.choice(EXCEPTIONS)
    return Planted(join(lead, turned.text), "", "excepted")


def reword(text: str, rng: Random, amount: float) -> str:
    """The same in other words: synonyms, dropped words, a shortened end, a moved opening. ``amount`` 0..1."""
    for old, new in rng.sample(SYNONYM_PAIRS, k=int(len(SYNONYM_PAIRS) * min(1.0, 0.2 + amount))):
        if rng.random() < amount:
            text = _replace_word(text, old, new)
    if rng.random() < amount * 0.6:
        cut = re.search(
            r",? (?:in accordance with|pursuant to|including|as set forth|as provided|in connection with|which|"
            r"as described)\b[^,;]*(?=[,;.]|$)",
            text,
        )
        if cut and cut.start() > 30:
            text = text[: cut.start()] + text[cut.end() :]
    if rng.random() < amount * 0.5:
        words = text.split()
        text = " ".join(
            w
            for w in words
            if w[0].isupper() or len(w) > 9 or rng.random() > 0.12 * amount or w in ("not", "no", "never")
        )
    if rng.random() < amount * 0.3:
        text = re.sub(r"^(?:\W*\(?[a-z0-9]{1,3}[.)])\s*", "", text)
    return text


def other_thing(text: str, norm: Norm, rng: Random, others: Sequence[str] = ()) -> Planted | None:
    """The same rule for another named thing, often with another number: no conflict."""
    names = list(re.finditer(r"(?<=[a-z,] )[A-Z][a-z]{3,}\b", text[norm.act[0] :]))
    found = sorted(
        {m for other in others for m in re.findall(r"(?<=[a-z,] )[A-Z][a-z]{3,}\b", other)} - set(text.split())
    )
    if not names or not found:
        return None
    old = rng.choice(names).group()
    changed = re.sub(rf"\b{old}\b", rng.choice(found), text)
    if rng.random() < 0.6:
        turned = change_number(changed, parse_norm(changed), rng)
        changed = turned.text if turned else changed
    return Planted(changed, "", "other_thing")


def value_elsewhere(text: str, norm: Norm, rng: Random) -> Planted | None:
    """Another value for the same thing, said more briefly in other words."""
    turned = change_number(text, norm, rng)
    if turned is None or norm.modality is not Modality.MUST:
        return None
    _, bearer, _, act = pieces(turned.text, parse_norm(turned.text))
    bearer = re.split(r",\s*", bearer)[-1]
    number = NUMBER.search(act)
    if number is None or not bearer or number.start() > 160:
        return None
    end = re.compile(r"[,;.]( |$)").search(act, number.end())
    core = act[: end.start() if end else len(act)]
    way = rng.choice(
        (
            "{b} is to {c}.",
            "It is for {b} to {c}.",
            "{b} undertakes to {c}.",
            "The parties expect {b} to {c}.",
            "{b} has to {c}.",
            "As agreed, {b} will {c}.",
            "In such a case {b} must {c}.",
        )
    )
    return Planted(way.format(b=bearer, c=core), "object", "value_elsewhere")


CONFLICTS = (
    swap_modal,
    swap_modal,
    change_number,
    value_elsewhere,
    value_elsewhere,
    change_word,
    add_only,
    short_denial,
    absolute,
    absolute,
    own_way,
    turn_passive,
    turn_condition,
    add_condition,
    add_condition,
    short_condition,
    other_bearer,
)
LOOKALIKES = (
    same_words, mirror, mirror, mirror, excepted, other_thing, other_thing, other_thing, complement, other_term,
    other_trigger, other_trigger, other_occasion, other_side, with_leave, with_leave, general_and_case,
)  # fmt: skip


def plant(
    text: str, rng: Random, *, conflict: bool, bearers: Sequence[str] = (), others: Sequence[str] = ()
) -> Planted | None:
    """One changed copy of a norm sentence, or None when the chosen operation does not fit it."""
    norm = parse_norm(text)
    operation = rng.choice(CONFLICTS if conflict else LOOKALIKES)
    if operation in (other_bearer, mirror):
        made = operation(text, norm, rng, bearers)
    elif operation in (add_condition, other_thing, other_term, other_trigger, general_and_case):
        made = operation(text, norm, rng, others)
    else:
        made = operation(text, norm, rng)
    if made is None or made.text == text:
        return made if made is not None and not conflict else None
    amount = rng.choice((0.0, 0.0, 0.3, 0.6, 0.9))
    if made.operation == "change_number":
        amount = min(amount, 0.3)
    return made._replace(text=reword(made.text, rng, amount))
