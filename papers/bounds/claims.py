"""The statements of the paper, each computed anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from scipy.integrate import quad
from scipy.stats import norm

import rocwise as rw
from papers.shared.claims import Claim, every
from papers.shared.paper import Expected, Records

if TYPE_CHECKING:
    from papers.bounds.reproduce import Point

SIGNAL, NOISE = norm(1, 1), norm(0, 1)
WIDE = norm(1, 2)  # its likelihood ratio is not monotone
CLOSE = 1e-3  # what the grid of the brute force leaves open
EQUAL = 1e-9


def claims(records: Records, _expected: Expected) -> list[Claim]:
    """In the order of the paper."""
    points: Sequence[Point] = records["points"]
    return [*of_slopes(), *of_older_indices(points), *of_bounds(points), *of_contours(points)]


def likelihood_ratio(u: float) -> float:
    """Of the normal signal and noise."""
    return float(SIGNAL.pdf(u) / NOISE.pdf(u))


def of_slopes() -> list[Claim]:
    """Sections 2 and 3: slopes, likelihood ratios and forced choice, for normal distributions."""
    u = np.linspace(-3, 4, 15)
    step = 1e-5
    slopes = (SIGNAL.sf(u + step) - SIGNAL.sf(u - step)) / (NOISE.sf(u + step) - NOISE.sf(u - step))
    ratios = np.array([likelihood_ratio(each) for each in u])
    error = float(np.abs(slopes / ratios - 1).max())
    concave = [is_concave(positive) for positive in (SIGNAL, WIDE)]
    means = [
        quad(lambda u, law=law: likelihood_ratio(u) * law.pdf(u), -12, 14)[0]
        for law in (SIGNAL, NOISE)
    ]
    area = rw.predict_roc((0, 1), (1, 1)).auc
    correct = quad(lambda u: SIGNAL.sf(u) * NOISE.pdf(u), -12, 12)[0]
    arc = NOISE.pdf(u) * np.sqrt(1 + ratios**2) / ratios  # length of the curve for a change of l
    curvature = 1 / (1 + ratios**2) / arc
    angle = np.diff(np.arctan(np.add(ratios, [[-step], [step]])), axis=0)[0] / (2 * step)
    return [
        Claim(
            "Lemma 2.2",
            "a curve is proper if and only if the likelihood ratio is monotone",
            "N(1, 1) and N(1, 2) against N(0, 1)",
            " and ".join("concave" if one else "not concave" for one in concave),
            concave == [True, False],
        ),
        Claim(
            "Proposition 2.3",
            "the slope of the curve is the likelihood ratio",
            "15 criteria, normal distributions",
            f"relative error at most {error:.0e}",
            error < 1e-6,
            conclusion=True,
        ),
        Claim(
            "section 2",
            "the mean likelihood ratio is at least 1 for the signal and 1 for noise",
            "quadrature, normal distributions",
            f"{means[0]:.3f} and {means[1]:.3f}",
            means[0] >= 1 and abs(means[1] - 1) < EQUAL,
        ),
        Claim(
            "section 2",
            "the curvature of an ROC curve is κ = 1/(1 + l²)",
            "change of the angle of the tangent with l, and with the length of the curve",
            f"with l (error {np.abs(angle - 1 / (1 + ratios**2)).max():.0e}); the curvature is "
            f"{(curvature * (1 + ratios**2)).min():.1f} to "
            f"{(curvature * (1 + ratios**2)).max():.1f} times as large",
            bool(np.abs(angle - 1 / (1 + ratios**2)).max() < 1e-6),
            erratum=True,
        ),
        Claim(
            "Proposition 3.1 (Green)",
            "the area is the probability of a correct forced choice",
            "quadrature, normal distributions",
            f"{area:.6f} and {correct:.6f}",
            abs(area - correct) < 1e-8,
        ),
    ]


def is_concave(positive: object) -> bool:
    """Whether the ROC curve against the noise turns downwards everywhere."""
    u = np.linspace(6, -6, 2001)
    x, y = NOISE.sf(u), positive.sf(u)  # type: ignore[attr-defined]
    turn = np.diff(y)[:-1] * np.diff(x)[1:] - np.diff(y)[1:] * np.diff(x)[:-1]
    return bool(turn.min() > -1e-12)


def of_older_indices(points: Sequence[Point]) -> list[Claim]:
    """Section 4: A' of Pollack and Norman, A'' of Smith."""
    found = [(one, rw.signal_detection(one.fpr, one.tpr)) for one in points]
    wrong = {True: 0, False: 0}
    for one, index in found:
        wrong[one.fpr < 0.5 < one.tpr] += abs(index.a_double_prime - index.a) > EQUAL
    inside = sum(one.fpr < 0.5 < one.tpr for one in points)
    return [
        every(
            "section 4",
            "A' is the mean of the areas of two polygons, not of the bounds",
            f"{len(points)} random points",
            [abs(index.a_prime - sum(polygons(one)) / 2) < EQUAL for one, index in found],
        ),
        Claim(
            "section 4",
            "Smith's A'' is wrong where F < 1/2 < H, and only there",
            f"{len(points)} random points, {inside} with F < 1/2 < H",
            f"wrong at {wrong[True]} of these and at {wrong[False]} others",
            wrong == {True: inside, False: 0},
        ),
    ]


def polygons(one: Point) -> tuple[float, float]:
    """A1 + I and A2 + I of figure 1."""
    return 1 - one.fpr / (2 * one.tpr), 1 - (1 - one.tpr) / (2 * (1 - one.fpr))


def of_bounds(points: Sequence[Point]) -> list[Claim]:
    """Section 5: both bounds, the curve of the largest area, the index A."""
    right = sum(abs(one.printed - one.searched) <= CLOSE for one in points)
    corrected = sum(abs(one.upper - one.searched) <= CLOSE for one in points)
    inner = [one for one in points if one.fpr < 0.5 < one.tpr]
    n = len(points)
    return [
        every(
            "section 5",
            "A- = (1 + H - F)/2",
            f"{n} random points",
            [abs(one.lower - (1 + one.tpr - one.fpr) / 2) < EQUAL for one in points],
        ),
        Claim(
            "Proposition 5.1",
            "the upper bound A+ in three cases",
            f"search over all supporting lines at {n} random points",
            f"as printed right at {right}; corrected (below) at {corrected}",
            corrected == n,
            erratum=right < n,
            conclusion=True,
        ),
        every(
            "section 5",
            "the curve of the largest area has three segments, and the point halves the middle one",
            "`largest_curve` at points with F < 1/2 < H",
            map(halves, inner),
        ),
        every(
            "section 5",
            "A as printed is the mean of both bounds",
            f"{n} random points",
            [abs(printed_index(one) - (one.lower + one.upper) / 2) < EQUAL for one in points],
            conclusion=True,
        ),
    ]


def halves(one: Point) -> bool:
    """Whether the point is the middle of the second of three segments."""
    x, y = rw.auc_bounds(one.fpr, one.tpr).largest_curve()
    middle = (x[1] + x[2]) / 2, (y[1] + y[2]) / 2
    return len(x) == 4 and bool(np.allclose(middle, (one.fpr, one.tpr), atol=EQUAL))


def printed_index(one: Point) -> float:
    """A as printed."""
    F, H = one.fpr, one.tpr
    if F <= 0.5 <= H:
        return 3 / 4 + (H - F) / 4 - F * (1 - H)
    return 3 / 4 + (H - F) / 4 - (F / (4 * H) if H < 0.5 else (1 - H) / (4 * (1 - F)))


def of_contours(points: Sequence[Point]) -> list[Claim]:
    """Figures 3 and 4, and the index b."""
    gaps = np.array([one.upper - one.lower for one in points])
    widest = [points[k] for k in np.argsort(gaps)[-len(points) // 20 :]]
    at_edges = sum(min(one.fpr, 1 - one.tpr) < 0.1 for one in widest)
    elsewhere = sum(min(one.tpr, 1 - one.fpr) < 0.1 for one in widest)
    inner = [one for one in points if one.fpr < 0.5 < one.tpr]
    slopes = [contour_slope(one) for one in points]
    b = [rw.auc_bounds(one.fpr, one.tpr).b or np.nan for one in points]
    same = sum(abs(s / own - 1) < 1e-5 for s, own in zip(slopes, b, strict=True))
    return [
        every(
            "figure 3",
            "the difference of the bounds is smallest along both diagonals",
            "points with F < 1/2 < H moved to either diagonal, at the same F + 1 - H or F + H: "
            "not larger there",
            (gap_on_diagonals(one) <= one.upper - one.lower + EQUAL for one in inner),
        ),
        Claim(
            "figure 3",
            "the difference is greatest near H = 0 and F = 1",
            f"the {len(widest)} of {len(points)} points with the largest",
            f"{elsewhere} within 0.1 of these edges, {at_edges} within 0.1 of F = 0 or H = 1",
            elsewhere > at_edges,
        ),
        Claim(
            "figure 4, b",
            "b is orthogonal to the slope of the contours of A",
            f"numerical slope at {len(points)} points",
            f"b as printed is the slope itself at {same}",
            same == len(points),
            erratum=True,
        ),
    ]


def gap_on_diagonals(one: Point) -> float:
    """The larger difference of the bounds at the nearest points of both diagonals."""
    across, along = (one.fpr + 1 - one.tpr) / 2, (one.fpr + one.tpr) / 2
    bounds = [rw.auc_bounds(across, 1 - across), rw.auc_bounds(along, along)]
    return max(each.upper - each.lower for each in bounds)


def contour_slope(one: Point, step: float = 1e-6) -> float:
    """dH/dF at constant A."""
    F, H = one.fpr, one.tpr
    across = rw.auc_bounds(F + step, H).a - rw.auc_bounds(F - step, H).a
    up = rw.auc_bounds(F, H + step).a - rw.auc_bounds(F, H - step).a
    return -across / up
