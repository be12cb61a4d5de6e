"""The keyboard sheet."""
