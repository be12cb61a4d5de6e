"""Governing law, courts and arbitration: ``New York``, ``courts:New York``, ``institution:AAA``, ``seat:London``."""

from __future__ import annotations

import re

from engine.anchors.model import AnchorKind
from engine.anchors.scan import Scan

_UPPER, _LETTER = "A-ZÀ-Þ", "A-Za-zÀ-ÿ"
_PLACE = (
    r"(?:the[ \n]{1,2})?(?:(?:State|Commonwealth|Province|Republic|Kingdom|City|County|District|People['’]s Republic"
    r"|Special Administrative Region)[ \n]{1,2}of[ \n]{1,2}(?:the[ ])?)?"
    rf"(?P<place>(?:[A-Z]\.){{2,3}}|(?!(?:State|Province|Commonwealth|Country)(?![A-Za-z])[ ]of)"
    rf"[{_UPPER}][{_LETTER}]{{1,20}}(?:[ \n]{{1,2}}(?:and[ ]|of[ ]|&[ ])?(?!Any |The |This |Each |All |If )"
    rf"[{_UPPER}][{_LETTER}]{{1,20}}){{0,4}})"
)
_LAW = re.compile(
    r"(?P<lead>govern(?:ed|s|ing)?|constru(?:ed|e)|interpret(?:ed|ation)|enforced|subject to"
    r"|under)[^.;\n]{0,120}?[ \n](?:by|with|under|to)?,?[ \n]{0,2}(?:the[ ])?(?:internal[ ]|substantive[ ]|domestic[ ]"
    r"|local[ ]|laws and[ ])?laws?[ \n]{1,2}(?:in effect[ ])?(?:of|in)[ \n]{1,2}" + _PLACE
)
_LAW_NAME = re.compile(
    r"(?:govern(?:ed|s|ing)?|constru(?:ed|e))[^.;\n]{0,80}?[ \n](?:by|with"
    r"|under)[ \n]{1,2}(?:the[ ])?(?P<place>[A-Z][A-Za-z]{2,20}(?:[ ][A-Z][A-Za-z]{2,20}){0,3})[ ](?:internal[ ]"
    r"|substantive[ ]|state[ ])?[Ll]aws?(?![A-Za-z])"
)
_LAW_GOVERNS = re.compile(
    r"(?:(?:[Tt]he|THE)[ ])?laws?[ ]of[ ]"
    + _PLACE
    + r"[ \n]{1,2}(?:\([^()\n]{1,120}\)[ ])?(?:(?:shall|will)[ ])?govern(?:s?[ ]|$)"
)
#: "the laws of Ontario and the laws of Canada applicable therein": one more place for the same sentence.
_LAW_TOO = re.compile(
    r"(?:,?[ ](?:USA|U\.S\.A\.))?,?[ ]{1,2}and[ ]{1,2}"
    r"(?:of[ ]|(?:by[ ]|under[ ])?(?:the[ ])?(?:federal[ ])?laws?[ ](?:of|in)[ ])"
    + _PLACE
)
_COURT = re.compile(
    r"(?P<kind>(?i:(?:state|federal|district|competent|appropriate|local|superior|circuit)?[ ]?(?:(?:and"
    r"|or)[ ](?:federal|state)[ ])?courts?))(?:[ ](?:located|sitting|situated))?"
    r"(?:[ ](?:of competent jurisdiction))?[ \n]{1,2}(?:within|of|in|for|at)[ \n]{1,2}" + _PLACE
)
_COURT_CUE = re.compile(r"jurisdiction|venue|brought|litigat|forum|submit|proceeding|action", re.IGNORECASE)
_EXCLUSIVE = re.compile(r"non-?exclusive|exclusive|sole", re.IGNORECASE)
_INSTITUTIONS = {
    "American Arbitration Association": "AAA", "AAA": "AAA", "JAMS": "JAMS",
        "International Chamber of Commerce": "ICC", "ICC": "ICC",
    "London Court of International "
    "Arbitration": "LCIA", "LCIA": "LCIA", "Hong Kong International Arbitration Centre": "HKIAC", "HKIAC": "HKIAC",
    "Singapore International Arbitration Centre": "SIAC", "SIAC": "SIAC",
        "China International Economic and Trade Arbitration Commission": "CIETAC",
    "CIETAC": "CIETAC", "UNCITRAL": "UNCITRAL", "Stockholm Chamber of Commerce": "SCC",
    "National Arbitration Forum": "NAF",
}  # fmt: skip
_INSTITUTION = re.compile(
    "(?<![A-Za-z])(?P<name>" + "|".join(map(re.escape, sorted(_INSTITUTIONS, key=len, reverse=True))) + ")(?![A-Za-z])"
)
_SEAT = re.compile(
    r"(?:seat(?:ed)?|place|venue|situs|locale?)(?:[ ](?:and venue))?[ ]of[ ](?:the[ ]"
    r"|any[ ])?arbitration[^.;\n]{0,30}?[ ](?:be|is|in|at)[ \n]{1,2}(?:in[ ]|at[ ])?"
    + _PLACE
    + r"|arbitrat(?:ion|ed)[^.;\n]{0,60}?[ ](?:held|conducted|take place|seated|located)[ ](?:in|at)[ \n]{1,2}"
    + _PLACE.replace("place>", "held>")
)
_ARBITRATION = re.compile(r"(?<![A-Za-z])(?:binding[ ]|final[ ])?arbitration(?![A-Za-z])", re.IGNORECASE)
_ARBITRATION_CUE = re.compile(
    r"(?:submitted to|settled by|resolved by|referred to|determined by|decided by|resolved through"
    r"|by)[ ](?:final[ ])?(?:and[ ])?(?:binding[ ])?$",
    re.IGNORECASE,
)
_ZH_LAW = re.compile(
    r"(?:适用|依照|依据|受|按照|遵守|遵照|遵循)(?:于)?(?P<place>中华人民共和国|中国(?:大陆)?|香港(?:特别行政区)?"
    r"|台湾(?:地区)?|澳门"
    r"|[\u4e00-\u9fff]{2,6}(?:国"
    r"|州))(?:的)?(?:现行|有关|相关)?(?:有效|的)?(?:法律|法规)"
)
_ZH_COURT = re.compile(
    r"(?P<court>(?:[\u4e00-\u9fff]{2,14}?(?:所在地|住所地|签订地|履行地|市|区|县"
    r"|省))?(?:的)?(?:有管辖权的)?(?:[\u4e00-\u9fff]{0,6}?(?:基层"
    r"|中级|高级))?人民法院)"
)
_ZH_ARBITRATION = re.compile(r"(?P<body>[\u4e00-\u9fff]{2,18}?仲裁(?:委员会|院|中心)|仲裁(?:委员会|机构))")
_ZH_CUT = re.compile(r"^.{0,14}?(?:向|由|提交|交由|至|到|提请|依法|申请|可|均)")
_NORMAL_PLACES = {
    "中国": "PRC",
    "中华人民共和国": "PRC",
    "中国大陆": "PRC",
    "China": "PRC",
    "香港": "Hong Kong",
    "香港特别行政区": "Hong Kong",
    "England & Wales": "England and Wales",
    "English": "England",
    "Scottish": "Scotland",
    "Irish": "Ireland",
    "French": "France",
    "Belgian": "Belgium",
    "German": "Germany",
    "Dutch": "Netherlands",
    "Swiss": "Switzerland",
    "Austrian": "Austria",
    "Italian": "Italy",
    "Spanish": "Spain",
    "Portuguese": "Portugal",
    "Swedish": "Sweden",
    "Danish": "Denmark",
    "Norwegian": "Norway",
    "Finnish": "Finland",
    "Polish": "Poland",
    "Israeli": "Israel",
    "Indian": "India",
    "Japanese": "Japan",
    "Korean": "Korea",
    "Chinese": "PRC",
    "Canadian": "Canada",
    "Australian": "Australia",
    "Brazilian": "Brazil",
    "Mexican": "Mexico",
}


def _place(text: str) -> str:
    place = " ".join(text.split()).rstrip(".")
    for cut in (" without", " Without", " The ", " and the", " Any ", " This "):
        place = place.split(cut)[0]
    return _NORMAL_PLACES.get(place, place)


def _sentence(text: str, start: int, end: int) -> str:
    return text[max(0, start - 200) : end + 120]


def find_forum(scan: Scan) -> None:
    """Note governing law, courts and arbitration."""
    text = scan.text
    for pattern in (_LAW, _LAW_NAME, _LAW_GOVERNS):
        for match in pattern.finditer(text):
            weak = "lead" in match.groupdict() and match["lead"] in ("subject to", "under", "enforced")
            confidence, role = (0.5, "") if weak else (0.9, "governing law")
            place: re.Match[str] | None = match
            for _ in range(3):
                if place is not None:
                    scan.add(AnchorKind.LAW, _place(place["place"]), *place.span("place"), confidence, role=role)
                    place = _LAW_TOO.match(text, place.end("place"))
    for match in _COURT.finditer(text):
        around = _sentence(text, *match.span())
        if match["place"][0].isupper() and _COURT_CUE.search(around):
            exclusive = _EXCLUSIVE.search(around)
            detail = {"exclusive": exclusive.group().lower()} if exclusive else {}
            scan.add(
                AnchorKind.COURT,
                f"courts:{_place(match['place'])}",
                *match.span(),
                0.8,
                role="jurisdiction",
                detail=detail,
            )
    for match in _INSTITUTION.finditer(text):
        scan.add(
            AnchorKind.ARBITRATION, f"institution:{_INSTITUTIONS[match['name']]}", *match.span(), 0.9, role="rules"
        )
    for match in _SEAT.finditer(text):
        group = "place" if match["place"] else "held"
        scan.add(
            AnchorKind.ARBITRATION,
            f"seat:{_place(match[group])}",
            match.start(group),
            match.end(group),
            0.8,
            role="seat",
        )
    for match in _ARBITRATION.finditer(text):
        if _ARBITRATION_CUE.search(text, max(0, match.start() - 50), match.start()):
            scan.add(AnchorKind.ARBITRATION, "arbitration", *match.span(), 0.8, role="dispute resolution")
    if scan.has_han:
        _chinese(scan)


def _trimmed(text: str, start: int, end: int) -> int:
    """Where the name itself starts: words such as 提交, 向 before it are dropped."""
    cut = _ZH_CUT.match(text[start:end])
    while cut and start + cut.end() < end - 3:
        start += cut.end()
        cut = _ZH_CUT.match(text[start:end])
    return start


def _chinese(scan: Scan) -> None:
    text = scan.text
    for match in _ZH_LAW.finditer(text):
        scan.add(
            AnchorKind.LAW, _place(match["place"]), match.start("place"), match.end("place"), 0.8, role="governing law"
        )
    for match in _ZH_COURT.finditer(text):
        start = _trimmed(text, *match.span())
        scan.add(AnchorKind.COURT, f"courts:{text[start : match.end()]}", start, match.end(), 0.8, role="jurisdiction")
    for match in _ZH_ARBITRATION.finditer(text):
        start = _trimmed(text, *match.span())
        scan.add(
            AnchorKind.ARBITRATION,
            f"institution:{text[start : match.end()]}",
            start,
            match.end(),
            0.8,
            role="dispute resolution",
        )
