"""REC curves: the share of cases whose error stays within a tolerance.

`curves` (`rw.rec`) makes them from the `losses` of every row and, if wanted, a null model
(`null_models`); `results` holds `RecCurve` and `RecOrder`, what is asked of one curve or two, by
`dominance` and `tolerances`; `bands` (`rw.rec_band`) puts a confidence band around a curve.
Others may use `RecCurve`, `RecOrder`, `RecAccuracy`, `RecBand`, and `losses` to work on the same
errors.
"""
