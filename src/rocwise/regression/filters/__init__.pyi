"""Public names, listed once: read by type checkers and editors, and by `__init__.py`."""
# fmt: off
# ruff: noqa: E501, I001

from .kalman import CentralDifferenceKalmanFilter as CentralDifferenceKalmanFilter
from .kalman import SquareRootCentralDifferenceKalmanFilter as SquareRootCentralDifferenceKalmanFilter
from .kalman import ExtendedKalmanFilter as ExtendedKalmanFilter
from .kalman import KalmanFilter as KalmanFilter
from .noise_fits import NoiseFit as NoiseFit
from .noise_fits import fit_noise as fit_noise
from .results import FilterResult as FilterResult
from .results import SmoothedStates as SmoothedStates
from .results import StateForecast as StateForecast
from .steps import LostDefinitenessWarning as LostDefinitenessWarning
from .kalman import SquareRootUnscentedKalmanFilter as SquareRootUnscentedKalmanFilter
from .kalman import UnscentedKalmanFilter as UnscentedKalmanFilter

__all__: list[str]
