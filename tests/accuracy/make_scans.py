"""Scans of files whose text is known: pages drawn, put askew, soiled, and kept as pictures in a PDF.

    python -m tests.accuracy.make_scans contract.pdf scan.pdf --dpi 200 --tilt 2 --turn 90 --noise --pages 3
"""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path

import numpy as np
import pymupdf

from engine.document import Document
from engine.reading.open_file import open_file


@dataclasses.dataclass(frozen=True, slots=True)
class Scanner:
    """How pages come out of the scanner.

    Attributes:
        dpi: dots an inch.
        tilt: degrees by which a page lies askew, clockwise.
        turn: degrees by which it was laid in wrongly, clockwise: 0, 90, 180, 270.
        noise: grey paper, specks, soft edges, and a stronger JPEG compression.
    """

    dpi: int = 300
    tilt: float = 0.0
    turn: int = 0
    noise: bool = False


def scan(path: Path, target: Path, scanner: Scanner, most_pages: int = 0) -> Document:
    """Write the first pages of a file as pictures; returns the file's own Document.

    Args:
        path: a PDF, DOCX or text file.
        target: the PDF to write.
        scanner: how.
        most_pages: 0 for all.
    """
    file = open_file(str(path))
    for _ in file.read():
        pass
    document = file.document
    count = min(len(document.pages), most_pages or len(document.pages))
    with pymupdf.open() as made:
        for index in range(count):
            _add_page(made, _page_image(file, index, scanner.dpi), scanner, index)
        made.save(target, deflate=True)
    file.close()
    return document


def _page_image(file: object, index: int, dpi: int) -> np.ndarray:
    size = file.page_sizes[index]
    scale = dpi / 72
    memory = bytearray(int((size.width_pt * scale + 2) * (size.height_pt * scale + 2) * 3.2) + 4096)
    width, height, stride = file.render(index, scale, (), memoryview(memory))
    rows = np.frombuffer(memory, np.uint8)[: height * stride].reshape(height, stride)
    return rows[:, : width * 3].reshape(height, width, 3)


def _add_page(made: pymupdf.Document, image: np.ndarray, scanner: Scanner, seed: int) -> None:
    grey = image.astype(np.float32).mean(axis=2)
    if scanner.noise:
        grey = _soiled(grey, seed)
    grey = np.rot90(np.clip(grey, 0, 255).astype(np.uint8), -scanner.turn // 90)
    height, width = grey.shape
    pixels = pymupdf.Pixmap(pymupdf.csGRAY, width, height, np.ascontiguousarray(grey).tobytes(), False)
    points = 72 / scanner.dpi
    flat = made.new_page(width=width * points, height=height * points)
    jpeg = pixels.tobytes("jpeg", jpg_quality=60 if scanner.noise else 90)
    if not scanner.tilt:
        flat.insert_image(flat.rect, stream=jpeg)
        return
    # The sheet lies askew on the glass: drawn turned about its middle, then taken as a picture again.
    with pymupdf.open() as sheet:
        page = sheet.new_page(width=flat.rect.width, height=flat.rect.height)
        page.insert_image(page.rect, stream=jpeg)
        middle = pymupdf.Point(page.rect.width / 2, page.rect.height / 2)
        turned = pymupdf.Matrix(1, 0, 0, 1, -middle.x, -middle.y) * pymupdf.Matrix(scanner.tilt)
        turned = turned * pymupdf.Matrix(1, 0, 0, 1, middle.x, middle.y) * pymupdf.Matrix(1 / points, 1 / points)
        area = pymupdf.IRect(0, 0, width, height)
        sheet_pixels = page.get_displaylist().get_pixmap(matrix=turned, colorspace=pymupdf.csGRAY, clip=area * ~turned)
        picture = np.full((height, width), 255, np.uint8)
        drawn = np.frombuffer(sheet_pixels.samples, np.uint8).reshape(sheet_pixels.height, sheet_pixels.width)
        left, top = max(0, sheet_pixels.x), max(0, sheet_pixels.y)
        part = drawn[top - sheet_pixels.y :, left - sheet_pixels.x :][: height - top, : width - left]
        picture[top : top + part.shape[0], left : left + part.shape[1]] = part
    pixels = pymupdf.Pixmap(pymupdf.csGRAY, width, height, picture.tobytes(), False)
    flat.insert_image(flat.rect, stream=pixels.tobytes("jpeg", jpg_quality=90))


def _soiled(grey: np.ndarray, seed: int) -> np.ndarray:
    """Soft edges, paper that is not white, grain, and specks."""
    random = np.random.default_rng(seed)
    soft = (grey + np.roll(grey, 1, 0) + np.roll(grey, 1, 1) + np.roll(grey, (1, 1), (0, 1))) / 4
    paper = 25 + soft * (225 / 255)
    specks = random.random(grey.shape) < 2e-5
    return paper + random.normal(0, 9, grey.shape).astype(np.float32) - 200 * specks


def main() -> None:
    """Write one scan."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--dpi", type=int, default=300)
    parser.add_argument("--tilt", type=float, default=0.0)
    parser.add_argument("--turn", type=int, default=0, choices=(0, 90, 180, 270))
    parser.add_argument("--noise", action="store_true")
    parser.add_argument("--pages", type=int, default=0)
    given = parser.parse_args()
    scan(given.source, given.target, Scanner(given.dpi, given.tilt, given.turn, given.noise), given.pages)


if __name__ == "__main__":
    main()
