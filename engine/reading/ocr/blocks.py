"""Solid black areas that are no letters: words blacked out, bars, the ends of a scanner's lamp."""

from __future__ import annotations

import numpy as np

from engine.reading.ocr.model import GreyImage
from engine.reading.ocr.skew import dark_below

#: No stroke of print is thicker than this, in points; no box to tick is larger.
_THICKEST_STROKE_PT, _LARGEST_BOX_PT = 3.0, 16.0
#: So much of the area between the outermost ink is ink. A stroke alone (一, 1, a dash) is solid as well, but thin.
_SOLID = 0.92
#: A reading of more characters has letters beside whatever is solid.
_MOST_CHARACTERS = 2
TICKED = "■"


def without_block(text: str, crop: GreyImage, scale: float) -> str:
    """What a line's picture says where it may be a solid area: nothing for one, a black box for a small square.

    Args:
        text: what was read in it.
        crop: its picture.
        scale: pixels per point.
    """
    if len(text.strip()) > _MOST_CHARACTERS:
        return text
    dark = crop < dark_below(crop)
    rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
    if not len(rows):
        return text
    inner = dark[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    height, width = (side / scale for side in inner.shape)
    if min(height, width) <= _THICKEST_STROKE_PT or float(inner.mean()) < _SOLID:
        return text
    is_box = max(height, width) <= _LARGEST_BOX_PT and max(height, width) < 1.4 * min(height, width)
    return TICKED if is_box else ""
