"""Areas, variances, intervals and partial areas as R's pROC gives them (see proc_values.R)."""

import csv
from pathlib import Path

import numpy as np
import pytest

import rocwise as rw
from oracles.spec_samples import P1, SAMPLES, tally_of

VALUES = Path(__file__).with_name("proc_values.csv")


def residues():
    """The sample that the R script makes from remainders: ties within and between the classes."""
    i = np.arange(300)
    positive = (31 * i) % 17 < 6
    score = (7919 * i + 13 * (i % 17)) % 101 + np.where(positive, 20, 0)
    return score[~positive], score[positive]


@pytest.fixture(scope="module")
def tally_named(request):
    made = {name: tally_of(SAMPLES[name]) for name in "ABC"}
    made |= {"P1": tally_of(P1), "residues": tally_of(residues())}

    def find(name):
        if name not in made:
            folder = request.getfixturevalue("data_folder")
            path = folder / "asah.csv.gz"
            made[name] = rw.tally(path, label="target", score=name, pos_label="Poor")
        return made[name]

    return find


def reference_rows():
    with VALUES.open() as lines:
        rows = csv.DictReader(line for line in lines if not line.startswith("#"))
        return [(row["sample"], row["quantity"], float(row["value"])) for row in rows]


@pytest.mark.parametrize(("sample", "quantity", "value"), reference_rows())
def test_values_of_proc(sample, quantity, value, tally_named):
    words = quantity.split()
    result = QUANTITIES[words[0]](tally_named(sample), words)
    assert result == pytest.approx(value, abs=1e-12)


def _limit(tally, words):
    return getattr(rw.auc(tally, level=float(words[1]), method="delong").interval, words[0])


def _part(tally, words):
    """pROC names a specificity range; that is the FPR range mirrored."""
    kind, axis, high, low = words[0], words[1], float(words[2]), float(words[3])
    part = {"tpr_range": (low, high)} if axis == "se" else {"fpr_range": (1 - high, 1 - low)}
    return rw.auc(tally, **part, standardize=kind == "standardized").value


def _youden(tally, words):
    table = rw.thresholds(tally)
    return int(getattr(table, words[1])[np.argmax(table.youden)])


QUANTITIES = {
    "auc": lambda tally, words: rw.auc(tally).value,
    "variance": lambda tally, words: rw.auc_variance(tally, method="delong"),
    "low": _limit,
    "high": _limit,
    "area": _part,
    "standardized": _part,
    "youden": _youden,
}
