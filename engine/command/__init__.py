"""The command line's work: the same children as the window's, no Qt."""
