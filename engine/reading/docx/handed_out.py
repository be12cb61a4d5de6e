"""A Word file as it is handed to LibreOffice: its tracked changes in the state that is read, nothing from outside.

LibreOffice shows insertions and deletions side by side and has no switch for it on its command line, so the
changes are carried out in the XML first. What would have it open another file is taken out as well.
Source: ECMA-376 part 1, sections 17.13.5 (revisions), 17.16.5 (fields); part 2 (relationships).
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

from lxml import etree

from engine.document import RevisionView
from engine.reading.docx.names import w
from engine.reading.docx.package import MAX_TOTAL_BYTES, UnreadablePart, parse

_INSERTED = frozenset(map(w, ("ins", "moveTo")))
_DELETED = frozenset(map(w, ("del", "moveFrom")))
_PARAGRAPH, _ROW, _PROPERTIES = w("p"), w("tr"), w("pPr")
_STORY = re.compile(r"word/(?:document|header\d*|footer\d*|footnotes|endnotes)\.xml", re.IGNORECASE)
#: Fields that LibreOffice works out anew: as of today, of this file, or from what stands elsewhere. What Word stored
#: is what Word shows, and what we read. Numbers of pages are left to it.
_WORKED_OUT = re.compile(
    r"\s*(?:REF|PAGEREF|NOTEREF|DATE|TIME|CREATEDATE|SAVEDATE|PRINTDATE|EDITTIME|FILENAME|FILESIZE|AUTHOR|TITLE|SUBJECT"
    r"|KEYWORDS|COMMENTS|LASTSAVEDBY|DOCPROPERTY|DOCVARIABLE|INFO|USER(?:NAME|INITIALS|ADDRESS)|TEMPLATE|REVNUM"
    r"|NUM(?:CHARS|WORDS)|SEQ|IF|COMPARE|MERGEFIELD|ASK|FILLIN|SET|INCLUDE(?:PICTURE|TEXT)?|IMPORT|DDE(?:AUTO)?|LINK"
    r"|DATABASE|RD)\b",
    re.IGNORECASE,
)
_FIELD_MARK, _INSTRUCTION, _SIMPLE_FIELD = w("fldChar"), w("instrText"), w("fldSimple")
#: Kinds of parts that are programs, or files of other programs.
_FOREIGN = frozenset({"aFChunk", "attachedTemplate", "control", "frame", "oleObject", "subDocument", "vbaProject"})


def for_rendering(data: bytes, view: RevisionView) -> bytes:
    """The bytes of a Word file that looks as ``data`` does with its changes in the state ``view``.

    A part that cannot be read is left out.
    """
    stream = io.BytesIO()
    left = MAX_TOTAL_BYTES
    with (
        zipfile.ZipFile(io.BytesIO(data)) as source,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as made,
    ):
        for member in source.infolist():
            left -= member.file_size
            if left < 0:
                break
            try:
                content = _part(member.filename, source.read(member), view)
            except (UnreadablePart, zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError,
                    ValueError, zlib.error):  # fmt: skip
                continue
            made.writestr(member.filename, content)
    return stream.getvalue()


def _part(name: str, content: bytes, view: RevisionView) -> bytes:
    if name.endswith(".rels"):
        return _rewritten(name, content, _without_outside)
    if _STORY.fullmatch(name):
        return _rewritten(name, content, lambda root: _settle(root, view))
    if name.endswith((".xml", ".rels")):
        parse(content, name)  # refuses entities and document types
    return content


def _rewritten(name: str, content: bytes, change: Callable[[Any], None]) -> bytes:
    root = parse(content, name)
    change(root)
    written: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
    return written


def _without_outside(root: Any) -> None:
    for item in list(root.iterchildren("{*}Relationship")):
        kind = item.get("Type", "").rsplit("/", 1)[-1]
        if kind in _FOREIGN or (item.get("TargetMode") == "External" and kind != "hyperlink"):
            root.remove(item)


def _settle(root: Any, view: RevisionView) -> None:
    _keep_results(root)
    if view is RevisionView.BOTH:
        return
    kept, gone = (_INSERTED, _DELETED) if view is RevisionView.ACCEPTED else (_DELETED, _INSERTED)
    # Marks of paragraphs and rows stand in their properties; they go first, before the wrappers of runs do.
    for paragraph in list(root.iter(_PARAGRAPH)):
        if any(paragraph.find(f"{_PROPERTIES}/{w('rPr')}/{name}") is not None for name in gone):
            _join_next(paragraph)
    for row in list(root.iter(_ROW)):
        if any(row.find(f"{w('trPr')}/{name}") is not None for name in gone):
            _remove(row)
    for element in list(root.iter(*gone)):
        _remove(element)
    for element in list(root.iter(*kept)):
        _unwrap(element)
    for deleted in root.iter(w("delText")):
        deleted.tag = w("t")


def _keep_results(root: Any) -> None:
    """Of fields that would be worked out anew only the stored results are left, as plain text."""
    for field in list(root.iter(_SIMPLE_FIELD)):
        if _WORKED_OUT.match(field.get(w("instr"), "")):
            _unwrap(field)
    #: Of each open field: its instruction, and the elements that make it a field.
    opened: list[tuple[list[str], list[Any]]] = []
    closed: list[tuple[list[str], list[Any]]] = []
    for element in root.iter(_FIELD_MARK, _INSTRUCTION):
        if element.tag == _INSTRUCTION:
            if opened:
                opened[-1][0].append(element.text or "")
                opened[-1][1].append(element)
            continue
        if element.get(w("fldCharType")) == "begin":
            opened.append(([], []))
        if opened:
            opened[-1][1].append(element)
            if element.get(w("fldCharType")) == "end":
                closed.append(opened.pop())
    for instruction, elements in closed:
        if _WORKED_OUT.match("".join(instruction)):
            for element in elements:
                _remove(element)


def _remove(element: Any) -> None:
    if element.getparent() is not None:
        element.getparent().remove(element)


def _join_next(paragraph: Any) -> None:
    """A paragraph whose mark is gone runs on into the next one, whose look it takes."""
    following = paragraph.getnext()
    parent = paragraph.getparent()
    if following is None or following.tag != _PARAGRAPH or parent is None:
        return
    if paragraph.find(f"{_PROPERTIES}/{w('sectPr')}") is not None:
        return
    at = 1 if following.find(_PROPERTIES) is not None else 0
    for child in [each for each in paragraph if each.tag != _PROPERTIES]:
        following.insert(at, child)
        at += 1
    parent.remove(paragraph)


def _unwrap(element: Any) -> None:
    """Put an element's children in its place. A mark in properties has none and falls away."""
    parent = element.getparent()
    if parent is None:
        return
    at = parent.index(element)
    for child in list(element):
        parent.insert(at, child)
        at += 1
    parent.remove(element)
