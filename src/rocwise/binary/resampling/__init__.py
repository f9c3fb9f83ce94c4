"""Resampling."""
