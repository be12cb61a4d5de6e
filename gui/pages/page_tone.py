"""Dark and sepia pages: the same sheet in other light.

Dark turns luma around and keeps hue (a red insertion stays red), then moves white and black to
the theme's ink and paper. Sepia multiplies with its paper.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage, QPainter

from gui.theme import Theme, colours

_ROWS_AT_ONCE = 32  # keeps the working arrays inside the processor's cache
_ROWS_SAMPLED = 2  # the thinnest coloured line is thicker at any scale worth reading
_NEARLY_GREY = 12


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
    _turn_luma(_bytes_of(result))
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


def _turn_luma(pixels: NDArray[np.uint8]) -> None:
    """In place, luma Y becomes 255 - Y: each channel gains 255 - 2 Y, cut to 0..255; hue stays.

    Luma rather than HSL lightness: a yellow highlight is light to the eye and must become dark, or the
    white letters on it could not be read. Rows without colour, most of a contract, are only inverted.
    """
    for row in range(0, len(pixels), _ROWS_AT_ONCE):
        block = pixels[row : row + _ROWS_AT_ONCE]
        if not _is_coloured(block):
            # Only the colour bytes: with the unused one cleared Qt would take the pixels for transparent.
            block.view(np.uint32)[...] ^= np.uint32(0x00FFFFFF)
            continue
        b, g, r = (block[..., channel].astype(np.int16) for channel in range(3))
        # 2 Y with Y = (2 R + 5 G + B) / 8, BT.601's weights in eighths
        shift = 255 - ((2 * r + 5 * g + b) >> 2)
        for channel, values in enumerate((b, g, r)):
            block[..., channel] = np.clip(values + shift, 0, 255)


def _is_coloured(block: NDArray[np.uint8]) -> bool:
    sample = block[::_ROWS_SAMPLED]
    packed = sample.view(np.uint32)
    if not ((packed ^ (packed >> 8)) & 0xFFFF).any():
        return False  # every pixel has three equal channels
    blue, green, red = (sample[..., channel].astype(np.int16) for channel in range(3))
    return bool((abs(blue - red) > _NEARLY_GREY).any() or (abs(blue - green) > _NEARLY_GREY).any())
