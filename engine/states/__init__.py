"""The encoder and what is kept of its states."""
