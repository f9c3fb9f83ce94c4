"""Tests of the coverage study: known truths, honest counting, tables that are those counts."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import rocwise as rw
from rocwise.inference.effective_sizes import ENOUGH

from . import coverage, grid_pages, interval_grid
from . import populations as pop
from .bulk_limits import LIMITS
from .counting import Count, count, missing, read_counts, write_counts
from .families import CLUSTERED, FAMILIES, INTERVALS, JOINT, ONE, PAIRED
from .interval_families import CLOSED
from .interval_grid import Cell, placements
from .kept_counts import read_records
from .pages import full_table, summary, written
from .populations import Setting
from .questions import Question

COUNTS = coverage.PAGE.with_suffix(".csv")


@pytest.mark.parametrize("area", [0.5, 0.7, 0.97])
@pytest.mark.parametrize("spread", [1.0, 3.0])
def test_true_area_of_rounded_scores(area, spread):
    setting = Setting(1, 1, area, ties=True, spread=spread)
    values = np.arange(-60, 61)
    edges = np.append(values - 0.5, 60.5)
    masses = [
        np.diff([0.5 * math.erfc((mean - edge) / sd / math.sqrt(2)) for edge in edges])
        for mean, sd in ((setting.shift(area), spread), (0.0, 1.0))
    ]
    labels = np.repeat([1, 0], len(values))
    expected = roc_auc_score(labels, np.tile(values, 2), sample_weight=np.concatenate(masses))
    assert setting.truth == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("spread", [1.0, 3.0])
def test_samples_have_the_true_area(ties, spread):
    setting = Setting(20_000, 20_000, 0.8, ties, spread)
    area = rw.auc(setting.labels, pop.one_sample(setting, np.random.default_rng(1)))
    assert abs(area.value - setting.truth) < 5 * area.standard_error


def test_models_are_correlated_and_have_their_areas():
    setting = Setting(10_000, 10_000, 0.7)
    scores = pop.correlated(setting, np.random.default_rng(2), (0.6, 0.9))
    assert list(scores) == ["a", "b"]
    for name, area in (("a", 0.6), ("b", 0.9)):
        answer = rw.auc(setting.labels, scores[name])
        assert abs(answer.value - area) < 5 * answer.standard_error
    negatives = [row[setting.labels == 0] for row in scores.values()]
    assert np.corrcoef(negatives)[0, 1] == pytest.approx(pop.CORRELATION, abs=0.05)


@pytest.mark.parametrize(("grouping", "gain"), [(pop.mixed_clusters, 5), (pop.pure_clusters, -1)])
def test_expected_area_of_clustered_cases(grouping, gain):
    setting = Setting(10, 10, 0.8)
    groups = grouping(setting)
    rng = np.random.default_rng(3)
    scores = np.array([setting.scored(pop.clustered_noise(groups, rng)) for _ in range(3000)])
    pos, neg = scores[:, setting.labels == 1], scores[:, setting.labels == 0]
    areas = (pos[:, :, None] > neg[:, None, :]).mean(axis=(1, 2))  # no two scores are equal
    error = np.std(areas) / math.sqrt(len(areas))
    truth = pop.clustered_truth(setting, groups)
    assert abs(np.mean(areas) - truth) < 5 * error
    assert truth - setting.area > gain * error


def always(happened, refuse=()):
    seen = []

    def ask(_):
        seen.append(None)
        if len(seen) in refuse:
            raise rw.InputError("`method` has no answer.")
        return happened, 0.25

    return Question("always", ask, replicates=10)


def test_refusals_are_counted_apart():
    family = replace(INTERVALS, questions=(always(True, refuse=(2, 5)),))
    (one,) = count(family, Setting(3, 4, 0.7), family.questions, 100)
    assert (one.replicates, one.answered, one.hits, one.mean_width) == (10, 8, 8, 0.25)
    assert one.share == 1.0
    assert one.error == pytest.approx(math.sqrt(0.9 * 0.1 / 8))
    assert "100.0 ± 10.6 (2 refused)" in full_table(family, [one])


def test_methods_see_the_same_samples_whenever_they_are_asked():
    setting = Setting(5, 15, 0.7)
    together = count(INTERVALS, setting, INTERVALS.questions[:3], 20)
    apart = [count(INTERVALS, setting, [one], 20)[0] for one in INTERVALS.questions[:3]]
    assert together == apart


@pytest.mark.parametrize("setting", [Setting(2, 18, 0.97), Setting(10, 40, 0.7, ties=True)])
def test_a_test_rejects_where_its_interval_misses(setting):
    asked = [one for one in INTERVALS.questions if one.method in CLOSED]
    held = {one.method: one.hits for one in count(INTERVALS, setting, asked, 60)}
    rejected = {one.method: one.hits for one in count(ONE, setting, ONE.questions, 60)}
    assert {method: 60 - hits for method, hits in held.items()} == rejected


def test_rounding_leaves_the_models_equally_good():
    setting = Setting(50, 50, 0.9, ties=True)
    found = count(PAIRED, setting, PAIRED.questions[:1], 200)
    assert found[0].hits < 30  # 5 % of 200 are 10; 30 would be six standard errors more


TABLE = "Words.\n\n<!-- table: three models -->\nold\n<!-- end -->\nMore words.\n"


def test_the_command_counts_what_is_missing_and_writes_the_tables(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text(TABLE)
    options = ["--page", str(page), "--only", JOINT.name, "--replicates", "5", "--settings", "2"]
    coverage.main(options)
    first = read_counts(page.with_suffix(".csv"))
    assert [one.replicates for one in first] == [5] * 4  # two settings, two methods
    text = page.read_text()
    assert text.startswith("Words.")
    assert text.endswith("More words.\n")
    assert "old" not in text
    assert text.count(" ± ") == 4
    coverage.main(options)
    second = read_counts(page.with_suffix(".csv"))
    assert len(second) == 8
    assert set(first) < set(second)
    coverage.main([*options, "--fresh"])
    assert read_counts(page.with_suffix(".csv")) == first

    monkeypatch.setattr(coverage, "run", None)
    page.write_text(TABLE)
    coverage.main([*options, "--tables"])
    assert page.read_text() == text


def test_counts_survive_the_file(tmp_path):
    settings = [Setting(4, 6, 0.9, ties) for ties in (True, False)]
    counts = [one for s in settings for one in count(CLUSTERED[0], s, CLUSTERED[0].questions, 3)]
    write_counts(tmp_path / "counts.csv", counts)
    assert set(read_counts(tmp_path / "counts.csv")) == set(counts)
    family = replace(CLUSTERED[0], settings=tuple(settings))
    assert list(missing(family, counts)) == []
    assert list(missing(family, counts[1:])) == [(settings[0], [CLUSTERED[0].questions[0]])]


def test_summary_shows_the_extremes():
    def one(n_pos, area, hits):
        return Count("intervals", "coverage", "delong", n_pos, 90, area, False, 1.0, area, *hits)

    counts = [one(5, 0.7, (100, 100, 95, 0.2)), one(5, 0.9, (100, 100, 84, 0.4))]
    asked = [question for question in INTERVALS.questions if question.method == "delong"]
    row = summary(replace(INTERVALS, questions=tuple(asked)), counts).splitlines()[-1]
    assert row == "| `delong` | 84.0 to 95.0 | 0.300 |"


def cases_on_the_wrong_side(one):
    return min(one.n_pos, one.n_neg) * min(one.truth, 1 - one.truth)


def worst(counts, method):
    return min(one.share for one in counts if one.method == method)


class TestAdvice:
    """What `auc_intervals` recommends is what the published counts support."""

    COUNTS = tuple(read_counts(COUNTS))
    ALIKE = tuple(one for one in COUNTS if one.family == "intervals")
    UNLIKE = tuple(one for one in COUNTS if one.family == "unequal spread")

    @staticmethod
    def between(counts, low, high):
        return [one for one in counts if low <= cases_on_the_wrong_side(one) < high]

    @pytest.mark.parametrize("counts", [ALIKE, UNLIKE], ids=["alike", "unlike"])
    def test_delong_holds_where_it_is_recommended_and_auto_everywhere(self, counts):
        assert worst(self.between(counts, ENOUGH, math.inf), "delong") >= 0.925
        assert worst(counts, "auto") >= 0.93

    def test_delong_does_not_hold_where_it_is_not_recommended(self):
        assert worst(self.between(self.ALIKE, 3, ENOUGH), "delong") < 0.915
        assert worst(self.between(self.ALIKE, 0, 3), "delong") < 0.8

    def test_with_one_case_only_the_bound_holds(self):
        alone = [one for one in self.COUNTS if one.family == "small classes" and one.n_pos == 1]
        assert worst(alone, "hoeffding") >= 0.95
        assert worst(alone, "delong") >= 0.95
        assert worst(alone, "score") < 0.85


class TestIntervalGrid:
    """Formulas for arrays are those of the package, and the published counts keep the promise."""

    CELLS = tuple(read_records(interval_grid.COUNTS, Cell))

    @pytest.mark.parametrize("method", ["delong", "logit", "score", "wilson", "auto"])
    @pytest.mark.parametrize(("n_pos", "n_neg", "shift"), [(3, 9, 1), (20, 20, 2), (4, 4, 6)])
    def test_limits_for_arrays_are_those_of_auc(self, method, n_pos, n_neg, shift):
        rng, y = np.random.default_rng(1), np.repeat([1, 0], [n_pos, n_neg])
        scores = np.round(rng.normal(size=(8, len(y))) + shift * y, 1)
        limits = LIMITS[method](placements(scores[:, y == 1], scores[:, y == 0]))
        for row, low, high in zip(scores, *limits, strict=True):
            expected = tuple(rw.auc(y, row, method=method).interval)
            assert (max(low, 0), min(high, 1)) == pytest.approx(expected, abs=1e-9)

    @pytest.mark.parametrize("scores", ["normal", "ties", "skewed", "heavy"])
    def test_shifts_give_the_true_area(self, scores):
        shift = interval_grid.shift_of(scores, 2.0, 0.8)
        sample = interval_grid.drawn((scores, 2.0, 400, 400), shift, 100)
        assert abs(sample.area.mean() - 0.8) < 5 * math.sqrt(sample.variance.mean() / 100)

    def test_what_auc_makes_holds_everywhere(self):
        assert len(self.CELLS) == 4 * 4 * 8 * 11 * 3
        assert min(one.auto / one.samples for one in self.CELLS) >= 0.93
        assert min(one.delong / one.samples for one in self.CELLS) < 0.6

    def test_the_page_shows_them(self):
        text = Path(coverage.PAGE).read_text(encoding="utf-8")
        assert grid_pages.written(text, self.CELLS) == text


class TestPublishedCounts:
    def test_they_are_complete(self):
        counts = read_counts(COUNTS)
        assert all(not list(missing(family, counts)) for family in FAMILIES)
        asked = {(f.name, q.method): q for f in FAMILIES for q in f.questions}
        for one in counts:
            setting = Setting(one.n_pos, one.n_neg, one.area, one.ties, one.spread)
            assert one.replicates >= asked[one.family, one.method].due(setting)

    def test_the_page_shows_them(self):
        text = Path(coverage.PAGE).read_text(encoding="utf-8")
        assert written(text, read_counts(COUNTS)) == text

    def test_they_can_be_counted_again(self):
        """The first samples of a published line, and fewer hits among them than in all."""
        setting = INTERVALS.settings[0]
        again = count(INTERVALS, setting, INTERVALS.questions[:1], 50)[0]
        (line,) = [one for one in read_counts(COUNTS) if one.place == again.place]
        assert line.truth == again.truth
        assert again.hits <= line.hits
        assert 50 - again.hits <= line.replicates - line.hits
