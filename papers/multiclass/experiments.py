"""The 25 data sets of the paper, naive Bayes in ten folds, and every rule fitted to it."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

import rocwise as rw
from papers.shared.data import AbsentDataError, read
from papers.shared.learners import MixedNaiveBayes
from rocwise.multiclass import sample_costs

if TYPE_CHECKING:
    import pandas as pd

SEED, FOLDS, INNER, MATRICES = 2006, 10, 5, 10
STEPS = (0,)  # fold f meets the cost matrices f + step, of ten
TOO_MANY = {"lp": 20_000, "ga15": 5_000}  # confidences; slow searches are not asked beyond
MOST = 3_000  # rows of a data set; of larger ones a sample is taken
Floats = NDArray[np.float64]
Codes = NDArray[np.intp]


@dataclass(frozen=True)
class Source:
    """A file, the column that is predicted, and columns that tell it."""

    file: str
    target: str = "target"
    left_out: tuple[str, ...] = ()
    no_class: tuple[str, ...] = ()  # labels that are none
    numbers: tuple[str, ...] | None = None  # columns that are; the others are codes


DESIGN = ("T-OR-D", "MATERIAL", "SPAN", "REL-L", "target")  # of bridges: all are targets
LESION = ("lesion_type_1", "lesion_type_2", "lesion_type_3", "cp_data", "outcome", "target")
MEASURED = (  # of horses
    *("rectal_temperature", "pulse", "respiratory_rate", "nasogastric_reflux_PH"),
    *("packed_cell_volume", "total_protein", "abdomcentesis_total_protein"),
)
DATA_SETS = {
    "Audiology": Source("audiology"),
    "Bridges 2 (material)": Source("bridges2", "MATERIAL", DESIGN),
    "Bridges 2 (rel-l)": Source("bridges2", "REL-L", DESIGN),
    "Bridges 2 (span)": Source("bridges2", "SPAN", DESIGN),
    "Bridges 2 (type)": Source("bridges2", "target", DESIGN, ("NIL",)),
    "Bridges 2 (t-or-d)": Source("bridges2", "T-OR-D", DESIGN),
    "Car": Source("car"),
    "Post-Op": Source("post-operative"),
    "Horse-colic (code)": Source("hors", "outcome", LESION, (), MEASURED),
    "Horse-colic (surgical)": Source("hors", "target", LESION, (), MEASURED),
    "Horse-colic (site)": Source("hors", "lesion_type_1", LESION, (), MEASURED),
    "Horse-colic (subtype)": Source("hors", "lesion_type_3", LESION, (), MEASURED),
    "Horse-colic (type)": Source("hors", "lesion_type_2", LESION, (), MEASURED),
    "Credit": Source("ger"),
    "Dermatology": Source("dermatology", numbers=("Age",)),
    "Ecoli": Source("ecoli"),
    "Flags": Source("flags", numbers=("area", "population")),
    "Glass": Source("glass"),
    "Mushroom": Source("mush"),
    "Nursery": Source("nursery"),
    "Image Segmentation": Source("segment"),
    "Solar Flare (common)": Source("flare-c", numbers=()),
    "Solar Flare (moderate)": Source("flare-m", numbers=()),
    "Solar Flare (severe)": Source("flare-x", numbers=()),
    "Vote": Source("vots"),
}


def rows_of(name: str) -> tuple[pd.DataFrame, Codes]:
    """Columns, and the class of each row as a number."""
    source = DATA_SETS[name]
    data = read(source.file)
    table = data.features.assign(target=data.target)
    if source.target not in table:
        raise AbsentDataError(f"data set {source.file}: no column {source.target}")
    told = table[source.target]
    kept = np.asarray(told.notna() & ~told.astype(str).isin(source.no_class))
    left_out = {*source.left_out, source.target, "target"}
    codes = np.unique(told[kept].astype(str).str.strip(), return_inverse=True)[1]
    features = table.loc[kept, [column for column in table if column not in left_out]]
    if source.numbers is not None:
        codes_of = [column for column in features if column not in source.numbers]
        words = features[codes_of].astype(str).where(features[codes_of].notna())
        features = features.assign(**words)
    rows = np.sort(np.random.default_rng(SEED).permutation(len(codes))[:MOST])
    codes = np.unique(codes[rows], return_inverse=True)[1]
    return features.iloc[rows].reset_index(drop=True), codes.astype(np.intp)


def cost_matrices(m: int) -> Floats:
    """Ten matrices of whole costs from 1 to 10, with 0 on the diagonal."""
    return np.asarray(sample_costs(1, 10, n_classes=m, n_samples=MATRICES, whole=True, rng=SEED))


def folds_of(codes: Codes, count: int) -> list[tuple[Codes, Codes]]:
    """Stratified folds; classes with fewer rows than folds are in some of them only."""
    splitter = StratifiedKFold(count, shuffle=True, random_state=SEED)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return list(splitter.split(codes, codes))


def chances(table: pd.DataFrame, codes: Codes, new: pd.DataFrame, m: int) -> Floats:
    """Naive Bayes on new rows, one column per class; a class that it never saw has 0."""
    model = MixedNaiveBayes().fit(table, codes)
    found = np.zeros((len(new), m))
    found[:, model.classes_] = model.predict_proba(new)
    return found


def out_of_fold(table: pd.DataFrame, codes: Codes, m: int) -> Floats:
    """Chances of each row by a model that has not seen it: what weights are fitted to."""
    found = np.zeros((len(codes), m))
    for train, test in folds_of(codes, INNER):
        found[test] = chances(table.iloc[train], codes[train], table.iloc[test], m)
    return found


@dataclass(frozen=True, eq=False)
class Sample:
    """One fold: rows to fit to, new rows, both as chances; classes are those of the training."""

    codes: Codes
    scores: Floats
    new_codes: Codes  # of all classes
    new_scores: Floats
    classes: Codes  # in the training part


def sample_of(name: str, fold: int) -> tuple[Sample, int]:
    """A fold of a data set, and how many classes there are in all."""
    table, codes = rows_of(name)
    train, test = folds_of(codes, FOLDS)[fold]
    classes, own = np.unique(codes[train], return_inverse=True)
    own, m = own.astype(np.intp), len(classes)
    rows = table.iloc[train]
    fitted_to = out_of_fold(rows, own, m)
    scores = chances(rows, own, table.iloc[test], m)
    return Sample(own, fitted_to, codes[test], scores, classes), int(codes.max()) + 1


def by_weights(method: str) -> Callable[[Sample, Floats], Any]:
    """A rule with one weight per class."""

    def fit(sample: Sample, costs: Floats) -> Any:
        return rw.multiclass.class_weights(
            sample.codes, sample.scores, costs=costs, method=method, rng=SEED, progress=False
        ).predict_columns

    return fit


def by_tree(sample: Sample, costs: Floats) -> Any:
    """The paper's tree of groups of classes."""
    return rw.multiclass.metaclass(sample.codes, sample.scores, costs=costs).predict_columns


def by_risk(_sample: Sample, costs: Floats) -> Any:
    """The class of the least expected cost, if the chances are believed."""
    return lambda scores: (scores @ costs).argmin(axis=1)


def by_chance(_sample: Sample, _costs: Floats) -> Any:
    """The likeliest class."""
    return lambda scores: scores.argmax(axis=1)


METHODS: dict[str, Callable[[Sample, Floats], Any]] = {
    "nb": by_chance,
    "mc": by_tree,
    "lp": by_weights("lp"),
    "ga15": by_weights("genetic-soft"),
    "ga1": by_weights("genetic"),
    "lf": by_weights("sequential"),
    "og": by_weights("cost-columns"),
    "ours": by_weights("auto"),
    "risk": by_risk,
}


def cost_of(method: str, sample: Sample, costs: Floats) -> float | None:
    """Mean cost of the new rows; None where the method is not asked, as the data are too many."""
    if sample.scores.size > TOO_MANY.get(method, math.inf):
        return None
    among = costs[np.ix_(sample.classes, sample.classes)]
    if len(sample.classes) == 1:
        called = np.zeros(len(sample.new_codes), np.intp)
    else:
        called = METHODS[method](sample, among)(sample.new_scores)
    return float(costs[sample.new_codes, sample.classes[called]].mean())
