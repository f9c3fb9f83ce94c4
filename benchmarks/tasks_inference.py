"""DeLong: the interval of one area, and the paired test of two."""

from collections.abc import Iterator

from . import answers
from .agreement import Relative
from .data import binormal
from .peers import CONFIDENCEINTERVAL, MLSTATKIT, PROC
from .races import Entry, Race
from .rows import Row, times_as_fast
from .tasks import Setting, Task
from .tasks_auc import here


def tasks() -> Iterator[Task]:
    """Interval and test, both at a million rows."""
    yield Task("delong-interval", ["auc"], _interval)
    yield Task("delong-test", ["pair", "compare"], _test)


def _interval(setting: Setting) -> list[Row]:
    sample = binormal(setting.rows(1_000_000))
    rivals = [
        Entry(
            "confidenceinterval",
            CONFIDENCEINTERVAL,
            here(answers.confidenceinterval_delong, sample),
            Relative(1e-6, "it computes in float32"),
            times_as_fast(25),
        ),
        Entry("pROC", PROC, setting.in_r(sample, "delong"), bar=times_as_fast(14)),
    ]
    title = f"AUC and DeLong interval, {sample.rows:,} rows"
    return setting.race(Race(title, here(answers.rocwise_delong, sample), rivals))


def _test(setting: Setting) -> list[Row]:
    sample = binormal(setting.rows(1_000_000))
    # z divides a small difference of two areas by its error: a few digits are lost on the way.
    tolerance = Relative(1e-8)
    rivals = [
        Entry(
            "MLstatkit",
            MLSTATKIT,
            here(answers.mlstatkit_compare, sample),
            tolerance,
            times_as_fast(20),
        ),
        Entry("pROC", PROC, setting.in_r(sample, "compare"), tolerance, times_as_fast(10)),
    ]
    title = f"Paired DeLong test, {sample.rows:,} rows"
    return setting.race(Race(title, here(answers.rocwise_compare, sample), rivals))
