"""Fields that span runs and paragraphs: what is shown of them.

Source: ECMA-376 part 1, section 17.16 (fields).
"""

from __future__ import annotations

import dataclasses
from typing import Any

from engine.reading.docx.names import VAL, w
from engine.reading.docx.references import bookmark_of
from engine.reading.docx.styles import is_on
from engine.reading.layout.pages import PAGE_COUNT, PAGE_NUMBER

MAX_DEPTH = 64


@dataclasses.dataclass(slots=True)
class _Open:
    instruction: str = ""
    in_result: bool = False


def stands_for(instruction: str) -> str:
    """What a field shows in a header whatever its stored result: the page's number, the page count, or ""."""
    name = instruction.split(None, 1)[0].upper() if instruction.strip() else ""
    return {"PAGE": PAGE_NUMBER, "NUMPAGES": PAGE_COUNT, "SECTIONPAGES": PAGE_COUNT}.get(name, "")


class FieldStack:
    """The fields that are open at a place; one per story, because a field may end paragraphs later."""

    def __init__(self, *, live_pages: bool) -> None:
        """``live_pages``: page number fields are shown as placeholders, not by their stored results."""
        self._open: list[_Open] = []
        self.live_pages = live_pages

    @property
    def hidden(self) -> bool:
        """Whether text at this place is an instruction, or a result that a placeholder replaced."""
        return any(
            not field.in_result or (self.live_pages and stands_for(field.instruction) != "") for field in self._open
        )

    @property
    def bookmark(self) -> str:
        """The bookmark whose words the innermost open field shows at this place, "" for none."""
        shown = self._open[-1] if self._open else None
        return bookmark_of(shown.instruction) if shown is not None and shown.in_result else ""

    def instruct(self, text: str) -> None:
        """Part of the innermost field's instruction."""
        if self._open and not self._open[-1].in_result and len(self._open[-1].instruction) < 4096:
            self._open[-1].instruction += text

    def mark(self, element: Any) -> str:
        """A ``fldChar``; answers the text that is to be shown for it, mostly none.

        What a form field shows is answered at its begin, before its instruction hides what follows.
        """
        sort = element.get(w("fldCharType"))
        if sort == "begin":
            shown = "" if self.hidden else _form_value(element)
            if len(self._open) < MAX_DEPTH:
                self._open.append(_Open())
            return shown
        if not self._open:
            return ""
        if sort == "separate":
            self._open[-1].in_result = True
            return ""
        if sort == "end":
            field = self._open.pop()
            return stands_for(field.instruction) if self.live_pages and not self.hidden else ""
        return ""


def _form_value(element: Any) -> str:
    """What a form field shows that has no result of its own: a check box's sign, a list's chosen entry."""
    data = element.find(w("ffData"))
    if data is None:
        return ""
    choices = data.find(w("ddList"))
    if choices is not None:
        entries = [entry.get(VAL, "") for entry in choices.iterchildren(w("listEntry"))]
        result = choices.find(w("result"))
        chosen = result.get(VAL, "") if result is not None else "0"
        return entries[int(chosen)] if chosen.isdecimal() and int(chosen) < len(entries) else ""
    box = data.find(w("checkBox"))
    if box is None:
        return ""
    state = box.find(w("checked"))
    if state is None:
        state = box.find(w("default"))
    return "☒" if state is not None and is_on(state) and state.get(VAL, "1") != "0" else "☐"
