"""Texts whose sentence ends are known because they are put together from whole sentences: all of our own writing.

A pattern is one sentence with slots; a text is some of them joined, so each joint is an end and no other mark is. The
patterns hold what makes ends hard: abbreviations, initials, citations, money, dates, enumerations, quotes, brackets.
"""

from __future__ import annotations

import re
from random import Random

SLOTS: dict[str, list[str]] = {
    "co": [
        "Borealis Inc.",
        "Cobalt Marine Ltd.",
        "Tern Pty. Ltd.",
        "Quill Media L.L.C.",
        "Pike Partners L.P.",
        "Orion Steel S.A.",
        "Vega Shipping N.V.",
        "Lark Tessuti S.p.A.",
        "Harper & Sons Corp.",
        "Meridian Trust Co.",
        "Weber Logistik GmbH & Co. KG",
        "Kite Foods Co., Ltd.",
        "Sandpiper Bros.",
        "Granite Holdings, Inc.",
    ],
    "plain": ["Fernhill Dairy", "the Carrier", "the Consignee", "Stonegate LLC", "the Licensor", "the Trustee"],
    "person": [
        "J. Alvarez",
        "M. K. Stone",
        "Dr. Osei",
        "Ms. Ito",
        "Mr. Carver",
        "Robert L. Finch",
        "Harold T. Quaye Jr.",
        "Prof. A. Lindt",
        "Mrs. R. D. Okafor",
        "Anna B. Voss, Esq.",
        "Capt. Hale",
        "Gov. Prentice",
    ],
    "place": [
        "the U.S.",
        "the U.K.",
        "the E.U.",
        "Washington, D.C.",
        "the P.R.C.",
        "New Delhi",
        "St. Gallen",
        "Ft. Wayne",
    ],
    "gov": [
        "U.S. Department of Labor",
        "U.K. Treasury",
        "U.S. Patent Office",
        "E.U. Commission",
        "U.S. Treasury Bills",
    ],
    "time": ["5:00 p.m.", "9 a.m.", "noon", "11:59 P.M.", "6:30 a.m."],
    "zone": ["Eastern Time", "Pacific Standard Time", "Mountain Time", "London time"],
    "law": [
        "15 U.S.C. § 78m(a)",
        "17 C.F.R. § 240.10b-5",
        "26 U.S.C. Sec. 501(c)(3)",
        "Cal. Civ. Code § 1542",
        "Art. 7, para. 2 of the Code",
        "Pub. L. No. 104-13",
        "42 U.S.C. §§ 1981 et seq.",
        "Del. Code Ann. tit. 6, § 3801",
        "Hale v. Stone, 12 F. Supp. 2d 34 (S.D.N.Y. 1999)",
        "In re Orion, 410 F.3d 221 (2d Cir. 2005)",
        "Brand v. Kern Bros., 55 U.S. 101",
        "Treas. Reg. § 1.409A-1",
        "18 CFR 11.35",
        "Minn. Stat. § 80C.14, Subd. 3",
    ],
    "ref": [
        "Section 5.1",
        "Sec. 4.2(b)",
        "§ 5.1",
        "Exhibit A",
        "Schedule 2",
        "Annex IV",
        "Clause 19",
        "Article V",
        "Schedule D-1",
        "Appendix B",
        "Part 3",
        "paragraph 7(i)",
        "Sections 6.3, 7 and 9",
        "Class B",
        "Option 2",
    ],
    "no": [
        "No. 7",
        "No. 133",
        "Nos. 4 and 5",
        "Lot No. 22",
        "Docket No. 8079",
        "Amendment No. 1",
        "Fig. B",
        "Vol. 12, No. 3",
    ],
    "money": ["$1,250.50", "US$4.5 million", "€0.80", "$.076 (or 7.6 cents)", "CHF 12.-", "Rs. 5,000", "$2.00"],
    "date": [
        "Jan. 5, 2021",
        "June __, 20__",
        "2025. 1. 1",
        "Dec. 31, 2029",
        "21 Sept. 2030",
        "the year 2011",
        "May 31, 2014",
    ],
    "web": [
        "www.example.com/terms.html",
        "https://a.example.org/x.y?z=1.2",
        "legal.dept@example.co.uk",
        "Example.com",
        "data.example.net/v1.1",
        "j.alvarez@example.com",
    ],
    "num": ["1.5", "14.73", "12.7%", "2", "360", "0.05%", "10", "2,500", "98.6"],
    "term": ["Goods", "Services", "Losses", "Effective Date", "Fee", "Net Sales"],
    "han": ["甲方", "乙方", "丙方", "出租人", "承租人", "买方", "供方"],
    "yuan": ["1.5万元", "人民币3,527.46元", "¥20.00", "____元", "5000元（伍仟元整）", "￥：______"],
    "tiao": ["第三条", "第5.2条", "本条第（二）款", "附件一", "《合同法》第7条", "第十条第2款"],
    "ri": ["2025. 1. 1", "2026.3.15", "____年__月__日", "收到通知之日起7日内", "5个工作日内"],
}

#: English sentences; each ends with its full stop (or "?", "!"), which a slot's own stop at the end may serve as.
ENGLISH = """
The goods are sold by {co}
{co} shall deliver the goods to {place}
{co} South Asia shall inspect the {term}.
The parties appoint {co} North America as agent for {place}
Payment is made to {co} or to {person}
Copies of notices go to {person}, with a further copy to {co}
The Agent acts for {co} and for {plain}, each a party hereto.
{person} signs for {co}, a company organised in {place}
{co} ("Supplier") and {co} (the "Buyer") enter into this Agreement.
The Services are performed under the supervision of {person}
Neither {person} nor {person} is liable for the {term}.
The report was prepared by {person} and reviewed by {person}, as required by {law}
It is filed with the {gov} and with the {gov}.
Any dispute is heard by the courts of {place}
This Agreement complies with the laws of {place} and with {law}
Exports from {place} require a licence of the {gov}.
The {gov} may inspect the books, e.g. the ledgers, i.e. the journals of account.
Work ends at {time} on each Business Day.
Notices received after {time} {zone} are deemed received on the next day.
The offices open at {time} and close at {time}
Trading begins at {time} {zone} and is governed by {ref}.
The rights under {law} remain unaffected.
See {law} for the definition of {term}.
The exemption of {law} applies, see also {law}
As held in {law}, the waiver is void.
The {term} are set forth in {ref}.
Subject to {ref}, the {term} bear interest at {num} per annum.
The limits of {ref} (Limits) and of {ref} apply to {plain}.
The duties set out in {ref} survive, except for those in {ref}
{no} and {no} are excluded from this Lease.
The vehicle listed under {no} is delivered on {date}.
The complaint was docketed as {no} in {date}
The price is {money} per unit, plus tax of {num}
The Buyer pays {money} on signing and {money} on delivery.
The total does not exceed {money}, i.e. {num} of the cap.
The pressure is {num} psia, at a temperature of {num} degrees.
This Agreement is dated {date} and ends on {date}.
The lease runs from {date} until {date}
The terms are posted at {web} and updated from time to time.
Send requests to {web} or call ext. 12.
More information can be found at {web}
The index is published by Yahoo! Finance and by Example.com each day.
"{term}" means the things listed in {ref}.
"{term}," as used here, has the meaning given in {ref}
The party is called the "Seller."
The word "{term}." in the heading has no effect.
He replied: "The goods are late."
The clerk asked, "Is the notice valid?"
Is the notice valid under {law}?
The deadline has passed!
Is {plain} bound by it?
Who pays for {ref}?
Does {ref} apply to us?
Do not sign before you have read {ref}!
Stop!
Ask {plain} first!
Shall the fee of {money} be refunded in 2024?
The Seller shall (a) ship the {term}, (b) insure them, and (c) notify {co}
The Seller shall: (i) keep records; (ii) pay all taxes, duties, etc.; and (iii) obey the law.
The duty does not apply if the information: 1. was known before; or 2. became public; or 3. was received from {plain}.
The items are as follows: a. the ledgers; b. the invoices; and c. the receipts.
Fees, costs, etc. are borne by {plain}.
The Supplier provides tools, spare parts, labour, etc.
The Tenant (who has been advised by {person} on {ref}) agrees.
The Carrier (acting through {co}) insures the {term} (excluding those of {ref}).
The sum (see {law}) is due at once.
The Licensee (including Affiliates, cf. {ref}. and their agents) is bound.
The Borrower (formerly {co} and before that {co}) repays the loan.
Insurance is maintained in full force (excluding flood cover).
The parties agree... to nothing further than the {term}.
No further answer was given to {plain}…
The rest of the page is blank...
The list includes tools, spare parts ... and oil.
The fee is [...***...] US dollars for each of the [...***...] Units delivered under {ref}.
A period of […***…] Business Days applies to [...***...] and to […***…].
Write to Deborah.Finch@example.com or to J.Stone@example.org/legal for advice.
The option is granted by Party A to Party B
The records are kept in Building C
The redacted amount is [***] and the redacted period is [***].
All amounts are stated in thousands, approx. {num} per unit, max. {num}, min. {num}.
Deliveries to St. Louis, Mt. Vernon and Ft. Worth are free.
The Dept. of Works, Bldg. 7, Rm. 12, is the place of delivery.
Attn. {person}, tel. 555 0100, fax 555 0101, is the contact.
The work is done by Fin. & Adm. staff of {plain}.
The box weighs 12 kg. and measures 4 ft. by 2 ft. by 10 in. overall.
Payments are due within thirty (30) days
They are paid quarterly and in arrears.
It takes effect at once.
All rights are reserved.
Each party bears its own costs.
No waiver is implied.
If payment is late, interest accrues.
Upon expiry, the Licensee returns the {term}.
Title passes on delivery.
Buyer accepts the {term}.
Fernhill may inspect the works and the records kept there.
STONEGATE shall notify the other party of any delay.
Copyright 2024.
Neither party assigns any right or duty under it.
Nothing in the Schedule binds us.
The notice is valid even if no reply is made to it.
The Guarantor has no claim against me.
Payments in arrears bear interest.
The fee is due in 2019.
Deliveries are made to Springfield, IL 62701.
Meetings are held at 10:00 AM.
Products are shipped DDP.
Seller may cancel by notice.
Recipient returns all copies of the {term}.
Company grants a licence under {ref}.
Customer is responsible for its users.
Interest accrues daily.
Any amendment is in writing.
NEITHER PARTY IS LIABLE FOR LOSS OF PROFIT.
THE GOODS ARE SOLD "AS IS" BY {co}
Notwithstanding {ref}, either party may terminate.
Licensee may sublicense the {term}.
Such consent is not unreasonably withheld.
This clause survives termination.
[***] of the forecast is binding on {plain}.
Landlord repairs the roof at its own expense.
"Affiliate" has the meaning of {law}.
(a) The Carrier keeps the records.
(ii) The Consignee pays the freight.
1.6 The term {term} is defined in {ref}.
9.1 Each party keeps the {term} secret.
"""

#: Headings that open a paragraph: number and words, each with its stop, one end behind both.
HEADINGS = """
4. Payment.
Article 4. Payment.
Section 5.01. Ownership.
2.5. DETERMINATION OF COSTS.
10. Term; Termination.
7.3 Termination After the Effective Date.
(a) Organization, Standing and Power.
XIII. Non-Assignment.
B. Payment.
SECTION 3. Notice.
1.10. Losses.
9a. Survival.
5. PRICE AND PAYMENT.
Clause 12. Entire Agreement.
(k) Survival.
III. Attendance.
"""

#: Numbers that open a paragraph whose first sentence follows at once; no end behind them.
NUMBERS = [
    "1.",
    "12.",
    "5.2.",
    "5.4.1.1.",
    "a.",
    "C.",
    "iv.",
    "II.",
    "(b)",
    "9e.",
    "10.12.",
    "Section 11.14.",
    "Article V.",
]

CHINESE = """
{han}应于{ri}付款。
{han}收款后发货；逾期的，每日按{num}支付违约金。
租金为每月{yuan}，押金另计。
本合同自签字之日起生效！
双方是否各执一份？
是。
{han}称：“货物已交付。”
{han}回函写明“款项已付。”
{han}有权依照{tiao}解除合同。
具体见{tiao}、{tiao}。
违约金为合同总额的{num}，即{yuan}。
{han}（以下简称“{han}”）应当承担维修费用。
因不可抗力（如地震、战争）导致无法履行的，{han}不承担责任。
{han}（包括其子公司。关联公司亦同）应当保密。
费用包括水费、电费……由{han}承担。
包装要求如下：1.木箱；2.防潮；3.标识清晰。
{han}应当：（一）按时付款；（二）妥善保管；（三）到期返还。
合同自{ri}起至{ri}止。
联系人为J. Li，电话010-1234567，邮箱a.li@example.com。
供货方为Kite Foods Co., Ltd.，地址见附件。
设备型号为V2.0，编号No. 5。
详见www.example.com/zh.html。
{han}应支付____元（大写：______元整）。
【软件名称（版本号：1.0）】由{han}提供。
协商不成的，向{han}所在地人民法院起诉。
《验收单》（见{tiao}）经双方签字后生效。
{han}声明：“本人已阅读全文；无异议。”
本条所称“损失”，包括直接损失（不含利润）。
甲乙双方应共同遵守。
逾期不付的，{han}可以催告！
8.家具由{han}提供。
1.押金为{yuan}。
（1）水电费由{han}承担。
一、{han}按期交付。
3．其他费用由{han}负担。
温度不超过37.5度，湿度不超过{num}。
价格为US$4.5（含税）。
{han}付款.
{han}发货, 费用自理.
"""


#: Contracts' sentences are long: words that may go before or into a pattern, so that length alone says nothing.
LEADS = [
    "Subject to the terms and conditions of this Agreement and to the extent permitted by applicable law, ",
    "For the avoidance of doubt and without limiting any other right or remedy available to it, ",
    "In the event that the conditions set out above have been satisfied or waived in writing by both parties, ",
    "Except as otherwise agreed between the parties from time to time, ",
    "Upon the expiration or earlier termination of the term, and for a period of one year after that, ",
]
CLOSES = [
    ", in each case without prejudice to the rights of the other party under this Agreement",
    ", together with interest, costs and expenses reasonably incurred in connection with its enforcement",
    " and shall continue in full force and effect until all obligations have been performed",
    ", provided that the party concerned has given notice in writing at least thirty days before",
    " in accordance with the Specifications and the standards of the industry",
    ", as determined by the Customer",
    " (including reasonable fees and expenses of attorneys)",
]


def _longer(pattern: str, random: Random) -> str:
    plain = pattern[0].isupper() and pattern[-1] == "." and pattern[-2].islower() and '"' not in pattern
    if plain and random.random() < 0.5:
        pattern = pattern[:-1] + random.choice(CLOSES) + "."
    if pattern[0].isupper() and pattern[1:2].islower() and random.random() < 0.35:
        pattern = random.choice(LEADS) + pattern[0].lower() + pattern[1:]
    return pattern


def _fill(pattern: str, random: Random) -> str:
    pattern = _longer(pattern, random) if pattern.isascii() or "“" not in pattern else pattern
    text = re.sub(r"\{(\w+)\}", lambda slot: random.choice(SLOTS[slot.group(1)]), pattern).strip()
    if not re.search(r"[.?!…。？！][\"”’)）]*$", text):
        text += "。" if text[-1] > "\u2e80" else "."
    return text


def _patterns(block: str) -> list[str]:
    return [line for line in block.strip().split("\n") if line]


#: Whole sentences between brackets, one behind the other.
NOTES = [
    ["[Drafting note: Optional clause.", "Delete what does not apply.]"],
    ["[Note: Choose one of the two.", "If none applies, delete the entire row.", "Adapt the others.]"],
    ["(See the notes at the end of the form.", "Read them before signing.)"],
    ["[Optional.", "Customise as appropriate.", "Fill in the blanks of Schedule 2.]"],
]


def english(random: Random) -> tuple[str, list[int]]:
    """A paragraph of English sentences and the offsets of their ends."""
    parts = []
    opening = random.random()
    if opening < 0.25:
        parts.append(random.choice(_patterns(HEADINGS)))
    for place in range(random.randint(1, 5)):
        sentence = _fill(random.choice(_patterns(ENGLISH)), random)
        numbered = 0.25 <= opening < 0.45 if place == 0 else random.random() < 0.12
        if numbered and not sentence[0].isdigit() and sentence[0] not in '("[':
            sentence = f"{random.choice(NUMBERS)} {sentence}"
        parts.append(sentence)
    if random.random() < 0.04:
        parts += random.choice(NOTES)
    return _joined(parts, random.choice([" ", " ", " ", "  "]))


def chinese(random: Random) -> tuple[str, list[int]]:
    """A paragraph of Chinese sentences and the offsets of their ends."""
    parts = [_fill(random.choice(_patterns(CHINESE)), random) for _ in range(random.randint(1, 5))]
    text, ends = "", []
    for part in parts:
        text += " " if text.endswith(".") else ""
        text += part
        ends.append(len(text))
    return text, ends


def _joined(parts: list[str], joint: str) -> tuple[str, list[int]]:
    text, ends = "", []
    for part in parts:
        # Filings lose spaces: "… plant holidays).Hershey may …".
        glued = text[-2:-1].islower() or text[-2:-1] == ")"
        lost = glued and part[:1].isupper() and part[1:2].islower() and joint == "  "
        text += ("" if lost else joint if text else "") + part
        ends.append(len(text))
    return text, ends
