"""A file held open by the reader process: its pages can be drawn while its text is being read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

from engine.document import Document, Media
from engine.protocol.messages import PageSize


class OpenedFile(Protocol):
    """One opened file. Not thread-safe; all calls come from the reader's one thread."""

    id: str
    name: str
    media: Media

    @property
    def page_sizes(self) -> tuple[PageSize, ...]:
        """The pages' displayed sizes."""
        ...

    def read(self) -> Iterator[tuple[str, int, int]]:
        """Parse the file in steps of at most some 20 ms; yields (stage, done, total) after each.

        When it is exhausted :attr:`document` is set. Closing the generator abandons the reading.
        """
        ...

    @property
    def document(self) -> Document:
        """The Document; RuntimeError before :meth:`read` is exhausted."""
        ...

    def render(
        self, page: int, scale: float, clip: tuple[float, ...], target: memoryview
    ) -> tuple[int, int, int]:
        """Draw a page (or ``clip`` of it, in points) as RGB into ``target``; (width, height, stride) in pixels, bytes.

        Raises:
            ReadingError: the page is damaged, or its image does not fit into ``target``.
            ValueError: there is no such page, or no such part of it.
        """
        ...

    def laid_out_pdf(self) -> bytes | None:
        """The pages as laid out for a file that has none of its own; None for a PDF."""
        ...

    def close(self) -> None:
        """Free the file."""
        ...


@runtime_checkable
class NeedsPreparing(Protocol):
    """An :class:`OpenedFile` whose pages must be made first: a Word file is laid out, an old one converted."""

    def prepare(self) -> Iterator[tuple[str, int, int]]:
        """Make the pages in steps, as :meth:`OpenedFile.read`; before it is exhausted nothing else may be called.

        Raises:
            ReadingError: it cannot be opened after all.
        """
        ...
