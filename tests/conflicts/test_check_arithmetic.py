from __future__ import annotations

import pytest
from check_document import codes_of


@pytest.mark.parametrize(
    "text",
    [
        "The purchase price is $90,000. $30,000 is due upon signing and the balance of $70,000 upon completion.",
        "合同总价为人民币100000元。首付款30000元，余款80000元于验收后支付。",
        "The lease starts on Monday, March 4, 2025 and runs on.",
        "Payment is due on February 30, 2025 at noon.",
        "The term of three (3) years commences on January 1, 2020 and ends on December 31, 2024.",
        "租赁期限为2年，自2020年1月1日起至2022年12月31日止。",
        "第一期支付合同总价的30%，第二期支付40%，余款40%验收后支付。",
    ],
)
def test_what_does_not_compute(text: str) -> None:
    assert codes_of(text) == ["value.arithmetic"]


@pytest.mark.parametrize(
    "text",
    [
        "The purchase price is $100,000. $30,000 is due upon signing and the balance of $70,000 upon completion.",
        "The purchase price is $90,000. A fee of $500 per month is due and the balance of $70,000 bears interest.",
        "合同总价为人民币100000元。首付款30000元，余款70000元于验收后支付。",
        "The lease starts on Tuesday, March 4, 2025 and runs on.",
        "Payment is due on February 29, 2024 at noon.",
        "The term of three (3) years commences on January 1, 2020 and ends on December 31, 2022.",
        "It commences on May 1, 2020 and ends on April 30, 2029, with renewals for a period of five (5) years each.",
        "租赁期限为2年，自2020年1月1日起至2021年12月31日止。",
        "第一期支付合同总价的30%，第二期支付40%，余款30%验收后支付。",
        "Late interest is 5%, the tax is 13% and the remaining 70% of the price is due.",
    ],
)
def test_what_computes(text: str) -> None:
    assert codes_of(text) == []
