"""Pairs of passages that cannot both hold: candidates, arbitration, findings."""
