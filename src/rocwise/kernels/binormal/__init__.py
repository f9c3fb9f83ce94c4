"""Rows and steps of the binormal fit: `compiled` calls the loops, `plain` is their twin."""
