"""More than three classes: the exact best weights of two classes at a time."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from rocwise.arrays import Floats
from rocwise.multiclass.operating_points.passes import best_passes
from rocwise.multiclass.operating_points.problems import OperatingProblem, called_classes
from rocwise.multiclass.operating_points.sweep import best_of_three, sweep
from rocwise.multiclass.operating_points.time_limits import TimeLimit
from rocwise.multiclass.operating_points.weight_cells import moving_rows


def pair_moves(problem: OperatingProblem, limit: TimeLimit) -> Floats:
    """From the best passes, move two weights at once until no pair of classes gains.

    For a pair the other classes act as one alternative, the best of them, so that the sweep for
    three finds the best two weights exactly. A move of one weight is among them; with three
    classes the result is the optimum.
    """
    if problem.n_classes == 2:
        return sweep(problem, limit)[0]
    weights, history = best_passes(problem, limit)
    pairs = list(combinations(range(problem.n_classes), 2))
    cost, settled = history[-1], 0
    while settled < len(pairs):  # consecutive pairs without a gain
        pair = pairs.pop(0)
        pairs.append(pair)
        if limit.is_over(settled / len(pairs)):
            break
        trial = _moved(problem, weights, pair, limit)
        settled += 1
        if trial is None:
            continue
        trial_cost = problem.cost_at(trial)
        if trial_cost < cost - problem.least_gain:
            weights, cost, settled = trial, trial_cost, 1
    return weights


def _moved(
    problem: OperatingProblem, weights: Floats, pair: tuple[int, int], limit: TimeLimit
) -> Floats | None:
    """Better weights of two classes with the others as they are, if there are any."""
    rest = [k for k in range(problem.n_classes) if k not in pair]
    rows = np.arange(problem.n_rows)
    winners = np.asarray(rest)[called_classes(problem.scores[rest], weights[rest])]
    values, losses = problem.scores[winners, rows] * weights[winners], problem.losses
    chosen = np.stack([losses[winners, rows], *(losses[k] for k in pair)])
    with np.errstate(divide="ignore"):
        logs = np.log(np.stack([values, *(problem.scores[k] for k in pair)]))
    now = called_classes(problem.scores, weights)
    bound = problem.losses[now, rows][moving_rows(logs)].sum() - problem.least_gain
    found = best_of_three(logs, chosen, limit, bound=float(bound))
    if found is None:
        return None
    trial = weights.copy()
    with np.errstate(over="ignore", under="ignore", divide="ignore", invalid="ignore"):
        trial[list(pair)] = found.weights[1:] / found.weights[0]
        trial = _centred(trial)
    # Scores of 1e-320 ask for weights that no float can hold: such a move is left out.
    return trial if np.all(np.isfinite(trial) & (trial > 0)) else None


def _centred(weights: Floats) -> Floats:
    """The same rule with weights whose geometric mean is 1, far from the ends of the floats."""
    return np.asarray(weights / np.exp(np.log(weights).mean()))
