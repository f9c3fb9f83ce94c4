"""Names of other packages lead to functions that run, with the same number."""

import re
from pathlib import Path

import numpy as np
import pytest
from sklearn import metrics
from sklearn.linear_model import LogisticRegression

import rocwise as rw
import rocwise.binary
import rocwise.estimators
from rocwise.lazy_names import PEERS

RNG = np.random.default_rng(2)
Y = np.tile([0, 1], 40)
P = 1 / (1 + np.exp(-(1.5 * Y - 0.75 + RNG.normal(size=80))))
FOLDS = np.repeat(np.arange(4), 20)
THREE = RNG.dirichlet([1, 1, 1], 80)
GIVEN = {
    "{'a': ..., 'b': ...}": "{'a': y_score, 'b': y_score**2}",
    "threshold=...": "threshold=0.5",
    "specificity=...": "specificity=0.9",
    "sensitivity=...": "sensitivity=0.9",
    "max_fpr=...": "max_fpr=0.2",
}
SEVERAL = ("multiclass.auc", "ordinal")


@pytest.mark.parametrize("name", sorted(set(PEERS) - {"power_roc_test"}))
def test_the_suggested_call_runs(name):
    with pytest.raises(AttributeError, match=re.escape(f"rocwise.{PEERS[name]}")):
        getattr(rw, name)
    expression = PEERS[name]
    for hole, value in GIVEN.items():
        expression = expression.replace(hole, value)
    several = expression.startswith(SEVERAL)
    known = {
        "rocwise": rw,
        "y_true": np.arange(80) % 3 if several else Y,
        "y_score": THREE if expression.startswith("multiclass") else P,
        "folds": FOLDS,
        "model": LogisticRegression(),
    }
    if ".plot(" not in expression:  # plots have tests of their own
        assert eval(f"rocwise.{expression}", known) is not None


def test_the_numbers_are_those_of_scikit_learn():
    calls = P >= 0.5
    at = rw.at(Y, P, threshold=0.5)
    pairs = [
        (rw.auc(Y, P).value, metrics.roc_auc_score(Y, P)),
        (rw.average_precision(Y, P).value, metrics.average_precision_score(Y, P)),
        (rw.brier(Y, P), metrics.brier_score_loss(Y, P)),
        (rw.calibration(Y, P).log_loss, metrics.log_loss(Y, P)),
        (at.accuracy[0], metrics.accuracy_score(Y, calls)),
        (at.ppv[0], metrics.precision_score(Y, calls)),
        (at.sensitivity[0], metrics.recall_score(Y, calls)),
        (at.f1[0], metrics.f1_score(Y, calls)),
    ]
    for ours, theirs in pairs:
        assert ours == pytest.approx(theirs)
    cells = [[at.tn[0], at.fp[0]], [at.fn[0], at.tp[0]]]
    np.testing.assert_array_equal(cells, metrics.confusion_matrix(Y, calls))


def test_the_table_of_the_reference_names_what_there_is():
    page = Path(__file__).parents[2] / "docs" / "reference" / "index.md"
    rows = [line.split("|")[2] for line in page.read_text().splitlines() if line.startswith("| ")]
    named = re.findall(r"`([a-zA-Z_.]+)", " ".join(rows[1:]))
    assert "rw.average_precision" in named
    for name in named:
        home = rw
        for part in name.removeprefix("rw.").split("."):
            home = getattr(home, part)
        assert home is not None
