"""Colours that can be told apart and read, in every theme; fonts with Chinese glyphs."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetricsF, QPalette

from gui import theme
from gui.theme import MARK_STYLES, Layer, Theme, colours


def luminance(colour: QColor) -> float:
    """Relative luminance after WCAG 2.2."""
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour.getRgbF()[:3]]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(a: str | QColor, b: str | QColor) -> float:
    light, dark = sorted((luminance(QColor(a)), luminance(QColor(b))), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("which", Theme)
def test_texts_can_be_read(which):
    c = colours(which)
    assert contrast(c.text, c.panel) >= 7
    assert contrast(c.text, c.raised) >= 7
    assert contrast(c.ink, c.paper) >= 7
    assert contrast(c.faint, c.panel) >= 4.5
    assert contrast(c.warning, c.panel) >= 4.5
    assert contrast(c.on_accent, c.accent) >= 4.5


@pytest.mark.parametrize("which", Theme)
@pytest.mark.parametrize("layer", Layer)
def test_letters_stay_legible_under_the_strongest_wash_and_lines_are_seen(which, layer):
    style, paper = MARK_STYLES[layer], colours(which).paper
    letters = colours(which).ink
    strongest = 1.0 if layer in (Layer.FIND, Layer.FIND_CURRENT) else 2.6
    assert contrast(letters, style.fill(which, strongest)) >= 4.5
    assert contrast(style.ink(which), paper) >= 2.5


def test_layers_differ_in_more_than_colour():
    shapes = {
        layer: (style.pen, style.frame, style.width_px)
        for layer, style in MARK_STYLES.items()
        if layer in (Layer.CONFLICT, Layer.ANCHOR, Layer.REVIEWED, Layer.LINK)
    }
    assert len(set(shapes.values())) == len(shapes)


def test_every_layer_has_a_style_and_a_name(qapp):
    for layer in Layer:
        assert theme.legend_of(layer)
        assert layer in MARK_STYLES


def test_palettes_of_widgets_follow_the_theme(qapp):
    for which in Theme:
        palette = theme.widget_palette(which)
        assert palette.color(QPalette.ColorRole.Window) == QColor(colours(which).panel)
    assert theme.grid(3) == 12


def test_a_shipped_font_is_used_when_the_system_has_no_chinese_one(qapp, monkeypatch, tmp_path):
    monkeypatch.setattr(QFontDatabase, "families", lambda *_: [])
    assert theme.chinese_family(tmp_path / "missing.ttf") is None
    damaged = tmp_path / "damaged.ttf"
    damaged.write_bytes(b"no font")
    monkeypatch.setattr(QFontDatabase, "addApplicationFontFromData", lambda _data: -1)
    assert theme.chinese_family(damaged) is None
    monkeypatch.setattr(QFontDatabase, "addApplicationFontFromData", lambda _data: 7)
    monkeypatch.setattr(QFontDatabase, "applicationFontFamilies", lambda _handle: ["Shipped Sans"])
    assert theme.chinese_family(damaged) == "Shipped Sans"


def test_the_systems_font_comes_first(qapp):
    font = theme.application_font(Path("missing"))
    assert font.families()[0] in (qapp.font().family(), *qapp.font().families())
    assert theme.application_font(Path("missing"), 12.5).pointSizeF() == 12.5


def test_scaled_fonts_keep_their_unit(qapp):
    points, pixels = QFont(), QFont()
    points.setPointSizeF(10)
    pixels.setPixelSize(20)
    assert theme.scaled_font(points, 1.5).pointSizeF() == 15
    assert theme.scaled_font(pixels, 0.5).pixelSize() == 10
    assert QFontMetricsF(theme.scaled_font(points, 2)).height() > QFontMetricsF(points).height()
    assert theme.scaled_font(points, 1, bold=True).weight() == QFont.Weight.DemiBold
