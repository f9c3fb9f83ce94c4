"""Variances and tests of paired areas by resampling, in closed form."""
