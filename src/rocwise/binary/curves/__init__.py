"""Curves of two classes: ROC, precision-recall, DET, the convex hull and the smooth ROC curve.

Other topics may use areas and influences over part of a curve (`parts`), at a point
(`point_influences`) and on the smooth curve (`smooth_influences`).
"""
