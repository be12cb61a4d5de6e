"""PDF through MuPDF: character boxes, reading order, furniture, paragraphs, page images."""

from engine.reading.pdf.opened import OpenedPdf, open_pdf

__all__ = ["OpenedPdf", "open_pdf"]
