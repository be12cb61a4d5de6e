"""The bar along the window's top: open, matter, back and forward, search, the engine's state."""
