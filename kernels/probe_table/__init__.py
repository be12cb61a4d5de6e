"""Batched lookup of 64-bit keys in an open-addressing hash table of 16 segments."""
