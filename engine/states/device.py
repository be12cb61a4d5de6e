"""Frozen layers on the device there is: when a GPU's memory ends, half as much at once; when it fails, the processor.

The layers on the processor are made anew from the file then, because what lies on a lost GPU cannot be copied back.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

    from engine.states.bert import Bert

log = logging.getLogger(__name__)

OUT_OF_MEMORY = "The graphics card's memory is too small, so the encoder went on with the processor, which is slower."
LOST = "The graphics card failed, so the encoder went on with the processor, which is slower."


def choose_device() -> str:
    """``cuda`` where there is a GPU that torch can use, else ``cpu``."""
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


class DeviceRunner:
    """Runs layers on a device and steps down from it.

    Attributes:
        device: where the layers are now.
        notice: one sentence for the person once the device was given up, else empty.
        largest: sequences run at once on a GPU whose memory has run out before; None before that.
    """

    def __init__(self, bert: Bert, on_processor: Callable[[], Bert]) -> None:
        self._bert = bert
        self._on_processor = on_processor
        self.device = bert.device
        self.notice = ""
        self.largest: int | None = None

    @property
    def bert(self) -> Bert:
        """The layers in use."""
        return self._bert

    def states(self, words: torch.Tensor, mask: torch.Tensor, layers: tuple[int, ...]) -> torch.Tensor:
        """States of a batch, float32 on the CPU; see :meth:`engine.states.bert.Bert.states`."""
        import torch

        if self.device == "cpu":
            return self._bert.states(words, mask, layers=layers).float()
        parts: list[torch.Tensor] = []
        done = 0
        while done < len(words):
            size = min(self.largest or len(words), len(words) - done)
            try:
                some = slice(done, done + size)
                found = self._bert.states(words[some].to(self.device), mask[some].to(self.device), layers=layers)
                parts.append(found.float().cpu())
                done += size
            except torch.OutOfMemoryError:
                if size == 1:
                    self._give_up(OUT_OF_MEMORY)
                    break
                self.largest = size // 2
                log.warning("the GPU's memory ran out at %d sequences; going on with %d", size, self.largest)
            except RuntimeError as error:
                log.warning("the GPU failed: %s", error)
                self._give_up(LOST)
                break
        if done < len(words):
            parts.append(self._bert.states(words[done:], mask[done:], layers=layers).float())
        return torch.cat(parts)

    def _give_up(self, notice: str) -> None:
        self._bert = self._on_processor()
        self.device = "cpu"
        self.notice = notice
