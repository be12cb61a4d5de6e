"""The time as the matter file keeps it."""

from __future__ import annotations

import datetime


def now() -> str:
    """The time, ISO 8601 in UTC with microseconds, so that times sort as text."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="microseconds")
