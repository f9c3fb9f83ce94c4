"""The table of a paper."""

import numpy as np
import pytest

import rocwise as rw
from rocwise import printing

RNG = np.random.default_rng(2)
Y = (RNG.random(150) < 0.4).astype(int)
MODELS = {
    name: np.round(d * Y + RNG.normal(size=150), 2)
    for name, d in zip("abc", (1.5, 1, 0.5), strict=True)
}
PAIRS = rw.pair(Y, MODELS)


def test_every_number_is_that_of_its_own_function():
    table = rw.summary(PAIRS, reference="b", prevalence=0.1)
    for row, name in enumerate(table.names):
        area = rw.auc(PAIRS.tally(name))
        assert table.columns["auc"][row] == area.value
        assert table.columns["auc_low"][row] == area.interval.low
        point = rw.threshold(PAIRS.tally(name), rule="youden", prevalence=0.1)
        assert table.columns["threshold"][row] == point.threshold
        at = rw.at(PAIRS.tally(name), threshold=point.threshold, prevalence=0.1)
        for column in ("sensitivity_low", "specificity", "ppv_high", "npv"):
            assert table.columns[column][row] == at.columns[column][0]
    p = [rw.compare(PAIRS.select(["b", name])).p_value for name in "ac"]
    assert table.columns["p_value"].tolist() == [p[0], None, p[1]]
    together = rw.compare(PAIRS)  # the family of Holm's adjustment: all pairs, also (a, c)
    ab, _, bc = together.pairwise["p_adjusted"]
    assert table.columns["p_adjusted"].tolist() == [ab, None, bc]
    assert table.joint_p_value == together.p_value
    page = rw.report(PAIRS, path=None, n_resamples=20).payload["comparison"]
    assert [page["rows"][row]["p"] for row in (0, 2)] == [ab, bc]


def test_one_threshold_for_all_and_one_model():
    table = rw.summary(PAIRS, threshold=0.5)
    assert set(table.columns["threshold"].tolist()) == {0.5}
    assert table.rule == "given"
    alone = rw.summary(Y, {"a": MODELS["a"]})
    assert alone.reference is None
    assert "p adjusted" not in alone.to_markdown()
    two = rw.summary(Y, {name: MODELS[name] for name in "ab"})
    assert "| p value |" in two.to_markdown()
    assert "Holm" not in repr(two)


def test_one_method_of_intervals_for_all_models():
    models = MODELS | {"separated": Y}
    assert rw.summary(Y, models).auc_method == "Wilson (effective n)"
    table = rw.summary(PAIRS, method="logit")
    assert table.auc_method == "logit DeLong"
    assert table.columns["auc_low"][0] == rw.auc(Y, MODELS["a"], method="logit").interval.low
    mixed = rw.summary(Y, models, method="delong")  # no variance where classes are separated
    assert mixed.auc_method == "DeLong (a, b, c), Newcombe score (separated)"
    drawn = [rw.summary(PAIRS, method="bootstrap", rng=1).columns["auc_low"] for _ in range(2)]
    assert (drawn[0] == drawn[1]).all()
    with pytest.raises(rw.InputError, match="`method` must be one of"):
        rw.summary(PAIRS, method="exact")


def test_the_table_is_ready_for_a_paper():
    table = rw.summary(Y, MODELS)
    lines = table.to_markdown().splitlines()
    assert len(lines) == 5
    assert "AUC (95% CI)" in lines[0]
    assert "sensitivity (95% CI)" in lines[0]
    assert table.to_latex().count(r"\\") == 4
    assert "p_value" in table.to_csv().splitlines()[0]
    assert "p adjusted (Holm)" in lines[0]
    assert "Holm-adjusted p (3 comparisons): AUC against a; all equal: p " in table.caption
    assert repr(table).splitlines()[0].startswith("a: AUC 0.")
    adjusted = printing.p_value(table.columns["p_adjusted"][2])
    assert repr(table).splitlines()[2].endswith(f"), Holm-adjusted {adjusted}")
    assert "<table>" in table._repr_html_()


def test_errors():
    with pytest.raises(rw.InputError, match="`reference` must be one of 'a', 'b', 'c'; got 'd'"):
        rw.summary(PAIRS, reference="d")
    with pytest.raises(rw.InputError, match="needs another model"):
        rw.summary(Y, {"a": MODELS["a"]}, reference="a")


def test_the_note_names_intervals_and_prevalence():
    plain, at_tenth = rw.summary(PAIRS), rw.summary(PAIRS, prevalence=0.1)
    assert "rates by Wilson at the threshold" in plain.caption
    assert "prevalence" not in plain.caption
    words = "PPV and NPV by logit (Mercaldo et al.)"
    assert f"sensitivity and specificity by Wilson, {words}" in at_tenth.caption
    assert "PPV and NPV for a prevalence of 10%" in at_tenth.caption
    assert "PPV at 10% prevalence (95% CI)" in at_tenth.to_markdown()
    point = rw.at(PAIRS.tally("a"), threshold=0.5, prevalence=0.1)
    assert words in repr(point)
    assert "prevalence of 10%" in repr(point)
    assert point.interval("ppv").method == at_tenth.methods["ppv"] == "logit (Mercaldo et al.)"
    weights = 1 + np.arange(len(Y)) % 3
    weighted = rw.summary(Y, MODELS, sample_weight=weights)
    assert "by Wilson with Kish's effective sample size" in weighted.caption
    assert weighted.caption.startswith("weighted ")
    assert weighted.caption.endswith("weights of 150 rows")


def test_the_note_names_the_bootstrap_of_clusters_and_its_seed():
    groups = np.arange(len(Y)) // 3
    table = rw.summary(Y, MODELS, groups=groups, n_resamples=100, rng=4)
    assert "rates by bootstrap percentile of whole clusters" in table.caption
    assert table.caption.endswith("50 clusters; 100 resamples, seed 4")
    tally = rw.tally(Y, MODELS["a"], groups=groups)
    point = rw.at(tally, threshold=table.columns["threshold"][0], n_resamples=100, rng=4)
    assert table.columns["ppv_low"][0] == point.ppv_low[0]
    again = rw.summary(Y, MODELS, groups=groups, n_resamples=100, rng=4)
    assert again.to_csv() == table.to_csv()
