"""Intervals of shares and areas, by size of the sample, exactly or by effective size."""
