"""Columns of numbers from rows of counts: `compiled` calls the loops, `plain` is their twin."""
