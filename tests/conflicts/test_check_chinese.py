"""What the checks say of a Chinese contract is Chinese: summary, path and settlement, for each code."""

from __future__ import annotations

import re
import string

import msgspec
import pytest
from check_document import document_of, findings_of

from engine.anchors.extract import extract_anchors
from engine.conflicts.checks import run_checks
from engine.conflicts.checks.evidence import chinese_number
from engine.conflicts.checks.sentences import PHRASES, WORDINGS, say
from engine.document import Document
from engine.protocol.findings import Finding

BODY = """第一条 定义。本条列明用语。
1.1 用语。若干用语。
1.2 解释。若干规则。
第二条 供货。乙方供货。
2.1 交付。乙方交付货物。
2.2 包装。乙方包装货物。
第三条 付款。甲方付款。
3.1 时间。甲方按期付款。
3.2 方式。甲方转账付款。
第四条 责任。双方承担责任。
4.1 限额。约定限额。
4.2 例外。约定例外。
第五条 其他。其他约定。
5.1 通知。书面通知。"""

MATERIALS = """1.1 “材料”是指一切记录保密信息的纸质文件。
1.2 “货物”是指所售之物。
1.3 “材料”是指公司的表格、程序和手册等。"""
CARRIER = """1.1 “承运人”是指运送货物并交付给收货人的人。
1.2 “货物”是指卖方所出售的一切物品和设备。
1.3 “场所”是指买方接收货物的地点和设施。
第二条 交付。货物应当送至场所。"""
PARTY = """甲方：青岛澄江生物医药有限公司
乙方：北辰冷链设备股份有限公司
第一条 供货。青岛澄江生物医约有限公司供货。"""

CASES = [
    ("value.words_figures", "合同总价为人民币叁佰万元整（¥3,200,000.00）。", "第1页文字写为“叁佰万"),
    ("value.arithmetic", "合同总价为人民币100000元。首付款30000元，余款80000元于验收后支付。", "合计为110,000"),
    ("value.arithmetic", "第一期支付合同总价的30%，第二期支付40%，余款40%验收后支付。", "合计为110%"),
    ("value.arithmetic", "租赁期限为2年，自2020年1月1日起至2022年12月31日止。", "约定期限为2年"),
    ("value.arithmetic", "甲方应当于2025年2月30日付清全部款项。", "日期不存在"),
    ("reference.dangling", BODY + "\n5.2 放弃。放弃权利应当按照第八条的约定作出。", "援引第八条，但该条款不存在"),
    ("reference.dangling", BODY + "\n5.2 放弃。应当按照第4.9款的约定作出。", "援引第4.9款，但该条款不存在"),
    ("reference.self", BODY + "\n5.2 救济。本款即第4.2款。\n5.3 文本。两份。", "第5.2款将自身称为"),
    ("number.gap", BODY.replace("第四条", "第六条").replace("第五条", "第七条"), "缺少第四条和第五条"),
    ("number.duplicate", BODY + "\n5.2 文本。两份。\n5.2 语言。中文。\n5.3 份数。两份。", "第5.2款：“文本”与“语言”"),
    ("term.duplicate", MATERIALS, "“材料”在第1.1款和第1.3款"),
    ("term.unused", CARRIER, "“承运人”已在第1.1款定义"),
    ("term.undefined", BODY + "\n5.2 “索赔”的含义见第2.1款。", "指向第2.1款"),
    ("term.drift", "“例外与限制”指本条所列各项内容。第二条 范围。例外和限制不适用于甲方。", "写作“例外和限制”"),
    ("draft.blank", "甲方应当在____日内付款。", "有1处空白待填写，位于第1页"),
    ("draft.bracket", "产品为【产品名称】，详见清单。", "方括号"),
    ("draft.note", "付款方式待补充，双方另行约定。", "批注或者待定事项"),
    ("draft.option", "租金支付方式：□ 月付 □ 季付。", "选项尚未选择"),
    ("reference.attachment", "第一条 附件。见附件三。\n附件一\n价格。\n附件二\n标准。", "提及附件三，但文件未附"),
    ("party.name", PARTY, "写作“青岛澄江生物医约有限公司”"),
]


def _spoken(finding: Finding) -> list[str]:
    return [finding.summary, finding.settle, *(step.because for step in finding.path)]


@pytest.mark.parametrize(("code", "text", "words"), CASES)
def test_each_code_speaks_chinese(code: str, text: str, words: str) -> None:
    found = [finding for finding in findings_of(text) if finding.code == code]
    assert found
    assert words in found[0].summary
    for finding in found:
        for sentence in _spoken(finding):
            assert not re.search(r"[A-Za-z]{4,}", sentence)
            assert sentence.endswith("。")


def test_the_language_of_the_clause_decides_where_the_document_has_none() -> None:
    text = "Section 1 Payment. The Buyer pays within thirty (60) days.\n第二条 付款。甲方应当在三十（60）日内付款。"
    document: Document = msgspec.structs.replace(document_of(text), language="und")
    english, chinese = (f for f in run_checks(document, extract_anchors(document)) if f.code == "value.words_figures")
    assert english.summary.startswith("Section 1 says")
    assert chinese.summary.startswith("第二条文字写为")


@pytest.mark.parametrize(
    ("number", "name"),
    [
        ("5.2", "第5.2款"),
        ("3", "第3条"),
        ("第三条", "第三条"),
        ("4.1（一）", "第4.1款第（一）项"),
        ("第三条（二）", "第三条第（二）项"),
        ("附件一, 3", "附件一第3项"),
        ("附件一, 第二部分四", "附件一第二部分第四项"),
        ("（一）", "第（一）项"),
    ],
)
def test_how_a_number_is_named(number: str, name: str) -> None:
    assert chinese_number(number) == name


def _fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


@pytest.mark.parametrize("key", sorted(WORDINGS))
def test_both_languages_have_the_same_steps(key: str) -> None:
    english, chinese = WORDINGS[key]
    assert [state for state, _ in english.path] == [state for state, _ in chinese.path]
    spoken = [said.summary + said.settle + "".join(because for _, because in said.path) for said in (english, chinese)]
    names = _fields("".join(spoken))
    for language in (False, True):
        said = say(key, language, **dict.fromkeys(names, "1"))
        assert said.summary[-1] in ".。"
        assert not re.search(r"[\u4e00-\u9fff]", said.summary) or language


def test_phrases_have_the_same_parts() -> None:
    for english, chinese in PHRASES.values():
        assert _fields(english) == _fields(chinese)
