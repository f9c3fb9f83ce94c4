"""Reported points."""
