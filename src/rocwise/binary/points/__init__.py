"""What a model does at given points: thresholds, sensitivities, specificities, FPRs or alarms.

`places` finds the points on a curve or on many resampled ones, `measures` has the rates there and
their limits at a fixed threshold, `tables` answers `rw.at`, `comparisons` `rw.compare_at`.
"""
