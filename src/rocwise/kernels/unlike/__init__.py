"""Rows that are not all alike, with weights or in clusters: sorted, and summed by class.

`compiled` calls the loops, `plain` is their twin.
"""
