"""The report as a Word file: summary, facts, table of findings, details. Real headings and tables, A4."""

from __future__ import annotations

import io
from typing import Any

import docx
from docx.oxml.ns import qn
from docx.oxml.parser import OxmlElement
from docx.shared import Pt, RGBColor

from engine.protocol.handover import MarkedPassage, Report, ReportFinding

_GREY = RGBColor(0x55, 0x55, 0x55)
#: Shares of the table of findings: number, severity, kind, summary, decision.
_FACT_WIDTHS_PT = (130.0, 322.0)
_WIDTHS_PT = (34.0, 56.0, 96.0, 190.0, 76.0)


def report_docx(report: Report) -> bytes:
    """The file's bytes."""
    file: Any = docx.Document()
    _prepare(file, report.language)
    file.add_heading(_clean(report.title), 0)
    for sentence in report.summary:
        file.add_paragraph(_clean(sentence))
    for title, rows in report.tables:
        file.add_heading(_clean(title), 1)
        table = file.add_table(0, 2)
        table.style = "Table Grid"
        for name, value in rows:
            cells = table.add_row().cells
            _say(cells[0], name, bold=True)
            _say(cells[1], value)
        _set_widths(table, _FACT_WIDTHS_PT)
    file.add_heading(_clean(report.table_title), 1)
    _table_of_findings(file, report)
    file.add_heading(_clean(report.findings_title), 1)
    for finding in report.findings:
        _finding(file, finding)
    if report.closing:
        file.add_paragraph(_clean(report.closing))
    out = io.BytesIO()
    file.save(out)
    return out.getvalue()


def _prepare(file: Any, language: str) -> None:
    file.core_properties.author = "Antinomy"
    for section in file.sections:
        section.page_width, section.page_height = Pt(595.3), Pt(841.9)
        section.left_margin = section.right_margin = Pt(68)
    style = file.styles["Normal"]
    style.font.size = Pt(10)
    # Word takes Chinese letters from another slot than Latin ones.
    for name in ("Normal", "Title", "Heading 1", "Heading 2"):
        fonts = file.styles[name].element.get_or_add_rPr().get_or_add_rFonts()
        fonts.set(qn("w:eastAsia"), "SimSun" if name == "Normal" else "SimHei")
    if language == "zh":
        tag = OxmlElement("w:lang")
        tag.set(qn("w:eastAsia"), "zh-CN")
        style.element.get_or_add_rPr().append(tag)


def _table_of_findings(file: Any, report: Report) -> None:
    table = file.add_table(1, len(report.table_heads))
    table.style = "Table Grid"
    for cell, words in zip(table.rows[0].cells, report.table_heads, strict=True):
        _say(cell, words, bold=True)
    _repeat_on_each_page(table.rows[0])
    for finding in report.findings:
        row = table.add_row().cells
        values = (finding.number, finding.severity, finding.heading, finding.summary, finding.verdict)
        for cell, words in zip(row, values, strict=True):
            _say(cell, words)
    _set_widths(table, _WIDTHS_PT)


def _set_widths(table: Any, widths_pt: tuple[float, ...]) -> None:
    """Word goes by the cells, LibreOffice by the columns."""
    table.autofit = False
    for column, width in zip(table.columns, widths_pt, strict=True):
        column.width = Pt(width)
    for row in table.rows:
        for cell, width in zip(row.cells, widths_pt, strict=True):
            cell.width = Pt(width)


def _repeat_on_each_page(row: Any) -> None:
    mark = OxmlElement("w:tblHeader")
    mark.set(qn("w:val"), "true")
    row._tr.get_or_add_trPr().append(mark)


def _finding(file: Any, finding: ReportFinding) -> None:
    file.add_heading(_clean(f"{finding.number}  {finding.heading}"), 2)
    file.add_paragraph(_clean(finding.summary))
    for passage in finding.passages:
        _passage(file, passage)
    for name, value in finding.facts:
        paragraph = file.add_paragraph()
        paragraph.paragraph_format.space_after = Pt(0)
        paragraph.add_run(_clean(f"{name}: ")).bold = True
        paragraph.add_run(_clean(value))


def _passage(file: Any, passage: MarkedPassage) -> None:
    place = file.add_paragraph()
    place.paragraph_format.space_after = Pt(0)
    place.paragraph_format.keep_with_next = True
    run = place.add_run(_clean(f"{passage.label}  {passage.place}"))
    run.bold, run.font.color.rgb = True, _GREY
    words = file.add_paragraph(_clean(passage.text))
    words.paragraph_format.left_indent = Pt(18)


def _say(cell: Any, words: str, *, bold: bool = False) -> None:
    run = cell.paragraphs[0].add_run(_clean(words))
    run.bold, run.font.size = bold, Pt(9)


def _clean(words: str) -> str:
    """XML 1.0 has no place for most control characters; a contract's text may hold them."""
    return "".join(c if c in "\n\t" or (c >= " " and c not in "\ufffe\uffff") else " " for c in words)
