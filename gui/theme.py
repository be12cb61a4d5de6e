"""How everything looks: palettes, the styles of marks, the 4-point grid, fonts. One place, no widgets.

Marks use colours of the Okabe-Ito set, which people with any common colour blindness tell apart, and
each layer has a line style of its own, so that nothing rests on colour alone.
"""

from __future__ import annotations

import dataclasses
import enum
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPainter, QPalette

from resources import resource_path

#: All distances are multiples of this many device-independent pixels.
GRID_PX = 4

#: Families that bring Chinese glyphs, the best first; the first installed one follows the system font.
CHINESE_FAMILIES = (
    "PingFang SC",
    "Microsoft YaHei UI",
    "Microsoft YaHei",
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "Droid Sans Fallback",
    "SimSun",
)


#: On dark pages a wash stronger than this would come too near to the light letters.
_DARK_MOST = 0.42


def grid(steps: float) -> int:
    """``steps`` of the grid, in device-independent pixels."""
    return round(GRID_PX * steps)


class Theme(enum.StrEnum):
    """The look of the window and of its pages."""

    LIGHT = "light"
    DARK = "dark"
    SEPIA = "sepia"


class OkabeIto:
    """The eight colours of Okabe and Ito's colour-blind-safe set that we use."""

    VERMILION = "#D55E00"
    BLUE = "#0072B2"
    SKY = "#56B4E9"
    GREEN = "#009E73"
    ORANGE = "#E69F00"
    PURPLE = "#CC79A7"
    GREY = "#7A7A7A"


class Layer(enum.StrEnum):
    """What a mark on a page says; later ones are drawn over earlier ones."""

    REMARK = "remark"
    UNCERTAIN = "uncertain"
    REVIEWED = "reviewed"
    LINK = "link"
    ANCHOR = "anchor"
    CONFLICT = "conflict"
    DIFFERENCE = "difference"
    FIND = "find"
    FIND_CURRENT = "find_current"
    DROP_TARGET = "drop_target"


@dataclasses.dataclass(frozen=True, slots=True)
class MarkStyle:
    """How one layer's marks are drawn.

    ``wash`` is the opacity (0..1) of the colour over the words, ``width_px`` the line's width.
    ``frame`` draws the line around the words instead of under them; ``pen`` is its dash pattern.
    """

    colour: str
    dark_colour: str
    wash: float
    width_px: float
    pen: Qt.PenStyle
    frame: bool

    def ink(self, theme: Theme) -> QColor:
        """The line's colour: on dark pages a lighter relative that keeps its contrast."""
        return QColor(self.dark_colour if theme is Theme.DARK else self.colour)

    def fill(self, theme: Theme, strength: float = 1.0) -> QColor:
        """The wash's colour, see :func:`wash`; ``strength`` scales its opacity."""
        return wash(self.ink(theme), min(_DARK_MOST if theme is Theme.DARK else 1.0, self.wash * strength), theme)


def wash(colour: QColor, opacity: float, theme: Theme) -> QColor:
    """The opaque colour that tints paper and leaves letters as they are.

    It is multiplied with light pages, where letters are darker than any wash, and on dark pages the
    lighter of page and wash is taken, since letters are lighter there; see :func:`wash_mode`.
    """
    paper = QColor(colours(theme).paper) if theme is Theme.DARK else QColor("white")
    behind = (paper.red(), paper.green(), paper.blue())
    before = (colour.red(), colour.green(), colour.blue())
    return QColor(*(round(b + (f - b) * opacity) for b, f in zip(behind, before, strict=True)))


def wash_mode(theme: Theme) -> QPainter.CompositionMode:
    """How :func:`wash` colours are laid over a page."""
    mode = QPainter.CompositionMode
    return mode.CompositionMode_Lighten if theme is Theme.DARK else mode.CompositionMode_Multiply


MARK_STYLES: dict[Layer, MarkStyle] = {
    Layer.UNCERTAIN: MarkStyle("#7A5C00", "#D8B44A", 0.0, 1.25, Qt.PenStyle.DotLine, False),
    Layer.CONFLICT: MarkStyle(OkabeIto.VERMILION, "#FF8A3D", 0.16, 2.0, Qt.PenStyle.SolidLine, False),
    Layer.ANCHOR: MarkStyle(OkabeIto.BLUE, OkabeIto.SKY, 0.08, 1.25, Qt.PenStyle.DashLine, True),
    Layer.REMARK: MarkStyle(OkabeIto.GREEN, "#35C79B", 0.06, 1.0, Qt.PenStyle.DashDotDotLine, False),
    Layer.REVIEWED: MarkStyle("#6E6E6E", "#9A9A9A", 0.07, 1.25, Qt.PenStyle.DotLine, False),
    Layer.LINK: MarkStyle(OkabeIto.PURPLE, "#E3A4C8", 0.10, 1.5, Qt.PenStyle.DashDotLine, False),
    Layer.DIFFERENCE: MarkStyle("#6B46C1", "#B79CF0", 0.16, 1.25, Qt.PenStyle.DotLine, True),
    Layer.FIND: MarkStyle("#B07800", OkabeIto.ORANGE, 0.30, 0.0, Qt.PenStyle.NoPen, False),
    Layer.FIND_CURRENT: MarkStyle("#B07800", OkabeIto.ORANGE, 0.45, 1.5, Qt.PenStyle.SolidLine, True),
    Layer.DROP_TARGET: MarkStyle(OkabeIto.GREEN, "#35C79B", 0.14, 2.0, Qt.PenStyle.SolidLine, True),
}


def legend_of(layer: Layer) -> str:
    """What a layer's marks mean, in the interface's language (tool tips, screen readers)."""
    words = QObject()
    legends = {
        Layer.UNCERTAIN: words.tr("recognised, uncertain"),
        Layer.CONFLICT: words.tr("conflict"),
        Layer.ANCHOR: words.tr("same value"),
        Layer.REMARK: words.tr("comment in the file"),
        Layer.REVIEWED: words.tr("reviewed"),
        Layer.LINK: words.tr("link"),
        Layer.DIFFERENCE: words.tr("differs between the versions"),
        Layer.FIND: words.tr("found"),
        Layer.FIND_CURRENT: words.tr("found, current"),
        Layer.DROP_TARGET: words.tr("link target"),
    }
    return legends[layer]


@dataclasses.dataclass(frozen=True, slots=True)
class Palette:
    """The colours of one theme, as ``#RRGGBB``.

    ``desk`` lies behind the pages, ``paper`` is a page, ``ink`` its text, ``panel`` a side panel,
    ``line`` a hairline, ``faint`` secondary text (contrast at least 4.5 on ``panel``), ``accent`` the
    one accent colour, ``on_accent`` text on it, ``selection`` the wash of selected text.
    """

    desk: str
    paper: str
    ink: str
    panel: str
    raised: str
    line: str
    text: str
    faint: str
    accent: str
    on_accent: str
    selection: str
    warning: str


PALETTES: dict[Theme, Palette] = {
    Theme.LIGHT: Palette(
        desk="#E7E8EA", paper="#FFFFFF", ink="#000000", panel="#F7F7F8", raised="#FFFFFF", line="#D5D7DB",
        text="#1C1E21", faint="#5C6168", accent="#0B62A4", on_accent="#FFFFFF", selection="#3D8BD4", warning="#A34700",
    ),
    Theme.DARK: Palette(
        desk="#17181A", paper="#222326", ink="#E4E2DE", panel="#1E2023", raised="#2A2C30", line="#3A3D42",
        text="#E6E7E9", faint="#A3A8AF", accent="#6CB4F0", on_accent="#0B1622", selection="#4E86BC", warning="#FF9D5C",
    ),
    Theme.SEPIA: Palette(
        desk="#DDD3C0", paper="#F6EEDC", ink="#33281A", panel="#F3EBDA", raised="#FBF5E8", line="#D0C4AC",
        text="#33281A", faint="#6B5D47", accent="#1F5F8B", on_accent="#FFFFFF", selection="#5A92B8", warning="#96420A",
    ),
}


def colours(theme: Theme) -> Palette:
    """The palette of a theme."""
    return PALETTES[theme]


def widget_palette(theme: Theme) -> QPalette:
    """Qt's palette for a theme, for the application or a widget."""
    c = PALETTES[theme]
    palette = QPalette()
    roles = {
        QPalette.ColorRole.Window: c.panel,
        QPalette.ColorRole.WindowText: c.text,
        QPalette.ColorRole.Base: c.raised,
        QPalette.ColorRole.AlternateBase: c.panel,
        QPalette.ColorRole.ToolTipBase: c.raised,
        QPalette.ColorRole.ToolTipText: c.text,
        QPalette.ColorRole.PlaceholderText: c.faint,
        QPalette.ColorRole.Text: c.text,
        QPalette.ColorRole.Button: c.panel,
        QPalette.ColorRole.ButtonText: c.text,
        QPalette.ColorRole.BrightText: c.warning,
        QPalette.ColorRole.Highlight: c.accent,
        QPalette.ColorRole.HighlightedText: c.on_accent,
        QPalette.ColorRole.Link: c.accent,
        QPalette.ColorRole.LinkVisited: c.accent,
        QPalette.ColorRole.Light: c.raised,
        QPalette.ColorRole.Midlight: c.panel,
        QPalette.ColorRole.Mid: c.line,
        QPalette.ColorRole.Dark: c.line,
        QPalette.ColorRole.Shadow: c.desk,
    }
    for role, value in roles.items():
        palette.setColor(role, QColor(value))
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(c.faint))
    return palette


def system_theme() -> Theme:
    """Dark when the system asks for dark, else light."""
    dark = QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
    return Theme.DARK if dark else Theme.LIGHT


def shipped_chinese_font() -> Path | None:
    """The fallback font with Chinese glyphs that comes with the program, if it does."""
    folder = resource_path("fonts")
    if not folder.is_dir():
        return None
    return next((p for p in sorted(folder.iterdir()) if p.suffix.lower() in (".ttf", ".otf", ".ttc")), None)


def chinese_family(font_file: Path | None = None) -> str | None:
    """A family with Chinese glyphs, or None when the machine has none and none can be registered.

    An installed family is preferred; else ``font_file`` (or the shipped font) is registered with the
    application. A QGuiApplication must exist.
    """
    installed = set(QFontDatabase.families())
    for family in CHINESE_FAMILIES:
        if family in installed:
            return family
    chinese = QFontDatabase.families(QFontDatabase.WritingSystem.SimplifiedChinese)
    if chinese:
        return chinese[0]
    path = font_file or shipped_chinese_font()
    if path is None or not path.is_file():
        return None
    handle = QFontDatabase.addApplicationFontFromData(path.read_bytes())
    families = QFontDatabase.applicationFontFamilies(handle) if handle >= 0 else []
    return families[0] if families else None


def application_font(font_file: Path | None = None, point_size: float | None = None) -> QFont:
    """The system's font, followed by one with Chinese glyphs.

    Args:
        font_file: a font to register when the system has no Chinese one.
        point_size: overrides the system's size, in points.
    """
    font = QGuiApplication.font()
    family = chinese_family(font_file)
    families = [name for name in (*font.families(), font.defaultFamily()) if name]
    if family is not None and family not in families:
        families.append(family)
    font.setFamilies(list(dict.fromkeys(families)))
    if point_size is not None:
        font.setPointSizeF(point_size)
    return font


def scaled_font(font: QFont, factor: float, *, bold: bool = False) -> QFont:
    """A relative of ``font``: its size times ``factor`` (points or pixels, whichever it uses)."""
    relative = QFont(font)
    if font.pointSizeF() > 0:
        relative.setPointSizeF(font.pointSizeF() * factor)
    else:
        relative.setPixelSize(max(1, round(font.pixelSize() * factor)))
    if bold:
        relative.setWeight(QFont.Weight.DemiBold)
    return relative
