"""The tasks of the process that computes, by name: bands for curves, or sections of the page."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations
from typing import Any, Literal

import numpy as np

import rocwise as rw
from rocwise import printing
from rocwise.inference import holm
from rocwise.plotting import compose
from rocwise.plotting.spec import PlotSpec
from rocwise.progress import listening
from rocwise.reporting.payload import plain_band, section, table
from rocwise.serving.computing.loading import inspect, kept, load
from rocwise.serving.computing.worker import FieldError

Options = dict[str, Any]
Report = Callable[[float], None]
INNER_RESAMPLES = 200  # of each band whose containment is counted
GRID = 61  # points per axis of a surface that is drawn


def _part(report: Report, place: int, of: int) -> Report:
    """Progress of all of several equal parts, from that of one."""
    return lambda done: report((place + done) / of)


def _models(options: Options, report: Report) -> Iterator[tuple[str, rw.Tally, Report]]:
    """Name and tally of each model, with a report of its part of the progress."""
    tallies = kept(options["data"]).tallies
    for place, (name, tally) in enumerate(tallies.items()):
        yield name, tally, _part(report, place, len(tallies))


def bands(options: Options, report: Report) -> dict[str, Any]:
    """A band around each curve."""
    found = {}
    for name, tally, tell in _models(options, report):
        with listening(tell):
            settings = (options[each] for each in ("band", "level", "resamples", "seed"))
            found[name] = plain_band(tally, *settings)
    return {"bands": found, "kind": options["band"]}


def intervals(options: Options, report: Report) -> dict[str, Any]:
    """Bootstrap confidence intervals of each AUC, after the default one."""
    level, size, seed = options["level"], options["resamples"], options["seed"]
    rows: list[tuple[Any, ...]] = []
    methods: tuple[Literal["bootstrap", "bca"], ...] = ("bootstrap", "bca")
    for name, tally, tell in _models(options, report):
        usual = rw.auc(tally, level=level)
        rows.append((name, usual.interval.method, usual.value, *usual.interval))
        for k, method in enumerate(methods):
            with listening(_part(tell, k, len(methods))):
                result = rw.auc(tally, method=method, level=level, n_resamples=size, rng=seed)
            rows.append((name, result.interval.method, result.value, *result.interval))
    return _table_section(
        "auc-intervals",
        "Intervals of the AUC",
        f"{printing.percent(level)} intervals; {size:,} bootstrap resamples, seed {seed}.",
        ("model", "method", "AUC", "low", "high"),
        rows,
    )


def tests(options: Options, report: Report, *, method: Any, title: str) -> dict[str, Any]:
    """Tests of each two models, with adjusted p values."""
    pairs = kept(options["data"]).pairs
    if pairs is None or len(pairs.names) < 2:
        raise FieldError("job", "A test needs two or more models scored on the same cases.")
    couples = list(combinations(pairs.names, 2))
    results = [
        rw.compare(
            pairs.select(list(couple)),
            method=method,
            n_resamples=options["resamples"],
            rng=options["seed"],
            progress=_part(report, place, len(couples)),
        )
        for place, couple in enumerate(couples)
    ]
    p_values = [result.p_value for result in results]
    adjusted = holm(p_values) if len(couples) > 1 else p_values
    rows = [
        (a, b, result.difference, p, q)
        for (a, b), result, p, q in zip(couples, results, p_values, adjusted, strict=True)
    ]
    return _table_section(
        f"test-{method}",
        title,
        f"{results[0].method}; {options['resamples']:,} resamples, seed {options['seed']}."
        + (" Adjusted by Holm's method." if len(couples) > 1 else ""),
        ("first", "second", "difference of AUC", "p_value", "p_adjusted"),
        rows,
    )


def surface(options: Options, report: Report) -> dict[str, Any]:
    """The least cost of deciding or abstaining over all costs, and its mean with an interval."""
    prior, size, level = options["prevalence"], options["resamples"], options["level"]
    rows, plots = [], []
    for name, tally, tell in _models(options, report):
        volumes = [
            rw.abstention_surface(drawn, grid=2, prevalence=prior).volume
            for drawn in _drawn(tally, options, tell)
        ]
        result = rw.abstention_surface(tally, grid=GRID, prevalence=prior)
        low, high = np.quantile(volumes, [(1 - level) / 2, (1 + level) / 2]).tolist()
        rows.append((name, result.volume, low, high))
        plots.append(compose({name: result}, title=name))
    return _table_section(
        "abstention-surface",
        "Abstention over all costs",
        "Mean least cost over all costs of a false positive and of abstaining (a false negative "
        f"costs 1), prevalence {prior:.3g}; {printing.percent(level)} percentile intervals of "
        f"{size:,} bootstrap resamples, seed {options['seed']}.",
        ("model", "mean cost", "low", "high"),
        rows,
        plots,
    )


def containment(options: Options, report: Report) -> dict[str, Any]:
    """Coverage of the bands where these data are the population."""
    size, level, kind = options["resamples"], options["level"], options["band"]
    rows = []
    for name, tally, tell in _models(options, report):
        truth, contained = rw.roc(tally), 0
        for k, drawn in enumerate(_drawn(tally, options, tell)):
            with listening(lambda _done: None):
                band = rw.band(drawn, kind=kind, level=level, n_resamples=INNER_RESAMPLES, rng=k)
            contained += bool(band.contains(truth))
        rate = contained / size
        rows.append((name, rate, float(np.sqrt(rate * (1 - rate) / size)), level))
    return _table_section(
        "band-containment",
        "Containment of bands",
        f"Fraction of {size:,} samples, drawn from these data with classes of the same size, whose "
        f"{kind} band ({INNER_RESAMPLES} resamples) contains the whole curve of these data; seed "
        f"{options['seed']}.",
        ("model", "proportion contained", "standard error", "level requested"),
        rows,
    )


def _drawn(tally: rw.Tally, options: Options, tell: Report) -> Iterator[rw.Tally]:
    """Samples of the same size, drawn within the classes."""
    if tally.rows is not None or tally.weighted:
        raise FieldError("job", "This is for independent cases without weights.")
    rng, size = np.random.default_rng(options["seed"]), options["resamples"]
    n_pos, n_neg = int(tally.n_pos), int(tally.n_neg)
    for k in range(size):
        pos = rng.multinomial(n_pos, tally.pos / n_pos)
        neg = rng.multinomial(n_neg, tally.neg / n_neg)
        there = pos + neg > 0
        yield rw.Tally.from_counts(tally.scores[there], pos[there], neg[there], origin=tally.origin)
        tell((k + 1) / size)


def _table_section(
    name: str,
    title: str,
    text: str,
    header: tuple[str, ...],
    rows: list[tuple[Any, ...]],
    plots: list[PlotSpec] | None = None,
) -> dict[str, Any]:
    tables = [table(dict(zip(header, zip(*rows, strict=True), strict=True)))]
    return {"section": section(name, title=title, text=text, plots=plots, tables=tables)}


def threshold(options: Options, report: Report) -> dict[str, Any]:
    """The threshold of the largest Youden index with its interval, and its rates on other cases."""
    level, size, seed = options["level"], options["resamples"], options["seed"]
    rows, method = [], ""
    for name, tally, tell in _models(options, report):
        chosen = rw.threshold(tally, rule="youden")
        with listening(tell):
            found = chosen.uncertainty(n_resamples=size, level=level, rng=seed)
        method, limits = found.interval.method, (found.interval.low_text, found.interval.high_text)
        rows.append((name, chosen.threshold_text, *limits, "these", *found.in_sample[:3]))
        rows.append((name, chosen.threshold_text, *limits, "left out", *found.out_of_bag[:3]))
    return _table_section(
        "threshold-uncertainty",
        "Uncertainty of the threshold",
        f"Threshold of the largest Youden index; {printing.percent(level)} intervals: {method}; "
        f"{size:,} resamples, seed {seed}. The rates of the cases that each resample left out show "
        "what to expect on new cases.",
        ("model", "threshold", "low", "high", "cases", "Youden", "sensitivity", "specificity"),
        rows,
    )


TASKS: dict[str, Callable[[Options, Report], dict[str, Any]]] = {
    "inspect": inspect,
    "load": load,
    "bands": bands,
    "threshold": threshold,
    "intervals": intervals,
    "permutation": partial(
        tests, method="permutation-monte-carlo", title="Permutation test of equal AUC"
    ),
    "venkatraman": partial(tests, method="venkatraman", title="Venkatraman's test of equal curves"),
    "surface": surface,
    "containment": containment,
}
