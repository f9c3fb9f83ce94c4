"""Filters of state-space models: linear, extended, unscented, central-difference, square-root."""

from rocwise.regression.filters.central_difference import (
    CentralDifferenceKalmanFilter,
    SquareRootCentralDifferenceKalmanFilter,
)
from rocwise.regression.filters.extended import ExtendedKalmanFilter
from rocwise.regression.filters.linear import KalmanFilter
from rocwise.regression.filters.noise_fits import NoiseFit, fit_noise
from rocwise.regression.filters.results import FilterResult, SmoothedStates, StateForecast
from rocwise.regression.filters.square_roots import LostDefinitenessWarning
from rocwise.regression.filters.unscented import (
    SquareRootUnscentedKalmanFilter,
    UnscentedKalmanFilter,
)

__all__ = [
    "CentralDifferenceKalmanFilter",
    "ExtendedKalmanFilter",
    "FilterResult",
    "KalmanFilter",
    "LostDefinitenessWarning",
    "NoiseFit",
    "SmoothedStates",
    "SquareRootCentralDifferenceKalmanFilter",
    "SquareRootUnscentedKalmanFilter",
    "StateForecast",
    "UnscentedKalmanFilter",
    "fit_noise",
]
