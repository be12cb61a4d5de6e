"""Page images kept in memory, the least recently shown thrown away first."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Collection

from PySide6.QtGui import QImage

from gui.pages.page_source import WHOLE_PAGE, ImageKey

#: Some ten A4 pages on a screen of double density.
CACHE_BYTES = 192 * 1024 * 1024


class ImageCache:
    """An LRU cache of images, bounded by their bytes.

    Keys that the caller protects (those on the screen) stay even when they alone exceed the bound:
    throwing them away would only have them drawn again.
    """

    def __init__(self, capacity_bytes: int = CACHE_BYTES) -> None:
        self.capacity_bytes = capacity_bytes
        self.used_bytes = 0
        self._images: OrderedDict[ImageKey, QImage] = OrderedDict()
        self._whole: dict[int, list[float]] = {}

    def __contains__(self, key: ImageKey) -> bool:
        return key in self._images

    def __len__(self) -> int:
        return len(self._images)

    def get(self, key: ImageKey) -> QImage | None:
        """The image, now the most recently shown."""
        image = self._images.get(key)
        if image is not None:
            self._images.move_to_end(key)
        return image

    def put(self, key: ImageKey, image: QImage, protected: Collection[ImageKey] = ()) -> None:
        """Keep an image; drops the oldest unprotected ones above the bound."""
        self.discard(key)
        self._images[key] = image
        self.used_bytes += image.sizeInBytes()
        if key.clip == WHOLE_PAGE:
            self._whole.setdefault(key.page, []).append(key.scale)
        if self.used_bytes <= self.capacity_bytes:
            return
        for old in [k for k in self._images if k not in protected and k != key]:
            self.discard(old)
            if self.used_bytes <= self.capacity_bytes:
                return

    def discard(self, key: ImageKey) -> None:
        """Forget one image; unknown keys are ignored."""
        image = self._images.pop(key, None)
        if image is None:
            return
        self.used_bytes -= image.sizeInBytes()
        if key.clip == WHOLE_PAGE:
            scales = self._whole[key.page]
            scales.remove(key.scale)
            if not scales:
                del self._whole[key.page]

    def nearest(self, page: int, scale: float) -> QImage | None:
        """The whole-page image whose scale is nearest (in ratio) to ``scale``; larger wins a tie."""
        scales = self._whole.get(page)
        if not scales:
            return None
        best = min(scales, key=lambda s: (abs(math.log(s / scale)) + (0.1 if s < scale else 0.0)))
        return self.get(ImageKey(page, best))

    def items(self) -> list[tuple[ImageKey, QImage]]:
        """All images, the least recently shown first."""
        return list(self._images.items())

    def clear(self) -> None:
        """Forget everything."""
        self._images.clear()
        self._whole.clear()
        self.used_bytes = 0
