"""Thresholds."""
