"""Token states into state snapshots of 16,384 bytes: row scales, E4M3 rounding, block write."""
