"""What is handed over: marks to put into a copy of a contract, and the report about a review.

All words come from the window, in its language; export only sets them. Spans are code points of the canonical
text, quads PDF points on the page as displayed.
"""

from __future__ import annotations

import enum

import msgspec


class Form(enum.StrEnum):
    """What kind of file is made."""

    PDF = "pdf"
    DOCX = "docx"


class MarkedPassage(msgspec.Struct, frozen=True):
    """A passage of a finding. ``label`` names it in notes (``3a``), ``place`` is in words ("Section 4.1, p. 2").

    ``quads`` are ``(page, x0, y0, x1, y1)``, empty for a passage of another document than the one that is marked.
    """

    label: str
    document: str
    place: str
    start: int
    end: int
    text: str
    quads: tuple[tuple[int, float, float, float, float], ...] = ()


class Mark(msgspec.Struct, frozen=True):
    """A finding as it stands in a marked copy: ``heading`` and ``body`` open its notes. ``quiet``: drawn in grey."""

    finding: str
    heading: str
    body: str
    passages: tuple[MarkedPassage, ...]
    quiet: bool = False


class ReportFinding(msgspec.Struct, frozen=True):
    """A row of the report with its details; ``facts`` are name and value in words (score, decision, reason, note)."""

    number: str
    heading: str
    severity: str
    verdict: str
    summary: str
    facts: tuple[tuple[str, str], ...]
    passages: tuple[MarkedPassage, ...]


class Report(msgspec.Struct, frozen=True):
    """A review as a document: a title, paragraphs of summary, tables of facts, the findings.

    ``table_heads`` are the headings of the table of findings (number, severity, kind, summary, decision);
    ``findings_title`` stands over the details; ``language`` is ``en`` or ``zh``.
    """

    title: str
    language: str
    summary: tuple[str, ...]
    tables: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    table_title: str
    table_heads: tuple[str, str, str, str, str]
    findings_title: str
    findings: tuple[ReportFinding, ...]
    closing: str = ""
