"""Every action of the window, its keys, its menus, and the palette that finds them by name."""
