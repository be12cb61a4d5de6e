"""Passages for a question."""
