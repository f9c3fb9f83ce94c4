"""Confidence bands for curves of new samples."""
