"""The smooth ROC curve and its relatives from their definitions, one pair of cases at a time."""

import numpy as np


def theta_of(y, s, mid):
    return [
        v if (label == 1 and v >= mid) or (label == 0 and v < mid) else 1 - v
        for label, v in zip(y, s, strict=True)
    ]


def smooth_area(y, s, mid):
    """All ordered pairs, same-class pairs and i = j included (1.8, 1.9)."""
    t = theta_of(y, s, mid)
    total = 0.0
    for i in range(len(y)):
        for j in range(len(y)):
            credit = 1.0 if s[i] > s[j] else 0.5 if s[i] == s[j] else 0.0
            total += t[i] * credit * (1 - t[j])
    return total / (sum(t) * (len(y) - sum(t)))


def printed_smooth_area(y, s, mid):
    """What the paper prints: 1 - Theta of i, and nothing for ties of different cases."""
    t = theta_of(y, s, mid)
    total = 0.0
    for i in range(len(y)):
        for j in range(len(y)):
            credit = 1.0 if s[i] > s[j] else 0.5 if i == j else 0.0
            total += t[i] * credit * (1 - t[i])
    return total / (sum(t) * (len(y) - sum(t)))


def curve_by_rows(y, s, mid):
    """The curve of Algorithm 2, tie group by tie group."""
    t = np.array(theta_of(y, s, mid))
    s = np.asarray(s)
    points = [(0.0, 0.0)]
    for value in sorted(set(s.tolist()), reverse=True):
        x, up = points[-1]
        tied = s == value
        right = (1 - t[tied]).sum() / (1 - t).sum()
        points.append((x + right, up + t[tied].sum() / t.sum()))
    return np.array(points)


def margins_of(y, s):
    """Score of the positive minus score of the negative, for every pair."""
    y, s = np.asarray(y), np.asarray(s, float)
    return s[y == 1][:, None] - s[y == 0][None, :]
