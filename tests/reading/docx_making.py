"""Word files written part by part, so that tests hold exactly the XML they are about."""

from __future__ import annotations

import io
import zipfile

NAMESPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    ' xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    ' xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    ' xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
    ' xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"'
    ' xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    ' xmlns:v="urn:schemas-microsoft-com:vml"'
)
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
_MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml"


def part(root: str, inner: str) -> str:
    """An XML part with a root element of the ``w`` namespace."""
    return f"{_HEAD}<w:{root} {NAMESPACES}>{inner}</w:{root}>"


def run(text: str, properties: str = "") -> str:
    """A run; ``properties`` goes into its ``w:rPr``."""
    look = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{look}<w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(content: str, properties: str = "") -> str:
    """A paragraph; plain text is wrapped into a run."""
    inner = content if content.startswith("<") or not content else run(content)
    look = f"<w:pPr>{properties}</w:pPr>" if properties else ""
    return f"<w:p>{look}{inner}</w:p>"


def numbered(text: str, num: int, level: int = 0) -> str:
    """A paragraph with direct numbering."""
    return paragraph(text, f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{num}"/></w:numPr>')


def level(index: int, number_format: str, text: str, start: int = 1, more: str = "") -> str:
    """A ``w:lvl``; ``more`` stands after ``numFmt`` (pStyle, isLgl, suff, lvlRestart in schema order)."""
    return (
        f'<w:lvl w:ilvl="{index}"><w:start w:val="{start}"/><w:numFmt w:val="{number_format}"/>{more}'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
    )


def numbering(
    levels: str, extra: str = "", nums: str = '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
) -> str:
    """A numbering part with one abstract list (id 0), further ``extra`` ones, and its lists."""
    inner = f'<w:abstractNum w:abstractNumId="0"><w:multiLevelType w:val="multilevel"/>{levels}</w:abstractNum>'
    return part("numbering", inner + extra + nums)


def table(*rows: str, grid: tuple[int, ...] = (3000, 3000, 3000)) -> str:
    """A table of ready rows."""
    columns = "".join(f'<w:gridCol w:w="{width}"/>' for width in grid)
    return f"<w:tbl><w:tblPr/><w:tblGrid>{columns}</w:tblGrid>{''.join(rows)}</w:tbl>"


def row(*cells: str) -> str:
    """A row of ready cells."""
    return f"<w:tr>{''.join(cells)}</w:tr>"


def cell(content: str, properties: str = "") -> str:
    """A cell; plain text becomes a paragraph."""
    inner = content if content.startswith("<") else paragraph(content)
    look = f"<w:tcPr>{properties}</w:tcPr>" if properties else ""
    return f"<w:tc>{look}{inner}</w:tc>"


def docx(body: str, **parts: str) -> bytes:
    """A Word file with a body and further parts by name: styles, numbering, footnotes, header1, …"""
    names = {"document": part("document", f"<w:body>{body}</w:body>"), **parts}
    relations, overrides = [], []
    for i, name in enumerate(names):
        sort = name.rstrip("0123456789")
        overrides.append(f'<Override PartName="/word/{name}.xml" ContentType="{_MAIN}.{sort}+xml"/>')
        if name != "document":
            relations.append(f'<Relationship Id="rId{i}" Type="{_RELATIONS}/{sort}" Target="{name}.xml"/>')
    main = overrides[0].replace("document+xml", "document.main+xml")
    kinds = '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    kinds += '<Default Extension="xml" ContentType="application/xml"/>'
    files = {
        "[Content_Types].xml": f'{_HEAD}<Types xmlns="{_PACKAGE}/content-types">{kinds}{main}'
        f"{''.join(overrides[1:])}</Types>",
        "_rels/.rels": f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1"'
        f' Type="{_RELATIONS}/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/_rels/document.xml.rels": f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">'
        f"{''.join(relations)}</Relationships>",
        **{f"word/{name}.xml": text for name, text in names.items()},
    }
    return archive(files)


def archive(files: dict[str, str | bytes]) -> bytes:
    """A ZIP of named texts."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as target:
        for name, text in files.items():
            target.writestr(name, text)
    return stream.getvalue()
