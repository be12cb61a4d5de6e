"""MuPDF's Python binding under a type of its own: it ships code without annotations."""

from __future__ import annotations

from typing import Any

import pymupdf as _binding

#: The module. Typed ``Any`` because strict checking refuses calls of unannotated functions one by one.
pymupdf: Any = _binding

#: What MuPDF raises for damaged files: its own errors, and Python's plain ones from the binding.
DAMAGE: tuple[type[Exception], ...] = (RuntimeError, ValueError, IndexError, TypeError, _binding.mupdf.FzErrorBase)

# MuPDF writes each damaged object to the standard output, which belongs to somebody else.
pymupdf.TOOLS.mupdf_display_errors(False)
pymupdf.TOOLS.mupdf_display_warnings(False)


def turned_as_shown(page: Any) -> Any:
    """The matrix from where MuPDF finds things on a page to where they are displayed, in points.

    MuPDF's own (``rotation_matrix``) takes the page's size without its ``UserUnit``.
    """
    width, height = page.rect.width, page.rect.height
    quarter = page.rotation // 90 % 4
    shift = ((0, 0), (width, 0), (width, height), (0, height))[quarter]
    turn = ((1, 0, 0, 1), (0, 1, -1, 0), (-1, 0, 0, -1), (0, -1, 1, 0))[quarter]
    return pymupdf.Matrix(*turn, *shift)
