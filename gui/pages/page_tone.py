"""Dark and sepia pages: the same sheet in other light.

Dark turns lightness around and keeps hue (a red insertion stays red), then moves white and black to
the theme's ink and paper. Sepia multiplies with its paper.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage, QPainter

from gui.theme import Theme, colours

_ROWS_AT_ONCE = 64  # keeps the working arrays inside the processor's cache
_ROWS_SAMPLED = 4


def tone(image: QImage, theme: Theme) -> QImage:
    """The image in the theme's light, as 32-bit RGB ready to be drawn."""
    plain = image.convertToFormat(QImage.Format.Format_RGB32)
    if theme is Theme.LIGHT or plain.isNull():
        return plain
    if theme is Theme.SEPIA:
        painter = QPainter(plain)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
        painter.fillRect(plain.rect(), QColor(colours(theme).paper))
        painter.end()
        return plain
    return _dark(plain)


def _dark(plain: QImage) -> QImage:
    result = plain.copy()
    pixels = _bytes_of(result)
    if _is_coloured(pixels):
        _turn_lightness(pixels)
    else:
        result.invertPixels(QImage.InvertMode.InvertRgb)
    paper, ink = QColor(colours(Theme.DARK).paper), QColor(colours(Theme.DARK).ink)
    span = QColor(ink.red() - paper.red(), ink.green() - paper.green(), ink.blue() - paper.blue())
    painter = QPainter(result)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
    painter.fillRect(result.rect(), span)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Plus)
    painter.fillRect(result.rect(), paper)
    painter.end()
    return result


def _bytes_of(image: QImage) -> NDArray[np.uint8]:
    """The image's own memory as ``[height, width, 4]`` in the order blue, green, red, unused."""
    flat = np.frombuffer(image.bits(), np.uint8)
    return flat.reshape(image.height(), image.bytesPerLine())[:, : 4 * image.width()].reshape(
        image.height(), image.width(), 4
    )


def _is_coloured(pixels: NDArray[np.uint8]) -> bool:
    sample = pixels[::_ROWS_SAMPLED].astype(np.int16)
    return bool((abs(sample[..., 0] - sample[..., 2]) > 12).any() or (abs(sample[..., 0] - sample[..., 1]) > 12).any())


def _turn_lightness(pixels: NDArray[np.uint8]) -> None:
    """In place, HSL lightness L becomes 1 - L: each channel gains 255 - max - min, hue and chroma stay."""
    for row in range(0, len(pixels), _ROWS_AT_ONCE):
        block = pixels[row : row + _ROWS_AT_ONCE]
        b, g, r = (np.ascontiguousarray(block[..., channel]) for channel in range(3))
        high = np.maximum(np.maximum(r, g), b)
        low = np.minimum(np.minimum(r, g), b)
        shift = np.uint8(255) - high - low  # modulo 256 on purpose: the sum below comes back into range
        block[..., 0] = b + shift
        block[..., 1] = g + shift
        block[..., 2] = r + shift
