"""Cross validation."""
