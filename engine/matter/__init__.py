"""The matter file: the truth for what people decided, linked and noted."""
