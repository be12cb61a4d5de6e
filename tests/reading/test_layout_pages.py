"""The layout's boxes against what MuPDF finds on the drawn pages, and against the ink."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.reading.layout import (
    Alignment,
    Border,
    Cell,
    Flow,
    Footnotes,
    LabelFollow,
    LaidOut,
    Layout,
    PageFurniture,
    PageGeometry,
    Paragraph,
    ParagraphStyle,
    Row,
    Section,
    Span,
    Table,
    TabStop,
    TextStyle,
    lay_out,
)
from engine.reading.mupdf import pymupdf

ENGLISH = "The Supplier shall deliver the Goods within thirty (30) days, except as “provided” in Section 4.2. "
CHINESE = "第三条 租赁期限共12个月，自2024年1月1日起至2024年12月31日止。出租方（以下简称“甲方”）应当交付。"
SMALL = PageGeometry(300, 300, 36, 36, 36, 36)


PLAIN, PLAIN_LOOK = ParagraphStyle(), TextStyle()


def flow_of(*texts: str, style: ParagraphStyle = PLAIN, look: TextStyle = PLAIN_LOOK) -> tuple[str, Flow]:
    text, flow = "", []
    for piece in texts:
        start = len(text)
        flow.append(Paragraph(start, start + len(piece), style, (Span(start, start + len(piece), look),)))
        text += piece + "\n"
    return text, flow


def drawn(laid_out: LaidOut) -> list[list[tuple[str, tuple[float, ...]]]]:
    """Per page the characters that MuPDF finds, blanks left out."""
    pages = []
    with pymupdf.open("pdf", laid_out.pdf) as file:
        for page in file:
            blocks = page.get_text("rawdict", flags=0)["blocks"]
            characters = [c for b in blocks for line in b["lines"] for span in line["spans"] for c in span["chars"]]
            pages.append([(c["c"], c["bbox"]) for c in characters if not c["c"].isspace()])
    return pages


def check_against_mupdf(text: str, laid_out: LaidOut, tolerance_pt: float = 0.06) -> None:
    for page, found in zip(laid_out.pages, drawn(laid_out), strict=True):
        wanted = [i for i in range(page.start, page.end) if not text[i].isspace()]
        assert "".join(c for c, _ in found) == "".join(text[i] for i in wanted)
        for (_, box), i in zip(found, wanted, strict=True):
            assert np.allclose(box, laid_out.boxes.rect[i], atol=tolerance_pt), (text[i], box, laid_out.boxes.rect[i])


STYLES = [
    ParagraphStyle(),
    ParagraphStyle(alignment=Alignment.JUSTIFY, first_line_pt=24, space_after_pt=6),
    ParagraphStyle(alignment=Alignment.CENTRE, left_pt=20, right_pt=20),
    ParagraphStyle(alignment=Alignment.RIGHT, line_spacing=1.5),
    ParagraphStyle(alignment=Alignment.JUSTIFY, left_pt=36, first_line_pt=-18, line_height_pt=20),
]
LOOKS = [
    TextStyle(spacing_pt=1.5),
    TextStyle(),
    TextStyle(bold=True, serif=False),
    TextStyle(italic=True, size_pt=14),
    TextStyle(mono=True, size_pt=8),
]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("look", LOOKS)
def test_boxes_agree_with_the_drawn_page(style: ParagraphStyle, look: TextStyle) -> None:
    text, flow = flow_of(ENGLISH * 3, CHINESE * 3, ENGLISH + CHINESE, style=style, look=look)
    # Characters without an italic cut are slanted: MuPDF's boxes go around the slant.
    check_against_mupdf(text, lay_out(text, flow), 2.0 if look.italic else 0.06)


def test_tabs_labels_and_mixed_runs_agree_with_the_drawn_page() -> None:
    text = "1.1 Payment.\tThe Buyer\tpays.\n(a) 付款 second\nName:\t______\tDate"
    style = ParagraphStyle(left_pt=36, first_line_pt=-36, alignment=Alignment.JUSTIFY)
    stops = ParagraphStyle(tabs=(TabStop(200, Alignment.CENTRE), TabStop(400, Alignment.RIGHT)))
    flow: Flow = [
        Paragraph(0, 28, style, (Span(0, 12, TextStyle(bold=True)), Span(12, 28, TextStyle(size_pt=9))), label_end=3),
        Paragraph(29, 42, style, label_end=32, label_follow=LabelFollow.NOTHING),
        Paragraph(43, len(text), stops),
    ]
    laid_out = lay_out(text, flow)
    check_against_mupdf(text, laid_out)
    left = 72.0
    assert laid_out.boxes.rect[4, 0] == pytest.approx(left + 36, abs=0.05)
    assert laid_out.boxes.rect[33, 0] == pytest.approx(laid_out.boxes.rect[31, 2], abs=0.05)
    assert laid_out.boxes.rect[len(text) - 1, 2] == pytest.approx(left + 400, abs=0.05)


def test_ink_lies_inside_the_boxes() -> None:
    text, flow = flow_of(
        ENGLISH * 2, CHINESE * 2, "ÅÉÖ gjpqy |[]{} §¶ 龘靐", style=STYLES[1], look=TextStyle(size_pt=12)
    )
    laid_out = lay_out(text, flow)
    scale = 4
    with pymupdf.open("pdf", laid_out.pdf) as file:
        image = file[0].get_pixmap(matrix=pymupdf.Matrix(scale, scale), colorspace=pymupdf.csGRAY)
    ink = np.frombuffer(image.samples, np.uint8).reshape(image.height, image.stride)[:, : image.width] < 128
    covered = np.zeros_like(ink)
    for x0, y0, x1, y1 in laid_out.boxes.rect * scale:
        covered[int(y0) - 1 : int(y1) + 2, int(x0) - 3 : int(x1) + 4] = True
    assert ink.any()
    assert not (ink & ~covered).any()


def test_long_words_are_broken_and_stay_in_the_column() -> None:
    text, flow = flow_of("x" * 3000)
    laid_out = lay_out(text, flow, SMALL)
    check_against_mupdf(text, laid_out)
    assert laid_out.boxes.rect[:, 2].max() <= 300 - 36 + 0.1


def test_no_line_begins_with_closing_punctuation() -> None:
    text, flow = flow_of("甲方应当，按照约定支付租金。" * 40)
    laid_out = lay_out(text, flow, SMALL)
    tops = laid_out.boxes.rect[:-1, 1]
    begins = np.flatnonzero(np.diff(tops) != 0) + 1
    assert begins.size > 5
    assert not {text[i] for i in begins} & set("，。")


def test_a_character_without_a_glyph_gets_a_frame_and_a_box() -> None:
    text, flow = flow_of("a🂡b")
    laid_out = lay_out(text, flow)
    x = laid_out.boxes.rect[:3, [0, 2]]
    assert (x[:, 1] > x[:, 0]).all()
    assert x[1, 0] == pytest.approx(x[0, 1], abs=0.01)


def test_pages_cover_the_text_in_order() -> None:
    text, flow = flow_of(*[ENGLISH * 2] * 40)
    laid_out = lay_out(text, flow, SMALL)
    assert len(laid_out.pages) > 5
    assert laid_out.pages[0].start == 0
    assert laid_out.pages[-1].end == len(text)
    for a, b in zip(laid_out.pages, laid_out.pages[1:], strict=False):
        assert a.end == b.start
    rect = laid_out.boxes.rect
    assert rect[:, 1].min() >= 36 - 3
    assert rect[:, 3].max() <= 300 - 36 + 3


def test_a_heading_stays_with_what_it_heads() -> None:
    body = [ENGLISH] * 9
    text, flow = flow_of(*body, "HEADING", ENGLISH * 2)
    heading = flow[9]
    assert isinstance(heading, Paragraph)
    flow[9] = Paragraph(heading.start, heading.end, ParagraphStyle(keep_with_next=True))
    laid_out = lay_out(text, flow, SMALL)
    following = flow[10]
    assert isinstance(following, Paragraph)
    assert laid_out.boxes.page[heading.start] == laid_out.boxes.page[following.start]


def test_page_breaks_sections_and_sizes() -> None:
    text = "one\ntwo\nthree"
    flow: Flow = [
        Section(
            PageGeometry.letter(),
            header=(PageFurniture("Draft"),),
            footer=(PageFurniture("\ue000/\ue001", Alignment.CENTRE),),
        ),
        Paragraph(0, 3),
        Paragraph(4, 7, ParagraphStyle(page_break_before=True)),
        Section(PageGeometry(841.89, 595.28)),
        Paragraph(8, 13),
    ]
    laid_out = lay_out(text, flow)
    assert [(p.width_pt, p.start, p.end) for p in laid_out.pages] == [(612.0, 0, 4), (612.0, 4, 8), (841.89, 8, 13)]
    assert [(f.page, f.text) for f in laid_out.furniture] == [(0, "Draft"), (0, "1/3"), (1, "Draft"), (1, "2/3")]


def cell(text: str, start: int, column: int, **more: int) -> Cell:
    return Cell(column, (Paragraph(start, start + len(text)),), border=Border(1, 1, 1, 1), **more)


def test_table_cells_stand_side_by_side_and_rows_below_each_other() -> None:
    text = "Fee\nA\nB\nC"
    rows = (
        Row((cell("Fee", 0, 0, column_span=2),)),
        Row((cell("A", 4, 0, row_span=2), cell("B", 6, 1))),
        Row((cell("C", 8, 1),)),
    )
    laid_out = lay_out(text, [Table((100.0, 100.0), rows)])
    rect = laid_out.boxes.rect
    assert rect[4, 1] == rect[6, 1]
    assert rect[8, 1] > rect[6, 3] - 3
    assert rect[6, 0] - rect[4, 0] == pytest.approx(100, abs=0.01)
    check_against_mupdf(text, laid_out)


def test_a_row_taller_than_a_page_goes_on_on_the_next() -> None:
    long = ENGLISH * 40
    text = long + "\n" + "right"
    row = Row((cell(long, 0, 0), cell("right", len(long) + 1, 1)))
    laid_out = lay_out(text, [Table((150.0, 70.0), (row,))], SMALL)
    rect = laid_out.boxes.rect[: len(long)]
    assert len(laid_out.pages) > 3
    assert rect[:, 3].max() <= 300 - 36 + 3
    assert laid_out.boxes.page[len(long) + 1] == 0


def test_notes_stand_at_the_foot_of_the_page_of_their_paragraph() -> None:
    text, flow = flow_of(*[ENGLISH] * 8, "¹ A note.", *[ENGLISH] * 4, "² Another.", ENGLISH)
    for i in (8, 13):
        note = flow[i]
        assert isinstance(note, Paragraph)
        flow[i] = Footnotes((note,))
    laid_out = lay_out(text, flow, SMALL)
    check_ends = [i for i, c in enumerate(text) if c in "¹²"]
    for at in check_ends:
        page = laid_out.boxes.page[at]
        assert page == laid_out.boxes.page[at - 2]
        on_page = (laid_out.boxes.page == page) & (laid_out.boxes.rect[:, 2] > laid_out.boxes.rect[:, 0])
        assert laid_out.boxes.rect[at, 3] >= laid_out.boxes.rect[on_page, 3].max() - 20
        assert laid_out.boxes.rect[at, 3] > 230
    assert laid_out.boxes.rect[:, 3].max() <= 300 - 36 + 4
    assert (np.diff([p.start for p in laid_out.pages]) > 0).all()


def test_notes_longer_than_a_page_go_on() -> None:
    text, flow = flow_of("text", ENGLISH * 30, "after")
    note = flow[1]
    assert isinstance(note, Paragraph)
    flow[1] = Footnotes((note,))
    laid_out = lay_out(text, flow, SMALL)
    assert laid_out.boxes.rect[:, 3].max() <= 300 - 36 + 4
    assert len(laid_out.pages) > 2


def test_code_points_outside_paragraphs_have_empty_boxes() -> None:
    text, flow = flow_of("one", "two")
    rect = lay_out(text, flow).boxes.rect
    assert rect[3, 0] == rect[3, 2] == rect[2, 2]


def test_the_same_input_gives_the_same_bytes() -> None:
    text, flow = flow_of(ENGLISH, CHINESE)
    assert lay_out(text, flow).pdf == lay_out(text, flow).pdf


def test_a_result_is_not_there_before_the_end() -> None:
    layout = Layout("x", [Paragraph(0, 1)])
    with pytest.raises(RuntimeError):
        _ = layout.result


def test_an_empty_flow_is_one_page() -> None:
    laid_out = lay_out("", [])
    assert [(p.start, p.end) for p in laid_out.pages] == [(0, 0)]
    assert len(laid_out.boxes) == 0


def test_a_line_feed_inside_a_paragraph_ends_the_line() -> None:
    rect = lay_out("ab\ncd\n", [Paragraph(0, 6)]).boxes.rect
    assert rect[0, 0] == rect[3, 0]
    assert rect[3, 1] > rect[0, 1] + 5


ANY_TEXT = st.text(st.characters(codec="utf-8"), max_size=200)


@settings(max_examples=60, deadline=None)
@given(st.lists(ANY_TEXT, max_size=5), st.sampled_from(STYLES), st.sampled_from(LOOKS))
def test_any_text_gets_finite_boxes_in_order(pieces: list[str], style: ParagraphStyle, look: TextStyle) -> None:
    text, flow = flow_of(*pieces, style=style, look=look)
    laid_out = lay_out(text, flow, SMALL)
    rect = laid_out.boxes.rect
    assert len(rect) == len(text)
    assert np.isfinite(rect).all()
    assert (rect[:, 2] >= rect[:, 0] - 1e-3).all()
    assert (np.diff(laid_out.boxes.page) >= 0).all()
    assert laid_out.pages[-1].end == len(text)
