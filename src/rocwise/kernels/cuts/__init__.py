"""The cheapest cut, and the rivals of a class: `compiled` calls the loops, `plain` is the twin."""
