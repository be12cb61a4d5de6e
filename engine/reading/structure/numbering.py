"""From a label and its place to a node with its number as displayed and as a path."""

from __future__ import annotations

from engine.document import ClauseKind
from engine.reading.structure.labels import Label, Reading
from engine.reading.structure.tree import Node

_DIVISIONS = ("article", "part", "chapter", "第章", "第编", "第篇", "第部分")
_TOP_STYLES = ("1.", "1、", "一、", "I.", "1", "n.0")
_OPENERS = ("(", "（", "[", "［", "【")
_ENCLOSED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳⑴⑵⑶⑷⑸⑹⑺⑻⑼⑽㈠㈡㈢㈣㈤㈥㈦㈧㈨㈩"


def numbered_node(
    text: str, start: int, label: Label, reading: Reading, parent: Node | None, scope: Node | None
) -> Node:
    """A clause that begins at ``start`` with ``label``, under ``parent``, inside the numbering of ``scope``."""
    node = Node(_kind(label, reading, parent), start, parent, reading.style, reading.value)
    printed = text[label.start : label.end].strip()
    node.label = printed if label.kind == "single" else printed.rstrip(".:：、．") or label.number
    numberless = parent is None or parent is scope or not parent.path
    node.absolute = label.kind in ("decimal", "word") or numberless
    node.path, node.number = _path_and_number(label, reading, parent, node.label, scope)
    return node


def _kind(label: Label, reading: Reading, parent: Node | None) -> ClauseKind:
    if reading.style in _DIVISIONS:
        return ClauseKind.ARTICLE
    if label.kind in ("word", "decimal"):
        return ClauseKind.CLAUSE
    if reading.style not in _TOP_STYLES:
        return ClauseKind.ITEM
    below = parent is not None and (
        parent.kind in (ClauseKind.ITEM, ClauseKind.DEFINITION)
        or (parent.kind is ClauseKind.CLAUSE and bool(parent.path) and parent.style != "一、")
    )
    return ClauseKind.ITEM if below else ClauseKind.CLAUSE


def _path_and_number(
    label: Label, reading: Reading, parent: Node | None, printed: str, scope: Node | None
) -> tuple[tuple[int | str, ...], str]:
    """The number as a path and as displayed with its ancestors."""
    tail = tuple(int(part) if part.isdigit() else part.lower() for part in label.tail)
    tail_text = "".join(f"({part})" for part in label.tail)
    base: tuple[int | str, ...] = scope.path if scope is not None else ()
    base_text = f"{scope.number}, " if scope is not None and scope.number else ""
    bare = printed.rstrip(".．、:：").removesuffix(tail_text) if tail_text else printed.rstrip(".．、:：")
    if label.kind in ("decimal", "word"):
        shown = label.number
        if label.kind == "word" and reading.style in ("article", "part", "chapter"):
            shown = f"{reading.style.capitalize()} {label.number}"
        return base + reading.path + tail, base_text + shown + tail_text
    while parent is not None and parent is not scope and parent.kind is ClauseKind.PARAGRAPH and not parent.path:
        parent = parent.parent  # a list below a paragraph without a number counts under the clause around it
    if parent is not None and parent.kind is ClauseKind.DEFINITION and not parent.path and parent.heading:
        return _path_in_definition(reading, parent, bare, scope)
    if parent is None or parent is scope or not parent.path:
        enclosed = printed.startswith(_OPENERS) and not label.number.isdigit()
        return base + reading.path + tail, base_text + (bare if enclosed else label.number) + tail_text
    if bare.endswith(")") and not bare.startswith("("):
        bare = f"({bare}"
    elif not bare.startswith(_OPENERS) and bare[:1] not in _ENCLOSED:
        bare = (
            f"、{bare}"
            if parent.style == "一、"
            else f".{bare}"
            if parent.number[-1:].isascii() and parent.number[-1:].isalnum()
            else bare
        )
    return parent.path + reading.path + tail, parent.number + bare + tail_text


def _path_in_definition(
    reading: Reading, definition: Node, bare: str, scope: Node | None
) -> tuple[tuple[int | str, ...], str]:
    """An item inside a definition without a number is told by the term: ``“Affiliate” (i)``."""
    around = definition.parent
    while around is not None and not around.path:
        around = around.parent
    base = around.path if around is not None else scope.path if scope is not None else ()
    return (*base, definition.heading.lower(), *reading.path), f"“{definition.heading}” {bare}"
