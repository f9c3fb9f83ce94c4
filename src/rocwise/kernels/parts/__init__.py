"""Segments of a curve within a part of its area: `compiled` calls the loops, `plain` is their twin.

They are formulas of some thousand rows, which `row_formulas` deals out to the threads.
"""
