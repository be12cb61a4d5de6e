"""A copy of a DOCX with Word's own comments on the passages.

The copy is made through python-docx, which keeps every part that it does not know. A passage is found in the
XML by its letters: the document's words without white space are laid along the canonical text, so that automatic
numbers, symbols and line breaks, which stand in one of the two only, do no harm.
"""

from __future__ import annotations

import bisect
import copy
import io
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import docx
from docx.oxml.ns import qn
from docx.oxml.parser import OxmlElement

from engine.export.errors import ExportError
from engine.export.notes import AUTHOR, note_text, passages_of
from engine.protocol.handover import Mark, MarkedPassage
from engine.protocol.messages import FaultCode

_TEXT, _PARAGRAPH, _RUN = qn("w:t"), qn("w:p"), qn("w:r")
#: Not shown in a document whose revisions are accepted, not words, or a second form of the same words.
_COMPATIBILITY = "http://schemas.openxmlformats.org/markup-compatibility/2006"
_UNSEEN = frozenset({qn("w:del"), qn("w:moveFrom"), qn("w:txbxContent"), f"{{{_COMPATIBILITY}}}Fallback"})
#: A paragraph's letters are looked for this far ahead before anywhere else.
_AHEAD = 4000
#: Shorter paragraphs are not looked for far away: they stand in too many places.
_TELLING = 20
#: So much of a passage's letters must have been found in the file.
_ENOUGH = 0.8


def mark_docx(
    data: bytes, name: str, text: str, document: str, marks: tuple[Mark, ...], target: Path
) -> Sequence[str]:
    """Write a commented copy of the DOCX ``data``, a file called ``name``, to ``target``.

    ``text`` is the document's canonical text.

    Returns:
        Labels of the passages that could not be found in the file's body (a footnote, a text box) and have no comment.

    Raises:
        ExportError: the file is no DOCX any more.
        OSError: ``target`` cannot be written.
    """
    try:
        file: Any = docx.Document(io.BytesIO(data))
    except (KeyError, ValueError, zipfile.BadZipFile) as error:
        raise ExportError(
            FaultCode.UNREADABLE_FILE, "“{name}” cannot be opened as a Word file any more.", name=name
        ) from error
    letters = _Letters(text)
    for paragraph in _paragraphs(file.element.body):
        letters.lay(_texts_of(paragraph))
    lost = []
    for mark, passage in passages_of(marks, document):
        runs = letters.cut_out(passage.start, passage.end)
        if runs is None:
            lost.append(passage.label)
        else:
            _comment(file, *runs, mark, passage)
    draft = target.with_name(target.name + ".new")
    try:
        file.save(str(draft))
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
    return sorted(lost)


def _paragraphs(body: Any) -> Iterator[Any]:
    for paragraph in body.iter(_PARAGRAPH):
        if not any(parent.tag in _UNSEEN for parent in paragraph.iterancestors()):
            yield paragraph


def _texts_of(paragraph: Any) -> list[Any]:
    """The ``w:t`` elements that a reader sees, in order, without those of paragraphs inside (text boxes)."""
    out: list[Any] = []

    def walk(element: Any) -> None:
        for child in element:
            if child.tag == _TEXT:
                out.append(child)
            elif child.tag not in _UNSEEN and child.tag != _PARAGRAPH:
                walk(child)

    walk(paragraph)
    return out


class _Letters:
    """The canonical text's letters, each with its place in the XML once that is known."""

    def __init__(self, text: str) -> None:
        kept = [(i, c) for i, c in enumerate(text) if not c.isspace()]
        self._offsets = [i for i, _ in kept]
        self._string = "".join(c for _, c in kept)
        self._places: dict[int, tuple[Any, int]] = {}
        self._numbers: dict[Any, list[int]] = {}
        self._cursor = 0

    def lay(self, texts: list[Any]) -> None:
        """Find a paragraph's letters and keep where each stands."""
        places = [(t, i) for t in texts for i, c in enumerate(t.text or "") if not c.isspace()]
        if not places:
            return
        word = "".join(t.text[i] for t, i in places)
        at = self._string.find(word, self._cursor, self._cursor + len(word) + _AHEAD)
        if at < 0 and len(word) >= _TELLING:
            at = self._string.find(word)
        if at >= 0:
            self._keep(at, places)
            self._cursor = max(self._cursor, at + len(word))
        else:
            self._lay_in_pieces(texts)

    def _lay_in_pieces(self, texts: list[Any]) -> None:
        """A paragraph that holds something the text does not (or the other way round): run by run."""
        for text in texts:
            places = [(text, i) for i, c in enumerate(text.text or "") if not c.isspace()]
            word = "".join(text.text[i] for _, i in places)
            at = self._string.find(word, self._cursor, self._cursor + len(word) + _AHEAD) if word else -1
            if at >= 0:
                self._keep(at, places)
                self._cursor = at + len(word)

    def _keep(self, at: int, places: list[tuple[Any, int]]) -> None:
        for number, place in enumerate(places, at):
            if number not in self._places:
                self._places[number] = place
                self._numbers.setdefault(place[0], []).append(number)

    def cut_out(self, start: int, end: int) -> tuple[Any, Any] | None:
        """The first and the last run of a span, cut so that they hold nothing else; None when it is not found."""
        first, last = bisect.bisect_left(self._offsets, start), bisect.bisect_left(self._offsets, end)
        known = [i for i in range(first, last) if i in self._places]
        if not known or len(known) < _ENOUGH * (last - first):
            return None
        text, index = self._places[known[-1]]
        self._cut(text, index + 1)
        self._cut(*self._places[known[0]])
        return _run_of(self._places[known[0]][0]), _run_of(self._places[known[-1]][0])

    def _cut(self, text: Any, index: int) -> None:
        """Move what follows ``index`` letters of ``text`` in its run to a new run behind it."""
        run = _run_of(text)
        behind = list(text.itersiblings())
        before = any(e.tag != qn("w:rPr") for e in text.itersiblings(preceding=True))
        if (index == 0 and not before) or (index >= len(text.text) and not behind):
            return
        new = OxmlElement("w:r")
        look = run.find(qn("w:rPr"))
        if look is not None:
            new.append(copy.deepcopy(look))
        if index == 0:
            new.append(text)
        elif index < len(text.text):
            rest = OxmlElement("w:t")
            _set_text(rest, text.text[index:])
            new.append(rest)
            self._move(text, index, rest)
            _set_text(text, text.text[:index])
        for element in behind:
            new.append(element)
        run.addnext(new)

    def _move(self, text: Any, index: int, rest: Any) -> None:
        """Letters from ``index`` on stand in ``rest`` now."""
        numbers = self._numbers.pop(text, [])
        self._numbers[text] = [n for n in numbers if self._places[n][1] < index]
        self._numbers[rest] = [n for n in numbers if self._places[n][1] >= index]
        for n in self._numbers[rest]:
            self._places[n] = (rest, self._places[n][1] - index)


def _comment(file: Any, first_run: Any, last_run: Any, mark: Mark, passage: MarkedPassage) -> None:
    comment = file.comments.add_comment(text=note_text(mark, passage), author=AUTHOR, initials="A")
    number = str(comment.comment_id)
    start, end = OxmlElement("w:commentRangeStart"), OxmlElement("w:commentRangeEnd")
    start.set(qn("w:id"), number)
    end.set(qn("w:id"), number)
    reference, sign = OxmlElement("w:r"), OxmlElement("w:commentReference")
    sign.set(qn("w:id"), number)
    reference.append(sign)
    first_run.addprevious(start)
    last_run.addnext(reference)
    last_run.addnext(end)


def _run_of(text: Any) -> Any:
    return next(parent for parent in text.iterancestors() if parent.tag == _RUN)


def _set_text(element: Any, words: str) -> None:
    element.text = words
    element.set(qn("xml:space"), "preserve")
