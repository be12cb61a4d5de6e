"""Links in the files of other annotation tools: CSV, Label Studio, doccano, brat,
UIMA CAS JSON (INCEpTION), PAWLS.

Each format is a module with ``write`` (a :class:`Bundle` to files, with what is lost said in words) and
``read`` (files back to a Bundle, which then goes through the checks of every import).
"""

from engine.matter.formats.bundle import Bundle, BundleDocument, Loss, Written, bundle_of, locate_documents, plan_bundle
from engine.matter.formats.registry import FORMATS, LINKS, format_of, plan_path, read_format, write_format

__all__ = [
    "FORMATS",
    "LINKS",
    "Bundle",
    "BundleDocument",
    "Loss",
    "Written",
    "bundle_of",
    "format_of",
    "locate_documents",
    "plan_bundle",
    "plan_path",
    "read_format",
    "write_format",
]
