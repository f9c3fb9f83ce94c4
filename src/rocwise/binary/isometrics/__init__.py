"""Isometrics, lines of ROC space on which a metric has one value, and the rules built on them.

`lines` has the isometrics, `reliable_rules` the thresholds that promise a performance for each
class: they lie where isometrics cross the convex hull (`hull_arcs`), and abstaining between them
transforms the curve (`transformations`).
"""
