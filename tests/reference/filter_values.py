"""Writes filter_values.json: filters of filterpy and statsmodels on a few small models.

Run it where both packages are installed:  python tests/reference/filter_values.py
"""

import json
from pathlib import Path

import filterpy
import numpy as np
import statsmodels
import statsmodels.api as sm
from filterpy.kalman import KalmanFilter, MerweScaledSigmaPoints, UnscentedKalmanFilter

TIMES = np.arange(40)
PAIR = np.column_stack(
    [
        np.sin(0.3 * TIMES) + 0.3 * np.cos(1.7 * TIMES),
        np.cos(0.2 * TIMES) - 0.2 * np.sin(2.3 * TIMES),
    ]
)
SINGLE = np.cumsum(0.4 * np.sin(1.3 * TIMES + 0.05 * TIMES**2)) + 0.5 * np.cos(2.9 * TIMES)
WALK = np.cumsum(np.sin(7.0 * TIMES**2)) + 0.6 * np.cos(5.0 * TIMES**2 + 1.0)


def moved(x, dt=None):
    return np.array([0.9 * x[0] + 0.4 * np.sin(x[1]), 0.8 * x[1] - 0.3 * np.tanh(x[0])])


def seen(x):
    return np.array([x[0] + 0.2 * x[1] ** 2, np.arctan(x[1])])


def unscented(alpha, beta, kappa):
    points = MerweScaledSigmaPoints(2, alpha, beta, kappa)
    ukf = UnscentedKalmanFilter(2, 2, 1.0, seen, moved, points)
    ukf.x, ukf.P = np.array([0.1, -0.2]), np.diag([0.5, 0.8])
    ukf.Q, ukf.R = np.diag([0.05, 0.1]), np.array([[0.2, 0.05], [0.05, 0.3]])
    means, covariances, total = [], [], 0.0
    for row in PAIR:
        ukf.predict()
        ukf.update(row)
        means.append(ukf.x.copy())
        covariances.append(ukf.P.copy())
        total += float(ukf.log_likelihood)
    smooth_means, smooth_covariances, _ = ukf.rts_smoother(np.array(means), np.array(covariances))
    return {
        "parameters": [alpha, beta, kappa],
        "mean": means[-1].tolist(),
        "covariance": covariances[-1].tolist(),
        "log_likelihood": total,
        "smoothed_mean": smooth_means[0].tolist(),
        "smoothed_covariance": smooth_covariances[0].tolist(),
    }


def linear():
    kf = KalmanFilter(2, 1)
    kf.x, kf.P = np.array([[0.0], [0.1]]), np.diag([2.0, 0.5])
    kf.F, kf.H = np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[1.0, 0.0]])
    kf.Q, kf.R = np.array([[0.02, 0.01], [0.01, 0.03]]), np.array([[0.4]])
    means, covariances, _, _ = kf.batch_filter(SINGLE)
    smooth_means, smooth_covariances, _, _ = kf.rts_smoother(means, covariances)
    return {
        "mean": means[-1].ravel().tolist(),
        "covariance": covariances[-1].tolist(),
        "smoothed_mean": smooth_means[0].ravel().tolist(),
        "smoothed_covariance": smooth_covariances[0].tolist(),
    }


def level(values, variance):
    """A local level whose first state has mean 0.3 and this variance."""
    model = sm.tsa.UnobservedComponents(values, level="llevel", loglikelihood_burn=0)
    model.ssm.initialize_known(np.array([0.3]), np.array([[variance]]))
    return model


def missing():
    values = SINGLE.copy()
    values[[3, 4, 17]] = np.nan
    found = level(values, 2.0).smooth([0.5, 0.2])  # variances of the observation, of the level
    ahead = found.get_forecast(4)
    return {
        "gaps": [3, 4, 17],
        "log_likelihood": float(found.llf),
        "filtered": found.filtered_state[0].tolist(),
        "smoothed": found.smoothed_state[0].tolist(),
        "smoothed_variance": found.smoothed_state_cov[0, 0].tolist(),
        "ahead": ahead.predicted_mean.tolist(),
        "ahead_variance": ahead.var_pred_mean.tolist(),
    }


def most_likely():
    found = level(WALK, 1e6).fit(disp=False, method="nm", maxiter=5000, xtol=1e-10, ftol=1e-12)
    return {"variances": found.params.tolist(), "log_likelihood": float(found.llf)}


if __name__ == "__main__":
    values = {
        "made_with": {
            "filterpy": filterpy.__version__,
            "statsmodels": statsmodels.__version__,
            "numpy": np.__version__,
        },
        "unscented": [unscented(1.0, 2.0, 0.0), unscented(0.5, 2.0, 1.0), unscented(0.1, 2.0, 1.0)],
        "linear": linear(),
        "missing": missing(),
        "most_likely": most_likely(),
    }
    path = Path(__file__).with_suffix(".json")
    path.write_text(json.dumps(values, indent=1) + "\n", encoding="utf-8")
