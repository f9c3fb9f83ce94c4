"""Rec curves."""
