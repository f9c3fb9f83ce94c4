"""Swapped scores and dealt cases: `compiled` calls the loops, `plain` is their twin."""
