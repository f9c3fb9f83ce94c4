"""Containment of widened fixed-width bands, from the counts of the containment study."""

from __future__ import annotations

import csv
import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri
from studies.bands import LEVEL, MIN_FPR, sample, true_curve
from studies.simulation import COUNTS, markdown

import rocwise as rw
from papers.bands.claims import UNBALANCED, claims
from papers.bands.pictures import TRUE, draw
from papers.shared.paper import Expected, Paper, Part, Records

KINDS = ("fixed-width future", "future")
TRUE_KINDS = tuple(TRUE)
FROM = tuple(f"working-hotelling from {least:g}" for least in MIN_FPR)
SIZES = (25, 100, 250, 1000, 2500, 10000)
THETAS = (0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0)
MODELS = ("LR", "NB", "tree")
TABLE_OF_TRAINING = {100: "5", 2500: "6"}


@dataclass(frozen=True)
class Synthetic:
    """Share of new curves inside, in one setting of the normal population."""

    cell: str
    theta: float
    size: int
    bands: int
    share: float
    error: float


@dataclass(frozen=True)
class Real:
    """The same on real data: a model trained on so many cases of a data set."""

    cell: str
    data: str
    trained_on: int
    model: str
    size: int
    bands: int
    share: float
    error: float


def tasks(_quick: bool) -> list[str]:
    """The paper's band and ours."""
    return list(KINDS)


def true_tasks(_quick: bool) -> list[str]:
    """The paper's three bands for the true curve, ours, and the third from some FP on."""
    return [*TRUE_KINDS, *FROM]


def rows_of(name: str, kind: str) -> list[dict[str, str]]:
    """Counts of the study for one kind of band."""
    with (COUNTS / name).open(newline="", encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if row["kind"] == kind]


def synthetic(kind: str) -> list[Synthetic]:
    """Batches of the study put together."""
    found: dict[tuple[float, int], list[dict[str, str]]] = {}
    for row in rows_of("bands/containment.csv", kind):
        found.setdefault((float(row["theta"]), int(row["n"])), []).append(row)
    return [Synthetic(kind, theta, size, *share_of(rows)) for (theta, size), rows in found.items()]


def share_of(rows: Sequence[Mapping[str, str]]) -> tuple[int, float, float]:
    """How many bands, the mean share they held, and its standard error."""
    bands = sum(int(row["bands"]) for row in rows)
    mean = sum(float(row["coverage"]) for row in rows) / bands
    square = sum(float(row["squared"]) for row in rows) / bands
    return bands, mean, math.sqrt(max(square - mean**2, 0) / bands)


def real(kind: str) -> list[Real]:
    """What the study counted on data sets."""
    return [
        Real(
            *(kind, row["dataset"], int(row["n_train"]), row["model"], int(row["n"])),
            *(int(row["bands"]), float(row["coverage"]), float(row["error"])),
        )
        for row in rows_of("bands_real/coverage.csv", kind)
    ]


@dataclass(frozen=True)
class PlainTask:
    """Bands that are not widened, in one normal population."""

    theta: float
    bands: int

    def __str__(self) -> str:
        return f"theta {self.theta}, {self.bands} bands"


@dataclass(frozen=True)
class Plain:
    """The proportion of new curves inside."""

    cell: str
    theta: float
    bands: int
    share: float


def plain_tasks(quick: bool) -> list[PlainTask]:
    """Every population."""
    return [PlainTask(theta, 5 if quick else 100) for theta in (THETAS[3:5] if quick else THETAS)]


def fixed_width(
    task: PlainTask, size: int, seed: int, *, future: bool
) -> list[tuple[rw.Band, rw.RocCurve]]:
    """Fixed-width bands of samples, each with 20 curves of new samples of the same size."""
    rng = np.random.default_rng([seed, int(100 * task.theta)])
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rw.errors.DirectionWarning)
        for place in range(task.bands):
            first = sample(task.theta, size, rng)
            band = rw.band(
                first, kind="fixed-width", level=LEVEL, n_resamples=500, rng=place, future=future
            )
            found += [(band, rw.roc(sample(task.theta, size, rng))) for _ in range(20)]
    return found


def count_plain(task: PlainTask) -> list[Plain]:
    """Bands of 250 cases, as for the true curve."""
    inside = [band.contains(curve) for band, curve in fixed_width(task, 250, 2005, future=False)]
    return [Plain(str(task), task.theta, task.bands, float(np.mean(inside)))]


@dataclass(frozen=True)
class Exits:
    """New curves outside a widened band, and those that are farthest outside at its middle."""

    cell: str
    theta: float
    outside: int
    middle: int


def count_exits(task: PlainTask) -> list[Exits]:
    """Bands of 1,000 cases; the middle half of a curve by the mean of both rates."""
    x = np.linspace(0, 1, 501)
    places = []
    for band, curve in fixed_width(task, 1000, 2006, future=True):
        if not band.contains(curve):
            y, low, high = (
                np.interp(x, of.fpr, rates)
                for of, rates in ((curve, curve.tpr), (band, band.lower), (band, band.upper))
            )
            farthest = int(np.maximum(y - high, low - y).argmax())
            places.append((x[farthest] + y[farthest]) / 2)
    middle = sum(0.25 < place < 0.75 for place in places)
    return [Exits(str(task), task.theta, len(places), middle)]


@dataclass(frozen=True)
class Printed:
    """The proportion of Working-Hotelling bands as printed with the true curve inside.

    `share` is that of whole curves, `from_tenth` that of curves from a false positive rate of 0.1.
    """

    cell: str
    theta: float
    bands: int
    share: float
    from_tenth: float


def count_printed(task: PlainTask, size: int = 250) -> list[Printed]:
    """The fitted curve and k times its *variance* on probit scales, as equation (1) has it."""
    rng = np.random.default_rng([1993, int(100 * task.theta)])
    fpr, tpr = (rate[1:-1] for rate in true_curve(task.theta))
    x = ndtri(fpr)
    k = math.sqrt(-2 * math.log(1 - LEVEL))
    whole, part = [], []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rw.errors.DirectionWarning)
        for _ in range(task.bands):
            fit = rw.binormal(sample(task.theta, size, rng))
            (var_a, cov), (_, var_b) = fit.covariance
            variance = var_a + 2 * x * cov + x * x * var_b
            inside = np.abs(fit.a + fit.b * x - ndtri(tpr)) <= k * variance
            whole.append(bool(inside.all()))
            part.append(bool(inside[fpr >= max(MIN_FPR)].all()))
    shares = float(np.mean(whole)), float(np.mean(part))
    return [Printed(str(task), task.theta, task.bands, *shares)]


def tables(records: Records, expected: Expected) -> Mapping[str, str]:
    """Tables 3, 5 and 6."""
    found = {
        "figure-5": true_table(records["true"]),
        "table-3": table_3(records["synthetic"], expected),
    }
    for trained_on, number in TABLE_OF_TRAINING.items():
        here = [one for one in records["real"] if one.trained_on == trained_on]
        found[f"table-{number}"] = table_of_models(here, expected["table"][number])
    return found


def true_table(found: Sequence[Synthetic]) -> str:
    """Figure 5 as numbers: means over the populations, and the worst of them."""
    rows = []
    for kind in TRUE_KINDS:
        cells = []
        for size in SIZES:
            shares = [one.share for one in found if (one.cell, one.size) == (kind, size)]
            cells.append(f"{np.mean(shares):.2f} ({min(shares):.2f})")
        rows.append((TRUE[kind], *cells))
    return markdown(("band", *(f"n = {size}" for size in SIZES)), rows)


def table_3(found: Sequence[Synthetic], expected: Expected) -> str:
    """Published share, ours with the paper's band, ours with the band of pairs."""
    shares = {(one.cell, one.size, one.theta): one.share for one in found}
    rows = []
    for size in SIZES:
        said = [f"{value:.2f}" for value in expected["table"]["3"][str(size)]]
        rows.append((size, "published", *said))
        rows += [
            ("", kind, *(f"{shares[kind, size, theta]:.2f}" for theta in THETAS)) for kind in KINDS
        ]
    return markdown(("n", "", *(f"θ = {theta}" for theta in THETAS)), rows)


def table_of_models(found: Sequence[Real], expected: Expected) -> str:
    """Averages over data sets but Letter-A; published for the models of both, and over all."""
    rows = []
    for size in SIZES:
        here = [one for one in found if one.size == size and one.data != UNBALANCED]
        if not here:
            continue
        said = expected.get(str(size), {})
        for kind in KINDS:
            mine = [one for one in here if one.cell == kind]
            by_model = ([one for one in mine if one.model == name] for name in MODELS)
            label = size if kind == KINDS[0] else ""
            rows.append((label, kind, *map(mean_share, by_model), mean_share(mine)))
        shown = [
            f"{said[name]:.2f}" if name in said else "" for name in ("LR", "NB", "J48", "average")
        ]
        rows.append(("", "published (trees: J48)", *shown))
    return markdown(("n", "", "LR", "NB", "tree", "average"), rows)


def mean_share(found: Sequence[Real]) -> str:
    """Over data sets."""
    return f"{np.mean([one.share for one in found]):.2f}" if found else ""


def sentence(records: Records) -> str:
    """What matters most."""
    shares = [one.share for one in records["synthetic"] if one.cell == KINDS[0]]
    real = [one.share for one in records["real"] if one.cell == KINDS[0]]
    return (
        f"90% bands widened by √2 contain {min(shares):.2f} to {max(shares):.2f} of new curves of "
        f"the normal population and {min(real):.2f} to {max(real):.2f} on data sets. "
        "Working-Hotelling bands fail as printed, with the variance in place of the standard "
        "error; with the latter they are the nearest to their level."
    )


PAPER = Paper(
    name="bands",
    citation="Macskassy, Provost and Rosset (2005)",
    parts=(
        Part("synthetic", Synthetic, tasks, synthetic),
        Part("true", Synthetic, true_tasks, synthetic),
        Part("real", Real, tasks, real),
        Part("plain", Plain, plain_tasks, count_plain),
        Part("printed", Printed, plain_tasks, count_printed),
        Part("exits", Exits, plain_tasks, count_exits),
    ),
    tables=tables,
    pictures=lambda records, folder: draw(records["true"], records["synthetic"], folder),
    claims=claims,
    sentence=sentence,
)
