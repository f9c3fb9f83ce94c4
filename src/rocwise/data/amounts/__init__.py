"""Scores that count as amounts, not only by their order."""
