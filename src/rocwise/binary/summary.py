"""`summary`: areas, chosen points and p values of several models as one table."""

import math
from collections.abc import Mapping
from dataclasses import field
from typing import Any, Unpack

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Array
from rocwise.binary.auc import AreaMethod, auc
from rocwise.binary.compare import compare
from rocwise.binary.operating_points import at, interval_words, threshold_value
from rocwise.binary.roc import score_text
from rocwise.binary.threshold import threshold as chosen_threshold
from rocwise.binary.threshold_rules import RuleName
from rocwise.costs import Costs
from rocwise.data.pairs import Pairs
from rocwise.errors import InputError, listed, shown, spelled_out
from rocwise.inputs.coercion import PairOptions, as_pairs, options_shown
from rocwise.results import ASIDE, Resampled, result
from rocwise.tables import NumberTexts

MEASURES = ("sensitivity", "specificity", "ppv", "npv")


@result
class ModelSummary(Resampled):
    """Table for a publication, one row per model; `to_frame()` and `to_csv()` have all digits.

    `p_value` compares the area with that of `reference`, `p_adjusted` is Holm's for all pairs of
    models, as in `compare`; `joint_p_value` is of the test that all areas are equal. Thresholds
    were chosen on these cases, so that sensitivity and specificity are somewhat optimistic unless
    a threshold was given.
    """

    names: tuple[str, ...]
    columns: dict[str, Array]
    reference: str | None
    joint_p_value: float | None
    level: float
    rule: str
    auc_method: str
    methods: dict[str, str]
    test: str | None
    prevalence: float
    prevalence_given: bool
    n_pos: float
    n_neg: float
    threshold_texts: tuple[str, ...] = field(metadata=ASIDE)

    def _sentence(self) -> str:
        size = self.n_pos + self.n_neg
        areas, p_values = self._with_limits("auc", size), self.columns["p_adjusted"]
        rows = [
            f"{name}: AUC {area}"
            + ("" if p is None else f", {self._adjusted}{printing.p_value(p)}")
            for name, area, p in zip(self.names, areas, p_values, strict=True)
        ]
        return "\n".join([*rows, self.caption])

    def _method_words(self) -> list[str]:
        words = [self._adjusted] if self.reference is not None else []
        return [*words, "DeLong"] if "effective" in self.auc_method else words

    @property
    def _adjusted(self) -> str:
        return "Holm-adjusted " if len(self.names) > 2 else ""

    @property
    def caption(self) -> str:
        """Notes below the table."""
        level = printing.percent(self.level)
        unit = "weighted " if self.origin.n_rows is not None else ""
        parts = [
            f"{unit}{printing.classes(self.n_pos, self.n_neg)}",
            f"{level} CI: AUC by {self.auc_method}, {interval_words(self.methods)} "
            f"at the threshold ({self.rule})",
        ]
        if self.prevalence_given:
            parts.append(f"PPV and NPV for a prevalence of {printing.percent(self.prevalence)}")
        if self.reference is not None:
            pairs = math.comb(len(self.names), 2)
            family = f" ({pairs} comparisons)" if self._adjusted else ""
            parts.append(f"{self._adjusted}p{family}: AUC against {self.reference}")
            if self._adjusted and self.joint_p_value is not None:
                parts.append(f"all equal: {printing.p_value(self.joint_p_value)}")
            parts[-1] += f" ({self.test})"
        return "; ".join([*parts, *self.origin.remarks()]) + self._draw_words()

    def _notes(self) -> str:
        return self.caption

    def _in_words(self) -> str:
        return ""

    def __repr__(self) -> str:
        return spelled_out(self._sentence())

    def _columns(self) -> Mapping[str, Any]:
        return {"model": np.array(self.names), **self.columns}

    def _columns_to_read(self) -> Mapping[str, Any]:
        size = self.n_pos + self.n_neg
        level = f"({printing.percent(self.level)} CI)"
        found: dict[str, Any] = {"model": np.array(self.names)}
        found[f"AUC {level}"] = self._with_limits("auc", size)
        if self.reference is not None:
            found["p_adjusted (Holm)" if self._adjusted else "p_value"] = self.columns["p_adjusted"]
        found["threshold"] = NumberTexts(self.threshold_texts)
        for name in MEASURES:
            title = name.upper() if len(name) == 3 else name
            if self.prevalence_given and len(name) == 3:
                title += f" at {printing.percent(self.prevalence)} prevalence"
            found[f"{title} {level}"] = self._with_limits(name, size)
        return found

    def _with_limits(self, name: str, size: float) -> list[str]:
        columns = [self.columns[f"{name}{end}"].tolist() for end in ("", "_low", "_high")]
        return [
            ""
            if v is None
            else f"{printing.rate(v, size)} ({printing.rate(a, size)} to {printing.rate(b, size)})"
            for v, a, b in zip(*columns, strict=True)
        ]


@options_shown(PairOptions)
def summary(
    data: Any = None,
    scores: Any = None,
    *,
    rule: RuleName = "youden",
    threshold: float | None = None,
    constraint: float | None = None,
    costs: Costs | None = None,
    prevalence: float | None = None,
    reference: str | None = None,
    method: AreaMethod = "auto",
    level: float = 0.95,
    n_resamples: int = 2000,
    rng: Any = None,
    **given: Unpack[PairOptions],
) -> ModelSummary:
    """Summarize several models in a table: AUC, operating point and p value of each.

    Parameters
    ----------
    rule : str, default "youden"
        Criterion for the threshold of each model, as in `threshold`.
    threshold : float, optional
        A common threshold for all models, in place of a rule.
    constraint : float, optional
        Limit of a rule with a constraint, as in `threshold`.
    costs : Costs, optional
        Costs for the rule "cost".
    prevalence : float, optional
        Prevalence that PPV and NPV refer to; that of the data by default.
    reference : str, optional
        Model that the others are compared with; the first one by default.
    method : str, default "auto"
        Interval method of the AUCs, the same for all models, as in `auc`. Models are compared by
        the default test of `compare`.
    level : float, default 0.95
        Confidence level.
    n_resamples : int, default 2000
        Number of resamples of the methods "bootstrap" and "bca", and of the limits of rates with
        clusters.
    rng : int, numpy.random.Generator or None, optional
        Seed or random generator of the resamples.

    Returns
    -------
    ModelSummary
        Result with `names`, `columns` and `caption`, and the methods ``to_frame()``,
        ``to_markdown()``, ``to_latex()`` and ``to_csv()``.

    See Also
    --------
    auc : AUC with a confidence interval.
    compare : Test and interval for the difference of AUCs.
    threshold : Optimal threshold by a criterion.
    report : Self-contained HTML report.

    Examples
    --------
    >>> import rocwise as rw
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> scores = {"a": [1, 2, 3, 5, 4, 6, 7, 8], "b": [1, 3, 2, 6, 5, 4, 7, 8]}
    >>> table = rw.summary(y_true, scores)
    >>> table.names, table.columns["auc"].round(3).tolist()
    (('a', 'b'), [0.938, 0.875])
    >>> ax = table.plot()
    """
    pairs = as_pairs("summary", data, scores, given)
    level = checks.level(level)
    chosen = _checked_reference(pairs, reference)
    threshold = None if threshold is None else threshold_value(threshold)
    drawn: Any = {"n_resamples": checks.draws(n_resamples, rng), "rng": checks.seed(rng)}
    models: Any = auc(pairs, method=method, level=level, **drawn)
    areas = list(models.results.values())
    columns: dict[str, Any] = {
        "auc": [area.value for area in areas],
        "auc_low": [area.low for area in areas],
        "auc_high": [area.high for area in areas],
    }
    p_values, joint, test = _p_values(pairs, chosen, level)
    columns |= p_values
    points: list[Any] = []
    texts = []
    for name in pairs.names:
        tally, cut = pairs.tally(name), threshold
        if cut is None:
            options: Any = {"rule": rule, "constraint": constraint, "costs": costs}
            cut = chosen_threshold(tally, prevalence=prevalence, **options).threshold
        points.append(at(tally, threshold=cut, prevalence=prevalence, level=level, **drawn))
        texts.append(score_text(tally, cut))
    seed = next((s.seed for s in (*areas, *points) if s.seed is not None), None)
    columns["threshold"] = [float(point.threshold[0]) for point in points]
    for name in (f"{measure}{end}" for measure in MEASURES for end in ("", "_low", "_high")):
        found = [point.columns[name] for point in points]
        masked = any(isinstance(column, np.ma.MaskedArray) for column in found)
        join: Any = np.ma.concatenate if masked else np.concatenate
        columns[name] = join(found)
    return ModelSummary(
        names=pairs.names,
        columns={name: np.asanyarray(column) for name, column in columns.items()},
        reference=chosen,
        joint_p_value=joint,
        level=level,
        rule="given" if threshold is not None else rule,
        auc_method=_methods(models.results),
        methods={name: points[0].methods[name] for name in MEASURES},
        test=test,
        prevalence=points[0].prevalence,
        prevalence_given=prevalence is not None,
        n_pos=points[0].n_pos,
        n_neg=points[0].n_neg,
        threshold_texts=tuple(texts),
        seed=seed,
        n_resamples=None if seed is None else n_resamples,
        origin=pairs.origin,
    )


def _checked_reference(pairs: Pairs, reference: str | None) -> str | None:
    if len(pairs.names) == 1:
        if reference is not None:
            raise InputError("`reference` needs another model to be compared with; got one model.")
        return None
    if reference is not None and not (isinstance(reference, str) and reference in pairs.names):
        raise InputError(
            f"`reference` must be one of {listed(pairs.names)}; got {shown(reference)}."
        )
    return reference or pairs.names[0]


def _methods(areas: Mapping[str, Any]) -> str:
    """The method of all intervals; models without variance, which have another, by name."""
    models: dict[str, list[str]] = {}
    for name, area in areas.items():
        models.setdefault(area.method, []).append(name)
    if len(models) == 1:
        return next(iter(models))
    return ", ".join(f"{method} ({', '.join(names)})" for method, names in models.items())


def _p_values(
    pairs: Pairs, reference: str | None, level: float
) -> tuple[dict[str, Array], float | None, str | None]:
    """Columns of p values of each model against the reference; of all together; the test."""
    if reference is None:
        return dict.fromkeys(("p_value", "p_adjusted"), np.array([None], object)), None, None
    found = compare(pairs, level=level)
    table = found._columns()
    couples = [*map(frozenset, zip(table["first"], table["second"], strict=True))]
    columns = {"p_value": table["p_value"], "p_adjusted": table.get("p_adjusted", table["p_value"])}
    for name, column in columns.items():
        of_couple = dict(zip(couples, column, strict=True))
        values = [of_couple.get(frozenset((reference, model))) for model in pairs.names]
        columns[name] = np.array(values, object)
    return columns, found.p_value, found.method
