"""Every window of a sample tried, one by one."""

import numpy as np


def windows(y, s, prevalence=None):
    """(missed positives, false alarms, undecided positives, undecided negatives) of each window.

    All four are weights: proportions of the class times the share that the class is given.
    """
    y, s = np.asarray(y), np.asarray(s, float)
    prior = y.mean() if prevalence is None else prevalence
    cuts = [-np.inf, *np.unique(s), np.inf]
    for i, last_negative in enumerate(cuts[:-1]):
        for first_positive in cuts[i + 1 :]:
            negative, positive = s <= last_negative, s >= first_positive
            neither = ~negative & ~positive
            yield (
                prior * np.mean(negative[y == 1]),
                (1 - prior) * np.mean(positive[y == 0]),
                prior * np.mean(neither[y == 1]),
                (1 - prior) * np.mean(neither[y == 0]),
            )


def least_cost(y, s, mu, nu, prevalence=None):
    """The least normalised cost, and the least abstention among windows that have it."""
    nu_pos, nu_neg = nu if isinstance(nu, tuple) else (nu, nu)
    tried = [
        (missed + mu * alarms + nu_pos * und_pos + nu_neg * und_neg, und_pos + und_neg)
        for missed, alarms, und_pos, und_neg in windows(y, s, prevalence)
    ]
    least = min(cost for cost, _ in tried)
    return least, min(rate for cost, rate in tried if cost <= least + 1e-12)


def bounded(y, s, costs, *, decided, prevalence=None, max_abstention=None, max_cost=None):
    """(cost, abstention) of the best window within a bound; None when there is none."""
    found = []
    prior = np.mean(y) if prevalence is None else prevalence
    for missed, alarms, und_pos, und_neg in windows(y, s, prevalence):
        hits, rejections = prior - missed - und_pos, 1 - prior - alarms - und_neg
        rate, cost = und_pos + und_neg, costs.fn * missed + costs.fp * alarms
        cost += costs.tp * hits + costs.tn * rejections
        if decided and rate > 1 - 1e-12:
            continue
        cost = cost / (1 - rate) if decided else cost
        if max_abstention is not None and rate <= max_abstention + 1e-12:
            found.append(((round(cost, 11), round(rate, 11)), cost, rate))
        if max_cost is not None and cost <= max_cost + 1e-12:
            found.append(((round(rate, 11), round(cost, 11)), cost, rate))
    return min(found)[1:] if found else None
