"""Curves against lines of one slope: `compiled` calls the loops, `plain` is their twin."""
