"""Plain rows read, sorted and summed at once: `compiled` calls the loops, `plain` is their twin."""
