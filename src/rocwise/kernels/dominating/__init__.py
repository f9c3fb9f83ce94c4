"""Pairs that two markers order alike: `compiled` calls the loops, `plain` is their twin."""
