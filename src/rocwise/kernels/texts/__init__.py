"""Numbers as text and text as numbers: `compiled` calls the loops, `plain` is their twin."""
