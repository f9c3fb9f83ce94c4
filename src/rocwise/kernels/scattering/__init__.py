"""Values of scores, written to the rows that have them: `compiled` and its twin `plain`."""
