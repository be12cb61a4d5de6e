"""Words that tell two things of one kind apart: Option 1 and Option 2, 第一期 and 第二期, critical and minor faults.

Two values of one role are rivals only when they are values of one thing. Which thing, a passage often says in a word
beside the value: a number, an ordinal, a grade, a kind of payment. Where both passages have such a word of one family
and have none in common, they speak of two things. English and Chinese write the same keys, so that "first year" and
"Year 1" are one.
"""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

from engine.conflicts.norms import is_chinese


class Label(NamedTuple):
    """A word that tells a thing from others of its family; ``words`` is how it stands in the passage."""

    family: str
    key: str
    words: str


#: Things that are numbered: "Option #1", "Phase II", "Severity Level 3".
_NUMBERED = re.compile(
    r"\b(?P<noun>options?|phases?|stages?|steps?|severity(?: levels?)?|priority(?: levels?)?|levels?|tiers?|"
    r"class(?:es)?|types?|lots?|series|milestones?|groups?|categor(?:y|ies)|tasks?|zones?|regions?|models?|buildings?|floors?|"
    r"tranches?|instal?ments?|batch(?:es)?|bands?|grades?|plans?|packages?|modules?|sites?|work orders?|"
    r"(?:contract |lease |license |licence )?years?)"
    r"\s*(?:#|no\.?\s*|number\s+|level\s+)?(?P<key>\d{1,2}|(?-i:[IVX]{1,4}|[A-F]))\b(?![.,]\d|['’]s|\s*(?:months?|days?|%))",
    re.IGNORECASE,
)
#: Grades by a letter and a number: P-1, P3, Sev 2.
_GRADE = re.compile(r"\b(?:P-?|Sev[-. ]?|Prio(?:rity)?[- ]?)([1-5])\b")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
#: Things that follow each other: "the second instalment", "the Renewal Term".
_ORDINAL = re.compile(
    rf"\b(?P<key>{'|'.join(_ORDINALS)}|1st|2nd|3rd|[4-9]th|initial|renewal|extended|final|last|interim|remaining)\s+"
    r"(?:(?:contract|lease|license|licence|calendar|fiscal|twelve|renewal|extension|annual|quarterly|milestone|down|"
    r"progress|option)\s+)?"
    r"(?P<noun>instal?ments?|payments?|phases?|terms?|years?|periods?|quarters?|tranches?|options?|milestones?|"
    r"deliver(?:y|ies)|batch(?:es)?|shipments?|stages?|extensions?|closings?|draws?|advances?|half|elections?|orders?|"
    r"warnings?|reminders?|notices?|lots?|tiers?|levels?|inventory)\b",
    re.IGNORECASE,
)
#: How grave something is.
_GRAVITY = re.compile(
    r"\b(?P<key>critical|major|minor|urgent|emergency|routine|non-critical|non-urgent|high|medium|low|cosmetic)"
    r"(?:[ -](?:priority|severity|impact|level))?\s+(?:\w+ )?"
    r"(?P<noun>faults?|issues?|problems?|incidents?|errors?|defects?|requests?|bugs?|tickets?|cases?|calls?|failures?|"
    r"repairs?|orders?|priority|severity|impact)\b",
    re.IGNORECASE,
)
#: Sorts of one thing that exclude each other; each line is a family.
_SORTS = (
    "firm interruptible", "domestic international foreign", "residential commercial", "full-time part-time",
    "hardback paperback", "adult child", "weekday weekend", "peak off-peak", "summer winter", "overtime regular",
    "inbound outbound", "new existing", "permanent temporary", "senior junior", "secured unsecured",
)  # fmt: skip
_SORT = {word: f"sort {i}" for i, line in enumerate(_SORTS) for word in line.split()}
_SORT_WORD = re.compile(rf"\b(?:{'|'.join(sorted(_SORT, key=len, reverse=True))})\b", re.IGNORECASE)

_HAN = "一二三四五六七八九十"
_NUMBERED_ZH = re.compile(
    rf"第(?P<key>[{_HAN}]+|\d{{1,2}})(?P<noun>期|批|次|阶段|个?年度?|季度?|个?月|笔|部分|标段|包|档|级|类|轮|栋|层|方案|选项)|"
    r"(?P<first>首)(?P<noun2>期|批|笔|年|次)|(?P<last>末|尾)(?P<noun3>期|批|笔)"
)
_GRADED_ZH = re.compile(
    rf"(?P<key>[{_HAN}]|[A-DⅠ-Ⅴ]|\d)(?P<noun>级|类|档)(?=的?(?:故障|事件|问题|缺陷|事故|服务|客户|产品|响应|违约|保密|优先))|"
    rf"(?P<noun2>方案|选项|等级|级别|类别|阶段|标段|套餐)(?P<key2>[{_HAN}]|[A-DⅠ-Ⅴ]|\d{{1,2}})(?![\d.％%])"
)
_GRAVITY_ZH = re.compile(
    r"(?P<key>紧急|特急|特别重大|重大|较大|严重|一般|普通|轻微|次要|关键|非紧急)(?:级别?|优先级)?的?"
    r"(?P<noun>故障|事件|问题|缺陷|事故|情况|工单|需求|请求|维修|订单|备件)"
)
#: Payments by their stage; each stage is a thing of its own.
_STAGES_ZH = re.compile(r"预付款|首付款|进度款|到货款|验收款|发货款|尾款|余款|质保金|质量保证金|结算款")
_SORTS_ZH = (
    ("夏季", "冬季"), ("白天", "夜间"), ("国内", "国外", "境外", "国际"), ("境内", "境外"), ("全日制", "非全日制"),
    ("成人", "儿童"), ("长期", "短期"), ("工作日加班", "休息日加班", "节假日加班"), ("新增", "原有"),
)  # fmt: skip

#: What is paid: a deposit is no rent. Each line is one payment under its names.
_PAYMENTS = (
    "deposit|security deposit|bond", "rent|rental", "royalt(?:y|ies)", "interest", "freight|carriage",
    "premiums?", "salary|wages?", "commissions?", "bonus(?:es)?", "purchase price|price",
    "liquidated damages|penalt(?:y|ies)", "tax(?:es)?|duties", "milestone payments?", "dividends?",
)  # fmt: skip
_PAYMENT = re.compile("|".join(rf"(?P<k{i}>\b(?:{names})\b)" for i, names in enumerate(_PAYMENTS)), re.IGNORECASE)
_FEE = re.compile(r"\b([A-Za-z]+) fees?\b", re.IGNORECASE)
_NO_FEE = frozenset((
    "the", "a", "an", "any", "all", "such", "its", "their", "said", "each", "this", "these", "those", "other", "no",
    "additional", "applicable",
))  # fmt: skip
_PAYMENTS_ZH = (
    "租金|房租", "履约保证金|押金|定金|保证金", "物业(?:管理)?费", "水电费|水费|电费|燃气费", "违约金|滞纳金|罚款",
    "服务费|服务费用|咨询费", "货款|价款|合同款|总价", "运费|运输费", "保险费", "维修费", "培训费", "广告费|推广费",
    "税费|税款", "佣金|返利", "陈列费", "工资|报酬|薪酬", "利息", "奖励|奖金", "补贴|津贴",
)  # fmt: skip
_PAYMENT_ZH = re.compile("|".join(f"(?P<k{i}>{names})" for i, names in enumerate(_PAYMENTS_ZH)))

#: Time spans that a passage is about, by their years or dates: "For the period from … through …,".
_WINDOW = re.compile(
    r"\b(?:for|during|in) (?:the )?(?:period|time|calendar year|fiscal year|contract year|year)s?"
    r"(?: (?:from|commencing|beginning|between|ending))?(?: on)? (?P<key>[^,;]{4,60}),",
    re.IGNORECASE,
)
#: Brackets of numbers: "between thirty-one (31) and sixty (60) days", 31至60日.
_BRACKET = re.compile(
    r"\bbetween\b\D{0,30}(?P<low>\d[\d,.]*)\D{1,6}\band\b\D{0,30}(?P<high>\d[\d,.]*)|"
    r"(?P<low2>\d[\d,.]*)(?:日|天|个月|年|万?元|%|％)?(?:至|到|—|-|~)(?P<high2>\d[\d,.]*)(?=日|天|个月|年|万?元|%|％)",
    re.IGNORECASE,
)

_ROMAN = {
    "I": "1",
    "II": "2",
    "III": "3",
    "IV": "4",
    "V": "5",
    "VI": "6",
    "VII": "7",
    "VIII": "8",
    "IX": "9",
    "X": "10",
}


def _singular(noun: str) -> str:
    noun = " ".join(noun.lower().split()).replace("instalment", "installment")
    for word in ("contract ", "lease ", "license ", "licence "):
        noun = noun.removeprefix(word)
    if noun.startswith(("severity", "priority")):
        return "grade"
    if noun.endswith("ies"):
        return noun[:-3] + "y"
    if noun.endswith(("ches", "sses")):
        return noun[:-2]
    return noun if noun.endswith(("series", "ss", "class")) else noun.removesuffix("s")


def _number(key: str) -> str:
    """One way of writing a number that counts things: 2 for II, 二 and second."""
    if key in _ROMAN:
        return _ROMAN[key]
    lower = key.lower()
    if lower in _ORDINALS:
        return str(_ORDINALS.index(lower) + 1)
    if lower in ("initial", "last"):
        return "1" if lower == "initial" else "final"
    if lower[:1].isdigit():
        return re.sub(r"\D.*", "", lower)
    if len(key) == 1 and key in _HAN:
        return str(_HAN.index(key) + 1)
    return lower


#: A list or a range goes on: "Years 2 and 3", "Levels 1 to 3".
_MORE = re.compile(
    r"\s*(?P<how>,|and|or|&|to|through|-|–)\s*(?:and |or )?(?P<key>\d{1,2}|(?-i:[IVX]{1,4}))\b", re.IGNORECASE
)


def _listed(match: re.Match[str]) -> list[str]:
    """The keys of a label and of those that follow it in a list or range."""
    keys = [_number(match["key"])]
    more = _MORE.match(match.string, match.end())
    while more is not None:
        key = _number(more["key"])
        if more["how"] in ("to", "through", "-", "–") and keys[-1].isdigit() and key.isdigit():
            keys += [str(n) for n in range(int(keys[-1]) + 1, int(key))]
        keys.append(key)
        more = _MORE.match(match.string, more.end())
    return keys


def _english(text: str) -> list[Label]:
    found = [Label(_singular(m["noun"]), key, m.group()) for m in _NUMBERED.finditer(text) for key in _listed(m)]
    found += [Label("grade", m[1], m.group()) for m in _GRADE.finditer(text)]
    found += [Label(_singular(m["noun"]), _number(m["key"]), m.group()) for m in _ORDINAL.finditer(text)]
    found += [Label("gravity", m["key"].lower(), m.group()) for m in _GRAVITY.finditer(text)]
    found += [Label(_SORT[m.group().lower()], m.group().lower(), m.group()) for m in _SORT_WORD.finditer(text)]
    return found


def _chinese(text: str) -> list[Label]:
    found = []
    for m in _NUMBERED_ZH.finditer(text):
        noun = (m["noun"] or m["noun2"] or m["noun3"]).strip("个度")
        key = "1" if m["first"] else "last" if m["last"] else _number(m["key"])
        found.append(Label({"年": "year", "期": "installment"}.get(noun, noun), key, m.group()))
    for m in _GRADED_ZH.finditer(text):
        found.append(Label(m["noun"] or m["noun2"], _number(m["key"] or m["key2"]), m.group()))
    found += [Label("gravity", m["key"], m.group()) for m in _GRAVITY_ZH.finditer(text)]
    found += [Label("stage of payment", m.group(), m.group()) for m in _STAGES_ZH.finditer(text)]
    for i, sorts in enumerate(_SORTS_ZH):
        found += [Label(f"sort {i}", word, word) for word in sorts if word in text]
    return found


@functools.lru_cache(maxsize=4096)
def labels_of(text: str) -> tuple[Label, ...]:
    """The labels of a passage, in no particular order."""
    found = _chinese(text) if is_chinese(text) else _english(text)
    found += [
        Label("window", " ".join(m["key"].lower().split()), m.group().rstrip(",")) for m in _WINDOW.finditer(text)
    ]
    return tuple(found)


#: "fees payable under this Section 2.4": of its own section.
_OWN_SECTION = re.compile(
    r"\b(?:this|the present) (?:section|clause|article|paragraph) (\d[\d.]*\d|\d)|本(?:条|款|节)", re.IGNORECASE
)
#: Parts of a contract that each fix their own values.
_ATTACHED = re.compile(
    r"\b(?:schedule|exhibit|annex|appendix|attachment|statement of work|order form|work order|purchase order)"
    r"\s*(?:no\.?\s*)?([A-Z]{1,2}\d{0,2}|\d{1,2})\b|附件([一二三四五六七八九十\d]+)"
)


@functools.lru_cache(maxsize=4096)
def parts_of(text: str) -> tuple[Label, ...]:
    """The parts of the contract that a passage speaks of: this Section 2.4, Schedule 2, 附件二."""
    found = [Label("own section", m[1], m.group()) for m in _OWN_SECTION.finditer(text) if m[1]]
    found += [Label("attachment", _number(m[1] or m[2]), m.group()) for m in _ATTACHED.finditer(text)]
    return tuple(found)


@functools.lru_cache(maxsize=4096)
def payments_of(text: str) -> tuple[Label, ...]:
    """What is paid according to a passage: rent, a deposit, a fee of a name."""
    if is_chinese(text):
        return tuple(Label("payment", m.lastgroup or "", m.group()) for m in _PAYMENT_ZH.finditer(text))
    found = [Label("payment", m.lastgroup or "", m.group()) for m in _PAYMENT.finditer(text)]
    for match in _FEE.finditer(text):
        # A fee without a name of its own may be any.
        if match[1].lower() in _NO_FEE:
            return ()
        found.append(Label("payment", match[1].lower() + " fee", match.group()))
    return tuple(found)


def _apart(first: tuple[Label, ...], second: tuple[Label, ...]) -> tuple[str, str]:
    for family in sorted({label.family for label in first} & {label.family for label in second}):
        mine, theirs = ([label for label in some if label.family == family] for some in (first, second))
        if {label.key for label in mine}.isdisjoint(label.key for label in theirs):
            return mine[0].words, theirs[0].words
    return "", ""


def labels_apart(a: str, b: str) -> tuple[str, str]:
    """The two labels by which passages speak of two things of one family, as they stand there; else "", ""."""
    brackets = _brackets_apart(a, b)
    return brackets if brackets[0] else _apart(labels_of(a), labels_of(b))


def payments_apart(a: str, b: str) -> tuple[str, str]:
    """The same for what is paid."""
    return _apart(payments_of(a), payments_of(b))


def parts_apart(a: str, b: str) -> tuple[str, str]:
    """The same for the parts of the contract that they speak of."""
    return _apart(parts_of(a), parts_of(b))


def _brackets_apart(a: str, b: str) -> tuple[str, str]:
    """Brackets of numbers that do not meet: the fee for 31 to 60 days is none for 61 to 90."""
    found = []
    for text in (a, b):
        match = _BRACKET.search(text)
        if match is None:
            return "", ""
        low, high = (float(re.sub(r"[^\d.]", "", part).rstrip(".")) for part in
                     (match["low"] or match["low2"], match["high"] or match["high2"]))  # fmt: skip
        found.append((low, high, " ".join(match.group().split())))
    (low_a, high_a, words_a), (low_b, high_b, words_b) = found
    apart = low_a < high_a and low_b < high_b and (high_a < low_b or high_b < low_a)
    return (words_a, words_b) if apart else ("", "")


#: "Mutual (no investors): We each …": a title before the words.
_TITLED = re.compile(r"\s*[\W\d]{0,4}(?P<title>[^\W\d][^:：.。;；]{2,60})[:：]\s*(?=\S)")


def titles_apart(a: str, b: str) -> tuple[str, str] | tuple[()]:
    """The titles before the colons of two passages when both have one and they differ."""
    first, second = _TITLED.match(a), _TITLED.match(b)
    if first is None or second is None or len(a) < 2 * first.end() or len(b) < 2 * second.end():
        return ()
    titles = [" ".join(m["title"].split()) for m in (first, second)]
    return (titles[0], titles[1]) if titles[0].casefold() != titles[1].casefold() else ()
