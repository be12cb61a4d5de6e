"""The offline verifier (OV): judges pairs of snapshots beside the review, on a pool of threads that never blocks it.

A small network over :mod:`engine.conflicts.verifier_inputs` with the 217 compensation vectors. Its verdicts go to a
ring buffer that the review reads when it needs them. When the weights, the kernels or a thread fail, the review goes
on with what it has and says so.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.conflicts.comparison import FEATURES
from engine.conflicts.compensation import ENTRIES
from engine.conflicts.correction import Correction
from engine.conflicts.verifier_inputs import DIMENSIONS, WIDTH, Inputs
from resources import resource_path

WEIGHTS = "pair_verifier.safetensors"

#: Parameters that the design allows.
MOST_PARAMETERS = 1_200_000

#: Standardised inputs are cut here: a feature far outside of what training saw must not decide alone.
CUT = 5.0

#: The tensors of a personal correction in a file that was learnt from labels; the shipped one has none.
PERSONAL = ("personal_mean", "personal_scale", "personal_weights")

VERDICT = np.dtype([("pair", np.int64), ("score", np.float32)])


class VerifierError(Exception):
    """The verifier's weights are missing, damaged or made for other features; the message says which."""


def _gelu(x: NDArray[np.float32]) -> NDArray[np.float32]:
    """The tanh form, as torch's ``gelu(approximate="tanh")``."""
    return np.asarray(0.5 * x * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x**3))), np.float32)


class Verifier:
    """Scores pairs with numpy: 2,000 pairs take some 10 ms.

    Args:
        weights: arrays float32 by name, as tests/accuracy/train_verifier.py writes them.
        version: of the weights.
        compensated: False leaves the compensation vectors out, for the ablation.

    Raises:
        VerifierError: see there.
    """

    def __init__(self, weights: dict[str, NDArray[np.float32]], version: str, *, compensated: bool = True) -> None:
        shapes = {"mean": (WIDTH,), "scale": (WIDTH,)}
        for name, shape in shapes.items():
            if name not in weights or weights[name].shape != shape:
                raise VerifierError(f"the verifier's weights do not fit this program's features ({name})")
        if weights["compensation"].shape[0] != ENTRIES or weights["project"].shape[0] != DIMENSIONS:
            raise VerifierError("the verifier's weights do not fit this program's table of differences")
        self.parameters = sum(array.size for name, array in weights.items() if name not in shapes)
        if self.parameters > MOST_PARAMETERS:
            raise VerifierError(f"the verifier has {self.parameters} parameters, more than {MOST_PARAMETERS}")
        self.version = version
        #: What a person's labels taught beside the network, None for the shipped weights.
        self.correction: Correction | None = None
        if PERSONAL[0] in weights:
            try:
                self.correction = Correction(*(weights[name] for name in PERSONAL))
            except ValueError as error:
                raise VerifierError(str(error)) from error
        self.weights = weights
        self._compensated = compensated

    def score(self, inputs: Inputs) -> NDArray[np.float32]:
        """Log-odds of a conflict, float32 ``[p]``."""
        w = self.weights
        numbers = np.clip((inputs.numbers - w["mean"]) / w["scale"], -CUT, CUT)
        residuals = inputs.residuals.astype(np.float32) @ w["project"]
        x, y = residuals[:, 0], residuals[:, 1]
        compensation = inputs.rows.astype(np.float32) @ w["compensation"]
        if not self._compensated:
            compensation = np.zeros_like(compensation)
        hidden = np.concatenate([numbers, x * y, np.abs(x - y), compensation], axis=1)
        hidden = _gelu(hidden @ w["first"] + w["first_bias"])
        hidden = _gelu(hidden @ w["second"] + w["second_bias"])
        return np.asarray(hidden @ w["last"] + w["last_bias"], np.float32)


def read_verifier(path: Path, *, compensated: bool = True) -> Verifier:
    """The verifier of a weights file.

    Raises:
        VerifierError: see there.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="np") as file:
            metadata = file.metadata() or {}
            weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - not a dict
    except (OSError, SafetensorError) as error:
        raise VerifierError(f"the verifier's weights cannot be read: {error}") from error
    if metadata.get("features") != ",".join(FEATURES):
        raise VerifierError("the verifier's weights were made for other features than this program computes")
    try:
        return Verifier(weights, metadata.get("version", ""), compensated=compensated)
    except KeyError as error:
        raise VerifierError(f"the verifier's weights lack {error}") from error


@functools.cache
def shipped_verifier(*, compensated: bool = True) -> Verifier:
    """The verifier that comes with the program.

    Raises:
        VerifierError: see there.
    """
    return read_verifier(resource_path("weights", WEIGHTS), compensated=compensated)


class VerdictRing:
    """A ring of verdicts, written by the pool's threads and read by the review; writing never waits for a reader.

    A verdict that was overwritten before it was read is lost and counted in :attr:`lost`.
    """

    def __init__(self, capacity: int) -> None:
        self._slots = np.zeros(max(1, capacity), VERDICT)
        self._written = 0
        self._read = 0
        self._lock = threading.Lock()
        self.lost = 0

    def put(self, verdicts: NDArray[Any]) -> None:
        """Append verdicts (records of :data:`VERDICT`)."""
        size = len(self._slots)
        with self._lock:
            kept = verdicts[-size:]
            at = (self._written + len(verdicts) - len(kept) + np.arange(len(kept))) % size
            self._slots[at] = kept
            self._written += len(verdicts)

    def take(self) -> NDArray[Any]:
        """All verdicts since the last call, oldest first."""
        size = len(self._slots)
        with self._lock:
            first = max(self._read, self._written - size)
            self.lost += first - self._read
            found = self._slots[np.arange(first, self._written) % size].copy()
            self._read = self._written
        return found


class VerifierPool:
    """Judges batches of pairs on threads of its own; used as a context manager, which waits for them at its end."""

    def __init__(self, verifier: Verifier, *, capacity: int, threads: int = 1) -> None:
        self._verifier = verifier
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="verifier")
        self._futures: list[Future[None]] = []
        self.ring = VerdictRing(capacity)
        self.fault = ""

    def __enter__(self) -> VerifierPool:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)

    def submit(self, ids: Sequence[int], inputs: Callable[[], Inputs]) -> None:
        """Judge a batch some time soon; ``inputs`` is called on the pool's thread. Returns at once."""
        self._futures.append(self._pool.submit(self._judge, np.array(ids, np.int64), inputs))

    def _judge(self, ids: NDArray[np.int64], inputs: Callable[[], Inputs]) -> None:
        scores = self._verifier.score(inputs())
        verdicts = np.zeros(len(ids), VERDICT)
        verdicts["pair"], verdicts["score"] = ids, scores
        self.ring.put(verdicts)

    def collect(self, cancelled: Callable[[], bool]) -> dict[int, float]:
        """The verdicts by pair, when all batches are judged or one has failed; ``fault`` then says why.

        Asks ``cancelled`` every 50 ms and gives back what there is when it answers True.
        """
        found: dict[int, float] = {}
        for future in self._futures:
            while not future.done() and not cancelled():
                _wait(future)
            if future.done() and not future.cancelled():
                error = future.exception()
                if error is not None and not self.fault:
                    self.fault = f"The second look at the pairs failed ({type(error).__name__}: {error})."
        for pair, score in self.ring.take().tolist():
            found[pair] = score
        return found


def _wait(future: Future[None]) -> None:
    """Until a batch is done, or 50 ms."""
    done = threading.Event()
    future.add_done_callback(lambda _: done.set())
    done.wait(0.05)
