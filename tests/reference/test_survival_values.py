"""Values of timeROC, riskRegression and survival on the data sets of scikit-survival.

AUCs by timeROC 0.4.1 and riskRegression 2022.11.28, p values by timeROC, Harrell's and Uno's index
by survival 3.5-3; standard errors by complex-step derivatives of loops over pairs of rows.
"""

import numpy as np
import pytest

import rocwise as rw

datasets = pytest.importorskip("sksurv.datasets")
TIMES = [182, 365, 730, 1460]


@pytest.fixture(scope="module")
def whas():
    rows, outcome = datasets.load_whas500()
    scores = {name: rows[name].to_numpy(float) for name in ("age", "hr")}
    return rw.survival.follow_up(outcome["lenfol"], outcome["fstat"], scores)


def close(found, expected, tolerance=1e-9):
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance)


def test_areas_of_whas500(whas):
    found = rw.survival.auc(whas, TIMES)
    close(found["age"].value, [0.7573892774, 0.7659540396, 0.7684071100, 0.7775297575])
    close(found["age"].standard_error, [0.0253511469, 0.0230017172, 0.0232311123, 0.0285478641])
    close(found["hr"].value[2], 0.6665972420)
    close(found["hr"].standard_error[2], 0.0274141392)


def test_rates_of_whas500(whas):
    found = rw.survival.at(whas, [730, 182], threshold=76)["age"]
    expected = {
        "sensitivity": ([0.6771228147, 0.7090909091], [0.0359600930, 0.0433478929]),
        "specificity": ([0.7161016949, 0.6794871795], [0.0293797082, 0.0236546084]),
        "ppv": ([0.5712638949, 0.3842364532], [0.0369752247, 0.0341737769]),
        "npv": ([0.7987945200, 0.8922558923], [0.0247131041, 0.0180093476]),
    }
    for name, (values, errors) in expected.items():
        close(found.columns[name], values)
        close(found.columns[f"{name}_standard_error"], errors)


def test_comparison_on_whas500(whas):
    found = rw.survival.compare(whas, TIMES, rng=1)
    close(found.difference, [0.1545571096, 0.1418748499, 0.1018098681, 0.1498009151])
    close(found.standard_error, [0.0397203364, 0.0354825178, 0.0362809446, 0.0442279829])
    close(found.statistic, [3.8911329422, 3.9984437027, 2.8061526276, 3.3870166641])
    close(found.p_value, [9.977724e-05, 6.376034e-05, 0.0050136938, 0.0007065710], 6e-11)
    close(found.joint_statistic, 20.6688425047)
    close(found.joint_p_value, 0.000368, 5e-7)
    adjusted = [0.0002726, 0.00016054, 0.0154542, 0.0021824]
    close(found.adjusted_p_value, adjusted, 4 * np.sqrt(0.0154542 / 10_000))


def test_concordance_of_whas500(whas):
    close(rw.survival.concordance(whas, kind="harrell")["age"].value, 0.7312339486)
    close(rw.survival.concordance(whas, tau=1460)["age"].value, 0.7320833417)


def test_areas_of_veterans():
    rows, outcome = datasets.load_veterans_lung_cancer()
    score = -rows["Karnofsky_score"].to_numpy(float)
    found = rw.survival.auc(
        outcome["Survival_in_days"], outcome["Status"], score, times=[30, 90, 180]
    )
    close(found.value, [0.8430962343, 0.8270608029, 0.7123781013])
    close(found.standard_error, [0.0351993161, 0.0341315119, 0.0513529985])
