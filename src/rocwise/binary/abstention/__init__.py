"""Abstaining: scores called negative, scores called positive, and a window between left undecided.

`windows` finds the cheapest window for given costs, `bounded_windows` the one within a bound, and
`surfaces` the least cost over all costs; `uncertainty` resamples a window. Its two thresholds are
`mid_gap_thresholds` at `hull_vertices` of the ROC curve. Other packages use the `rules` in words.
"""
