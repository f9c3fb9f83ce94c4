"""Default tests and the settings of their size and power."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from itertools import product
from typing import Any

import numpy as np

import rocwise as rw

from . import populations as pop
from .coverage_entries import Entry, Result, Rng, sized
from .coverage_intervals import SLOW

ALPHA = 0.05
MANY = 5000  # samples
NAMED = ("delong", "wilson", "permutation", "bootstrap")
rejects = partial(sized, "size")


def one_auc(m: int, n: int, auc: float, null: float, rng: Rng) -> Result:
    """`test_auc`."""
    return rw.test_auc(*pop.one_model(rng, m, n, auc), null=null).p_value < ALPHA


def models(
    m: int, n: int, aucs: tuple[float, ...], rho: float, options: dict[str, Any], rng: Rng
) -> Result:
    """`compare` of models on the same observations."""
    return (
        rw.compare(
            *pop.correlated_models(rng, m, n, aucs, rho), **options, **seeded(options, rng)
        ).p_value
        < ALPHA
    )


def seeded(options: dict[str, Any], rng: Rng) -> dict[str, Any]:
    """The generator for bootstrap and permutation tests."""
    return {"rng": rng} if options else {}


def tied(m: int, n: int, auc: float, rho: float, rng: Rng) -> Result:
    """`compare` of five ratings."""
    y, scores = pop.correlated_models(rng, m, n, (auc, auc), rho)
    return rw.compare(y, {name: pop.ratings(s) for name, s in scores.items()}).p_value < ALPHA


def other_shape(m: int, n: int, auc: float, rng: Rng) -> Result:
    """`compare` of models with equal AUCs and different curves."""
    y = pop.labels(m, n)
    noise = rng.normal(size=(2, m + n))
    noise[1] = (noise[0] + noise[1]) / 2**0.5
    wide = np.where(y == 1, 3 * noise[1] + pop.shift_of(auc, 3), noise[1])
    return rw.compare(y, {"a": noise[0] + pop.shift_of(auc) * y, "b": wide}).p_value < ALPHA


def unpaired(sizes: tuple[int, int], others: tuple[int, int], auc: float, rng: Rng) -> Result:
    """`compare` of models on different samples."""
    first, second = (rw.tally(*pop.one_model(rng, *each, auc)) for each in (sizes, others))
    return rw.compare(first, second).p_value < ALPHA


def subgroups(m: int, n: int, auc: float, rng: Rng) -> Result:
    """`auc(by=)` of three equal groups."""
    y, s = pop.one_model(rng, 3 * m, 3 * n, auc)
    return rw.auc(y, s, by=np.arange(len(y)) % 3).p_value < ALPHA


def clusters(m: int, n: int, auc: float, rng: Rng) -> Result:
    """`compare` with clustered data."""
    y, (a, b), groups = pop.one_class_clusters(rng, m, n, 4, 2, auc)
    return rw.compare(y, {"a": a, "b": b}, groups=groups).p_value < ALPHA


def weights(m: int, n: int, auc: float, rng: Rng) -> Result:
    """`compare` with sample weights."""
    y, scores = pop.correlated_models(rng, m, n, (auc, auc), 0.5)
    return rw.compare(y, scores, sample_weight=np.exp(rng.normal(size=m + n))).p_value < ALPHA


def sizes_of_aucs() -> Iterator[Entry]:
    """One AUC, and AUCs of models on the same observations."""
    for m, n in ((2, 20), (3, 50), (5, 5), (10, 10), (30, 30), (50, 500)):
        yield rejects("test_auc", ", AUC 0.5", one_auc, m, n, 0.5, 0.5, samples=MANY)
    for m, n in ((20, 20), (50, 200)):
        yield rejects("test_auc", ", null and AUC 0.8", one_auc, m, n, 0.8, 0.8, samples=MANY)
    for m, n, auc, rho in (
        *((2, 40, 0.7, 0.5), (3, 30, 0.7, 0.5), (5, 5, 0.7, 0.5), (5, 50, 0.9, 0.8)),
        *((10, 10, 0.7, 0.5), (10, 10, 0.9, 0.8), (20, 20, 0.8, 0.5), (20, 20, 0.97, 0.8)),
        *((30, 300, 0.9, 0.8), (50, 50, 0.9, 0.8), (50, 500, 0.97, 0.8), (100, 100, 0.95, 0.95)),
        (300, 300, 0.9, 0.5),
    ):
        setting = equal_models(auc, rho)
        yield rejects("compare", setting, models, m, n, (auc, auc), rho, {}, samples=MANY)
    for m, n in ((10, 50), (20, 20)):
        yield rejects("compare", ", AUC 0.8, 5 ratings", tied, m, n, 0.8, 0.5, samples=MANY)
    for m, n in ((10, 50), (20, 20), (50, 10)):
        yield rejects("compare", ", AUC 0.8, other SD", other_shape, m, n, 0.8, samples=MANY)


def equal_models(auc: float = 0.8, rho: float = 0.5) -> str:
    """Setting of models with equal AUCs."""
    return f", AUC {auc}, correlation {rho}"


def sizes_of_others() -> Iterator[Entry]:
    """Models on different samples, three models, subgroups, clusters, weights."""
    for one, other, auc in (
        *(((10, 10), (10, 10), 0.8), ((20, 20), (20, 20), 0.97)),
        *(((100, 100), (20, 20), 0.8), ((5, 50), (50, 50), 0.8), ((20, 200), (200, 200), 0.9)),
    ):
        setting = f"{one[0]}/{one[1]} and {other[0]}/{other[1]}, AUC {auc}"
        simulate = partial(unpaired, one, other, auc)
        yield Entry("compare, unpaired", "size", setting, min(*one, *other), simulate, MANY)
    for m, n in ((8, 100), (10, 10), (30, 30), (100, 100)):
        yield rejects("compare, 3 models", equal_models(), models, m, n, (0.8,) * 3, 0.5, {})
    for m, n in ((10, 10), (20, 60), (100, 100)):
        yield rejects("auc(by=)", " in each of 3 groups, AUC 0.8", subgroups, m, n, 0.8)
    name, precision = 'compare(statistic="average-precision")', {"statistic": "average-precision"}
    for m, n in ((10, 30), (20, 60), (100, 300)):
        yield rejects(name, equal_models(), models, m, n, (0.8, 0.8), 0.5, precision, samples=MANY)
    for m, n in ((3, 3), (5, 15), (10, 10), (40, 40)):
        yield rejects("compare(groups=)", " clusters of 4, AUC 0.8", clusters, m, n, 0.8)
    for m, n in ((10, 40), (30, 30), (100, 400)):
        setting = ", AUC 0.8, any weights"
        yield rejects("compare(sample_weight=)", setting, weights, m, n, 0.8, samples=MANY)


def at_point(m: int, n: int, rng: Rng) -> Result:
    """All tested measures of `compare_at`."""
    y, scores = pop.correlated_models(rng, m, n, (0.8, 0.8), 0.5)
    table = rw.compare_at(y, scores, fpr=0.2, rng=rng).to_dict()["table"]
    found = zip(table["measure"], table["p_value"], strict=True)
    return {name: p < ALPHA for name, p in found if name != "specificity" and p is not None}


def class_models(sizes: tuple[int, ...], rng: Rng) -> Result:
    """`multiclass.compare`."""
    y, first = pop.classes(rng, sizes, 1.0)
    second = pop.classes(rng, sizes, 1.0)[1]
    return rw.multiclass.compare(y, {"a": first, "b": second}).p_value < ALPHA


def ordered_models(sizes: tuple[int, ...], rng: Rng) -> Result:
    """`ordinal.compare`."""
    y = np.repeat(np.arange(3), sizes)
    a, b = rng.normal(size=(2, len(y)))
    return rw.ordinal.compare(y, {"a": a + y, "b": (a + b) / 2**0.5 + y}).p_value < ALPHA


def forecasts(n: int, coefficient: float, options: dict[str, Any], rng: Rng) -> Result:
    """`regression.compare` of equally good models."""
    truth = np.zeros(n)
    errors = {name: pop.autoregressive(rng, n, coefficient) for name in ("a", "b")}
    return rw.regression.compare(truth, errors, rng=rng, **options).p_value < ALPHA


def sizes_of_points() -> Iterator[Entry]:
    """Partial AUCs, operating points, several classes, regression."""
    sizes = ((2, 40), (5, 50), (10, 10), (20, 40), (50, 50))
    for (option, value), (m, n) in product((("max_fpr", 0.2), ("at_specificity", 0.8)), sizes):
        more = (m, n, (0.8, 0.8), 0.5, {option: value})
        yield rejects(f"compare({option}={value})", equal_models(), models, *more, samples=SLOW)
    for m, n in ((2, 40), (5, 50), (10, 10), (50, 50)):
        yield rejects("compare_at(fpr=0.2)", equal_models(), at_point, m, n, samples=SLOW)
    for rows in ((5, 30, 30), (10, 10, 10), (30, 30, 30)):
        setting, few = "/".join(map(str, rows)), min(rows)
        for name, simulate in (("multiclass", class_models), ("ordinal", ordered_models)):
            entry = f"{name}.compare", "size", setting, few, partial(simulate, rows), MANY
            yield Entry(*entry)
    for n in (30, 200):
        simulate = partial(forecasts, n, 0, {})
        yield Entry("regression.compare", "size", f"{n} cases", n, simulate, MANY // 2)
    for n, coefficient in ((30, 0.8), (200, 0.8), (100, 0.9)):
        simulate = partial(forecasts, n, coefficient, {"order": "time"})
        setting = f"{n} cases, autocorrelation {coefficient}"
        yield Entry('regression.compare(order="time")', "size", setting, n, simulate)


def with_delong(m: int, n: int, aucs: tuple[float, float], rho: float, rng: Rng) -> Result:
    """`compare`, and DeLong's test on the same sample."""
    data = pop.correlated_models(rng, m, n, aucs, rho)
    return {
        "default": rw.compare(*data).p_value < ALPHA,
        "DeLong": rw.compare(*data, method="delong").p_value < ALPHA,
    }


def unpaired_with_delong(
    sizes: tuple[int, int], others: tuple[int, int], aucs: tuple[float, float], rng: Rng
) -> Result:
    """The same for models on different samples."""
    data = [
        rw.tally(*pop.one_model(rng, *n, auc)) for n, auc in zip((sizes, others), aucs, strict=True)
    ]
    return {
        "default": rw.compare(*data).p_value < ALPHA,
        "DeLong": rw.compare(*data, method="delong").p_value < ALPHA,
    }


@cache
def plan(auc: float, other: float | None, null: float, rho: float, ratio: float) -> tuple[int, int]:
    """Numbers of positives and negatives for a power of 80%."""
    two = {} if other is None else {"other": other, "correlation": (rho, rho)}
    one = {"null": null} if other is None else {}
    found = rw.sample_size(auc, ratio=ratio, **two, **one)
    return found.n_pos, found.n_neg


def planned_one(auc: float, null: float, ratio: float, rng: Rng) -> Result:
    """`test_auc` with the planned sample size."""
    return one_auc(*plan(auc, None, null, 0, ratio), auc, null, rng)


def planned_two(aucs: tuple[float, float], rho: float, ratio: float, rng: Rng) -> Result:
    """`compare` with the planned sample size."""
    return models(*plan(*aucs, 0, rho, ratio), aucs, rho, {}, rng)


def named_aucs(m: int, n: int, rng: Rng) -> Result:
    """`test_auc` by other methods on the same sample."""
    data = rw.tally(*pop.one_model(rng, m, n, 0.5))
    methods = ("exact", "wilcoxon", "delong")
    return {name: rw.test_auc(data, method=name).p_value < ALPHA for name in methods}


def named_models(m: int, n: int, auc: float, rho: float, rng: Rng) -> Result:
    """`compare` by other methods on the same sample."""
    data = pop.correlated_models(rng, m, n, (auc, auc), rho)
    return {name: rw.compare(*data, method=name, rng=1).p_value < ALPHA for name in NAMED}


def sizes_of_methods() -> Iterator[Entry]:
    """Named tests."""
    for m, n in ((3, 50), (5, 5), (10, 10), (30, 30)):
        yield rejects("test_auc(method=)", ", AUC 0.5", named_aucs, m, n)
    for m, n, auc, rho in (
        *((2, 40, 0.7, 0.5), (5, 50, 0.9, 0.8), (10, 10, 0.8, 0.5), (20, 20, 0.97, 0.8)),
        *((50, 50, 0.9, 0.5), (50, 500, 0.97, 0.8)),
    ):
        yield rejects(
            "compare(method=)", equal_models(auc, rho), named_models, m, n, auc, rho, samples=SLOW
        )


def powers() -> Iterator[Entry]:
    """Power of the default and of DeLong's test, and planned power."""
    for m, n, aucs, rho in (
        *((10, 10, (0.95, 0.7), 0.5), (10, 100, (0.95, 0.8), 0.5), (20, 20, (0.9, 0.7), 0.5)),
        *((20, 20, (0.97, 0.85), 0.8), (20, 200, (0.97, 0.9), 0.8), (30, 300, (0.95, 0.9), 0.8)),
        *((50, 50, (0.9, 0.8), 0.5), (50, 500, (0.97, 0.95), 0.8)),
        *((66, 326, (0.98, 0.95), 0.6), (100, 100, (0.97, 0.95), 0.9)),
    ):
        setting = f", AUC {aucs[0]} v {aucs[1]}, correlation {rho}"
        yield sized("power", "compare", setting, with_delong, m, n, aucs, rho)
    for one, other, aucs in (
        *(((20, 20), (20, 20), (0.95, 0.75)), ((30, 30), (100, 100), (0.7, 0.85))),
        *(((50, 50), (50, 50), (0.9, 0.75)), ((50, 500), (50, 500), (0.97, 0.9))),
    ):
        setting = f"{one[0]}/{one[1]} and {other[0]}/{other[1]}, AUC {aucs[0]} v {aucs[1]}"
        simulate = partial(unpaired_with_delong, one, other, aucs)
        yield Entry("compare, unpaired", "power", setting, min(*one, *other), simulate)
    for auc, null, ratio in ((0.7, 0.5, 1), (0.8, 0.5, 1), (0.9, 0.8, 1), (0.95, 0.9, 5)):
        setting, simulate = (
            f"AUC {auc} v {null}, ratio {ratio}",
            partial(planned_one, auc, null, ratio),
        )
        yield Entry("sample_size, one AUC", "power", setting, 0, simulate, planned=80.0)
    for aucs, rho, ratio in (
        *(((0.85, 0.75), 0.5, 1), ((0.9, 0.8), 0.5, 3)),
        *(((0.97, 0.93), 0.6, 5), ((0.98, 0.95), 0.6, 5)),
    ):
        setting = f"AUC {aucs[0]} v {aucs[1]}, correlation {rho}, ratio {ratio}"
        simulate = partial(planned_two, aucs, rho, ratio)
        yield Entry("sample_size, two AUCs", "power", setting, 0, simulate, planned=80.0)


TESTS = (*sizes_of_aucs(), *sizes_of_others(), *sizes_of_points(), *sizes_of_methods(), *powers())
