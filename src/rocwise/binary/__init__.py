"""Curves, areas, intervals and decisions for two classes: one question per file."""
