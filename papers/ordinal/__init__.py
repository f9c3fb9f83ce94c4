"""Measures of ordered classes."""
