from __future__ import annotations

from pathlib import Path

import numpy as np
import pymupdf
import pytest
from document_invariants import words_outside
from pdf_making import LEADING, LEFT, TOP, opened, read, saved, write

from engine.document import ClauseKind, Document, FurnitureKind, pack, quads
from engine.reading.errors import ReadingError

PROSE = [
    "The Seller shall deliver the goods to the place that the Buyer names and",
    "shall insure them until they arrive there in good order. The Buyer pays on",
    "delivery.",
]


def test_lines_make_paragraphs(tmp_path: Path) -> None:
    def draw(file: pymupdf.Document) -> None:
        page = file.new_page()
        y = write(page, ["1. Delivery"])
        y = write(page, PROSE, y=y + 8)
        write(page, ["2. Price", "The price is low."], y=y + 8)

    document = read(saved(tmp_path, draw))
    assert document.text == f"1. Delivery\n{' '.join(PROSE)}\n2. Price\nThe price is low."
    assert words_outside(document) == []
    assert [c.number for c in document.clauses] == ["1", "2"]


def test_words_broken_at_a_line_end_are_joined(tmp_path: Path) -> None:
    lines = [
        "This clause governs the termi-",
        "nation of this non-",
        "exclusive licence and its non-exclusive use, as agreed.",
    ]
    document = read(saved(tmp_path, lambda file: write(file.new_page(), lines)))
    assert document.text == (
        "This clause governs the termination of this non-exclusive licence and its non-exclusive use, as agreed."
    )
    start = document.text.index("termination")
    boxes = quads(document, start, start + len("termination"))
    assert len(boxes) == 2
    assert boxes[0].y1 < boxes[1].y1


def test_chinese_lines_join_without_a_space(tmp_path: Path) -> None:
    def draw(file: pymupdf.Document) -> None:
        page = file.new_page()
        write(page, ["第一条 乙方应当自收到货物之日起按照本合同的约定向甲方支付货款，付款期限为三十", "日。"])
        write(page, ["本 合 同 自 签 订 之 日 起 生 效。"], y=200)

    document = read(saved(tmp_path, draw))
    assert "付款期限为三十日。" in document.text
    assert "本合同自签订之日起生效。" in document.text


def test_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    left = [f"Left line {n} of the first column here" for n in range(12)]
    right = [f"Right line {n} of the second column" for n in range(12)]

    def draw(file: pymupdf.Document) -> None:
        page = file.new_page()
        write(page, ["A title that stands across both of the columns on this page, quite wide"], y=70)
        write(page, left, x=60)
        write(page, right, x=320)

    text = read(saved(tmp_path, draw)).text.replace("\n", " ")
    assert text.index("title") < text.index("Left line 0") < text.index("Left line 11") < text.index("Right line 0")


def running(file: pymupdf.Document) -> None:
    for number, first in enumerate(["", "Buyer keeps.", "Lessor keeps for a year.", "Agent sends on."], start=1):
        page = file.new_page()
        page.insert_text((230, 40), "Execution Version", fontsize=9)
        page.insert_text((290, 800), f"Page {number}", fontsize=9)
        lines = [
            f"{number}. {'ABCD'[number - 1]} sale. {PROSE[0]}",
            PROSE[1],
            "delivery and the Seller gives a receipt for it which the",
        ]
        write(page, lines if number == 1 else [first, *lines])


def test_headers_and_page_numbers_are_kept_apart(tmp_path: Path) -> None:
    document = read(saved(tmp_path, running))
    assert "Execution" not in document.text
    assert "Page" not in document.text
    assert "which the Buyer keeps." in document.text
    kinds = {furniture.kind for furniture in document.furniture}
    assert {FurnitureKind.HEADER, FurnitureKind.PAGE_NUMBER} <= kinds
    start = document.text.index("which the Buyer keeps")
    assert {quad.page for quad in quads(document, start, start + 21)} == {0, 1}


def test_line_numbers_on_both_margins(tmp_path: Path) -> None:
    def draw(file: pymupdf.Document) -> None:
        page = file.new_page()
        for number in range(1, 13):
            y = TOP + LEADING * number
            page.insert_text((40, y), str(number), fontsize=11)
            page.insert_text((560, y), str(number), fontsize=11)
            page.insert_text(
                (LEFT, y), f"Words of line {'abcdefghijkl'[number - 1]} go from here to the margin and on", fontsize=11
            )

    document = read(saved(tmp_path, draw))
    assert not any(character.isdigit() for character in document.text)
    assert sum(f.kind is FurnitureKind.LINE_NUMBER for f in document.furniture) == 24


def test_print_over_print_is_read_once(tmp_path: Path) -> None:
    def draw(file: pymupdf.Document) -> None:
        page = file.new_page()
        for dx in (0.0, 0.3):
            page.insert_text((LEFT + dx, TOP), "1. PAYMENT IN ADVANCE", fontsize=11)

    assert read(saved(tmp_path, draw)).text == "1. PAYMENT IN ADVANCE"


def test_ligatures_come_apart(tmp_path: Path) -> None:
    def draw(file: pymupdf.Document) -> None:
        page = file.new_page()
        writer = pymupdf.TextWriter(page.rect)
        writer.append((LEFT, TOP), "e\ufb00ective and a\ufb03xed", font=pymupdf.Font("cjk"))
        writer.write_text(page)

    document = read(saved(tmp_path, draw))
    assert document.text == "effective and affixed"


def table(page: pymupdf.Page, rows: list[list[str]], top: float, *, columns: bool) -> None:
    edges = [LEFT, 200.0, 500.0]
    for index in range(len(rows) + 1):
        page.draw_line((edges[0], top + 40 * index), (edges[-1], top + 40 * index))
    for x in edges if columns else []:
        page.draw_line((x, top), (x, top + 40 * len(rows)))
    for index, row in enumerate(rows):
        for x, text in zip(edges, row, strict=False):
            write(page, text.split("/"), x=x + 6, y=top + 40 * index + 14)


@pytest.mark.parametrize("columns", [True, False])
def test_a_ruled_table_is_read_by_its_cells(tmp_path: Path, columns: bool) -> None:
    rows = [["Term", "24 months from/the Effective Date"], ["Governing/law", "England"], ["Notice", "30 days"]]

    def draw(file: pymupdf.Document) -> None:
        page = file.new_page()
        write(page, ["The key terms are as follows:"])
        table(page, rows, 120.0, columns=columns)
        write(page, ["The parties sign below."], y=300)

    document = read(saved(tmp_path, draw))
    assert [document.quote(s.start, s.end) for s in document.sentences] == [
        "The key terms are as follows:",
        "Term\n24 months from the Effective Date",
        "Governing law\nEngland",
        "Notice\n30 days",
        "The parties sign below.",
    ]
    assert sum(clause.kind is ClauseKind.TABLE_ROW for clause in document.clauses) == 3


def test_a_contract_inside_a_grid_is_no_table(tmp_path: Path) -> None:
    rows = [["1.", "Sale. The Seller sells/the goods."], ["2.", "Price. The Buyer pays/the price."]]
    document = read(saved(tmp_path, lambda file: table(file.new_page(), rows, 120.0, columns=True)))
    assert [clause.number for clause in document.clauses] == ["1", "2"]


def test_a_page_without_text_is_said(tmp_path: Path) -> None:
    def draw(file: pymupdf.Document) -> None:
        write(file.new_page(), PROSE)
        file.new_page()

    document = read(saved(tmp_path, draw))
    assert [(notice.code, notice.page) for notice in document.notices] == [("no_text_layer", 1)]
    assert (document.pages[1].start, document.pages[1].end) == (len(document.text), len(document.text))


@pytest.mark.parametrize("grey", [0, 90, 200])
def test_a_picture_below_a_header_is_said(tmp_path: Path, grey: int) -> None:
    """Nothing is read out of a page that is one solid area, black or not."""
    picture = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 20, 20))
    picture.clear_with(grey)

    def draw(file: pymupdf.Document) -> None:
        for number in range(3):
            page = file.new_page()
            page.insert_text((72, 40), "Case 4:08-cv-02214 Filed 01/29/2009", fontsize=9)
            if number == 1:
                page.insert_image(pymupdf.Rect(40, 80, 560, 800), pixmap=picture)
            else:
                write(page, PROSE)

    document = read(saved(tmp_path, draw))
    assert [(notice.code, notice.page) for notice in document.notices] == [("no_text_layer", 1)]


def test_the_same_bytes_give_the_same_document(tmp_path: Path) -> None:
    path = saved(tmp_path, running)
    assert pack(read(path)) == pack(read(path))


def ink_uncovered(path: str) -> float:
    """Share of the dark pixels that no character's box covers, over all pages."""
    file = opened(path)
    document: Document = file.document
    dark = uncovered = 0
    for page in document.pages:
        width, height = round(page.width_pt * 2) + 2, round(page.height_pt * 2) + 2
        target = bytearray(width * height * 3 + 4096)
        w, h, stride = file.render(page.index, 2.0, (), memoryview(target))
        image = np.frombuffer(target, np.uint8, h * stride).reshape(h, stride)[:, : w * 3].reshape(h, w, 3)
        ink = image.min(axis=2) < 128
        for x0, y0, x1, y1 in document.boxes.rect[document.boxes.page == page.index]:
            ink[max(0, int(y0 * 2) - 1) : int(y1 * 2) + 2, max(0, int(x0 * 2) - 1) : int(x1 * 2) + 2] &= False
        total = int((image.min(axis=2) < 128).sum())
        dark += total
        uncovered += int(ink.sum())
    file.close()
    assert dark > 500
    return uncovered / dark


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("shifted", [False, True])
def test_boxes_cover_the_ink(tmp_path: Path, rotation: int, shifted: bool) -> None:
    def draw(file: pymupdf.Document) -> None:
        page = file.new_page()
        write(page, ["1. Delivery", *PROSE])
        write(page, ["第二条 租金为每月五千元。"], y=300)
        if shifted:
            page.set_mediabox(pymupdf.Rect(-30, -40, 600, 900))
            page.set_cropbox(pymupdf.Rect(20, 30, 580, 800))
        page.set_rotation(rotation)

    assert ink_uncovered(saved(tmp_path, draw)) < 0.002


def test_text_turned_with_its_page_is_read_in_order(tmp_path: Path) -> None:
    def draw(file: pymupdf.Document) -> None:
        page = file.new_page()
        for number, line in enumerate(["1. Delivery", *PROSE]):
            page.insert_text((100 + LEADING * number, 700), line, fontsize=11, rotate=90)
        page.set_rotation(90)

    document = read(saved(tmp_path, draw))
    assert document.text == f"1. Delivery\n{' '.join(PROSE)}"
    assert (document.pages[0].width_pt, document.pages[0].height_pt) == (842, 595)


def test_rendering_into_too_little_memory(tmp_path: Path) -> None:
    file = opened(saved(tmp_path, running))
    with pytest.raises(ReadingError, match="too large"):
        file.render(0, 1.0, (), memoryview(bytearray(100)))
    with pytest.raises(ValueError, match="no page"):
        file.render(9, 1.0, (), memoryview(bytearray(100)))
    part = file.render(0, 1.0, (100.0, 100.0, 200.0, 150.0), memoryview(bytearray(100 * 50 * 3)))
    assert part == (100, 50, 300)
    file.close()


def test_pages_can_be_drawn_between_two_steps(tmp_path: Path) -> None:
    from engine.reading.open_file import open_file

    file = open_file(saved(tmp_path, running))
    steps = file.read()
    next(steps)
    assert file.render(3, 0.1, (), memoryview(bytearray(60 * 85 * 3)))[0] == 60
    with pytest.raises(RuntimeError):
        _ = file.document
    for _ in steps:
        pass
    assert file.document.text
    file.close()


def test_a_font_that_says_the_wrong_letters_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTINOMY_OCR", "none")
    lines = ["WKH VHOOHU VKDOO GHOLYHU WKH JRRGV WR WKH SODFH WKDW WKH EXBHU"] * 3
    document = read(saved(tmp_path, lambda file: write(file.new_page(), lines)))
    assert [notice.code for notice in document.notices] == ["unreadable_font"]
    assert document.text == ""


def test_values_of_form_fields_are_read(tmp_path: Path) -> None:
    def draw(file: pymupdf.Document) -> None:
        page = file.new_page()
        write(page, ["Name of the Buyer:"])
        field = pymupdf.Widget()
        field.field_type, field.field_name = pymupdf.PDF_WIDGET_TYPE_TEXT, "buyer"
        field.rect, field.field_value, field.text_fontsize = pymupdf.Rect(170, 78, 400, 96), "Acme Trading Ltd", 11
        page.add_widget(field)
        box = pymupdf.Widget()
        box.field_type, box.field_name = pymupdf.PDF_WIDGET_TYPE_CHECKBOX, "yes"
        box.rect, box.field_value = pymupdf.Rect(72, 140, 84, 152), True
        page.add_widget(box)
        write(page, ["Agreed."], x=90, y=150)

    text = read(saved(tmp_path, draw)).text
    assert "Name of the Buyer: Acme Trading Ltd" in text
    assert "☑ Agreed." in text


def test_needless_spaces_in_chinese(tmp_path: Path) -> None:
    def draw(file: pymupdf.Document) -> None:
        page = file.new_page()
        write(page, ["附件： 保密协议， 签署时间： 2024年"])

    assert read(saved(tmp_path, draw)).text == "附件：保密协议，签署时间：2024年"


def test_footnotes_stand_apart_and_do_not_cut_a_sentence(tmp_path: Path) -> None:
    def draw(file: pymupdf.Document) -> None:
        page = file.new_page()
        write(
            page,
            [
                "1. Price. The price is paid¹ on delivery and it is never less than the",
                "amount that the Seller states in its list as valid on the day of",
            ],
        )
        page.insert_text((LEFT, 700), "1 In euro, without value added tax.", fontsize=8)
        write(file.new_page(), ["the order."])

    document = read(saved(tmp_path, draw))
    sentences = [document.quote(s.start, s.end) for s in document.sentences]
    assert sentences[0].endswith("valid on the day of the order.")
    assert sentences[1] == "1 In euro, without value added tax."
    note = document.clauses[-1]
    assert (note.kind, note.page) == (ClauseKind.FOOTNOTE, 0)


def test_a_sentence_over_a_page_number_of_the_original(tmp_path: Path) -> None:
    def draw(file: pymupdf.Document) -> None:
        for number in range(2, 6):
            page = file.new_page()
            y = write(
                page,
                [f"{number}. Sale {'abcdef'[number]}. {PROSE[0]}", PROSE[1], "delivery to the account of the"],
                y=200,
            )
            page.insert_text((290, y + 20), f"-{number}-", fontsize=11)
            write(page, ["Seller and not later."], y=y + 60)

    document = read(saved(tmp_path, draw))
    assert document.text.count("to the account of the Seller and not later.") == 4
    assert [clause.number for clause in document.clauses] == ["2", "3", "4", "5"]


@pytest.mark.parametrize("rotation", [0, 90])
def test_annotations_are_counted_and_not_read(tmp_path: Path, rotation: int) -> None:
    def draw(file: pymupdf.Document) -> None:
        page = file.new_page()
        write(page, ["The Buyer is"])
        field = pymupdf.Widget()
        field.field_type, field.field_name = pymupdf.PDF_WIDGET_TYPE_TEXT, "buyer"
        field.rect, field.field_value, field.text_fontsize = pymupdf.Rect(170, 78, 400, 96), "Acme Trading Ltd", 11
        page.add_widget(field)
        page.add_freetext_annot((72, 300, 300, 340), "Check this with Ann")
        page.add_stamp_annot((300, 400, 400, 440))
        page.set_rotation(rotation)

    document = read(saved(tmp_path, draw))
    assert document.text == "The Buyer is Acme Trading Ltd"
    assert [(notice.code, notice.text.partition(" (")[0]) for notice in document.notices] == [
        ("annotations", "2 annotations")
    ]
    assert words_outside(document) == []


def test_a_file_that_had_to_be_repaired_says_so(tmp_path: Path) -> None:
    path = Path(saved(tmp_path, running))
    data = path.read_bytes()
    path.write_bytes(data[: data.rindex(b"xref\n") if b"xref\n" in data else -60])
    notice = read(str(path)).notices[0]
    assert (notice.code, notice.text) == ("repaired", "The file is damaged or cut off; 4 pages could be read.")
