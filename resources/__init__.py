"""Samples, weights, knowledge packs, icons: files, found through :func:`resource_path`."""

from pathlib import Path


def resource_path(*parts: str) -> Path:
    """The path of a shipped file, in a checkout and in a bundle alike."""
    return Path(__file__).parent.joinpath(*parts)
