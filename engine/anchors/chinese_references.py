"""Cross-references in Chinese: 第三条第二款, 本合同第5.2条, 附件一, 《民法典》第五百八十五条."""

from __future__ import annotations

import re
from bisect import bisect_right

from engine.anchors.chinese_numerals import ALL as CHINESE
from engine.anchors.chinese_numerals import chinese_value
from engine.anchors.model import AnchorKind
from engine.anchors.scan import Scan

_ZH_REF = re.compile(
    r"(?P<own>本(?:合同|协议|条款|附件)|本)?(?:(?P<open>前述|上述|前)?)第[ "
    rf"]{{0,2}}(?P<number>\d{{1,3}}(?:\.\d{{1,3}}){{0,5}}|["
    rf"{CHINESE}]{{1,7}})[ ]{{0,2}}(?P<unit>条|款|项|章|节|部分)"
    rf"(?P<more>(?:[ ]?(?:第[ ]{{0,2}}(?:[(]?(?:\d{{1,3}}(?:\.\d{{1,3}}){{0,4}}|[{CHINESE}]{{1,5}})[)]?)"
    rf"|[(](?:\d{{1,2}}|[{CHINESE}]{{1,3}})[)])[ ]{{0,2}}(?:款|项|目|条)){{0,3}})"
)
_ZH_MORE = re.compile(
    rf"第?[ ]{{0,2}}[(]?(?P<number>\d{{1,3}}(?:\.\d{{1,3}}){{0,4}}|[{CHINESE}]{{1,5}})[)]?[ ]{{0,2}}(?P<unit>款|项"
    r"|目|条)"
)
#: "第2、5条": clauses that share one mark at each end.
_ZH_LIST = re.compile(
    rf"第[ ]?(?P<numbers>(?:\d{{1,3}}(?:\.\d{{1,3}}){{0,3}}|[{CHINESE}]{{1,4}})"
    rf"(?:[、和及与](?:\d{{1,3}}(?:\.\d{{1,3}}){{0,3}}|[{CHINESE}]{{1,4}})){{1,8}})[ ]?条"
)
_ZH_ITEM = re.compile(r"[^、和及与]{1,16}")
_ZH_PLAIN = re.compile(
    r"(?<![\d.])(?P<number>\d{1,3}(?:\.\d{1,3}){1,5}|(?<=[第照据依本按合同])\d{1,3})[ ]{0,2}(?P<unit>条款?|款"
    r"|项)(?![件])"
)
_ZH_ATTACH = re.compile(
    rf"(?P<own>本合同|本协议)?(?P<word>附件|附录|附表)[ ]{{0,2}}(?P<number>\d{{1,2}}|[{CHINESE}]{{1,3}}|[A-Z]"
    r"(?![A-Za-z]))"
    r"(?![\d年月日份个])"
)
_ZH_THIS = re.compile(r"本(?P<word>条|款|项|章|节)(?!件|例|规|目)")
_ZH_LAW = re.compile(r"《(?P<name>[^《》]{2,40})》[ ]{0,2}(?:[(][^()]{1,20}[)])?[ ]{0,2}(?:的|之|中)?[ ]{0,2}$")
_ZH_RANGE = re.compile(
    rf"[ ]{{0,2}}(?:至|到|-|~)[ ]{{0,2}}第?[ ]{{0,2}}(?P<number>\d{{1,3}}(?:\.\d{{1,3}}){{0,4}}|[{CHINESE}]{{1,7}})[ "
    rf"]{{0,2}}(?P<unit>条|款|项|章)"
)
#: "本款即第8.6款", "本条（第八条）": the clause says which number it has itself.
_ZH_ITSELF = re.compile(r"本[条款项][ ]?(?:[(,]?(?:即|为|系)|[(])[ ]?$")
_LINE_START = re.compile(r"(?:^|\n)[ \t\u3000]{0,12}$")
#: What follows a clause that is spoken of, even at the start of a line; a heading goes on otherwise.
_GOES_ON = re.compile(r"[至到、及]|的约定|约定|规定|所[述列称]|项下")


def _number(text: str) -> str:
    if text[0].isascii():
        return text
    value = chinese_value(text)
    return str(int(value)) if value is not None else text


def find_chinese_references(scan: Scan) -> None:
    """Note every Chinese reference; clause numbers at the start of a line are labels, not references."""
    text = scan.text
    spans: list[tuple[int, int]] = []
    for match in _ZH_REF.finditer(text):
        if spans and match.start() < spans[-1][1]:
            continue
        at_line = _LINE_START.search(text, max(0, match.start() - 14), match.start())
        if at_line and not match["own"] and not _GOES_ON.match(text, match.end()):
            continue
        if match["unit"] in ("节", "部分") and not match["own"]:
            continue
        spans.append(_article(scan, match))
    spans += _lists(scan)
    spans.sort()
    starts = [start for start, _ in spans]
    for match in _ZH_PLAIN.finditer(text):
        before = bisect_right(starts, match.start()) - 1
        if before >= 0 and match.start() < spans[before][1]:
            continue
        if _LINE_START.search(text, max(0, match.start() - 14), match.start()):
            continue
        law = _ZH_LAW.search(text, max(0, match.start() - 50), match.start())
        if not law:
            _note(scan, match["number"], match.start(), match.end(), "", "条")
    for match in _ZH_ATTACH.finditer(text):
        if _LINE_START.search(text, max(0, match.start() - 14), match.start()) and not match["own"]:
            continue
        label = _number(match["number"])
        _claim(scan, *match.span())
        scan.add(
            AnchorKind.REFERENCE, f"attachment:{label}", *match.span(),
            detail={"form": "attachment", "word": match["word"], "number": label},
        )  # fmt: skip
    for match in _ZH_THIS.finditer(text):
        scan.add(
            AnchorKind.REFERENCE, f"this:{match['word']}", *match.span(), detail={"form": "this", "word": match["word"]}
        )


def _lists(scan: Scan) -> list[tuple[int, int]]:
    """Note "第2、5条", an anchor for each number; the spans of the lists."""
    spans = []
    for match in _ZH_LIST.finditer(scan.text):
        first = match.start("numbers")
        spans.append(match.span())
        for item in _ZH_ITEM.finditer(match["numbers"]):
            start, end = first + item.start(), first + item.end()
            _note(
                scan, _number(item.group()), match.start() if start == first else start,
                match.end() if end == match.end("numbers") else end, "", "条",
            )  # fmt: skip
    return spans


def _claim(scan: Scan, start: int, end: int) -> None:
    for i in scan.values_between(start, end):
        scan.claimed.add(i)


def _article(scan: Scan, match: re.Match[str]) -> tuple[int, int]:
    label = _number(match["number"])
    for more in _ZH_MORE.finditer(match["more"]):
        label += f"({_number(more['number'])})"
    law = _ZH_LAW.search(scan.text, max(0, match.start() - 50), match.start())
    start, end = (law.start() if law else match.start()), match.end()
    ranged = _ZH_RANGE.match(scan.text, end)
    if ranged:
        end = ranged.end()
    name = law["name"] if law else ""
    _note(scan, label, start, end, name, match["unit"], _number(ranged["number"]) if ranged else "")
    return start, end


def _note(scan: Scan, label: str, start: int, end: int, law: str, unit: str, to: str = "") -> None:
    # "第8.6款" gives the whole number of a clause, "第二款" a paragraph of whatever clause is spoken of.
    whole = unit in ("条", "章") or "." in label
    detail = {"word": unit, "number": label, "form": "section" if whole else "item"}
    if whole and not law and _ZH_ITSELF.search(scan.text, max(0, start - 6), start):
        detail["own"] = "yes"
    shown = f"{label}-{to}" if to else label
    if to:
        detail |= {"from": label, "to": to}
    value = f"clause:{shown}" if unit in ("条", "款", "项") else f"chapter:{shown}"
    if not whole:
        value = f"clause:({shown})"
    if law:
        own = law.endswith(("本合同", "本协议"))
        if not own:
            value, detail["form"], detail["document"] = f"external:{law} {shown}", "external", law
    _claim(scan, start, end)
    scan.add(AnchorKind.REFERENCE, value, start, end, bound="range" if to else "exact", detail=detail)
