"""Drawn rows with weights, or clusters: `compiled` calls the loops, `plain` is their twin."""
