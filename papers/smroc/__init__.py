"""Smooth ROC curves."""
