"""The whole curve: false and true positive rates with their thresholds."""

from collections.abc import Callable, Iterator
from functools import partial

from . import answers
from .agreement import Relative
from .data import Sample, binormal
from .peers import SKLEARN, TORCHMETRICS
from .races import Entry, Race
from .rows import Row, times_as_fast
from .stopwatch import Measure, stopwatch
from .tasks import Setting, Task


def tasks() -> Iterator[Task]:
    """One size; scikit-learn twice, because by default it leaves out collinear points."""
    yield Task("curve", ["roc"], _curve)


def _curve(setting: Setting) -> list[Row]:
    sample = binormal(setting.rows(1_000_000))

    def here(points: Callable[[Sample], answers.Points]) -> Measure:
        return stopwatch(partial(points, sample), answers.curve_value)

    bar = times_as_fast(8)
    rivals = [
        Entry("scikit-learn", SKLEARN, here(answers.sklearn_curve), bar=bar),
        Entry("scikit-learn, all points", SKLEARN, here(answers.sklearn_full_curve), bar=bar),
        Entry(
            "torchmetrics",
            TORCHMETRICS,
            here(answers.torchmetrics_curve),
            Relative(1e-5, "it computes in float32"),
        ),
    ]
    title = f"ROC curve, {sample.rows:,} rows"
    return setting.race(Race(title, here(answers.rocwise_curve), rivals))
