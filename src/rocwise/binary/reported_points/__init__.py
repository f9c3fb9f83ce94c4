"""What a few published operating points say when the scores are not at hand.

`rocwise.auc_bounds` bounds the area under a concave curve through the points,
`rocwise.auc_contours` draws what one point leaves open, `rocwise.signal_detection` and
`rocwise.signal_detection_counts` give the indices of signal detection theory.
"""
