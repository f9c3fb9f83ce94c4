"""The best threshold by trying every one, in exact arithmetic and from the definitions."""

from fractions import Fraction
from itertools import pairwise

from oracles.recounts import counted

INFINITE = Fraction(10**12)


def ratio(top, bottom):
    """A fraction; None for 0/0, a huge number for anything else over 0."""
    if bottom:
        return Fraction(top) / bottom
    return INFINITE if top else None


def proportions(cells, prevalence):
    """(tp, fp, fn, tn) as proportions of all cases at the prevalence."""
    tp, fp, fn, tn = map(Fraction, cells)
    total = tp + fp + fn + tn
    if prevalence is None:
        return tp / total, fp / total, fn / total, tn / total
    p = Fraction(prevalence)
    positives, negatives = tp + fn, fp + tn
    return (
        p * tp / positives,
        (1 - p) * fp / negatives,
        p * fn / positives,
        (1 - p) * tn / negatives,
    )


def signed_square(tp, fp, fn, tn):
    """Matthews' correlation squared, with its sign."""
    top = tp * tn - fp * fn
    bottom = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    return Fraction(0) if not bottom else top * abs(top) / bottom


def paired(join, predictive=False):
    def measure(tp, fp, fn, tn):
        if predictive:
            pair = ratio(tp, tp + fp), ratio(tn, tn + fn)
        else:
            pair = tp / (tp + fn), tn / (tn + fp)
        return None if None in pair else join(*pair)

    return measure


def squared_distance(a, b):
    return (1 - a) ** 2 + (1 - b) ** 2


def kappa(tp, fp, fn, tn):
    agreed = tp + tn
    chance = (tp + fp) * (tp + fn) + (fn + tn) * (fp + tn)
    return (agreed - chance) / (1 - chance)


# name: (a measure in the same order as the rule's, of shares that sum to 1; whether to minimise)
MEASURES = {
    "youden": (paired(lambda a, b: a + b), False),
    "ameans": (paired(lambda a, b: a + b), False),
    "closest": (paired(squared_distance), True),
    "product": (paired(lambda a, b: a * b), False),
    "equal": (paired(lambda a, b: abs(a - b)), True),
    "maximin": (paired(min), False),
    "minimax": (lambda tp, fp, fn, tn: max(fp, fn), True),
    "accuracy": (lambda tp, fp, fn, tn: tp + tn, False),
    "f1": (lambda tp, fp, fn, tn: 2 * tp / (2 * tp + fp + fn), False),
    "f-beta": (lambda tp, fp, fn, tn: 5 * tp / (5 * tp + 4 * fn + fp), False),  # beta = 2
    "mcc": (signed_square, False),
    "kappa": (kappa, False),
    "chi-square": (lambda *cells: abs(signed_square(*cells)), False),
    "predictive-sum": (paired(lambda a, b: a + b, predictive=True), False),
    "predictive-product": (paired(lambda a, b: a * b, predictive=True), False),
    "predictive-closest": (paired(squared_distance, predictive=True), True),
    "predictive-equal": (paired(lambda a, b: abs(a - b), predictive=True), True),
    "predictive-maximin": (paired(min, predictive=True), False),
    "prevalence": (lambda tp, fp, fn, tn: abs(fp - fn), True),
}
# rules by which a threshold can be as good as another one that beats it in both rates
TIED_MINIMA = {
    "product",
    "equal",
    "maximin",
    "minimax",
    "predictive-product",
    "predictive-maximin",
}
# name: (what is limited, whether it is an upper limit, which rate is the best of the rest)
LIMITS = {
    "min-sensitivity": (lambda tp, fp, fn, tn: tp / (tp + fn), False, "specificity"),
    "min-specificity": (lambda tp, fp, fn, tn: tn / (tn + fp), False, "sensitivity"),
    "min-precision": (lambda tp, fp, fn, tn: ratio(tp, tp + fp), False, "sensitivity"),
    "min-npv": (lambda tp, fp, fn, tn: ratio(tn, tn + fn), False, "specificity"),
    "max-alarms": (lambda tp, fp, fn, tn: tp + fp, True, "sensitivity"),
    "min-lr-positive": (
        lambda tp, fp, fn, tn: ratio(tp / (tp + fn), fp / (fp + tn)),
        False,
        "sensitivity",
    ),
    "max-lr-negative": (
        lambda tp, fp, fn, tn: ratio(fn / (tp + fn), tn / (fp + tn)),
        True,
        "specificity",
    ),
}


def candidates(y, s, direction="higher"):
    """(threshold, cells) from the highest; at the first no case is predicted positive."""
    n_pos = sum(map(bool, y))
    beyond = float("inf") if direction == "higher" else float("-inf")
    found = [(beyond, (0, 0, n_pos, len(y) - n_pos))]
    order = sorted(set(s), reverse=direction == "higher")
    found += [(t, counted(y, s, t, direction)) for t in order]
    assert all(a[1][0] + a[1][1] < b[1][0] + b[1][1] for a, b in pairwise(found))
    return found


def best_cells(found, measure, smallest, prevalence=None):
    """All candidates with the best value, from the strictest."""
    valued = [(measure(*proportions(cells, prevalence)), cells) for _, cells in found]
    defined = [value for value, _ in valued if value is not None]
    best = min(defined, default=None) if smallest else max(defined, default=None)
    return [cells for value, cells in valued if value is not None and value == best]


def unbeaten(best):
    """Of equally good cells, those with the largest sum of sensitivity and specificity."""
    sums = [Fraction(tp, tp + fn) + Fraction(tn, tn + fp) for tp, fp, fn, tn in best]
    return [cells for cells, each in zip(best, sums, strict=True) if each == max(sums)]


def within_limit(found, name, limit, prevalence=None):
    """The best of the rest within a limit: all equally good cells, or none."""
    of, at_most, goal = LIMITS[name]
    kept = []
    for _, cells in found:
        tp, fp, fn, tn = proportions(cells, prevalence)
        value = of(tp, fp, fn, tn)
        if value is not None and (value <= limit if at_most else value >= limit):
            rates = {"sensitivity": tp / (tp + fn), "specificity": tn / (tn + fp)}
            kept.append(((rates[goal], sum(rates.values())), cells))
    best = max((value for value, _ in kept), default=None)
    return [cells for value, cells in kept if value == best]
