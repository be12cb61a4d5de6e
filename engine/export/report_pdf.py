"""The report as a PDF, typeset by MuPDF from HTML. Chinese comes from the font that MuPDF carries."""

from __future__ import annotations

import html
import io
from collections.abc import Iterable
from typing import Any

import pymupdf as _binding

from engine.protocol.handover import MarkedPassage, Report, ReportFinding

#: Typed ``Any`` because the binding ships without annotations.
pymupdf: Any = _binding

_CSS = """
@font-face { font-family: han; src: url(han.ttf); }
* { font-family: sans-serif, han; font-size: 9.5pt; line-height: 1.35; }
h1 { font-size: 19pt; margin: 0 0 8pt 0; }
h2 { font-size: 13pt; margin: 16pt 0 6pt 0; }
h3 { font-size: 10.5pt; margin: 12pt 0 3pt 0; }
p { margin: 0 0 5pt 0; }
th { text-align: left; color: #555555; font-size: 8.5pt; }
td { font-size: 9pt; padding: 2pt 6pt 2pt 0; vertical-align: top; }
.place { color: #555555; margin: 4pt 0 1pt 0; font-size: 8.5pt; font-weight: bold; }
.quote { margin: 0 0 4pt 14pt; }
.fact { color: #333333; margin: 0 0 1pt 0; font-size: 8.5pt; }
.closing { color: #777777; margin-top: 16pt; font-size: 8pt; }
"""
_MARGIN_PT = 54.0
_PAGE_NUMBER_PT = 8.0


def report_pdf(report: Report) -> bytes:
    """The file's bytes: A4, numbered pages."""
    archive = pymupdf.Archive()
    archive.add((pymupdf.Font("china-s").buffer, "han.ttf"))
    story = pymupdf.Story(html=_html(report), user_css=_CSS, archive=archive)
    page = pymupdf.paper_rect("a4")
    room = pymupdf.Rect(_MARGIN_PT, _MARGIN_PT, page.width - _MARGIN_PT, page.height - _MARGIN_PT)
    out = io.BytesIO()
    writer = pymupdf.DocumentWriter(out)
    more = 1
    while more:
        device = writer.begin_page(page)
        more, _ = story.place(room)
        story.draw(device)
        writer.end_page()
    writer.close()
    return _numbered(out.getvalue(), report.title)


def _numbered(data: bytes, title: str) -> bytes:
    with pymupdf.open(stream=data, filetype="pdf") as file:
        total = file.page_count
        for page in file:
            place = (page.rect.width - _MARGIN_PT - 30, page.rect.height - 28)
            page.insert_text(place, f"{page.number + 1} / {total}", fontsize=_PAGE_NUMBER_PT, color=(0.45,) * 3)
        file.set_metadata({"title": title, "creator": "Antinomy", "producer": "MuPDF"})
        file.subset_fonts()
        return bytes(file.tobytes(garbage=3, deflate=True))


def _html(report: Report) -> str:
    parts = [f"<h1>{_escaped(report.title)}</h1>", *(f"<p>{_escaped(each)}</p>" for each in report.summary)]
    for title, rows in report.tables:
        parts.append(f"<h2>{_escaped(title)}</h2><table>")
        parts += [f"<tr><td><b>{_escaped(name)}</b></td><td>{_escaped(value)}</td></tr>" for name, value in rows]
        parts.append("</table>")
    parts.append(f"<h2>{_escaped(report.table_title)}</h2><table>")
    parts.append("<tr>" + "".join(f"<th>{_escaped(head)}</th>" for head in report.table_heads) + "</tr>")
    for finding in report.findings:
        cells = (finding.number, finding.severity, finding.heading, finding.summary, finding.verdict)
        parts.append("<tr>" + "".join(f"<td>{_escaped(cell)}</td>" for cell in cells) + "</tr>")
    parts.append(f"</table><h2>{_escaped(report.findings_title)}</h2>")
    parts += [part for finding in report.findings for part in _finding(finding)]
    if report.closing:
        parts.append(f'<p class="closing">{_escaped(report.closing)}</p>')
    return "".join(parts)


def _finding(finding: ReportFinding) -> Iterable[str]:
    yield f"<h3>{_escaped(finding.number)} · {_escaped(finding.heading)}</h3><p>{_escaped(finding.summary)}</p>"
    for passage in finding.passages:
        yield _passage(passage)
    for name, value in finding.facts:
        yield f'<p class="fact"><b>{_escaped(name)}:</b> {_escaped(value)}</p>'


def _passage(passage: MarkedPassage) -> str:
    place = f'<p class="place">{_escaped(passage.label)} · {_escaped(passage.place)}</p>'
    return place + f'<p class="quote">{_escaped(passage.text)}</p>'


def _escaped(words: str) -> str:
    """HTML of plain words; control characters, which a contract may hold, as spaces."""
    return html.escape("".join(c if c >= " " else " " for c in words))
