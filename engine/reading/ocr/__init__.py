"""Recognising scanned pages: English and Chinese, offline, with boxes and confidence for each character."""

from engine.reading.ocr.choice import available, chosen, make_recogniser
from engine.reading.ocr.model import PagePicture, RecognisedLine, Recogniser

__all__ = ["PagePicture", "RecognisedLine", "Recogniser", "available", "chosen", "make_recogniser"]
