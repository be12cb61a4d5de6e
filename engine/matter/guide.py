"""The guide of a labelling project: what the annotators agreed on, and the label set, kept with the matter."""

from __future__ import annotations

import msgspec

from engine.matter.errors import InvalidLink
from engine.matter.labels import CONFLICT_CODES, NotAConflict, is_code
from engine.matter.matter import Matter

GUIDE_SCHEMA = "antinomy.guide/1"
#: The setting that holds it.
_SETTING = "guide"


class Label(msgspec.Struct, frozen=True):
    """A label of the set: ``key`` is "1" to "9" or "", ``colour`` ``#rrggbb`` or "".

    ``words`` "" means the program's own name for it.
    ``example`` is a pair in the annotators' words that shows when to give the label.
    """

    code: str
    words: str = ""
    key: str = ""
    colour: str = ""
    example: str = ""


class Guide(msgspec.Struct, frozen=True):
    """The text that annotators follow (plain or Markdown), and the labels in the order they are offered."""

    text: str = ""
    labels: tuple[Label, ...] = ()
    schema: str = GUIDE_SCHEMA


def standard_labels() -> tuple[Label, ...]:
    """DESIGN's codes and reasons; the first nine of each answer to the keys 1 to 9."""
    conflict = ("value.amount", "value.period", "value.date", "value.percent", "norm.modality", "norm.opposition",
                "norm.object", "norm.condition", "norm.scope")  # fmt: skip
    rest = tuple(code for code in CONFLICT_CODES if code not in conflict)
    keyed = [Label(code, key=str(i)) for i, code in enumerate(conflict, 1)]
    keyed += [Label(code) for code in rest]
    keyed += [Label(reason.value, key=str(i)) for i, reason in enumerate(NotAConflict, 1)]
    return tuple(keyed)


def guide_of(matter: Matter) -> Guide:
    """The matter's guide; the standard labels when none was written."""
    text = matter.setting(_SETTING)
    try:
        guide = msgspec.json.decode(text, type=Guide) if text else Guide()
    except msgspec.MsgspecError:
        guide = Guide()
    return guide if guide.labels else msgspec.structs.replace(guide, labels=standard_labels())


def keep_guide(matter: Matter, guide: Guide) -> None:
    """Keep a guide with the matter.

    Raises:
        InvalidLink: a code is no label, stands there twice, or two labels of one side answer to one key.
    """
    problems = problems_of(guide)
    if problems:
        raise problems[0]
    matter.set_setting(_SETTING, msgspec.json.encode(guide).decode())


def problems_of(guide: Guide) -> list[InvalidLink]:
    """What is wrong with a label set, one sentence each."""
    out: list[InvalidLink] = []
    codes: set[str] = set()
    keys: set[tuple[bool, str]] = set()
    for label in guide.labels:
        if not is_code(label.code):
            out.append(
                InvalidLink("'{code}' is not a label; labels are lower-case words joined by dots.", code=label.code)
            )
        elif label.code in codes:
            out.append(InvalidLink("The label '{code}' stands there twice.", code=label.code))
        codes.add(label.code)
        side = (label.code.startswith("not."), label.key)
        if label.key and (label.key not in "123456789" or len(label.key) != 1):
            out.append(InvalidLink("'{key}' is no key for '{code}'; keys are 1 to 9.", key=label.key, code=label.code))
        elif label.key and side in keys:
            out.append(InvalidLink("Two labels answer to the key {key}.", key=label.key))
        keys.add(side)
    return out


def guide_markdown(guide: Guide) -> str:
    """The guide as text for a card: the words, then a table of the labels."""
    rows = [f"| `{label.code}` | {label.words} | {label.key} | {label.example} |" for label in guide.labels]
    table = "\n".join(["| label | words | key | example |", "|---|---|---|---|", *rows])
    return f"{guide.text.strip()}\n\n{table}\n" if guide.text.strip() else f"{table}\n"
