"""Where notices go, and to whom: addresses, e-mail addresses, persons named for attention."""

from __future__ import annotations

import re

from engine.anchors.model import AnchorKind
from engine.anchors.scan import Scan

_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,4}(?![\w-])")
_STREET = re.compile(
    r"(?<![\d.])\d{1,6}[A-Z]?[ ](?:[A-Z][\w.’'-]{0,24}[ ]){1,5}(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Drive"
    r"|Dr|Lane|Ln|Way|Parkway|Pkwy|Plaza|Place|Court|Highway|Circle|Square)\b\.?"
    r"(?:,?[ \n]{1,3}(?:Suite|Floor|Room|Unit)[ ][\w-]{1,8})?"
)
_ATTENTION = re.compile(
    r"(?:Attention|Attn\.?|ATTENTION|Attn)[ ]?:[ ]{0,4}(?P<who>[A-Z][\w.’'-]{0,24}(?:[ "
    r",]{1,2}[A-Z][\w.’'-]{0,24}){0,5})"
)
_ZH_ADDRESS = re.compile(
    r"(?:地址|住所|住址|通讯地址|送达地址)[ ]{0,2}[:：][ ]{0,3}(?P<address>[\u4e00-\u9fffA-Za-z0-9（）()#-]{4,60})"
)
_ZH_PERSON = re.compile(
    r"(?:法定代表人|联系人|负责人|委托代理人|代理人|收件人)[ ]{0,2}[:：][ "
    r"]{0,3}(?P<who>[\u4e00-\u9fff·]{2,8})(?![\u4e00-\u9fff])"
)


def find_contacts(scan: Scan) -> None:
    """Note addresses and persons."""
    text = scan.text
    for match in _EMAIL.finditer(text):
        scan.add(AnchorKind.ADDRESS, match.group().lower(), *match.span(), 0.95, role="email")
    for match in _STREET.finditer(text):
        scan.add(AnchorKind.ADDRESS, " ".join(match.group().split()), *match.span(), 0.7, role="street")
    for match in _ATTENTION.finditer(text):
        scan.add(AnchorKind.PERSON, match["who"], match.start("who"), match.end("who"), 0.7, role="attention")
    if scan.has_han:
        for match in _ZH_ADDRESS.finditer(text):
            scan.add(
                AnchorKind.ADDRESS, match["address"], match.start("address"), match.end("address"), 0.8, role="street"
            )
        for match in _ZH_PERSON.finditer(text):
            scan.add(AnchorKind.PERSON, match["who"], match.start("who"), match.end("who"), 0.8, role="representative")
