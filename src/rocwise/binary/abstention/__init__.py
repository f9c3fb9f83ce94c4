"""Abstention."""
