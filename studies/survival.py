"""Coverage of intervals and bands for censored outcomes, and type I error rates of comparisons.

``python -m studies.survival`` counts what is missing and writes the tables of
`docs/validation/survival.md` (four minutes of one core).
"""

from __future__ import annotations

import sys
from itertools import product

import numpy as np
from numpy.typing import NDArray

import rocwise as rw

from .cells import Records
from .kept_counts import markdown
from .study import Asked, Study, by_cell, hits_part, run

Floats = NDArray[np.float64]
TIMES = (0.25, 0.5, 1.0)
SIZES = (100, 300, 1000)
CENSORED = (0.2, 0.4, 0.7)
DESIGNS = ("competing, survivors", "competing, all", "delayed entry", "clusters of 2")
COMPETING = 0.5  # hazard of the competing event
THRESHOLD = 0.5
SAMPLES = 1_000
MIDPOINTS = (np.arange(4000) + 0.5) / 4000  # of the distribution of the score


def censoring_rate(share: float) -> float:
    """Hazard of censoring by which this share of rows is censored: c / 2 log(1 + 2 / c)."""
    low, high = 1e-6, 1e3
    for _ in range(100):
        middle = (low * high) ** 0.5
        below = middle / 2 * np.log1p(2 / middle) < share
        low, high = (middle, high) if below else (low, middle)
    return low


def area(cases: Floats, controls: Floats) -> float:
    """The AUC of a uniform score with these probabilities of being a case and a control."""
    below = np.cumsum(controls) - controls / 2
    return float((cases * below).sum() / (cases.sum() * controls.sum()))


def truths(design: str = "") -> list[float]:
    """The AUC by each time; the hazard of the event is twice the score."""
    m, found = MIDPOINTS, []
    other = COMPETING if design.startswith("competing") else 0.0
    for t in TIMES:
        free = np.exp(-(2 * m + other) * t)
        cases = 2 * m / (2 * m + other) * (1 - free)
        found.append(area(cases, 1 - cases if design.endswith("all") else free))
    return found


def followed(
    score: Floats, hazard: Floats, share: float, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Times and events with exponential times of events and of censoring."""
    free = rng.exponential(1 / hazard)
    end = rng.exponential(1 / censoring_rate(share), len(score))
    return np.minimum(free, end), (free <= end) * 1.0


def coverage(n: int, share: float, samples: int) -> Asked:
    """In how many samples intervals, bands and rates at a threshold cover the truth."""
    rng = np.random.default_rng([1, n, round(100 * share)])
    truth = truths()
    found = {f"AUC by t = {t:g}, {how}": [0, 0] for t, how in product(TIMES, ("logit", "Wald"))}
    found |= {f"{name}, t = {TIMES[1]:g}": [0, 0] for name in ("sensitivity", "specificity")}
    found["band"] = [0, 0]
    cases = -np.expm1(-2 * MIDPOINTS * TIMES[1])
    alarm = MIDPOINTS >= THRESHOLD
    rates = {
        "sensitivity": cases[alarm].sum() / cases.sum(),
        "specificity": (1 - cases)[~alarm].sum() / (1 - cases).sum(),
    }
    for _ in range(samples):
        score = rng.random(n)
        time, event = followed(score, 2 * score, share, rng)
        f = rw.survival.follow_up(time, event, score)
        try:
            auc = rw.survival.auc(f, TIMES, band=True, rng=1)
        except rw.InputError:  # no case, or nobody followed so long
            continue
        wald = rw.survival.auc(f, TIMES, method="wald")
        for k, t in enumerate(TIMES):
            for how, one in (("logit", auc), ("Wald", wald)):
                own = found[f"AUC by t = {t:g}, {how}"]
                own[0] += 1
                own[1] += one.low[k] <= truth[k] <= one.high[k]
        found["band"][0] += 1
        found["band"][1] += bool(((auc.band_low <= truth) & (truth <= auc.band_high)).all())
        point = rw.survival.at(f, TIMES[1], threshold=THRESHOLD).columns
        for name, rate in rates.items():
            own = found[f"{name}, t = {TIMES[1]:g}"]
            own[0] += 1
            own[1] += bool(point[f"{name}_low"][0] <= rate <= point[f"{name}_high"][0])
    return {name: (tried, int(hits)) for name, (tried, hits) in found.items()}


def designs(design: str, n: int, samples: int) -> Asked:
    """The same with competing events, delayed entry and clusters, 40% of rows censored."""
    rng = np.random.default_rng([2, DESIGNS.index(design), n])
    truth = truths(design)
    found = {f"AUC by t = {t:g}": [0, 0] for t in TIMES} | {"band": [0, 0]}
    for _ in range(samples):
        f = sample_of(design, n, rng)
        controls = "all" if design.endswith("all") else "survivors"
        try:
            auc = rw.survival.auc(f, TIMES, controls=controls, band=True, rng=1)
        except rw.InputError:
            continue
        for k, t in enumerate(TIMES):
            own = found[f"AUC by t = {t:g}"]
            own[0] += 1
            own[1] += auc.low[k] <= truth[k] <= auc.high[k]
        found["band"][0] += 1
        found["band"][1] += bool(((auc.band_low <= truth) & (truth <= auc.band_high)).all())
    return {name: (tried, int(hits)) for name, (tried, hits) in found.items()}


def sample_of(design: str, n: int, rng: np.random.Generator) -> rw.survival.FollowUp:
    """One sample of a design."""
    if design == "clusters of 2":  # a pair of rows has the same score and is censored together
        score = np.repeat(rng.random(n // 2), 2)
        free = rng.exponential(0.5 / score)
        end = np.repeat(rng.exponential(1 / censoring_rate(0.4), n // 2), 2)
        pairs = np.repeat(np.arange(n // 2), 2)
        return rw.survival.follow_up(np.minimum(free, end), free <= end, score, groups=pairs)
    if design == "delayed entry":  # 70% enter up to 0.2 later, if they are free of the event then
        score, entry = rng.random(4 * n), rng.random(4 * n) * 0.2
        entry[rng.random(4 * n) < 0.3] = 0.0
        free = rng.exponential(0.5 / score)
        kept = np.flatnonzero(free > entry)[:n]
        score, entry, free = score[kept], entry[kept], free[kept]
        end = entry + rng.exponential(1 / censoring_rate(0.4), n)
        time, event = np.minimum(free, end), free <= end
        return rw.survival.follow_up(time, event, score, entry=entry)
    score = rng.random(n)
    time, event = followed(score, 2 * score + COMPETING, 0.4, rng)
    other = rng.random(n) < COMPETING / (2 * score + COMPETING)
    return rw.survival.follow_up(time, event * (1 + other), score, cause=1)


def rejections(n: int, share: float, samples: int) -> Asked:
    """How many samples reject two exchangeable scores at the level of 5%."""
    rng = np.random.default_rng([3, n, round(100 * share)])
    found = {f"t = {t:g}": [0, 0] for t in TIMES} | {"jointly": [0, 0], "adjusted": [0, 0]}
    for _ in range(samples):
        scores = {name: rng.random(n) for name in "ab"}
        total = scores["a"] + scores["b"]
        time, event = followed(scores["a"], total, share, rng)
        try:
            compared = rw.survival.compare(time, event, scores, TIMES, rng=1)
        except rw.InputError:
            continue
        small = [*(compared.p_value < 0.05), compared.joint_p_value < 0.05]
        small.append(bool((compared.adjusted_p_value < 0.05).any()))
        for own, hit in zip(found.values(), small, strict=True):
            own[0] += 1
            own[1] += bool(hit)
    return {name: (tried, int(hits)) for name, (tried, hits) in found.items()}


def concordance_of(m: Floats, tau: float) -> float:
    """The concordance of pairs whose first event is before tau, of scores m with hazards 2m."""
    total = m[:, None] + m
    pairs = m[:, None] / total * -np.expm1(-2 * total * tau)
    return float((np.tril(pairs, -1).sum() + np.trace(pairs) / 2) / pairs.sum())


def predictions(n: int, share: float, samples: int) -> Asked:
    """The same of Uno's concordance, and of calibrated risks by t = 0.5."""
    rng = np.random.default_rng([4, n, round(100 * share)])
    t, tau = TIMES[1], TIMES[2]
    risk = -np.expm1(-2 * MIDPOINTS * t)
    brier, incidence = float((risk * (1 - risk)).mean()), float(risk.mean())
    truth = {"Uno's concordance": concordance_of(MIDPOINTS[::4], tau), "Brier score": brier}
    truth |= {"IPA": 1 - brier / (incidence * (1 - incidence)), "O/E": 1.0}
    truth |= {"calibration slope": 1.0, "intercept at slope 1": 0.0}
    found = {name: [0, 0] for name in truth}
    for _ in range(samples):
        score = rng.random(n)
        time, event = followed(score, 2 * score, share, rng)
        f = rw.survival.follow_up(time, event, -np.expm1(-2 * score * t))
        try:
            index = rw.survival.concordance(f, tau=tau).interval
            error = rw.survival.brier(f, t)
            groups = rw.survival.calibration(f, t, bins=1)
        except rw.InputError:
            continue
        limits = [index, (error.low[0], error.high[0]), (error.ipa_low[0], error.ipa_high[0])]
        limits += [groups.ratio_interval, groups.slope_interval, groups.in_the_large_interval]
        for (name, value), interval in zip(truth.items(), limits, strict=True):
            low, high = interval
            found[name][0] += 1
            found[name][1] += bool(low <= value <= high)
    return {name: (tried, int(hits)) for name, (tried, hits) in found.items()}


def tables(records: Records) -> dict[str, str]:
    """Coverage and rejections in percent."""
    found = {}
    for part, title, head in (
        ("coverage", "survival coverage", "rows, censored"),
        ("designs", "survival designs", "design, rows"),
        ("comparisons", "survival comparisons", "rows, censored"),
        ("predictions", "survival predictions", "rows, censored"),
    ):
        cells = by_cell(records[part])
        heads = [one.question for one in next(iter(cells.values()))]
        rows = [
            [name.rpartition(", ")[0], *(one.percent for one in own)] for name, own in cells.items()
        ]
        found[title] = markdown([head, *heads], rows)
    return found


PLACES = list(product(SIZES, CENSORED))
STUDY = Study(
    "survival",
    (
        hits_part("coverage", PLACES, coverage, samples=SAMPLES, few=3),
        hits_part("designs", list(product(DESIGNS, (100, 300))), designs, samples=SAMPLES, few=3),
        hits_part("comparisons", PLACES, rejections, samples=SAMPLES, few=3),
        hits_part("predictions", PLACES, predictions, samples=SAMPLES // 2, few=3),
    ),
    tables,
)


if __name__ == "__main__":
    sys.exit(run(STUDY))
