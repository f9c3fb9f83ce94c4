"""FROC analyses: published results, loops over pairs, other weights, clusters, and errors."""

import itertools

import numpy as np
import pandas as pd
import pytest

import rocwise as rw
from rocwise.datasets import marked_lesions
from rocwise.errors import InputError

COLUMNS = {"case": "case", "score": "score", "lesion": "lesion", "lesions": "lesions"}
CELLS = {"reader": "reader", "modality": "modality"}


def approx(value, rel=1e-9, abs=1e-14):
    return pytest.approx(value, rel=rel, abs=abs)


def froc(study, **options):
    return rw.froc(study.marks, study.cases, **COLUMNS, **options)


@pytest.fixture(scope="module")
def zanca(data_folder):
    folder = data_folder / "readers"
    marks = pd.read_csv(folder / "federica_marks.csv")
    return marks, pd.read_csv(folder / "federica_cases.csv").rename(
        columns={"n_lesions": "lesions"}
    )


class TestPublished:
    def test_areas_of_readers(self, zanca):
        found = rw.froc(*zanca, **COLUMNS, **CELLS, modalities=["4", "5"])
        expected = [0.8101333333, 0.7431166667, 0.6943583333, 0.8294083333]
        expected += [0.7488, 0.682275, 0.655175, 0.77125]
        assert found.by_reader["estimate"].tolist() == approx(expected)
        own = [found.difference, found.standard_error, found.p_value]
        assert own == approx([0.05487916667, 0.01096972455, 5.936703669e-06])
        assert found.df == approx(55.96834455)
        assert found.quantity == "wAFROC area"

    def test_all_modalities(self, zanca):
        found = rw.froc(*zanca, **COLUMNS, **CELLS, covariance="jackknife")
        assert [found.statistic, found.p_value] == approx([7.800299667, 0.0001171050044])
        assert [found.df, found.df_denominator] == approx([4, 36.79334273])

    def test_one_reader(self, zanca):
        marks, cases = zanca
        one = marks[(marks.modality == 4) & (marks.reader == 1)]
        areas = {"wafroc": 0.8101333333, "afroc": 0.7817605634, "inferred": 0.90235}
        for figure, value in areas.items():
            found = rw.froc(one, cases, **COLUMNS, figure=figure, n_resamples=2, rng=1)
            assert found.value == approx(value)
        assert found.nlf.tolist() == approx([0, 0.005, 0.025, 0.115, 0.22, 0.335])
        expected = [0, 0.4295774648, 0.5633802817, 0.6478873239, 0.7112676056, 0.7323943662]
        assert found.llf.tolist() == approx(expected)
        assert found.mean_sensitivity == approx(0.7189534724)


def kernel(x, y):
    return float(y > x) + 0.5 * float(x == y)


class Table:
    """Highest false mark and lesion scores of every case, for loops over pairs of cases."""

    def __init__(self, study, reader="R1", modality="A", weights=None):
        marks = pd.DataFrame(study.marks)
        own = marks[(marks.reader == reader) & (marks.modality == modality)]
        self.false, self.lesions, self.weights = {}, {}, {}
        for case, n in zip(study.cases["case"], study.cases["lesions"], strict=True):
            mine = own[own.case == case]
            self.false[case] = mine[mine.lesion == 0].score.max() if n == 0 else None
            if n == 0 and np.isnan(self.false[case]):
                self.false[case] = -np.inf
            best = mine[mine.lesion > 0].groupby("lesion").score.max()
            self.lesions[case] = [best.get(k, -np.inf) for k in range(1, n + 1)]
            self.weights[case] = [1 / n for _ in range(n)] if weights is None else weights[case]
            everything = mine.score.max()
            self.highest = getattr(self, "highest", {})
            self.highest[case] = -np.inf if np.isnan(everything) else everything

    def area(self, figure, without=None):
        cases = [k for k in self.lesions if k != without]
        top, below = 0.0, 0.0
        for i, j in itertools.product(cases, cases):
            if self.lesions[i] or not self.lesions[j]:
                continue
            if figure == "inferred":
                top, below = top + kernel(self.highest[i], self.highest[j]), below + 1
                continue
            w = self.weights[j] if figure == "wafroc" else [1.0] * len(self.lesions[j])
            pairs = zip(w, self.lesions[j], strict=True)
            top += sum(a * kernel(self.false[i], z) for a, z in pairs)
            below += sum(w)
        return top / below

    def jackknife(self, figure):
        left = np.array([self.area(figure, k) for k in self.lesions])
        return (len(left) - 1) / len(left) * ((left - left.mean()) ** 2).sum()


@pytest.mark.parametrize("figure", ["wafroc", "afroc", "inferred"])
@pytest.mark.parametrize("seed", [1, 2])
def test_areas_and_the_jackknife_by_loops(figure, seed):
    study = marked_lesions(1, 6, 7, separation=(1.0,), rng=seed)
    study.marks["score"][:] = np.round(study.marks["score"])  # ties
    table = Table(study)
    found = froc(study, figure=figure, covariance="jackknife", n_resamples=2, rng=1)
    assert found.value == approx(table.area(figure))
    assert found.standard_error**2 == approx(table.jackknife(figure))


@pytest.mark.parametrize("figure", ["wafroc", "afroc", "inferred"])
def test_the_variance_is_that_of_resamples_of_cases(figure):
    study = marked_lesions(1, 60, 60, separation=(0.8,))
    found = froc(study, figure=figure, n_resamples=2, rng=1)
    rng, lesions = np.random.default_rng(5), study.cases["lesions"]
    of_case = [np.flatnonzero(study.marks["case"] == k) for k in study.cases["case"]]
    values = []
    for _ in range(200):
        drawn = np.concatenate(
            [rng.choice(np.flatnonzero(own), 60) for own in (lesions > 0, lesions == 0)]
        )
        rows = [of_case[k] for k in drawn]
        marks = {name: each[np.concatenate(rows)] for name, each in study.marks.items()}
        marks["case"] = np.repeat(np.arange(120), [len(own) for own in rows])
        cases = {"case": np.arange(120), "lesions": lesions[drawn]}
        again = rw.froc(marks, cases, **COLUMNS, figure=figure, n_resamples=2, rng=1)
        values.append(again.value)
    assert np.std(values) == approx(found.standard_error, rel=0.15)


def test_perfect_localization_has_no_variance():
    cases = {"case": [1, 2, 3, 4], "lesions": [1, 3, 0, 0]}
    marks = {"case": [1, 2, 2, 2, 3], "score": [5, 5, 6, 7, 1], "lesion": [1, 1, 2, 3, 0]}
    for figure in ("wafroc", "afroc"):  # for any distribution of the lesions over the cases
        found = rw.froc(marks, cases, **COLUMNS, figure=figure, n_resamples=50, rng=1)
        assert (found.value, found.standard_error) == (1.0, 0.0)
        assert found.low < 1.0


def test_perfect_sensitivities_are_not_certain():
    cases = {"case": [1, 2, 3, 4], "lesions": [1, 3, 0, 0]}
    marks = {"case": [1, 2, 2, 2, 3], "score": [5, 5, 6, 7, 1], "lesion": [1, 1, 2, 3, 0]}
    found = rw.froc(marks, cases, **COLUMNS, figure="sensitivity", at=1, n_resamples=50, rng=1)
    expected = rw.inference.proportion_interval(2, 2)  # of two cases
    assert (found.low, found.high) == approx((expected.low, 1.0))
    assert found.at["low"].tolist() == approx([expected.low])


def test_one_lesion_each_and_one_mark_each_is_the_roc_area():
    rng = np.random.default_rng(2)
    y = np.repeat([0, 1], [30, 25])
    s = np.round(rng.normal(y), 1)
    case = np.arange(55)
    marks = {"case": case, "score": s, "lesion": y}
    found = rw.froc(marks, {"case": case, "lesions": y}, **COLUMNS, n_resamples=2, rng=1)
    area = rw.auc(y, s)
    assert [found.value, found.standard_error, found.low, found.high] == approx(
        [area.value, area.standard_error, area.low, area.high]
    )
    grouped = {"case": case, "lesions": y, "patient": case // 2}
    found = rw.froc(marks, grouped, **COLUMNS, groups="patient", n_resamples=2, rng=1)
    area = rw.auc(y, s, groups=case // 2)
    assert [found.standard_error, found.low] == approx([area.standard_error, area.low])


def test_weights_of_lesions():
    study = marked_lesions(1, 8, 8, separation=(1.0,), rng=4)
    rng = np.random.default_rng(1)
    own = {}
    for case, n in zip(study.cases["case"], study.cases["lesions"], strict=True):
        own[case] = rng.dirichlet(np.ones(n)).tolist() if n else []
    pairs = zip(study.marks["case"], study.marks["lesion"], strict=True)
    study.marks["weight"] = np.array([own[c][k - 1] if k else 0.0 for c, k in pairs])
    found = froc(study, weights="weight", n_resamples=2, rng=1)
    assert found.value == approx(Table(study, weights=own).area("wafroc"))
    study.marks["weight"] *= 2
    with pytest.raises(InputError, match="that of all lesions of a case 1"):
        froc(study, weights="weight")


class TestSensitivities:
    def test_points_and_their_mean(self):
        study = marked_lesions(1, 40, 40, separation=(1.0,))
        found = froc(study, figure="sensitivity", at=(0.1, 0.3, 9), rng=1)
        expected = np.interp([0.1, 0.3, 9], found.nlf, found.llf)
        assert found.at["sensitivity"].tolist() == approx(expected.tolist())
        assert found.value == found.mean_sensitivity == approx(expected.mean())
        assert (found.at["low"] < expected).all()
        assert (found.at["high"] > expected).all()
        assert (found.seed, found.n_resamples) == (1, 2000)

    def test_resamples_are_those_of_the_cases(self):
        study = marked_lesions(2, 30, 30, separation=(1.0,))
        found = froc(study, **CELLS, figure="sensitivity", at=0.5, rng=1, n_resamples=800)
        marks = pd.DataFrame(study.marks)
        own = froc_of(marks[marks.reader == "R1"], study.cases)
        assert found.by_reader["standard_error"][0] == approx(own.standard_error, rel=0.1)
        assert "bootstrap covariances" in found.method

    def test_clusters_are_resampled_whole(self):
        study = marked_lesions(1, 30, 30, separation=(1.0,))
        case, how = study.cases["case"], {"figure": "sensitivity", "rng": 1}
        twice = {name: np.tile(each, 2) for name, each in study.marks.items()}
        twice["case"] = np.append(study.marks["case"], study.marks["case"] + len(case))
        cases = {"case": np.append(case, case + len(case)), "g": np.tile(case, 2)}
        cases["lesions"] = np.tile(study.cases["lesions"], 2)
        alone = froc(study, **how)
        again = rw.froc(twice, cases, **COLUMNS, **how, groups="g")
        assert "clusters" in again.interval.method
        assert again.value == approx(alone.value)
        assert again.standard_error == approx(alone.standard_error)
        independent = rw.froc(twice, cases, **COLUMNS, **how)
        assert independent.standard_error < 0.85 * again.standard_error

    def test_without_cases_without_lesions(self):
        study = marked_lesions(1, 30, 30, separation=(1.0,))
        positives = study.cases["lesions"] > 0
        cases = {name: each[positives] for name, each in study.cases.items()}
        own = np.isin(study.marks["case"], cases["case"])
        marks = {name: each[own] for name, each in study.marks.items()}
        found = rw.froc(marks, cases, **COLUMNS, figure="sensitivity", rng=1)
        assert found.n_neg == 0
        with pytest.raises(InputError, match="areas need at least 2"):
            rw.froc(marks, cases, **COLUMNS)


def froc_of(marks, cases):
    return rw.froc(marks, cases, **COLUMNS, figure="sensitivity", at=0.5, rng=2, n_resamples=800)


class TestComparisons:
    def test_the_analysis_is_that_of_readings(self):
        """One lesion and one mark in each case: the same comparison as of scores."""
        from rocwise.datasets import reader_study

        frame = pd.DataFrame(reader_study(4, 20, 25, ai=1.4, rng=3).columns)
        cases = frame.drop_duplicates("case").rename(columns={"truth": "lesions"})
        names = {**CELLS, "modalities": ["aided"], "ai": "AI"}
        found = rw.froc(frame.assign(lesion=frame.truth), cases, **COLUMNS, **names)
        again = rw.readers.compare(frame, label="truth", score="score", case="case", **names)
        assert [found.difference, found.standard_error, found.df] == approx(
            [again.difference, again.standard_error, again.df]
        )
        assert found.ai == "AI"

    def test_order_and_direction_of_rows(self):
        study = marked_lesions(3, 15, 20)
        expected = froc(study, **CELLS, modalities=["aided", "unaided"])
        frame = pd.DataFrame(study.marks).sample(frac=1, random_state=1)
        turned = frame.assign(score=-frame.score)
        found = rw.froc(
            turned,
            pd.DataFrame(study.cases),
            **COLUMNS,
            **CELLS,
            direction="lower",
            modalities=["aided", "unaided"],
        )
        assert [found.difference, found.p_value] == approx([expected.difference, expected.p_value])

    def test_a_reader_without_marks_in_a_modality(self):
        study = marked_lesions(3, 15, 20)
        frame = pd.DataFrame(study.marks)
        some = frame[(frame.reader != frame.reader[0]) | (frame.modality == "aided")]
        with pytest.raises(InputError, match="others one of them: leave out the others"):
            rw.froc(some, study.cases, **COLUMNS, **CELLS)

    def test_several_marks_on_a_lesion_count_once(self):
        study = marked_lesions(2, 15, 20)
        frame = pd.DataFrame(study.marks)
        hits = frame[frame.lesion > 0]
        more = pd.concat([frame, hits.assign(score=hits.score - 1)])
        found = rw.froc(more, study.cases, **COLUMNS, **CELLS)
        assert found.difference == approx(froc(study, **CELLS).difference)


@pytest.mark.parametrize(
    ("marks", "cases", "options", "message"),
    [
        ({"case": ["x"]}, {}, {}, "`marks` has case 'x', which `cases` lacks"),
        ({}, {"case": ["a", "a", "c", "d"]}, {}, "`cases` has case 'a' twice"),
        ({}, {"lesions": [1, 1.5, 0, 0]}, {}, "`lesions` must be the number of lesions"),
        ({}, {"lesions": [1, 0, 0, 0]}, {}, "has 1 with lesions; at least 2 are needed"),
        ({}, {"lesions": [0, 1, 1, 0]}, {}, "case 'a' has 0 lesions in `cases`"),
        (
            {"score": [np.nan]},
            {},
            {},
            r"`marks`: `score` has 1 missing value \(first at row 0\)\.$",
        ),
        ({"score": [np.inf]}, {}, {}, "`score` has an infinite value at row 0"),
        ({}, {}, {"figure": "area"}, "figure"),
        ({}, {}, {"at": [2, 1]}, "`at` must be positive numbers that rise"),
        ({}, {}, {"modality": "case"}, "`modality` needs `reader`"),
        ({}, {}, {"figure": "afroc", "weights": "score"}, "those of figure='wafroc'"),
        ({}, {}, {"groups": "case", "covariance": "jackknife"}, "needs covariance='delong'"),
        ({}, {}, {"score": "confidence"}, "`marks`: no column is called 'confidence'"),
        ({name: [] for name in ("case", "score", "lesion")}, {}, {}, "`marks`: no rows; without"),
    ],
)
def test_errors(marks, cases, options, message):
    own = {"case": ["a"], "score": [1.0], "lesion": [1]} | marks
    rows = {"case": ["a", "b", "c", "d"], "lesions": [1, 1, 0, 0]} | cases
    with pytest.raises(InputError, match=message):
        rw.froc(own, rows, **COLUMNS | options)


def test_text_names_of_lesions_and_files(tmp_path):
    study = marked_lesions(1, 10, 12, separation=(1.0,))
    frame = pd.DataFrame(study.marks)
    names = frame.lesion.map({0: None, 1: "left", 2: "right", 3: "both"})
    frame.assign(lesion=names).to_csv(tmp_path / "marks.csv", index=False)
    pd.DataFrame(study.cases).to_csv(tmp_path / "cases.csv", index=False)
    found = rw.froc(tmp_path / "marks.csv", tmp_path / "cases.csv", **COLUMNS, rng=1)
    assert found.value == approx(froc(study, rng=1).value)
    assert repr(found).startswith("wAFROC area 0.")
    assert list(found.to_frame()) == ["nlf", "llf", "thresholds"]
