"""The statements of the paper: theorems counted on random samples, and the numbers of figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

import rocwise as rw
from papers.isometrics.theorems import (
    Window,
    m_gains,
    windows,
)
from papers.shared.claims import Claim, every
from papers.shared.paper import Expected, Records

if TYPE_CHECKING:
    from papers.isometrics.reproduce import Check

ROUNDING = 1e-9
LAST_DIGIT = 0.005
SAMPLES = 300
THEOREMS = {  # in the counts kept: where in the paper, and what it states
    "2: rates after leaving out": ("Theorem 2", "rates of the decided cases"),
    "3: the hull stays concave": ("Theorem 3", "the hull of the decided cases is convex"),
    "4: precisions stay": ("Theorem 4", "the reliable classifier has both precisions"),
    "5: accuracy between the precisions": (
        "Theorem 5",
        "accuracy lies between the precisions, and equals them if they are equal",
    ),
    "6: F-measures do not fall": ("Theorem 6", "both F-measures are higher than defined"),
    "7 and 8: m-estimates": (
        "Theorems 7 and 8",
        "m-estimates with m constant: at least as defined if upr ≤ unr, upr ≥ unr",
    ),
}


def claims(records: Records, expected: Expected) -> list[Claim]:
    """In the order of the paper."""
    sample = list(windows(np.random.default_rng(1), SAMPLES))
    return [
        mixtures(sample),
        *of_isometrics(),
        *of_cases(sample),
        *theorems(records["checks"]),
        *of_m_estimates(sample),
        *of_figures(expected),
    ]


def mixtures(sample: Sequence[Window]) -> Claim:
    """Theorem 1: a point inside an edge of the hull by a mixture of the thresholds at its ends."""
    right = tested = 0
    for rule, one in designs(sample, "precision", "arcs"):
        if rule.case != 3 or not 0 < rule.mixing[0] < 1:
            continue
        tested += 1
        part = rule.mixing[0]
        ends = [one.score >= each for each in (rule.upper_threshold, rule.upper_mixed)]
        rates = [
            (1 - part) * ends[0][one.label == k].mean() + part * ends[1][one.label == k].mean()
            for k in (0, 1)
        ]
        right += bool(np.allclose(rates, rule.point_a, atol=ROUNDING))
    return Claim(
        "Theorem 1",
        "every point of the hull is the performance of some classifier",
        "mixtures of the thresholds at both ends of an edge",
        f"{right} of {tested} points",
        right == tested > 0,
    )


def designs(
    sample: Sequence[Window], metric: str, rule: str
) -> Iterator[tuple[rw.ReliableRule, Window]]:
    """Reliable rules of random targets that can be attained."""
    targets = product((0.7, 0.8, 0.9), repeat=2)
    for one, (positive, negative) in zip(sample, list(targets) * len(sample), strict=False):
        try:
            found = rw.reliable(
                *(one.label, one.score), positive=positive, negative=negative,
                metric=metric, rule=rule
            )  # fmt: skip
        except (rw.errors.UnattainableError, rw.errors.ConflictError):
            continue
        yield found, one


def of_isometrics() -> list[Claim]:
    """Table 1: where the isometrics of a metric meet; and what alpha weighs."""
    c, alpha, m = 2.0, 0.5, 0.1
    pivots = {
        "precision+": (0.0, 0.0),
        "precision-": (1.0, 1.0),
        "f+": (-(alpha**2) / c, 0.0),
        "f-": (1.0, 1 + alpha**2 * c),
        "m+": (-m, -m),
        "m-": (1 + m, 1 + m),
    }
    met = []
    for metric, (x, y) in pivots.items():
        lines = [rw.isometric(metric, v, skew=c, alpha=alpha, m=m) for v in (0.3, 0.5, 0.8)]
        met += [abs(line.slope * x + line.intercept - y) < ROUNDING for line in lines]
    value = [
        (1 + a * a) * 0.9 * 0.4 / (a * a * 0.9 + 0.4) for a in (0.01, 100.0)
    ]  # precision 0.9, tpr 0.4
    return [
        every(
            "section 5",
            "isometrics rotate around (0, 0), (1, 1), (-α²/c, 0), (1, 1 + α²c), (-m̂, -m̂) and "
            "(1 + m̂, 1 + m̂)",
            "`isometric` at three values of each metric",
            met,
        ),
        Claim(
            "section 5.2",
            "α is the importance of the precision relative to tpr",
            "F at precision 0.9 and tpr 0.4 for α near 0 and for large α",
            f"{value[0]:.2f} and {value[1]:.2f}: α weighs tpr",
            value[0] > 0.89 and value[1] < 0.41,
            erratum=True,
        ),
    ]


def of_cases(sample: Sequence[Window]) -> list[Claim]:
    """Section 6: isometrics that cross below the hull, and above it."""
    better = []
    for rule, one in designs(sample, "precision", "paper"):
        if rule.case == 2 and rule.interval:
            (low, _), (high, _) = rule.interval
            x = np.linspace(low, high, 11)[1:-1]
            y = np.interp(x, one.fpr, one.tpr)
            positive = y / (y + one.skew * x) >= rule.targets[0] - ROUNDING
            negative = (1 - x) / (1 - x + (1 - y) / one.skew) >= rule.targets[1] - ROUNDING
            better.append((positive & negative).all())
    found = [
        every(
            "section 6, case 2",
            "below the hull: every point of the hull between both crossings has better precisions",
            "nine points between the crossings of such designs",
            better,
        )
    ]
    for metric, name in (("precision", "precisions"), ("f", "F-measures")):
        paper = {id(one): rule.case for rule, one in designs(sample, metric, "paper")}
        exact = {id(one): rule.case for rule, one in designs(sample, metric, "arcs")}
        above = [key for key, case in paper.items() if case == 3]
        possible = sum(exact.get(key, 3) != 3 for key in above)
        found.append(
            Claim(
                "section 6, case 3",
                f"{name} whose isometrics cross above the hull cannot both be had",
                f"hull points of {len(above)} such designs",
                f"one point has both in {possible}",
                possible == 0,
            )
        )
    return found


def theorems(found: Sequence[Check]) -> list[Claim]:
    """Theorems 2 to 8, as counted."""
    claims = []
    for name, (place, statement) in THEOREMS.items():
        here = [one for one in found if one.theorem == name]
        held, of = sum(one.held for one in here), sum(one.windows for one in here)
        run = f"{of} random samples, recounted without the undecided"
        claims.append(
            Claim(
                *(place, statement, run, f"in {held}", held == of),
                conclusion=place in ("Theorem 4", "Theorem 5", "Theorem 6"),
            )
        )
    return claims


def of_m_estimates(sample: Sequence[Window]) -> list[Claim]:
    """Section 8.3: both ways to keep m, and the corollary."""
    number = [m_gains(one, "number") for one in sample]
    proportion = [m_gains(one, "proportion") for one in sample]
    both = sum(min(gains) > ROUNDING for gains in number)
    enough = [
        gains[0] >= -ROUNDING if one.upr <= one.unr else gains[1] >= -ROUNDING
        for one, gains in zip(sample, proportion, strict=True)
    ]
    equal = equal_shares()
    return [
        Claim(
            "section 8.3",
            "with m constant, both m-estimates increase if and only if upr = unr",
            f"{len(sample)} random samples, and {len(equal)} with upr = unr",
            f"both increase in {both}; with upr = unr they change by {max(map(abs, equal)):.0e}",
            both == 0 and max(map(abs, equal)) < ROUNDING,
            erratum=True,
        ),
        every(
            "section 8.3",
            "with m̂ constant, upr ≤ unr suffices for positives, upr ≥ unr for negatives",
            f"{len(sample)} random samples",
            enough,
        ),
        Claim(
            "Corollary 1",
            "with upr = unr neither m-estimate decreases",
            f"{len(equal)} pairs of points on binormal curves",
            f"smallest change {min(equal):.0e}",
            min(equal) > -ROUNDING,
        ),
    ]


def equal_shares() -> list[float]:
    """Changes of both m-estimates between points with one difference of both rates."""
    from scipy.stats import norm

    changes = []
    for shift, low in product((0.5, 1.0, 2.0), (0.5, 1.0)):
        x = np.array([norm.sf(shift / 2 + low), norm.sf(shift / 2 - low)])
        y = np.array([norm.sf(low - shift / 2), norm.sf(-low - shift / 2)])
        empty = np.empty(0)
        one = Window(y, x, 0, 1, 1.0, empty, empty, 0.0, 0.0)  # tpr_b - tpr_a = fpr_b - fpr_a
        changes += m_gains(one, "number")
    return changes


def of_figures(expected: Expected) -> list[Claim]:
    """The numbers in the captions of figures 6 and 7."""
    six, seven = expected["figure-6"], expected["figure-7"]
    skews = [own["skew"] * (1 - own["unr"]) / (1 - own["upr"]) for own in (six, seven)]
    m = seven["m"] * (1 + seven["skew"])
    m /= 1 - seven["upr"] + seven["skew"] * (1 - seven["unr"])
    up, right = shares_of_f(**six)
    estimate = estimate_after(**seven, m_after=m)
    return [
        Claim(
            "figure 6",
            f"skew {six['skew_after']} after abstaining with upr and unr as printed",
            "equation of the skew",
            f"{skews[0]:.2f}",
            abs(skews[0] - six["skew_after"]) < LAST_DIGIT,
        ),
        Claim(
            "figure 6",
            "F-measures of {positive} and {negative} become {positive_after} and "
            "{negative_after}".format(**six),
            "upr and unr from equation (20) and these numbers",
            f"{up:.3f} and {right:.3f} (printed {six['upr']:.3f} and {six['unr']:.3f})",
            abs(up - six["upr"]) < LAST_DIGIT and abs(right - six["unr"]) < LAST_DIGIT,
        ),
        Claim(
            "figure 7",
            f"skew {seven['skew_after']} and m̂ {seven['m_hat_after']} after abstaining",
            "equations of skew and m̂",
            f"{skews[1]:.3f} and {m:.3f}",
            abs(skews[1] - seven["skew_after"]) < LAST_DIGIT
            and abs(m - seven["m_hat_after"]) < LAST_DIGIT,
        ),
        Claim(
            "figure 7",
            "an m-estimate of {negative} becomes {negative_after}".format(**seven),
            "equation (23) and the precision of {positive}".format(**seven),
            f"{estimate:.4f}",
            abs(estimate - seven["negative_after"]) < LAST_DIGIT,
        ),
    ]


def shares_of_f(
    *,
    skew: float,
    upr: float,
    unr: float,
    positive: float,
    negative: float,
    positive_after: float,
    negative_after: float,
    **_skew: float,
) -> tuple[float, float]:
    """Rates between both points by (20), from F-measures before and after (alpha 1)."""
    whole = [
        share * after / (after - before)
        for share, before, after in (
            (upr, positive, positive_after),
            (unr, negative, negative_after),
        )
    ]
    tpr_a, tnr_b = positive * whole[0] / 2, negative * whole[1] / 2
    fpr_a, fnr_b = (whole[0] - 1 - tpr_a) / skew, (whole[1] - 1 - tnr_b) * skew
    return 1 - fnr_b - tpr_a, 1 - tnr_b - fpr_a


def estimate_after(
    *,
    skew: float,
    upr: float,
    unr: float,
    m: float,
    positive: float,
    negative: float,
    m_after: float,
    **_after: float,
) -> float:
    """The m-estimate of negatives after abstaining, from that before and the precision at a."""
    rise = positive / (1 - positive) * skew  # tpr_a over fpr_a
    prior = m * (1 + skew) / skew
    tnr, fnr = 1 - unr, 1 - upr  # less fpr_a, and less rise times fpr_a
    fpr = (negative * (tnr + fnr / skew + prior) - tnr - m) / (negative * (1 + rise / skew) - 1)
    tnr, fnr = tnr - fpr, fnr - rise * fpr
    return (tnr + m_after * (1 - unr)) / (tnr + fnr / skew + prior)
