"""Blind labelling: what other people said is not shown to somebody who has not finished."""

from __future__ import annotations

from engine.matter.matter import Matter
from engine.matter.records import Assignment, Link

_SETTING = "blind"


def is_blind(matter: Matter) -> bool:
    """Whether the matter is labelled blind."""
    return matter.setting(_SETTING) == "1"


def set_blind(matter: Matter, blind: bool) -> None:
    """Label blind from now on, or not."""
    matter.set_setting(_SETTING, "1" if blind else "")


def open_documents(assignments: tuple[Assignment, ...], annotator: str) -> set[str]:
    """The documents that an annotator has been given and not finished."""
    return {each.document for each in assignments if each.annotator == annotator and each.state != "done"}


def visible_links(matter: Matter) -> tuple[Link, ...]:
    """The links that the current annotator may see, oldest first.

    In a blind matter other people's links with an end in a document that she has been given and not finished are
    left out; somebody without assignments (an adjudicator) sees everything.
    """
    links = matter.links()
    if not is_blind(matter):
        return links
    who = matter.annotator().id
    hidden = open_documents(matter.assignments(), who)
    if not hidden:
        return links
    return tuple(
        link for link in links if link.annotator == who or hidden.isdisjoint(end.document for end in link.ends)
    )
