"""`metaclass`: classes split in two groups again and again, with a threshold at every split."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Unpack, get_args

import numpy as np

from rocwise import checks, kernels
from rocwise.arrays import Floats, Places
from rocwise.errors import InputError, count_of, shown
from rocwise.inputs.coercion import ClassOptions, as_class_rows, options_shown
from rocwise.multiclass import operating_points
from rocwise.results import result

SplitAverage = Literal["class", "pair"]
Group = tuple[int, ...]
RATIO_ONE = "taken to have the ratio 1 at every split"  # rows without confidence


@dataclass(frozen=True, slots=True)
class ClassSplit:
    """One decision: left iff the scores of `left_classes` are large enough.

    Attributes
    ----------
    left_classes, right_classes : tuple of int
        The two groups.
    threshold : float
        Left iff sum of the scores of the left group / that of the right >= threshold.
    left, right : ClassSplit or None
        The next decision within a group; None when it is a single class.
    """

    left_classes: tuple[int, ...]
    right_classes: tuple[int, ...]
    threshold: float
    left: "ClassSplit | None" = None
    right: "ClassSplit | None" = None

    def splits(self) -> "Iterator[ClassSplit]":
        """All decisions from here down, the first on top, left before right."""
        yield self
        for part in (self.left, self.right):
            if part is not None:
                yield from part.splits()


@result
class MetaClass(operating_points.ClassRule):
    """Tree of thresholds between groups of classes.

    Attributes
    ----------
    root : ClassSplit
        The first decision.
    cost, baseline_cost : float
        Expected cost on the data given; of the largest confidence.
    average : {"class", "pair"}
        How the cost of taking the wrong side was averaged.
    costs, prior : ndarray
        costs[true, predicted], and the proportions of the classes.
    names, classes : tuple
        What the classes are called, and their labels; no labels where they are column numbers.

    Examples
    --------
    >>> import rocwise as rw
    >>> scores = [[0.6, 0.3, 0.1], [0.5, 0.4, 0.1], [0.4, 0.2, 0.4]]
    >>> tree = rw.multiclass.metaclass([0, 1, 2], scores)
    >>> tree.cost, tree.predict([[0.1, 0.2, 0.7]]).tolist()
    (0.0, [2])
    """

    _empty_rows = RATIO_ONE
    root: ClassSplit
    cost: float
    baseline_cost: float
    average: str
    costs: Floats
    prior: Floats
    names: tuple[str, ...]
    classes: tuple[Any, ...] = ()

    def _called(self, table: Floats) -> operating_points.Classes:
        return called_by_tree(self.root, table)

    def group_words(self, group: tuple[int, ...]) -> str:
        """Classes of a group by their names."""
        if not isinstance(group, (list, tuple)):
            raise InputError(f"`group` must contain numbers of classes; got {shown(group, 60)}.")
        last = len(self.names) - 1
        numbers = [checks.whole(k, "group", at_least=0, at_most=last) for k in group]
        return ", ".join(self.names[k] for k in numbers)

    def _sentence(self) -> str:
        splits = list(self.root.splits())
        groups = self.root.left_classes, self.root.right_classes
        first = " | ".join(map(self.group_words, groups))
        return (
            f"Tree of {count_of(len(splits), 'split')} ({first} first): expected "
            f"cost {self.cost:.4g}; {self.baseline_cost:.4g} with the largest confidence"
        )

    def _columns(self) -> Mapping[str, Any]:
        splits = list(self.root.splits())
        return {
            "left": np.array([self.group_words(split.left_classes) for split in splits]),
            "right": np.array([self.group_words(split.right_classes) for split in splits]),
            "threshold": np.array([split.threshold for split in splits]),
        }


@options_shown(ClassOptions)
def metaclass(
    y_true: Any,
    y_score: Any = None,
    *,
    costs: Any = None,
    prior: Any = None,
    average: SplitAverage = "class",
    **given: Unpack[ClassOptions],
) -> MetaClass:
    """Find a tree of thresholds between groups of classes that minimizes expected cost.

    The classes are split in two groups of about equal size, a threshold is optimized exactly, and
    each group is split again (MetaClass, Algorithm 1 of [1]_). The resulting rule is not one of
    class weights: its cost can be below or above the optimum of `multiclass.class_weights`.

    Parameters
    ----------
    costs : array-like of shape (m, m), optional
        ``costs[true, predicted]``, 0 on the diagonal; by default each error costs 1.
    prior : array-like of shape (m,), optional
        Class probabilities; by default the proportions in the data.
    average : {"class", "pair"}, default "class"
        Cost of the wrong side of a split: mean over its classes for the row's own class, or over
        all classes on its side.

    Returns
    -------
    MetaClass
        Result with `root` (the first split), `cost` and the method ``predict(y_score)``.

    See Also
    --------
    multiclass.class_weights : Class weights with the least expected cost.
    multiclass.class_cost : Expected cost of a decision rule.
    estimators.MetaClassClassifier : Classifier with a tree of thresholds.

    References
    ----------
    .. [1] K. Deng, C. Bourke, S. Scott and N. V. Vinodchandran, "New algorithms for optimizing
           multi-class classifiers via ROC surfaces", ROCML workshop, 2006.

    Examples
    --------
    >>> import rocwise as rw
    >>> y_score = [[0.7, 0.2, 0.1], [0.4, 0.35, 0.25], [0.3, 0.45, 0.25], [0.2, 0.3, 0.5]]
    >>> tree = rw.multiclass.metaclass([0, 1, 1, 2], y_score)
    >>> tree.cost, tree.baseline_cost, tree.predict(y_score).tolist()
    (0.0, 0.25, [0, 1, 1, 2])
    """
    rows = as_class_rows(y_true, y_score, nonnegative=True, **given)
    checks.one_of(average, "average", get_args(SplitAverage))
    problem = operating_points.operating_problem(rows, costs, prior, RATIO_ONE)
    root = _grown(problem, average, tuple(range(problem.n_classes)))
    equal = operating_points.called_classes(problem.scores, np.ones(problem.n_classes))
    return MetaClass(
        root=root,
        cost=problem.cost(called_by_tree(root, problem.scores)),
        baseline_cost=problem.cost(equal),
        average=average,
        costs=problem.costs,
        prior=problem.prior,
        names=rows.class_names,
        classes=rows.classes,
        origin=rows.origin,
    )


def _grown(problem: operating_points.OperatingProblem, average: str, classes: Group) -> ClassSplit:
    """The tree of some classes, two or more; its thresholds do not depend on each other."""
    left, right = groups(classes, problem.class_sizes)
    threshold = _threshold(problem, left, right, average)
    branches = [
        None if len(part) == 1 else _grown(problem, average, part) for part in (left, right)
    ]
    return ClassSplit(left, right, threshold, *branches)


def groups(classes: tuple[int, ...], sizes: Floats) -> tuple[Group, Group]:
    """Classes by falling size, each into the group that has fewer rows so far."""
    falling = sorted(classes, key=lambda k: (-sizes[k], k))
    parts: tuple[list[int], list[int]] = ([], [])
    totals = [0.0, 0.0]
    for place, k in enumerate(falling):
        second_is_empty = place == len(falling) - 1 and not parts[1]
        side = 1 if second_is_empty or totals[1] < totals[0] else 0
        parts[side].append(k)
        totals[side] += sizes[k]
    return tuple(sorted(parts[0])), tuple(sorted(parts[1]))


def _threshold(
    problem: operating_points.OperatingProblem, left: Group, right: Group, average: str
) -> float:
    """The threshold with the least cost of wrong sides; the smallest of them."""
    wrong = np.zeros(problem.n_classes)  # what going right costs a row of each class
    wrong[list(left)] = _wrong_side(problem.costs, left, right, average)
    wrong[list(right)] = -_wrong_side(problem.costs, right, left, average)
    mine = np.flatnonzero(np.isin(problem.labels, left + right))
    changes = wrong[problem.labels[mine]] * problem.case_weights[mine]
    ratios = _group_ratios(problem.scores, left, right, mine)
    cut = kernels.cheapest_cut(ratios, changes)  # infinite ratios go left at any threshold
    if cut.below == -np.inf:
        return 0.0
    return cut.below + 1.0 if cut.above == np.inf else (cut.below + cut.above) / 2


def _wrong_side(costs: Floats, own: Group, wrong: Group, average: str) -> Any:
    """Mean cost of sending a row of each of the own classes to the wrong side."""
    means = costs[np.ix_(own, wrong)].mean(axis=1)
    return means.mean() if average == "pair" else means


def _group_ratios(table: Floats, left: Group, right: Group, columns: Places) -> Floats:
    """Sums of the lines `left` of a table over those of `right`; 1 where both are 0."""
    above, below = (sum(table[k][columns] for k in lines) for lines in (left, right))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.where((above == 0) & (below == 0), 1.0, above / below)


def called_by_tree(root: ClassSplit, table: Floats) -> operating_points.Classes:
    """Send every column of the (m, n) table down the tree."""
    called = np.empty(table.shape[1], dtype=np.intp)
    waiting = [(root, np.arange(table.shape[1]))]
    while waiting:
        split, columns = waiting.pop()
        ratios = _group_ratios(table, split.left_classes, split.right_classes, columns)
        goes_left = ratios >= split.threshold
        for part, classes, taken in (
            (split.left, split.left_classes, goes_left),
            (split.right, split.right_classes, ~goes_left),
        ):
            some = columns[np.flatnonzero(taken)]
            if part is None:
                called[some] = classes[0]
            else:
                waiting.append((part, some))
    return called
