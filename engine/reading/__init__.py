"""From a file's bytes to a Document. Runs in the reader process only."""
