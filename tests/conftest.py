"""Noise fails: see ARCHITECTURE.md, "Tests"."""

from __future__ import annotations

import os

# Qt aborts where there is no screen unless this is set before it is imported.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
