"""The linear model of one node: columns are dropped while the estimated error falls."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rocwise.arrays import Floats, Places

SAME_FIT = 1e-9  # fits this close, as a share of the target's size, are the same
SAME_COLUMN = 1e-8  # columns this close, as a share of their length, are the same
ROUNDING = 1e-12  # errors below this share of the target's size are none


class LinearModel(NamedTuple):
    """What a node predicts by itself, and the mean absolute error that it expects."""

    intercept: float
    coefficients: Floats
    error: float


def fitted(X: Floats, y: Floats) -> LinearModel:
    """A linear model from which coefficients are dropped while its estimated error falls."""
    n = len(y)
    centre, mean = X.mean(axis=0), float(y.mean())
    rows, target = X - centre, y - mean
    noise = ROUNDING * float(np.abs(y).max())
    columns = _few_enough(rows, target, n - 1)  # one less, and the error is defined
    slopes = _slopes(rows[:, columns], target)
    error = float(estimated_errors(target - rows[:, columns] @ slopes, n, len(columns) + 1, noise))
    while len(columns):
        changes = _changes_by_dropping(rows[:, columns], target, slopes)
        residuals = (target - rows[:, columns] @ slopes)[:, None] + rows[:, columns] @ changes
        errors = estimated_errors(residuals, n, len(columns), noise)
        dropped = int(np.argmin(errors))
        if errors[dropped] > error:
            break
        error = float(errors[dropped])
        columns = np.delete(columns, dropped)
        slopes = _slopes(rows[:, columns], target)
    coefficients = np.zeros(X.shape[1])
    coefficients[columns] = slopes
    return LinearModel(mean - float(centre @ coefficients), coefficients, error)


def _few_enough(rows: Floats, target: Floats, at_most: int) -> Places:
    """All columns; where there are too few cases, without those that change the fit least.

    Without column j the fit (of least length, among the many that are exact) would change by
    |slope j| times the length of the column; of equal ones the lowest goes first.
    """
    columns = np.arange(rows.shape[1])
    while len(columns) > max(at_most, 0):
        changes = np.abs(_slopes(rows[:, columns], target)) * np.linalg.norm(
            rows[:, columns], axis=0
        )
        least = changes <= changes.min() + SAME_FIT * float(np.abs(target).max(initial=0.0))
        columns = np.delete(columns, int(least.argmax()))
    return columns


def _slopes(rows: Floats, target: Floats) -> Floats:
    """Least squares; columns that differ by no more than rounding are one column.

    Forecasts of filters agree to many digits, and a slope that is fitted to the last of them would
    carry a new row away. Columns count in units of their own, whatever they are measured in.
    """
    lengths = np.linalg.norm(rows, axis=0)
    units = np.where(lengths > 0, lengths, 1.0)
    return np.asarray(np.linalg.lstsq(rows / units, target, rcond=SAME_COLUMN)[0] / units)


def estimated_errors(residuals: Floats, n: int, v: int, noise: float) -> Floats:
    """MAE (n + v) / (n - v) of models with v coefficients, the intercept counted."""
    if n <= v:
        return np.full(residuals.shape[1:], math.inf)
    size = np.abs(residuals).mean(axis=0)
    return np.asarray(np.where(size <= noise, 0.0, size) * (n + v) / (n - v))


def _changes_by_dropping(rows: Floats, target: Floats, slopes: Floats) -> Floats:
    """How far all slopes move when column j is dropped and the rest fitted anew, in column j."""
    triangle = np.linalg.qr(rows, mode="r")
    diagonal = np.abs(np.diag(triangle))
    if len(diagonal) == rows.shape[1] and diagonal.min() > 1e-7 * diagonal.max():
        inverse = np.linalg.inv(triangle)
        inverse = inverse @ inverse.T  # of the matrix of the normal equations
        return np.asarray(inverse / np.diag(inverse) * slopes)
    changes = np.empty((len(slopes), len(slopes)))
    for j in range(len(slopes)):  # columns that depend on each other: one fit each
        kept = np.arange(len(slopes)) != j
        changes[j, j] = slopes[j]
        changes[kept, j] = slopes[kept] - _slopes(rows[:, kept], target)
    return changes
