"""The rows of each of many groups: `compiled` calls the loops, `plain` is their twin."""
