"""What turns the frozen program into a package that an administrator installs."""
