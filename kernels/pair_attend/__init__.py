"""Token against token for many pairs of state snapshots, and the statistics that a verifier reads."""
