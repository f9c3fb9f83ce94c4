"""Time rocwise and other packages on the same data: `python -m benchmarks --help`.

Values must agree before anything is timed. Rounds are interleaved and the minimum counts.
"""

import argparse
import importlib
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

README = Path(__file__).resolve().parent.parent / "README.md"
BEGIN, END = "<!-- bench: begin -->", "<!-- bench: end -->"
SHORTEST_BATCH = 0.02  # seconds; shorter calls are repeated
LONGEST_TOTAL = 6.0  # seconds of one implementation after its first round
PACKAGES = ("rocwise", "numpy", "scikit-learn", "torchmetrics", "confidenceinterval", "MLstatkit")
PACKAGES += ("rocci", "scikit-survival", "lifelines")
Call = Callable[[], Any]


@dataclass(frozen=True)
class Peer:
    """A package that computes the same values, within `tolerance` (relative)."""

    module: str
    name: str
    call: Call
    tolerance: float = 1e-9


@dataclass(frozen=True)
class Task:
    """One row of the table; `call` returns the values that the packages must share."""

    name: str
    call: Call
    peers: Sequence[Peer] = ()
    times: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Sample:
    """Labels with the scores of two equally good, correlated models, as probabilities."""

    y: Any
    a: Any
    b: Any


def binormal(rows: int) -> Sample:
    """A binormal sample with 30% positives."""
    rng = np.random.default_rng(7)
    y = (rng.random(rows) < 0.3).astype(np.int64)
    signal = rng.standard_normal(rows) + 1.25 * y
    a, b = (1 / (1 + np.exp(-signal - 0.8 * rng.standard_normal(rows))) for _ in range(2))
    return Sample(y, a, b)


def tasks() -> Iterator[Task]:
    """The tasks of the README, in its order."""
    for rows in (100, 1_000_000):
        yield _auc(binormal(rows), f"AUC, {rows:,} rows")
    million = binormal(1_000_000)
    yield _curve(million)
    yield _delong(million)
    yield _paired(million)
    yield from _resampled()
    yield from _partial(million)
    yield _classes()
    yield from _survival()


def _auc(data: Sample, name: str) -> Task:
    import rocwise as rw

    def sklearn() -> float:
        return float(_import("sklearn.metrics").roc_auc_score(data.y, data.a))

    def torchmetrics() -> float:
        torch = _import("torch")
        auroc = _import("torchmetrics.functional.classification").binary_auroc
        return float(auroc(torch.from_numpy(data.a), torch.from_numpy(data.y)))

    peers = [
        Peer("sklearn", "scikit-learn", sklearn),
        Peer("torchmetrics", "torchmetrics", torchmetrics, 1e-4),  # in float32
    ]
    return Task(name, lambda: rw.auc(data.y, data.a).value, peers)


def _curve(data: Sample) -> Task:
    import rocwise as rw

    def area(fpr: Any, tpr: Any, _thresholds: Any) -> float:
        return float(np.trapezoid(tpr, fpr))

    def ours() -> float:
        curve = rw.roc(data.y, data.a)
        return area(curve.fpr, curve.tpr, curve.thresholds)

    def torchmetrics() -> float:
        torch = _import("torch")
        roc = _import("torchmetrics.functional.classification").binary_roc
        return area(*(t.numpy() for t in roc(torch.from_numpy(data.a), torch.from_numpy(data.y))))

    peers = [
        Peer(
            "sklearn",
            "scikit-learn",
            lambda: area(*_import("sklearn.metrics").roc_curve(data.y, data.a)),
        ),
        Peer("torchmetrics", "torchmetrics", torchmetrics, 1e-4),
    ]
    return Task("ROC curve, 1,000,000 rows", ours, peers)


def _delong(data: Sample) -> Task:
    import rocwise as rw

    def ours() -> tuple[float, ...]:
        found = rw.auc(data.y, data.a, method="delong")
        return found.value, found.interval.low, found.interval.high

    def confidenceinterval() -> tuple[float, ...]:
        auc = _import("confidenceinterval").roc_auc_score
        value, interval = auc(data.y, data.a, confidence_level=0.95)
        return float(value), *map(float, interval)

    peers = [Peer("confidenceinterval", "confidenceinterval", confidenceinterval, 1e-4)]
    return Task("AUC and DeLong interval, 1,000,000 rows", ours, peers)


def _paired(data: Sample) -> Task:
    import rocwise as rw

    def ours() -> tuple[float, ...]:
        test = rw.compare(data.y, {"a": data.a, "b": data.b}, method="delong")
        return (*test.estimates.values(), abs(test.statistic))

    def mlstatkit() -> tuple[float, ...]:
        test = _import("MLstatkit").Delong_test
        z, _, a, b = test(data.y, data.a, data.b, return_ci=False, return_auc=True)
        return a, b, abs(z)

    return Task(
        "paired DeLong test, 1,000,000 rows", ours, [Peer("MLstatkit", "MLstatkit", mlstatkit)]
    )


def _resampled() -> Iterator[Task]:
    import rocwise as rw

    small, large = binormal(10_000), binormal(100_000)
    drawn = {"n_resamples": 2000, "rng": 1}

    def band(data: Sample, kind: str) -> Callable[[], list[float]]:
        def ours() -> list[float]:
            found = rw.band(data.y, data.a, kind=kind, level=0.95, **drawn)
            return [float(bound[0]) for bound in found.at(np.array([0.3]))]

        return ours

    def rocci(data: Sample) -> Callable[[], list[float]]:
        def call() -> list[float]:
            fit = _import("rocci").roc_band(
                data.y, data.a, confidence=0.95, n_boot=2000, random_state=1
            )
            return [float(np.interp(0.3, fit.fpr, side)) for side in (fit.lower, fit.upper)]

        return call

    yield Task(
        "2,000 bootstrap AUCs, 10,000 rows",
        lambda: rw.auc(small.y, small.a, method="bootstrap", **drawn).value,
    )
    for kind, data in (("fixed-width", small), ("simultaneous", large)):
        name = f"{kind} band of 2,000 resamples, {len(data.y):,} rows"
        # the two packages define their bands differently: the limits are close, not equal
        yield Task(name, band(data, kind), [Peer("rocci", "rocci", rocci(data), 0.05)])
    early = rw.statistics.PartialArea(max_fpr=0.1)
    tally = rw.tally(large.y, large.a)
    yield Task(
        "bootstrap of a partial AUC, 100,000 rows",
        lambda: rw.bootstrap(tally, statistic=early, **drawn).value,
    )


def _partial(data: Sample) -> Iterator[Task]:
    import rocwise as rw

    both = rw.pair(data.y, {"a": data.a, "b": data.b})
    yield Task(
        "two partial AUCs compared, 1,000,000 rows",
        lambda: rw.compare(both, max_fpr=0.1).p_value,
    )


def _classes() -> Task:
    import rocwise as rw

    rng = np.random.default_rng(1)
    y = rng.integers(0, 50, 100_000)
    scores = rng.random((100_000, 50))
    scores[np.arange(len(y)), y] += 0.2
    scores /= scores.sum(axis=1, keepdims=True)
    return Task(
        "50 classes, AUC and interval, 100,000 rows",
        lambda: rw.multiclass.auc(y, scores).interval.low,
    )


def _survival() -> Iterator[Task]:
    import rocwise as rw

    rng = np.random.default_rng(0)
    score, end = rng.random(100_000), rng.exponential(1.5, 100_000)
    free = rng.exponential(0.5 / score)
    time, event = np.minimum(free, end), free <= end
    ten = np.quantile(time, np.linspace(0.1, 0.8, 10))

    def ours(times: Any, **more: Any) -> Callable[[], Any]:
        return lambda: rw.survival.auc(time, event, score, times=times, **more).value

    def scikit_survival(times: Any) -> list[Peer]:
        def call() -> Any:
            rows = _import("sksurv.util").Surv.from_arrays(event, time)
            auc = _import("sksurv.metrics").cumulative_dynamic_auc
            return auc(rows, rows, score, np.atleast_1d(times))[0]

        ties = 1e-6  # scores within 1e-8 are ties there
        return [Peer("sksurv", "scikit-survival (no SE)", call, tolerance=ties)]

    def lifelines() -> float:
        return float(_import("lifelines.utils").concordance_index(time, -score, event))

    harrell = [Peer("lifelines", "lifelines (no SE)", lifelines)]
    yield Task("AUC by t with SE, 100,000 censored rows", ours(0.5), scikit_survival(0.5))
    yield Task("AUC by 10 times with SE, 100,000 censored rows", ours(ten), scikit_survival(ten))
    yield Task("AUC by all event times, 100,000 censored rows", ours(None, method=None))
    yield Task(
        "Harrell's C with SE, 100,000 censored rows",
        lambda: rw.survival.concordance(time, event, score, kind="harrell").value,
        harrell,
    )


def _import(name: str) -> Any:
    """A package that may be missing; imported before anything is timed."""
    return importlib.import_module(name)


def measure(task: Task, rounds: int) -> None:
    """Check that the values agree, then time all implementations in interleaved rounds."""
    value = np.atleast_1d(task.call())
    calls = {"rocwise": task.call}
    for peer in task.peers:
        try:
            theirs = np.atleast_1d(peer.call())
        except ImportError:
            print(f"{task.name}: {peer.name} is not installed", file=sys.stderr)
            continue
        if not np.allclose(value, theirs, rtol=peer.tolerance, atol=1e-12):
            raise SystemExit(f"{task.name}: rocwise {value}, {peer.name} {theirs}")
        calls[peer.name] = peer.call
    spent = dict.fromkeys(calls, 0.0)
    for turn in range(rounds):
        for name, call in calls.items():
            if turn and spent[name] > LONGEST_TOTAL:
                continue
            seconds, batch = _timed(call)
            spent[name] += batch
            task.times[name] = min(task.times.get(name, seconds), seconds)


def _timed(call: Call) -> tuple[float, float]:
    """Seconds per call of a batch of at least 20 ms, and seconds of the batch."""
    calls, start = 0, time.perf_counter()
    while True:
        call()
        calls += 1
        spent = time.perf_counter() - start
        if spent >= SHORTEST_BATCH:
            return spent / calls, spent


def row_of(task: Task) -> str:
    """The row of the table."""
    own = task.times["rocwise"]
    others = {name: seconds / own for name, seconds in task.times.items() if name != "rocwise"}
    names, ratios = ", ".join(others) or "–", ", ".join(f"{r:.3g}x" for r in others.values()) or "–"
    return f"| {task.name} | {duration(own)} | {names} | {ratios} |"


def duration(seconds: float) -> str:
    """Three digits with a readable unit.

    >>> duration(0.0123), duration(2.5), duration(3.2e-5)
    ('12.3 ms', '2.5 s', '32 µs')
    """
    for factor, unit in ((1.0, "s"), (1e3, "ms"), (1e6, "µs")):
        if seconds * factor >= 1 or unit == "µs":
            return f"{seconds * factor:.3g} {unit}"
    raise AssertionError("unreachable")


def machine() -> str:
    """Processor, versions, load and date, for the line below the table."""
    table = Path("/proc/cpuinfo")
    models = [
        line.split(":", 1)[1].strip()
        for line in (table.read_text().splitlines() if table.exists() else [])
        if line.startswith("model name")
    ]
    found = []
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return (
        f"{models[0] if models else platform.processor()}, {os.cpu_count()} cores, "
        f"load {os.getloadavg()[0]:.1f}, {datetime.now(UTC).date()}. "
        f"Python {platform.python_version()}, {', '.join(found)}."
    )


def with_table(text: str, table: str) -> str:
    """The page with what is between its marks replaced."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{table}\n\n{END}{after}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the tasks, print the table, and write it into the README on request."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", default="", help="tasks whose name contains this")
    parser.add_argument("--rounds", type=int, default=7, help="interleaved rounds")
    parser.add_argument("--readme", action="store_true", help="write the table into README.md")
    options = parser.parse_args(arguments)
    lines = ["| task | rocwise | other packages | speed-up |", "| --- | --- | --- | --- |"]
    print("\n".join(lines), flush=True)
    for task in tasks():
        if options.only in task.name:
            measure(task, options.rounds)
            lines.append(row_of(task))
            print(lines[-1], flush=True)
    table = "\n".join(lines) + f"\n\n{machine()}"
    print(f"\n{machine()}")
    if options.readme and not options.only:
        README.write_text(with_table(README.read_text(encoding="utf-8"), table), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
