"""Code as users write it, for type checkers to read; it is never run.

Every line that ends in `# mistake` must be found, and no other.
"""
# ruff: noqa: B018

from pathlib import Path
from typing import Any

import numpy as np

import rocwise as rw
from rocwise.errors import DirectionWarning, MissingPackageError

y = np.array([0, 0, 1, 1])
s = np.array([0.1, 0.4, 0.35, 0.8])
frame: Any = {"ill": y, "risk": s}
path = Path("cases.csv")

# --- data
tally = rw.tally(y, s, pos_label=1, direction="lower", missing="drop", resolution=100)
tally_of_lists: rw.Tally = rw.tally([0, 1], [0.1, 0.2], sample_weight=[1, 2])
tally_of_file = rw.tally(path, label="ill", score="risk", sample_weight="w")
pairs: rw.Pairs = rw.pair(y, {"a": s, "b": s}, groups=[1, 1, 2, 2])
pairs_of_frame = rw.pair(frame, label="ill", scores=["a", "b"], missing="raise")
names: tuple[str, ...] = pairs.names
part: rw.Tally = pairs.tally("a")

rw.tally(y, s, direction="up")  # mistake
rw.tally(y, s, missing=True)  # mistake
rw.tally(y, s, resolution="fine")  # mistake
rw.tally(y)  # mistake
rw.tally(path, label="ill")  # mistake
tally.scores = s  # mistake
tally.count  # mistake

# --- functions of one model, in every form
area: float = rw.auc(tally).value
rw.auc(y, s)
rw.auc(y_true=y, y_score=s, level=0.9)
rw.auc(data=tally)
rw.auc([0, 1], [0.1, 0.2], method="logit", n_resamples=500, rng=1)
rw.auc(path, label="ill", score="risk", groups="patient")
rw.auc("cases.csv", label="ill", score="risk", direction="lower", missing="drop")
rw.auc(frame, label="ill", score="risk", by="site")
rw.auc(y, s, pos_label="yes", sample_weight=[1, 2, 3, 4])
low, high = rw.auc(tally).interval
low_again: float = rw.auc(tally).interval.low
curve = rw.roc(y, s, drop_intermediate=True)
rates = curve.fpr + curve.tpr
table: dict[str, Any] = curve.to_dict()
curve.plot()
point = rw.threshold(tally, rule="cost", costs=rw.Costs(fp=1, fn=5), prevalence=0.1)
cut: float = point.threshold
rw.threshold(y, s, rule="min-sensitivity", constraint=0.9)
rw.band(tally, kind="simultaneous", level=0.95)
rw.abstain(y, s, costs=rw.Costs(fp=1, fn=5, abstain=0.2)).lower
rw.bootstrap(tally, statistic="auc", n_resamples=100, rng=np.random.default_rng(1))

rw.auc(y, s, levl=0.9)  # mistake
rw.auc(y, s, level="0.9")  # mistake
rw.auc(y, s, method="dellong")  # mistake
rw.auc(y, s, direction="up")  # mistake
rw.auc(y, s, missing="ignore")  # mistake
rw.auc(y, s, 0.9)  # mistake
rw.auc(path, label=1, score="risk")  # mistake
rw.auc(tally).valu  # mistake
text: str = rw.auc(tally).value  # mistake

# --- results of several models and of groups
of_models = rw.auc(y, {"a": [0.1, 0.2], "b": [0.3, 0.4]})
of_models["a"].value + of_models.names.index("a")
of_pairs: float = rw.auc(pairs)["a"].value
of_columns: float = rw.auc(frame, label="ill", score=["a", "b"])["a"].interval.low
of_groups = rw.auc(frame, label="ill", score="risk", by="site")
north: float = of_groups["north"].value
of_groups.groups, of_groups.p_value, dict(of_groups.items())
by_region: float = rw.auc(frame, label="ill", score=["a", "b"], by="site")["a"]["north"].value
rw.roc(y, s, by=[1, 1, 2, 2])[1].fpr
rw.at(pairs, threshold=0.5)["a"].columns
rw.threshold(frame, label="ill", score="risk", by="site", rule="youden")["north"].threshold
rw.compare(frame, label="ill", scores=["a", "b"], by="site")["north"].p_value

rw.auc(pairs).value  # mistake
rw.auc(frame, label="ill", score=["a", "b"]).interval  # mistake
rw.auc(pairs)["a"].valu  # mistake
rw.auc(y, s, by=2)  # mistake

# --- a result as its number
higher: bool = rw.auc(y, s) > 0.8
twice: float = 2 * rw.auc(y, s) - 1
shown = f"{rw.auc(y, s):.3f}"
best: float = float(max(rw.auc(y, s), rw.auc(s, y)))
logged: dict[str, float] = rw.auc(y, s).metrics()
curve.fpr = s  # mistake
rw.roc(y, s, clusters=y)  # mistake
rw.threshold(tally, rule="yuden")  # mistake
rw.threshold(tally, costs=(1, 5))  # mistake
rw.Costs(fp=1)  # mistake
rw.band(tally, kind="wide")  # mistake

# --- several models
comparison = rw.compare(pairs)
rw.compare(tally, tally_of_lists)
rw.compare(y, {"a": s, "b": s}, method="bootstrap", alternative="two-sided")
rw.compare(path, label="ill", scores=["a", "b"], missing="drop")
rw.compare(y_true=y, scores={"a": s, "b": s}, groups=[1, 1, 2, 2])
rw.auc_covariance(pairs).shape
estimate: float = comparison.estimates["a"]

rw.compare(pairs, method="delongg")  # mistake
rw.compare(pairs, alternativ="two-sided")  # mistake
comparison.p_valu  # mistake

# --- other kinds of data
rw.multiclass.auc(y, np.ones((4, 2)), average="hand-till").value
rw.ordinal.auc(y, s, measure="volume").interval
rw.regression.rec(s, s, loss="absolute").aoc
rw.regression.rec(s, {"a": s, "b": s})["b"].aoc
rw.sample_size(0.8, power=0.9).n_pos

rw.multiclass.auc(y, np.ones((4, 2)), average="mean")  # mistake
rw.ordinal.auc(y, s, measure="area")  # mistake
rw.regression.rec(s, s, los="squared")  # mistake

# --- times to an event
concordance: float = rw.survival.concordance(s, y, s).value
at_1 = rw.survival.auc(s, y, s, times=[1]).value[0]
of_risks = rw.survival.auc(s, y, {"a": s, "b": s}, times=[1])["a"].low
of_cohort = rw.survival.auc(frame, time="t", event="e", score="a").standard_error
of_scores = rw.survival.brier(frame, time="t", event="e", scores=["a", "b"], times=[1])["a"].value
rw.survival.at(rw.survival.follow_up(s, y, s), [1], threshold=0.5)

rw.survival.auc(s, y, s, tims=[1])  # mistake
rw.survival.concordance(frame, time="t", event="e", score="a").valu  # mistake
rw.survival.auc(frame, time="t", event="e", scores=["a", "b"]).value  # mistake

# --- names
try:
    rw.auc(y, s)
except rw.InputError as problem:
    raise SystemExit(str(problem)) from None
except MissingPackageError:
    pass
kind: type[rw.RocwiseWarning] = DirectionWarning

rw.acu(y, s)  # mistake
