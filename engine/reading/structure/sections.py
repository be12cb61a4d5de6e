"""The parts of a contract that wording gives away: recitals, definitions, signatures."""

from __future__ import annotations

import re

_DEFINITION = re.compile(
    r"\s*(?:the\s+(?:term|word|expression)s?\s+)?"
    r"[\"“‘'「『](?P<term>[^\"”’」』]{1,80}(?:[’'](?=\w)[^\"”’」』]{1,60})?)[\"”’'」』]"
    r"(?:\s*(?:,|or|and|、|或|及|/)\s*[\"“‘「][^\"”’」]{1,80}[\"”’」])*\s*"
    r"(?:of\s[^.,;:\"“”]{1,40}?\s)?"
    r"(?:\([^)]{0,240}\)\s*)?(?:of\s[^.,;:\"“”]{1,60}?\s)?"
    r"(?:,?\s*(?:as used (?:herein|in this \w+),?\s*)?(?:shall\s+|will\s+)?"
    r"(?:means?|ha(?:s|ve) the (?:\w+ )?meaning|refers? to|includes?|is defined|be defined|be deemed)\b|"
    r"[:：]|\s*(?:是|系|均|应)?(?:指|意指|是指|系指))",
    re.IGNORECASE,
)
_MEANS = re.compile(
    r"(?:(?:this|shall|it|which|that)\s+)?(?:means?|refers? to|has the meaning|is defined as|shall mean)\b|"
    r"[是系均应]?(?:意?指)",
    re.IGNORECASE,
)
#: What an entry says behind its colon: a number among few words, and no sentence of its own.
_LONGEST_ENTRY = 70
_NUMERAL = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|"
    r"seventy|eighty|ninety|hundred|thousand|million)\b",
    re.IGNORECASE,
)
_NO_ENTRY = re.compile(
    r"[;:]|\.\s|\b(?:shall|will|must|may|can|cannot|should|would|could|is|are|was|were|be|been|has|have|had|does|do|"
    r"means?|agrees?)\b",
    re.IGNORECASE,
)
_HAN = re.compile(r"[㐀-鿿]")
_HAN_VALUE = re.compile(
    r"(?:(?:人民币|美元|欧元|不[少多低高]于|不超过|至[少多]|最[少多低高]|共计?|约)*[¥￥$]?\s*|每[月年日季周])"
    r"[\d一二三四五六七八九十百千万两壹贰叁肆伍陆柒捌玖拾佰仟][^，；：。]{0,20}。?"
)
_RECITAL_HEAD = re.compile(
    r"\s*(?:recitals?|background(?: statement)?|whereas|preliminary statements?|witnesseth|w i t n e s s e t h|鉴于)"
    r"\s*[:：.,]?\s*$",
    re.IGNORECASE,
)
_FILING_NUMBER = re.compile(r"\s*(?:exhibit|ex\.?)[\s-]*\d[\d.]*(?:\([a-z0-9]+\))*\.?\s*$", re.IGNORECASE)
_CONTRACT_WORD = re.compile(
    r"\b(?:agreement|contract|lease|deed|addendum|amendment|guarant(?:y|ee)|licen[cs]e|terms|note|memorandum)\b|"
    r"合同|协议|契约|备忘录|条款",
    re.IGNORECASE,
)
_LONGEST_NAME = 100
_TO_THE_PARTIES = re.compile(r"\s+(?:by and )?(?:between|among)$", re.IGNORECASE)
_RECITAL = re.compile(r"\s*(?:whereas\b|鉴于)", re.IGNORECASE)
_RECITAL_END = re.compile(
    r"\s*(?:now,?\s*therefore|the parties (?:hereto )?(?:hereby |unanimously |mutually |therefore )*agree|"
    r"agreed terms|agreement\s*$|in consideration of|(?:now )?it is (?:hereby |therefore )?agreed|operative|"
    r"据此|现双方|为此|双方.{0,12}达成)",
    re.IGNORECASE,
)
#: "甲方", "出 租 人（甲方）" …, and the words for signing behind them.
_HAN_PARTY = (
    r"(?:[甲乙丙丁]|出\s*租|承\s*租|转\s*租|出\s*卖|买\s*受|委\s*托|受\s*托|发\s*包|承\s*包|转\s*让|受\s*让|供|需|买|卖|"
    r"借\s*款|贷\s*款|保\s*证|居\s*间|定\s*作|承\s*揽)\s*[方人](?:\s*[(（]\s*[甲乙丙丁]\s*方\s*[)）])?"
)
_HAN_SIGNS = (
    r"\s*(?:[(（]\s*(?:签|盖|公章|按印|[甲乙丙丁]\s*方)[^()（）]{0,8}[)）]|签章|盖章|签字|签名|按印|(?<=[)）]))"
)
_SIGNATURE = re.compile(
    r"\s*(?:in\s+witness\s+(?:whereof|hereof)|in\s+testimony\s+whereof|"
    r"the parties (?:hereto )?have (?:executed|signed|caused)|executed (?:as a deed|by the parties|and delivered)|"
    r"signature page|signatures?\s*:?\s*$|accepted and agreed|agreed and accepted|signed (?:by|for and on behalf)|"
    r"[^\W_][^\n:：()]{0,40}\((?:signature|sign|seal|signature\s*(?:&|and)\s*seal|sealed?)\)\s*[:：]|"
    r"[(（]?以下无正文|签署页|签字页|签名页|签字盖章页|"
    r"甲方[^，。；]{0,12}[（(](?:盖章|签章|签字|公章|签名|签字盖章)[^，。；]{0,12}[）)]|"
    rf"{_HAN_PARTY}(?:{_HAN_SIGNS}\s*[:：][\s_＿]*(?:$|{_HAN_PARTY})|\s*[:：][\s_＿]{{3,}}(?:$|{_HAN_PARTY})))",
    re.IGNORECASE,
)


def defined_term(text: str, start: int, end: int) -> str:
    """The term that a paragraph defines at its beginning (``"Loss" means …``), else empty."""
    match = _DEFINITION.match(text, start, min(end, start + 400))
    return match["term"].strip(" ,，") if match else ""


def goes_on_defining(text: str, start: int, end: int) -> bool:
    """Whether words say what a heading before them means ("Loss: means any damage"); then they need it."""
    return bool(_MEANS.match(text, start, end))


def states_value(text: str, start: int, end: int) -> bool:
    """Whether words say how much a heading before them is ("Deposit: USD 22,900."); then they need it."""
    rest = text[start:end].strip()
    if not text[:start].rstrip().endswith((":", "：")) or len(rest) > _LONGEST_ENTRY:
        return False
    if _HAN.search(rest):
        return _HAN_VALUE.fullmatch(rest) is not None
    return _NUMERAL.search(rest) is not None and _NO_ENTRY.search(rest) is None


def is_filing_number(line: str) -> bool:
    """ "Exhibit 10.4" above a title: the register's number of the document, not its name."""
    return bool(_FILING_NUMBER.match(line))


def names_contract(line: str) -> bool:
    """Whether a line names a kind of contract, as titles do."""
    return len(line) <= _LONGEST_NAME and bool(_CONTRACT_WORD.search(line))


def title_of(line: str) -> str:
    """A title without the words that lead to the parties: "SUPPLY AGREEMENT by and between"."""
    return _TO_THE_PARTIES.sub("", line).strip(" .:：")


def opens_recitals(line: str) -> bool:
    """A line such as RECITALS, Background or 鉴于： that stands alone."""
    return bool(_RECITAL_HEAD.match(line))


def is_recital(line: str) -> bool:
    """A paragraph that begins with WHEREAS or 鉴于."""
    return bool(_RECITAL.match(line))


def closes_recitals(line: str) -> bool:
    """The words that lead from the recitals to what is agreed."""
    return bool(_RECITAL_END.match(line))


def opens_signatures(line: str) -> bool:
    """The first words of a signature block."""
    return bool(_SIGNATURE.match(line))
