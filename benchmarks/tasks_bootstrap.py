"""Two thousand bootstrap replicates: the area's interval, and a band."""

from collections.abc import Iterator
from functools import partial

from . import answers
from .agreement import MonteCarlo, SimilarBands
from .answers import REPLICATES
from .data import Sample, binormal
from .peers import FBROC, PROC, ROCCI
from .races import Entry, Race
from .rows import Row, times_as_fast
from .tasks import Setting, Task
from .tasks_auc import here

# pROC redraws and re-sorts rows, so its time is proportional to the replicates.
PROC_REPLICATES = {1_000: 2000, 10_000: 500, 100_000: 100}


def tasks() -> Iterator[Task]:
    """Three sizes, then tied scores, then a simultaneous band."""
    for rows in PROC_REPLICATES:
        yield Task(f"bootstrap-1e{len(str(rows)) - 1}", ["auc"], partial(_bootstrap, rows, False))
    yield Task("bootstrap-ties", ["auc"], partial(_bootstrap, 100_000, True))
    yield Task("band", ["band"], _band)


def _bootstrap(full_rows: int, ties: bool, setting: Setting) -> list[Row]:
    sample = binormal(setting.rows(full_rows), ties=ties)
    rivals = [
        _proc(setting, sample, PROC_REPLICATES[full_rows] // (10 if setting.quick else 1)),
        Entry(
            "fbroc",
            FBROC,
            setting.in_r(sample, "fbroc_bootstrap", REPLICATES),
            MonteCarlo(REPLICATES, REPLICATES),
            times_as_fast(5),
        ),
    ]
    kind = ", about 100 scores" if ties else ""
    title = f"{REPLICATES:,} bootstrap AUCs, {sample.rows:,} rows{kind}"
    return setting.race(Race(title, here(answers.rocwise_bootstrap, sample), rivals))


def _proc(setting: Setting, sample: Sample, replicates: int) -> Entry:
    return Entry(
        "pROC",
        PROC,
        setting.in_r(sample, "bootstrap", replicates),
        MonteCarlo(REPLICATES, replicates),
        times_as_fast(200),
        scale=REPLICATES / replicates,
        note="" if replicates == REPLICATES else f"scaled from {replicates} replicates",
    )


def _band(setting: Setting) -> list[Row]:
    sample = binormal(setting.rows(100_000))
    rival = Entry(
        "rocci", ROCCI, here(answers.rocci_band, sample), SimilarBands(), times_as_fast(2)
    )
    title = f"Studentised simultaneous band, {REPLICATES:,} replicates, {sample.rows:,} rows"
    return setting.race(Race(title, here(answers.rocwise_band, sample), [rival]))
