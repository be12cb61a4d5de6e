"""Cross-references: to clauses, items, schedules, of this document, of another one, of a statute.

Values: ``clause:12.4(c)``; a range ``clause:12-16``; ``this:section``; ``this:agreement`` (hereof); ``schedule:A``,
``exhibit:B``, ``annex:2``, ``attachment:1``; ``external:Companies Act 44(1)``; ``other:…`` for thereof and "of the
Master Agreement". ``detail["form"]`` is ``section``, ``item``, ``this``, ``attachment``, ``external`` or ``other``;
``title`` holds a title given with the number: "Section 12 (Confidentiality)".
"""

from __future__ import annotations

from engine.anchors.chinese_references import find_chinese_references
from engine.anchors.model import AnchorKind
from engine.anchors.reference_grammar import (
    ATTACHMENTS,
    HERE,
    THIS,
    TITLE,
    WORD,
    Element,
    elements_at,
    keyword_kind,
    parent_of,
    target_of,
)
from engine.anchors.scan import Scan


def find_references(scan: Scan) -> None:
    """Note every cross-reference of the text."""
    text = scan.text
    resume = 0
    for match in WORD.finditer(text):
        if match.start() < resume:
            continue
        word = match["word"] or match["sign"]
        resume = max(resume, _one_keyword(scan, match.start(), match.end(), word))
    for match in HERE.finditer(text):
        word = match["word"].lower()
        own = word.startswith("here")
        value = "this:agreement" if own else "other:" + word
        scan.add(
            AnchorKind.REFERENCE, value, *match.span(), 0.9, detail={"form": "this" if own else "other", "word": word}
        )
    if scan.has_han:
        find_chinese_references(scan)


def _is_keyword(start: int, word: str, kind: str, elements: list[Element]) -> bool:
    """Whether this is a reference and not the word in its everyday sense ("items 3", "part 2 of")."""
    if kind not in ("item", "part"):
        return True
    return bool(elements) and (word[0].isupper() or elements[0].label.startswith("(")) and start > 0


def _one_keyword(scan: Scan, start: int, end: int, word: str) -> int:
    """Note the references after the keyword at ``[start, end)``; the offset up to which text is used."""
    text = scan.text
    kind = keyword_kind(word)
    own = THIS.search(text, max(0, start - 14), start)
    plural = word.lower().endswith("s") or word == "§§"
    elements = elements_at(text, end, kind, plural)
    if not elements:
        if own and kind not in ("item", "part", "addendum"):
            scan.add(
                AnchorKind.REFERENCE, f"this:{kind}", own.start(), end, detail={"form": "this", "word": word.lower()}
            )
        return end
    if not _is_keyword(start, word, kind, elements):
        return end
    used = elements[-1].end
    if kind in ATTACHMENTS and len(elements) == 1 and _alone_on_its_line(text, start, used):
        return used
    parent = parent_of(text, used)
    elements = _under_the_same_number(elements)
    whose, name = target_of(text, start, parent.end if parent else used)
    for i, element in enumerate(elements):
        label = element.label
        if parent is not None and label.startswith("("):
            label = parent.label + label
        first = start if i == 0 else element.start
        if own and i == 0:
            first = own.start()
        last = parent.end if parent is not None and i == len(elements) - 1 else element.end
        _add(scan, kind, label, element, first, last, whose, name, bool(own))
    for value in scan.values_between(start, used):
        scan.claimed.add(value)
    return parent.end if parent else used


def _alone_on_its_line(text: str, start: int, end: int) -> bool:
    """Whether "EXHIBIT 10.1" is the whole line: the label of what follows, not a reference to it."""
    return not text[max(0, text.rfind("\n", max(0, start - 12), start) + 1) : start].strip() and (
        text[end : end + 12].partition("\n")[0].strip() == ""
        and (end == len(text) or "\n" in text[end : end + 12])
        and (start == 0 or "\n" in text[max(0, start - 12) : start])
    )


def _under_the_same_number(elements: list[Element]) -> list[Element]:
    """``2.2(iii) or (iv)``: an item without a number of its own belongs to the number before it."""
    out: list[Element] = []
    for element in elements:
        before = out[-1].label if out else ""
        if element.label.startswith("(") and not before.startswith("(") and before.endswith(")") and not element.to:
            # As many brackets are replaced as the item brings: 5(a)(i) and (ii) is 5(a)(ii).
            stem = before
            for _ in range(element.label.count("(")):
                stem = stem[: stem.rindex("(")] if "(" in stem else stem
            out.append(element._replace(label=stem + element.label))
        else:
            out.append(element)
    return out


def _add(
    scan: Scan, kind: str, label: str, element: Element, start: int, end: int, whose: str, name: str, own: bool
) -> None:
    detail = {"word": kind, "number": label}
    if element.to:
        detail |= {"from": label, "to": element.to}
    title = TITLE.match(scan.text, end)
    if title:
        words = next(group for group in (title["title"], title["quoted"], title["square"]) if group)
        detail["title"] = words.strip('"“” .')
    shown = f"{label}-{element.to}" if element.to else label
    if kind in ATTACHMENTS:
        value, detail["form"] = f"{kind}:{shown.upper()}", "attachment"
    else:
        value, detail["form"] = f"clause:{shown}", "item" if label.startswith("(") else "section"
    if own:
        detail["own"] = "yes"
    if whose in ("external", "other"):
        value, detail["form"], detail["document"] = f"{whose}:{name} {shown}", whose, name
    bound = "range" if element.to else "exact"
    scan.add(AnchorKind.REFERENCE, value, start, end, bound=bound, detail=detail)
