"""Two guides made into one when matters are merged: nothing of either is lost, and every difference is named.

What this matter says stands where both say something else; what it leaves open is filled from the other. The
other guide is kept whole beside it (:func:`other_guides`), so that a person can look at what was not taken.
"""

from __future__ import annotations

import enum

import msgspec

from engine.matter.guide import Guide, Label, guide_of, keep_guide, standard_labels
from engine.matter.matter import Matter

#: The setting that holds the other guides, word for word.
_SETTING = "guides_of_others"


class GuideDifference(enum.StrEnum):
    """What a merge of guides met."""

    NEW_LABEL = "new_label"
    KEY_TAKEN = "key_taken"
    OTHER_WORDS = "other_words"
    OTHER_KEY = "other_key"
    OTHER_COLOUR = "other_colour"
    OTHER_EXAMPLE = "other_example"
    OTHER_TEXT = "other_text"


class GuideRemark(msgspec.Struct, frozen=True):
    """One difference: the label it is about ("" for the guide's text), what stands here, and what the other says."""

    difference: GuideDifference
    code: str
    ours: str
    theirs: str

    @property
    def template(self) -> str:
        """The sentence with ``{names}`` for what is filled in."""
        return _SENTENCES[self.difference]

    @property
    def values(self) -> dict[str, str]:
        """What is filled in."""
        return {"code": self.code, "ours": self.ours, "theirs": self.theirs}

    @property
    def sentence(self) -> str:
        """The difference in one English sentence."""
        return self.template.format_map(self.values)


_SENTENCES = {
    GuideDifference.NEW_LABEL: "The label {code} is new here and was added.",
    GuideDifference.KEY_TAKEN: "The label {code} answers to no key: its key {theirs} belongs to {ours} here.",
    GuideDifference.OTHER_WORDS: "The label {code} is called “{ours}” here and “{theirs}” there; ours stays.",
    GuideDifference.OTHER_KEY: "The label {code} has the key {ours} here and {theirs} there; ours stays.",
    GuideDifference.OTHER_COLOUR: "The label {code} has the colour {ours} here and {theirs} there; ours stays.",
    GuideDifference.OTHER_EXAMPLE: "The label {code} has another example there; both stand here now.",
    GuideDifference.OTHER_TEXT: "The other guide's text differs; it stands below ours now.",
}


class OtherGuide(msgspec.Struct, frozen=True):
    """A guide that came with another matter file, as it was there."""

    source: str
    guide: Guide


def other_guides(matter: Matter) -> tuple[OtherGuide, ...]:
    """The guides of the matters that were merged into this one and differed from its own."""
    kept = matter.setting(_SETTING)
    return msgspec.json.decode(kept, type=tuple[OtherGuide, ...]) if kept else ()


def merge_guides(matter: Matter, theirs: Guide, source: str) -> tuple[bool, tuple[GuideRemark, ...]]:
    """Bring another matter's guide into this one's; whether anything changed here, and every difference.

    Merging the same guide again changes nothing.
    """
    ours = guide_of(matter)
    plain = Guide(labels=standard_labels())
    if theirs in (plain, ours):
        return False, ()
    if ours == plain:
        # Nobody has written one here: theirs is the guide.
        keep_guide(matter, theirs)
        return True, ()
    merged, remarks = merged_guide(ours, theirs)
    known = other_guides(matter)
    more = () if any(each.guide == theirs for each in known) else (OtherGuide(source, theirs),)
    if more:
        matter.set_setting(_SETTING, msgspec.json.encode(known + more).decode())
    if merged != ours:
        keep_guide(matter, merged)
    return bool(more) or merged != ours, remarks


def merged_guide(ours: Guide, theirs: Guide) -> tuple[Guide, tuple[GuideRemark, ...]]:
    """Both guides as one, and every difference between them."""
    remarks: list[GuideRemark] = []
    labels = {label.code: label for label in ours.labels}
    keys = {(_side(label), label.key): label.code for label in ours.labels if label.key}
    for label in theirs.labels:
        mine = labels.get(label.code)
        if mine is None:
            holder = keys.get((_side(label), label.key), "")
            remarks.append(GuideRemark(GuideDifference.NEW_LABEL, label.code, "", ""))
            if holder:
                remarks.append(GuideRemark(GuideDifference.KEY_TAKEN, label.code, holder, label.key))
            labels[label.code] = msgspec.structs.replace(label, key="") if holder else label
        else:
            labels[label.code] = _merged_label(mine, label, keys, remarks)
        if labels[label.code].key:
            keys[_side(label), labels[label.code].key] = label.code
    text, theirs_text = ours.text.strip(), theirs.text.strip()
    if theirs_text and theirs_text not in text:
        remarks.append(GuideRemark(GuideDifference.OTHER_TEXT, "", "", ""))
        text = f"{text}\n\n{theirs_text}" if text else theirs_text
    else:
        text = ours.text
    return Guide(text, tuple(labels.values())), tuple(remarks)


def _merged_label(
    mine: Label, other: Label, keys: dict[tuple[bool, str], str], remarks: list[GuideRemark]
) -> Label:
    key = mine.key or ("" if (_side(other), other.key) in keys else other.key)
    if other.key and other.key != key:
        holder = keys.get((_side(other), other.key), "")
        if mine.key:
            remarks.append(GuideRemark(GuideDifference.OTHER_KEY, mine.code, mine.key, other.key))
        else:
            remarks.append(GuideRemark(GuideDifference.KEY_TAKEN, mine.code, holder, other.key))
    if mine.words and other.words and mine.words != other.words:
        remarks.append(GuideRemark(GuideDifference.OTHER_WORDS, mine.code, mine.words, other.words))
    if mine.colour and other.colour and mine.colour != other.colour:
        remarks.append(GuideRemark(GuideDifference.OTHER_COLOUR, mine.code, mine.colour, other.colour))
    example = mine.example or other.example
    if other.example and other.example not in example:
        remarks.append(GuideRemark(GuideDifference.OTHER_EXAMPLE, mine.code, mine.example, other.example))
        example = f"{mine.example} / {other.example}"
    return Label(mine.code, mine.words or other.words, key, mine.colour or other.colour, example)


def _side(label: Label) -> bool:
    return label.code.startswith("not.")
