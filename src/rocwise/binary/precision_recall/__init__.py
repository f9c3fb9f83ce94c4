"""Precision against recall: the curve, its band, and the average precision with its interval.

`curves` has the curve, `areas` the average precision, by the `influences` of every case, which
`comparisons` uses too; `bands` draws resampled curves around the observed one.
"""
