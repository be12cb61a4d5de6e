"""Programs of other makers that Antinomy can use where a person has installed them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

_NAMES = ("soffice", "libreoffice")
#: Where its installers put it without telling the search path.
_PLACES = {
    "darwin": ("/Applications/LibreOffice.app/Contents/MacOS/soffice",),
    "win32": (r"C:\Program Files\LibreOffice\program\soffice.exe",
              r"C:\Program Files (x86)\LibreOffice\program\soffice.exe"),
}  # fmt: skip


def libreoffice(platform: str) -> str | None:
    """The path of LibreOffice's program, None when it is not installed. ``platform`` is :data:`sys.platform`."""
    for name in _NAMES:
        found = shutil.which(name)
        if found:
            return found
    return next((path for path in _PLACES.get(platform, ()) if os.access(Path(path), os.X_OK)), None)
