"""Corners of convex hulls of curves: `compiled` calls the loops, `plain` is their twin."""
