"""What a command line can ask for, and how it is read."""
