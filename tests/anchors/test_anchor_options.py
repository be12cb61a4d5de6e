from __future__ import annotations

import pytest

from engine.anchors.options import option_spans, options
from engine.anchors.role_rules import CHINESE_ROLES, RULES
from engine.anchors.roles import role_name
from engine.document import CharacterBoxes, Document, Media, Page


def _document(text: str) -> Document:
    page = Page(0, 595.0, 842.0, 0, len(text))
    return Document("sha256:00", "a.txt", Media.TEXT, "en", text, (page,), (), (), (), (), CharacterBoxes.empty())


def _read(text: str) -> list[tuple[str, bool]]:
    return [(text[option.start : option.end].strip(), option.ticked) for option in options(_document(text))]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (
            "Materials:\n( ) No Third-Party Materials will be used.\n(x) Third-Party Materials will be used.\nEnd.",
            [("( ) No Third-Party Materials will be used.", False), ("(x) Third-Party Materials will be used.", True)],
        ),
        (
            "[    ]\tProvider will subcontract.\n[ X ] Provider will not subcontract.",
            [("[    ]\tProvider will subcontract.", False), ("[ X ] Provider will not subcontract.", True)],
        ),
        ("运费由□甲方／☑乙方承担。", [("□甲方／", False), ("☑乙方承担。", True)]),
        ("租金：\n（ ）按月支付。\n（√）按季支付。", [("（ ）按月支付。", False), ("（√）按季支付。", True)]),
        ("1. [ ] Monthly.\n2. [ ] Yearly.", [("[ ] Monthly.", False), ("[ ] Yearly.", False)]),
        (
            "争议按下列第2种方式解决：（1）提交仲裁；（2）向法院起诉。\n第二条",
            [("（1）提交仲裁；", False), ("（2）向法院起诉。", True)],
        ),
        (
            "按下列第＿＿种方式解决：\n（一）提交仲裁；\n（二）向法院起诉。\n第二条",
            [("（一）提交仲裁；", False), ("（二）向法院起诉。", False)],
        ),
        (
            "Disputes [select one]:\n(a) arbitration;\n(b) the courts.\nEnd",
            [("(a) arbitration;", False), ("(b) the courts.", False)],
        ),
        ("□ 适用\n☒ 不适用", [("□ 适用", False), ("☒ 不适用", True)]),
    ],
)
def test_options_of_a_form(text: str, read: list[tuple[str, bool]]) -> None:
    assert _read(text) == read


@pytest.mark.parametrize(
    "text",
    [
        "(w) the fee;\n(x) the price; and\n(y) the rent.",
        "● The Seller delivers.\n● The Buyer pays.",
        "The price is [ ] euros.",
        "[Reserved]",
        "■ 第一项\n■ 第二项",
        "有下列情形之一的：（1）逾期；（2）违约。",
        "承担以下两种方式之一的责任。",
        "",
    ],
)
def test_no_options(text: str) -> None:
    assert option_spans(_document(text)) == []


def test_every_role_has_a_chinese_name() -> None:
    assert {rule.role for rule in RULES} == set(CHINESE_ROLES)
    assert role_name("late interest", "zh") == "逾期利息"
    assert role_name("late interest", "en") == "late interest"
    assert role_name("", "zh") == ""
