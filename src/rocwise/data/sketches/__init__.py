"""Tallies of a bounded size that grow with data and join: `ScoreCells`, and their bytes."""
