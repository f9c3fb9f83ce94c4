"""Is A better than B? Models of two classes compared on the same rows, or on independent samples.

`models` has `compare`; `plans` decides what it is asked to do; `rank_tests` are the tests that
permute: areas by `permutation`, whole curves by `venkatraman`, whose curves of different subjects
are in `unpaired_curves`. Estimates and their covariances come from `areas` and `resampling`, those
of the smAUC and of points by influence functions from `smooth_areas` and `point_rates`, tests and
intervals from `inference`. Other topics use nothing from here.
"""
