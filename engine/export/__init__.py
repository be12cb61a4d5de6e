"""Marked-up copies and reports. Runs in the reader process only."""
