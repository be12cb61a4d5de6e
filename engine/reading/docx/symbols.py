"""Characters of symbol fonts (Symbol, Wingdings, Webdings) as Unicode.

Source: the encodings that Adobe's Symbol and Microsoft's Wingdings publish; only what contracts use.
"""

from __future__ import annotations

from typing import Any

from engine.reading.docx.names import w

_WINGDINGS = {
    0x6C: "●", 0x6D: "❍", 0x6E: "■", 0x6F: "□", 0x70: "□", 0x71: "❑", 0x72: "❒", 0x73: "⬧", 0x74: "⧫", 0x75: "◆",
    0x76: "❖", 0x77: "⬥", 0xA7: "▪", 0xA8: "◻", 0xD8: "➢", 0xE0: "→", 0xDF: "←", 0xE1: "↑", 0xE2: "↓", 0xF0: "⇨",
    0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑", 0x9F: "•", 0xA1: "○", 0xA2: "○", 0x81: "①", 0x82: "②", 0x83: "③",
    0x84: "④", 0x85: "⑤", 0x86: "⑥", 0x87: "⑦", 0x88: "⑧", 0x89: "⑨", 0x8A: "⑩", 0x46: "☞", 0x2A: "✉", 0x28: "☎",
    0x4A: "☺", 0x76 + 0x00: "❖",
}  # fmt: skip
_WINGDINGS2 = {0x50: "✓", 0x4F: "✗", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0xA3: "□", 0x2A: "☐", 0x97: "●"}
_SYMBOL = {
    0xB7: "•", 0xA7: "♣", 0xA8: "♦", 0xAE: "→", 0xAC: "←", 0xAD: "↑", 0xAF: "↓", 0xB0: "°", 0xB1: "±", 0xB3: "≥",
    0xA3: "≤", 0xB9: "≠", 0xB4: "×", 0xB8: "÷", 0xD2: "®", 0xD3: "©", 0xD4: "™", 0xE2: "®", 0xE3: "©", 0xE4: "™",
    0x2D: "−", 0xBE: "—", 0xBC: "…", 0xDE: "⇒", 0xA2: "′", 0xB2: "″", 0xA5: "∞", 0xD6: "√", 0xE5: "∑",
    0x61: "α", 0x62: "β", 0x67: "γ", 0x64: "δ", 0x65: "ε", 0x6D: "μ", 0x70: "π", 0x73: "σ", 0x44: "Δ", 0x53: "Σ",
    0x57: "Ω", 0x6F: "ο",
}  # fmt: skip
_WEBDINGS = {0x3C: "■", 0x3D: "●", 0x61: "✓", 0x63: "□", 0x67: "■", 0x6E: "●"}
_BY_FONT = {"wingdings": _WINGDINGS, "wingdings 2": _WINGDINGS2, "symbol": _SYMBOL, "webdings": _WEBDINGS}


def symbol(code: int, font: str) -> str:
    """A character of a symbol font as Unicode; the bullet for a private one that is not known."""
    table = _BY_FONT.get(font.strip().lower())
    low = code - 0xF000 if 0xF000 <= code <= 0xF0FF else code
    if table is not None:
        known = table.get(low)
        if known is not None:
            return known
        if 0x20 <= low < 0x7F and table is _SYMBOL:
            return chr(low)
        return "•" if low < 0x100 else chr(code)
    if 0xF000 <= code <= 0xF0FF:
        # Private characters without a font: Word's own bullets are of Symbol's encoding.
        return _SYMBOL.get(low) or _WINGDINGS.get(low) or "•"
    return chr(code) if 0x20 <= code < 0x110000 and not 0xD800 <= code < 0xE000 else ""


def bullet_text(text: str, run: Any | None) -> str:
    """A bullet level's sign as Unicode; ``run`` are the level's run properties, which name its font."""
    fonts = run.find(w("rFonts")) if run is not None else None
    font = ""
    if fonts is not None:
        font = fonts.get(w("ascii")) or fonts.get(w("hAnsi")) or ""
    if font.strip().lower() in _BY_FONT:
        return "".join(symbol(ord(c), font) for c in text)
    return "".join(symbol(ord(c), "") if 0xE000 <= ord(c) <= 0xF8FF else c for c in text)
