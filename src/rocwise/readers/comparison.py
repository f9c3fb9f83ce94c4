"""Comparison of modalities, or of a standalone model and readers, in a reader study (MRMC)."""

from collections.abc import Callable
from typing import Any, Literal, get_args

from rocwise import checks
from rocwise.binary.statistics import AnyStatistic, StatisticName
from rocwise.errors import ends_traceback
from rocwise.inference.significance import Alternative
from rocwise.inputs.reader_studies import as_readings
from rocwise.inputs.rows import Direction, Missing
from rocwise.progress import Report
from rocwise.readers.analyses import Analysis, chosen_sides
from rocwise.readers.cells import Covariance, chosen_endpoint, measured
from rocwise.readers.mean_of_readers import Effect, check_effects
from rocwise.readers.reader_comparison import ReaderComparison

Method = Literal["auto", "or", "u-statistics", "mle"]


@ends_traceback
def compare(
    data: Any = None,
    y_score: Any = None,
    *,
    label: Any = None,
    score: Any = None,
    case: Any = None,
    reader: Any = None,
    modality: Any = None,
    groups: Any = None,
    modalities: Any = None,
    ai: Any = None,
    readers: Effect = "random",
    cases: Effect = "random",
    method: Method = "auto",
    covariance: Covariance | Literal["auto"] = "auto",
    max_fpr: float | None = None,
    fpr_range: tuple[float, float] | None = None,
    tpr_range: tuple[float, float] | None = None,
    at_sensitivity: float | None = None,
    at_specificity: float | None = None,
    threshold: float | None = None,
    statistic: StatisticName
    | Literal["sensitivity", "specificity"]
    | AnyStatistic
    | Callable[..., float]
    | None = None,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    margin: float | None = None,
    pos_label: Any = None,
    direction: Direction = "higher",
    missing: Missing = "raise",
    n_resamples: int = 2000,
    rng: Any = None,
    progress: bool | Report | None = None,
) -> ReaderComparison:
    """Compare modalities, or a standalone model with readers, in a multi-reader study (MRMC).

    Parameters
    ----------
    data : DataFrame, path or array-like
        Data frame or file with one row for each case that a reader has read in a modality, with the
        names of its columns; an ``.imrmc`` file; or labels, with `y_score`.
    y_score : array-like, optional
        Scores.
    label, score : str, optional
        Columns of truth and score.
    case, reader : str, or array-like with `y_score`
        Columns of case and reader.
    modality : str, or array-like with `y_score`, optional
        Column of the modality; None for one modality.
    groups : str, or array-like with `y_score`, optional
        Column of the patient of each case, for cases that are not independent; with method="or".
    modalities : list of str, optional
        Which modalities, in which order; by default all in the order of their first rows.
    ai : str, optional
        Reader that is a standalone model: compared with the mean of the others.
    readers : {"random", "fixed"}, default "random"
        Whether the result is about other readers, too.
    cases : {"random", "fixed"}, default "random"
        Whether the result is about other cases, too; not both "fixed".
    method : {"auto", "or", "u-statistics", "mle"}, default "auto"
        "or" is the Obuchowski-Rockette analysis [1]_ with Hillis' degrees of freedom [2]_.
        "u-statistics" and "mle" compare AUCs pooled over readings, for any design [3]_. "auto" is
        "or" unless some readers, not all, read both modalities.
    covariance : {"auto", "delong", "jackknife", "unbiased", "exact-bootstrap", "bootstrap"}
        How the covariances due to cases are estimated; "auto" is "delong" for the AUC and for
        rates at a threshold, "jackknife" for other statistics. U-statistics have variances of
        their own: then it is for `by_reader`, `differences` and `components` alone.
    max_fpr : float, optional
        Partial AUC up to this false positive rate.
    fpr_range, tpr_range : tuple of float, optional
        Partial AUC within this range of a rate.
    at_sensitivity, at_specificity : float, optional
        Specificity at this sensitivity, or sensitivity at this specificity.
    threshold : float, optional
        With statistic="sensitivity" or "specificity": scores from here on are positive.
    statistic : str, object or callable, optional
        Another statistic than the AUC, as in `rw.compare`; or a function of ``(y_true, y_score)``.
    level : float, default 0.95
        Confidence level.
    alternative : {"two-sided", "greater", "less", "non-inferior", "equivalent"}
        Alternative hypothesis for first minus second; default "two-sided".
    margin : float, optional
        Margin of non-inferiority or equivalence.
    pos_label : optional
        Label of the positive class; not needed for 0/1, -1/1 and booleans.
    direction : {"higher", "lower"}, default "higher"
        Which scores mean positive.
    missing : {"raise", "drop"}, default "raise"
        Missing values: an error, or the reading is left out.
    n_resamples : int, default 2000
        Number of resamples, for covariance="bootstrap".
    rng : int, numpy.random.Generator or None, default None
        Seed or random generator.
    progress : bool or callable, optional
        Progress bar of resamples; by default for long work in a terminal.

    Returns
    -------
    ReaderComparison
        `estimates`, `difference`, `interval`, `p_value`, `df`; by reader `by_reader` and
        `differences`; `pairwise` for three modalities and more; `components` of variance.

    See Also
    --------
    readers.plan : Sample size and power of reader studies.
    froc : Marks on lesions.
    compare : Comparison of models on the same cases.

    References
    ----------
    .. [1] N. A. Obuchowski and H. E. Rockette, "Hypothesis testing of diagnostic accuracy for
           multiple readers and multiple tests", Commun. Stat. Simul. Comput. 24, 1995.
           doi:10.1080/03610919508813243
    .. [2] S. L. Hillis, "A comparison of denominator degrees of freedom methods for multiple
           observer ROC analysis", Stat. Med. 26, 2007. doi:10.1002/sim.2532
    .. [3] B. D. Gallas et al., "A framework for random-effects ROC analysis", Commun. Stat. Theory
           Methods 38, 2009. doi:10.1080/03610920802610084

    Examples
    --------
    >>> import rocwise as rw
    >>> from rocwise.datasets import reader_study
    >>> study = reader_study()
    >>> found = rw.readers.compare(
    ...     study.y_true, study.y_score, case=study.case, reader=study.reader,
    ...     modality=study.modality,
    ... )
    >>> round(found.difference, 3), round(found.p_value, 3), found.design
    (-0.074, 0.077, 'fully crossed')
    """
    level = checks.level(level)
    check_effects(readers, cases)
    checks.one_of(method, "method", get_args(Method))
    checks.one_of(covariance, "covariance", ("auto", *get_args(Covariance)))
    n_resamples = checks.draws(n_resamples, rng, progress, at_least=2)
    options = (max_fpr, fpr_range, tpr_range, at_sensitivity, at_specificity)
    endpoint = chosen_endpoint(options, threshold, statistic, direction)
    roles = {"label": label, "score": score, "case": case, "reader": reader}
    roles |= {"modality": modality, "groups": groups}
    readings = as_readings(
        "compare", data, y_score, roles, pos_label=pos_label, direction=direction, missing=missing
    )
    chosen, sides, model = chosen_sides(readings, modalities, ai)
    cells = measured(chosen, endpoint, covariance, n_resamples, rng, progress)
    return Analysis(
        cells, sides, model, readers, cases, method, level, alternative, margin
    ).result()
