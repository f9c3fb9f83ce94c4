"""The statements of the paper, from the counts kept and from closed forms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

import rocwise as rw
from papers.shared.claims import Claim
from papers.shared.paper import Expected, Records

if TYPE_CHECKING:
    from papers.prediction.reproduce import Value

NEGATIVE, POSITIVE = (4.0, 3.0), (8.0, 2.0)  # mean and standard deviation of Table I
LAST_DIGIT = 0.0101  # some published numbers are cut, not rounded


def claims(records: Records, expected: Expected) -> list[Claim]:
    """In the order of the paper."""
    found: Sequence[Value] = records["values"]
    return [*of_thresholds(), *of_samples(found, expected), *of_iris(found, expected)]


def of_thresholds() -> list[Claim]:
    """Equations (10) to (17), and what figures 3 and 4 say of means and deviations."""
    cases = [((4, 3), (8, 2)), ((0, 1), (2, 2)), ((0, 1.5), (1, 1.5)), ((2, 2), (5, 1))]
    best = [rw.predict_roc(*pair) for pair in cases]
    on_grid = [grid_maximum(*pair) for pair in cases]
    printed = [printed_threshold(*pair) for pair in cases]
    crossing = [
        abs(one.best_threshold - own) < 2e-3 for one, own in zip(best, on_grid, strict=True)
    ]
    right = [abs(one.best_threshold - own) < 1e-6 for one, own in zip(best, printed, strict=True)]
    areas = {
        (mean, sd): rw.predict_roc((0, 2), (mean, sd)).auc
        for mean in (1, 2, 3, 4)
        for sd in (1, 2, 3)
    }
    rising = all(areas[m, s] < areas[m + 1, s] for m in (1, 2, 3) for s in (1, 2, 3))
    falling = all(areas[m, s] > areas[m, s + 1] for m in (1, 2, 3, 4) for s in (1, 2))
    return [
        Claim(
            "equation (10)",
            "the best threshold is where the densities cross",
            f"Ameans on a fine grid, {len(cases)} pairs of normal distributions",
            f"at {sum(crossing)} of {len(cases)}",
            all(crossing),
        ),
        Claim(
            "equations (11) to (17)",
            "closed form of the best threshold",
            "the same pairs, two with more variable negatives",
            f"as printed right at {sum(right)}; with the other root where σN > σP "
            f"at {sum(crossing)}",
            all(crossing),
            erratum=not all(right),
            conclusion=True,
        ),
        Claim(
            "figures 3 and 4",
            "larger differences of the means and smaller deviations are easier to classify",
            f"{len(areas)} pairs of normal distributions",
            f"AUC from {min(areas.values()):.2f} to {max(areas.values()):.2f}, monotone in both",
            rising and falling,
        ),
        Claim(
            "figure 4",
            "curves of different standard deviations intersect",
            "σN = 1 and 3, means 0 and 2, σP = 2",
            f"{crossings((0, 1), (0, 3), (2, 2))} crossing inside the square",
            crossings((0, 1), (0, 3), (2, 2)) > 0,
        ),
    ]


def grid_maximum(negative: tuple[float, float], positive: tuple[float, float]) -> float:
    """The threshold with the largest mean of accuracies on a grid of steps of 0.001."""
    t = np.arange(-20.0, 30.0, 0.001)
    means = (normal_cdf(t, *negative) + 1 - normal_cdf(t, *positive)) / 2
    return float(t[means.argmax()])


def normal_cdf(t: object, mean: float, sd: float) -> object:
    """The distribution function."""
    from scipy.special import ndtr

    return ndtr((np.asarray(t) - mean) / sd)


def printed_threshold(negative: tuple[float, float], positive: tuple[float, float]) -> float:
    """Equation (11) letter by letter."""
    (m_n, s_n), (m_p, s_p) = negative, positive
    if s_n == s_p:
        return (m_p**2 - m_n**2) / (2 * (m_p - m_n))
    if s_n > s_p:
        m_n, s_n, m_p, s_p = m_p, s_p, m_n, s_n  # (15) to (17) exchange the classes
    a = s_p**2 - s_n**2
    b = 2 * (m_p * s_n**2 - m_n * s_p**2)
    c = m_n**2 * s_p**2 - m_p**2 * s_n**2 - 2 * s_n**2 * s_p**2 * math.log(s_p / s_n)
    return (-b + math.sqrt(b * b - 4 * a * c)) / (2 * a)


def crossings(
    first: tuple[float, float], second: tuple[float, float], positive: tuple[float, float]
) -> int:
    """How often two predicted curves cross between FPR 0.001 and 0.999."""
    x = np.linspace(0.001, 0.999, 998)
    curves = [rw.predict_roc(negative, positive) for negative in (first, second)]
    gaps = np.subtract(*(np.interp(x, one.fpr, one.tpr) for one in curves))
    return int((gaps[1:] * gaps[:-1] < 0).sum())


def agreeing(
    found: Sequence[Value], expected: Expected, table: str, quantity: str = ""
) -> list[bool]:
    """Whether each published number agrees: to its last digit, or within two deviations."""
    agree = []
    for one in found:
        said = expected["table"][one.table].get(one.row, {}).get(one.quantity)
        if said is not None and one.table == table and one.quantity.startswith(quantity):
            agree.append(abs(one.value - said) <= (2 * one.spread if one.spread else LAST_DIGIT))
    return agree


def counted(place: str, statement: str, run: str, agree: Sequence[bool]) -> Claim:
    """A statement that is a set of numbers; it holds if all of them do."""
    return Claim(place, statement, run, f"{sum(agree)} of {len(agree)} agree", all(agree))


def of_samples(found: Sequence[Value], expected: Expected) -> list[Claim]:
    """Table I."""
    table = [one for one in found if one.table == "I"]
    exact = [one for one in table if not one.spread]
    drawn = [one for one in table if one.spread]
    predicted = {one.quantity: one.value for one in exact}
    off = [abs(one.value - predicted[one.quantity]) / one.spread for one in drawn]
    return [
        counted(
            "Table I",
            "predicted AUC and Ameans",
            "closed forms; agreement to 0.01",
            agreeing(exact, expected, "I"),
        ),
        counted(
            "Table I",
            "AUC and Ameans of one sample of each size",
            "many samples; agreement within two standard deviations of one sample",
            agreeing(drawn, expected, "I"),
        ),
        Claim(
            "section V",
            "predictions are similar to the values of samples",
            "mean of the samples less the prediction, in standard deviations of one sample",
            f"at most {max(off):.2f}",
            max(off) < 1,
            conclusion=True,
        ),
    ]


def of_iris(found: Sequence[Value], expected: Expected) -> list[Claim]:
    """Tables II to IV."""
    means = {(one.row, one.quantity): one.value for one in found if one.table == "II"}
    features = list(dict.fromkeys(row for row, _ in means))
    gaps = {row: means[row, "difference of the means"] for row in features}
    of_iv = {(one.row, one.quantity): one.value for one in found if one.table == "IV"}
    areas = {row: of_iv[row, "AUC"] for row in features}
    spreads = {row: means[row, "sd class 2"] + means[row, "sd class 3"] for row in features}
    best, second = sorted(areas, key=lambda row: -areas[row])[:2]
    stepped = [
        abs(value - expected["table"]["IV"][row]["AUC"]) <= LAST_DIGIT
        for (row, quantity), value in of_iv.items()
        if quantity == "AUC by steps of 0.1"
    ]
    exact = agreeing(found, expected, "IV", "AUC")
    return [
        counted(
            "Table II",
            "means, standard deviations and differences of four features",
            "iris, versicolor and virginica; agreement to 0.01",
            agreeing(found, expected, "II"),
        ),
        counted(
            "Table III",
            "means and standard deviations of two distances",
            "the same",
            agreeing(found, expected, "III"),
        ),
        Claim(
            "Table IV",
            "predicted AUC of six measurements",
            "closed form; agreement to 0.01",
            f"{sum(exact)} of {len(exact)} agree; {sum(stepped)} if summed over steps of 0.1",
            all(exact),
        ),
        counted(
            "Table IV",
            "predicted largest Ameans of six measurements",
            "closed form; agreement to 0.01",
            agreeing(found, expected, "IV", "Ameans"),
        ),
        Claim(
            "section V",
            "the fourth feature discriminates best and has the smallest standard deviations",
            "AUC and standard deviations of the features",
            f"best: {best}; smallest: {min(spreads, key=lambda row: spreads[row])}",
            best == min(spreads, key=lambda row: spreads[row]) == "petal width",
        ),
        Claim(
            "section V",
            "the third feature is second and has the largest difference of the means",
            "AUC and means of the features",
            f"second: {second}; largest: {max(gaps, key=lambda row: gaps[row])}",
            second == max(gaps, key=lambda row: gaps[row]) == "petal length",
        ),
    ]
