"""Covariances and intervals of estimates from the influence values of rows with censoring."""

import numpy as np

from rocwise.arrays import Floats
from rocwise.data.follow_ups import FollowUp
from rocwise.inference.variance import covariance


def covariance_of(f: FollowUp, U: Floats) -> Floats:
    """Covariance matrix (F3.1) of estimates with influence values U, (estimates, rows).

    U_k is the derivative of the estimate by the weight a_k, so that the variance is
    g / (g - 1) times the sum over clusters of (the sum of a_k U_k)^2, of g rows or clusters.
    """
    moved = np.atleast_2d(U) * (len(f) * f.a)
    return covariance([moved], clusters=None if f.clusters is None else [f.clusters]).total
