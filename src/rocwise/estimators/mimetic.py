"""A readable tree that behaves like another model, with the costs of errors built in."""

from collections.abc import Callable, Iterable
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal, Self

import numpy as np
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.naive_bayes import GaussianNB
from sklearn.utils import check_random_state
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.validation import (
    _check_method_params,
    check_consistent_length,
    check_is_fitted,
    validate_data,
)

from rocwise import checks
from rocwise.arrays import Array, Flags, Floats, Places
from rocwise.binary.unlabeled import UnlabeledMethod, skew_of, threshold_without_labels
from rocwise.costs import Costs, check_costly_errors
from rocwise.errors import InputError, count_of, listed, shown
from rocwise.estimators import base, decision_rules
from rocwise.estimators.probability_tree import ProbabilityEstimatingTree
from rocwise.inputs.folds import rows_of
from rocwise.progress import reporter

METHODS: dict[str, UnlabeledMethod] = {
    **{"Dir": "direct", "Ord": "rank", "ROC": "nroc"},
    "Hyb": "hybrid",  # not in the paper
}
WITHOUT_THRESHOLD, WHEN_APPLYING, WHEN_LABELLING, WHEN_GENERATING = range(4)
SCHEMES = {
    WITHOUT_THRESHOLD: "costs ignored",
    WHEN_APPLYING: "threshold when applying the tree",
    WHEN_LABELLING: "threshold when labeling the invented rows",
    WHEN_GENERATING: "class proportions by the costs",
}
DATA_TYPES = {
    "a": "class proportions of the training rows",
    "b": "half of each class",
    "c": "classes as they come",
    "d": "class proportions by the costs",
}


@dataclass(frozen=True, slots=True)
class Configuration:
    """What a name denotes; `method` is None where no threshold is estimated."""

    name: str
    scheme: int
    method: UnlabeledMethod | None
    data_type: str


CONFIGURATIONS = {
    each.name: each
    for each in (
        *(Configuration(f"Mim0{data}", WITHOUT_THRESHOLD, None, data) for data in "abc"),
        *(
            Configuration(f"Mim{scheme}{short}{data}", scheme, method, data)
            for scheme in (WHEN_APPLYING, WHEN_LABELLING)
            for short, method in METHODS.items()
            for data in "abc"
        ),
        Configuration("Mim3", WHEN_GENERATING, None, "d"),
    )
}


def configuration_named(name: Any) -> Configuration:
    """The configuration of that name."""
    if not isinstance(name, str) or name not in CONFIGURATIONS:
        raise InputError(
            "`configuration` must be Mim0a to Mim0c, Mim1 or Mim2 followed by Dir, Ord, ROC or "
            f"Hyb and by a, b or c (as in 'Mim2Ordb'), or Mim3; got {shown(name)}."
        )
    return CONFIGURATIONS[name]


Columns = list[Array]


@dataclass(frozen=True, slots=True, eq=False)
class Attribute:
    """One of a few `values`, or where `numeric` any number between the two of them.

    Values are drawn uniformly, or from those `observed`.
    """

    name: str
    numeric: bool
    values: Array
    observed: Array | None = None

    @classmethod
    def of(cls, name: str, column: Array, *, nominal: bool, observed: bool) -> "Attribute":
        """The values of a nominal column, the range of a numeric one."""
        own = column if nominal else as_numbers(column, name)
        values = _distinct(own, name) if nominal else np.array([own.min(), own.max()])
        return cls(name, not nominal, values, own if observed else None)

    def sample(self, n_rows: int, rng: np.random.RandomState) -> Array:
        """Values of one column of synthetic rows."""
        if self.observed is not None:
            return self.observed[rng.randint(len(self.observed), size=n_rows)]
        if self.numeric:
            return rng.uniform(self.values[0], self.values[1], n_rows)
        return self.values[rng.randint(len(self.values), size=n_rows)]

    def encode(self, values: Array) -> Floats:
        """One column per value, 1 where a row has it; numbers as they are, in one column."""
        if self.numeric:
            return as_numbers(values, self.name)[:, np.newaxis]
        same = values[:, np.newaxis] == self.values[np.newaxis, :]
        unknown = ~same.any(axis=1)
        if unknown.any():
            row = int(unknown.argmax())
            raise InputError(
                f"column {self.name!r} has {listed([values[row]])} at row {row}, which did not "
                f"occur when fitting; known are {listed(self.values)}."
            )
        return np.asarray(same, dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Attributes:
    """The attributes of a table, in the order of its columns, and what kind of table it is."""

    members: tuple[Attribute, ...]
    schema: Any = None  # of a data frame
    backend: Any = None

    @classmethod
    def of(
        cls, X: Any, nominal: Iterable[int | str] | None, *, observed: bool = False
    ) -> "Attributes":
        """Ranges of the numeric columns, values of the nominal ones.

        In frames, text, categories and booleans are nominal of themselves.
        """
        kinds: tuple[Any, ...] = (None, None)
        if is_frame(X):
            import narwhals as nw

            frame = nw.from_native(X, eager_only=True)
            kinds = dict(frame.schema), frame.implementation
            types = (nw.Categorical, nw.Enum, nw.String, nw.Boolean, nw.Object)
            names = tuple(frame.columns)
            found = {k for k, name in enumerate(names) if isinstance(frame.schema[name], types)}
        else:
            shape = np.shape(X)
            if len(shape) != 2:
                raise InputError(f"`X` must be a table of rows and columns; got the shape {shape}.")
            names, found = tuple(f"x{place}" for place in range(shape[1])), set()
        found |= _places(nominal, names)
        both = enumerate(zip(names, columns_of(X), strict=True))
        members = tuple(
            Attribute.of(*each, nominal=place in found, observed=observed) for place, each in both
        )
        return cls(members, *kinds)

    def sample(self, n_rows: int, rng: np.random.RandomState) -> Columns:
        """Columns of synthetic rows: every attribute drawn by itself."""
        return [member.sample(n_rows, rng) for member in self.members]

    def encode(self, columns: Columns) -> Floats:
        """A matrix of numbers, nominal attributes one-hot."""
        pairs = zip(self.members, columns, strict=True)
        return np.hstack([member.encode(values) for member, values in pairs])

    @property
    def nominal_names(self) -> list[str]:
        """Names of the nominal attributes."""
        return [member.name for member in self.members if not member.numeric]

    def rebuild(self, columns: Columns) -> Any:
        """Columns as a table of the same form."""
        if self.backend is None:
            return np.column_stack(columns)
        import narwhals as nw

        names = [member.name for member in self.members]
        schema = self.schema | {each.name: nw.Float64() for each in self.members if each.numeric}
        values = dict(zip(names, map(list, columns), strict=True))
        return nw.from_dict(values, schema=schema, backend=self.backend).to_native()


def as_numbers(values: Array, name: str) -> Floats:
    """A numeric column, finite everywhere."""
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(
            f"column {name!r} does not contain numbers; name it in `nominal` if it is nominal."
        ) from None
    bad = ~np.isfinite(numbers)
    if bad.any():
        row = int(bad.argmax())
        raise InputError(f"column {name!r} is {numbers[row]:g} at row {row}; fill it in first.")
    return numbers


def _distinct(values: Array, name: str) -> Array:
    missing = np.array([value is None or value != value for value in values], dtype=bool)
    if missing.any():
        raise InputError(
            f"column {name!r} has no value at row {int(missing.argmax())}; fill it in first."
        )
    try:
        return np.unique(values)
    except TypeError:  # values that do not compare keep the order in which they came
        return np.array(list(dict.fromkeys(values.tolist())), dtype=object)


MAX_BATCHES = 200
# From columns to the probability of each of the two classes.
Oracle = Callable[[Columns], Floats]


class AbsentClassError(InputError, RuntimeError):
    """The oracle hardly ever predicts a class that the invented rows must contain."""


@dataclass(frozen=True, slots=True, eq=False)
class SyntheticRows:
    """Synthetic rows by column, with the oracle's probabilities of the two classes."""

    columns: Columns
    probabilities: Floats

    @property
    def positive(self) -> Flags:
        """Which rows the oracle calls the second class."""
        return np.asarray(self.probabilities[:, 0] < 0.5)

    @property
    def probability(self) -> Floats:
        """Of the second class."""
        return self.probabilities[:, 1]

    def rows(self, chosen: Places) -> "SyntheticRows":
        """Some of the rows."""
        columns = [column[chosen] for column in self.columns]
        return SyntheticRows(columns, self.probabilities[chosen])


def sample_rows(
    attributes: Attributes,
    oracle: Oracle,
    n_rows: int,
    proportion_of_first: float | None,
    classes: Array,
    rng: np.random.RandomState,
) -> SyntheticRows:
    """Rows drawn and labeled, with a quota until the quotas of both classes are full."""
    if proportion_of_first is None:
        return _labelled(attributes, oracle, n_rows, rng)
    first = round(n_rows * proportion_of_first)
    wanted = np.array([first, n_rows - first])
    report = reporter(None, "inventing rows")
    kept: list[SyntheticRows] = []
    found = np.zeros(2, dtype=np.intp)
    for _ in range(MAX_BATCHES):
        batch = _labelled(attributes, oracle, n_rows, rng)
        chosen = [
            np.flatnonzero(batch.positive == side)[: wanted[side] - found[side]] for side in (0, 1)
        ]
        kept.append(batch.rows(np.sort(np.concatenate(chosen))))
        found += [len(rows) for rows in chosen]
        if (found == wanted).all():
            columns = zip(*(part.columns for part in kept), strict=True)
            probabilities = np.concatenate([part.probabilities for part in kept])
            return SyntheticRows([np.concatenate(parts) for parts in columns], probabilities)
        report(float(found.sum() / n_rows))
    short = int((wanted - found).argmax())
    raise AbsentClassError(
        f"the oracle predicts class {listed(classes[short : short + 1])} for {found[short]:,} of "
        f"{MAX_BATCHES * n_rows:,} invented rows, but {wanted[short]:,} are needed. Use a "
        "configuration that takes classes as they come (type c), or fewer `n_samples`."
    )


def _labelled(
    attributes: Attributes, oracle: Oracle, n_rows: int, rng: np.random.RandomState
) -> SyntheticRows:
    columns = attributes.sample(n_rows, rng)
    return SyntheticRows(columns, oracle(columns))


def is_frame(X: Any) -> bool:
    """Whether `X` is a data frame rather than an array."""
    return hasattr(X, "columns") and not isinstance(X, np.ndarray)


def columns_of(X: Any) -> Columns:
    """The columns of a table, nominal ones as plain values."""
    if not is_frame(X):
        table = np.asarray(X)
        return [table[:, place] for place in range(table.shape[1])]
    import narwhals as nw

    columns = nw.from_native(X, eager_only=True).iter_columns()
    nominal = (nw.Categorical, nw.Enum, nw.String, nw.Object)
    return [
        np.array(column.to_list(), dtype=object)
        if isinstance(column.dtype, nominal)
        else column.to_numpy()
        for column in columns
    ]


def _places(nominal: Iterable[int | str] | None, names: tuple[str, ...]) -> set[int]:
    """Positions of the columns that the user calls nominal, by name or by number."""
    places = set()
    for each in [] if nominal is None else checks.members(nominal, "nominal", "columns"):
        if not isinstance(each, (str, int, np.integer)) or isinstance(each, bool):
            raise InputError(
                f"`nominal` must contain names or numbers of columns; got {shown(each)} in it."
            )
        if isinstance(each, str):
            if each not in names:
                raise InputError(f"`nominal` names the column {each!r}, which `X` does not have.")
            places.add(names.index(each))
        elif not 0 <= each < len(names):
            raise InputError(
                f"`nominal` names column {each}, but `X` has the columns 0 to {len(names) - 1}."
            )
        else:
            places.add(int(each))
    return places


@dataclass(eq=False, repr=False)
class MimeticClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Decision tree fitted to generated rows labeled by another model, the oracle.

    Parameters
    ----------
    configuration : str, default "Mim2Ordb"
        Scheme, threshold method and type of invented rows, one of 28 names: "Mim0a", "Mim1Dirb",
        "Mim2ROCc", "Mim2Hybb", "Mim3", ... (methods as in `rocwise.threshold_without_labels`).
    oracle : classifier, optional
        With `predict_proba`; fitted on the rows given, unless inside a `FrozenEstimator`.
        Gaussian naive Bayes without it: nothing to tune, and the same in every run.
    costs : Costs, optional
        What errors cost; equal without it.
    n_samples : int, default 10000
        Rows to invent.
    sampling : {"uniform", "observed"}, default "uniform"
        Distribution of each attribute of these rows: uniform on its range or values, or that of
        `X`. Attributes are drawn independently.
    random_state : optional
        Draws the rows, and decides between equally good splits.
    nominal : list of str or int, optional
        Nominal columns; in data frames text, categories and booleans are nominal anyway.
    encode : bool, default True
        Whether the oracle sees nominal columns one-hot, as the tree does; False: as in `X`.
    ccp_alpha, pos_label : float, optional
        Pruning of the tree, except in scheme 1; the positive class, as in `ThresholdClassifier`.

    Attributes
    ----------
    tree_, oracle_ : estimators
        The tree, on columns with nominal ones one-hot, and the fitted oracle.
    threshold_, relabeling_threshold_ : float, float or None
        Of the tree's probability when predicting; of the oracle's when labeling (scheme 2).
    how_ : str
        What was invented, labeled and learned, in a sentence.

    Examples
    --------
    >>> import rocwise as rw
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> mimic = rw.estimators.MimeticClassifier("Mim1Dirc", costs=rw.Costs(fp=1, fn=5)).fit(X, y)
    >>> round(mimic.threshold_, 3)
    0.167
    """

    configuration: str = "Mim2Ordb"
    _: KW_ONLY
    oracle: Any = None
    costs: Costs | None = None
    n_samples: int = 10000
    sampling: Literal["uniform", "observed"] = "uniform"
    random_state: Any = None
    nominal: Any = None
    encode: bool = True
    ccp_alpha: float = 5e-4
    pos_label: Any = None

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Fit the oracle, invent rows, label them, and grow the tree.

        `fit_params` go to the oracle; `sample_weight` also weighs the class proportions of type a.
        """
        chosen = configuration_named(self.configuration)
        costs = decision_rules.costs_or_default(self.costs, decision_rules.EQUAL_COSTS)
        check_costly_errors(costs, "MimeticClassifier")
        skew = skew_of(costs)
        n_rows = checks.size(self.n_samples, "n_samples", bytes_each=800)
        checks.flag(self.encode, "encode")
        base.checked_model(self._oracle(), "oracle")
        X = self._table(X, reset=True)
        check_consistent_length(X, y)
        labels = base.two_classes(
            y, self, pos_label=self.pos_label, symmetric=decision_rules.same_costs(self.costs)
        )
        of_rows = fit_params, labels.given, self._oracle(), "oracle"
        weights = base.model_weights(*of_rows, labels.classes)
        if fit_params and get_config()["enable_metadata_routing"]:
            fit_params = process_routing(self, "fit", **fit_params).oracle.fit
        if weights is not None:  # rows of weight 0 must not widen a range
            kept = np.flatnonzero(weights > 0)
            fit_params = _check_method_params(X, fit_params, indices=kept)
            X, weights = rows_of(X, kept), weights[kept]
            labels = base.TwoClasses(labels.given[kept], labels.classes, labels.place)
        rng = check_random_state(checks.random_state(self.random_state))
        self.classes_: Array = labels.classes
        self.pos_label_: Any = labels.classes[labels.place]
        self._order = np.array([1 - labels.place, labels.place])  # the negative class first
        checks.one_of(self.sampling, "sampling", ("uniform", "observed"))
        observed = self.sampling == "observed"
        self.attributes_: Attributes = Attributes.of(X, self.nominal, observed=observed)
        self.oracle_: Any = self._fit_oracle(columns_of(X), labels, fit_params)
        training_proportion = float(np.average(~labels.positive, weights=weights))
        proportions = {"a": training_proportion, "b": 0.5, "c": None, "d": 1.0 / (skew + 1.0)}
        quota = proportions[chosen.data_type]  # of the negative class; None: as the rows come
        called = self.classes_[self._order]
        rows = sample_rows(self.attributes_, self._oracle_probabilities, n_rows, quota, called, rng)
        self._grow(chosen, rows, costs, rng)
        self.configuration_ = chosen
        self.how_: str = _described(chosen, rows, skew, self)
        return self

    def predict_proba(self, X: Any) -> Floats:
        """The tree's probabilities by Laplace's rule, in the order of `classes_`.

        In scheme 2 they are about the labels changed for the costs, not the true classes.
        """
        check_is_fitted(self)
        encoded = self.attributes_.encode(columns_of(self._table(X, reset=False)))
        return self._tree_probabilities(encoded)[:, self._order]

    def predict(self, X: Any) -> Array:
        """The positive class where its probability reaches `threshold_`, or exceeds 0.5.

        The first in scheme 1, the second in the others.
        """
        probability = self.predict_proba(X)[:, self._order[1]]
        if self.configuration_.scheme == WHEN_APPLYING:
            positive = probability >= self.threshold_
        else:
            positive = probability > 0.5
        labels: Array = self.classes_[self._order[positive.astype(np.intp)]]
        return labels

    def mean_cost(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Cost per case on labeled rows, in the units of `costs`; without them, the error rate."""
        return decision_rules.mean_cost_of_labels(self, X, y, sample_weight)

    def _table(self, X: Any, *, reset: bool) -> Any:
        """A data frame or an array of mixed values as it is; any other table as numbers."""
        if not is_frame(X):
            no_list = not hasattr(self.nominal, "__len__")  # is judged with the table
            if self.nominal is None or not (no_list or len(self.nominal)):
                return validate_data(self, X, reset=reset)
            X = np.asarray(X, dtype=object)
        validate_data(self, X, reset=reset, skip_check_array=True)
        return X

    def _oracle(self) -> Any:
        return GaussianNB() if self.oracle is None else self.oracle

    def _fit_oracle(
        self, columns: Columns, labels: base.TwoClasses, fit_params: dict[str, Any]
    ) -> Any:
        oracle = clone(self._oracle())
        if not hasattr(oracle, "predict_proba"):
            raise InputError(f"`oracle` must have predict_proba; {type(oracle).__name__} has none.")
        oracle = oracle.fit(self._for_oracle(columns), labels.given, **fit_params)
        if list(oracle.classes_) != list(labels.classes):
            raise InputError(
                f"`oracle` was fitted for the classes {listed(oracle.classes_)}, but y has "
                f"{listed(labels.classes)}."
            )
        return oracle

    def _for_oracle(self, columns: Columns) -> Any:
        table = self.attributes_
        return table.encode(columns) if self.encode else table.rebuild(columns)

    def _oracle_probabilities(self, columns: Columns) -> Floats:
        """The oracle's probabilities of the negative and the positive class."""
        known = self.oracle_.predict_proba(self._for_oracle(columns))
        return np.asarray(known, dtype=np.float64)[:, self._order]

    def _grow(
        self, chosen: Configuration, rows: SyntheticRows, costs: Costs, rng: np.random.RandomState
    ) -> None:
        """Grow the tree and set the thresholds, by the scheme of the configuration."""
        self.threshold_: float = 0.5
        self.relabeling_threshold_: float | None = None
        positive = rows.positive
        if chosen.scheme == WHEN_LABELLING:
            assert chosen.method is not None
            cut = threshold_without_labels(rows.probability, costs=costs, method=chosen.method)
            positive, self.relabeling_threshold_ = rows.probability >= cut, cut
        encoded = self.attributes_.encode(rows.columns)
        self.tree_: ProbabilityEstimatingTree = ProbabilityEstimatingTree(
            ccp_alpha=0.0 if chosen.scheme == WHEN_APPLYING else self.ccp_alpha,
            random_state=rng.randint(np.iinfo(np.int32).max),
        ).fit(encoded, positive)
        if chosen.scheme == WHEN_APPLYING:
            assert chosen.method is not None
            scores = self._tree_probabilities(encoded)[:, 1]
            self.threshold_ = threshold_without_labels(scores, costs=costs, method=chosen.method)

    def _tree_probabilities(self, encoded: Floats) -> Floats:
        """The tree's probabilities; of a tree that saw one class only, (n + 1) / (n + 2) for it."""
        if len(self.tree_.classes_) == 2:
            return np.asarray(self.tree_.predict_proba(encoded))
        n_rows = float(self.tree_.leaf_counts_.sum())
        probabilities = np.full((len(encoded), 2), 1 / (n_rows + 2))
        probabilities[:, int(self.tree_.classes_[0])] = (n_rows + 1) / (n_rows + 2)
        return probabilities

    def get_metadata_routing(self) -> Any:
        """Arguments of `fit` go to the oracle; see scikit-learn's metadata routing."""
        mapping = MethodMapping().add(caller="fit", callee="fit")
        return MetadataRouter(owner=self).add(oracle=self._oracle(), method_mapping=mapping)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


def _described(
    chosen: Configuration, rows: SyntheticRows, skew: float, model: MimeticClassifier
) -> str:
    n_rows, n_positive = len(rows.positive), int(rows.positive.sum())
    cut = {
        WHEN_APPLYING: f" of {model.threshold_:.4g} on the tree's probability ({chosen.method})",
        WHEN_LABELLING: f" of {model.relabeling_threshold_ or 0:.4g} on the oracle's probability "
        f"({chosen.method})",
    }.get(chosen.scheme, "")
    return (
        f"{chosen.name}: {SCHEMES[chosen.scheme]}{cut}, cost ratio FN : FP of {skew:.4g}; "
        f"{count_of(n_rows, 'invented row')} ({DATA_TYPES[chosen.data_type]}), "
        f"{n_positive:,} called {listed([model.pos_label_])} by {type(model.oracle_).__name__}; "
        f"tree: {model.tree_.how_}"
    )
