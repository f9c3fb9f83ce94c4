"""Quantiles, and limits made of them: `compiled` calls the loops, `plain` is their twin."""
