"""Marked copies of contracts and reports about reviews. Runs in the reader process; the original is never written."""
