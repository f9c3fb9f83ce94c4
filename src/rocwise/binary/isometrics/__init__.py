"""Isometrics."""
