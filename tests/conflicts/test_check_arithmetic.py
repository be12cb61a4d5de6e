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


@pytest.mark.parametrize(
    "text",
    [
        "The Purchase Price is $150,000, payable as follows: $50,000 on signing, $40,000 on delivery, $50,000 later.",
        "The total fee is $90,000, payable in three equal instalments of $35,000 each.",
        "The Contract Price is USD 120,000. The Buyer shall pay it in 12 monthly installments of USD 9,000.",
        "The Price shall be paid 30% on signing, 40% on delivery and 20% on acceptance.",
        "The profits shall be shared as follows: Party A 50%, Party B 30% and Party C 15%.",
        "The shareholders hold the following shares: Smith 40%, Jones 35% and Brown 30%.",
        "The closing shall take place on March 5, 2024 (Friday).",
        "The monthly rent is $2,000, being an annual rent of $26,000.",
        "The Buyer shall purchase 100 units at $50 per unit, for a total price of $6,000.",
        "合同总价为人民币100万元，分三期支付：签订合同时支付30万元，交货时支付40万元，验收合格后支付20万元。",
        "合同总价款分三次支付：合同签订后支付30%，货到后支付50%，验收合格后支付25%。",
        "甲方占股40%，乙方占股35%，丙方占股30%。",
        "双方应于2024年3月5日（星期三）交付。",
        "乙方应按月支付租金，月租金3000元，年租金合计40000元。",
        "货物数量100台，单价500元，总价60000元。",
    ],
)
def test_parts_that_miss_the_whole(text: str) -> None:
    assert codes_of(text) == ["value.arithmetic"]


@pytest.mark.parametrize(
    "text",
    [
        "The Purchase Price is $140,000, payable as follows: $50,000 on signing, $40,000 on delivery, $50,000 later.",
        "The Purchase Price is $150,000, payable as follows: $50,000 upon signing and $40,000 on delivery, plus taxes.",
        "The total fee is $90,000, payable in three equal instalments of $30,000 each.",
        "The total fee is $100,000, payable in three equal instalments of $33,333 each.",
        "The Price shall be paid 30% on signing, 40% on delivery and 30% on acceptance.",
        "Shareholders that hold 40%, 35% or 10% of the shares may each call a meeting.",
        "The interest is 5% in the first, 6% in the second and 7% in the third year, divided as follows.",
        "The monthly rent is $4,166.67, being an annual rent of $50,000.",
        "The Buyer shall purchase 100 units at $50 per unit, for a total price of $5,000.",
        "The Buyer shall purchase 100 units at $50 per unit, for a total price of $5,650 with tax.",
        "合同总价为人民币100万元，分三期支付：签订合同时支付30万元，交货时支付40万元，验收合格后支付30万元。",
        "合同总价款分三次支付：合同签订后支付30%，货到后支付50%，验收合格后支付20%。",
        "甲方占股40%，乙方占股35%，丙方占股25%。",
        "双方应于2024年3月5日（星期二）交付。",
        "月租金3000元，年租金合计36000元。",
        "货物数量100台，单价500元，总价50000元。",
    ],
)
def test_parts_that_make_the_whole(text: str) -> None:
    assert codes_of(text) == []
