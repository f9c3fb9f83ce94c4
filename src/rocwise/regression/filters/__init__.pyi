"""The filters and their answers, listed once."""
# fmt: off
# ruff: noqa: E501, I001

from .sigma.central_difference import CentralDifferenceKalmanFilter as CentralDifferenceKalmanFilter
from .sigma.central_difference import SquareRootCentralDifferenceKalmanFilter as SquareRootCentralDifferenceKalmanFilter
from .extended import ExtendedKalmanFilter as ExtendedKalmanFilter
from .linear import KalmanFilter as KalmanFilter
from .noise_fits import NoiseFit as NoiseFit
from .noise_fits import fit_noise as fit_noise
from .results import FilterResult as FilterResult
from .results import SmoothedStates as SmoothedStates
from .results import StateForecast as StateForecast
from .square_roots import LostDefinitenessWarning as LostDefinitenessWarning
from .sigma.unscented import SquareRootUnscentedKalmanFilter as SquareRootUnscentedKalmanFilter
from .sigma.unscented import UnscentedKalmanFilter as UnscentedKalmanFilter

__all__: list[str]
