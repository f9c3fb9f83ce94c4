"""Mimetic."""
