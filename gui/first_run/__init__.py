"""What the window shows before a document is open: the sample, recent matters, where to drop a file."""
