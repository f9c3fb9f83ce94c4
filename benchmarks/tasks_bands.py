"""Bands around the whole curve, and the binormal fit."""

from collections.abc import Iterator
from statistics import NormalDist

from . import answers
from .agreement import Relative, SimilarBands, Value
from .answers import REPLICATES
from .data import Sample, binormal
from .peers import NUMPY, PROC, ROCCI
from .races import Entry, Race
from .rows import Row, at_most, times_as_fast
from .tasks import Setting, Task
from .tasks_auc import here

PROC_REPLICATES = 20  # pROC's time is proportional to them


def tasks() -> Iterator[Task]:
    """The fixed-width band, then the fit."""
    yield Task("fixed-width", ["band"], _fixed_width)
    yield Task("binormal", ["binormal"], _binormal)


def _fixed_width(setting: Setting) -> list[Row]:
    sample = binormal(setting.rows(10_000))
    rivals = [
        Entry("rocci", ROCCI, here(answers.rocci_band, sample), SimilarBands(), times_as_fast(2)),
        Entry(
            "pROC ci.se at 101 points",
            PROC,
            setting.in_r(sample, "sensitivities", PROC_REPLICATES),
            Containing(),
            times_as_fast(200),
            scale=REPLICATES / PROC_REPLICATES,
            note=f"scaled from {PROC_REPLICATES} replicates",
        ),
    ]
    title = f"Fixed-width band, {REPLICATES:,} replicates, {sample.rows:,} rows"
    return setting.race(Race(title, here(answers.rocwise_fixed_width, sample), rivals))


class Containing:
    """A band for the whole curve around intervals at single points: it must contain them."""

    def holds(self, ours: Value, theirs: Value) -> bool:
        half = len(ours) // 2
        return len(ours) == len(theirs) and all(
            low <= their_low and their_high <= high
            for low, high, their_low, their_high in zip(
                ours[:half], ours[half:], theirs[:half], theirs[half:], strict=True
            )
        )

    def __str__(self) -> str:
        return "the band contains the pointwise intervals"


def _binormal(setting: Setting) -> list[Row]:
    sample = binormal(setting.rows(100_000))
    title = f"Binormal fit by maximum likelihood, {sample.rows:,} rows"
    reference = Entry(
        "normal theory", NUMPY, here(_normal_area, sample), Relative(0.01, "another estimator")
    )
    ours = here(answers.rocwise_binormal, sample)
    return setting.race(Race(title, ours, limit=at_most(0.5, "s"), reference=reference))


def _normal_area(sample: Sample) -> Value:
    """Area from means and variances, for scores that are normal in both classes."""
    positive, negative = sample.first[sample.label == 1], sample.first[sample.label == 0]
    distance = (positive.mean() - negative.mean()) / (positive.var() + negative.var()) ** 0.5
    return (NormalDist().cdf(float(distance)),)
