"""The area alone, against the libraries people use for it, and with the numpy kernels."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from . import answers
from .agreement import Relative, Value
from .data import Sample, binormal
from .peers import PROC, SKLEARN, TORCHMETRICS
from .races import Entry, Race
from .rows import Bar, Row, at_most, times_as_fast
from .stopwatch import Measure, stopwatch
from .tasks import Setting, Task

FLOAT32 = Relative(1e-6, "it computes in float32")
NINE = at_most(0.009, "s")  # 9 ns a row
LARGEST_FOR_R = 1_000_000  # the next size takes R ten seconds a call and adds nothing


def tasks() -> Iterator[Task]:
    """Sizes, then kinds of scores, then the numpy twins."""
    bars = {1_000_000: times_as_fast(15), 10_000_000: times_as_fast(12)}
    limits = {100: at_most(25e-6, "s"), 10_000_000: at_most(0.080, "s")}  # 8 ns a row
    for rows in (100, 10_000, 100_000, 1_000_000, 10_000_000):
        asked = partial(_auc, rows, "", binormal, bars.get(rows), limits.get(rows))
        yield Task(f"auc-1e{len(str(rows)) - 1}", ["auc"], asked)
    tied = partial(binormal, ties=True)
    single = partial(binormal, dtype=np.float32)
    yield Task(
        "auc-ties", ["auc"], partial(_auc, 1_000_000, ", about 100 scores", tied, None, None)
    )
    yield Task("auc-float32", ["auc"], partial(_auc, 1_000_000, ", float32", single, None, NINE))
    yield Task("auc-numpy-kernels", ["auc"], _numpy_kernels)


def here(answer: Callable[[Sample], Value], sample: Sample) -> Measure:
    """Time a function of `answers` in this process."""
    return stopwatch(partial(answer, sample), lambda value: value)


def _auc(
    full_rows: int,
    kind: str,
    draw: Callable[[int], Sample],
    bar: Bar | None,
    limit: Bar | None,
    setting: Setting,
) -> list[Row]:
    sample = draw(setting.rows(full_rows))
    rivals = [
        Entry("scikit-learn", SKLEARN, here(answers.sklearn_auc, sample), bar=bar),
        Entry("torchmetrics", TORCHMETRICS, here(answers.torchmetrics_auc, sample), FLOAT32),
    ]
    if sample.rows <= LARGEST_FOR_R and sample.first.dtype == np.float64:
        rivals.append(Entry("pROC", PROC, setting.in_r(sample, "auc")))
    title = f"AUC, {sample.rows:,} rows{kind}"
    return setting.race(Race(title, here(answers.rocwise_auc, sample), rivals, limit))


def _numpy_kernels(setting: Setting) -> list[Row]:
    sample = binormal(setting.rows(1_000_000))
    rival = Entry("scikit-learn", SKLEARN, here(answers.sklearn_auc, sample), bar=times_as_fast(3))
    title = f"AUC without the compiled kernels, {sample.rows:,} rows"
    return setting.race(Race(title, setting.in_plain(sample, "auc"), [rival]))
