"""What `make gain` asks with one thread and with two, in groups.

Whole tables have all rows; what draws, or has many classes, a tenth of them; and what takes seconds
of a tenth, a hundredth.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any, Literal

import numpy as np

import rocwise as rw

from . import growth_data as data

Ask = Callable[[], object]
Questions = dict[str, Ask]
SOON, OFTEN = 0.2, 0.9  # the false positive rate of partial areas, the specificity of points
CLASSES, FOLDS, ROWS_EACH = 10, 5, 1000  # the last: of a group


class Given:
    """Data that questions share, made when the first of them is asked."""

    def __init__(self, rows: int, drawn: int) -> None:
        self.rows, self.few, self.fewest = rows, rows // 10, rows // 100
        self.draws: dict[str, Any] = {"n_resamples": drawn, **data.DRAWN}
        self.quiet: dict[str, Any] = {"n_resamples": drawn, "rng": 1}  # where none is told

    @cached_property
    def all(self) -> Any:
        """Labels and scores."""
        return data.rows(self.rows)

    @cached_property
    def short(self) -> Any:
        """The same with float32 scores."""
        return self.all[0], self.all[1].astype(np.float32)

    @cached_property
    def weights(self) -> Any:
        """A weight of each row."""
        return np.random.default_rng(2).random(self.rows)

    @cached_property
    def groups(self) -> Any:
        """The group of each row."""
        return data.groups(self.rows // ROWS_EACH, self.rows)[2]

    @cached_property
    def folds(self) -> Any:
        """The fold of each row."""
        return self.groups % FOLDS

    @cached_property
    def models(self) -> Any:
        """Labels, and two models' scores."""
        return data.models(self.rows)

    @cached_property
    def tally(self) -> Any:
        """Fewer rows, sorted."""
        return data.tally(self.few)

    @cached_property
    def short_tally(self) -> Any:
        """The fewest rows, sorted."""
        return data.tally(self.fewest)

    @cached_property
    def pairs(self) -> Any:
        """Two models on fewer rows."""
        return data.pairs(self.few)

    @cached_property
    def short_pairs(self) -> Any:
        """Two models on the fewest rows."""
        return data.pairs(self.fewest)

    @cached_property
    def samples(self) -> Any:
        """A model on half of them, and another on the other half."""
        return data.two_samples(self.few)

    @cached_property
    def weighted(self) -> Any:
        """The fewest rows, some of which count twice or thrice."""
        weights = np.random.default_rng(1).integers(1, 4, self.fewest)
        return rw.tally(*data.rows(self.fewest), sample_weight=weights)

    @cached_property
    def clusters(self) -> Any:
        """The fewest rows, in clusters."""
        y, score, groups = data.groups(max(2, self.fewest // 10), self.fewest)
        return {"data": y, "y_score": score, "groups": groups}

    @cached_property
    def classes(self) -> Any:
        """Several classes."""
        return data.classes(self.few, CLASSES)

    @cached_property
    def three(self) -> Any:
        """Three classes."""
        return data.three_classes(self.few)

    @cached_property
    def class_models(self) -> Any:
        """Three classes and two models of them, the fewest rows."""
        y, score = data.three_classes(self.fewest)
        return y, {"a": score, "b": score + score[::-1]}

    @cached_property
    def stages(self) -> Any:
        """Three ordered classes."""
        return data.stages(self.few)

    @cached_property
    def stage_models(self) -> Any:
        """The same and two models."""
        y, score = self.stages
        return y, {"a": score, "b": score + score[::-1]}

    @cached_property
    def forecasts(self) -> Any:
        """A target and two forecasters."""
        return data.forecasts(self.few)

    @cached_property
    def forecast(self) -> Any:
        """A target and one of them."""
        return self.forecasts[0], self.forecasts[1]["a"]


def questions(rows: int, drawn: int) -> dict[str, Questions]:
    """What is asked of `rows`, and of `drawn` resamples of a tenth of them, by group."""
    given = Given(rows, drawn)
    return {
        "Areas and tests of all rows": _areas(given),
        "Curves of all rows": _curves(given),
        "Decisions from all rows": _decisions(given),
        "Bands": _bands(given),
        "Resampled numbers": _resampled(given),
        "Models compared": _compared(given),
        "Many or ordered classes": _classes(given),
        "Forecasts": _forecasts(given),
    }


def _areas(given: Given) -> Questions:
    return {
        "`auc`, float64": lambda: rw.auc(*given.all),
        "`auc`, float32": lambda: rw.auc(*given.short),
        "`auc` up to a false positive rate": lambda: rw.auc(*given.all, max_fpr=SOON),
        "`auc`, weighted": lambda: rw.auc(*given.all, sample_weight=given.weights),
        "`auc`, clusters": lambda: rw.auc(*given.all, groups=given.groups),
        "`auc_variance`, unbiased": lambda: rw.auc_variance(*given.all, method="unbiased"),
        "`test_auc`, Wilcoxon": lambda: rw.test_auc(*given.all, method="wilcoxon"),
        "`cross_validated_auc`": lambda: rw.cross_validated_auc(*given.all, given.folds),
        "`average_precision`": lambda: rw.average_precision(*given.all),
        "`smooth_roc`, area": lambda: rw.smooth_roc(*given.all).auc,
        "`scored_auc`": lambda: rw.scored_auc(*given.all),
        "`probabilistic_auc`": lambda: rw.probabilistic_auc(*given.all),
        "`h_measure`": lambda: rw.h_measure(*given.all),
        "`brier`": lambda: rw.brier(*given.all),
        "`calibration`": lambda: rw.calibration(*given.all),
        "`binormal`": lambda: rw.binormal(*given.all),
    }


def _curves(given: Given) -> Questions:
    return {
        "`roc`": lambda: rw.roc(*given.all).fpr,
        "`det`": lambda: rw.det(*given.all),
        "`hull`": lambda: rw.hull(*given.all),
        "`precision_recall`": lambda: rw.precision_recall(*given.all).precision,
        "`lift`": lambda: rw.lift(*given.all),
        "`smooth_roc`, curve": lambda: rw.smooth_roc(*given.all).x,
        "`cost_curve`": lambda: rw.cost_curve(*given.all).area,
        "`decision_curve`": lambda: rw.decision_curve(*given.all).net_benefit,
        "`thresholds`, with `ppv`, `f1` and `mcc`": lambda: _measures(given.all),
        "`abstention_surface`": lambda: rw.abstention_surface(*given.all),
    }


def _measures(rows: Any) -> object:
    table = rw.thresholds(*rows)
    return table.ppv, table.f1, table.mcc


def _decisions(given: Given) -> Questions:
    return {
        "`threshold`, Youden": lambda: rw.threshold(*given.all, rule="youden"),
        "`threshold`, costs": lambda: rw.threshold(*given.all, costs=data.COSTS),
        "`threshold_by_group`": lambda: data.by_group((*given.all, given.groups)),
        "`guaranteed_threshold`": lambda: rw.guaranteed_threshold(*given.all),
        "`at`, three thresholds": lambda: rw.at(*given.all, threshold=[0.3, 0.5, 0.7]),
        "`abstain`": lambda: rw.abstain(*given.all, costs=data.COSTS),
        "`abstain_within`": lambda: rw.abstain_within(
            *given.all, costs=rw.Costs(fp=1, fn=5), max_abstention=SOON
        ),
        "`reliable`": lambda: rw.reliable(*given.all, positive=0.6, negative=0.8),
        "`summary`, two models": lambda: rw.summary(*given.models),
        "`rank_features`, two columns": lambda: rw.rank_features(given.models[1], given.models[0]),
    }


def _bands(given: Given) -> Questions:
    def band(kind: Any) -> Ask:
        if kind in ("simultaneous", "pointwise", "future"):
            return lambda: rw.band(given.tally, kind=kind, **given.quiet)
        return lambda: rw.band(*given.all, kind=kind)

    return {
        **{f"`band`, {kind}": band(kind) for kind in data.BANDS},
        "`band`, weighted": lambda: rw.band(given.weighted, **given.quiet),
        "`band`, clusters": lambda: rw.band(**given.clusters, **given.quiet),
        "`cost_curve(...).band`": lambda: rw.cost_curve(given.tally).band(**given.draws),
        "`decision_curve(...).band`": lambda: rw.decision_curve(given.tally).band(**given.draws),
        "`threshold_regions`, Clopper-Pearson": lambda: data.exact_regions(given.all),
        "`confident_segment`": lambda: rw.confident_segment(*given.all),
    }


def _resampled(given: Given) -> Questions:
    statistics: dict[str, Any] = {
        "the area": "auc",
        "a partial area": rw.statistics.PartialArea(max_fpr=SOON),
        "a sensitivity": rw.statistics.SensitivityAt(OFTEN),
        "Youden's threshold": "youden-threshold",
        "average precision": "average-precision",
        "the smooth area": "smooth-auc",
    }

    def bootstrap(statistic: Any) -> Ask:
        return lambda: rw.bootstrap(given.tally, statistic=statistic, **given.draws)

    def uncertainty(of: Callable[[], Any]) -> Ask:
        return lambda: of().uncertainty(**given.draws)

    def calibration(strategy: Literal["isotonic", "loess"]) -> Ask:
        return lambda: rw.calibration(given.short_tally, strategy=strategy, **given.quiet)

    return {
        **{f"`bootstrap` of {name}": bootstrap(each) for name, each in statistics.items()},
        "`bootstrap`, weighted": lambda: rw.bootstrap(given.weighted, **given.draws),
        "`bootstrap`, clusters": lambda: rw.bootstrap(**given.clusters, **given.draws),
        "`auc_intervals`": lambda: rw.auc_intervals(given.tally, **given.quiet),
        "`at`, a specificity": lambda: rw.at(given.short_tally, specificity=OFTEN, **given.quiet),
        "`equal_error_rate`": lambda: rw.equal_error_rate(given.tally, **given.quiet),
        "`threshold`, uncertainty": uncertainty(lambda: rw.threshold(given.tally, rule="youden")),
        "`abstain`, uncertainty": uncertainty(lambda: rw.abstain(given.tally, costs=data.COSTS)),
        **{f"`calibration`, {name}": calibration(name) for name in ("isotonic", "loess")},
    }


def _compared(given: Given) -> Questions:
    whole: dict[str, dict[str, Any]] = {
        "DeLong": {},
        "unbiased": {"method": "unbiased"},
        "permutation": {"method": "permutation"},
        "partial areas": {"max_fpr": SOON},
    }
    drawn: dict[str, dict[str, Any]] = {
        "bootstrap": {},
        "bootstrap of partial areas": {"max_fpr": SOON},
        "bootstrap of sensitivities": {"at_specificity": OFTEN},
        "bootstrap of average precision": {"statistic": "average-precision"},
        "bootstrap of smooth areas": {"statistic": "smooth-auc"},
        "Venkatraman": {"method": "venkatraman"},
        "drawn permutations": {"method": "permutation-monte-carlo"},
    }

    def of_all(how: dict[str, Any]) -> Ask:
        return lambda: rw.compare(*given.models, **how)

    def of_few(how: dict[str, Any]) -> Ask:
        return lambda: rw.compare(given.pairs, **({"method": "bootstrap"} | how), **given.draws)

    def curves(kind: Literal["cost", "decision"]) -> Ask:
        return lambda: rw.compare_curves(given.pairs, curve=kind, **given.draws)

    return {
        **{f"`compare`, {name}": of_all(how) for name, how in whole.items()},
        **{f"`compare`, {name}": of_few(how) for name, how in drawn.items()},
        "`compare`, two samples, Venkatraman": lambda: rw.compare(
            *given.samples, method="venkatraman", **given.draws
        ),
        "`compare_curves`, costs": curves("cost"),
        "`compare_curves`, decisions": curves("decision"),
        "`compare_at`": lambda: rw.compare_at(given.short_pairs, specificity=OFTEN, **given.draws),
    }


def _classes(given: Given) -> Questions:
    draws = {**given.draws, "method": "bootstrap"}
    return {
        "`multiclass_auc`, interval": lambda: rw.multiclass_auc(*given.classes).interval,
        "`multiclass_auc`, bootstrap": lambda: rw.multiclass_auc(*given.three, **draws).interval,
        "`multiclass_roc`": lambda: rw.multiclass_roc(*given.classes),
        "`multiclass_roc`, bands": lambda: rw.multiclass_roc(
            *given.three, bands=True, **given.quiet
        ),
        "`compare_multiclass`": lambda: rw.compare_multiclass(*given.class_models),
        "`compare_multiclass`, bootstrap": lambda: rw.compare_multiclass(
            *given.class_models, **draws
        ),
        "`class_weights`": lambda: rw.class_weights(*given.classes, rng=1, progress=False),
        "`metaclass`": lambda: rw.metaclass(*given.classes),
        "`hum`, drawn tuples": lambda: rw.hum(
            *given.three, n_tuples=given.few, rng=1, progress=False
        ),
        "`ordinal_auc`, interval": lambda: rw.ordinal_auc(*given.stages).interval,
        "`ordinal_auc`, bootstrap": lambda: rw.ordinal_auc(*given.stages, **draws).interval,
        "`compare_ordinal`": lambda: rw.compare_ordinal(*given.stage_models),
        "`compare_ordinal`, bootstrap": lambda: rw.compare_ordinal(*given.stage_models, **draws),
        "`ordinal_thresholds`": lambda: rw.ordinal_thresholds(*given.stages),
        "`roc_surface`": lambda: rw.roc_surface(*given.stages),
    }


def _forecasts(given: Given) -> Questions:
    def test(method: Any) -> Ask:
        return lambda: rw.compare_rec(*given.forecasts, method=method, **given.draws)

    return {
        "`rec`": lambda: rw.rec(*given.forecast),
        "`rroc`": lambda: rw.rroc(*given.forecast),
        "`rec_band`, bootstrap": lambda: rw.rec_band(
            rw.rec(*given.forecast), kind="bootstrap", **given.draws
        ),
        **{
            f"`compare_rec`, {name}": test(name)
            for name in ("swap", "swap-sup", "bootstrap", "block-bootstrap")
        },
    }
