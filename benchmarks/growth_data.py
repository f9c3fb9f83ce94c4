"""Data of any size, and the questions asked of them by `make growth` and by rows with limits."""

from collections.abc import Callable
from typing import Any

import numpy as np

import rocwise as rw

COSTS = rw.Costs(fp=1, fn=5, abstain=0.3)
SQUARE_ROOTS = ("SquareRootUnscentedKalmanFilter", "SquareRootCentralDifferenceKalmanFilter")
BANDS = (
    *("fixed-width", "joint-regions", "working-hotelling", "pointwise", "pointwise-binormal"),
    *("simultaneous", "future"),
)
DRAWN = {"rng": 1, "progress": False}


def columns(n: int, models: int = 1) -> tuple[Any, list[Any]]:
    """Labels, and the scores of so many models."""
    rng = np.random.default_rng(0)
    y = (rng.random(n) < 0.3).astype(np.int64)
    return y, [
        1 / (1 + np.exp(0.8 - y * (1 + 0.2 * (k % 5)) - rng.normal(size=n))) for k in range(models)
    ]


def rows(n: int) -> Any:
    """Labels and scores."""
    y, scores = columns(n)
    return y, scores[0]


def short_labels(made: Any) -> Any:
    """Rows with labels of one byte: with one model 9 bytes a row instead of 16."""
    y, *rest = made
    return y.astype(np.int8), *rest


def single_scores(made: Any) -> Any:
    """Rows with scores of single precision: with one model 12 bytes a row instead of 16."""
    y, scores, *rest = made
    if isinstance(scores, dict):
        return y, {name: each.astype(np.float32) for name, each in scores.items()}, *rest
    return y, scores.astype(np.float32), *rest


def tally(n: int) -> Any:
    """The same, sorted."""
    found = rw.tally(*rows(n))
    len(found.scores)
    return found


def models(n: int, count: int = 2) -> Any:
    """Labels, and the scores of several models by name."""
    y, scores = columns(n, count)
    return y, {f"m{k}": column for k, column in enumerate(scores)}


def pairs(n: int, count: int = 2) -> Any:
    """Several models on the same rows."""
    return rw.pair(*models(n, count))


def two_samples(n: int) -> Any:
    """Two models, each on rows of its own."""
    y, (first, second) = columns(n, 2)
    half = n // 2
    return rw.tally(y[:half], first[:half]), rw.tally(y[half:], second[half:])


def classes(n: int, m: int) -> Any:
    """Labels and a table of chances of m classes."""
    rng = np.random.default_rng(0)
    y = np.arange(n) % m
    scores = rng.random((n, m)) + 0.5 * np.eye(m)[y]
    return y, scores / scores.sum(axis=1, keepdims=True)


def weighted(n: int) -> Any:
    """Labels, scores and weights."""
    return *rows(n), np.random.default_rng(1).random(n)


def weighted_tally(n: int) -> Any:
    """The same, sorted."""
    y, scores, weights = weighted(n)
    return rw.tally(y, scores, sample_weight=weights)


def clustered_tally(n: int) -> Any:
    """Rows in clusters of twenty or so, sorted."""
    y, scores, clusters = groups(max(2, n // 20), n)
    return rw.tally(y, scores, groups=clusters)


def weighted_pairs(n: int) -> Any:
    """Two models on rows with weights."""
    return rw.pair(*models(n), sample_weight=np.random.default_rng(1).random(n))


def clustered_pairs(n: int) -> Any:
    """Two models on rows in clusters of twenty or so."""
    return rw.pair(*models(n), groups=np.random.default_rng(1).integers(0, max(2, n // 20), n))


def three_classes(n: int) -> Any:
    """Three classes."""
    return classes(n, 3)


def fifty_classes(n: int) -> Any:
    """Fifty classes."""
    return classes(n, 50)


def stages(n: int) -> Any:
    """Three ordered classes and a score."""
    y = np.arange(n) % 3
    return y, y + 1.5 * np.random.default_rng(0).normal(size=n)


def groups(count: int, n: int = 200_000) -> Any:
    """Rows in so many groups."""
    y, scores = columns(n)
    return y, scores[0], np.random.default_rng(1).integers(0, count, n)


def many_groups(n: int) -> Any:
    """A group for each hundred rows."""
    return groups(n // 100, n)


def forecasts(n: int) -> Any:
    """A target and two forecasters."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=n)
    return y, {"a": y + rng.normal(size=n), "b": y + 1.1 * rng.normal(size=n)}


def table(n: int) -> Any:
    """Ten columns and a target with a kink."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 10))
    return X, 2 * X[:, 0] + np.where(X[:, 1] > 0, X[:, 2], -X[:, 3]) + 0.3 * rng.normal(size=n)


def series(steps: int, states: int = 4, kind: str = "KalmanFilter") -> Any:
    """A filter of so many states, and a series."""
    import rocwise.regression.filters as filters

    move, show = 0.9 * np.eye(states) + 0.05 * np.eye(states, k=1), np.ones((1, states))
    model: tuple[Any, Any] = (move, show)
    if kind != "KalmanFilter":
        model = (lambda x: x @ move.T, lambda x: x @ show.T)
    made = getattr(filters, kind)(
        *model,
        process_noise=0.1 * np.eye(states),
        observation_noise=0.5,
        initial_mean=np.zeros(states),
        initial_covariance=np.eye(states),
        **({} if kind == "KalmanFilter" else {"vectorized": True}),
    )
    return made, np.random.default_rng(0).normal(size=steps)


def bootstrap(statistic: Any) -> Callable[[Any], Any]:
    """Replicates of a statistic."""
    return lambda held: rw.bootstrap(*_spread(held), statistic=statistic, **DRAWN)


def intervals(held: Any) -> Any:
    """Every interval of the area."""
    return rw.auc_intervals(*_spread(held), rng=1)


def cost_band(held: Any) -> Any:
    """The band of a cost curve."""
    return rw.cost_curve(*_spread(held)).band(**DRAWN)


def uncertainty(held: Any) -> Any:
    """Of Youden's threshold."""
    return rw.threshold(*_spread(held), rule="youden").uncertainty(**DRAWN)


def window_uncertainty(held: Any) -> Any:
    """Of the best scores to leave undecided."""
    return rw.abstain(*_spread(held), costs=COSTS).uncertainty(**DRAWN)


def exact_regions(held: Any) -> Any:
    """Clopper and Pearson's limits at every score."""
    from rocwise.binary.bands import threshold_regions

    return threshold_regions(*_spread(held), method="clopper-pearson")


def compare_early(held: Any) -> Any:
    """Areas up to a false positive rate of 0.1."""
    return rw.compare(*_spread(held), max_fpr=0.1)


def compare_at(held: Any) -> Any:
    """Sensitivities at a specificity of 0.9, by resampling."""
    return rw.compare(*_spread(held), at_specificity=0.9, method="bootstrap", **DRAWN)


def drawn(**how: Any) -> Callable[[Any], Any]:
    """Two models compared by resampling."""
    return lambda held: rw.compare(*_spread(held), method="bootstrap", **how, **DRAWN)


def compare_costs(held: Any) -> Any:
    """Cost curves of two models."""
    return rw.compare_curves(*_spread(held), **DRAWN)


def band(kind: Any) -> Callable[[Any], Any]:
    """A band of the curve; labels and scores, or a tally, are given."""
    return lambda held: rw.band(*_spread(held), kind=kind, rng=1)


def _spread(held: Any) -> tuple[Any, ...]:
    """The arguments that data stand for: a tally or pairs, or labels and scores."""
    return held if isinstance(held, tuple) else (held,)


def venkatraman(held: Any) -> Any:
    """Whether two curves are the same."""
    return rw.compare(*_spread(held), method="venkatraman", **DRAWN)


def venkatraman_unpaired(held: Any) -> Any:
    """The same of two samples."""
    return rw.compare(*held, method="venkatraman", **DRAWN)


def uncertain_weights(held: Any) -> Any:
    """Class weights for 50 cost matrices."""
    from rocwise.multiclass import class_weights_under, sample_costs

    costs = sample_costs(1, 10, n_classes=held[1].shape[1], n_samples=50, rng=1)
    return class_weights_under(*held, cost_samples=costs, rng=1, progress=False)


def class_interval(held: Any) -> Any:
    """The average area of several classes, with its interval."""
    return rw.multiclass_auc(*held).interval


def class_bootstrap(held: Any) -> Any:
    """The same by resampling."""
    return rw.multiclass_auc(*held, method="bootstrap", **DRAWN).interval


def ordinal_bootstrap(held: Any) -> Any:
    """The volume of ordered classes by resampling."""
    return rw.ordinal_auc(*held, method="bootstrap", **DRAWN).interval


def rec_band(held: Any) -> Any:
    """The band of an REC curve."""
    return rw.rec_band(rw.rec(held[0], held[1]["a"]), kind="bootstrap", **DRAWN)


def rec_test(method: Any) -> Callable[[Any], Any]:
    """Two forecasters compared."""
    return lambda held: rw.compare_rec(*held, method=method, **DRAWN)


def by_group(held: Any) -> Any:
    """A threshold for each group."""
    return rw.threshold_by_group(*held, rule="youden")


def fit_noise(held: Any) -> Any:
    """The noises of a filter."""
    from rocwise.regression.filters import fit_noise as fit

    return fit(*held, progress=False)


def followed(held: Any) -> Any:
    """A filtered series."""
    return held[0].filter(held[1], progress=False)


def lagged(n: int) -> Any:
    """A random walk as rows of its last five values."""
    from rocwise.regression.forecasting import lag_rows

    steps = np.random.default_rng(0).normal(size=(2, n + 5))
    return lag_rows(np.cumsum(steps[0]) * 0.1 + steps[1], 5)


def filter_regressor(held: Any) -> Any:
    """A filter fitted to rows of a series."""
    from rocwise.estimators import FilterRegressor

    return FilterRegressor().fit(*held)


def model_tree(held: Any) -> Any:
    """A tree with linear leaves."""
    from rocwise.estimators import ModelTreeRegressor

    return ModelTreeRegressor().fit(*held)
