"""Conflicts and look-alikes said as a second author says them: in a line of terms, in the passive, without a modal.

planting.py changes a sentence; two annexes of one contract rather say a thing anew. "Licensee shall pay a royalty of
5 % within 30 days" stands against "Royalty payment: 45 days.", "The royalty is paid by Licensor." or "No royalty is
due." English. Deterministic for a given random generator.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from planting import change_number, reword, value_elsewhere
from planting_parts import Planted, join, pieces
from planting_tables import AGAINST, CONDITIONS, SAME

from engine.conflicts.norms import Modality, Norm, parse_norm
from engine.conflicts.words import STOP
from engine.states.knowledge_facts import shipped_knowledge

_WORDS = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve", "fourteen", "fifteen", "twenty",
    "thirty", "forty", "forty-five", "sixty", "ninety",
)  # fmt: skip
_VALUES = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 20, 30, 40, 45, 60, 90)
_NAMED = dict(zip(_WORDS, _VALUES, strict=True))
_SPELLED = {value: word for word, value in _NAMED.items()}
_COUNT = rf"(?:[a-z]+(?:-[a-z]+)?\s*\((?P<figure>\d+)\)|(?P<plain>\d+)|(?P<word>{'|'.join(_WORDS)}))"
_PERIOD = re.compile(
    rf"\b{_COUNT}\s+(?P<unit>(?:business |calendar |working )?(?:days?|weeks?|months?|years?|hours?))\b"
)
_AMOUNT = re.compile(r"(?:US\s?)?\$\s?(?P<plain>\d[\d,]*(?:\.\d+)?)(?!\d)(?! ?(?:million|billion))")
_PERCENT = re.compile(r"\b(?:[a-z]+(?:-[a-z]+)?\s+percent\s*)?\(?(?P<plain>\d+(?:\.\d+)?)\s?(?:%|percent\b)\)?")

#: Verbs whose object somebody pays for, with their participles.
_GIVEN = {
    "pay": "paid", "bear": "borne", "reimburse": "reimbursed", "provide": "provided", "supply": "supplied",
    "furnish": "furnished", "maintain": "maintained", "insure": "insured", "deliver": "delivered",
    "install": "installed", "repair": "repaired", "obtain": "obtained", "procure": "procured", "prepare": "prepared",
    "store": "stored", "manufacture": "manufactured", "replace": "replaced", "perform": "performed", "keep": "kept",
    "purchase": "purchased", "ship": "shipped", "package": "packaged", "develop": "developed", "submit": "submitted",
    "approve": "approved", "select": "selected", "appoint": "appointed", "determine": "determined", "make": "made",
    "hire": "hired", "train": "trained", "test": "tested", "inspect": "inspected", "design": "designed",
}  # fmt: skip
_BY_OTHER = (
    "{Thing} is {done} by {other}.", "{Thing} is to be {done} by {other}.", "{Thing} is for the account of {other}.",
    "{other} bears the cost of {thing}.", "{Thing} is the responsibility of {other}.", "{other} alone {verb}s {thing}.",
    "The cost of {thing} is met by {other}.", "{Thing} is {done} and paid for by {other}.",
    "It is for {other} to {verb} {thing}.", "{Thing} is charged to {other}.",
)  # fmt: skip
_OWNED = re.compile(
    r"\b(?:shall|will) (?:be |remain |become |be and remain )?(?:the )?(?:sole |exclusive )?"
    r"(?:property of|owned by|own)\b",
    re.IGNORECASE,
)
_BY_OWNER = (
    "{Thing} belongs to {other}.", "Title to {thing} stays with {other}.", "{Thing} becomes the property of {other}.",
    "Ownership of {thing} vests in {other} alone.", "{other} is the owner of {thing}.",
    "All rights in {thing} lie with {other}.",
)  # fmt: skip
#: A modal's contrary, said without a modal of the same sort.
_PLAINLY: dict[Modality, tuple[str, ...]] = {
    Modality.MAY: (
        "{Doing} is excluded.", "{Doing} is not permitted.", "{Doing} is forbidden to {who}.",
        "There is no right to {act}.", "{Doing} is not foreseen.", "{who} has waived the right to {act}.",
    ),
    Modality.MUST_NOT: (
        "{Doing} is permitted.", "{who} is free to {act}.", "{Doing} is open to {who} at any time.",
        "{Doing} needs no consent.", "{who} may {act} whenever it considers this useful.",
        "{who} may {act}, for any or no reason.",
    ),
    Modality.MUST: (
        "{Doing} is not required.", "{Doing} is left to the discretion of {who}.", "Nobody is obliged to {act}.",
        "{who} is free not to {act}.", "{Doing} is not foreseen.", "{Doing} is voluntary.",
    ),
    Modality.NEED_NOT: ("{Doing} is a duty of {who}.", "{Doing} is indispensable.", "{who} cannot avoid {doing}."),
}  # fmt: skip
_AGREEING: dict[Modality, tuple[str, ...]] = {
    Modality.MAY: ("{Doing} is permitted.", "{who} is free to {act}.", "Nothing prevents {who} from {doing}."),
    Modality.MUST_NOT: ("{Doing} is excluded.", "{Doing} is not permitted.", "There is no right to {act}."),
    Modality.MUST: ("{Doing} is a duty of {who}.", "It falls to {who} to {act}.", "{Doing} is required."),
    Modality.NEED_NOT: ("{Doing} is not required.", "{Doing} is voluntary."),
}
_AFTER_FAILURE = (
    "the other party may terminate this Agreement", "{other} may do so at the expense of {who}",
    "interest accrues from that day", "{other} shall give notice and allow a reasonable time",
    "{who} shall compensate {other} for the loss", "the fee is reduced accordingly", "{other} may withhold payment",
)  # fmt: skip
_CUT = re.compile(
    r"[,;:.()]|\b(?:within|in accordance|pursuant|provided|upon|if|unless|until|before|after|during|which|that|when|"
    r"at least|no later|not later|as (?:set|provided|described|specified)|under|subject|by|without|for the)\b"
)
_ENDS = frozenset("the a an of to and or in with for by any all its such that which on at from as their not be".split())  # noqa: SIM905


def _count(text: str, rng: Random) -> tuple[re.Match[str], str, str] | None:
    """A value in a text: its match, its kind, and another value of that kind as people write it."""
    found = [(m, "period") for m in _PERIOD.finditer(text)]
    found += [(m, "amount") for m in _AMOUNT.finditer(text)] + [(m, "percent") for m in _PERCENT.finditer(text)]
    found = [(m, kind) for m, kind in found if m.start() > 3]
    if not found:
        return None
    match, kind = rng.choice(found)
    groups = match.groupdict()
    written = (groups.get("figure") or groups.get("plain") or "").replace(",", "")
    old = float(written) if written else float(_NAMED[groups["word"]])
    if kind == "period":
        new = rng.choice([v for v in _VALUES if v != old])
        unit = match["unit"] if match["unit"].endswith("s") else match["unit"] + "s"
        return match, kind, f"{_SPELLED[new] if rng.random() < 0.6 else new} {unit}"
    changed = old * rng.choice((0.5, 0.75, 0.8, 1.2, 1.5, 2))
    if kind == "amount":
        return match, kind, f"USD {changed:,.0f}" if rng.random() < 0.5 else f"${changed:,.0f}"
    other = round(min(95.0, changed), 0 if old > 4 else 1)
    return match, kind, f"{other:g} percent" if rng.random() < 0.5 else f"{other:g}%"


def _about(text: str, match: re.Match[str], rng: Random) -> str:
    """Some content words beside a value, as a line of terms would name it."""
    before = re.findall(r"[A-Za-z][\w'-]*", re.split(r"[;:.]", text[: match.start()])[-1])[-rng.randint(4, 9) :]
    after = re.findall(r"[A-Za-z][\w'-]*", re.split(r"[;:.,]", text[match.end() :])[0])[: rng.randint(3, 8)]
    words = [word for word in (*before, *after) if word.lower() not in STOP and len(word) > 2]
    if rng.random() < 0.3:
        words.reverse()
    kept = [word for word in words if rng.random() < 0.75][:6]
    return " ".join(kept)


def _line(text: str, rng: Random, *, same: bool) -> str | None:
    found = _count(text, rng)
    if found is None:
        return None
    match, _, other = found
    label = _about(text, match, rng)
    if len(label.split()) < 2:
        return None
    value = match.group().strip() if same else other
    return join(
        rng.choice((f"{label}: {value}.", f"{label}: {value}.", f"{label} is {value}.", f"For {label}, {value}."))
    )


def _thing(act: str, rng: Random) -> tuple[str, str]:
    """An act's verb and the few words of its object; empty when it has none."""
    words = act.split()
    while words and words[0].lower() in ("also", "promptly", "then", "at", "its", "own", "expense"):
        words = words[1:]
    if len(words) < 2 or words[0].lower() in ("be", "have", "not", "only") or words[0].endswith(("ly", "ly,")):
        return "", ""
    verb = words[0].lower().strip(",")
    rest = _CUT.split(" ".join(words[1:]))[0].split()[: rng.randint(4, 9)]
    while rest and rest[-1].lower().strip(",") in _ENDS:
        rest.pop()
    return verb, " ".join(rest)


def _who(bearer: str) -> str:
    name = re.sub(r"^(?:and|or|but|then|that|\*+)\s+", "", re.split(r",\s*", bearer)[-1].strip())
    unfit = re.match(r"(?:neither|no|none|nothing|it|that|which|who|there)\b", name, re.IGNORECASE)
    return name if 0 < len(name.split()) <= 4 and not unfit else ""


def _said(way: str, **words: str) -> str:
    made = way.format(**words, Thing=words.get("thing", ""), Doing=words.get("doing", ""))
    return made[0].upper() + made[1:]


def other_payer(text: str, norm: Norm, rng: Random, bearers: Sequence[str], *, conflict: bool) -> Planted | None:
    """Who gives or pays is said again without a modal: another party, or for a look-alike the same one."""
    _, bearer, _, act = pieces(text, norm)
    verb, thing = _thing(act, rng)
    who = _who(bearer)
    others = [name for name in bearers if name.lower() not in bearer.lower()]
    if norm.modality is not Modality.MUST or verb not in _GIVEN or len(thing) < 4 or not who or not others:
        return None
    other = rng.choice(others) if conflict else re.sub(r"^(?:the|each)\s", "", who, flags=re.IGNORECASE)
    article = "the " if rng.random() < 0.5 and not other.endswith("s") else ""
    way = rng.choice(_BY_OTHER if conflict else _BY_OTHER[:2] + _BY_OTHER[4:5] + _BY_OTHER[8:9])
    made = _said(way, thing=thing, done=_GIVEN[verb], verb=verb, other=article + other)
    return Planted(made, "object" if conflict else "", "other_payer" if conflict else "same_payer")


def other_owner(text: str, norm: Norm, rng: Random, bearers: Sequence[str], *, conflict: bool) -> Planted | None:
    """Whose a thing is, said again: another party's, or for a look-alike the same one's."""
    match = _OWNED.search(text)
    if match is None:
        return None
    before, after = _who(text[: match.start()][-60:]), _thing("own " + text[match.end() :], rng)[1]
    owners = [b for b in bearers if b.lower() in (before if match.group().endswith("own") else after).lower()]
    thing = after if match.group().endswith("own") else before
    others = [b for b in bearers if b not in owners]
    if not owners or len(thing) < 4 or not others:
        return None
    made = _said(rng.choice(_BY_OWNER), thing=thing, other=rng.choice(others if conflict else owners))
    return Planted(made, "object" if conflict else "", "other_owner" if conflict else "same_owner")


def plainly(text: str, norm: Norm, rng: Random, *, conflict: bool) -> Planted | None:
    """The contrary of a norm said as a plain statement; for a look-alike the norm itself."""
    ways = (_PLAINLY if conflict else _AGREEING).get(norm.modality)
    _, bearer, cue, act = pieces(text, norm)
    verb, thing = _thing(act, rng)
    who = _who(bearer)
    plain = re.fullmatch(r"[a-z]{3,12}", verb) and verb not in ("have", "not", "only") and " be" not in f" {cue}"
    if ways is None or not plain or not thing or not who:
        return None
    core = re.sub(r",?\s*without\b.*", "", thing)
    doing = (verb[:-1] if verb.endswith("e") and not verb.endswith("ee") else verb) + f"ing {core}"
    made = _said(rng.choice(ways), doing=doing, act=f"{verb} {core}", who=who)
    return Planted(made, "opposition" if conflict else "", "plainly" if conflict else "plainly_the_same")


def case_of_rule(text: str, norm: Norm, rng: Random) -> Planted | None:
    """A case of a general rule, with its own modal: what holds always holds in that case. No conflict."""
    _, bearer, _, act = pieces(text, norm)
    who = _who(bearer)
    if norm.modality not in SAME or norm.condition != (0, 0) or not who:
        return None
    short = " ".join(act.rstrip(" .;").split()[: rng.randint(5, 14)]).rstrip(" ,")
    opening = rng.choice(("If", "When", "In case", "Where"))
    return Planted(
        join(opening, rng.choice(CONDITIONS) + ",", who, rng.choice(SAME[norm.modality]), short) + ".",
        "",
        "case_of_rule",
    )


def after_failure(text: str, norm: Norm, rng: Random, bearers: Sequence[str]) -> Planted | None:
    """What follows when a duty is not done. No conflict."""
    _, bearer, _, act = pieces(text, norm)
    verb, thing = _thing(act, rng)
    who = _who(bearer)
    others = [name for name in bearers if name.lower() not in bearer.lower()]
    if (
        norm.modality is not Modality.MUST
        or not re.fullmatch(r"[a-z]{3,12}", verb)
        or not thing
        or not who
        or not others
    ):
        return None
    condition = rng.choice(("If {who} fails to {act},", "If {who} does not {act},", "Should {who} not {act},"))
    words = {"who": who, "act": f"{verb} {thing}", "other": rng.choice(others)}
    return Planted(
        join(condition.format(**words), rng.choice(_AFTER_FAILURE).format(**words)) + ".", "", "after_failure"
    )


def under_its_condition(text: str, norm: Norm, rng: Random) -> Planted | None:
    """The same condition in fewer words, and the contrary under it: "If it is assigned, it may …"."""
    lead, bearer, _, act = pieces(text, norm)
    who = _who(bearer)
    own = re.sub(r"^\W*(?:in the event (?:that )?|if|when|where|upon|should)\s*", "", lead, flags=re.IGNORECASE)
    if norm.modality not in AGAINST or len(own.split()) < 3 or not lead.rstrip().endswith(",") or not who:
        return None
    modal = rng.choice(rng.choice(AGAINST[norm.modality])).replace("is prohibited from", "must not")
    said = " ".join(word for word in own.split() if rng.random() < 0.85)
    short = " ".join(act.rstrip(" .;").split()[: rng.randint(5, 25)]).rstrip(" ,")
    return Planted(
        join(rng.choice(("If", "When", "In case")), said, who, modal, short) + ".", "conditional", "under_it"
    )


def exclusive(text: str, rng: Random) -> Planted | None:
    """A phrase in place of which stands one that the packs call exclusive of it."""
    said = shipped_knowledge().said(text)
    entries = {
        entry.id: entry for pack in shipped_knowledge().packs if pack.language == "en" for entry in pack.exclusives
    }
    fitting = sorted(key for key in said if key.partition(":")[2] in entries)
    if not fitting:
        return None
    key = rng.choice(fitting)
    side, start, end, _ = said[key]
    entry = entries[key.partition(":")[2]]
    changed = text[:start] + rng.choice(entry.b if side == "a" else entry.a) + text[end:]
    return Planted(changed, "object", "exclusive")


def _renamed(text: str, rng: Random, amount: float) -> str:
    """Some of the packs' concepts under another of their names."""
    for hit in reversed(shipped_knowledge().concepts_in(text)):
        names = [name for name in shipped_knowledge().synonyms(text[hit.start : hit.end]) if name.isascii()]
        if names and rng.random() < amount:
            text = text[: hit.start] + rng.choice(names) + text[hit.end :]
    return text


#: The names of what :func:`restate` makes itself.
RESTATED = frozenset(
    ("exclusive", "line", "line_the_same", "line_elsewhere", "other_payer", "same_payer", "other_owner", "same_owner",
     "plainly", "plainly_the_same", "under_it", "case_of_rule", "after_failure")
)  # fmt: skip

#: How often each way is tried, for conflicts and for look-alikes.
CONFLICT_WAYS = (
    "exclusive",
    "line",
    "line",
    "line",
    "value",
    "value",
    "payer",
    "payer",
    "owner",
    "plainly",
    "plainly",
    "under",
)
LOOKALIKE_WAYS = ("line", "elsewhere", "elsewhere", "payer", "owner", "plainly", "case", "case", "failure", "failure")


def restate(
    text: str, rng: Random, way: str, *, conflict: bool, bearers: Sequence[str] = (), others: Sequence[str] = ()
) -> Planted | None:
    """A sentence's contrary, or for a look-alike the same or its neighbour, said anew; None when ``way`` does not fit.

    Args:
        way: one of :data:`CONFLICT_WAYS` or :data:`LOOKALIKE_WAYS`.
        bearers: the parties' names; others: other sentences of the contract.
    """
    norm = parse_norm(text)
    made: Planted | None = None
    if way == "line":
        line = _line(text, rng, same=not conflict)
        made = Planted(line, "object" if conflict else "", "line" if conflict else "line_the_same") if line else None
    elif way == "exclusive":
        made = exclusive(text, rng)
    elif way == "value":
        made = (value_elsewhere if rng.random() < 0.6 else change_number)(text, norm, rng)
    elif way == "elsewhere":
        # A value of something else, said as a line of terms.
        line = _line(rng.choice(list(others)), rng, same=False)
        made = Planted(line, "", "line_elsewhere") if line else None
    elif way == "payer":
        made = other_payer(text, norm, rng, bearers, conflict=conflict)
    elif way == "owner":
        made = other_owner(text, norm, rng, bearers, conflict=conflict)
    elif way == "plainly":
        made = plainly(text, norm, rng, conflict=conflict)
    elif way == "under":
        made = under_its_condition(text, norm, rng)
    elif way == "case":
        made = case_of_rule(text, norm, rng)
    else:
        made = after_failure(text, norm, rng, bearers)
    if made is None or made.text == text:
        return None
    amount = rng.choice((0.0, 0.3, 0.6, 0.9))
    return made._replace(text=reword(_renamed(made.text, rng, amount / 2), rng, amount))
