"""Filters of state-space models: linear, extended, unscented, central-difference, square-root.

`base` holds what all of them share: `filter`, `smooth`, `forecast`. They differ in one step, of
which `steps` knows three kinds; `time_loop` repeats it over a series, `rts_smoothing` goes back.
`linear` and `extended` use Jacobians; `unscented` and `central_difference` are a `sigma_filter`
with `sigma_points` of their own, plain or with `square_roots`. `model_functions` and
`model_checks` take in the user's model, `noise_fits` finds the noises of a filter from a series.
Others may use the names that the stub beside this file lists, and `base.StateSpaceFilter`.
"""

from rocwise.lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
