"""Immutable data after cleaning: tallies, pairs of scores, rows of classes, rankings."""
