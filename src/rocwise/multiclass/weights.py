"""`class_weights`: the weights of the classes that make decisions cheapest, by any method."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal, Unpack, get_args

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.costs import cost_matrix
from rocwise.errors import InputError, MisuseWarning, shown, warn
from rocwise.inference.proportions import proportion_limits
from rocwise.inputs.coercion import ClassOptions, as_class_rows, options_shown
from rocwise.multiclass import exact_searches
from rocwise.multiclass.operating_points import (
    Classes,
    ClassRule,
    OperatingProblem,
    altered_risks,
    called_classes,
    operating_problem,
    predicted_rates,
)
from rocwise.multiclass.weight_searches import (
    Evolution,
    FoundWeights,
    Stage,
    TimeLimit,
    best_passes,
    best_sequential,
    cost_column_weights,
    cost_row_weights,
    evolved,
    soft,
    warn_if_long,
)
from rocwise.progress import Report
from rocwise.results import result

WeightMethod = Literal[
    "sequential",
    "passes",
    "cost-columns",
    "cost-rows",
    "lp",
    "milp",
    "soft",
    "genetic-soft",
    "genetic",
    "sweep",
    "pair-moves",
    "auto",
]
METHODS = get_args(WeightMethod)
LARGEST_SWEEP = 20_000  # distinct rows that "auto" sweeps: a few seconds
LARGEST_PAIR_MOVES = 300_000_000  # pairs of classes times squared rows, for "auto"
ROWS = "cost-rows"
MATRICES = ("cost-columns", ROWS)  # the class of the least risk by an altered cost matrix is called
SAME_OBJECTIVE = 1e-9  # in units of the largest cost


@result
class ClassWeights(ClassRule):
    """Class weights; the class with the largest weighted confidence is predicted.

    Attributes
    ----------
    weights : ndarray (m,)
        As the method found them; only their ratios matter, and they are on this scale in print,
        in tables and plots. Of "cost-columns" and "cost-rows" the class of the least risk is
        called, with columns of the costs divided by these, or rows multiplied.
    cost, baseline_cost : float
        Expected cost on the data given, and that of the largest confidence (weights 1).
    method : str
        The method used; what "auto" picked.
    optimal : bool
        Whether no positive weights have a smaller cost on these data, up to cells narrower than
        the method can see.
    finished : bool
        False if the time was over first; the best weights so far are given.
    objective : float or None
        What "lp", "milp", "soft" and "genetic-soft" minimized.
    at_bound : bool
        "soft", "genetic-soft": whether a weight lies at the bound of the search, as for a constant
        classifier.
    costs, prior : ndarray
        What was minimized: costs[true, predicted], and the proportions of the classes.
    called, baseline_called : ndarray (m, m)
        Proportion of each class (row) predicted as each class (column); with equal weights.
    sizes : ndarray (m,)
        Rows of each class, or the sums of their weights.
    names, classes : tuple
        What the classes are called, and their labels; no labels where they are column numbers.
    seed : int or None
        Repeats a random search.

    Examples
    --------
    >>> import rocwise as rw
    >>> found = rw.multiclass.class_weights([0, 1, 1], [[0.6, 0.4], [0.55, 0.45], [0.2, 0.8]])
    >>> found.cost, found.predict([[0.52, 0.48]]).tolist()
    (0.0, [1])
    """

    weights: Floats
    cost: float
    baseline_cost: float
    method: str
    optimal: bool
    finished: bool
    objective: float | None
    at_bound: bool
    costs: Floats
    prior: Floats
    called: Floats
    baseline_called: Floats
    seed: int | None
    sizes: Floats
    names: tuple[str, ...]
    classes: tuple[Any, ...] = ()

    def class_costs(self) -> tuple[Floats, Floats]:
        """What the rows of each class add to `baseline_cost`, and to `cost`."""
        before = self.prior * (self.baseline_called * self.costs).sum(axis=1)
        return before, self.prior * (self.called * self.costs).sum(axis=1)

    def _called(self, table: Floats) -> Classes:
        return called_by(table, self.weights, self.costs, self.method)

    def right_limits(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """Wilson's limits of the correct classification rate of each class (the diagonal).

        For weights that are given; weights chosen on the same rows do a little worse on new ones.
        """
        n = np.maximum(self.sizes, 1.0)
        low, high = proportion_limits(
            np.diagonal(self.called) * n, n, checks.level(level), "wilson"
        )
        empty = self.sizes == 0  # nothing is known of such a class
        return np.where(empty, 0.0, low), np.where(empty, 1.0, high)

    def _sentence(self) -> str:
        shown = weights_in_words(self.weights, self.names if self.named else ())
        proof = ", the optimum" if self.optimal else ""
        # equal weights of the costs are another rule than equal weights of the confidences
        plain = "the largest confidence" if self.method in MATRICES else "equal weights"
        stopped = "" if self.finished else " (stopped by the time limit)"
        return (
            f"Class weights {shown} by {self.method}{stopped}: expected cost "
            f"{_cost(self.cost)}{proof}; {_cost(self.baseline_cost)} with {plain}"
        )

    @property
    def named(self) -> bool:
        """Whether the classes have names of their own."""
        return self.names != tuple(map(str, range(len(self.names))))

    def _columns(self) -> Mapping[str, Any]:
        low, high = self.right_limits()
        called = np.array(self.names, dtype=object) if self.named else np.arange(len(self.names))
        return {
            "class": called,
            "weight": self.weights,
            "prior": self.prior,
            "right": np.diagonal(self.called),
            "right_low": low,
            "right_high": high,
            "right_with_equal_weights": np.diagonal(self.baseline_called),
        }


def _cost(value: float) -> str:
    return printing.count(round(value, 4)) if value >= 100 else f"{value:.4g}"


def weights_in_words(weights: Floats, names: tuple[str, ...] = ()) -> str:
    """Weights in the order of the classes, with their names if they have any."""
    texts = [f"{weight:.4g}" for weight in weights]
    if not names:
        return ", ".join(texts)
    return ", ".join(f"{name} {text}" for name, text in zip(names, texts, strict=True))


def called_by(table: Floats, weights: Floats, costs: Floats, method: str) -> Classes:
    """The classes that a fitted rule calls; `table` has one line per class."""
    if method in MATRICES:
        table = altered_risks(table, costs, weights, rows=method == ROWS)
        return np.asarray(table.argmin(axis=0))
    return called_classes(table, weights)


@dataclass(frozen=True, slots=True)
class Options:
    """Options that belong to single methods, and their owners."""

    order: Any = None
    stage: Stage = "all"
    continuation: bool = False
    evolution: Evolution = field(default_factory=Evolution)
    eta: float | None = None
    rng: Any = None

    def check_method(self, method: str) -> None:
        """An option of another method would be passed over in silence."""
        given = {
            "order": (("sequential",), self.order is not None),
            "stage": (("sequential",), self.stage != "all"),
            "continuation": (("soft",), self.continuation),
            "evolution": (("genetic", "genetic-soft", ROWS), self.evolution != Evolution()),
            "eta": (("lp",), self.eta is not None),
        }
        for name, (owners, was_given) in given.items():
            if was_given and method not in owners:
                raise InputError(
                    f"`{name}` belongs to method={' and '.join(map(repr, owners))}; got "
                    f"method={method!r}."
                )


Search = Callable[[OperatingProblem, Options, TimeLimit], FoundWeights]


@options_shown(ClassOptions)
def class_weights(
    y_true: Any,
    y_score: Any = None,
    *,
    costs: Any = None,
    prior: Any = None,
    method: WeightMethod = "auto",
    order: Any = None,
    stage: Stage = "all",
    continuation: bool = False,
    evolution: Evolution | None = None,
    eta: float | None = None,
    time_limit: float | None = None,
    progress: bool | Report | None = None,
    rng: Any = None,
    **given: Unpack[ClassOptions],
) -> ClassWeights:
    """Find class weights with the least expected cost.

    The rule predicts the class k with the largest w_k y_score[:, k]. Use held-out scores.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels, as in `multiclass.auc`.
    y_score : array-like of shape (n, m)
        Class probabilities, or other scores of at least 0.
    costs : array-like of shape (m, m), optional
        ``costs[true, predicted]``, 0 on the diagonal; by default each error costs 1.
    prior : array-like of shape (m,), optional
        Class probabilities; by default the proportions in the data.
    method : str, default "auto"
        Search method, one of

        - "auto": by the size of the data;
        - "sweep": exact, up to three classes; "milp": exact, small data;
        - "pair-moves", "passes": coordinate searches;
        - "sequential": one class after the other [1]_;
        - "lp", "soft", "genetic", "genetic-soft": linear program, smoothed cost and genetic
          algorithms [2]_;
        - "cost-columns", "cost-rows": least expected cost by a cost matrix with weighted columns
          or rows [3]_.
    order : sequence, {"frequency", "all"} or None, optional
        For "sequential": order of the classes.
    stage : {"all", "seen"}, default "all"
        For "sequential": use the rows of all classes, or of those already weighted.
    continuation : bool, default False
        For "soft": sharpen the smoothed cost step by step.
    evolution : Evolution, optional
        For "genetic", "genetic-soft" and "cost-rows": settings of the search.
    eta : float, default 1e-6
        For "lp": penalty of the distance to equal weights, in units of the costs [2]_.
    time_limit : float, optional
        Seconds after which the best weights so far are returned.
    progress : bool or callable, optional
        Whether to show progress, or a function that receives the completed fraction. By default
        a line is shown in a terminal.
    rng : int, numpy.random.Generator or None, optional
        Seed or random generator of a random search.

    Returns
    -------
    ClassWeights
        Result with `weights`, `cost`, `baseline_cost`, `optimal` and the method
        ``predict(y_score)``.

    See Also
    --------
    multiclass.metaclass : Tree of thresholds between groups of classes.
    multiclass.class_cost : Expected cost of a decision rule.
    multiclass.class_weights_under : Class weights for uncertain costs.
    estimators.ClassWeightClassifier : Classifier with optimal class weights.

    References
    ----------
    .. [1] N. Lachiche and P. A. Flach, "Improving accuracy and cost of two-class and multi-class
           probabilistic classifiers using ROC curves", ICML, 2003.
    .. [2] K. Deng, C. Bourke, S. Scott and N. V. Vinodchandran, "New algorithms for optimizing
           multi-class classifiers via ROC surfaces", ROCML workshop, 2006.
    .. [3] D. B. O'Brien and R. M. Gray, "Improving classification performance by exploring the role
           of cost matrices in partitioning the estimated class probability space", ROCML workshop,
           2005.

    Examples
    --------
    >>> import rocwise as rw
    >>> y_score = [[0.7, 0.2, 0.1], [0.4, 0.35, 0.25], [0.3, 0.45, 0.25], [0.2, 0.3, 0.5]]
    >>> costs = [[0, 1, 4], [2, 0, 3], [7, 1, 0]]
    >>> rule = rw.multiclass.class_weights([0, 1, 1, 2], y_score, costs=costs)
    >>> rule.weights.round(3).tolist(), rule.cost, rule.baseline_cost
    ([1.0, 1.746, 1.6], 0.0, 0.5)
    >>> ax = rule.plot()
    """
    rows = as_class_rows(y_true, y_score, nonnegative=True, **given)
    checks.one_of(method, "method", METHODS)
    checks.one_of(stage, "stage", get_args(Stage))
    checks.generator(rng)
    continuation = checks.flag(continuation, "continuation")
    plan = Evolution() if evolution is None else evolution
    if not isinstance(plan, Evolution):
        raise InputError(f"`evolution` must be an Evolution(...); got {shown(plan, 60)}.")
    if eta is not None:
        eta = checks.not_negative(eta, "eta")
    options = Options(order, stage, continuation, plan, eta, rng)
    options.check_method(method)
    problem = operating_problem(rows, costs, prior)
    chosen = picked(problem) if method == "auto" else method
    limit = TimeLimit(time_limit, progress, f"class weights by {chosen}")
    if limit.seconds is None:
        warn_if_long(chosen, problem.n_rows, problem.n_classes)
    try:
        found = searched(problem, chosen, options, limit)
    finally:
        limit.close()
    called = called_by(problem.scores, found.weights, problem.costs, chosen)
    equal = called_classes(problem.scores, np.ones(problem.n_classes))
    return ClassWeights(
        weights=found.weights,
        cost=problem.cost(called),
        baseline_cost=problem.cost(equal),
        method=chosen,
        optimal=found.optimal and not limit.ran_out,
        finished=not limit.ran_out,
        objective=found.objective,
        at_bound=found.at_bound,
        costs=problem.costs,
        prior=problem.prior,
        called=predicted_rates(problem, called),
        baseline_called=predicted_rates(problem, equal),
        seed=found.seed,
        sizes=rows.class_sizes,
        names=rows.class_names,
        classes=rows.classes,
        origin=rows.origin,
    )


def picked(problem: OperatingProblem, times: int = 1) -> str:
    """What "auto" uses for so many problems: exact where that takes seconds, else affordable."""
    m, n = problem.n_classes, problem.n_rows
    if m == 2 or (m == 3 and times * n * n <= LARGEST_SWEEP**2):
        return "sweep"
    if m > 3 and times * m * (m - 1) // 2 * n * n <= LARGEST_PAIR_MOVES:
        return "pair-moves"
    return "passes"


def searched(
    problem: OperatingProblem, method: str, options: Options, limit: TimeLimit
) -> FoundWeights:
    """Weights by one method, on a problem that was checked."""
    if not problem.scores.any():  # every row is called class 0 whatever the weights
        return FoundWeights(np.ones(problem.n_classes), optimal=True)
    return SEARCHES[method](problem, options, limit)


def _milp(problem: OperatingProblem, _options: Options, limit: TimeLimit) -> FoundWeights:
    found = exact_searches.exact_programme(problem, limit)
    if not found.optimal or found.objective is None:
        return exact_searches.better_of_passes(problem, found)
    reached = problem.cost_at(found.weights)
    if abs(reached - found.objective) <= SAME_OBJECTIVE * (problem.costs.max() or 1.0):
        return found
    warn(
        f"the program found a cost of {found.objective:.10g}, but its weights cost "
        f"{reached:.10g} on the data: some confidences are too small or too close for it. "
        "Compare with method='pair-moves'.",
        MisuseWarning,
    )
    return replace(found, optimal=False)


def _genetic(
    problem: OperatingProblem, options: Options, limit: TimeLimit, *, smooth: bool
) -> FoundWeights:
    return evolved(problem, options.evolution, checks.seed(options.rng), limit, smooth=smooth)


SEARCHES: dict[str, Search] = {
    "sequential": lambda p, o, limit: FoundWeights(best_sequential(p, o.order, o.stage, limit)),
    "passes": lambda p, _, limit: FoundWeights(best_passes(p, limit)[0], optimal=p.n_classes == 2),
    "cost-columns": lambda p, _, limit: FoundWeights(cost_column_weights(p, limit)),
    ROWS: lambda p, o, limit: cost_row_weights(p, o.evolution, checks.seed(o.rng), limit),
    "lp": lambda p, o, limit: exact_searches.linear_programme(
        p, limit, exact_searches.ETA if o.eta is None else o.eta
    ),
    "milp": _milp,
    "soft": lambda p, o, limit: soft(p, checks.seed(o.rng), limit, continuation=o.continuation),
    "genetic-soft": partial(_genetic, smooth=True),
    "genetic": partial(_genetic, smooth=False),
    "sweep": lambda p, _, limit: exact_searches.sweep(p, limit),
    "pair-moves": lambda p, _, limit: FoundWeights(
        exact_searches.pair_moves(p, limit), optimal=p.n_classes <= 3
    ),
}


Criterion = Literal["expected", "minimax-regret"]
MOST_CLASSES = 1000
MOST_SEARCHED = 2_000_000  # rows times cost matrices that "auto" searches: some seconds
FEWEST_SEARCHED = 5_000
UNCERTAIN_METHODS = tuple(method for method in get_args(WeightMethod) if method not in MATRICES)


@result
class UncertainClassWeights(ClassRule):
    """Class weights for several cost matrices, with the regret of each.

    Attributes
    ----------
    weights : ndarray (m,)
        The weights chosen; only their ratios matter.
    criterion : {"expected", "minimax-regret"}
        What they minimise.
    cost : float
        Mean over the cost matrices of their expected cost; `baseline_cost` with equal weights.
    sample_costs, sample_optima, regrets : ndarray (S,)
        For each cost matrix: the cost of `weights`, the least cost found for it alone, and the
        difference, never negative.
    expected_regret, largest_regret : float
        Mean and largest regret: what knowing the costs would be worth on these data.
    sample_weights : ndarray (S, m)
        The weights found for each cost matrix alone.
    method : str
        How the weights were searched.
    finished : bool
        False if the time was over before every cost matrix had its own search.
    prior : ndarray (m,)
        Proportions of the classes.
    n_searched : int or None
        On how many distinct rows "auto" searched the weights of single cost matrices, where all
        of them would take too long; what any weights cost is always counted on all rows.
    """

    weights: Floats
    criterion: str
    cost: float
    baseline_cost: float
    sample_costs: Floats
    sample_optima: Floats
    regrets: Floats
    expected_regret: float
    largest_regret: float
    sample_weights: Floats
    method: str
    finished: bool
    prior: Floats
    names: tuple[str, ...]
    classes: tuple[Any, ...] = ()
    n_searched: int | None = None

    def _called(self, table: Floats) -> Classes:
        return called_classes(table, self.weights)

    def _sentence(self) -> str:
        shown = weights_in_words(self.weights, self.names if self.classes else ())
        matrices = printing.counted(len(self.regrets), "cost matrix", "cost matrices")
        some = ""
        if self.n_searched is not None:
            some = f"; weights of each matrix searched on {self.n_searched:,} rows, costs of all"
        return (
            f"Class weights {shown} for {matrices} ({self.criterion}): mean "
            f"cost {self.cost:.4g}; regret {self.expected_regret:.4g} on average, "
            f"{self.largest_regret:.4g} at worst{some}"
        )

    def _columns(self) -> Mapping[str, Any]:
        costs = {"cost": self.sample_costs, "least_cost": self.sample_optima}
        return costs | {"regret": self.regrets}


def sample_costs(
    low: Any,
    high: Any,
    *,
    n_classes: int | None = None,
    n_samples: int = 200,
    whole: bool = False,
    rng: Any = None,
) -> Floats:
    """Draw random cost matrices with independent uniform entries.

    Parameters
    ----------
    low : float or array-like of shape (m, m)
        Lower bounds of ``costs[true, predicted]``.
    high : float or array-like of shape (m, m)
        Upper bounds, included.
    n_classes : int, optional
        Number of classes, needed if both bounds are numbers.
    n_samples : int, default 200
        Number of matrices.
    whole : bool, default False
        Whether to draw integers.
    rng : int, numpy.random.Generator or None, optional
        Seed or random generator.

    Returns
    -------
    ndarray of shape (n_samples, m, m)
        Cost matrices, 0 on the diagonal.

    See Also
    --------
    multiclass.class_weights_under : Class weights for uncertain costs.

    Examples
    --------
    >>> from rocwise.multiclass import sample_costs
    >>> sample_costs(1, 10, n_classes=3, n_samples=50, whole=True, rng=0).shape
    (50, 3, 3)
    """
    low, high = checks.numbers(low, "low"), checks.numbers(high, "high")
    m = _size_of(low, high, n_classes)
    whole = checks.flag(whole, "whole")
    bounds = [_bound(each, name, m) for each, name in ((low, "low"), (high, "high"))]
    if (bounds[0] > bounds[1]).any():
        raise InputError("`low` must not exceed `high` anywhere.")
    generator = np.random.default_rng(checks.seed(rng))
    shape = (checks.size(n_samples, "n_samples", bytes_each=8 * m * m), m, m)
    if whole:
        first, last = np.ceil(bounds[0]), np.floor(bounds[1])
        if (first > last).any():
            raise InputError("no integer lies between some entries of `low` and `high`.")
        return generator.integers(first.astype(int), last.astype(int) + 1, shape).astype(np.float64)
    return generator.uniform(bounds[0], bounds[1], shape)


def _size_of(low: Any, high: Any, n_classes: int | None) -> int:
    sizes = {len(each) for each in (low, high) if np.ndim(each) == 2}
    if n_classes is not None:
        sizes.add(checks.whole(n_classes, "n_classes", at_least=2, at_most=MOST_CLASSES))
    if len(sizes) != 1:
        raise InputError(
            "`low`, `high` and `n_classes` must give one number of classes; "
            f"got {sorted(sizes) or 'none'}. Pass n_classes= when both bounds are numbers."
        )
    return int(sizes.pop())


def _bound(value: Any, name: str, m: int) -> Floats:
    """A matrix of bounds with a diagonal of 0."""
    if np.ndim(value) == 0:
        return checks.not_negative(value, name) * (1.0 - np.eye(m))
    return cost_matrix(value, m, name)


@options_shown(ClassOptions)
def class_weights_under(
    y_true: Any,
    y_score: Any = None,
    *,
    cost_samples: Any,
    prior: Any = None,
    method: WeightMethod = "auto",
    criterion: Criterion = "expected",
    time_limit: float | None = None,
    progress: bool | Report | None = None,
    rng: Any = None,
    **given: Unpack[ClassOptions],
) -> UncertainClassWeights:
    """Find class weights for uncertain costs, given as a sample of cost matrices.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels, as in `multiclass.auc`.
    y_score : array-like of shape (n, m)
        Class probabilities, or other scores of at least 0.
    cost_samples : array-like of shape (S, m, m)
        Equally likely cost matrices ``costs[true, predicted]``, e.g. from `sample_costs`.
    prior : array-like of shape (m,), optional
        Class probabilities; by default the proportions in the data.
    method : str, default "auto"
        Search method, as in `class_weights`, except "cost-columns" and "cost-rows".
    criterion : {"expected", "minimax-regret"}, default "expected"
        Least expected cost, which needs the mean cost matrix alone; or least maximal regret, among
        the weights found for single matrices.
    time_limit : float, optional
        Seconds after which the best weights so far are returned.
    progress : bool or callable, optional
        Whether to show progress, or a function that receives the completed fraction. By default
        a line is shown in a terminal.
    rng : int, numpy.random.Generator or None, optional
        Seed or random generator of a random search.

    Returns
    -------
    UncertainClassWeights
        Result with `weights`, `cost`, `expected_regret`, `largest_regret` and the method
        ``predict(y_score)``.

    See Also
    --------
    multiclass.class_weights : Class weights with the least expected cost.
    multiclass.sample_costs : Random cost matrices.

    Examples
    --------
    >>> from rocwise.multiclass import class_weights_under, sample_costs
    >>> y_score = [[0.7, 0.2, 0.1], [0.4, 0.35, 0.25], [0.5, 0.3, 0.2], [0.3, 0.3, 0.4]]
    >>> draws = sample_costs(1, 5, n_classes=3, n_samples=20, rng=1)
    >>> rule = class_weights_under([0, 1, 0, 2], y_score, cost_samples=draws)
    >>> rule.cost, rule.expected_regret
    (0.0, 0.0)
    """
    rows = as_class_rows(y_true, y_score, nonnegative=True, **given)
    checks.one_of(method, "method", UNCERTAIN_METHODS)
    checks.one_of(criterion, "criterion", get_args(Criterion))
    draws = _checked_draws(cost_samples, rows.n_classes)
    problem = operating_problem(rows, draws.mean(axis=0), prior)
    chosen = picked(problem, len(draws)) if method == "auto" else method
    limit = TimeLimit(time_limit, progress, f"class weights for {len(draws)} cost matrices")
    seed = checks.seed(rng)
    candidates = [searched(problem, chosen, Options(rng=seed), limit).weights]
    most = MOST_SEARCHED // len(draws) if method == "auto" else problem.n_rows
    fewer = some_rows(problem, max(most, FEWEST_SEARCHED), seed)
    for done, costs in enumerate(draws):
        if limit.is_over(done / len(draws)):
            break
        single = replace(fewer, costs=costs)
        candidates.append(searched(single, chosen, Options(rng=seed), limit).weights)
    limit.close()
    rules = [np.ones(problem.n_classes), *candidates]
    table = _costs_of_rules(problem, rules, draws)
    least = table.min(axis=0)
    regrets = table - least
    best = 1 if criterion == "expected" else 1 + int(regrets[1:].max(axis=1).argmin())
    return UncertainClassWeights(
        weights=rules[best],
        criterion=criterion,
        cost=float(table[best].mean()),
        baseline_cost=float(table[0].mean()),
        sample_costs=table[best],
        sample_optima=least,
        regrets=regrets[best],
        expected_regret=float(regrets[best].mean()),
        largest_regret=float(regrets[best].max()),
        sample_weights=np.stack(candidates)[1:],
        method=chosen,
        finished=not limit.ran_out,
        prior=problem.prior,
        names=rows.class_names,
        classes=rows.classes,
        n_searched=fewer.n_rows if fewer.n_rows < problem.n_rows else None,
        origin=rows.origin,
    )


def _checked_draws(cost_samples: Any, m: int) -> Floats:
    draws = checks.numbers(cost_samples, "cost_samples", infinite=True, nan=True, most=64)
    if draws.ndim != 3 or not len(draws):
        raise InputError(
            f"`cost_samples` must have the shape (samples, {m}, {m}); got {draws.shape}."
        )
    for place, each in enumerate(draws):
        cost_matrix(each, m, f"cost_samples[{place}]")
    return draws


def some_rows(problem: OperatingProblem, most: int, seed: int) -> OperatingProblem:
    """At most so many of the distinct rows, drawn from every class in proportion."""
    if problem.n_rows <= most:
        return problem
    rng = np.random.default_rng(seed)
    kept = []
    for k in range(problem.n_classes):
        own = rng.permutation(np.flatnonzero(problem.labels == k))
        kept.append(own[: math.ceil(len(own) * most / problem.n_rows)])
    kept_rows = np.sort(np.concatenate(kept))
    weights, labels = problem.row_weights[kept_rows], problem.labels[kept_rows]
    return replace(
        problem,
        scores=np.ascontiguousarray(problem.scores[:, kept_rows]),
        labels=labels,
        row_weights=weights,
        class_sizes=np.bincount(labels, weights, minlength=problem.n_classes).astype(np.float64),
    )


def _costs_of_rules(problem: OperatingProblem, rules: list[Floats], draws: Floats) -> Floats:
    """The expected cost of class weights (lines) under every cost matrix."""
    called = [called_classes(problem.scores, weights) for weights in rules]
    joint = np.stack([problem.prior[:, None] * predicted_rates(problem, each) for each in called])
    return np.asarray(np.einsum("cjk,sjk->cs", joint, draws))
