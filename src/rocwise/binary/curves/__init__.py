"""Curves of two classes: ROC, precision-recall, DET, the convex hull and the smooth ROC curve.

Other topics may use the vertices (`empirical.curve_points`, `rates_from_zero`, `rates_at`), the
curve itself without a warning (`empirical.curve_of`), hulls (`convex_hulls`), areas and influences
over part of a curve (`parts`), at a point (`point_influences`) and on the smooth curve
(`smooth_influences`), sums from the highest score down (`cumulative_sums`) and the smooth curve of
a tally (`smooth`).
"""
