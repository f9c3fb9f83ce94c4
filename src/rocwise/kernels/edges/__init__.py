"""Edges of bands and lines they come from: `compiled` calls the loops, `plain` is their twin."""
