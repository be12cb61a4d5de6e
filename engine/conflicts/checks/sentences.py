"""What the checks say, in English and in Chinese: one wording a code (or variant of it), the two side by side.

``{names}`` are filled in by the check. A wording is summary, steps of the path (state and reason) and what settles it.
"""

from __future__ import annotations

from engine.conflicts.checks.said import CONFLICT as _CONFLICT
from engine.conflicts.checks.said import DIFFERENT as _DIFFERENT
from engine.conflicts.checks.said import SAME as _SAME
from engine.conflicts.checks.said import Said
from engine.conflicts.checks.sentences_form import FORM_WORDINGS

#: Code, or code and variant, to its wording in English and in Chinese.
WORDINGS: dict[str, tuple[Said, Said]] = {
    "value.words_figures": (
        Said(
            "{place} says “{words}” in words but “{figures}” in figures.",
            (
                (_SAME, "Words and figures stand side by side for one value."),
                (_DIFFERENT, "The words say {said}, the figures say {shown}."),
                (_CONFLICT, "Neither reading explains the other; unit and scale were taken into account."),
            ),
            "Correct the one that is wrong; without a clause to the contrary the words prevail.",
        ),
        Said(
            "{place}文字写为“{words}”，数字写为“{figures}”，两者不一致。",
            (
                (_SAME, "文字与数字并列，表示同一数值。"),
                (_DIFFERENT, "文字为{said}，数字为{shown}。"),
                (_CONFLICT, "已考虑单位和量级，两种写法仍不相符。"),
            ),
            "更正其中有误的一处；合同没有另行约定的，通常以文字为准。",
        ),
    ),
    "value.arithmetic/instalments": (
        Said(
            "The price {where} is {currency} {shown}, but its parts come to {added} ({sum}).",
            (
                (_SAME, "The parts follow the price and end with the balance."),
                (_CONFLICT, "{sum} = {added}, not {shown}."),
            ),
            "Correct the price or one of its parts.",
        ),
        Said(
            "{place}的价款为{currency} {shown}，但各期款项合计为{added}（{sum}）。",
            ((_SAME, "各期款项紧接价款列出，直至余款。"), (_CONFLICT, "{sum} = {added}，而非{shown}。")),
            "更正总价或者其中一期款项。",
        ),
    ),
    "value.arithmetic/parts": (
        Said(
            "The price {where} is {currency} {shown}, but the parts it is paid in come to {added} ({sum}).",
            (
                (_SAME, "The text says that the price is paid in parts, and lists them."),
                (_CONFLICT, "{sum} = {added}, not {shown}."),
            ),
            "Correct the price or one of its parts.",
        ),
        Said(
            "{place}的价款为{currency} {shown}，但所列各期款项合计为{added}（{sum}）。",
            ((_SAME, "文中约定价款分期支付，并逐期列出。"), (_CONFLICT, "{sum} = {added}，而非{shown}。")),
            "更正总价或者其中一期款项。",
        ),
    ),
    "value.arithmetic/product": (
        Said(
            "The sum {where} is {currency} {shown}, but {sum} is {added}.",
            (
                (_SAME, "Number, single amount and sum stand side by side."),
                (_CONFLICT, "{sum} = {added}, not {shown}."),
            ),
            "Correct the number, the single amount or the sum.",
        ),
        Said(
            "{place}的总额为{currency} {shown}，但{sum}为{added}。",
            ((_SAME, "次数或者数量、单项金额与总额并列。"), (_CONFLICT, "{sum} = {added}，而非{shown}。")),
            "更正次数或者数量、单项金额或者总额。",
        ),
    ),
    "value.arithmetic/table": (
        Said(
            "The table {where} gives a total of {shown}, but its rows come to {added}.",
            (
                (_SAME, "The rows above the total give its parts in the same column."),
                (_CONFLICT, "{sum} = {added}, not {shown}."),
            ),
            "Correct the total or one of the rows.",
        ),
        Said(
            "{place}的表格合计为{shown}，但各行相加为{added}。",
            ((_SAME, "合计以上各行在同一列列出其组成。"), (_CONFLICT, "{sum} = {added}，而非{shown}。")),
            "更正合计或者其中一行的金额。",
        ),
    ),
    "value.arithmetic/shares": (
        Said(
            "The shares {where} come to {added} %, not 100 %.",
            ((_SAME, "They divide one price."), (_CONFLICT, "{sum} = {added}.")),
            "Correct one of the shares.",
        ),
        Said(
            "{place}各部分比例合计为{added}%，而非100%。",
            ((_SAME, "各比例划分同一笔价款。"), (_CONFLICT, "{sum} = {added}。")),
            "更正其中一项比例。",
        ),
    ),
    "value.arithmetic/no_day": (
        Said(
            "{place} gives a date that does not exist: “{written}”.",
            ((_CONFLICT, "No calendar has this day."),),
            "Correct the date.",
        ),
        Said("{place}载明的日期不存在：“{written}”。", ((_CONFLICT, "日历中没有这一天。"),), "更正该日期。"),
    ),
    "value.arithmetic/weekday": (
        Said(
            "{place} says “{written}”, but that day is a {weekday}.",
            ((_CONFLICT, "{date} is a {weekday}."),),
            "Correct the weekday or the date.",
        ),
        Said(
            "{place}写为“{written}”，但该日是{weekday}。",
            ((_CONFLICT, "{date}是{weekday}。"),),
            "更正星期或者日期。",
        ),
    ),
    "value.arithmetic/term": (
        Said(
            "{place} gives a term of {written}, but {start} to {end} is another span.",
            (
                (_SAME, "Start, end and length of one term."),
                (_CONFLICT, "{written} from {start} ends about {expected}, not {end}."),
            ),
            "Correct the start, the end or the length.",
        ),
        Said(
            "{place}约定期限为{written}，但自{start}至{end}并非该期限。",
            (
                (_SAME, "同一期限的起始日、届满日和长度。"),
                (_CONFLICT, "自{start}起算{written}，应在{expected}前后届满，而非{end}。"),
            ),
            "更正起始日、届满日或者期限长度。",
        ),
    ),
    "reference.dangling": (
        Said(
            "{place} refers to {words}, which does not exist.",
            ((_SAME, "“{words}” points into this document."), (_CONFLICT, "{why}")),
            "Name the clause that is meant, or strike the reference.",
        ),
        Said(
            "{place}援引{words}，但该条款不存在。",
            ((_SAME, "“{words}”指向本文件的条款。"), (_CONFLICT, "{why}")),
            "改为所指的条款，或者删除该援引。",
        ),
    ),
    "reference.self": (
        Said(
            "{here} calls itself “{words}”.",
            (
                (_SAME, "“{words}” stands in {here}."),
                (_CONFLICT, "The number is not that of {here} or of a clause around it."),
            ),
            "Write “this {here}” or leave the number out.",
        ),
        Said(
            "{here}将自身称为“{words}”。",
            ((_SAME, "“{words}”位于{here}。"), (_CONFLICT, "该编号既不是{here}，也不是其上级条款。")),
            "改为{here}，或者删去编号。",
        ),
    ),
    "reference.self/many": (
        Said(
            "{count} clauses call themselves by another number, first {here}: “{words}”.",
            (
                (_SAME, "“{words}” stands in {here}."),
                (_CONFLICT, "The number is not that of {here} or of a clause around it."),
            ),
            "Write “this {here}” or leave the number out.",
        ),
        Said(
            "有{count}个条款以其他编号自称，首处为{here}：“{words}”。",
            ((_SAME, "“{words}”位于{here}。"), (_CONFLICT, "该编号既不是{here}，也不是其上级条款。")),
            "改为{here}，或者删去编号。",
        ),
    ),
    "reference.misdirected": (
        Said(
            "{place} cites {words} as “{title}”, but that is {rival}; {target} is “{heading}”.",
            (
                (_SAME, "The title in brackets names the clause that is meant: “{title}”."),
                (_DIFFERENT, "{target} is headed “{heading}”."),
                (_CONFLICT, "{rival} carries that title."),
            ),
            "Refer to {rival}, or correct the title.",
        ),
        Said(
            "{place}援引{words}时称其为“{title}”，但该标题属于{rival}；{target}的标题为“{heading}”。",
            (
                (_SAME, "括注的标题指明了所指的条款：“{title}”。"),
                (_DIFFERENT, "{target}的标题为“{heading}”。"),
                (_CONFLICT, "{rival}的标题与之相符。"),
            ),
            "改为援引{rival}，或者更正标题。",
        ),
    ),
    "reference.attachment": (
        Said(
            "{place} refers to {name}, which is not attached.",
            ((_SAME, "The document brings {present}."), (_CONFLICT, "No page begins with {name}.")),
            "Attach it, or correct the letter or number.",
        ),
        Said(
            "{place}提及{name}，但文件未附该附件。",
            ((_SAME, "文件所附为{present}。"), (_CONFLICT, "没有以{name}开头的部分。")),
            "补充该附件，或者更正附件编号。",
        ),
    ),
    "reference.attachment/several": (
        Said(
            "The document refers to {count} attachments that are not in it: {name} (first in {place}).",
            ((_SAME, "The document brings {present}."), (_CONFLICT, "No page begins with {name}.")),
            "Attach them, or correct the letters or numbers.",
        ),
        Said(
            "文件提及{count}个未附的附件：{name}（首次见于{place}）。",
            ((_SAME, "文件所附为{present}。"), (_CONFLICT, "没有以{name}开头的部分。")),
            "补充上述附件，或者更正附件编号。",
        ),
    ),
    "number.gap": (
        Said(
            "{before} is followed by {after}; {absent} missing.",
            ((_SAME, "Both clauses belong to one run of numbers."), (_CONFLICT, "No clause carries {names}.")),
            "Renumber, or put “[Reserved]” at the missing number.",
        ),
        Said(
            "{before}之后为{after}，缺少{names}。",
            ((_SAME, "两个条款属于同一组连续编号。"), (_CONFLICT, "没有条款使用编号{names}。")),
            "重新编号，或者在缺号处注明“（保留）”。",
        ),
    ),
    "number.duplicate": (
        Said(
            "Two clauses are numbered {number}{titles}.",
            (
                (_SAME, "Both stand in one run of numbers."),
                (_CONFLICT, "A reference to the number cannot tell which is meant."),
            ),
            "Renumber one of them and check the references to it.",
        ),
        Said(
            "有两个条款的编号均为{number}{titles}。",
            ((_SAME, "两者处于同一组连续编号。"), (_CONFLICT, "援引该编号时无法确定所指。")),
            "将其中一个重新编号，并核对对它的援引。",
        ),
    ),
    "number.order": (
        Said(
            "{number} stands under {article}, where {expected} should be.",
            (
                (_SAME, "{article} goes on with {next}."),
                (_CONFLICT, "{number} is a number of another article."),
            ),
            "Number it {expected}.",
        ),
        Said(
            "{number}位于{article}之下，该处编号应为{expected}。",
            ((_SAME, "{article}其后为{next}。"), (_CONFLICT, "{number}是其他条的编号。")),
            "将编号改为{expected}。",
        ),
    ),
    "term.duplicate": (
        Said(
            "“{term}” is defined twice, {where} and {other}, in different words.",
            (
                (_SAME, "Both define “{term}”."),
                (_DIFFERENT, "The definitions do not say the same."),
                (_CONFLICT, "Neither is limited to its own clause."),
            ),
            "Keep one definition, or say where each applies.",
        ),
        Said(
            "“{term}”在{where}和{other}有两个不同的定义。",
            (
                (_SAME, "两处均对“{term}”作出定义。"),
                (_DIFFERENT, "两个定义的内容不同。"),
                (_CONFLICT, "两个定义均未限定仅适用于本条款。"),
            ),
            "保留一个定义，或者写明各自的适用范围。",
        ),
    ),
    "term.undefined": (
        Said(
            "“{term}” is said to be defined in {target}, which does not mention it.",
            ((_SAME, "The definition points to {target}."), (_CONFLICT, "“{term}” does not stand there.")),
            "Point to the clause that defines the term.",
        ),
        Said(
            "“{term}”的定义指向{target}，但该处未提及该词语。",
            ((_SAME, "该定义援引{target}。"), (_CONFLICT, "该处没有“{term}”。")),
            "改为援引对该词语作出定义的条款。",
        ),
    ),
    "term.unused": (
        Said(
            "“{term}” is defined {where} and used nowhere.",
            ((_CONFLICT, "“{term}” stands only in its definition."),),
            "Strike the definition, or use the term where it is meant.",
        ),
        Said(
            "“{term}”已在{where}定义，但合同其他部分未使用。",
            ((_CONFLICT, "“{term}”仅出现在其定义中。"),),
            "删除该定义，或者在相应之处使用该词语。",
        ),
    ),
    "term.drift": (
        Said(
            "“{term}” is also written “{variant}”.",
            ((_SAME, "The two differ only in a joining word or sign."), (_CONFLICT, "Only one of them is defined.")),
            "Write “{term}” throughout.",
        ),
        Said(
            "已定义的“{term}”在别处写作“{variant}”。",
            ((_SAME, "两种写法仅在连接词或者符号上不同。"), (_CONFLICT, "其中只有一种写法有定义。")),
            "全文统一写作“{term}”。",
        ),
    ),
    "party.name": (
        Said(
            "{known} is called “{name}” {where}.",
            ((_SAME, "The names differ in {how} only."), (_CONFLICT, "No other party has that name.")),
            "Use the party's name as its register has it.",
        ),
        Said(
            "{where}将{known}写作“{name}”。",
            ((_SAME, "两个名称仅在{how}上不同。"), (_CONFLICT, "没有其他当事人使用该名称。")),
            "按照营业执照登记的名称统一填写。",
        ),
    ),
    **FORM_WORDINGS,
}  # fmt: skip

#: Reasons and small words that stand inside the sentences above, in English and in Chinese.
PHRASES: dict[str, tuple[str, str]] = {
    "absent.number": (
        "The clauses run from {first} to {last}; there is no {number}.",
        "条款编号自{first}至{last}，没有{number}。",
    ),
    "absent.dotted": ("Clause {head} has {run}, and no {number}.", "第{head}条下有{run}，没有{number}。"),
    "absent.parts": (
        "Clause {head} has no numbered parts, so there is no {number}.",
        "第{head}条没有编号的款项，因此没有{number}。",
    ),
    "absent.item": (
        "Clause {head} has ({first}) to ({last}), and no ({item}).",
        "第{head}条有（{first}）至（{last}）项，没有（{item}）项。",
    ),
    "how.letter": ("a letter or in the legal form", "个别字或者公司形式"),
    "how.word": ("one word", "一个词"),
    "unpaired.bracket": ("bracket", "括号"),
    "unpaired.quote": ("quotation mark", "引号"),
    "unpaired.opened": ("opened and never closed", "只有前一半，没有后一半"),
    "unpaired.closed": ("closed and never opened", "只有后一半，没有前一半"),
    "and": (" and ", "和"),
    "list": (", ", "、"),
    "first.one": ("", "位于"),
    "first.many": ("first ", "首处位于"),
    "titles": (": “{first}” and “{second}”", "：“{first}”与“{second}”"),
}

WEEKDAYS = (
    ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    ("星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日"),
)


def say(key: str, chinese: bool, **parts: object) -> Said:
    """The wording of ``key`` (a code, or ``code/variant``) filled in; KeyError when a part is missing."""
    said = WORDINGS[key][chinese]
    path = tuple((state, because.format(**parts)) for state, because in said.path)
    return Said(said.summary.format(**parts), path, said.settle.format(**parts))


def phrase(key: str, chinese: bool, **parts: object) -> str:
    """A reason or small word of :data:`PHRASES` filled in."""
    return PHRASES[key][chinese].format(**parts)
