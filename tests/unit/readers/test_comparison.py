"""Comparison of readers: published results, brute force, designs, laws and errors."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

import rocwise as rw
from oracles.reader_sums import Table
from rocwise.datasets import reader_study
from rocwise.errors import InputError

NAMES = {
    "label": "truth",
    "score": "score",
    "case": "case",
    "reader": "reader",
    "modality": "modality",
}
close = pytest.approx


def approx(value, rel=1e-9, abs=1e-14):
    return pytest.approx(value, rel=rel, abs=abs)


def compare(frame, **options):
    return rw.readers.compare(frame, **NAMES, **options)


def found(comparison):
    interval = comparison.interval
    return [
        comparison.difference,
        comparison.standard_error,
        interval.low,
        interval.high,
        comparison.p_value,
    ]


@pytest.fixture(scope="module")
def vandyke(data_folder):
    return pd.read_csv(data_folder / "readers" / "vandyke.csv")


@pytest.fixture(scope="module")
def franken(data_folder):
    return pd.read_csv(data_folder / "readers" / "franken.csv")


# the example that is small enough to check by hand
ROWS = {
    ("A", "r1"): [1, 2, 3, 3, 4, 5],
    ("A", "r2"): [1, 2, 2, 2, 5, 4],
    ("A", "r3"): [3, 1, 4, 4, 3, 4],
    ("B", "r1"): [2, 1, 3, 4, 5, 5],
    ("B", "r2"): [1, 1, 2, 3, 5, 5],
    ("B", "r3"): [2, 3, 1, 3, 4, 5],
}


def small():
    rows = [
        {"truth": int(k > 2), "score": score, "case": f"c{k}", "reader": r, "modality": m}
        for (m, r), scores in ROWS.items()
        for k, score in enumerate(scores)
    ]
    return pd.DataFrame(rows)


def incomplete(seed, drop=0.25, modalities=2, readers=3, n=(5, 6)):
    """Random ratings with ties and missing readings, as a frame and as a table of scores."""
    rng = np.random.default_rng(seed)
    truth = np.repeat([False, True], n)
    shape = modalities, readers, sum(n)
    scores = rng.integers(0, 4, shape) + truth * rng.integers(0, 3, shape)
    gone = rng.random(shape) < drop
    gone[..., [0, 1, -2, -1]] = False  # two cases of each class
    scores = np.where(gone, np.nan, scores)
    rows = [
        {"truth": truth[k], "score": scores[i, j, k], "case": k, "reader": j, "modality": i}
        for i, j, k in np.ndindex(shape)
        if not np.isnan(scores[i, j, k])
    ]
    return (
        pd.DataFrame(rows),
        scores.reshape(-1, sum(n)),
        truth,
        np.tile(range(readers), modalities),
    )


class TestPublished:
    @pytest.mark.parametrize(
        ("covariance", "cov", "components", "error", "df", "limits", "p"),
        [
            (
                "delong",
                [0.0007921324531, 0.0003420089577, 0.0003395265310, 0.0002358496532],
                [0.0015364253792, 0.0002045840042],
                0.02068250479,
                15.06610794,
                (-0.08786719602, 0.0002665518977),
                0.05123303082,
            ),
            (
                "jackknife",
                [0.0008022882656, 0.0003466137094, 0.0003440748289, 0.0002390283709],
                [0.0015349993451, 0.0002004025236],
                0.02074861838,
                15.25967458,
                (-0.08795949857, 0.0003588544442),
                0.05166568582,
            ),
        ],
    )
    def test_or_dbm_mrmc(self, vandyke, covariance, cov, components, error, df, limits, p):
        c = compare(vandyke, covariance=covariance)
        assert c.estimates == {"1": approx(0.8970370370), "2": approx(0.9408373591)}
        assert [c.components[k] for k in ("var", "cov1", "cov2", "cov3")] == approx(cov)
        own = [c.components[k] for k in ("var_reader", "var_modality_reader")]
        assert own == approx(components)
        assert found(c) == approx([0.8970370370 - 0.9408373591, error, *limits, p])
        assert c.df == approx(df)
        assert (c.statistic) ** 2 == approx(
            {"delong": 4.484854322, "jackknife": 4.456318693}[covariance]
        )
        assert c.design == "fully crossed"

    def test_mean_squares(self, vandyke):
        from rocwise.readers.mean_of_readers import Anova

        areas = compare(vandyke).by_reader["estimate"]
        published = [0.9196457327, 0.8587761675, 0.9038647343, 0.9731078905, 0.8297906602]
        published += [0.9478260870, 0.9053140097, 0.9217391304, 0.9993558776, 0.9299516908]
        assert areas.tolist() == approx(published)
        anova = Anova.of(areas.reshape(2, 5), np.eye(10))
        squares = [anova.modalities, anova.readers, anova.both]
        assert squares == approx([0.004796170532, 0.003836199989, 0.0005510306217])

    @pytest.mark.parametrize(
        ("covariance", "modality", "error", "df", "limits"),
        [
            ("delong", "1", 0.03307642062, 12.59596948, (0.8253460774, 0.9687279966)),
            ("delong", "2", 0.02150464097, 12.56529646, (0.8942154959, 0.9874592222)),
            ("jackknife", "1", 0.03317359696, 12.74464760, (0.8252235975, 0.9688504765)),
            ("jackknife", "2", 0.02156636837, 12.71018964, (0.8941378312, 0.9875368870)),
        ],
    )
    def test_each_modality(self, vandyke, covariance, modality, error, df, limits):
        one = compare(vandyke, modalities=[modality], covariance=covariance)
        assert [one.standard_error, one.df] == approx([error, df])
        both = compare(vandyke, covariance=covariance)
        assert tuple(one.intervals[modality]) == tuple(both.intervals[modality]) == approx(limits)
        assert one.difference is None
        assert one.to_frame()["reader"].tolist() == list("12345")

    def test_fixed_readers_and_cases(self, vandyke):
        for covariance, error, p, of_mean in (
            ("delong", 0.01859925812, 0.01852520044, 0.02413080357),
            ("jackknife", 0.01871748261, 0.01927984307, 0.02428970969),
        ):
            fixed = compare(vandyke, readers="fixed", covariance=covariance)
            assert [fixed.standard_error, fixed.p_value] == approx([error, p])
            assert math.isinf(fixed.df)
            one = compare(vandyke, readers="fixed", covariance=covariance, modalities=[1])
            assert one.standard_error == approx(of_mean)
        cases = compare(vandyke, cases="fixed")
        assert [cases.standard_error, cases.p_value] == approx([0.01484628737, 0.04195875249])
        assert cases.df == 4

    def test_each_reader(self, vandyke):
        errors = compare(vandyke).differences["standard_error"]
        expected = [0.02536299885, 0.02614354741, 0.03102649831, 0.01717414878, 0.04378211036]
        assert errors.tolist() == approx(expected)

    def test_parts_of_the_classes(self, vandyke):
        parts = compare(vandyke).components["negatives"]
        expected = [9.316360522e-05, 1.256654886e-05, 1.537192393e-05, 8.253733242e-06]
        assert list(parts.values()) == approx(expected)

    def test_margins(self, vandyke):
        worse = compare(vandyke, alternative="non-inferior", margin=0.1)
        assert [worse.statistic, worse.p_value] == approx([2.717256857, 0.00792547728])
        other = compare(vandyke, modalities=["2", "1"], alternative="non-inferior", margin=0.05)
        assert [other.statistic, other.p_value] == approx([4.535249624, 0.0001952187869])
        equal = compare(vandyke, alternative="equivalent", margin=0.1)
        assert equal.p_value == approx(worse.p_value)
        assert "within 0.1" in repr(equal)

    def test_clusters(self, vandyke):
        c = compare(vandyke.assign(patient=(vandyke["case"] - 1) // 3), groups="patient")
        assert [c.standard_error, c.p_value] == approx([0.02289007083, 0.06843143959])
        assert c.df == approx(22.60357261)

    def test_other_endpoints(self, vandyke):
        hit = compare(vandyke, threshold=3, statistic="sensitivity")
        assert [hit.difference, hit.standard_error, hit.df, hit.p_value] == approx(
            [-0.09777777778, 0.03780450629, 15.71732443, 0.02008822008]
        )
        part = compare(vandyke, max_fpr=0.2)
        assert [part.difference, part.standard_error, part.p_value] == approx(
            [-0.01700704189, 0.007564965897, 0.04478203791]
        )
        assert part.df == approx(11.64354873)

    def test_imrmc(self, vandyke, franken):
        for method, variance, df in (
            ("u-statistics", 4.273125167e-04, 12.81341101),
            ("mle", 6.261327259e-04, 27.51099737),
        ):
            c = compare(vandyke, method=method)
            assert [c.standard_error**2, c.df] == approx([variance, df])
        c = compare(vandyke, method="u-statistics")
        assert found(c)[2:] == approx([-0.08852466296, 0.0009240188327, 0.0542304230])
        mle = compare(franken, method="mle")
        assert mle.standard_error**2 == approx(6.153869850e-04)
        assert [mle.df, mle.p_value] == approx([296.0463728, 0.6620164828])
        with pytest.raises(InputError, match=r"variance is negative \(-3.16e-05\)"):
            compare(franken, method="u-statistics")

    def test_moments_of_u_statistics(self, vandyke):
        from rocwise.inputs.reader_studies import as_readings
        from rocwise.readers.mean_of_readers import Side
        from rocwise.readers.u_statistics import PairSums, moments

        expected = [
            *(0.8667149758, 0.8450492564, 0.8150168350, 0.8061442860),
            *(0.8264975845, 0.8243140807, 0.8046936759, 0.8035817413),
        ]
        first = Side("1", np.arange(5), np.arange(5))
        sums = PairSums.of(as_readings("compare", vandyke, None, NAMES))
        assert moments(sums, first, first)[0].tolist() == approx(expected)
        a, b = Side("A", np.arange(3), np.arange(3)), Side("B", np.arange(3, 6), np.arange(3))
        sums = PairSums.of(as_readings("compare", small(), None, NAMES))
        expected = np.array([180, 181, 180, 182, 181, 181, 180, 180]) / 216
        assert moments(sums, a, b)[0].tolist() == approx(expected.tolist())

    def test_readers_who_vary_less_than_the_cases(self, franken):
        c = compare(franken)
        assert list(c.estimates.values()) == approx([0.8477498869, 0.8368950701])
        assert [c.standard_error, c.df, c.p_value] == approx([0.005010121824, 3, 0.1188378575])
        assert "0.0050, with fixed readers 0.0179" in c.note
        one = compare(franken, modalities=["2"])
        assert one.standard_error == approx(0.02347622604)
        assert one.df == approx(249.7834021)
        one = compare(franken, modalities=["1"])
        assert [one.standard_error, one.df] == approx([0.02430916221, 69.05902454])

    @pytest.mark.parametrize(
        ("design", "expected", "words"),
        [
            ("readers", (0.01484628737, 4, 0.04195875249), "cases nested in readers"),
            (
                "modalities",
                (0.02999108719, 66.61275229, 0.1488686251),
                "cases nested in modalities",
            ),
            ("reader names", (0.03228523123, 9.696607171, 0.2056290734), "readers nested"),
            ("split", (0.0259837859, 6.022491335, 0.1011715577), "split plot of 2 groups"),
            ("holes", (0.02238675473, 12.7834303, 0.0506129683), "1,037 of 1,140 readings"),
        ],
    )
    def test_designs(self, vandyke, design, expected, words):
        text = {name: vandyke[name].astype(str) for name in ("reader", "modality", "case")}
        frame = {
            "readers": lambda: vandyke.assign(case=text["reader"] + "." + text["case"]),
            "modalities": lambda: vandyke.assign(case=text["modality"] + "." + text["case"]),
            "reader names": lambda: vandyke.assign(reader=text["modality"] + "." + text["reader"]),
            "split": lambda: vandyke[(vandyke.reader <= 2) == (vandyke.case % 2 == 1)],
            "holes": lambda: vandyke[
                (7 * vandyke.reader + 3 * vandyke.case + vandyke.modality) % 11 != 0
            ],
        }[design]()
        c = compare(frame)
        difference = {"split": -0.05023947919, "holes": -0.04829717882}.get(design, -0.04380032206)
        assert c.difference == approx(difference)
        assert [c.standard_error, c.df, c.p_value] == approx(list(expected))
        assert words in c.design
        if design == "modalities":
            unbiased = compare(frame, covariance="unbiased")
            assert [unbiased.standard_error, unbiased.df] == approx(
                [0.02997569362, 66.47609584], rel=1e-8
            )
        if design == "split":
            for method, variance, df in (
                ("u-statistics", 7.079190978e-04, 6.105236038),
                ("mle", 1.153487967e-03, 16.20919095),
            ):
                u = compare(frame, method=method)
                assert list(u.estimates.values()) == approx([0.8914050437, 0.9418425116])
                assert u.standard_error**2 == approx(variance)
                assert u.df == approx(df)
                assert "pooled over readings" in u.method

    def test_three_modalities(self, data_folder):
        kundel = pd.read_csv(data_folder / "readers" / "kundel.csv")
        c = compare(kundel)
        first = c.pairwise
        assert first["difference"][0] == approx(0.02509672451)
        assert first["standard_error"].tolist()[0] == approx(0.04469546451)
        assert [first["df"][0], first["p_value"][0]] == approx([158.361201, 0.5752471183])
        assert first["standard_error"].tolist() == approx([0.0447, 0.0480, 0.0153], abs=5e-5)
        assert c.p_value is None  # the modalities have other patients
        assert "pairs only, without a joint test" in repr(c)

    def test_standalone_model(self, data_folder):
        frame = pd.read_csv(data_folder / "readers" / "nico_cad_roc.csv")
        names = {name: NAMES[name] for name in NAMES if name != "modality"}
        c = rw.readers.compare(frame, **names, ai="CAD")
        assert found(c) == approx(
            [-0.03173611111, 0.03186761259, -0.09428276525, 0.03081054303, 0.319589356]
        )
        assert c.df == approx(867.3396379)
        assert list(c.estimates) == ["CAD", "mean of 9 readers"]
        parts = [c.components[name] for name in ("sigma2", "variance", "covariance")]
        assert parts == approx([0.0004055309751, 0.001390273933, 0.0009180122103])
        c = rw.readers.compare(frame, **names, ai="CAD", covariance="jackknife")
        assert [c.standard_error, c.df, c.p_value] == approx(
            [0.03196405048, 877.8863783, 0.3210474342]
        )


class TestByHand:
    def test_difference(self):
        c = compare(small())
        areas = c.by_reader["estimate"] * 18
        assert areas.tolist() == approx([17, 16, 13, 18, 18, 17])
        assert c.difference == approx(-7 / 54)
        assert c.standard_error**2 == approx(5 / 1458)
        assert c.df == approx(200 / 49)
        assert found(c)[2:] == approx([-0.2909457362, 0.0316864769, 0.08990792311])
        fixed = compare(small(), readers="fixed")
        assert [fixed.standard_error, fixed.statistic**2] == approx([0.109557033, 1.4])

    def test_means(self):
        a, b = (compare(small(), modalities=[name]) for name in "AB")
        assert list(a.estimates.values()) == approx([23 / 27])
        assert [a.standard_error, a.df] == approx([5 / 54, 7.396449704])
        assert a.intervals["A"].high == 1.0
        assert [b.standard_error, b.df] == approx([1 / 54, 2])
        assert b.by_reader["standard_error"][0] == 0

    def test_jackknife(self):
        c = compare(small(), covariance="jackknife")
        assert [c.statistic**2, c.df] == approx([4.558139535, 4.716836735])

    def test_u_statistics(self):
        c = compare(small(), method="u-statistics")
        assert [c.standard_error**2, c.df] == approx([0.002914951989, 2])
        mle = compare(small(), method="mle")
        assert [mle.standard_error**2, mle.df] == approx([0.01534318955, 3.902015365])
        jackknife = compare(small(), method="u-statistics", covariance="jackknife")
        assert (jackknife.standard_error, jackknife.df) == (c.standard_error, c.df)
        for name in ("by_reader", "differences"):
            own, other = (getattr(each, name)["standard_error"] for each in (c, jackknife))
            assert (own != other).any()

    def test_mle_is_the_variance_over_all_resamples(self):
        scores = np.array(list(ROWS.values())).reshape(2, 3, 6)
        draws = list(itertools.product(range(3), repeat=3))
        wins = (scores[..., None, 3:] > scores[..., :3, None]) + 0.5 * (
            scores[..., None, 3:] == scores[..., :3, None]
        )
        values = [
            float(np.diff(wins[:, list(r)][:, :, list(i)][:, :, :, list(j)].mean((1, 2, 3)))[0])
            for r in draws
            for i in draws
            for j in draws
        ]
        assert compare(small(), method="mle").standard_error ** 2 == approx(np.var(values))

    def test_exact_bootstrap_is_the_variance_over_all_resamples(self):
        scores = np.array(list(ROWS.values()))
        draws = list(itertools.product(range(3), repeat=3))
        wins = (scores[:, None, 3:] > scores[:, :3, None]) + 0.5 * (
            scores[:, None, 3:] == scores[:, :3, None]
        )
        values = np.array(
            [wins[:, list(i)][:, :, list(j)].mean((1, 2)) for i in draws for j in draws]
        )
        c = compare(small(), covariance="exact-bootstrap")
        expected = np.cov(values.T, bias=True)
        assert c.by_reader["standard_error"].tolist() == approx(np.sqrt(np.diag(expected)).tolist())
        matrix = rw.auc_covariance(
            rw.pair([0, 0, 0, 1, 1, 1], {str(k): v for k, v in ROWS.items()}),
            method="exact-bootstrap",
        )
        np.testing.assert_allclose(matrix, expected, atol=1e-12)


class TestBruteForce:
    @pytest.mark.parametrize("seed", range(6))
    @pytest.mark.parametrize("covariance", ["delong", "jackknife", "unbiased"])
    def test_covariances_of_incomplete_designs(self, seed, covariance):
        frame, scores, truth, readers = incomplete(seed, n=(7, 8))
        table = Table(scores, truth, readers)
        C = np.array(
            [[getattr(table, covariance)(a, b) for b in range(6)] for a in range(6)], dtype=float
        )
        v = np.array([table.area(a) for a in range(6)])
        d, D = v[:3] - v[3:], C[:3, :3] + C[3:, 3:] - C[:3, 3:] - C[3:, :3]
        S2, off = d.var(ddof=1), (D.sum() - np.trace(D)) / 6
        c = compare(frame, covariance=covariance)
        assert c.by_reader["estimate"].tolist() == approx(v.tolist())
        expected = np.sqrt(np.maximum(np.diag(C), 0))
        assert c.by_reader["standard_error"].tolist() == approx(expected.tolist())
        assert c.standard_error**2 == approx(S2 / 3 + max(off, 0))
        assert c.df == approx(2 * (c.standard_error**2 / (S2 / 3)) ** 2)

    def test_a_negative_variance_of_one_reader_is_left_out(self):
        frame, scores, truth, readers = incomplete(3, n=(4, 4))
        table = Table(scores, truth, readers)
        parts = table.unbiased(0, 0) + table.unbiased(3, 3), table.unbiased(0, 3)
        assert parts[0] - 2 * parts[1] < 0
        c = compare(frame, covariance="unbiased")
        assert c.differences["reader"].tolist() == ["1", "2"]
        assert "difference of 1 reader has a negative unbiased variance" in c.note

    def test_a_mean_with_negative_variance_has_no_interval(self):
        options = {"covariance": "unbiased", "readers": "fixed"}
        frame = incomplete(9, drop=0.2, n=(5, 4))[0]
        c = compare(frame, **options)
        assert list(c.intervals) == ["1"]
        assert c.standard_error > 0
        with pytest.raises(InputError, match=r"negative \(-.*: too few cases; use cov.*'delong'"):
            compare(frame, **options, modalities=[0])

    @pytest.mark.parametrize("seed", range(4))
    def test_u_statistics_of_incomplete_designs(self, seed):
        frame, scores, truth, readers = incomplete(seed, drop=0.2)
        one, other = frame["modality"] == 0, frame["reader"] == 2
        frame = frame[~(one & other)]  # the third reader reads one modality alone
        scores[2] = np.nan
        table = Table(scores, truth, readers)
        groups = [0, 1], [3, 4, 5]
        parts = [
            table.moments(a, b)
            for a, b in zip((groups[0], groups[1], groups[0]), (*groups, groups[1]), strict=True)
        ]
        signs = np.array([1, 1, -2])
        unbiased = sum(s * (c @ m) for s, (m, _, c) in zip(signs, parts, strict=True))
        mle = sum(s * (c @ b) for s, (_, b, c) in zip(signs, parts, strict=True))
        pooled = [
            sum(sum(table.pairs[a].values()) for a in group)
            / sum(len(table.pairs[a]) for a in group)
            for group in groups
        ]
        if unbiased > 0:
            c = compare(frame)
            assert "U-statistics" in c.method  # by default, as readers are partly shared
            assert c.standard_error**2 == approx(unbiased)
            assert list(c.estimates.values()) == approx(pooled)
        if mle > 0:
            c = compare(frame, method="mle")
            assert c.standard_error**2 == approx(mle)
        assert unbiased > 0 or mle > 0

    def test_jackknife_of_any_statistic_leaves_out_each_case(self):
        from sklearn.metrics import average_precision_score

        frame, *_ = incomplete(3, n=(9, 9))

        def error_of(values, n):
            return np.sqrt((n - 1) / n * ((values - values.mean()) ** 2).sum())

        for statistic in ("average-precision", average_precision_score):
            c = compare(frame, statistic=statistic)
            for k, (reader, modality) in enumerate(
                zip(c.by_reader["reader"], c.by_reader["modality"], strict=True)
            ):
                own = frame[(frame.reader == int(reader)) & (frame.modality == int(modality))]
                y, s = own["truth"].to_numpy(), own["score"].to_numpy()
                keep = ~np.eye(len(y), dtype=bool)
                left = np.array([average_precision_score(y[row], s[row]) for row in keep])
                assert c.by_reader["estimate"][k] == approx(average_precision_score(y, s))
                assert c.by_reader["standard_error"][k] == approx(error_of(left, len(y)))

    def test_functions_of_curves_and_of_scores(self):
        frame, *_ = incomplete(4, n=(9, 9))
        area = compare(frame, covariance="jackknife")
        by_curve = compare(frame, statistic=lambda fpr, tpr, thresholds: np.trapezoid(tpr, fpr))
        by_scores = compare(frame, statistic=lambda y, s: rw.auc(y, s).value)
        assert found(by_curve)[:2] == approx(found(area)[:2])
        assert found(by_scores)[:2] == approx(found(area)[:2])

    def test_drawn_bootstrap_tends_to_the_exact_one(self):
        study = reader_study(4, 25, 30)
        frame = pd.DataFrame(study.columns)
        exact = compare(frame, covariance="exact-bootstrap")
        drawn = compare(frame, covariance="bootstrap", n_resamples=20_000, rng=1)
        assert drawn.standard_error == pytest.approx(exact.standard_error, rel=0.02)
        assert drawn.seed == 1
        own = compare(
            frame,
            covariance="bootstrap",
            n_resamples=300,
            rng=1,
            statistic=lambda y, s: rw.auc(y, s).value,
        )
        same = compare(frame, covariance="bootstrap", n_resamples=300, rng=1)
        assert own.standard_error == approx(same.standard_error)


class TestLaws:
    def test_swapping_modalities(self):
        frame, *_ = incomplete(1, n=(8, 8))
        one, other = compare(frame), compare(frame, modalities=[1, 0])
        assert one.difference == approx(-other.difference)
        assert [one.standard_error, one.df, one.p_value] == approx(
            [other.standard_error, other.df, other.p_value]
        )

    def test_order_and_names_change_nothing(self):
        frame, *_ = incomplete(2, n=(8, 8))
        renamed = frame.assign(reader=frame.reader.map({0: "z", 1: "y", 2: "x"})).sample(
            frac=1, random_state=1
        )
        one, other = compare(frame), compare(renamed, modalities=["0", "1"])
        assert found(one) == approx(found(other))

    def test_monotone_scores_and_direction(self):
        frame, *_ = incomplete(5, n=(8, 8))
        turned = frame.assign(score=np.where(frame.reader == 1, np.exp(frame.score), frame.score))
        assert found(compare(turned)) == approx(found(compare(frame)))
        lower = compare(frame.assign(score=-frame.score), direction="lower")
        assert found(lower) == approx(found(compare(frame)))
        for name in ("sensitivity", "specificity"):
            cut = compare(frame, threshold=2, statistic=name)
            other = compare(
                frame.assign(score=-frame.score), threshold=-2, statistic=name, direction="lower"
            )
            assert found(cut) == approx(found(other))

    def test_identical_modalities(self):
        one = small()[lambda x: x.modality == "A"]
        c = compare(pd.concat([one, one.assign(modality="copy")]))
        assert found(c) == [0, 0, 0, 0, 1]
        assert "no variance" in c.note

    def test_one_fixed_reader_is_a_paired_comparison(self):
        frame = pd.DataFrame(reader_study(1, 20, 25).columns)
        c = compare(frame, readers="fixed")
        wide = frame.pivot(index="case", columns="modality", values="score")
        truth = frame.drop_duplicates("case").set_index("case")["truth"]
        own = rw.compare(truth, {m: wide[m] for m in ("unaided", "aided")}, method="delong")
        assert found(c)[:2] == approx([own.difference, own.standard_error])
        assert c.p_value == approx(own.p_value)

    def test_limits_of_differences_of_proportions(self):
        frame = small().assign(score=lambda x: np.where(x.modality == "A", -x.truth, x.truth))
        c = compare(frame.assign(score=frame.score + (frame.case == "c0")))
        assert c.differences["difference"].tolist() == approx([-5 / 6] * 3)
        assert c.differences["low"].tolist() == [-1, -1, -1]

    def test_identical_readers(self):
        one = small()[lambda x: x.reader == "r1"]
        c = compare(pd.concat([one.assign(reader=name) for name in "abc"]))
        assert math.isinf(c.df)
        assert c.standard_error == approx(c.differences["standard_error"][0])

    def test_joint_test_of_two_modalities_is_the_comparison(self):
        from rocwise.readers.mean_of_readers import Anova

        frame = pd.DataFrame(reader_study(4, 20, 20, rng=5).columns)
        c = compare(frame, covariance="delong")
        wide = frame.pivot_table(
            index="case", columns=["modality", "reader"], values="score", sort=False
        )
        truth = frame.drop_duplicates("case").set_index("case")["truth"].loc[wide.index]
        pairs = rw.pair(truth.to_numpy(), wide.to_numpy())
        values = np.array([rw.auc(pairs)[n].value for n in pairs.names]).reshape(2, 4)
        joint = Anova.of(values, rw.auc_covariance(pairs)).joint_test("random", "random")
        assert [joint.statistic, joint.p_value] == approx([c.statistic**2, c.p_value])

    @pytest.mark.parametrize("readers", ["random", "fixed"])
    def test_joint_test_of_three_modalities(self, readers):
        same = pd.DataFrame(reader_study(5, 30, 30, separation=(1, 1, 1), rng=3).columns)
        other = pd.DataFrame(reader_study(5, 30, 30, separation=(0.5, 1.5, 3), rng=3).columns)
        assert compare(same, readers=readers).p_value > 0.05
        assert compare(other, readers=readers).p_value < 0.001
        assert compare(other).df == 2
        words = {"random": "F with 2 and", "fixed": "chi-square with 2 df"}[readers]
        assert words in " ".join(repr(compare(same, readers=readers)).split())
        assert len(compare(other).pairwise["first"]) == 3

    def test_the_model_repeated_as_a_modality(self):
        study = reader_study(4, 20, 25, separation=(1.2,), ai=1.5)
        frame = pd.DataFrame(study.columns)
        c = compare(frame, ai="AI", modalities=["A"])
        humans, model = frame[frame.reader != "AI"], frame[frame.reader == "AI"]
        repeated = [model.assign(reader=name) for name in humans.reader.unique()]
        again = compare(pd.concat([*repeated, humans]))
        assert found(c) == approx(found(again))
        assert c.df == approx(again.df)

    def test_intervals_of_readers_are_those_of_auc(self):
        frame = pd.DataFrame(reader_study(2, 20, 25).columns)
        c = compare(frame)
        own = frame[(frame.reader == "R2") & (frame.modality == "aided")]
        area = rw.auc(own["truth"], own["score"])
        assert c.by_reader["low"][3] == approx(area.low)
        assert c.by_reader["high"][3] == approx(area.high)
        assert c.by_reader["standard_error"][3] == approx(area.standard_error)
        clustered = compare(frame.assign(patient=frame.case // 2), groups="patient")
        area = rw.auc(own["truth"], own["score"], groups=own["case"] // 2)
        assert clustered.by_reader["low"][3] == approx(area.low)

    def test_unbiased_variance_is_that_of_u_statistics(self):
        frame = pd.DataFrame(reader_study(5, 20, 20, rng=11).columns)
        one = compare(frame, covariance="unbiased")
        other = compare(frame, method="u-statistics")
        assert one.standard_error == approx(other.standard_error)

    def test_intervals_of_fixed_readers_use_normal_quantiles(self):
        c = compare(small(), readers="fixed")
        assert c.p_value == approx(2 * norm.sf(abs(c.statistic)))


class TestInput:
    def test_forms_of_data(self, tmp_path):
        frame = small()
        frame.to_csv(tmp_path / "study.csv", index=False)
        lines = ["a study", "N0: 3", "BEGIN DATA:"]
        truth = frame.drop_duplicates("case")
        lines += [f"-1,{c},0,{t}" for c, t in zip(truth.case, truth.truth, strict=True)]
        rows = zip(frame.reader, frame.case, frame.modality, frame.score, strict=True)
        (tmp_path / "study.imrmc").write_text(
            "\n".join([*lines, *(",".join(map(str, r)) for r in rows)])
        )
        expected = found(compare(frame))
        by_arrays = rw.readers.compare(
            frame.truth.tolist(),
            frame.score.tolist(),
            case=frame.case.tolist(),
            reader=frame.reader.tolist(),
            modality=frame.modality.tolist(),
        )
        forms = [
            compare(tmp_path / "study.csv"),
            rw.readers.compare(tmp_path / "study.imrmc"),
            by_arrays,
        ]
        for form in forms:
            assert found(form) == approx(expected)
            assert list(form.estimates) == ["A", "B"]

    def test_missing_readings(self):
        frame = pd.DataFrame(reader_study(3, 10, 10).columns)
        frame.loc[4, "score"] = np.nan
        with pytest.raises(InputError, match=r"`score` has 1 missing value \(first at row 4\)"):
            compare(frame)
        c = compare(frame, missing="drop")
        assert c.design == "119 of 120 readings"
        assert c.n_readings == 119

    @pytest.mark.parametrize(
        ("change", "options", "message"),
        [
            (
                {"truth": [1, *small().truth[1:]]},
                {},
                "case 'c0' is positive in row 0 and negative in row 6; a case has one truth",
            ),
            (
                {"case": ["c1", *small().case[1:]]},
                {},
                r"reader 'r1' in modality 'A' read case 'c1' twice \(rows 0 and 1\)",
            ),
            ({}, {"ai": "CAD"}, "`ai` must be one of the readers"),
            ({}, {"ai": "r1"}, "has scores in modalities 'A', 'B'; name one"),
            ({}, {"modalities": ["A", "C"]}, "`modalities` names 'C'"),
            ({}, {"modalities": []}, "must name different ones"),
            ({}, {"readers": "fixed", "cases": "fixed"}, "one of them must be random"),
            ({}, {"covariance": "unbiased", "max_fpr": 0.2}, "is for the full AUC; use"),
            ({}, {"covariance": "delong", "max_fpr": 0.2}, "use 'jackknife'"),
            ({"g": 1}, {"groups": "g"}, "`groups` has 1 cluster with a positive row"),
            (
                {"g": 1},
                {"groups": "g", "statistic": "specificity", "threshold": 3},
                "`groups` has 1 cluster with a negative row",
            ),
            (
                {},
                {"groups": "case", "covariance": "jackknife"},
                "`groups` needs covariance='delong'",
            ),
            ({}, {"threshold": 3}, "`threshold` needs statistic"),
            ({}, {"statistic": "sensitivity"}, "needs `threshold`"),
            ({}, {"margin": 0.1}, "`margin` has no meaning"),
            ({}, {"alternative": "non-inferior"}, "needs `margin`"),
            ({}, {"statistic": lambda y, s: math.nan}, "is nan for reader 'r1' in modality 'A'"),
            (
                {},
                {"statistic": lambda y, s: 1.0 if len(y) > 5 else math.nan},
                "for reader 'r1' in modality 'A', no finite number, without case 'c0'",
            ),
            (
                {},
                {
                    "covariance": "bootstrap",
                    "rng": 1,
                    "statistic": lambda y, s: len(y) / (np.unique(s).size - 2),
                },
                "`statistic` <lambda> fails in resamples: division by zero",
            ),
            ({}, {"method": "mle", "max_fpr": 0.2}, "is for the full AUC"),
            ({}, {"method": "mle", "readers": "fixed"}, "takes readers and cases to be random"),
            ({}, {"method": "mle", "groups": "case"}, "takes cases to be independent"),
        ],
    )
    def test_errors(self, change, options, message):
        with pytest.raises(InputError, match=message):
            compare(small().assign(**change), **options)

    def test_errors_of_designs(self):
        frame = small()
        with pytest.raises(InputError, match="one reader shows no variance between readers"):
            compare(frame[frame.reader == "r1"])
        few = frame[~((frame.reader == "r3") & frame.case.isin(["c4", "c5"]))]
        with pytest.raises(
            InputError, match="reader 'r3' in modality 'A' read 1 positive; at least 2"
        ):
            compare(few)
        partly = frame[~((frame.reader == "r3") & (frame.modality == "A"))]
        with pytest.raises(InputError, match="use method='u-statistics'"):
            compare(partly, method="or")
        with pytest.raises(InputError, match="random; leave out readers who"):
            compare(partly, cases="fixed")
        reverse = partly.assign(score=np.where(partly.reader == "r3", -partly.score, partly.score))
        with pytest.raises(InputError, match="leave out readers who have not read both 'A' and"):
            compare(reverse)
        three = pd.concat([frame, frame[:18].assign(modality="C")])
        with pytest.raises(InputError, match=r"choose two modalities, modalities=\[\.\.\.\]"):
            compare(three, alternative="non-inferior", margin=0.1)
        lone = pd.concat(
            [frame[frame.modality == "A"], frame[:6].assign(reader="AI", modality="AI")]
        )
        with pytest.raises(InputError, match="name it: ai='AI'"):
            compare(lone)
        assert compare(lone, ai="AI").ai == "AI"
        other_cases = lone.assign(case=np.where(lone.reader == "AI", lone.case + "x", lone.case))
        with pytest.raises(InputError, match="no case in common"):
            compare(other_cases, ai="AI")
        with pytest.raises(InputError, match="'exact-bootstrap' needs every reading"):
            compare(frame.drop(index=[3]), covariance="exact-bootstrap")
        grouped = frame.assign(g=np.arange(len(frame)))
        with pytest.raises(
            InputError, match="'c0' is in group '0' in row 0 and in group '6' in row 6"
        ):
            compare(grouped, groups="g")
        with pytest.raises(InputError, match="missing: 'reader'"):
            rw.readers.compare(frame, label="truth", score="score", case="case")

    def test_errors_of_imrmc_files(self, tmp_path):
        path = tmp_path / "study.imrmc"
        path.write_text("BEGIN DATA:\n-1,a,0,1\nr1,a,x\n")
        with pytest.raises(InputError, match=r"line 3 of study\.imrmc must be"):
            rw.readers.compare(path)
        path.write_text("BEGIN DATA:\n-1,a,0,1\nr1,b,x,3\n")
        with pytest.raises(InputError, match="no truth for case 'b'"):
            rw.readers.compare(path)
        path.write_text("nothing")
        with pytest.raises(InputError, match="no line 'BEGIN DATA:'"):
            rw.readers.compare(path)

    def test_perfect_readers(self):
        frame = small().assign(score=lambda x: x.truth)
        c = compare(frame)
        assert found(c) == [0, 0, 0, 0, 1]
        constant = small().assign(score=lambda x: np.where(x.reader == "r1", 1, x.score))
        c = compare(constant)
        assert c.by_reader["estimate"][0] == 0.5
        assert "reader 'r1' in modality 'A' and 1 more gave one score only" in c.note

    def test_sentences(self):
        frame = pd.DataFrame(reader_study().columns)
        assert repr(compare(frame)).startswith("AUC unaided 0.")
        assert "mean of 5 readers, 45 positives, 70 negatives: difference" in repr(compare(frame))
        one = rw.readers.compare(
            frame[frame.modality == "aided"],
            label="truth",
            score="score",
            case="case",
            reader="reader",
        )
        assert repr(one).startswith("AUC, mean of 5 readers, 45 positives, 70 negatives: 0.")
        assert "(95% CI 0.808 to 0.967; Obuchowski-Rockette, random" in " ".join(repr(one).split())
        assert compare(frame).to_dict()["design"] == "fully crossed"
