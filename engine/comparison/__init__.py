"""Two versions of a contract, clause by clause: what was changed, moved, renumbered, inserted, deleted."""
