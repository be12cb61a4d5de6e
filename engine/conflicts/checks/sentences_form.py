"""What the checks of form say (drafting remains, unpaired marks, order), beside :mod:`.sentences`."""

from __future__ import annotations

from engine.conflicts.checks.said import CONFLICT, DIFFERENT, SAME, Said

FORM_WORDINGS: dict[str, tuple[Said, Said]] = {
    "draft.blank": (
        Said(
            "{count} still to be filled in, {first}{where}: “{words}”.",
            ((CONFLICT, "The text still has {number} of them."),),
            "Fill them in or strike them.",
        ),
        Said(
            "有{number}处空白待填写，{first}{where}：“{words}”。",
            ((CONFLICT, "文本中仍有{number}处。"),),
            "填写完整或者删除。",
        ),
    ),
    "draft.bracket": (
        Said(
            "{count} still in square brackets, {first}{where}: “{words}”.",
            ((CONFLICT, "The text still has {number} of them."),),
            "Decide on the wording and remove the brackets.",
        ),
        Said(
            "有{number}处文字仍在方括号内，{first}{where}：“{words}”。",
            ((CONFLICT, "文本中仍有{number}处。"),),
            "确定措辞并删除括号。",
        ),
    ),
    "draft.note": (
        Said(
            "{noted} from drafting, {first}{where}: “{words}”.",
            ((CONFLICT, "The text still has {number} of them."),),
            "Settle what it asks and remove it.",
        ),
        Said(
            "有{number}处起草时的批注或者待定事项，{first}{where}：“{words}”。",
            ((CONFLICT, "文本中仍有{number}处。"),),
            "落实所提事项并删除批注。",
        ),
    ),
    "draft.option": (
        Said(
            "{chosen} no option chosen, {first}{where}: “{words}”.",
            ((CONFLICT, "The text still has {number} of them."),),
            "Choose one and strike the others.",
        ),
        Said(
            "有{number}处选项尚未选择，{first}{where}：“{words}”。",
            ((CONFLICT, "文本中仍有{number}处。"),),
            "选定一项并删除其余选项。",
        ),
    ),
    "draft.unpaired": (
        Said(
            "{place} has a {sort} that is {how}: “{words}”.",
            ((CONFLICT, "Neither its line nor the lines around it hold the other half."),),
            "Add the missing half, or strike this one.",
        ),
        Said(
            "{place}有一个{sort}{how}：“{words}”。",
            ((CONFLICT, "本行及前后各行均没有与之成对的另一半。"),),
            "补上缺少的另一半，或者删除这一半。",
        ),
    ),
    "term.order/after": (
        Said(
            "“{term}” is out of alphabetical order {where}: it stands after “{other}”.",
            (
                (SAME, "{count} definitions stand in one list, the others in alphabetical order."),
                (DIFFERENT, "“{term}” does not follow “{other}” in the alphabet."),
            ),
            "Move the definition to its place.",
        ),
        Said(
            "{where}的定义按拼音排序，但“{term}”排在“{other}”之后，次序不符。",
            (
                (SAME, "同一列表共有{count}个定义，其余均按拼音排序。"),
                (DIFFERENT, "“{term}”按拼音不应在“{other}”之后。"),
            ),
            "将该定义移至相应位置。",
        ),
    ),
    "term.order/before": (
        Said(
            "“{term}” is out of alphabetical order {where}: it stands before “{other}”.",
            (
                (SAME, "{count} definitions stand in one list, the others in alphabetical order."),
                (DIFFERENT, "“{term}” does not come before “{other}” in the alphabet."),
            ),
            "Move the definition to its place.",
        ),
        Said(
            "{where}的定义按拼音排序，但“{term}”排在“{other}”之前，次序不符。",
            (
                (SAME, "同一列表共有{count}个定义，其余均按拼音排序。"),
                (DIFFERENT, "“{term}”按拼音不应在“{other}”之前。"),
            ),
            "将该定义移至相应位置。",
        ),
    ),
}  # fmt: skip
