"""`class_weights`: the weights of the classes that make decisions cheapest, by any method."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.data.class_rows import ClassRows
from rocwise.errors import InputError, MisuseWarning, warn
from rocwise.inputs.coercion import Missing, as_class_rows
from rocwise.multiclass.operating_points import results
from rocwise.multiclass.operating_points.cost_columns import cost_column_weights
from rocwise.multiclass.operating_points.genetic import (
    FARTHEST,
    Evolution,
    checked_plan,
    evolved,
)
from rocwise.multiclass.operating_points.linear_programmes import (
    Solved,
    exact_programme,
    linear_programme,
)
from rocwise.multiclass.operating_points.pair_moves import pair_moves
from rocwise.multiclass.operating_points.passes import Stage, best_passes, best_sequential
from rocwise.multiclass.operating_points.problems import (
    OperatingProblem,
    called_classes,
    operating_problem,
)
from rocwise.multiclass.operating_points.results import ClassWeights
from rocwise.multiclass.operating_points.soft_costs import SoftCost, soft
from rocwise.multiclass.operating_points.sweep import sweep
from rocwise.multiclass.operating_points.time_limits import TimeLimit, warn_if_long
from rocwise.progress import Report

WeightMethod = Literal[
    "sequential",
    "passes",
    "cost-columns",
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
SAME_OBJECTIVE = 1e-9  # in units of the largest cost


@dataclass(frozen=True, slots=True)
class Options:
    """Options that belong to single methods, and their owners."""

    order: Any = None
    stage: Stage = "all"
    continuation: bool = False
    evolution: Evolution = field(default_factory=Evolution)
    rng: Any = None

    def refuse_strange(self, method: str) -> None:
        """An option of another method would be passed over in silence."""
        given = {
            "order": ("sequential", self.order is not None),
            "stage": ("sequential", self.stage != "all"),
            "continuation": ("soft", self.continuation),
        }
        for name, (owner, was_given) in given.items():
            if was_given and method != owner:
                raise InputError(f"`{name}` belongs to method={owner!r}; got method={method!r}.")
        if not method.startswith("genetic") and self.evolution != Evolution():
            raise InputError(
                "`evolution` belongs to method='genetic' and 'genetic-soft'; "
                f"got method={method!r}."
            )


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """Weights, and what a method knows about them."""

    weights: Floats
    objective: float | None = None
    at_bound: bool = False
    optimal: bool = False
    seed: int | None = None


Search = Callable[[OperatingProblem, Options, TimeLimit], Answer]


def class_weights(
    y_true: Any,
    y_score: Any = None,
    *,
    classes: Any = None,
    costs: Any = None,
    prior: Any = None,
    method: WeightMethod = "auto",
    order: Any = None,
    stage: Stage = "all",
    continuation: bool = False,
    evolution: Evolution | None = None,
    time_limit: float | None = None,
    progress: bool | Report | None = None,
    rng: Any = None,
    sample_weight: Any = None,
    missing: Missing = "raise",
) -> ClassWeights:
    """Weights w that make argmax w_k y_score[:, k] as cheap as possible.

    Parameters
    ----------
    y_true : array-like (n,)
        Classes: the column numbers 0..m-1 of `y_score`, the names of its columns if it is a
        frame, or labels of any kind with `classes`.
    y_score : array-like (n, m)
        Probabilities of the classes, or other scores of at least 0; use held-out ones.
    classes : sequence of labels, optional
        The label of each column of `y_score`, in their order.
    costs : array-like (m, m), optional
        costs[true, predicted], 0 on the diagonal; by default every error costs 1.
    prior : array-like (m,), optional
        Shares of the classes; by default those of the data.
    method : {"auto", "sweep", "pair-moves", "passes", "sequential", "milp", "lp", "soft", ...}
        "sweep" (exact, up to three classes), "pair-moves", "passes", "sequential" (Lachiche &
        Flach), "milp" (exact, small data), "lp", "soft", "genetic-soft", "genetic" (Deng et al.),
        "cost-columns" (O'Brien & Gray); "auto" picks by size.
    order, stage, continuation, evolution
        Of single methods. "sequential": an order of the classes, "frequency" or "all"; rows of
        "all" classes or of those "seen" so far. "soft": sharpen the smooth cost step by step.
        "genetic", "genetic-soft": an `rocwise.multiclass.Evolution`.
    time_limit, progress, rng
        Seconds, after which the best weights so far are given; False for silence, or a function
        of the fraction done; seed of a random search.
    sample_weight, missing
        Weight 2 is the row twice; "raise", or "drop" for leaving out incomplete rows.

    Returns
    -------
    ClassWeights

    Examples
    --------
    >>> import rocwise as rw
    >>> y_score = [[0.7, 0.2, 0.1], [0.4, 0.35, 0.25], [0.3, 0.45, 0.25], [0.2, 0.3, 0.5]]
    >>> rw.class_weights([0, 1, 1, 2], y_score, costs=[[0, 1, 4], [2, 0, 3], [7, 1, 0]])
    Class weights 1, 1.746, 1.6 by sweep: expected cost 0, the optimum; 0.5 with equal weights
    """
    rows = as_class_rows(
        y_true,
        y_score,
        classes=classes,
        sample_weight=sample_weight,
        missing=missing,
        nonnegative=True,
    )
    checks.one_of(method, "method", METHODS)
    checks.one_of(stage, "stage", get_args(Stage))
    checks.generator(rng)
    continuation = checks.flag(continuation, "continuation")
    plan = Evolution() if evolution is None else checked_plan(evolution)
    options = Options(order, stage, continuation, plan, rng)
    options.refuse_strange(method)
    problem = operating_problem(rows, costs, prior)
    chosen = picked(problem) if method == "auto" else method
    limit = TimeLimit(time_limit, progress, f"class weights by {chosen}")
    if limit.seconds is None:
        warn_if_long(chosen, problem.n_rows, problem.n_classes)
    try:
        answer = searched(problem, chosen, options, limit)
    finally:
        limit.close()
    return _result(problem, chosen, answer, limit, rows)


def picked(problem: OperatingProblem, times: int = 1) -> str:
    """The method that "auto" uses: exact where that takes seconds, else the best affordable.

    `times` says how many such problems there are to solve.
    """
    m, n = problem.n_classes, problem.n_rows
    if m == 2 or (m == 3 and times * n * n <= LARGEST_SWEEP**2):
        return "sweep"
    if m > 3 and times * m * (m - 1) // 2 * n * n <= LARGEST_PAIR_MOVES:
        return "pair-moves"
    return "passes"


def searched(problem: OperatingProblem, method: str, options: Options, limit: TimeLimit) -> Answer:
    """Weights by one method, on a problem that was checked."""
    if not problem.scores.any():  # every row is called class 0 whatever the weights
        return Answer(np.ones(problem.n_classes), optimal=True)
    return SEARCHES[method](problem, options, limit)


def _result(
    problem: OperatingProblem, method: str, answer: Answer, limit: TimeLimit, rows: ClassRows
) -> ClassWeights:
    called = results.called_by(problem.scores, answer.weights, problem.costs, method)
    equal = called_classes(problem.scores, np.ones(problem.n_classes))
    return ClassWeights(
        weights=answer.weights,
        cost=problem.cost(called),
        baseline_cost=problem.cost(equal),
        method=method,
        optimal=answer.optimal and not limit.ran_out,
        finished=not limit.ran_out,
        objective=answer.objective,
        at_bound=answer.at_bound,
        costs=problem.costs,
        prior=problem.prior,
        called=results.shares_called(problem, called),
        baseline_called=results.shares_called(problem, equal),
        seed=answer.seed,
        sizes=rows.class_sizes,
        names=rows.class_names,
        classes=rows.classes,
        origin=rows.origin,
    )


def _sequential(problem: OperatingProblem, options: Options, limit: TimeLimit) -> Answer:
    return Answer(best_sequential(problem, options.order, options.stage, limit))


def _passes(problem: OperatingProblem, _options: Options, limit: TimeLimit) -> Answer:
    return Answer(best_passes(problem, limit)[0], optimal=problem.n_classes == 2)


def _columns(problem: OperatingProblem, _options: Options, limit: TimeLimit) -> Answer:
    return Answer(cost_column_weights(problem, limit))


def _lp(problem: OperatingProblem, _options: Options, limit: TimeLimit) -> Answer:
    found = linear_programme(problem, limit)
    if found.weights is None:
        return Answer(np.ones(problem.n_classes))
    return Answer(found.weights, found.objective)


def _milp(problem: OperatingProblem, _options: Options, limit: TimeLimit) -> Answer:
    found = exact_programme(problem, limit)
    if found.weights is None or not found.optimal:
        return _better_of(problem, found)
    reached = problem.cost_at(found.weights)
    rounding = SAME_OBJECTIVE * (problem.costs.max() or 1.0)
    if found.objective is not None and abs(reached - found.objective) > rounding:
        warn(
            f"the programme found a cost of {found.objective:.10g}, but its weights cost "
            f"{reached:.10g} on the data: some confidences are too small or too close for it. "
            "Compare with method='pair-moves'.",
            MisuseWarning,
        )
        return Answer(found.weights, found.objective)
    return Answer(found.weights, found.objective, optimal=True)


def _better_of(problem: OperatingProblem, found: Solved) -> Answer:
    """The time was over: what was found by then, or the passes, which take little time."""
    weights = best_passes(problem, TimeLimit())[0]
    if found.weights is None or problem.cost_at(weights) < problem.cost_at(found.weights):
        return Answer(weights, found.objective)
    return Answer(found.weights, found.objective)


def _soft(problem: OperatingProblem, options: Options, limit: TimeLimit) -> Answer:
    seed = checks.seed(options.rng)
    weights, at_bound = soft(problem, seed, limit, continuation=options.continuation)
    return Answer(weights, SoftCost(problem).value(np.log(weights)), at_bound, seed=seed)


def _genetic_soft(problem: OperatingProblem, options: Options, limit: TimeLimit) -> Answer:
    goal, seed = SoftCost(problem), checks.seed(options.rng)
    point = evolved(
        lambda free: goal.value(np.append(0.0, free)),
        problem.n_classes - 1,
        options.evolution,
        seed,
        limit,
    )
    logs = np.append(0.0, point)
    at_bound = bool((np.abs(point) > FARTHEST - 1e-6).any())
    return Answer(np.exp(logs), goal.value(logs), at_bound, seed=seed)


def _genetic(problem: OperatingProblem, options: Options, limit: TimeLimit) -> Answer:
    seed = checks.seed(options.rng)
    point = evolved(
        lambda free: problem.cost_at(np.exp(np.append(0.0, free))),
        problem.n_classes - 1,
        options.evolution,
        seed,
        limit,
    )
    return Answer(np.exp(np.append(0.0, point)), seed=seed)


def _sweep(problem: OperatingProblem, _options: Options, limit: TimeLimit) -> Answer:
    if problem.n_classes > 3:
        raise InputError(
            f"`method='sweep'` is for two or three classes; got {problem.n_classes}. Use "
            "'pair-moves', or 'milp' for small data."
        )
    weights, holds = sweep(problem, limit)
    if limit.ran_out:
        return _better_of(problem, Solved(weights, None, optimal=False))
    return Answer(weights, optimal=holds)


def _pair_moves(problem: OperatingProblem, _options: Options, limit: TimeLimit) -> Answer:
    return Answer(pair_moves(problem, limit), optimal=problem.n_classes <= 3)


SEARCHES: dict[str, Search] = {
    "sequential": _sequential,
    "passes": _passes,
    "cost-columns": _columns,
    "lp": _lp,
    "milp": _milp,
    "soft": _soft,
    "genetic-soft": _genetic_soft,
    "genetic": _genetic,
    "sweep": _sweep,
    "pair-moves": _pair_moves,
}
