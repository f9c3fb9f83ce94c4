"""Example data: scores, tables and series, bundled or simulated."""

import csv
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np

from rocwise import checks
from rocwise.arrays import Array, Floats, Integers
from rocwise.errors import InputError, missing_package, shown

__all__ = [
    "MarkedLesions",
    "ReaderStudy",
    "ScoredCases",
    "binormal_example",
    "breast_cancer_scores",
    "german_credit",
    "heart_disease",
    "liver_cirrhosis",
    "lynx_trappings",
    "marked_lesions",
    "reader_study",
    "yearly_sunspots",
]

FOLDS = 10
LARGEST = 1e6  # separation of simulated scores
SEED = 0


@dataclass(frozen=True, eq=False)
class ScoredCases:
    """Labels with the scores of one or more models on the same cases.

    Attributes
    ----------
    y_true : ndarray of int
        1 for a positive case, 0 for a negative one.
    scores : dict of str to ndarray
        Scores by the name of the model; higher means more likely positive.
    """

    y_true: Integers
    scores: dict[str, Floats]

    def __repr__(self) -> str:
        n_pos = int(self.y_true.sum())
        return (
            f"{len(self.y_true):,} cases, {n_pos:,} of them positive, "
            f"scored by {', '.join(self.scores)}"
        )


def binormal_example(
    n_pos: int = 100,
    n_neg: int = 100,
    *,
    separation: float = 1.0,
    spread: float = 1.0,
    rng: Any = 0,
) -> tuple[Integers, Floats]:
    """Generate labels and normal scores of two classes, in random order.

    Negatives are drawn from N(0, 1) and positives from N(separation, spread^2), so that the true
    AUC is Phi(separation / sqrt(1 + spread^2)).

    Parameters
    ----------
    n_pos : int, default 100
        Number of positives.
    n_neg : int, default 100
        Number of negatives.
    separation : float, default 1
        Mean of the positives, in standard deviations of the negatives.
    spread : float, default 1
        Standard deviation of the positives.
    rng : int, numpy.random.Generator or None, default 0
        Seed or random generator.

    Returns
    -------
    y_true : ndarray of shape (n_pos + n_neg,)
        Labels.
    y_score : ndarray of shape (n_pos + n_neg,)
        Scores.

    See Also
    --------
    datasets.breast_cancer_scores : Two models on breast cancer data.
    tally : Counts of both classes at each distinct score.

    Examples
    --------
    >>> import rocwise as rw
    >>> from rocwise.datasets import binormal_example
    >>> y_true, y_score = binormal_example(n_pos=40, n_neg=160)
    >>> round(rw.auc(y_true, y_score).value, 3)
    0.799
    """
    n_pos, n_neg = checks.size(n_pos, "n_pos"), checks.size(n_neg, "n_neg")
    separation = checks.real(separation, "separation")
    if checks.real(spread, "spread") <= 0:
        raise InputError(f"`spread` must be greater than 0; got {shown(spread)}.")
    spread = checks.within(spread, "spread", 0, 1e300)
    generator = np.random.default_rng(checks.seed(rng))
    y_true = generator.permutation(np.repeat(np.array([1, 0]), [n_pos, n_neg]))
    noise = generator.standard_normal(n_pos + n_neg)
    return y_true, np.where(y_true == 1, separation + spread * noise, noise)


@dataclass(frozen=True, eq=False)
class ReaderStudy:
    """Readings of a reader study, one row for each case that a reader has read in a modality.

    Attributes
    ----------
    y_true : ndarray of int
        1 for a positive case, 0 for a negative one.
    y_score : ndarray of float
        Score of the reading; higher means more likely positive.
    case, reader, modality : ndarray
        Number of the case, names of reader and modality.
    """

    y_true: Integers
    y_score: Floats
    case: Integers
    reader: Array
    modality: Array

    @property
    def columns(self) -> dict[str, Array]:
        """The columns `truth, score, case, reader, modality`, e.g. for ``pd.DataFrame``."""
        names = "truth", "score", "case", "reader", "modality"
        found = self.y_true, self.y_score, self.case, self.reader, self.modality
        return dict(zip(names, found, strict=True))

    def __repr__(self) -> str:
        n = [len(set(each.tolist())) for each in (self.case, self.reader, self.modality)]
        return f"{len(self.case):,} readings of {n[0]:,} cases by {n[1]} readers, {n[2]} modalities"


def reader_study(
    n_readers: int = 5,
    n_pos: int = 45,
    n_neg: int = 70,
    *,
    separation: tuple[float, ...] = (1.2, 1.8),
    reader_variance: float = 0.03,
    case_variances: tuple[float, float, float, float] = (0.3, 0.3, 0.2, 0.2),
    ai: float | None = None,
    rng: Any = 2,
) -> ReaderStudy:
    """Simulate a reader study by the model of Roe and Metz.

    A score is the sum of `separation` for a positive case and of independent normal effects [1]_:
    of the reader and of reader by modality (each with `reader_variance`, for either class), and of
    case, case by modality, case by reader, and error (`case_variances`). The expected AUC is
    Φ(separation / √(2 + 4 reader_variance)) where `case_variances` sum to 1.

    Parameters
    ----------
    n_readers : int, default 5
        Readers, "R1", "R2", ...; all read all cases in all modalities.
    n_pos, n_neg : int, default 45 and 70
        Cases of each class.
    separation : tuple of float, default (1.2, 1.8)
        Mean of the positives in each modality, "A", "B", ...; two are "unaided" and "aided".
    reader_variance : float, default 0.03
        Variance of reader, and of reader by modality.
    case_variances : tuple of float, default (0.3, 0.3, 0.2, 0.2)
        Variances of case, case by modality, case by reader, and error.
    ai : float, optional
        Separation of a standalone model, the reader "AI" in the modality "AI".
    rng : int, numpy.random.Generator or None, default 2
        Seed or random generator; the default always gives the same data.

    Returns
    -------
    ReaderStudy
        Data with `y_true`, `y_score`, `case`, `reader`, `modality`, and all of them as `columns`.

    See Also
    --------
    readers.compare : Comparison of modalities in reader studies.
    datasets.marked_lesions : Localization study.

    References
    ----------
    .. [1] C. A. Roe and C. E. Metz, "Dorfman-Berbaum-Metz method for statistical analysis of
           multireader, multimodality receiver operating characteristic data", Acad. Radiol. 4,
           1997. doi:10.1016/S1076-6332(97)80032-3

    Examples
    --------
    >>> from rocwise.datasets import reader_study
    >>> reader_study()
    1,150 readings of 115 cases by 5 readers, 2 modalities
    """
    sizes = checks.size(n_neg, "n_neg"), checks.size(n_pos, "n_pos")
    truth = np.repeat([0, 1], sizes)
    mu = _separations(separation)
    t, n = len(mu), len(truth)
    n_readers = checks.size(n_readers, "n_readers", bytes_each=8 * t * n)
    draw = np.random.default_rng(checks.seed(rng)).standard_normal
    variances = checks.numbers(case_variances, "case_variances", most=1)
    if variances.shape != (4,) or variances.min() < 0:
        raise InputError(
            f"`case_variances` must be four variances, 0 or more; got {shown(case_variances)}."
        )
    deviations = np.sqrt(variances)
    of_case = draw(n)
    scores = mu[:, None, None] * truth
    shapes = (n,), (t, 1, n), (n_readers, n), (t, n_readers, n)
    for deviation, shape in zip(deviations, shapes, strict=True):
        scores = scores + deviation * (of_case if shape == (n,) else draw(shape))
    deviation = np.sqrt(checks.not_negative(reader_variance, "reader_variance"))
    for shape in ((n_readers, 2), (t, n_readers, 2)):
        scores = scores + deviation * draw(shape)[..., truth]
    names = _modality_names(t)
    readers = [f"R{j + 1}" for j in range(n_readers)]
    rows = [np.tile(np.arange(1, n + 1), t * n_readers), np.tile(readers, t).repeat(n)]
    rows.append(np.repeat(names, n_readers * n))
    y_true, y_score = np.tile(truth, t * n_readers), scores.reshape(-1)
    if ai is not None:
        own = checks.within(ai, "ai", -LARGEST, LARGEST) * truth + deviations[0] * of_case
        own = own + np.sqrt(max(1 - deviations[0] ** 2, 0.0)) * draw(n)
        y_true, y_score = np.append(y_true, truth), np.append(y_score, own)
        added = np.arange(1, n + 1), np.repeat("AI", n), np.repeat("AI", n)
        rows = [np.append(each, more) for each, more in zip(rows, added, strict=True)]
    return ReaderStudy(y_true, np.round(y_score, 2), *rows)


@dataclass(frozen=True, eq=False)
class MarkedLesions:
    """Marks of readers on cases with lesions, as two tables of columns.

    Attributes
    ----------
    marks : dict of str to ndarray
        Columns `case, reader, modality, score, lesion`, one row for each mark; `lesion` is 0 for a
        false mark.
    cases : dict of str to ndarray
        Columns `case, lesions`, one row for each case.
    """

    marks: dict[str, Array]
    cases: dict[str, Array]

    def __repr__(self) -> str:
        n, lesions = len(self.cases["case"]), int(self.cases["lesions"].sum())
        return f"{len(self.marks['case']):,} marks on {n:,} cases with {lesions:,} lesions"


def marked_lesions(
    n_readers: int = 5,
    n_pos: int = 60,
    n_neg: int = 80,
    *,
    separation: tuple[float, ...] = (0.9, 1.6),
    rng: Any = 10,
) -> MarkedLesions:
    """Simulate a localization (FROC) study by a search model.

    A positive case has 1 to 3 lesions [1]_. A reader marks a lesion with probability 0.8, and the
    score is normal with mean `separation` plus effects of lesion and reader; a case has a Poisson
    number of false marks with mean 0.6 and standard normal scores.

    Parameters
    ----------
    n_readers : int, default 5
        Readers, "R1", "R2", ...; all read all cases in all modalities.
    n_pos, n_neg : int, default 60 and 80
        Cases with and without lesions.
    separation : tuple of float, default (0.9, 1.6)
        Mean score of lesions in each modality, "A", "B", ...; two are "unaided" and "aided".
    rng : int, numpy.random.Generator or None, default 10
        Seed or random generator; the default always gives the same data.

    Returns
    -------
    MarkedLesions
        Data with `marks` and `cases`.

    See Also
    --------
    froc : Free-response ROC analysis.
    datasets.reader_study : Readings with one score for each case.

    References
    ----------
    .. [1] D. P. Chakraborty, "Observer Performance Methods for Diagnostic Imaging", CRC Press,
           2017. doi:10.1201/9781351228190

    Examples
    --------
    >>> from rocwise.datasets import marked_lesions
    >>> marked_lesions()
    1,729 marks on 140 cases with 112 lesions
    """
    sizes = checks.size(n_pos, "n_pos"), checks.size(n_neg, "n_neg")
    mu = _separations(separation)
    n_readers = checks.size(n_readers, "n_readers", bytes_each=800 * len(mu) * sum(sizes))
    draw = np.random.default_rng(checks.seed(rng))
    lesions = np.concatenate([draw.choice([1, 2, 3], sizes[0], p=[0.4, 0.4, 0.2]), sizes[1] * [0]])
    case = np.arange(1, len(lesions) + 1)
    of_lesion = np.repeat(case, lesions)
    number = np.concatenate([np.arange(1, n + 1) for n in lesions.tolist()])
    effects = 0.6 * draw.standard_normal(len(of_lesion))
    columns: dict[str, list[Any]] = {name: [] for name in ("case", "reader", "modality", "score")}
    columns["lesion"] = []
    for mean, modality in zip(mu.tolist(), _modality_names(len(mu)), strict=True):
        for j, skill in enumerate(0.25 * draw.standard_normal(n_readers)):
            seen = draw.random(len(of_lesion)) < 0.8
            own = mean + skill + effects + 0.8 * draw.standard_normal(len(effects))
            false = np.repeat(case, draw.poisson(0.6, len(case)))
            columns["case"] += [of_lesion[seen], false]
            columns["score"] += [own[seen], draw.standard_normal(len(false))]
            columns["lesion"] += [number[seen], 0 * false]
            n_marks = int(seen.sum()) + len(false)
            columns["reader"].append(np.repeat(f"R{j + 1}", n_marks))
            columns["modality"].append(np.repeat(modality, n_marks))
    marks = {name: np.concatenate(parts) for name, parts in columns.items()}
    marks["score"] = np.round(marks["score"], 2)
    return MarkedLesions(marks, {"case": case, "lesions": lesions})


def _separations(given: Any) -> Floats:
    """One separation for each modality."""
    found = np.atleast_1d(checks.numbers(given, "separation", most=1))
    if not len(found) or np.abs(found).max() > LARGEST:
        raise InputError(
            f"`separation` must be numbers up to {LARGEST:g}, one for each modality; got "
            f"{shown(given)}."
        )
    return found


def _modality_names(n: int) -> list[str]:
    return ["unaided", "aided"] if n == 2 else [chr(ord("A") + k) for k in range(n)]


def heart_disease() -> dict[str, Array]:
    """Load the heart disease data of three hospitals: markers, and the risks of two models.

    797 patients with chest pain had coronary angiography in Cleveland, Budapest and Long Beach
    [1]_; 394 had the disease (a narrowing above 50%). Missing values are nan. Data of the UCI
    Machine Learning Repository [2]_, licensed under CC BY 4.0: 8 of 14 columns, zeros of blood
    pressure and cholesterol as missing, and the two risks added.

    Returns
    -------
    dict of str to ndarray
        Columns of equal length, e.g. for ``pd.DataFrame``: `disease` (1 or 0), `hospital`, `age`
        (years), `sex`, `blood_pressure` (mm Hg), `cholesterol` (mg/dl), `max_heart_rate` (per
        minute) and `angina` (1 or 0) and `st_depression` (mm) during exercise; `clinical`, the
        risk by a logistic regression on age, sex, blood pressure and cholesterol, and `exercise`,
        by one on all measurements. Both risks are out-of-fold (stratified 10-fold
        cross-validation, missing values replaced by means).

    See Also
    --------
    datasets.german_credit : Credit data with costs.
    datasets.breast_cancer_scores : Two models on breast cancer data.

    References
    ----------
    .. [1] R. Detrano et al., "International application of a new probability algorithm for the
           diagnosis of coronary artery disease", Am. J. Cardiol. 64, 1989.
           doi:10.1016/0002-9149(89)90524-9
    .. [2] A. Janosi, W. Steinbrunn, M. Pfisterer and R. Detrano, "Heart Disease", UCI Machine
           Learning Repository, 1989. doi:10.24432/C52P4X

    Examples
    --------
    >>> import rocwise as rw
    >>> heart = rw.datasets.heart_disease()
    >>> rw.auc(heart["disease"], heart["clinical"])
    AUC 0.746 (95% CI 0.711 to 0.778, Wilson (effective n)); 394 positives, 403 negatives
    """
    return _columns("heart_disease")


def german_credit() -> dict[str, Array]:
    """Load the Statlog German credit data: 1,000 loans, of which 300 were bad.

    Data of the UCI Machine Learning Repository [1]_, licensed under CC BY 4.0: 8 of 20 columns,
    with shorter names of the categories, which are known to be partly wrong [2]_. The description
    of the data has costs: 5 for a bad loan that is granted, 1 for a good one that is declined.

    Returns
    -------
    dict of str to ndarray
        Columns of equal length, e.g. for ``pd.DataFrame``: `bad` (1 or 0), `duration` (months),
        `amount` (marks), `installment_rate` (1 to 4), `age` (years), `employment` (years),
        `history`, `checking` and `savings` (balance of the accounts, marks).

    See Also
    --------
    datasets.heart_disease : Clinical data with the risks of two models.
    Costs : Costs of errors.

    References
    ----------
    .. [1] H. Hofmann, "Statlog (German Credit Data)", UCI Machine Learning Repository, 1994.
           doi:10.24432/C5NC77
    .. [2] U. Groemping, "South German Credit Data: Correcting a Widely Used Data Set", Reports in
           Mathematics, Physics and Chemistry 4/2019, Beuth University of Applied Sciences Berlin.

    Examples
    --------
    >>> from rocwise.datasets import german_credit
    >>> credit = german_credit()
    >>> len(credit["bad"]), int(credit["bad"].sum())
    (1000, 300)
    """
    return _columns("german_credit")


def liver_cirrhosis() -> dict[str, Array]:
    """Load the follow-up of 312 patients with primary biliary cirrhosis: markers and a risk.

    Randomized trial of the Mayo Clinic, 1974 to 1984 [1]_: 125 patients died, 19 had a transplant
    of the liver before, and 168 were alive at the end of follow-up. Data of the UCI Machine
    Learning Repository [2]_, licensed under CC BY 4.0: 6 of 19 columns of the patients of the
    trial, age in years, and the risk added.

    Returns
    -------
    dict of str to ndarray
        Columns of equal length, e.g. for ``pd.DataFrame``: `days` of follow-up, `status` at their
        end ("died", "transplanted" or "alive"), `age` (years), `bilirubin` (mg/dl), `albumin`
        (g/dl), `prothrombin` (time, s); `risk`, that of death by 1,826 days by a logistic
        regression on age and the logarithms of the three markers, weighted for censoring and
        out-of-fold (stratified 10-fold cross-validation).

    See Also
    --------
    survival.follow_up : Times and events with censoring.
    datasets.heart_disease : Clinical data with the risks of two models.

    References
    ----------
    .. [1] E. R. Dickson, P. M. Grambsch, T. R. Fleming, L. D. Fisher and A. Langworthy, "Prognosis
           in primary biliary cirrhosis: model for decision making", Hepatology 10, 1989.
           doi:10.1002/hep.1840100102
    .. [2] E. Dickson, P. Grambsch, T. Fleming, L. Fisher and A. Langworthy, "Cirrhosis Patient
           Survival Prediction", UCI Machine Learning Repository, 1989. doi:10.24432/C5R02G

    Examples
    --------
    >>> import rocwise as rw
    >>> liver = rw.datasets.liver_cirrhosis()
    >>> codes = {"cause": "died", "censored": "alive"}
    >>> rw.survival.follow_up(liver["days"], liver["status"], liver["risk"], **codes)
    FollowUp: 312 rows, 125 events, 19 competing events, 168 censored; times 41 to 4556
    """
    return _columns("liver_cirrhosis")


def _columns(name: str) -> dict[str, Array]:
    """The columns of a bundled table; integers, numbers with nan, or text."""
    text = files("rocwise").joinpath("example_data", f"{name}.csv").read_text(encoding="utf-8")
    names, *rows = csv.reader(text.splitlines())
    return {
        each: _values(column) for each, column in zip(names, zip(*rows, strict=True), strict=True)
    }


def _values(column: tuple[str, ...]) -> Array:
    for kind, read in ((np.int64, column), (np.float64, [each or "nan" for each in column])):
        try:
            return np.array(read).astype(kind)
        except ValueError:
            continue
    return np.array(column, dtype=object)


def breast_cancer_scores() -> ScoredCases:
    """Load the scores of two models on scikit-learn's breast cancer data; malignant is positive.

    ``logistic`` is a logistic regression on all 30 measurements, ``tree`` a decision tree of depth
    3. Scores are out-of-fold (stratified 10-fold cross-validation, measurements standardized within
    the folds, fixed seed).

    Returns
    -------
    ScoredCases
        Data with `y_true` and `scores`.

    See Also
    --------
    datasets.binormal_example : Normal scores of two classes.
    pair : Several models' scores on the same rows.

    Examples
    --------
    >>> from rocwise.datasets import breast_cancer_scores
    >>> breast_cancer_scores()
    569 cases, 212 of them positive, scored by logistic, tree
    """
    try:
        from sklearn.datasets import load_breast_cancer
        from sklearn.model_selection import StratifiedKFold, cross_val_predict
    except ImportError:
        raise missing_package("scikit-learn", "models", "the breast cancer example") from None
    measured = load_breast_cancer()
    malignant = list(measured.target_names).index("malignant")
    y_true = (measured.target == malignant).astype(np.int64)
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=SEED)
    scores = {
        name: cross_val_predict(model, measured.data, y_true, cv=folds, method="predict_proba")
        for name, model in _models().items()
    }
    return ScoredCases(y_true, {name: columns[:, 1] for name, columns in scores.items()})


def _models() -> dict[str, Any]:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(max_depth=3, min_samples_leaf=10, random_state=SEED)
    return {"logistic": make_pipeline(StandardScaler(), LogisticRegression()), "tree": tree}


def yearly_sunspots() -> Floats:
    """Load the yearly sunspot numbers from 1700 to 1979, as counted in Zurich.

    The series of Yule (1927), the first to which an autoregression was fitted.

    Returns
    -------
    ndarray of shape (280,)
        Sunspot numbers, from 1700 on.

    See Also
    --------
    datasets.lynx_trappings : Annual lynx trappings.
    regression.forecasting.lag_rows : Lagged values of a series as rows.

    Examples
    --------
    >>> from rocwise.datasets import yearly_sunspots
    >>> yearly_sunspots()[:5].tolist()
    [5.0, 11.0, 16.0, 23.0, 36.0]
    """
    return np.array(_SUNSPOTS.split(), dtype=np.float64)


def lynx_trappings() -> Floats:
    """Load the number of lynx trapped each year from 1821 to 1934 in the Mackenzie River district.

    From Elton and Nicholson, Journal of Animal Ecology 11, 1942.

    Returns
    -------
    ndarray of shape (114,)
        Numbers of lynx, from 1821 on.

    See Also
    --------
    datasets.yearly_sunspots : Yearly sunspot numbers.
    regression.forecasting.lag_rows : Lagged values of a series as rows.

    Examples
    --------
    >>> from rocwise.datasets import lynx_trappings
    >>> lynx_trappings()[:5].tolist()
    [269.0, 321.0, 585.0, 871.0, 1475.0]
    """
    return np.array(_LYNX.split(), dtype=np.float64)


_SUNSPOTS = """
    5 11 16 23 36 58 29 20 10 8 3 0 0 2 11 27 47 63 60 39 28 26 22 11 21 40 78 122 103 73 47
    35 11 5 16 34 70 81 111 101 73 40 20 16 5 11 22 40 60 80.9 83.4 47.7 47.8 30.7 12.2 9.6
    10.2 32.4 47.6 54 62.9 85.9 61.2 45.1 36.4 20.9 11.4 37.8 69.8 106.1 100.8 81.6 66.5
    34.8 30.6 7 19.8 92.5 154.4 125.9 84.8 68.1 38.5 22.8 10.2 24.1 82.9 132 130.9 118.1
    89.9 66.6 60 46.9 41 21.3 16 6.4 4.1 6.8 14.5 34 45 43.1 47.5 42.2 28.1 10.1 8.1 2.5 0
    1.4 5 12.2 13.9 35.4 45.8 41.1 30.1 23.9 15.6 6.6 4 1.8 8.5 16.6 36.3 49.6 64.2 67 70.9
    47.8 27.5 8.5 13.2 56.9 121.5 138.3 103.2 85.7 64.6 36.7 24.2 10.7 15 40.1 61.5 98.5
    124.7 96.3 66.6 64.5 54.1 39 20.6 6.7 4.3 22.7 54.8 93.8 95.8 77.2 59.1 44 47 30.5 16.3
    7.3 37.6 74 139 111.2 101.6 66.2 44.7 17 11.3 12.4 3.4 6 32.3 54.3 59.7 63.7 63.5 52.2
    25.4 13.1 6.8 6.3 7.1 35.6 73 85.1 78 64 41.8 26.2 26.7 12.1 9.5 2.7 5 24.4 42 63.5 53.8
    62 48.5 43.9 18.6 5.7 3.6 1.4 9.6 47.4 57.1 103.9 80.6 63.6 37.6 26.1 14.2 5.8 16.7 44.3
    63.9 69 77.8 64.9 35.7 21.2 11.1 5.7 8.7 36.1 79.7 114.4 109.6 88.8 67.8 47.5 30.6 16.3
    9.6 33.2 92.6 151.6 136.3 134.7 83.9 69.4 31.5 13.9 4.4 38 141.7 190.2 184.8 159 112.3
    53.9 37.5 27.9 10.2 15.1 47 93.7 105.9 105.5 104.5 66.6 68.9 38 34.5 15.5 12.6 27.5 92.5
    155.4
"""
_LYNX = """
    269 321 585 871 1475 2821 3928 5943 4950 2577 523 98 184 279 409 2285 2685 3409 1824 409
    151 45 68 213 546 1033 2129 2536 957 361 377 225 360 731 1638 2725 2871 2119 684 299 236
    245 552 1623 3311 6721 4254 687 255 473 358 784 1594 1676 2251 1426 756 299 201 229 469
    736 2042 2811 4431 2511 389 73 39 49 59 188 377 1292 4031 3495 587 105 153 387 758 1307
    3465 6991 6313 3794 1836 345 382 808 1388 2713 3800 3091 2985 3790 674 81 80 108 229 399
    1132 2432 3574 2935 1537 529 485 662 1000 1590 2657 3396
"""
