"""Bands."""
