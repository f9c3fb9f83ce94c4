"""Power and sizes of reader studies: published values, the analysis they plan for, errors."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import rocwise as rw
from rocwise.datasets import reader_study
from rocwise.errors import InputError

NAMES = {
    "label": "truth",
    "score": "score",
    "case": "case",
    "reader": "reader",
    "modality": "modality",
}
COMPONENTS = {"var_modality_reader": 0.0002, "auc": 0.85, "r1": 0.4, "r2": 0.4, "r3": 0.3}


def approx(value):
    return pytest.approx(value, rel=1e-9, abs=1e-14)


def pilot_of(folder, name, **options):
    return rw.readers.compare(folder / "readers" / f"{name}.csv", **NAMES, **options)


def totals(comparison):
    names = ("var_modality_reader", "var", "cov1", "cov2", "cov3")
    sizes = {"n_pos": comparison.n_pos, "n_neg": comparison.n_neg}
    return {name: comparison.components[name] for name in names} | sizes


@pytest.fixture(scope="module")
def vandyke(data_folder):
    return pilot_of(data_folder, "vandyke")


@pytest.fixture(scope="module")
def simulated():
    return rw.readers.compare(pd.DataFrame(reader_study(6, 40, 60).columns), **NAMES)


@pytest.mark.parametrize(
    ("cases", "options", "power"),
    [
        ((65, 100), {}, 0.80541995),
        ((52, 79), {"readers": "fixed"}, 0.80091813),
        ((21, 32), {"cases": "fixed"}, 0.80496663),
    ],
)
def test_published_power(data_folder, cases, options, power):
    pilot = totals(pilot_of(data_folder, "vandyke", covariance="jackknife"))
    n_pos, n_neg = cases
    found = rw.readers.plan(
        pilot, difference=0.043800322, n_readers=10, n_pos=n_pos, n_neg=n_neg, **options
    )
    assert found.achieved_power == pytest.approx(power, abs=5e-8)
    if not options:
        assert found.df == approx(62.70727971)
        again = rw.readers.plan(pilot, difference=0.043800322, n_readers=10, n_pos=64, n_neg=99)
        assert again.df == approx(63.13787090)


def test_published_size(data_folder):
    pilot = totals(pilot_of(data_folder, "franken", covariance="jackknife"))
    powers = [
        rw.readers.plan(pilot, difference=0.05, n_readers=6, n_pos=m, n_neg=n).achieved_power
        for m, n in ((80, 40), (81, 40))
    ]
    assert powers[0] < 0.8
    assert powers[1] == pytest.approx(0.8004469, abs=5e-8)


@pytest.mark.parametrize(
    ("readers", "expected"),
    [
        (6, (67, 103, 0.8024855810)),
        (10, (47, 73, 0.806010676)),
        (4, (146, 224, 0.8008156438)),
    ],
)
def test_sizes_by_class(vandyke, readers, expected):
    found = rw.readers.plan(vandyke, difference=0.05, n_readers=readers)
    assert (found.n_pos, found.n_neg) == expected[:2]
    assert found.achieved_power == approx(expected[2])
    again = rw.readers.plan(vandyke, difference=0.05, n_pos=expected[0], n_neg=expected[1])
    assert again.n_readers == readers
    row = found.table([readers])
    assert [row["n_pos"][0], row["n_neg"][0]] == list(expected[:2])


def test_other_designs(vandyke, data_folder):
    def power(pilot=vandyke, **options):
        return rw.readers.plan(pilot, **options).achieved_power

    crossed = {"difference": 0.05, "n_readers": 10, "n_pos": 100, "n_neg": 100}
    assert power(**crossed) == approx(0.9615763093)
    assert power(margin=0.05, n_readers=8, n_pos=60, n_neg=90) == approx(0.8398748698)
    split = {"difference": 0.05, "split": 2, "n_pos": 67, "n_neg": 103}
    assert power(n_readers=6, **split) == approx(0.6626853022)
    found = rw.readers.plan(vandyke, n_readers=12, **split)
    assert [found.achieved_power, found.df] == approx([0.8704599890, 44.82109393])
    names = {name: NAMES[name] for name in NAMES if name != "modality"}
    path = data_folder / "readers" / "nico_cad_roc.csv"
    model = rw.readers.compare(path, **names, ai="CAD")
    sizes = {"difference": 0.05, "n_readers": 15, "n_pos": 160, "n_neg": 240}
    assert power(model, **sizes) == approx(0.6068235903)
    sizes |= {"n_readers": 20, "n_pos": 400, "n_neg": 600}
    assert power(model, **sizes) == approx(0.9331144594)


def test_the_plan_of_the_pilot_has_its_degrees_of_freedom(simulated):
    c = simulated
    assert c.components["var_modality_reader"] > 0
    assert c.components["cov2"] > c.components["cov3"]
    found = rw.readers.plan(c, difference=0.1, n_readers=c.n_readers, n_pos=c.n_pos, n_neg=c.n_neg)
    assert found.df == approx(c.df)
    ncp = (0.1 / c.standard_error) ** 2
    cut = stats.f.ppf(0.95, 1, c.df)
    assert found.achieved_power == pytest.approx(stats.ncf.sf(cut, 1, c.df, ncp), abs=1e-7)
    claim = rw.readers.plan(
        c, margin=0.1, difference=0.02, n_readers=c.n_readers, n_pos=c.n_pos, n_neg=c.n_neg
    )
    shift = 0.12 / c.standard_error
    expected = stats.nct.sf(stats.t.ppf(0.975, c.df), c.df, shift)
    assert claim.achieved_power == pytest.approx(expected, abs=1e-7)


def test_split_of_one_group_is_crossed(simulated):
    sizes = {"difference": 0.1, "n_readers": 6, "n_pos": 50, "n_neg": 60}
    one = rw.readers.plan(simulated, split=1, **sizes)
    assert one.achieved_power == rw.readers.plan(simulated, **sizes).achieved_power
    assert rw.readers.plan(simulated, split=3, **sizes).achieved_power < one.achieved_power


def test_large_studies_are_searched_by_halves(simulated):
    found = rw.readers.plan(simulated, difference=0.006, n_readers=10, readers="fixed")
    assert found.n_pos > 5_000
    less = rw.readers.plan(
        simulated,
        difference=0.006,
        n_readers=10,
        readers="fixed",
        n_pos=found.n_pos - 1,
        n_neg=math.ceil(found.ratio * (found.n_pos - 1)),
    )
    assert less.achieved_power < 0.8 <= found.achieved_power


def test_the_power_is_one_for_large_differences():
    sizes = {"difference": 0.5, "n_readers": 10, "n_pos": 2_000, "n_neg": 2_000}
    found = rw.readers.plan(COMPONENTS | {"var_modality_reader": 1e-6}, **sizes)
    assert found.curves()["power"].max() == found.achieved_power == 1.0


def test_the_components_of_a_plan_are_a_pilot(simulated):
    plan = rw.readers.plan(simulated, difference=0.1, n_readers=8)
    again = rw.readers.plan(plan.pilot, difference=0.1, n_readers=8)
    assert (again.n_pos, again.achieved_power) == (plan.n_pos, approx(plan.achieved_power))


def test_components_without_pilot():
    found = rw.readers.plan(COMPONENTS, difference=0.05, n_readers=6, ratio=2)
    assert found.n_neg == 2 * found.n_pos
    wider = rw.readers.plan(COMPONENTS | {"r1": 0.2}, difference=0.05, n_readers=6, ratio=2)
    assert wider.n_pos > found.n_pos
    assert repr(found).startswith(f"6 readers, {found.n_pos} positives")
    curves = found.curves()
    own = curves["n_readers"] == 6
    place = int(np.flatnonzero(curves["n_pos"][own] >= found.n_pos)[0])
    assert curves["power"][own][place] >= 0.8 > curves["power"][own][0]
    few = rw.readers.plan(COMPONENTS, difference=0.05, n_readers=6).table([2])
    assert math.isinf(few["n_pos"][0])
    assert 0.05 < few["achieved_power"][0] < 0.8


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        ({}, {"n_readers": 6}, "`difference` is needed"),
        ({}, {"difference": 0.05}, "give `n_readers`, or the cases"),
        ({}, {"difference": 0, "n_readers": 6}, "must not be 0"),
        ({}, {"difference": 0.05, "n_readers": 1}, "at least 2"),
        ({}, {"difference": 0.05, "n_readers": 5, "split": 2}, "multiple of `split`=2"),
        ({}, {"difference": 0.05, "n_readers": 5, "n_pos": 1}, "at least 2"),
        ({}, {"difference": 0.01, "n_readers": 3}, "no number of cases reaches power 0.8"),
        ({}, {"difference": 0.01, "n_pos": 20}, "no number of readers reaches power 0.8"),
        ({"r1": "much"}, {"difference": 0.05, "n_readers": 3}, r"`pilot\['r1'\]` must be a number"),
    ],
)
def test_errors(change, options, message):
    with pytest.raises(InputError, match=message):
        rw.readers.plan(COMPONENTS | change, **options)


def test_errors_of_pilots(simulated):
    with pytest.raises(InputError, match="lacks 'n_pos'"):
        rw.readers.plan({"sigma2": 0.1, "variance": 1}, difference=0.05, n_readers=5)
    frame = pd.DataFrame(reader_study(3, 20, 20, separation=(1, 1, 1)).columns)
    three = rw.readers.compare(frame, **NAMES)
    with pytest.raises(InputError, match="choose two: modalities="):
        rw.readers.plan(three, difference=0.05, n_readers=5)
    one = rw.readers.compare(frame, **NAMES, modalities=["A"])
    with pytest.raises(InputError, match="it has one modality"):
        rw.readers.plan(one, difference=0.05, n_readers=5)
    nested = frame[frame.modality != "C"].assign(case=lambda x: x.modality + x.case.astype(str))
    with pytest.raises(InputError, match="must be fully crossed"):
        rw.readers.plan(rw.readers.compare(nested, **NAMES), difference=0.05, n_readers=5)
    with pytest.raises(InputError, match="must be the result of"):
        rw.readers.plan(0.8, difference=0.05, n_readers=5)
    with pytest.raises(InputError, match="must have the ratio of the pilot"):
        rw.readers.plan(totals(simulated), difference=0.1, n_readers=5, n_pos=20, n_neg=90)
