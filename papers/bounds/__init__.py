"""What one operating point says about the area."""
