"""The digits 1 to 9 pressed with Shift, whatever sign the keyboard's layout puts there."""

from __future__ import annotations

import sys

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

#: Scan code of the key "1" in the upper row under X11 and Wayland (evdev's code 2 and the 8 that X adds).
_LINUX_KEY_1 = 10
#: Windows' virtual key code of "1", which Shift does not change; on macOS the keys' codes, in order.
_WINDOWS_KEY_1 = 0x31
_MACOS_KEYS = (18, 19, 20, 21, 23, 22, 26, 28, 25)


def digit_with_shift(event: QKeyEvent) -> str:
    """ "1" to "9" for Shift and a digit of the upper row, "" for anything else."""
    held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if held != Qt.KeyboardModifier.ShiftModifier:
        return ""
    if Qt.Key.Key_1 <= event.key() <= Qt.Key.Key_9:
        return chr(event.key())
    if sys.platform == "darwin":
        code = event.nativeVirtualKey()
        return str(_MACOS_KEYS.index(code) + 1) if code in _MACOS_KEYS else ""
    code, first = event.nativeScanCode(), _LINUX_KEY_1
    if sys.platform == "win32":
        code, first = event.nativeVirtualKey(), _WINDOWS_KEY_1
    return str(code - first + 1) if first <= code < first + 9 else ""
