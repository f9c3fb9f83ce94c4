"""Counts and sums that add up over parts of the rows."""
