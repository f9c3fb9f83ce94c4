"""Coverage of intervals and bands for censored outcomes, and type I error of comparisons.

Scores are uniform, the hazard of the event is twice the score, and censoring is exponential.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

import rocwise as rw

from .simulation import Counts, Records, Study, by_cell, markdown, proportions

Floats = NDArray[np.float64]
Rng = np.random.Generator
TIMES = (0.25, 0.5, 1.0)
SIZES, CENSORED = (100, 300, 1000), (0.2, 0.4, 0.7)
DESIGNS = ("competing, survivors", "competing, all", "delayed entry", "clusters of 2")
COMPETING = 0.5  # hazard of the competing event
THRESHOLD = 0.5
MIDPOINTS = (np.arange(4000) + 0.5) / 4000  # of the distribution of the score


def censoring_rate(fraction: float) -> float:
    """Hazard c of censoring for this fraction of censored rows: c / 2 log(1 + 2 / c)."""
    low, high = 1e-6, 1e3
    for _ in range(100):
        middle = (low * high) ** 0.5
        below = middle / 2 * np.log1p(2 / middle) < fraction
        low, high = (middle, high) if below else (low, middle)
    return low


def true_auc(cases: Floats, controls: Floats) -> float:
    """AUC of the score with these probabilities of being a case and a control at the midpoints."""
    below = np.cumsum(controls) - controls / 2
    return float((cases * below).sum() / (cases.sum() * controls.sum()))


def true_aucs(design: str = "") -> list[float]:
    """AUC at each time."""
    m, found = MIDPOINTS, []
    other = COMPETING if design.startswith("competing") else 0.0
    for t in TIMES:
        free = np.exp(-(2 * m + other) * t)
        cases = 2 * m / (2 * m + other) * (1 - free)
        found.append(true_auc(cases, 1 - cases if design.endswith("all") else free))
    return found


def followed(score: Floats, hazard: Floats, fraction: float, rng: Rng) -> tuple[Floats, Floats]:
    """Times and events with exponential event and censoring times."""
    free = rng.exponential(1 / hazard)
    end = rng.exponential(1 / censoring_rate(fraction), len(score))
    return np.minimum(free, end), (free <= end) * 1.0


def coverage(n: int, fraction: float, samples: int) -> Counts:
    """Intervals, bands and rates at a threshold; samples that raise an error are left out."""
    rng, found, truth = np.random.default_rng([1, n, round(100 * fraction)]), Counts(), true_aucs()
    cases = -np.expm1(-2 * MIDPOINTS * TIMES[1])
    positive = MIDPOINTS >= THRESHOLD
    rates = {
        "sensitivity": cases[positive].sum() / cases.sum(),
        "specificity": (1 - cases)[~positive].sum() / (1 - cases).sum(),
    }
    for _ in range(samples):
        score = rng.random(n)
        f = rw.survival.follow_up(*followed(score, 2 * score, fraction, rng), score)
        try:
            auc = rw.survival.auc(f, TIMES, band=True, rng=1)
        except rw.InputError:  # no case, or no follow-up up to the last time
            continue
        wald = rw.survival.auc(f, TIMES, method="wald")
        for k, t in enumerate(TIMES):
            for method, one in (("logit", auc), ("Wald", wald)):
                covers = one.low[k] <= truth[k] <= one.high[k]
                found.add(f"AUC by t = {t:g}, {method}", covers)
        point = rw.survival.at(f, TIMES[1], threshold=THRESHOLD).columns
        for name, rate in rates.items():
            covers = point[f"{name}_low"][0] <= rate <= point[f"{name}_high"][0]
            found.add(f"{name}, t = {TIMES[1]:g}", covers)
        found.add("band", ((auc.band_low <= truth) & (truth <= auc.band_high)).all())
    return found


def designs(design: str, n: int, samples: int) -> Counts:
    """Competing events, delayed entry and clusters, with 40% of the rows censored."""
    rng, found = np.random.default_rng([2, DESIGNS.index(design), n]), Counts()
    truth = true_aucs(design)
    controls = "all" if design.endswith("all") else "survivors"
    for _ in range(samples):
        f = sample_of(design, n, rng)
        try:
            auc = rw.survival.auc(f, TIMES, controls=controls, band=True, rng=1)
        except rw.InputError:
            continue
        for k, t in enumerate(TIMES):
            found.add(f"AUC by t = {t:g}", auc.low[k] <= truth[k] <= auc.high[k])
        found.add("band", ((auc.band_low <= truth) & (truth <= auc.band_high)).all())
    return found


def sample_of(design: str, n: int, rng: Rng) -> rw.survival.FollowUp:
    """One sample of a design."""
    if design == "clusters of 2":  # two rows have the same score and are censored together
        score = np.repeat(rng.random(n // 2), 2)
        free = rng.exponential(0.5 / score)
        end = np.repeat(rng.exponential(1 / censoring_rate(0.4), n // 2), 2)
        pairs = np.repeat(np.arange(n // 2), 2)
        return rw.survival.follow_up(np.minimum(free, end), free <= end, score, groups=pairs)
    if design == "delayed entry":  # 70% enter up to 0.2 later, if they are free of the event then
        score, entry = rng.random(4 * n), rng.random(4 * n) * 0.2
        entry[rng.random(4 * n) < 0.3] = 0.0
        free = rng.exponential(0.5 / score)
        entered = np.flatnonzero(free > entry)[:n]
        score, entry, free = score[entered], entry[entered], free[entered]
        end = entry + rng.exponential(1 / censoring_rate(0.4), n)
        time, event = np.minimum(free, end), free <= end
        return rw.survival.follow_up(time, event, score, entry=entry)
    score = rng.random(n)
    time, event = followed(score, 2 * score + COMPETING, 0.4, rng)
    other = rng.random(n) < COMPETING / (2 * score + COMPETING)
    return rw.survival.follow_up(time, event * (1 + other), score, cause=1)


def comparisons(n: int, fraction: float, samples: int) -> Counts:
    """Rejections of two exchangeable scores."""
    rng, found = np.random.default_rng([3, n, round(100 * fraction)]), Counts()
    for _ in range(samples):
        scores = {name: rng.random(n) for name in "ab"}
        time, event = followed(scores["a"], scores["a"] + scores["b"], fraction, rng)
        try:
            result = rw.survival.compare(time, event, scores, TIMES, rng=1)
        except rw.InputError:
            continue
        for t, p_value in zip(TIMES, result.p_value, strict=True):
            found.add(f"t = {t:g}", p_value < 0.05)
        found.add("jointly", result.joint_p_value < 0.05)
        found.add("adjusted", (result.adjusted_p_value < 0.05).any())
    return found


def true_concordance(m: Floats, tau: float) -> float:
    """Concordance of pairs whose first event is before tau."""
    total = m[:, None] + m
    pairs = m[:, None] / total * -np.expm1(-2 * total * tau)
    return float((np.tril(pairs, -1).sum() + np.trace(pairs) / 2) / pairs.sum())


def predictions(n: int, fraction: float, samples: int) -> Counts:
    """Uno's concordance, and the Brier score and calibration of correct risks."""
    rng, found = np.random.default_rng([4, n, round(100 * fraction)]), Counts()
    t, tau = TIMES[1], TIMES[2]
    risk = -np.expm1(-2 * MIDPOINTS * t)
    brier, incidence = float((risk * (1 - risk)).mean()), float(risk.mean())
    truth = {"Uno's concordance": true_concordance(MIDPOINTS[::4], tau), "Brier score": brier}
    truth |= {"IPA": 1 - brier / (incidence * (1 - incidence)), "O/E": 1.0}
    truth |= {"calibration slope": 1.0, "intercept at slope 1": 0.0}
    for _ in range(samples):
        score = rng.random(n)
        time, event = followed(score, 2 * score, fraction, rng)
        f = rw.survival.follow_up(time, event, -np.expm1(-2 * score * t))
        try:
            index = rw.survival.concordance(f, tau=tau).interval
            error = rw.survival.brier(f, t)
            groups = rw.survival.calibration(f, t, bins=1)
        except rw.InputError:
            continue
        intervals = [index, (error.low[0], error.high[0]), (error.ipa_low[0], error.ipa_high[0])]
        intervals += [groups.ratio_interval, groups.slope_interval, groups.in_the_large_interval]
        for (name, value), (low, high) in zip(truth.items(), intervals, strict=True):
            found.add(name, low <= value <= high)
    return found


def tables(records: Records) -> dict[str, str]:
    """Percentages of coverage and rejections."""
    found = {}
    for part, head in HEADS.items():
        groups = by_cell(records[part])
        quantities = [one.quantity for one in next(iter(groups.values()))]
        rows = [
            [cell.rpartition(", ")[0], *(one.percent for one in own)]
            for cell, own in groups.items()
        ]
        found[f"survival {part}"] = markdown([head, *quantities], rows)
    return found


HEADS = {"coverage": "rows, censored", "designs": "design, rows"}
HEADS |= {"comparisons": "rows, censored", "predictions": "rows, censored"}
SETTINGS = list(product(SIZES, CENSORED))
STUDY = Study(
    "survival",
    (
        proportions("coverage", SETTINGS, coverage, samples=1000, few=3),
        proportions("designs", product(DESIGNS, (100, 300)), designs, samples=1000, few=3),
        proportions("comparisons", SETTINGS, comparisons, samples=1000, few=3),
        proportions("predictions", SETTINGS, predictions, samples=500, few=3),
    ),
    tables,
)
