"""Answers without random draws that no peer offers: a limit on the time, a slow reference."""

from collections.abc import Callable, Iterator

from . import answers, references
from .agreement import Relative, Value
from .data import Sample, binormal
from .peers import NUMPY
from .races import Entry, Race
from .rows import Row, at_most
from .stopwatch import Measure, Timed, stopwatch
from .tasks import Setting, Task
from .tasks_auc import here

CHECKED_ROWS = 1500  # the reference holds a matrix of negatives times positives


def tasks() -> Iterator[Task]:
    """Variance of a paired difference, and the exact permutation p."""
    yield Task("exact-bootstrap", ["pair", "compare"], _exact_bootstrap)
    yield Task("exact-permutation", ["pair", "compare"], _exact_permutation)


def _exact_bootstrap(setting: Setting) -> list[Row]:
    sample, small = binormal(setting.rows(100_000)), binormal(CHECKED_ROWS, ties=True)

    def ours(calls: int) -> Timed:
        """Time the large sample; the value to check is that of a small one with ties."""
        timed = here(answers.rocwise_exact_bootstrap, sample)(calls)
        return Timed(timed.seconds, answers.rocwise_exact_bootstrap(small))

    title = f"Exact-bootstrap variance of a paired difference, {sample.rows:,} rows"
    reference = _reference(references.exact_bootstrap_variance, small)
    return setting.race(Race(title, ours, limit=at_most(1.0, "s"), reference=reference))


def _exact_permutation(setting: Setting) -> list[Row]:
    sample = binormal(200, seed=3)
    ours: Measure = stopwatch(lambda: answers.rocwise_permutation(sample), lambda value: value)
    reference = _reference(references.permutation_p, sample)
    title = f"Exact permutation p of a paired difference, {sample.rows} rows"
    return setting.race(Race(title, ours, limit=at_most(1.0, "s"), reference=reference))


def _reference(compute: Callable[[Sample], Value], sample: Sample) -> Entry:
    return Entry("a slow computation in numpy", NUMPY, here(compute, sample), Relative(1e-9))
