"""The statements of the paper: algebra on small samples, and what was counted by simulation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

import rocwise as rw
from papers.shared.claims import Claim, every, in_most
from papers.shared.paper import Expected, Records

if TYPE_CHECKING:
    from papers.resampling.reproduce import Cell, CurveTests, Single

LEVEL = 0.05
ROUNDING = 1e-12
SMALL = 200  # random samples for statements that hold for any data
VARIANCES = {
    "delong": "two-sample jackknife",
    "jackknife": "one-sample jackknife",
    "exact-bootstrap": "exact bootstrap",
    "unbiased": "unbiased",
    "hanley-mcneil": "Hanley-McNeil",
}


def claims(records: Records, _expected: Expected) -> list[Claim]:
    """In the order of the paper."""
    return [
        *of_closed_forms(),
        *of_single_areas(records["single"]),
        *of_differences(records["settings"]),
        *of_permutations(records["settings"], records["curves"]),
    ]


def small_samples(n: int) -> Iterable[tuple[np.ndarray, np.ndarray]]:
    """Labels and two tied scores of few cases."""
    rng = np.random.default_rng(2006)
    for _ in range(n):
        n_neg, n_pos = rng.integers(2, 9, 2)
        label = np.repeat([0, 1], (n_neg, n_pos))
        yield label, rng.integers(0, 6, (2, n_neg + n_pos)) + label


def kernel(label: np.ndarray, score: np.ndarray, of_positives: Any = None) -> np.ndarray:
    """Order indicators, negatives in rows; positives may have scores of another system."""
    x, y = score[label == 0][:, None], (score if of_positives is None else of_positives)[label == 1]
    return np.asarray((x < y) + (x == y) / 2)


def of_closed_forms() -> list[Claim]:
    """Sections 2 and 3: formulas (3) to (8) against enumeration."""
    drawn = list(small_samples(SMALL))
    substituted = [np.isclose(*difference_variance(label, pair)) for label, pair in drawn]
    ordered = [variances_of(label, pair[0]) for label, pair in drawn]
    larger = [own["jackknife"] >= own["delong"] - ROUNDING for own in ordered]
    biased = [own["delong"] >= own["unbiased"] - ROUNDING for own in ordered]
    above = sum(own["exact-bootstrap"] > own["delong"] + ROUNDING for own in ordered)
    below = sum(own["exact-bootstrap"] < own["delong"] - ROUNDING for own in ordered)
    pseudo = [np.isclose(*jackknife_estimate(label, pair[0])) for label, pair in drawn]
    enumerated = [enumerated_bootstrap(seed) for seed in range(5)]
    boot = [np.isclose(variance, closed) for variance, closed, _, _ in enumerated]
    means = [np.isclose(mean, area) for _, _, mean, area in enumerated]
    swaps = [enumerated_swaps(seed) for seed in range(5)]
    ours = sum(bool(np.isclose(exact, closed)) for exact, closed, _ in swaps)
    printed = sum(bool(np.isclose(exact, literal)) for exact, _, literal in swaps)
    return [
        every(
            "equations (3), (4)",
            "variances of paired differences follow from those of one AUC by substituting w for ψ",
            f"DeLong's variance of {SMALL} small samples",
            substituted,
        ),
        every(
            "section 3.1",
            "the mean of the jackknife's pseudovalues is the sample AUC",
            f"{SMALL} small samples",
            pseudo,
        ),
        every(
            "section 3.2",
            "the bootstrap expectation of the AUC is the sample AUC",
            "all bootstrap samples of 4 + 4 cases, five samples",
            means,
        ),
        every(
            "equations (5), (6)",
            "the one-sample jackknife is always larger than the two-sample one",
            f"{SMALL} small samples",
            larger,
        ),
        every(
            "section 3.1",
            "the two-sample jackknife is always larger than the unbiased variance",
            f"{SMALL} small samples",
            biased,
        ),
        every(
            "equation (7)",
            "the exact bootstrap variance in closed form",
            "all bootstrap samples of 4 + 4 cases, five samples",
            boot,
            conclusion=True,
        ),
        Claim(
            "section 3.2",
            "neither the bootstrap nor the jackknife variance is uniformly larger",
            f"exact bootstrap and two-sample jackknife, {SMALL} small samples",
            f"larger in {above}, smaller in {below}",
            min(above, below) > 0,
        ),
        Claim(
            "equation (8)",
            "the exact permutation variance in closed form",
            "all exchanges of 5 + 5 cases, five samples",
            f"as printed equal in {printed}, with the mean over both orders of each pair in {ours}",
            ours == len(swaps),
            erratum=printed < len(swaps),
            conclusion=True,
        ),
    ]


def difference_variance(label: np.ndarray, pair: np.ndarray) -> tuple[float, float]:
    """DeLong's variance of a difference by (5) with w, and from the covariance matrix."""
    w = kernel(label, pair[0]) - kernel(label, pair[1])
    N, M = w.shape
    by_w = w.mean(axis=1).var(ddof=1) / N + w.mean(axis=0).var(ddof=1) / M
    C = rw.auc_covariance(rw.pair(label, {"1": pair[0], "2": pair[1]}))
    return float(by_w), float(C[0, 0] + C[1, 1] - 2 * C[0, 1])


def variances_of(label: np.ndarray, score: np.ndarray) -> Mapping[str, float]:
    """Every variance of one AUC."""
    tally = rw.tally(label, score)
    return {name: rw.auc_variance(tally, method=name) for name in VARIANCES}  # type: ignore[arg-type]


def jackknife_estimate(label: np.ndarray, score: np.ndarray) -> tuple[float, float]:
    """The mean of the pseudovalues of single cases, and the AUC."""
    psi = kernel(label, score)
    n = len(label)
    without = [
        np.delete(psi, place, axis).mean() for axis in (0, 1) for place in range(psi.shape[axis])
    ]
    return float(n * psi.mean() - (n - 1) * np.mean(without)), float(psi.mean())


def enumerated_bootstrap(seed: int, n: int = 4) -> tuple[float, float, float, float]:
    """Over all stratified bootstrap samples: variance, its closed form, mean, and the AUC."""
    rng = np.random.default_rng(seed)
    label = np.repeat([0, 1], n)
    score = rng.integers(0, 5, 2 * n) + label
    psi = kernel(label, score)
    times = np.array([np.bincount(own, minlength=n) for own in product(range(n), repeat=n)]) / n
    areas = times @ psi @ times.T
    closed = rw.auc_variance(label, score, method="exact-bootstrap")
    return float(areas.var()), closed, float(areas.mean()), float(psi.mean())


def enumerated_swaps(seed: int, n: int = 5) -> tuple[float, float, float]:
    """The variance over all exchanges, ours, and formula (8) letter by letter."""
    rng = np.random.default_rng(seed)
    label = np.repeat([0, 1], n)
    scores = rng.permutation(4 * n).reshape(2, 2 * n) + 3 * label
    differences = []
    for swap in product((False, True), repeat=2 * n):
        first, second = np.where(swap, scores[::-1], scores)
        differences.append(kernel(label, first).mean() - kernel(label, second).mean())
    pairs = rw.pair(label, {"1": scores[0], "2": scores[1]})
    closed = rw.compare(pairs, method="permutation", transform="none").standard_error
    w = sum(
        kernel(label, scores[p], scores[q]) - kernel(label, scores[1 - p], scores[1 - q])
        for p, q in ((0, 0), (0, 1))
    )
    literal = float((w.sum(axis=1) ** 2).sum() / n**2 + (w.sum(axis=0) ** 2).sum() / n**2)
    return float(np.mean(np.square(differences))), float(closed or 0) ** 2, literal


def of_single_areas(found: Sequence[Single]) -> list[Claim]:
    """Sentences on the variance of a single AUC."""
    by_place = {(one.method, one.size, one.area): one for one in found}
    places = list(dict.fromkeys((one.size, one.area) for one in found))

    def better(first: str, second: str, value: Callable[[Single], float]) -> list[bool]:
        return [value(by_place[first, *own]) < value(by_place[second, *own]) for own in places]

    def error(one: Single) -> float:
        return one.squared_error

    def mean_bias(method: str) -> float:
        return float(np.mean([by_place[method, *own].bias for own in places]))

    def bias(method: str, own: tuple[int, float]) -> float:
        """Against the unbiased variance of the same samples, which has less noise."""
        return (1 + by_place[method, *own].bias) / (1 + by_place["unbiased", *own].bias) - 1

    def relative_error(method: str, own: tuple[int, float]) -> float:
        """Standard error of the mean of a variance, at most."""
        one = by_place[method, *own]
        return float(np.sqrt(one.squared_error / one.samples)) / one.mean_variance

    noise = 3 * np.sqrt(2 / found[0].samples / len(places))  # of the mean of the true variances
    hanley = {own: bias("hanley-mcneil", own) for own in places}
    sure = [
        value
        for own, value in hanley.items()
        if abs(value) > 3 * (relative_error("hanley-mcneil", own) + relative_error("unbiased", own))
    ]
    few, many = sum(value < 0 for value in sure), sum(value > 0 for value in sure)
    uniformly = better("exact-bootstrap", "delong", error)
    efficient = better("exact-bootstrap", "unbiased", error)
    two_sample = [abs(bias("delong", own)) < abs(bias("jackknife", own)) for own in places]
    moderate = [own for own in places if own[1] < max(area for _, area in places)]
    smaller_bias = [
        abs(bias("exact-bootstrap", own)) < abs(bias("delong", own)) for own in moderate
    ]
    n = len(places)
    run = f"single AUC, {n} settings of {found[0].samples:,} normal samples"
    return [
        Claim(
            "section 1",
            "the variance of Bamber and Wieand et al. is unbiased",
            run,
            f"mean relative bias {mean_bias('unbiased'):+.1%}",
            abs(mean_bias("unbiased")) < noise,
        ),
        Claim(
            "section 1",
            "Hanley and McNeil's variance is too small or too large by setting",
            f"{run}, against the unbiased variance",
            f"relative bias {min(hanley.values()):+.1%} to {max(hanley.values()):+.1%}; by three "
            f"standard errors too small in {few}, too large in {many}",
            min(few, many) > 0,
        ),
        Claim(
            "section 1",
            "DeLong's variance is biased upwards",
            run,
            f"mean relative bias {mean_bias('delong'):+.1%}",
            mean_bias("delong") > noise,
        ),
        every(
            "section 3.2",
            "the bootstrap variance has uniformly smaller mean squared error than the two-sample "
            "jackknife",
            run,
            uniformly,
            conclusion=True,
        ),
        in_most(
            "section 3.2",
            "it has a smaller bias except for very large AUC",
            f"the same, without the largest AUC of {max(area for _, area in places):g}",
            smaller_bias,
        ),
        Claim(
            "section 4",
            "the bootstrap variance is often more efficient than the unbiased one",
            run,
            f"smaller mean squared error in {sum(efficient)} of {n}",
            sum(efficient) > n / 2,
        ),
        in_most(
            "section 4",
            "the two-sample jackknife has a smaller bias than the one-sample jackknife",
            run,
            two_sample,
        ),
    ]


def beside(
    cells: Sequence[Cell], gain: float, first: str = "delong"
) -> dict[tuple[int, float, float], tuple[Cell, Cell]]:
    """The cell of a method and that of the permutation test, by setting."""
    by_place = {(one.size, one.area, one.correlation, one.gain, one.method): one for one in cells}
    return {
        (size, area, correlation): (
            one,
            by_place[size, area, correlation, gain, "permutation-asymptotic"],
        )
        for (size, area, correlation, has, method), one in by_place.items()
        if has == gain and method == first
    }


def of_differences(cells: Sequence[Cell]) -> list[Claim]:
    """Sentences on the variance of a difference and on tests with it."""
    gains = sorted({one.gain for one in cells})
    rates = {(one.method, one.gain, one.size, one.area, one.correlation): one for one in cells}
    places = [key[1:] for key in rates if key[0] == "delong"]
    null = [own for own in places if own[0] == 0]
    smaller = [
        rates["exact-bootstrap", *own].squared_error < rates["delong", *own].squared_error
        for own in null
    ]
    alike = [
        abs(rates["exact-bootstrap", *own].rate - rates["delong", *own].rate) for own in places
    ]
    small_areas = [own for own in null if own[2] < 0.8]
    nearer = [
        abs(rates["delong", *own].rate - LEVEL) <= abs(rates["unbiased", *own].rate - LEVEL)
        for own in small_areas
    ]
    large_areas = [own for own in places if own[0] == max(gains) and own[2] >= 0.85]
    weaker = [rates["delong", *own].rate <= rates["unbiased", *own].rate for own in large_areas]
    return [
        in_most(
            "section 3.1",
            "of a difference, the bootstrap variance has a smaller mean squared error",
            f"against the two-sample jackknife, {len(null)} settings",
            smaller,
        ),
        in_most(
            "section 1",
            "for small AUC DeLong's test has a better type I error than the unbiased variance",
            f"AUC below 0.8, {len(small_areas)} settings",
            nearer,
        ),
        in_most(
            "section 1",
            "for large AUC DeLong's test loses power against the unbiased variance",
            f"AUC from 0.85, {len(large_areas)} settings",
            weaker,
        ),
        Claim(
            "section 4",
            "tests by bootstrap and jackknife variances have very similar characteristics",
            f"rejection rates in {len(places)} settings; within 2%",
            f"differ by at most {max(alike):.1%}",
            max(alike) < 0.02,
        ),
    ]


def of_permutations(cells: Sequence[Cell], curves: Sequence[CurveTests]) -> list[Claim]:
    """Sentences on the permutation test."""
    gain = max(one.gain for one in cells)
    equal, gained = beside(cells, 0.0), beside(cells, gain)

    def imaging(place: tuple[int, float, float]) -> bool:
        return place[1] > 0.8 and place[2] > 0.4

    nearer = [
        abs(own.rate - LEVEL) <= abs(delong.rate - LEVEL)
        for place, (delong, own) in equal.items()
        if imaging(place)
    ]
    stronger = [
        own.rate >= delong.rate for place, (delong, own) in gained.items() if imaging(place)
    ]
    exact, near = approximated()
    same, gaps = (exact < LEVEL) == (near < LEVEL), np.abs(exact - near)
    samples = sum(one.samples for one in curves)
    areas, whole = sum(one.areas for one in curves), sum(one.curves for one in curves)
    return [
        Claim(
            "section 3.3",
            "the asymptotic permutation test is precise even with small samples",
            f"against the exact test, {len(same)} samples of 20 + 20",
            f"the same decision at 5% in {same.sum()}; p values differ by {gaps.mean():.3f} on "
            f"average, at most {gaps.max():.3f}",
            bool(same.mean() >= 0.95),
        ),
        Claim(
            "section 3.3",
            "it detects differences in AUC better than the test of Venkatraman and Begg",
            f"{samples} samples of 40 + 40, AUC 0.85 against 0.93",
            f"{areas} and {whole} rejections",
            areas > whole,
        ),
        in_most(
            "section 3.3",
            "for AUC above 0.8 and correlation above 0.4 it keeps its level better than DeLong's",
            f"{len(nearer)} such settings",
            nearer,
            conclusion=True,
        ),
        in_most(
            "section 4",
            "there it has greater power than DeLong's",
            f"{len(stronger)} such settings",
            stronger,
            conclusion=True,
        ),
    ]


def approximated(samples: int = 60, size: int = 20) -> tuple[np.ndarray, np.ndarray]:
    """The p values of the exact and of the asymptotic permutation test."""
    rng = np.random.default_rng(2005)
    label, found = np.repeat([0, 1], size), []
    for _ in range(samples):
        common = rng.normal(size=2 * size)
        scores = {
            name: common + rng.normal(size=2 * size) + shift * label
            for name, shift in (("a", 1.4), ("b", 1.8))
        }
        pairs = rw.pair(label, scores)
        found.append(
            [
                rw.compare(pairs, method=how).p_value  # type: ignore[arg-type]
                for how in ("permutation-exact", "permutation-asymptotic")
            ]
        )
    exact, near = np.array(found).T
    return exact, near
