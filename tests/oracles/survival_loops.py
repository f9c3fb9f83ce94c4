"""Time-dependent AUC by double loops over pairs of rows, with weights 1 / G (Uno et al. 2007)."""

import numpy as np

DATA = {
    "A": {
        "time": range(1, 11),
        "event": [1, 0, 1, 1, 0, 1, 0, 1, 1, 0],
        "score": [0.9, 0.4, 0.8, 0.3, 0.7, 0.6, 0.2, 0.5, 0.35, 0.1],
    },
    "B": {
        "time": [2, 2, 3, 3, 3, 5, 5, 6, 6, 8, 8, 9],
        "event": [1, 0, 1, 1, 0, 1, 0, 1, 0, 1, 1, 0],
        "score": [5, 3, 4, 4, 2, 3, 5, 2, 4, 3, 1, 2],
    },
    "C": {
        "time": [1, 2, 3, 4, 4, 5, 6, 7, 7, 8, 9, 10],
        "event": [1, 2, 0, 1, 2, 1, 0, 2, 1, 0, 1, 0],
        "score": [8, 3, 5, 7, 6, 4, 2, 5, 3, 1, 4, 2],
        "cause": 1,
    },
    "D": {
        "time": [3, 5, 6, 9, 4, 8, 7, 10, 6, 11],
        "event": [1, 0, 1, 0, 1, 1, 1, 0, 1, 0],
        "score": [7, 3, 6, 2, 8, 4, 5, 1, 4, 3],
        "entry": [0, 0, 0, 0, 1, 1, 2, 2, 3, 4],
    },
}
SECOND = {
    "A": [0.7, 0.6, 0.9, 0.5, 0.3, 0.4, 0.35, 0.8, 0.1, 0.2],
    "B": [3, 3, 5, 2, 1, 4, 4, 1, 2, 3, 2, 1],
    "C": [6, 5, 4, 8, 2, 7, 3, 1, 5, 2, 3, 4],
}


def uncensored(time, event, weights, t, *, left):
    """G(t-) or G(t): the share not censored, events of one time before its censorings."""
    proportion = 1.0
    for s in sorted(set(time)):
        if s > t or (left and s == t):
            break
        at_risk = sum(
            a for x, d, a in zip(time, event, weights, strict=True) if x > s or (x == s and d == 0)
        )
        censored = sum(a for x, d, a in zip(time, event, weights, strict=True) if x == s and d == 0)
        proportion *= 1 - censored / at_risk if censored else 1.0
    return proportion


def loop_auc(time, event, score, t, weights=None, controls="survivors"):
    """The cumulative/dynamic AUC at t."""
    weights = [1.0] * len(time) if weights is None else weights
    mass = [
        a / uncensored(time, event, weights, min(x, t), left=x <= t)
        for x, a in zip(time, weights, strict=True)
    ]
    cases = [k for k, x in enumerate(time) if x <= t and event[k] == 1]
    others = [
        k for k, x in enumerate(time) if x > t or (controls == "all" and x <= t and event[k] > 1)
    ]
    above = total = 0.0
    for i in cases:
        for j in others:
            weight = mass[i] * mass[j]
            total += weight
            above += weight * ((score[i] > score[j]) + (score[i] == score[j]) / 2)
    return above / total


def drawn_rows(n, seed, *, competing=False, entry=False, ties=True):
    """Rows of censored outcomes whose score has to do with their time."""
    rng = np.random.default_rng(seed)
    score = rng.normal(size=n)
    time, end = rng.exponential(np.exp(-score)), rng.exponential(1.5, n)
    event = (time <= end).astype(int)
    if competing:
        event = event * rng.integers(1, 3, n)
    time = np.minimum(time, end)
    if ties:
        time, score = np.ceil(time * 8) / 8, np.round(score, 1)
    rows = {"time": time, "event": event, "score": score, "cause": 1}
    if entry:
        rows["entry"] = np.where(rng.random(n) < 0.5, time * rng.random(n) * 0.9, 0.0) - 1e-3
    return rows
