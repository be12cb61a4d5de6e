"""The messages of the window and its children, and the findings they carry. Imports nothing of ours."""
