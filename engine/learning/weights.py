"""The file of learnt weights: a safetensors file that fits the program that made it, or is refused in one sentence."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from engine.conflicts.comparison import FEATURES
from engine.conflicts.verifier import Verifier, VerifierError, read_verifier
from engine.conflicts.verifier_inputs import Inputs
from engine.learning.learn import Learnt, base_of


class OtherVersion(VerifierError):
    """The weights were learnt from other shipped ones; learning again from the same labels gives new ones."""


def weights_bytes(learnt: Learnt) -> bytes:
    """The file's content."""
    from safetensors.numpy import save

    metadata = {"version": learnt.card.name, "features": ",".join(FEATURES), "base": learnt.card.base}
    arrays = {name: np.ascontiguousarray(array) for name, array in learnt.arrays.items()}
    return bytes(save(arrays, metadata=metadata))


def read_weights(path: Path, *, compensated: bool = True) -> Verifier:
    """The verifier of a file that :func:`weights_bytes` made.

    Raises:
        OtherVersion: it was made from other shipped weights.
        VerifierError: the file is missing, damaged or another one.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="np") as file:
            base = (file.metadata() or {}).get("base", "")
    except (OSError, SafetensorError) as error:
        raise VerifierError(f"{path.parent.name} cannot be read: {error}") from error
    if base != base_of():
        raise OtherVersion(f"{path.parent.name} was learnt with another version of the program")
    verifier = read_verifier(path, compensated=compensated)
    if any(not np.isfinite(array).all() for array in verifier.weights.values()):
        raise VerifierError(f"{path.parent.name} holds numbers that are none")
    try:
        # Layers that do not fit each other show here and not in the middle of a review.
        verifier.score(Inputs.none())
    except ValueError as error:
        raise VerifierError(f"{path.parent.name} is damaged: {error}") from error
    return verifier
