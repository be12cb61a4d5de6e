"""Build the sample contracts and the list of their known contradictions from the texts beside this file.

    python resources/samples/build_samples.py

Run at development time; what it makes is committed. The DOCX files carry real automatic numbering. The
PDF of the English one comes from LibreOffice (``soffice``); without it the PDF is left as it is.

The texts' markup, one paragraph a line: ``=`` title, ``~`` centred, ``*`` small heading, ``#`` to ``####``
numbered levels, ``|`` table row, ``!`` schedule heading on a new page, ``**bold**``.
"""

from __future__ import annotations

import datetime
import json
import re
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import docx
from docx.enum.style import WD_STYLE_TYPE
from docx.enum.text import WD_ALIGN_PARAGRAPH, WD_BREAK
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.shared import Cm, Pt

HERE = Path(__file__).parent
MOMENT = datetime.datetime(2026, 3, 2, 9, 0)
LEVELS = ("Clause One", "Clause Two", "Clause Three", "Clause Four")


@dataclass(frozen=True)
class Look:
    """How a language's contract is numbered and set: per level (format, text, extra XML), fonts, header."""

    numbering: tuple[tuple[str, str, str], ...]
    font: str
    east_asian_font: str
    header: str
    language: str


ENGLISH = Look(
    (
        ("decimal", "%1.", ""),
        ("decimal", "%1.%2", ""),
        ("lowerLetter", "(%3)", ""),
        ("lowerRoman", "(%4)", ""),
    ),
    "Times New Roman", "SimSun", "Northmere / Calloway: Master Supply and Services Agreement", "en-US",
)  # fmt: skip
CHINESE = Look(
    (
        ("chineseCounting", "第%1条", '<w:suff w:val="space"/>'),
        # isLgl shows the article's number in figures: 6.3, not 六.3.
        ("decimal", "%1.%2", "<w:isLgl/>"),
        ("chineseCounting", "（%3）", '<w:suff w:val="nothing"/>'),
        ("decimal", "%4）", ""),
    ),
    "Times New Roman", "SimSun", "设备采购及服务合同", "zh-CN",
)  # fmt: skip


def build(source: Path, target: Path, look: Look) -> None:
    """Write ``source`` as a DOCX with automatic numbering."""
    document = docx.Document()
    _page_and_styles(document, look)
    rows: list[list[str]] = []
    for line in [*source.read_text("utf-8").splitlines(), ""]:
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip().strip("|").split("|")])
            continue
        if rows:
            _table(document, rows)
            rows = []
        if line.strip():
            _paragraph(document, line)
    core = document.core_properties
    core.author = core.last_modified_by = "The Antinomy authors"
    core.title = look.header
    core.created = core.modified = MOMENT
    core.language = look.language
    document.save(str(target))
    _fix_times(target)


def _page_and_styles(document: Any, look: Look) -> None:
    section = document.sections[0]
    section.page_width, section.page_height = Cm(21), Cm(29.7)
    section.left_margin = section.right_margin = Cm(2.6)
    section.top_margin = section.bottom_margin = Cm(2.5)
    section.header.paragraphs[0].text = look.header
    section.header.paragraphs[0].alignment = WD_ALIGN_PARAGRAPH.RIGHT
    _page_number(section.footer.paragraphs[0])
    normal = document.styles["Normal"]
    _set_fonts(normal, look)
    normal.font.size = Pt(11)
    normal.paragraph_format.space_after = Pt(6)
    normal.paragraph_format.line_spacing = 1.15
    numbering = _add_numbering(document, look)
    for level, name in enumerate(LEVELS):
        style = document.styles.add_style(name, WD_STYLE_TYPE.PARAGRAPH)
        style.base_style = normal
        _set_fonts(style, look)
        style.font.bold = level == 0
        style.paragraph_format.keep_with_next = level == 0
        style.paragraph_format.space_before = Pt(12 if level == 0 else 0)
        properties = style.element.get_or_add_pPr()
        properties.append(
            parse_xml(f'<w:numPr {nsdecls("w")}><w:ilvl w:val="{level}"/><w:numId w:val="{numbering}"/></w:numPr>')
        )
        if level == 0:
            properties.append(parse_xml(f'<w:outlineLvl {nsdecls("w")} w:val="0"/>'))


def _set_fonts(style: Any, look: Look) -> None:
    style.font.name = look.font
    style.element.get_or_add_rPr().get_or_add_rFonts().set(qn("w:eastAsia"), look.east_asian_font)


def _add_numbering(document: Any, look: Look) -> int:
    """Add a multi-level list whose levels belong to the clause styles; gives its numId."""
    levels = "".join(
        f'<w:lvl w:ilvl="{i}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>'
        f'<w:pStyle w:val="{LEVELS[i].replace(" ", "")}"/>{extra}<w:lvlText w:val="{text}"/><w:lvlJc w:val="left"/>'
        f'<w:pPr><w:ind w:left="{(720, 720, 1287, 1854)[i]}" w:hanging="{(720, 720, 567, 567)[i]}"/></w:pPr></w:lvl>'
        for i, (form, text, extra) in enumerate(look.numbering)
    )
    root = document.part.numbering_part.element
    abstract, number = 90, 90
    first_num = root.find(qn("w:num"))
    definition = parse_xml(
        f'<w:abstractNum {nsdecls("w")} w:abstractNumId="{abstract}"><w:multiLevelType w:val="multilevel"/>{levels}'
        "</w:abstractNum>"
    )
    # The schema wants all definitions before the first list.
    if first_num is None:
        root.append(definition)
    else:
        first_num.addprevious(definition)
    root.append(parse_xml(f'<w:num {nsdecls("w")} w:numId="{number}"><w:abstractNumId w:val="{abstract}"/></w:num>'))
    return number


def _page_number(paragraph: Any) -> None:
    paragraph.alignment = WD_ALIGN_PARAGRAPH.CENTER
    for kind, text in (("begin", None), (None, "PAGE"), ("end", None)):
        run = paragraph.add_run()
        if kind:
            run._r.append(parse_xml(f'<w:fldChar {nsdecls("w")} w:fldCharType="{kind}"/>'))
        else:
            run._r.append(parse_xml(f'<w:instrText {nsdecls("w")} xml:space="preserve">{text}</w:instrText>'))


def _paragraph(document: Any, line: str) -> None:
    marks = re.match(r"(#{1,4}|[=~*!]) ?(?!\*)", line)
    mark = marks.group(1) if marks else ""
    text = line[marks.end() :] if marks else line
    if mark.startswith("#"):
        paragraph = document.add_paragraph(style=LEVELS[len(mark) - 1])
    else:
        paragraph = document.add_paragraph()
    if mark == "!":
        paragraph.add_run().add_break(WD_BREAK.PAGE)
    if mark in ("=", "~", "!"):
        paragraph.alignment = WD_ALIGN_PARAGRAPH.CENTER
    for i, piece in enumerate(text.split("**")):
        if piece:
            run = paragraph.add_run(piece)
            run.bold = True if i % 2 or mark in ("=", "*", "!") else None
            if mark == "=":
                run.font.size = Pt(18)


def _table(document: Any, rows: list[list[str]]) -> None:
    table = document.add_table(rows=0, cols=max(map(len, rows)), style="Table Grid")
    for number, row in enumerate(rows):
        cells = table.add_row().cells
        for cell, text in zip(cells, row, strict=False):
            run = cell.paragraphs[0].add_run(text)
            run.bold = True if number == 0 or row[0] in ("Total", "合计") else None
    document.add_paragraph()


def _fix_times(path: Path) -> None:
    """Give every part the same time, so that building twice gives the same bytes."""
    with zipfile.ZipFile(path) as old:
        parts = [(name, old.read(name)) for name in old.namelist()]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name, data in parts:
            info = zipfile.ZipInfo(name, MOMENT.timetuple()[:6])
            info.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(info, data)


def plain(text: str) -> str:
    """A source's text without its markup, as a reader will have it apart from the automatic numbers."""
    lines = [re.sub(r"^(#{1,4}|[=~*!]) ?(?!\*)", "", line) for line in text.splitlines()]
    return "\n".join(lines).replace("**", "")


def missing_passages(folder: Path) -> list[str]:
    """Passages of ``known.jsonl`` that are not in their document's source, and sources that are not there."""
    out: list[str] = []
    for line in (folder / "known.jsonl").read_text("utf-8").splitlines():
        entry = json.loads(line)
        text = plain((folder / entry["source"]).read_text("utf-8"))
        for item in entry["conflicts"] + entry["traps"]:
            out += [f"{item['id']}: {passage}" for passage in item["passages"] if passage not in text]
    return out


def main() -> int:
    """Build all; 1 when a known passage is nowhere in its source."""
    build(HERE / "master_supply_agreement.txt", HERE / "master_supply_agreement.docx", ENGLISH)
    build(HERE / "equipment_purchase_contract_zh.txt", HERE / "equipment_purchase_contract_zh.docx", CHINESE)
    office = shutil.which("soffice")
    if office is None:
        sys.stderr.write("no soffice here: the PDF was not built again\n")
    else:
        command = [office, "--headless", "--convert-to", "pdf", "--outdir", str(HERE)]
        subprocess.run([*command, str(HERE / "master_supply_agreement.docx")], check=True, capture_output=True)
    missing = missing_passages(HERE)
    sys.stderr.writelines(f"not in the text: {each}\n" for each in missing)
    return 1 if missing else 0


if __name__ == "__main__":
    raise SystemExit(main())
