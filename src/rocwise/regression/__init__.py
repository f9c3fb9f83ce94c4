"""Numbers instead of classes: how far forecasts are off, and filters that make forecasts.

`rec_curves` and `rroc_curves` judge forecasts, `comparisons` tests several of them against each
other. `filters` are Kalman's and its kin; `state_space_models` are autoregressions, linear and
neural, as their transitions, `forecasting` goes from a window of a series to a forecast,
`network_training` trains networks by a filter, and `model_trees` are trees with linear leaves;
`blas_threads` keeps the libraries below at one thread where more would wait for each other.
Beside `rw.rec`, `rw.rec_band`, `rw.compare_rec` and `rw.rroc`, others may use the filters,
`forecasting` and the names that the stub beside this file lists.
"""

from rocwise.lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
