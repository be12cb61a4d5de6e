"""PP-OCR through ONNX Runtime, with the models that the rapidocr package carries: English and Chinese, offline."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.reading.ocr.blocks import without_block
from engine.reading.ocr.detection import detection_input, line_boxes
from engine.reading.ocr.model import GreyImage, PagePicture, RecognisedLine, RecognitionStopped
from engine.reading.ocr.places import placed
from engine.reading.ocr.recognition import Reading, decoded, line_input
from engine.reading.ocr.stacks import apart
from engine.reading.ocr.weights import ModelFiles, without_denormals

#: Pixels per point for finding lines; at fewer, numbers that stand alone are overlooked.
DETECTION_SCALE = 1.75
#: Lines that tell how a page lies, and the mean confidence below which it may lie upside down.
_SAMPLE, _UPRIGHT = 6, 0.85
#: A line whose mean confidence is lower is a drawing, a stamp's ornament or dirt.
_LEAST_CONFIDENCE = 0.5
#: More threads than this gain little.
MOST_THREADS = 4


class PaddleRecogniser:
    """See :class:`engine.reading.ocr.model.Recogniser`. The same picture gives the same lines, however many threads."""

    name = "rapidocr"
    in_background = True

    def __init__(self, files: ModelFiles, threads: int) -> None:
        """Load both models (a third of a second).

        Args:
            files: the models.
            threads: lines recognised side by side.

        Raises:
            ImportError: there is no ONNX Runtime.
            RuntimeError: a model cannot be loaded.
        """
        self._threads = max(1, min(threads, MOST_THREADS))
        self._detection = _session(files.detection.read_bytes(), self._threads)
        self._recognition = _session(files.recognition.read_bytes(), 1)
        self._characters = _characters(self._recognition)
        self._pool = ThreadPoolExecutor(self._threads, "recognition")

    def recognise(self, picture: PagePicture, stopped: Callable[[], bool]) -> tuple[list[RecognisedLine], int]:
        """See :meth:`engine.reading.ocr.model.Recogniser.recognise`."""
        grey, turns = picture.grey, 0
        boxes = self._find_lines(grey, picture.scale, stopped)
        if _is_sideways(boxes):
            grey, turns = np.rot90(grey), 1
            boxes = self._find_lines(grey, picture.scale, stopped)
        if self._is_upside_down(grey, boxes, stopped):
            grey, turns = np.rot90(grey, 2), turns + 2
            boxes = self._find_lines(grey, picture.scale, stopped)
        read = functools.partial(self._read, grey, picture.scale, stopped=stopped)
        lines = [line for line in self._pool.map(read, boxes) if line is not None]
        if stopped():
            raise RecognitionStopped
        return lines, turns

    def _find_lines(self, grey: GreyImage, scale: float, stopped: Callable[[], bool]) -> list[NDArray[np.float32]]:
        """Boxes in the pixels of ``grey``, top to bottom."""
        if stopped():
            raise RecognitionStopped
        factor = max(1, round(scale / DETECTION_SCALE))
        small = _averaged(grey, factor)
        (text_map,) = self._detection.run(None, {"x": detection_input(small)})
        boxes = apart(line_boxes(text_map[0, 0], *small.shape) * factor, grey)
        return sorted(boxes, key=lambda box: (float(box[1]), float(box[0])))

    def _is_upside_down(
        self, grey: GreyImage, boxes: Sequence[NDArray[np.float32]], stopped: Callable[[], bool]
    ) -> bool:
        wide = sorted(boxes, key=lambda box: float(box[0] - box[2]))[:_SAMPLE]
        if not wide:
            return False
        upright = list(self._pool.map(functools.partial(self._mean, grey, turned=False, stopped=stopped), wide))
        if np.mean(upright) >= _UPRIGHT:
            return False
        turned = list(self._pool.map(functools.partial(self._mean, grey, turned=True, stopped=stopped), wide))
        return bool(np.mean(turned) > np.mean(upright))

    def _mean(self, grey: GreyImage, box: NDArray[np.float32], turned: bool, stopped: Callable[[], bool]) -> float:
        if stopped():
            return 0.0
        crop, _, _ = _crop(grey, box)
        return self._decode(np.rot90(crop, 2) if turned else crop).mean

    def _read(
        self, grey: GreyImage, scale: float, box: NDArray[np.float32], stopped: Callable[[], bool]
    ) -> RecognisedLine | None:
        if stopped():
            return None
        crop, left, top = _crop(grey, box)
        reading = self._decode(crop)
        said = without_block(reading.text, crop, scale)
        if said != reading.text:
            reading = Reading(said, reading.middle[: len(said)], reading.confidence[: len(said)])
        if not reading.text.strip() or reading.mean < _LEAST_CONFIDENCE:
            return None
        third = (float(box[3]) - float(box[1])) / 3
        return placed(reading, crop, left, top, (third, 2 * third))

    def _decode(self, crop: GreyImage) -> Reading:
        (likely,) = self._recognition.run(None, {"x": line_input(crop)})
        return decoded(likely[0], self._characters)

    def close(self) -> None:
        """See :meth:`engine.reading.ocr.model.Recogniser.close`."""
        self._pool.shutdown(wait=True, cancel_futures=True)


def _session(model: bytes, threads: int) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # The arena keeps the memory of the largest page for ever.
    options.enable_cpu_mem_arena = False
    return onnxruntime.InferenceSession(without_denormals(model), options, providers=["CPUExecutionProvider"])


def _characters(session: Any) -> list[str]:
    """What the model's columns stand for, the blank left out."""
    listed: str = session.get_modelmeta().custom_metadata_map["character"]
    return [*listed.splitlines(), " "]


def _averaged(grey: GreyImage, factor: int) -> GreyImage:
    if factor == 1:
        return grey
    rows, columns = grey.shape[0] // factor, grey.shape[1] // factor
    blocks = grey[: rows * factor, : columns * factor].reshape(rows, factor, columns, factor)
    averaged: GreyImage = blocks.mean(axis=(1, 3), dtype=np.float32).astype(np.uint8)
    return averaged


def _is_sideways(boxes: Sequence[NDArray[np.float32]]) -> bool:
    """Whether most of the text stands in boxes higher than wide."""
    if not boxes:
        return False
    wide, tall = np.stack(boxes)[:, 2] - np.stack(boxes)[:, 0], np.stack(boxes)[:, 3] - np.stack(boxes)[:, 1]
    area = wide * tall
    return bool(area[tall > 1.5 * wide].sum() > area[wide > 1.5 * tall].sum())


def _crop(grey: GreyImage, box: NDArray[np.float32]) -> tuple[GreyImage, int, int]:
    left, top = max(0, int(box[0])), max(0, int(box[1]))
    right, bottom = max(left + 2, int(np.ceil(box[2]))), max(top + 2, int(np.ceil(box[3])))
    return grey[top:bottom, left:right], left, top
