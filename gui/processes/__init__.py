"""The window's two children: reader and engine, started, watched, spoken to."""
