"""What the names and first lines of a matter's documents suggest about their roles. A person decides."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import NamedTuple

from engine.matter.records import DocumentRole


class Described(NamedTuple):
    """A document as its role is guessed: id, file name, language (``en``, ``zh``), and its first line."""

    id: str
    name: str
    language: str
    title: str = ""


_KINDS = (
    # "Amended and Restated Agreement" is a whole agreement, not a change to one.
    (DocumentRole.AMENDMENT, re.compile(
        r"\b(?:amendment|addendum|variation|modification|supplement(?:al|ary)?\s+agreement|amending)\b"
        r"|补充协议|补充合同|变更协议|修订协议|修正案", re.IGNORECASE)),
    (DocumentRole.ORDER, re.compile(
        r"\b(?:order\s?form|purchase order|work order|statement of work|sow|call-?off|po\s?\d+)\b"
        r"|订单|采购单|工作说明书|工作任务书", re.IGNORECASE)),
    (DocumentRole.ANNEX, re.compile(
        r"^\W*(?:exhibit|annex|schedule|appendix|attachment)\b|^\W*(?:附件|附录|附表)", re.IGNORECASE)),
)  # fmt: skip
#: Words of a file's name that say which version it is, not which contract. The number is the version.
_NUMBERED = re.compile(
    r"\b(?:v|ver|version|rev|revision|draft|第)\s?(\d+(?:\.\d+)*)(?:版|稿)?\b|\((\d+)\)", re.IGNORECASE
)
_EARLIER = re.compile(r"\b(?:old|previous|prior|superseded|original|first draft)\b|旧版?|原版|原稿|初稿", re.IGNORECASE)
_LATER = re.compile(
    r"\b(?:final|execution|executed|signed|clean|new|latest|current)\b|终稿|定稿|签署版|新版?|最新版?", re.IGNORECASE
)
_NEITHER = re.compile(
    r"\b(?:copy|redlines?|compared?|marked|track(?:ed)?|draft|v|version)\b|版本?|修订稿|草稿", re.IGNORECASE
)
_DATE = re.compile(r"(?<!\d)(20\d\d)[-._]?(\d\d)[-._]?(\d\d)(?!\d)")
_LANGUAGE = re.compile(
    r"\b(?:en|eng|english|zh|cn|chs|chn|chinese|translation|bilingual)\b|中英文?|中文版?|英文版?|译文|译本",
    re.IGNORECASE,
)
_FINAL, _FIRST = (1_000_000.0,), (-1.0,)


def proposals(documents: Sequence[Described]) -> dict[str, DocumentRole]:
    """A role for each document that gives a hint; the first one without any is the master, the others stay open."""
    found: dict[str, DocumentRole] = {}
    for document in documents:
        role = _by_words(document)
        if role is not None:
            found[document.id] = role
    found |= dict.fromkeys(_earlier_versions(documents), DocumentRole.EARLIER_VERSION)
    found |= {each: DocumentRole.TRANSLATION for each in _translations(documents) if each not in found}
    master = next((document.id for document in documents if document.id not in found), None)
    if master is not None:
        found[master] = DocumentRole.MASTER
    return found


def _by_words(document: Described) -> DocumentRole | None:
    for words in (_readable(document.name), document.title[:120]):
        for role, pattern in _KINDS:
            if pattern.search(words):
                return role
    return None


def _readable(name: str) -> str:
    """A file's name in words: without ending and joining signs."""
    stem = unicodedata.normalize("NFKC", PurePath(name).stem)
    return " ".join(re.sub(r"(?<=[a-z])(?=[A-Z])|[_\-–—+]", " ", stem).split())


def _version(name: str) -> tuple[str, tuple[float, ...]]:
    """What contract a name names, and which version of it, as numbers that can be put in order."""
    date = _DATE.search(PurePath(name).stem)
    words = _readable(_DATE.sub(" ", PurePath(name).stem))
    numbered = _NUMBERED.search(words)
    order: tuple[float, ...] = (1.0,)
    if _EARLIER.search(words):
        order = _FIRST
    elif numbered:
        order = tuple(float(part) for part in (numbered[1] or numbered[2]).split("."))
    elif _LATER.search(words):
        order = _FINAL
    if date:
        order = (*order, float("".join(date.groups())))
    for pattern in (_NUMBERED, _EARLIER, _LATER, _NEITHER):
        words = pattern.sub(" ", words)
    return "".join(c for c in words.lower() if c.isalnum()), order


def _earlier_versions(documents: Iterable[Described]) -> list[str]:
    """Documents of whose contract another one is the later version, by their names."""
    groups: dict[tuple[str, str], list[tuple[tuple[float, ...], str]]] = defaultdict(list)
    for document in documents:
        name, order = _version(document.name)
        if name:
            groups[name, document.language].append((order, document.id))
    return [each for group in groups.values() for order, each in group if order < max(group)[0]]


def _translations(documents: Sequence[Described]) -> list[str]:
    """Documents whose name is that of one before them but for the language, and whose language is another."""
    seen: dict[str, str] = {}
    out = []
    for document in documents:
        name, _ = _version(_LANGUAGE.sub(" ", _readable(document.name)) + ".x")
        first = seen.setdefault(name, document.language)
        if name and first != document.language:
            out.append(document.id)
    return out
