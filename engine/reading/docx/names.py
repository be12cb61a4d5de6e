"""Names of WordprocessingML elements and attributes, spelled as lxml wants them."""

from __future__ import annotations

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
M = "http://schemas.openxmlformats.org/officeDocument/2006/math"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
WP = "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"

#: (ISO strict namespace, the transitional one that everything here speaks).
STRICT_NAMESPACES = (
    (b"http://purl.oclc.org/ooxml/wordprocessingml/main", W.encode()),
    (b"http://purl.oclc.org/ooxml/officeDocument/relationships", R.encode()),
    (b"http://purl.oclc.org/ooxml/officeDocument/math", M.encode()),
    (b"http://purl.oclc.org/ooxml/drawingml/main", A.encode()),
    (b"http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing", WP.encode()),
)

#: Last parts of relationship types.
RELATIONSHIP_TYPES = {
    "document": "officeDocument",
    "styles": "styles",
    "numbering": "numbering",
    "footnotes": "footnotes",
    "endnotes": "endnotes",
    "settings": "settings",
    "theme": "theme",
    "comments": "comments",
}


def w(name: str) -> str:
    """A WordprocessingML name in Clark notation."""
    return f"{{{W}}}{name}"


VAL = w("val")
RELATION_ID = f"{{{R}}}id"
EMBED = f"{{{R}}}embed"
ALTERNATE = f"{{{MC}}}AlternateContent"
CHOICE, FALLBACK = f"{{{MC}}}Choice", f"{{{MC}}}Fallback"
MATH, MATH_PARAGRAPH, MATH_TEXT = f"{{{M}}}oMath", f"{{{M}}}oMathPara", f"{{{M}}}t"
