"""Filters that move chosen points instead of derivatives."""
