"""The statements of the paper, from the areas kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import friedmanchisquare

import rocwise as rw
from papers.shared.claims import Claim, every, in_most
from papers.shared.paper import Expected, Records

if TYPE_CHECKING:
    from papers.rec.reproduce import Area, Forms, Learners

LEVEL = 0.05
SIMILAR = 0.05  # relative difference of areas that count as similar
FACTOR = 1.5  # between published areas and those here
NAMED = {"A": "laser", "Darwin": "darwin", "Mackey-Glass": "Mackey-Glass"}  # in the paper: here
CHAOS = ("Mackey-Glass", "Mackey-Glass, 20% noise")


Medians = Mapping[tuple[str, str], float]


def claims(records: Records, expected: Expected) -> list[Claim]:
    """In the order of the paper."""
    areas, forms = records["areas"], records["forms"]
    return [
        *of_curves(),
        *of_learners(records["learners"]),
        *of_filters(areas, forms),
        *of_stackings(areas, forms, expected),
    ]


def of_curves() -> list[Claim]:
    """Section 2: what the area over the curve estimates, and other error metrics."""
    rng = np.random.default_rng(2006)
    y = rng.normal(size=50)
    errors, same = [], []
    for _ in range(100):
        first, second = y + rng.normal(0, 0.5, 50), y + rng.normal(0, rng.uniform(0.5, 2), 50)
        curves = [
            [rw.regression.rec(y, each, loss=loss) for each in (first, second)]
            for loss in ("absolute", "squared")
        ]
        errors.append(curves[0][0].aoc - np.abs(first - y).mean())
        same.append(curves[0][0].dominates(curves[0][1]) == curves[1][0].dominates(curves[1][1]))
    return [
        Claim(
            "section 2",
            "the area over the curve always underestimates the expected error",
            "step curves of 100 random forecasts, area less mean error",
            f"at most {np.abs(errors).max():.0e}: it is the mean error (of joined points, less)",
            bool(np.max(errors) < -1e-9),
        ),
        every(
            "section 2",
            "comparisons are invariant to the error metric",
            "dominance by absolute and by squared errors, 100 random pairs",
            same,
        ),
    ]


def of_learners(learners: Sequence[Learners]) -> list[Claim]:
    """Section 4.1: naive Bayes for regression and model trees."""
    clear = [one.tree < one.bayes for one in learners if one.p_value < LEVEL]
    linear = next(one for one in learners if one.data == "pwLinear")
    return [
        Claim(
            "section 4.1",
            "the model tree clearly outperforms naive Bayes on most data sets (16 of 25)",
            f"{len(learners)} data sets at hand, five folds, sign-flip test of mean errors",
            f"significantly better on {sum(clear)}, worse on {len(clear) - sum(clear)}",
            sum(clear) > len(learners) / 2,
        ),
        Claim(
            "figure 2",
            "on pwLinear the curve of the model tree covers that of naive Bayes",
            "dominance of the REC curves",
            "dominates" if linear.dominates else "the curves cross",
            linear.dominates,
        ),
    ]


def medians(found: Sequence[Area], quantity: str = "absolute") -> dict[tuple[str, str], float]:
    """Over the seeds, by series and forecaster."""
    groups: dict[tuple[str, str], list[float]] = {}
    for one in found:
        groups.setdefault((one.series, one.forecaster), []).append(getattr(one, quantity))
    return {place: float(np.median(values)) for place, values in groups.items()}


def of_filters(areas: Sequence[Area], forms: Sequence[Forms]) -> list[Claim]:
    """Section 4.2."""
    middle = medians(areas)
    series = list(dict.fromkeys(one.series for one in areas))
    gaps = [max(abs(f.ukf / f.sr_ukf - 1), abs(f.cdkf / f.sr_cdkf - 1)) for f in forms]
    both = [f for f in forms if f.dominates_cdkf and f.dominates_ekf]
    names = ("sr-ukf", "sr-cdkf", "ekf")
    behind = [s for s in series if middle[s, "sr-cdkf"] < middle[s, "sr-ukf"]]
    ranks = {
        name: float(
            np.mean([sorted(names, key=lambda n: middle[s, n]).index(name) for s in series])
        )
        for name in names
    }
    order = sorted(ranks, key=lambda name: ranks[name])
    smaller = sum(middle[s, "sr-cdkf"] < middle[s, "ekf"] for s in series)
    p = 1.0
    if len(series) > 2:  # not in the quick version
        p = float(friedmanchisquare(*([middle[s, name] for s in series] for name in names)).pvalue)
    return [
        Claim(
            "section 4.2",
            "UKF and SR-UKF, CDKF and SR-CDKF are nearly the same",
            f"areas, {len(forms)} series and seeds",
            f"relative difference at most {max(gaps):.0e}",
            max(gaps) < 0.01,
        ),
        Claim(
            "section 4.2",
            "for most series SR-UKF dominates SR-CDKF and EKF",
            f"REC curves, {len(forms)} series and seeds",
            f"both in {len(both)}",
            len(both) > len(forms) / 2,
        ),
        Claim(
            "figure 4",
            "SR-CDKF is better than SR-UKF only on Mackey-Glass",
            f"median areas, {len(series)} series",
            f"on {len(behind)}: {', '.join(behind) or 'none'}",
            set(behind) <= set(CHAOS),
        ),
        in_most(
            "section 4.2",
            "SR-CDKF and EKF are similar for almost all series",
            f"median areas within {SIMILAR:.0%}",
            [abs(middle[s, "sr-cdkf"] / middle[s, "ekf"] - 1) <= SIMILAR for s in series],
        ),
        in_most(
            "section 2",
            "reasonable models are better than the null model",
            f"median areas of three filters, {len(series)} series",
            [max(middle[s, name] for name in names) < middle[s, "null"] for s in series],
        ),
        Claim(
            "section 4.2",
            "areas give a small advantage to SR-CDKF over EKF",
            "median areas, and their mean ranks",
            f"smaller on {smaller} of {len(series)}, mean ranks {ranks['sr-cdkf'] + 1:.2f} and "
            f"{ranks['ekf'] + 1:.2f}",
            smaller > len(series) / 2 and ranks["sr-cdkf"] < ranks["ekf"],
        ),
        Claim(
            "section 4.2",
            "SR-UKF is best, followed by SR-CDKF and EKF",
            "mean ranks of the median areas, Friedman's test",
            ", ".join(f"{name} {ranks[name] + 1:.2f}" for name in order) + f", p = {p:.2g}",
            order == list(names) and p < LEVEL,
            conclusion=True,
        ),
        in_most(
            "section 4.2",
            "the model tree and naive Bayes are poor models of the series",
            "areas of both on the lags larger than that of the best filter",
            [min(f.model_tree, f.bayes) > min(f.sr_ukf, f.sr_cdkf, f.ekf) for f in forms],
        ),
    ]


def of_stackings(areas: Sequence[Area], forms: Sequence[Forms], expected: Expected) -> list[Claim]:
    """Section 4.3 and Table 3."""
    middle, squared = medians(areas), medians(areas, "squared")
    series = list(dict.fromkeys(one.series for one in areas))
    with_ukf = ("stack-2", "stack-3", "stack-4")
    own = [[middle[s, name] for name in with_ukf] for s in series]
    best = [min(with_ukf, key=lambda n: middle[s, n]) for s in series]
    counts = {name: best.count(name) for name in with_ukf}
    ahead_of_2 = [sum(a[k] < a[0] for a in own) for k in (1, 2)]
    at_hand = {paper: here for paper, here in NAMED.items() if here in series}
    ratios = [
        squared[here, name] / value
        for paper, here in at_hand.items()
        for name, value in zip(with_ukf, expected["table-3"][paper], strict=True)
    ]
    ahead = [f for f in forms if f.stack_3 < f.stacked_sr_ukf]
    clearly = [f for f in ahead if f.p_stack_3 < LEVEL]
    return [
        in_most(
            "figure 6",
            "stackings with the SR-UKF have similar performance",
            "median areas of stackings 2, 3 and 4 within 10%",
            [max(areas) <= 1.1 * min(areas) for areas in own],
        ),
        Claim(
            "Table 3",
            "stackings with SR-CDKF (3 and 4) are slightly better than stacking 2",
            f"median areas smaller than that of stacking 2, {len(series)} series",
            f"stacking 3 on {ahead_of_2[0]}, stacking 4 on {ahead_of_2[1]}",
            min(ahead_of_2) > len(series) / 2,
        ),
        Claim(
            "Table 3",
            "stackings 3 and 4 are best for nearly the same number of series",
            "series on which each is the best of stackings 2, 3 and 4",
            f"{counts['stack-3']} and {counts['stack-4']}",
            abs(counts["stack-3"] - counts["stack-4"]) <= 1,
        ),
        in_most(
            "Table 3",
            "areas of the stackings",
            f"squared errors, {len(at_hand)} of 12 series at hand; within a factor of {FACTOR}",
            [1 / FACTOR <= ratio <= FACTOR for ratio in ratios],
        ),
        Claim(
            "figure 7",
            "stacking 3 is significantly better than the SR-UKF on all series",
            f"Diebold and Mariano's test, {len(forms)} series and seeds",
            f"better in {len(ahead)}, significantly in {len(clearly)}",
            len(clearly) == len(forms),
            conclusion=True,
        ),
    ]
