"""The middle of the window: the pages, or what stands in their place while there are none."""
