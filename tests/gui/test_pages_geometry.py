"""Layout, zoom, history, cache and requests: what the page view computes without drawing."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from painted_pages import HEIGHT_PT, LEFT_PT, WIDTH_PT, PaintedPages, contract, painted
from PySide6.QtCore import QMimeData, QPointF, QRectF, QSizeF
from PySide6.QtGui import QColor, QImage

from gui.pages.history import Fit, History, Place
from gui.pages.image_cache import ImageCache
from gui.pages.page_images import TILE_PX, WHOLE_PAGE_PIXELS, PageImages, tiles, whole_or_underlay
from gui.pages.page_layout import GAP_PX, MARGIN_PX, PageLayout
from gui.pages.page_source import ImageKey, sane_size
from gui.pages.page_tone import tone
from gui.pages.revealing import offset_to_show
from gui.pages.span_mime import SPAN_MIME_TYPE, decode_span, encode_span
from gui.pages.wanted_images import wanted_images
from gui.pages.zooming import MAX_ZOOM, MIN_ZOOM, clamp_zoom, fitting_zoom, step_zoom, text_edges
from gui.theme import Theme

A4 = QSizeF(WIDTH_PT, HEIGHT_PT)
sizes = st.lists(
    st.builds(QSizeF, st.floats(50, 3000, width=32), st.floats(50, 3000, width=32)), min_size=1, max_size=12
)


@given(sizes, st.floats(0.1, 12), st.sampled_from([1.0, 1.25, 1.5, 2.0]), st.data())
def test_places_on_pages_survive_the_way_to_pixels_and_back(sheets, scale, ratio, data):
    layout = PageLayout(sheets, scale, 800, ratio)
    page = data.draw(st.integers(0, len(sheets) - 1))
    x = data.draw(st.floats(0, sheets[page].width()))
    y = data.draw(st.floats(0, max(0.0, sheets[page].height() - 2 / scale)))
    back = layout.to_page(layout.to_content(page, x, y))
    assert back[0] == page
    assert back[1:] == pytest.approx((x, y), abs=1e-6 * max(1.0, layout.height))


@given(sizes, st.floats(0.1, 12), st.sampled_from([1.0, 1.5, 2.0]))
def test_sheets_are_whole_device_pixels_and_do_not_overlap(sheets, scale, ratio):
    layout = PageLayout(sheets, scale, 500, ratio)
    rects = [layout.sheet(i) for i in range(len(sheets))]
    for rect in rects:
        assert rect.width() * ratio == pytest.approx(round(rect.width() * ratio))
        assert rect.left() >= 0
        assert rect.right() <= layout.width + 1e-6
    for above, below in itertools.pairwise(rects):
        assert below.top() - above.bottom() == pytest.approx(GAP_PX)
    assert rects[-1].bottom() + MARGIN_PX == pytest.approx(layout.height)


@given(st.floats(), st.floats())
def test_absurd_page_sizes_become_possible_ones(width, height):
    size = sane_size(QSizeF(width, height))
    assert 3 <= size.width() <= 14_400
    assert 3 <= size.height() <= 14_400
    assert fitting_zoom(Fit.PAGE, [size], 0, QSizeF(800, 600), 1.0, None) is not None
    key, sharp = whole_or_underlay(0, size, 2.0)
    pixels = key.scale**2 * size.width() * size.height()
    assert pixels <= WHOLE_PAGE_PIXELS * 1.01 or not sharp


def test_a_layout_without_pages_is_empty():
    layout = PageLayout((), 1.0, 300)
    assert layout.count == 0
    assert layout.pages_between(0, 1000) == range(0)


def test_the_main_page_is_the_one_that_shows_most():
    layout = PageLayout([A4, A4], 1.0)
    assert layout.main_page(0, 600) == 0
    assert layout.main_page(500, 1100) == 0
    assert layout.main_page(700, 1300) == 1


def test_zoom_steps_reach_the_limits_and_stay_there():
    zoom = 1.0
    for _ in range(40):
        zoom = step_zoom(zoom, 1)
    assert zoom == MAX_ZOOM
    for _ in range(40):
        zoom = step_zoom(zoom, -1)
    assert zoom == MIN_ZOOM
    assert clamp_zoom(100) == MAX_ZOOM
    assert clamp_zoom(0.001) == MIN_ZOOM


def test_fits_fill_the_view():
    view = QSizeF(800, 600)
    width = fitting_zoom(Fit.WIDTH, [A4], 0, view, 1.0, None)
    assert width is not None
    assert width * WIDTH_PT + 2 * MARGIN_PX == pytest.approx(800)
    page = fitting_zoom(Fit.PAGE, [A4], 0, view, 1.0, None)
    assert page is not None
    assert page * HEIGHT_PT + 2 * MARGIN_PX == pytest.approx(600)
    edges = text_edges(contract(2))
    assert edges is not None
    assert edges[0] == pytest.approx(LEFT_PT, abs=1)
    text = fitting_zoom(Fit.TEXT, [A4], 0, view, 1.0, (72, 400))
    assert text is not None
    assert text > width
    assert fitting_zoom(Fit.TEXT, [A4], 0, view, 1.0, None) == width
    assert fitting_zoom(Fit.CUSTOM, [A4], 0, view, 1.0, None) is None
    assert fitting_zoom(Fit.WIDTH, [], 0, view, 1.0, None) is None


def test_history_goes_back_and_forward_exactly():
    history = History()
    places = [Place(i, 1.5 * i, 2.25 * i, 1.1) for i in range(4)]
    for place in places[:3]:
        history.leave(place)
    assert history.back(places[3]) == places[2]
    assert history.back(places[2]) == places[1]
    assert history.forward(places[1]) == places[2]
    assert history.forward(places[2]) == places[3]
    assert not history.can_go_forward
    assert history.forward(places[3]) is None
    history.leave(places[0])
    assert not history.can_go_forward


def _image(side: int) -> QImage:
    return QImage(side, side, QImage.Format.Format_RGB32)


def test_the_cache_drops_the_least_recently_shown_but_never_what_is_protected():
    cache = ImageCache(3 * 4 * 100)
    keys = [ImageKey(i, 1.0) for i in range(5)]
    for key in keys[:3]:
        cache.put(key, _image(10))
    assert cache.get(keys[0]) is not None
    cache.put(keys[3], _image(10))
    assert keys[1] not in cache
    assert keys[0] in cache
    cache.put(keys[4], _image(10), protected={keys[2], keys[0], keys[3]})
    assert len(cache) == 4
    assert cache.used_bytes == 4 * 400


def test_the_nearest_image_is_of_the_page_itself_and_rather_larger():
    cache = ImageCache()
    small, large, other = _image(10), _image(20), _image(30)
    cache.put(ImageKey(0, 1.0), small)
    cache.put(ImageKey(0, 4.0), large)
    cache.put(ImageKey(1, 2.0), other)
    assert cache.nearest(0, 2.0) is large
    assert cache.nearest(0, 1.1) is small
    assert cache.nearest(2, 1.0) is None
    cache.discard(ImageKey(0, 1.0))
    cache.discard(ImageKey(0, 4.0))
    assert cache.nearest(0, 1.0) is None


@given(st.floats(3, 24), st.floats(0, 500), st.floats(0, 800), st.floats(1, 600), st.floats(1, 600))
def test_tiles_cover_what_shows_and_are_capped(scale, x, y, width, height):
    part = QRectF(x, y, width, height) & QRectF(0, 0, WIDTH_PT, HEIGHT_PT)
    found = tiles(0, A4, scale, part)
    covered = QRectF()
    for key in found:
        x0, y0, x1, y1 = key.clip
        assert (x1 - x0) * key.scale <= TILE_PX + 0.01
        assert (y1 - y0) * key.scale <= TILE_PX + 0.01
        covered |= QRectF(QPointF(x0, y0), QPointF(x1, y1))
    if not part.isEmpty():
        assert covered.adjusted(-0.01, -0.01, 0.01, 0.01).contains(part)


def test_a_page_too_large_is_drawn_over_a_coarser_whole():
    key, sharp = whole_or_underlay(0, A4, 2.0)
    assert sharp
    assert key.scale == 2.0
    key, sharp = whole_or_underlay(0, A4, 10.0)
    assert not sharp
    assert key.scale**2 * WIDTH_PT * HEIGHT_PT < WHOLE_PAGE_PIXELS


def test_wanted_images_start_with_the_main_page_and_look_ahead():
    layout = PageLayout([A4] * 10, 1.0, 600)
    wanted = wanted_images(layout, [A4] * 10, QRectF(0, 30 + 3 * (842 + GAP_PX), 600, 700), 1.0, 3, True)
    assert [key.page for key in wanted] == [3, 4, 5, 2]
    back = wanted_images(layout, [A4] * 10, QRectF(0, 30 + 3 * (842 + GAP_PX), 600, 700), 1.0, 3, False)
    assert [key.page for key in back] == [3, 2, 1, 4]


def test_requests_follow_what_is_wanted(qtbot):
    source = PaintedPages(9, holds=True)
    images = PageImages()
    images.set_source(source)
    first = [ImageKey(i, 1.0) for i in range(4)]
    images.want(first)
    assert source.waiting == first[:2]
    later = [ImageKey(7, 1.0), first[1]]
    images.want(later)
    assert source.withdrawn == [first[0]]
    assert set(source.waiting) == set(later)
    source.answer(later[0])
    assert images.is_sharp(later[0])
    source.fail(first[1])
    assert images.idle
    images.want(later)
    assert not source.waiting
    source.renewed.emit()
    assert source.waiting == [first[1]]
    images.set_source(None)
    assert not source.waiting


def test_an_image_that_comes_after_another_document_was_opened_is_not_shown(qtbot):
    old, new = PaintedPages(2, holds=True), PaintedPages(2, holds=True)
    images = PageImages()
    images.set_source(old)
    images.want([ImageKey(0, 1.0)])
    images.set_source(new)
    old.image_ready.emit(ImageKey(0, 1.0), painted(ImageKey(0, 1.0)))
    assert not images.is_sharp(ImageKey(0, 1.0))


def test_dark_keeps_hue_and_makes_highlights_dark(qapp):
    image = QImage(64, 64, QImage.Format.Format_RGB888)
    image.fill(QColor("white"))
    assert tone(image, Theme.DARK).pixelColor(5, 5).lightness() < 60
    image.fill(QColor("black"))
    assert tone(image, Theme.DARK).pixelColor(5, 5).lightness() > 180
    image.fill(QColor(255, 255, 0))
    yellow = tone(image, Theme.DARK).pixelColor(5, 5)
    assert yellow.lightness() < 110
    assert yellow.hue() == pytest.approx(60, abs=4)
    image.fill(QColor(200, 0, 0))
    red = tone(image, Theme.DARK).pixelColor(5, 5)
    assert red.red() > red.green() + 40
    image.fill(QColor("white"))
    assert tone(image, Theme.SEPIA).pixelColor(5, 5) == QColor("#F6EEDC")


def test_themes_change_what_is_shown_without_white_flashes(qtbot):
    source = PaintedPages(3, holds=True)
    images = PageImages()
    images.set_source(source)
    key = ImageKey(0, 1.0)
    images.want([key])
    source.answer(key)
    images.set_theme(Theme.DARK)
    assert images.is_sharp(key), "a light image is turned at once"
    images.set_theme(Theme.SEPIA)
    assert not images.is_sharp(key)
    assert images.cache.nearest(0, 1.0) is not None, "until the new one comes the old one stands in"
    source.answer(key)
    assert images.is_sharp(key)


def test_revealing_moves_only_when_it_must():
    seen = QRectF(0, 1000, 600, 800)
    inside, below = QRectF(100, 1300, 200, 20), QRectF(100, 4000, 200, 20)
    assert offset_to_show([inside], seen) is None
    there = offset_to_show([below], seen)
    assert there is not None
    assert there.y() == pytest.approx(4000 - 200)
    both = offset_to_show([QRectF(100, 2000, 200, 20), QRectF(100, 2400, 200, 20)], seen)
    assert both is not None
    assert both.y() < 2000
    assert both.y() + 800 > 2420
    far = offset_to_show([below, QRectF(100, 9000, 200, 20)], seen)
    assert far is not None
    assert far.y() == pytest.approx(4000 - 200)
    right = offset_to_show([QRectF(900, 1300, 200, 20)], seen)
    assert right is not None
    assert right.x() <= 900
    assert right.x() + 600 >= 1100


@given(st.text(min_size=1, max_size=80), st.integers(0, 2**31), st.integers(1, 2**20))
def test_dragged_spans_survive_the_clipboard(document, start, length):
    span = decode_span(encode_span(document, start, start + length, "text"))
    assert span is not None
    assert (span.document, span.start, span.end) == (document, start, start + length)


@pytest.mark.parametrize(
    "raw",
    [b"", b"{", b"[]", b'{"document":"d","start":5,"end":5}', b'{"document":"d","start":-1,"end":5}',
     b'{"document":1,"start":1,"end":5}', b'{"document":"d","start":1,"end":5,"more":1}', b" " * 10_000],
)  # fmt: skip
def test_foreign_or_damaged_drags_are_none(raw):
    data = QMimeData()
    data.setData(SPAN_MIME_TYPE, raw)
    assert decode_span(data) is None
    assert decode_span(QMimeData()) is None
