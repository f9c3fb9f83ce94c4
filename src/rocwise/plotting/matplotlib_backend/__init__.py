"""Plots on matplotlib axes, the only package that imports matplotlib, and only when drawing."""
