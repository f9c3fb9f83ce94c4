"""Do predicted probabilities mean what they say: curves, slope and intercept, proper scores.

`curves` has `rw.calibration`, by `binned_shares` (bins and isotonic blocks) and `local_regression`;
`recalibration` fits the logistic slope and intercept, `proper_scores` has Brier's score, its parts
and the log loss, which several classes use too.
"""
