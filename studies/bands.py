"""Coverage of confidence bands for whole ROC curves in binormal populations.

Macskassy, Provost and Rosset (2005): half of the observations are positive, positives are
N(theta, 3.75²) and negatives N(-theta, 3²). Bands whose kind has "future" in its name are compared
with the empirical curves of new samples, all others with the true curve.
"""

from __future__ import annotations

import math
import warnings
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

import rocwise as rw

from .populations import NORMAL, Array, labels
from .simulation import (
    Cell,
    Counts,
    Part,
    Proportion,
    Records,
    Study,
    by_cell,
    cells,
    markdown,
    proportions,
    standard_error,
)

LEVEL, SEED = 0.9, 20050807
THETAS = (0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0)
SIZES = (25, 100, 250, 1000, 2500, 10000)
BATCHES, BATCH, NEW_SAMPLES = 5, 200, 10
FUTURE_KINDS = {"fixed-width future": 500, "future": 500}  # kinds and numbers of resamples
TRUE_KINDS = {"fixed-width": 1000, "simultaneous": 500, "working-hotelling": 1000}
TRUE_KINDS |= {"joint-regions": 1000, "pointwise": 1000, "pointwise-binormal": 1000}
MIN_FPR = (0.01, 0.05, 0.1)
# Table 3 of Macskassy, Provost and Rosset (2005): fixed width, widened by the square root of 2
PUBLISHED = {
    25: (0.86, 0.91, 0.96, 0.83, 0.76, 0.69, 0.86),
    100: (0.94, 0.88, 0.96, 0.95, 0.95, 0.88, 0.86),
    250: (0.93, 0.93, 0.96, 0.89, 0.93, 0.92, 0.93),
    1000: (0.98, 0.97, 0.97, 0.95, 0.91, 0.94, 0.92),
    2500: (0.97, 0.95, 0.95, 0.92, 0.96, 0.94, 0.92),
    10000: (0.99, 0.92, 0.95, 0.96, 0.95, 0.93, 0.89),
}
WITH_TABLES = {
    *("simultaneous", "fixed-width", "working-hotelling", "joint-regions", "pointwise-binormal"),
    *FUTURE_KINDS,
}


@dataclass(frozen=True)
class Containment:
    """Sums over the bands of one kind for a batch of samples: coverage, its square and area."""

    kind: str
    theta: float
    n: int
    first: int
    samples: int
    bands: int
    coverage: float
    squared: float
    area: float

    @property
    def cell(self) -> str:
        """The cell of the design."""
        curve = "future" if "future" in self.kind else "true"
        return str(Cell((curve, self.theta, self.n, self.first), self.samples))

    @property
    def mean(self) -> float:
        """Mean coverage."""
        return self.coverage / self.bands

    @property
    def error(self) -> float:
        """Standard error, with one covering and one other band added, so never 0."""
        n = self.bands + 2
        mean = (self.coverage + 1) / n
        return math.sqrt(max((self.squared + 1) / n - mean * mean, 0.0) / self.bands)

    def __add__(self, other: Containment) -> Containment:
        names = ("samples", "bands", "coverage", "squared", "area")
        sums = {name: getattr(self, name) + getattr(other, name) for name in names}
        return replace(self, **sums)


def true_curve(theta: float) -> tuple[Array, Array]:
    """The true ROC curve (F6.16)."""
    inner = ndtr(np.linspace(-7.0, 7.0, 2801))
    fpr = np.concatenate([[0.0], inner, [1.0]])
    tpr = np.concatenate([[0.0], ndtr((2 * theta + 3 * ndtri(inner)) / 3.75), [1.0]])
    return fpr, tpr


def sample(theta: float, n: int, rng: np.random.Generator) -> rw.Tally:
    """A sample with both classes; each observation is positive with probability 1/2 (F6.17)."""
    while True:
        label = rng.random(n) < 0.5
        if 0 < label.sum() < n:
            break
    scores = rng.normal(size=n)
    return rw.tally(label, np.where(label, theta + 3.75 * scores, -theta + 3.0 * scores))


def band_of(data: rw.Tally, kind: str, n_resamples: int, seed: int) -> Any:
    """The band, or None if the method raises an error for the sample."""
    name, _, future = kind.partition(" ")
    options = {"level": LEVEL, "n_resamples": n_resamples, "rng": seed}
    try:
        return rw.band(data, kind=name, future=bool(future), **options)
    except rw.InputError:
        return None


def curve_of(data: rw.Tally) -> Any:
    """The empirical ROC curve; an AUC below 0.5 is part of the simulation."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rw.errors.DirectionWarning)
        return rw.roc(data)


def coverage(curve: str, theta: float, n: int, number: int) -> Iterator[tuple[str, float, float]]:
    """Kind, coverage and area of the bands of one sample; the seed is its number."""
    rng = np.random.default_rng([SEED, round(100 * theta), n, number])
    data, seed = sample(theta, n, rng), int(rng.integers(2**62))
    curves: list[Any] = [true_curve(theta)]
    if curve == "future":
        curves = [curve_of(sample(theta, n, rng)) for _ in range(NEW_SAMPLES)]
    for kind, n_resamples in (TRUE_KINDS if curve == "true" else FUTURE_KINDS).items():
        band = band_of(data, kind, n_resamples, seed)
        if band is None:
            continue
        yield kind, float(np.mean([band.contains(each) for each in curves])), band.area
        if kind == "working-hotelling":
            for least in MIN_FPR:
                inside = band.contains(curves[0], min_fpr=least)
                yield f"{kind} from {least:g}", float(inside), band.area


def containment(cell: Cell) -> list[Containment]:
    """One batch of samples."""
    curve, theta, n, first = cell.settings
    found: dict[str, Containment] = {}
    for number in range(first, first + cell.samples):
        for kind, inside, area in coverage(curve, theta, n, number):
            one = Containment(kind, theta, n, first, 0, 1, inside, inside**2, area)
            found[kind] = found[kind] + one if kind in found else one
    sums = ("coverage", "squared", "area")
    return [
        replace(one, samples=cell.samples, **{name: round(getattr(one, name), 6) for name in sums})
        for one in found.values()
    ]


Sums = dict[tuple[str, float, int], Containment]


def containment_tables(records: Iterable[Containment]) -> dict[str, str]:
    """Coverage by kind, by sample size and by separation."""
    sums: Sums = {}
    for one in records:
        place = (one.kind, one.theta, one.n)
        sums[place] = sums[place] + one if place in sums else one
    brief = {
        place: one
        for place, one in sums.items()
        if " from " not in one.kind and one.n in (25, 100, 1000, 10000)
    }
    published = [[f"{n:,}", *(f"{v:.2f}" for v in values)] for n, values in PUBLISHED.items()]
    found = {"summary": summary(sums), "kinds": summary(brief)}
    found["published"] = markdown(["n", *(f"{theta:g}" for theta in THETAS)], published)
    kinds = dict.fromkeys(kind for kind, _, _ in sums if kind in WITH_TABLES)
    found |= {kind: by_setting(kind, sums) for kind in kinds}
    return {f"bands {name}": table for name, table in found.items()}


def by_setting(kind: str, sums: Sums) -> str:
    """Coverage of one kind: rows are sample sizes, columns separations."""
    thetas = sorted({theta for name, theta, _ in sums if name == kind})
    rows = []
    for n in sorted({n for name, _, n in sums if name == kind}):
        own = [sums.get((kind, theta, n)) for theta in thetas]
        present = [one for one in own if one is not None]
        area = sum(one.area for one in present) / sum(one.bands for one in present)
        numbers = {one.samples for one in present}
        bands = " to ".join(f"{each:,}" for each in sorted({min(numbers), max(numbers)}))
        failed = sum(one.samples - one.bands for one in present)
        values = [f"{one.mean:.3f} ± {one.error:.3f}" if one else "" for one in own]
        rows.append(
            [f"{n:,}", *values, f"{area:.3f}", bands + f" ({failed} refused)" * (failed > 0)]
        )
    return markdown(["n", *(f"{theta:g}" for theta in thetas), "mean area", "bands"], rows)


def summary(sums: Sums) -> str:
    """A row for each kind: coverage by sample size, averaged over the separations."""
    sizes, rows = sorted({n for _, _, n in sums}), []
    for kind in sorted({kind for kind, _, _ in sums}):
        row = [f"`{kind}`"]
        for n in sizes:
            own = [one for one in sums.values() if (one.kind, one.n) == (kind, n)]
            mean = sum(one.mean for one in own) / len(own)
            error = sum(one.error**2 for one in own) ** 0.5 / len(own)
            row.append(f"{mean:.3f} ± {error:.3f}")
        rows.append(row)
    return markdown(["kind", *(f"n = {n:,}" for n in sizes)], rows)


def batches(quick: bool) -> list[Cell]:
    """Batches of samples in every setting."""
    firsts = [0] if quick else range(0, BATCHES * BATCH, BATCH)
    settings = product(("true", "future"), THETAS, SIZES[:2] if quick else SIZES, firsts)
    return [Cell(each, 2 if quick else BATCH) for each in settings]


# Upper and lower edges: N(0, 1) and N(1, 1), 30% positives, level 0.95

SIDES = list(product(("simultaneous", "fixed-width"), (2_000, 20_000)))
FPR = np.concatenate([[0.0], ndtr(np.linspace(-5.0, 5.0, 2001)), [1.0]])
TRUTH = FPR, ndtr(ndtri(FPR) + 1.0)


def sides(kind: str, n: int, samples: int) -> Counts:
    """Bands that cover, and curves that cross the upper or the lower edge."""
    rng, y, found = (
        np.random.default_rng(1),
        np.repeat([0, 1], [n * 7 // 10, n * 3 // 10]),
        Counts(),
    )
    for number in range(samples):
        data = rw.tally(y, rng.normal(size=n) + y)
        band = rw.band(data, kind=kind, n_resamples=500, rng=number)
        fpr = np.union1d(FPR, band.fpr)
        truth, (lower, upper) = np.interp(fpr, *TRUTH), band.at(fpr)
        above, below = np.any(truth > upper + 1e-12), np.any(truth < lower - 1e-12)
        found.add("covers", not (above or below))
        found.add("above", above)
        found.add("below", below)
    return found


def sides_table(records: Sequence[Proportion]) -> str:
    """Coverage, and the edge that is crossed in the other samples."""
    rows = []
    for (kind, n), own in zip(SIDES, by_cell(records).values(), strict=True):
        covers, above, below = own
        coverage = f"{100 * covers.value:.1f}%", f"{100 * covers.error:.1f}%"
        rows.append([kind, f"{n:,}", *coverage, f"{covers.samples:,}", above.count, below.count])
    heads = ["band", "rows", "coverage", "standard error"]
    return markdown([*heads, "samples", "missed above", "missed below"], rows)


# Rare positives, by the slope of the lines on which distances are measured

POSITIVES, RATIOS, AUCS = (5, 10, 20, 50), (1, 4, 20), (0.85, 0.96)
RARE_KINDS = ("simultaneous", "fixed-width", "future")
SLOPES = ("paper", "sd")


@dataclass(frozen=True)
class RareContainment:
    """Bands of one kind that contain the true curve; of kind "future", that of a new sample."""

    cell: str
    kind: str
    slope: str
    n_pos: int
    n_neg: int
    auc: float
    bands: int
    covered: int
    mean_area: float


def rare(cell: Cell) -> list[RareContainment]:
    """All kinds and slopes on the same samples; samples that raise an error are left out."""
    n_pos, ratio, auc = cell.settings
    n_neg, shift = n_pos * ratio, 2**0.5 * NORMAL.inv_cdf(auc)
    y = labels(n_pos, n_neg)
    rng = np.random.default_rng([20050307, zlib.crc32(repr(cell.settings).encode())])
    fpr = np.linspace(0.0, 1.0, 2001)
    truth = fpr, ndtr(shift + ndtri(fpr))
    found: dict[tuple[str, str], list[tuple[bool, float]]] = {
        place: [] for place in product(RARE_KINDS, SLOPES)
    }
    for seed in range(cell.samples):
        data, new = (rw.tally(y, rng.normal(size=len(y)) + shift * y) for _ in "ab")
        for (kind, slope), results in found.items():
            options = {"level": LEVEL, "n_resamples": 300, "rng": seed}
            try:
                band = rw.band(data, kind=kind, slope=slope, **options)
            except rw.InputError:  # perfect separation
                continue
            inside = band.contains(curve_of(new) if kind == "future" else truth)
            results.append((inside, band.area))
    return [
        RareContainment(
            *(str(cell), kind, slope, n_pos, n_neg, auc, len(own)),
            covered=sum(inside for inside, _ in own),
            mean_area=round(float(np.mean([area for _, area in own])), 4),
        )
        for (kind, slope), own in found.items()
    ]


def rare_table(records: Sequence[RareContainment]) -> str:
    """Rows are class sizes; values are those of the published slope, then of the default."""
    columns, rows = list(product(RARE_KINDS, AUCS)), []
    for n_pos, n_neg in sorted({(one.n_pos, one.n_neg) for one in records}):
        row = [f"{n_pos}", f"{n_neg:,}"]
        for place in columns:
            here = (n_pos, n_neg, *place)
            own = [one for one in records if (one.n_pos, one.n_neg, one.kind, one.auc) == here]
            row.append(", ".join(map(_rare_text, own)))
        rows.append(row)
    heads = [f"`{kind}`, AUC {auc:g}" for kind, auc in columns]
    return markdown(["positives", "negatives", *heads], rows)


def _rare_text(one: RareContainment) -> str:
    if not one.bands:
        return "–"
    return f"{one.covered / one.bands:.2f} ± {standard_error(one.covered, one.bands):.2f}"


def tables(records: Records) -> dict[str, str]:
    """All tables of this study."""
    return {
        **containment_tables(records["containment"]),
        "sides of bands": sides_table(records["sides"]),
        "unequal classes": rare_table(records["rare"]),
    }


STUDY = Study(
    "bands",
    (
        Part("containment", Containment, batches, containment),
        proportions("sides", SIDES, sides, samples=1000, few=1),
        Part("rare", RareContainment, cells(product(POSITIVES, RATIOS, AUCS), 400, 10), rare),
    ),
    tables,
)
