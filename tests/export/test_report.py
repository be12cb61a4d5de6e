"""Reports: every word of the review is in the file, in both languages."""

from __future__ import annotations

import io
import re
import unicodedata

import docx
import pymupdf
import pytest

from engine.export.report_docx import report_docx
from engine.export.report_pdf import report_pdf
from engine.protocol.handover import MarkedPassage, Report, ReportFinding


def report_of(count: int, language: str = "en") -> Report:
    findings = tuple(
        ReportFinding(
            str(i), "Different periods" if language == "en" else "期限不同", "High", "Confirmed",
            f"Clause {i} gives 30 days & <more>, 第{i}条为45日。", (("Score", "0.93"), ("理由", "State one period.")),
            (
                MarkedPassage(f"{i}a", "sha256:x", f"Section {i}.1, p. 2", 0, 9, "The Buyer pays \x0b in 30 days."),
                MarkedPassage(f"{i}b", "sha256:x", f"第{i}条", 10, 20, "买方应在收到发票后四十五日内付款。"),
            ),
        )
        for i in range(1, count + 1)
    )  # fmt: skip
    tables = (("Documents", (("msa.pdf", "sha256:" + "0" * 64),)),)
    heads = ("No.", "Severity", "Kind", "Summary", "Decision")
    return Report("Review of msa.pdf 审查", language, ("2 findings.",), tables, "Findings", heads, "Details", findings,
                  "Made by Antinomy")  # fmt: skip


def squeezed(words: str) -> str:
    # MuPDF sets fi as one letter.
    return re.sub(r"\s", "", unicodedata.normalize("NFKC", words))


def words_of(report: Report) -> list[str]:
    out = [report.title, *report.summary, report.table_title, report.findings_title, report.closing]
    out += report.table_heads
    for title, rows in report.tables:
        out += [title, *(cell for row in rows for cell in row)]
    for finding in report.findings:
        out += [finding.summary, finding.heading, finding.verdict, finding.severity]
        out += [word for fact in finding.facts for word in fact]
        out += [word for p in finding.passages for word in (p.place, p.text.replace("\x0b", ""))]
    return [squeezed(word) for word in out]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("count", [0, 1, 30])
def test_pdf(language, count):
    report = report_of(count, language)
    data = report_pdf(report)
    with pymupdf.open(stream=data, filetype="pdf") as file:
        # Sentences may be cut by the foot of a page.
        text = squeezed("".join(re.sub(r"\d+ / \d+\s*$", "", page.get_text()) for page in file))
        assert file.metadata["title"] == report.title
        assert f"1 / {file.page_count}" in file[0].get_text()
        assert all(word[2] <= page.rect.width for page in file for word in page.get_text("words"))
    missing = [word for word in words_of(report) if word not in text]
    assert missing == []
    assert len(data) < 300_000


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("count", [0, 1, 5])
def test_docx(language, count):
    report = report_of(count, language)
    file = docx.Document(io.BytesIO(report_docx(report)))
    cells = [cell.text for table in file.tables for row in table.rows for cell in row.cells]
    text = squeezed("".join([p.text for p in file.paragraphs] + cells))
    assert [word for word in words_of(report) if word not in text] == []
    headings = [p.style.name for p in file.paragraphs if p.style.name.startswith("Heading")]
    assert headings == ["Heading 1"] * 3 + ["Heading 2"] * count
