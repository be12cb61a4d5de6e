"""The bar along the window's bottom, and the banner that says what went wrong."""
