"""Passages that hold each for a case of its own: a case and its denial, the instalments of one price."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

from engine.anchors.model import AnchorKind
from engine.conflicts.units import Unit

#: "non-residential", 非居住: what a case denies is the word behind.
_DENIED = re.compile(
    r"\bnon-?(?P<en>[a-z]{4,})|(?<!除)非(?P<zh>[\u4e00-\u9fff]{2,4})(?=的|，|用|者|时|期)", re.IGNORECASE
)

_PAYS = re.compile(r"\b(?:pay|pays|payable|paid|due|invoiced?)\b|支付|付款|付清|给付|缴纳", re.IGNORECASE)
_WHEN = re.compile(
    r"\b(?:upon|after|following|on (?:the )?(?:date|signing|delivery|completion|acceptance)|at (?:signing|closing)|"
    r"when|before|prior to)\b[^,;.]*|[^，；。]{2,30}?(?:后|时|前|之日)",
    re.IGNORECASE,
)


def opposed_cases(a: Unit, b: Unit) -> bool:
    """Whether one holds in a case and the other where it is denied: 租赁用途为居住的 and 租赁用途为非居住的."""
    first, second = (unit.text[slice(*unit.norm.condition)] for unit in (a, b))
    return _denies(first, second) or _denies(second, first)


def _denies(denial: str, case: str) -> bool:
    if not case or _DENIED.search(case):
        return False
    words = [match["en"] or match["zh"] for match in _DENIED.finditer(denial)]
    return any(word.lower() in case.lower() for word in words)


def _shares(unit: Unit) -> list[Decimal]:
    """The percentages that a passage gives."""
    found = []
    for anchor in unit.anchors:
        if anchor.kind is AnchorKind.PERCENT:
            try:
                found.append(Decimal(anchor.value.rstrip("%")))
            except InvalidOperation:
                continue
    return found


def instalments(a: Unit, b: Unit) -> bool:
    """Whether two items of one list each say when a part of one price is paid, and the parts are no more than all."""
    first, second = a.first.clause, b.first.clause
    if first is None or second is None or a.first.document != b.first.document:
        return False
    items = first is second or (first.parent == second.parent and bool(first.parent))
    when = [_WHEN.search(unit.text) for unit in (a, b)]
    if not items or when[0] is None or when[1] is None or when[0].group() == when[1].group():
        return False
    shares = [_shares(unit) for unit in (a, b)]
    pays = all(_PAYS.search(unit.text) for unit in (a, b))
    return pays and all(len(own) == 1 for own in shares) and shares[0][0] + shares[1][0] <= 100
