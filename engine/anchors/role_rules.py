"""The table of roles: what a value can be the value of, and the words that tell it in English and Chinese.

A rule is tried for anchors of its kinds. Its cues are looked for in the anchor's sentence; the cue nearest to the value
wins, cues before the value and longer cues first. Rules higher in the table win ties, so the special stands before the
general ("notice of termination" before "notice"). ``needs`` must also occur in the sentence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.anchors.model import AnchorKind

_TIME = frozenset({AnchorKind.PERIOD, AnchorKind.RATE})
_MONEY = frozenset({AnchorKind.AMOUNT})
_SHARE = frozenset({AnchorKind.PERCENT})
_DATE = frozenset({AnchorKind.DATE})
_PRICE = _MONEY | _SHARE


@dataclass(frozen=True, slots=True)
class RoleRule:
    """A role, the kinds of value that can have it, its cues and (optional) what else the sentence must hold."""

    role: str
    kinds: frozenset[AnchorKind]
    cue: re.Pattern[str]
    needs: re.Pattern[str] | None = None


def _rule(role: str, kinds: frozenset[AnchorKind], english: str, chinese: str = "", needs: str = "") -> RoleRule:
    pattern = rf"\b(?:{english})" + (f"|{chinese}" if chinese else "")
    return RoleRule(
        role, kinds, re.compile(pattern, re.IGNORECASE), re.compile(needs, re.IGNORECASE) if needs else None
    )


RULES: tuple[RoleRule, ...] = (
    # Periods.
    _rule("notice of non-renewal", _TIME, r"(?:not (?:to )?renew"
                                          r"|non-?renewal|intent(?:ion)? "
                                          r"not to)", r"不再?续[签约租期]|不续", r"notice|notif|通知|告知|提前"),
    _rule("notice of termination", _TIME, r"(?:terminat\w*|cancel(?:led|lation)?)", r"解除|终止|退[租房]|解约|收回房屋",
        r"notice|notif|通知|告知|提前|prior written"),
    _rule("cure period", _TIME, r"(?:cur(?:e|ed|ing)\b|remed(?:y|ied|ies|ying)|rectif\w+)", r"补救|改正|整改|纠正"),
    _rule("insurance cancellation notice", _TIME, r"(?:polic(?:y|ies)|insur\w+)", r"保险", r"cancel|取消|解除|变更"),
    _rule("renewal term", _TIME, r"(?:renewal (?:term|period)|(?:automatically |be )?(?:renew(?:ed|s)?"
                                 r"|extend(?:ed)?)\b|successive)", r"续期|续约|续签|续展|顺延|延长"),
    _rule("renewal notice", _TIME, r"(?:renew\w*)", r"续租", r"notice|notif|通知|提前"),
    _rule("confidentiality period", _TIME, r"(?:confidential\w*|non-?disclosure)", r"保密"),
    _rule("survival period", _TIME, r"(?:surviv\w+)", r"仍然?有效|继续有效"),
    _rule("non-compete period", _TIME, r"(?:non-?compet\w+|compet(?:e|ing)\b|(?:non-?)?solicit\w*)", r"竞业|竞争"),
    _rule("warranty period", _TIME, r"(?:warrant(?:y|ies|ed)(?: period)?|guarantee period"
                                    r"|defects? liability)", r"质保|保修|质量保证期|保证期间"),
    _rule("acceptance period", _TIME, r"(?:accept(?:ance|ed)?\b|inspect\w*|acceptance test\w*"
                                      r"|reject\w*)", r"验收|检验|查验"),
    _rule("payment period", _TIME, r"(?:pay(?:s|able|ment|ments)?\b|paid|invoice[sd]?|remit\w*|reimburs\w+"
                                   r"|refund\w*)", r"付款|支付|付清|结清|缴纳|交纳|交付租金|给付|汇款|结算|退还|返还"),
    _rule("delivery period", _TIME, r"(?:deliver(?:y|ed|s|ies)?\b|ship(?:ment"
                                    r"|ped)?\b|dispatch\w*)", r"交货|发货|交付|送达|供货|到货|完工|竣工"),
    _rule("negotiation period", _TIME, r"(?:negotiat\w+|amicabl\w+|mediat\w+|good faith discussion)", r"协商|调解"),
    _rule("force majeure duration", _TIME, r"(?:force majeure)", r"不可抗力"),
    _rule("response time", _TIME, r"(?:respon(?:d|ds|se)\b|repl(?:y|ies)\b|acknowledge)", r"响应|答复|回复|回应"),
    _rule("objection period", _TIME, r"(?:objects?\b|objection|disputes? (?:any|an|the) invoice|contest)", r"异议"),
    _rule("record retention period", _TIME, r"(?:retain\w*|preserve|keep (?:\w+ ){0,4}records"
                                            r"|maintain (?:\w+ ){0,6}(?:records|books))", r"保存|留存|保管"),
    _rule("audit", _TIME, r"(?:audit\w*)", r"审计"),
    _rule("claim period", _TIME, r"(?:claims?\b|action[s]? (?:arising|may|must|shall)|cause of action)", r"索赔|主张"),
    _rule("arbitrator appointment", _TIME, r"(?:arbitrat\w+)", r"仲裁"),
    _rule("reporting period", _TIME, r"(?:reports?\b|statements?\b|financial)", r"报告|报表"),
    _rule("option exercise period", _TIME, r"(?:exercis\w+|option\b)", r"行使"),
    _rule("vacation", _TIME, r"(?:vacation|paid time off|holiday|sick leave)", r"年假|休假"),
    _rule("severance period", _TIME, r"(?:severance|salary continuation)", r"经济补偿"),
    _rule("term", _TIME, r"(?:initial term|term of (?:this|the)|the term\b|remain in (?:full )?(?:force|effect)"
                         r"|continue (?:in (?:full )?(?:force|effect) )?(?:for|until)|in effect for"
                         r"|period of (?:this|the) agreement|employment period|lease term|(?:shall|will) (?:commence"
                         r"|begin))", r"合同(?:的)?期限|租赁期限?|租期|有效期|合同期|服务期限?"
                                               r"|合作期限?|承包期限?|借款期限?|聘用期"),
    _rule("notice", _TIME, r"(?:notice|notif(?:y|ied|ication))", r"通知|告知|提前"),
    # Amounts.
    _rule("liability cap", _PRICE, r"(?:aggregate liability|total liability|liabilit(?:y|ies)\b[^.;]{0,60}(?:exceed"
                                   r"|limited)|maximum liability|liability)",
                                       r"(?:赔偿|责任)[^，。；]{0,12}(?:不超过|上限|限额)|责任限额|赔偿上限"),
    _rule("liquidated damages", _PRICE, r"(?:liquidated damages|penalt(?:y|ies)"
                                        r"|late (?:delivery )?(?:charge|fee))", r"违约金|滞纳金|罚款|罚金|赔偿金"),
    _rule("late interest", _SHARE, r"(?:late|overdue|past due|default rate|delinquent|unpaid)", r"逾期|滞纳|迟延",
        r"interest|per annum|利息|滞纳金"),
    _rule("insurance coverage", _MONEY, r"(?:insur\w+|coverage|per occurrence|combined single limit|bodily injury"
                                        r"|property damage)", r"保险|保额"),
    _rule("deposit", _PRICE, r"(?:security deposit|deposit\w*|escrow\w*|earnest money)", r"押金|保证金|定金|订金"),
    _rule("advance payment", _PRICE, r"(?:down payment|advance payment|prepay\w*|upfront|initial payment"
                                     r"|upon (?:the )?(?:execution|signing))", r"预付款?|首付款?|首期|预付"),
    _rule("balance", _PRICE, r"(?:balance|final payment|remaining amount|upon completion)", r"余款|尾款|剩余"),
    _rule("rent", _PRICE, r"(?:base rent|rent(?:al)?s?\b)", r"租金|房租|承包费"),
    _rule("royalty", _PRICE, r"(?:royalt(?:y|ies))", r"许可费|使用费|版税"),
    _rule("salary", _PRICE, r"(?:base salary|salary|compensation|wage[s]?|remuneration)", r"工资|薪酬|报酬|劳务费"),
    _rule("bonus", _PRICE, r"(?:bonus(?:es)?)", r"奖金"),
    _rule("loan amount", _MONEY, r"(?:principal (?:amount|sum)|loan\b|commitment|advance[sd]?|credit (?:limit"
                                 r"|facility)|borrow\w*)", r"借款|贷款|本金"),
    _rule("minimum purchase", _PRICE, r"(?:minimum (?:purchase|order|commitment|quantity"
                                      r"|royalt\w+|net sales))", r"最低(?:采购|订购|销售)"),
    _rule("purchase price", _MONEY, r"(?:purchase price|contract price|contract sum|total price|aggregate price"
                                    r"|total consideration"
                                    r"|consideration|price)",
                                        r"合同(?:总)?(?:价款?|金额|额)|总价款?|总金额|总额|价款|货款|工程款"
                                        r"|服务费总额|转让价"),
    _rule("commission", _PRICE, r"(?:commission\w*|referral fee)", r"佣金|提成|中介费"),
    _rule("tax", _PRICE, r"(?:tax(?:es)?\b|vat\b|withholding|gst\b)", r"税率|税费|增值税|税款"),
    _rule("discount", _PRICE, r"(?:discount\w*|rebate\w*)", r"折扣|优惠|返利"),
    _rule("interest rate", _SHARE, r"(?:interest|per annum|prime rate|libor|annual rate)", r"利率|利息|年息|月息|年化"),
    _rule("ownership share", _SHARE, r"(?:ownership|equity|outstanding (?:shares|stock|capital)|voting (?:power"
                                     r"|stock|securities)|shares?\b|stake|membership interest)", r"股权|股份|持股"),
    _rule("voting threshold", _SHARE, r"(?:holders|majority|vot(?:es?|ing)\b|consent of|quorum)", r"表决|过半"),
    _rule("fee", _PRICE, r"(?:fees?\b|charges?\b|cost[s]?\b|expense[s]?\b)", r"费用|服务费|手续费|管理费|费"),
    _rule("uptime", _SHARE, r"(?:uptime|availab\w+|service level)", r"可用性|可用率"),
    # Dates.
    _rule("effective date", _DATE, r"(?:effective (?:date|as of)|effective|as of|made and entered into|dated"
                                   r"|entered into)", r"生效|签订|签署"),
    _rule("commencement date", _DATE, r"(?:commenc\w+|begin\w*|start\w*)", r"开始|起租|自"),
    _rule("expiry date", _DATE, r"(?:expir\w+|terminat\w+|end(?:s|ing)?\b|until|through)", r"届满|到期|止|至"),
    _rule("delivery date", _DATE, r"(?:deliver\w*|ship\w*|complet\w+)", r"交货|交付|完工|竣工"),
    _rule("payment date", _DATE, r"(?:pay\w*|paid|due)", r"付款|支付|付清|缴纳"),
)  # fmt: skip

#: Roles that may name the same thing more and less closely.
RELATED: dict[frozenset[str], float] = {
    frozenset({"notice", "notice of termination"}): 0.5,
    frozenset({"notice", "notice of non-renewal"}): 0.4,
    frozenset({"renewal notice", "notice of non-renewal"}): 0.8,
    frozenset({"notice", "renewal notice"}): 0.4,
    frozenset({"fee", "purchase price"}): 0.4,
    frozenset({"fee", "royalty"}): 0.3,
    frozenset({"late interest", "interest rate"}): 0.4,
    frozenset({"late interest", "liquidated damages"}): 0.5,
    frozenset({"term", "renewal term"}): 0.2,
    frozenset({"confidentiality period", "survival period"}): 0.6,
    frozenset({"effective date", "commencement date"}): 0.5,
    frozenset({"delivery period", "acceptance period"}): 0.1,
    frozenset({"liability cap", "liquidated damages"}): 0.2,
    frozenset({"payment period", "liquidated damages"}): 0.0,
}

#: The roles as a Chinese sentence names them.
CHINESE_ROLES: dict[str, str] = {
    "notice of non-renewal": "不续约通知期",
    "notice of termination": "解除通知期",
    "cure period": "改正期限",
    "insurance cancellation notice": "保险变更通知期",
    "renewal term": "续期期限",
    "renewal notice": "续约通知期",
    "confidentiality period": "保密期限",
    "survival period": "存续期限",
    "non-compete period": "竞业限制期限",
    "warranty period": "质量保证期",
    "acceptance period": "验收期限",
    "payment period": "付款期限",
    "delivery period": "交付期限",
    "negotiation period": "协商期限",
    "force majeure duration": "不可抗力持续时间",
    "response time": "响应时间",
    "objection period": "异议期限",
    "record retention period": "记录保存期限",
    "audit": "审计",
    "claim period": "索赔期限",
    "arbitrator appointment": "仲裁员选定期限",
    "reporting period": "报告期限",
    "option exercise period": "选择权行使期限",
    "vacation": "休假",
    "severance period": "经济补偿期限",
    "term": "合同期限",
    "notice": "通知期",
    "liability cap": "责任限额",
    "liquidated damages": "违约金",
    "late interest": "逾期利息",
    "insurance coverage": "保险金额",
    "deposit": "保证金",
    "advance payment": "预付款",
    "balance": "余款",
    "rent": "租金",
    "royalty": "许可使用费",
    "salary": "工资",
    "bonus": "奖金",
    "loan amount": "借款金额",
    "minimum purchase": "最低采购量",
    "purchase price": "价款",
    "commission": "佣金",
    "tax": "税费",
    "discount": "折扣",
    "interest rate": "利率",
    "ownership share": "持股比例",
    "voting threshold": "表决比例",
    "fee": "费用",
    "uptime": "可用率",
    "effective date": "生效日期",
    "commencement date": "起始日期",
    "expiry date": "届满日期",
    "delivery date": "交付日期",
    "payment date": "付款日期",
}
