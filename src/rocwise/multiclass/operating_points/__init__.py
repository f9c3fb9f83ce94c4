"""Operating points."""
