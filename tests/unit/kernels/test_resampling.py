import numpy as np
import pytest

import rocwise as rw
from rocwise.binary.threshold_rules import checked_rule, rule_in_numbers
from rocwise.kernels import resampling_tables as tables
from rocwise.kernels.plain import resampling
from rocwise.kernels.plain.bands import _row_counts
from rocwise.kernels.plain.merging import table_sums
from rocwise.kernels.resampling_tables import draws_counts, signed_rows

GRID = np.linspace(0, 1, 21)


def table(kind, size=60):
    """Counts per distinct score, descending, of a marker that tells the classes apart a little."""
    rng = np.random.default_rng(size)
    if kind == "distinct":
        pos = (rng.random(size) < np.linspace(0.7, 0.2, size)).astype(np.int64)
        return pos, 1 - pos
    pos, neg = rng.poisson(np.linspace(3, 1, size)), rng.poisson(np.linspace(1, 3, size))
    factor = 60 if kind == "crowded" else 1
    return factor * pos.astype(np.int64), factor * neg.astype(np.int64)


KINDS = ["distinct", "tied", "crowded"]


def moments(pos, neg):
    """Mean and variance over all stratified bootstrap samples of AUC, from the matrix of pairs."""
    place = np.arange(pos.size)
    wins = (place[:, None] < place) + 0.5 * (place[:, None] == place)
    p, q = pos / pos.sum(), neg / neg.sum()
    mean = p @ wins @ q
    by_pos, by_neg = p @ (wins @ q - mean) ** 2, q @ (p @ wins - mean) ** 2
    rest = p @ wins**2 @ q - mean**2 - by_pos - by_neg
    return mean, by_pos / pos.sum() + by_neg / neg.sum() + rest / (pos.sum() * neg.sum())


def test_generator_is_splitmix64():
    # the first outputs of the published generator from state 1234567
    steps = np.array([1234567 + k * 0x9E3779B97F4A7C15 for k in range(1, 6)], dtype=object)
    words = resampling._mix(np.array([int(s) & (2**64 - 1) for s in steps], np.uint64))
    assert words.tolist() == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize("size", [1, 2, 3, 1000, 2**31 - 1, 2**32 - 1])
def test_scaling_takes_the_upper_half_of_the_product(size):
    words = [0, 1, 2**32 - 1, 2**32, 2**63, 2**64 - 1, 0x0123456789ABCDEF]
    found = resampling._scale(np.array(words, np.uint64), size)
    assert found.tolist() == [(word * size) >> 64 for word in words]


@pytest.mark.parametrize("kind", KINDS)
class TestEveryTable:
    def test_counts_keep_the_class_sizes(self, kernels, kind):
        pos, neg = table(kind)
        drawn_pos, drawn_neg = kernels.resample_counts(pos, neg, 5, 0, 30)
        assert drawn_pos.shape == drawn_neg.shape == (30, pos.size)
        assert (drawn_pos.sum(axis=1) == pos.sum()).all()
        assert (drawn_neg.sum(axis=1) == neg.sum()).all()
        assert not drawn_pos[:, pos == 0].any()
        assert not drawn_neg[:, neg == 0].any()

    def test_doubled_u_is_that_of_the_drawn_counts(self, kernels, kind):
        pos, neg = table(kind)
        drawn = kernels.resample_counts(pos, neg, 5, 0, 30)
        expected = [table_sums(p, q).sum_u for p, q in zip(*drawn, strict=True)]
        assert kernels.resample_doubled_u(pos, neg, 5, 0, 30).tolist() == expected
        # with the classes exchanged the other one is counted
        turned = kernels.resample_doubled_u(neg, pos, 5, 0, 30)
        swapped = kernels.resample_counts(neg, pos, 5, 0, 30)
        assert turned.tolist() == [table_sums(p, q).sum_u for p, q in zip(*swapped, strict=True)]

    def test_tpr_is_that_of_the_drawn_counts(self, kernels, kind):
        pos, neg = table(kind)
        found = kernels.resample_tpr(pos, neg, 5, 0, 12, GRID)
        for line, p, q in zip(found, *kernels.resample_counts(pos, neg, 5, 0, 12), strict=True):
            fpr, tpr = (np.append(0, np.cumsum(c)) / c.sum() for c in (q, p))
            for rate, height in zip(GRID, line, strict=True):
                near = np.abs(fpr - rate) < 1e-12
                exact = tpr[near].max() if near.any() else np.interp(rate, fpr, tpr)
                assert height == pytest.approx(exact, abs=1e-12)

    def test_a_replicate_depends_on_seed_and_number_alone(self, kernels, kind):
        pos, neg = table(kind)
        together = kernels.resample_doubled_u(pos, neg, 8, 0, 20)
        apart = [kernels.resample_doubled_u(pos, neg, 8, b, b + 1)[0] for b in range(20)]
        assert together.tolist() == apart
        heights = kernels.resample_tpr(pos, neg, 8, 0, 20, GRID)
        assert np.array_equal(heights[7:9], kernels.resample_tpr(pos, neg, 8, 7, 9, GRID))
        assert not np.array_equal(together, kernels.resample_doubled_u(pos, neg, 9, 0, 20))
        assert len(set(together.tolist())) > 10

    @pytest.mark.parametrize("threads", [1, 2, 5, 40])
    def test_threads_never_change_the_answer(self, kernels, kind, threads):
        pos, neg = table(kind)
        one = kernels.resample_doubled_u(pos, neg, 8, 3, 30, threads=1)
        assert np.array_equal(one, kernels.resample_doubled_u(pos, neg, 8, 3, 30, threads=threads))
        one = kernels.resample_tpr(pos, neg, 8, 3, 30, GRID, threads=1)
        many = kernels.resample_tpr(pos, neg, 8, 3, 30, GRID, threads=threads)
        assert np.array_equal(one, many)

    def test_mean_and_variance_are_those_of_all_samples(self, kernels, kind):
        pos, neg = table(kind)
        replicates = 4_000
        mean, variance = moments(pos, neg)
        found = kernels.resample_doubled_u(pos, neg, 2, 0, replicates) / (2 * pos.sum() * neg.sum())
        assert abs(found.mean() - mean) < 4 * np.sqrt(variance / replicates)
        assert abs(found.var() / variance - 1) < 4 * np.sqrt(2 / replicates)

    def test_every_row_is_drawn_equally_often(self, kernels, kind):
        pos, neg = table(kind)
        drawn, _ = kernels.resample_counts(pos, neg, 3, 0, 3_000)
        held = pos > 0
        share = pos[held] / pos.sum()
        error = np.sqrt(pos.sum() * share * (1 - share) / 3_000)
        z = (drawn.mean(axis=0)[held] - pos[held]) / error
        assert np.abs(z).max() < 4.5
        assert 0.5 < z.var() < 1.7


def test_both_implementations_draw_the_same(kernels):
    mask = (np.random.default_rng(0).random(90) < 0.4).astype(np.uint8)
    scores = np.round(np.random.default_rng(1).normal(size=(3, 90)), 1)
    for kind in KINDS:
        pos, neg = table(kind)
        for one, other in zip(
            kernels.resample_counts(pos, neg, 5, 2, 9),
            resampling.resample_counts(pos, neg, 5, 2, 9),
            strict=True,
        ):
            assert np.array_equal(one, other)
            assert one.dtype == other.dtype == np.int64
        assert np.array_equal(
            kernels.resample_tpr(pos, neg, 5, 2, 9, GRID),
            resampling.resample_tpr(pos, neg, 5, 2, 9, GRID),
        )
    assert np.array_equal(
        kernels.resample_paired_doubled_u(kernels.paired_placing(mask, scores), 5, 2, 9),
        resampling.resample_paired_doubled_u(resampling.paired_placing(mask, scores), 5, 2, 9),
    )


def test_counts_are_drawn_only_where_scores_are_few():
    assert [draws_counts(*table(kind)) for kind in KINDS] == [False, False, True]


@pytest.mark.parametrize("points", [1, 2, 101])
def test_long_curves_are_searched_as_well_as_walked(kernels, points):
    pos, neg = table("distinct", 6_000)
    grid = np.linspace(0, 1, points)
    upwards = kernels.resample_tpr(pos, neg, 5, 0, 3, grid)
    downwards = kernels.resample_tpr(pos, neg, 5, 0, 3, grid[::-1].copy())
    assert np.array_equal(upwards, downwards[:, ::-1])
    assert (np.diff(upwards, axis=1) >= 0).all()


def test_vertical_segments_give_their_upper_end(kernels):
    rates = np.array([0.0, 0.5, 1.0])
    above = kernels.resample_tpr(np.array([3, 2, 0]), np.array([0, 0, 4]), 1, 0, 5, rates)
    assert np.array_equal(above, np.ones((5, 3)))
    # all positives below all negatives: the curve climbs at the very end only
    below = kernels.resample_tpr(np.array([0, 4]), np.array([5, 0]), 1, 0, 5, rates)
    assert np.array_equal(below, [[0.0, 0.0, 1.0]] * 5)


class TestPaired:
    def rows(self):
        rng = np.random.default_rng(4)
        mask = (rng.random(80) < 0.4).astype(np.uint8)
        first = rng.normal(size=80) + mask
        return mask, np.array([first, np.round(first + rng.normal(size=80), 1), first])

    def test_markers_see_the_same_rows(self, kernels):
        found = kernels.resample_paired_doubled_u(kernels.paired_placing(*self.rows()), 6, 0, 40)
        assert found.shape == (40, 3)
        assert np.array_equal(found[:, 0], found[:, 2])
        assert not np.array_equal(found[:, 0], found[:, 1])

    def test_doubled_u_is_that_of_the_drawn_rows(self, kernels):
        mask, scores = self.rows()
        found = kernels.resample_paired_doubled_u(kernels.paired_placing(mask, scores), 6, 0, 5)
        for b in range(5):
            neg = resampling.row_counts(6, b, b + 1, 0, int((mask == 0).sum()))[0]
            pos = resampling.row_counts(6, b, b + 1, 1, int((mask == 1).sum()))[0]
            for marker, line in enumerate(scores):
                x = np.repeat(line[mask == 0], neg)
                y = np.repeat(line[mask == 1], pos)
                wins = 2 * (x[:, None] < y) + (x[:, None] == y)
                assert found[b, marker] == wins.sum()

    def test_covariance_is_that_of_all_samples(self, kernels):
        mask, scores = self.rows()
        size = 2 * mask.sum() * (mask == 0).sum()
        layout = kernels.paired_placing(mask, scores)
        found = kernels.resample_paired_doubled_u(layout, 6, 0, 4_000)[:, :2] / size
        wins = [
            (line[mask == 1][:, None] > line[mask == 0])
            + 0.5 * (line[mask == 1][:, None] == line[mask == 0])
            for line in scores[:2]
        ]
        difference = wins[0] - wins[1]
        by_pos, by_neg = difference.mean(axis=1).var(), difference.mean(axis=0).var()
        rest = difference.var() - by_pos - by_neg
        n_pos, n_neg = difference.shape
        variance = by_pos / n_pos + by_neg / n_neg + rest / difference.size
        drawn = found[:, 0] - found[:, 1]
        assert abs(drawn.mean() - difference.mean()) < 4 * np.sqrt(variance / 4_000)
        assert abs(drawn.var() / variance - 1) < 4 * np.sqrt(2 / 4_000)

    @pytest.mark.parametrize("threads", [1, 2, 7])
    def test_threads_never_change_the_answer(self, kernels, threads):
        layout = kernels.paired_placing(*self.rows())
        one = kernels.resample_paired_doubled_u(layout, 6, 3, 300, threads=1)
        many = kernels.resample_paired_doubled_u(layout, 6, 3, 300, threads=threads)
        assert np.array_equal(one, many)

    def test_rows_must_agree(self, kernels):
        with pytest.raises(ValueError, match="`mask` has shape"):
            kernels.paired_placing(np.zeros(3, np.uint8), np.zeros((2, 4)))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((np.array([1]), np.array([1]), -1, 0, 1), "`seed`"),
        ((np.array([1]), np.array([1]), 2**64, 0, 1), "`seed`"),
        ((np.array([1]), np.array([1]), 0, 3, 1), "first <= last"),
        ((np.array([1, 2]), np.array([1]), 0, 0, 1), "shape"),
        ((np.array([1, -2]), np.array([1, 5]), 0, 0, 1), "negative"),
        ((np.array([0, 0]), np.array([1, 5]), 0, 0, 1), "at least one row"),
        ((np.array([1, 5]), np.array([0, 0]), 0, 0, 1), "at least one row"),
        ((np.array([1.5, 2]), np.array([1, 5]), 0, 0, 1), "weights without its rows"),
        ((np.array([1, 2]), np.array([0.5, 5]), 0, 0, 1), "weights without its rows"),
    ],
)
def test_wrong_requests_are_refused(kernels, arguments, words):
    with pytest.raises(ValueError, match=words):
        kernels.resample_doubled_u(*arguments)


@pytest.mark.parametrize("rows", [2**31, 2**32 + 10])
def test_rows_that_ranks_cannot_count_are_refused_whatever_their_ties(kernels, rows):
    """A threshold is tried on the rows left out, so they are drawn one by one."""
    drawn = np.array([rows, 5]), np.array([3, 7]), 0, 0, 1
    youden = rule_in_numbers(*checked_rule("youden"), "mild")
    for ask in (
        lambda: kernels.resample_curves(*drawn),
        lambda: kernels.resample_left_out(*drawn, np.array([1])),
        lambda: kernels.resample_thresholds(*drawn, lambda tp, fp: tp.argmax(axis=1), youden),
    ):
        with pytest.raises(rw.InputError, match=f"has {rows + 5:,}"):
            ask()


@pytest.mark.parametrize("rate", [-0.01, 1.01, np.nan])
def test_rates_outside_the_curve_are_refused(kernels, rate):
    with pytest.raises(ValueError, match="`fpr_grid`"):
        kernels.resample_tpr(np.array([1, 2]), np.array([2, 1]), 0, 0, 1, np.array([0.5, rate]))


def test_largest_seed_and_late_replicates_work(kernels):
    pos, neg = table("distinct")
    late = kernels.resample_doubled_u(pos, neg, 2**64 - 1, 10**9, 10**9 + 3)
    assert np.array_equal(
        late, resampling.resample_doubled_u(pos, neg, 2**64 - 1, 10**9, 10**9 + 3)
    )


def test_no_replicates_at_all(kernels):
    pos, neg = table("tied")
    assert kernels.resample_doubled_u(pos, neg, 1, 4, 4).shape == (0,)
    assert kernels.resample_tpr(pos, neg, 1, 4, 4, GRID).shape == (0, GRID.size)


class TestUnlikeRows:
    """Rows with weights, or in clusters, drawn and then added at each score."""

    RNG = np.random.default_rng(4)
    POSITIVE = RNG.random(80) < 0.4
    STARTS = np.flatnonzero(np.append(True, RNG.random(79) < 0.5))
    WHOLE = RNG.integers(1, 5, 80).astype(np.float64)
    UNITS = RNG.integers(0, 15, 80)
    TIMES = RNG.integers(0, 4, (6, 80))

    def added(self, weights, times):
        """The definition: every row brings its weight as often as it is there."""
        held, score = np.broadcast_to(times * weights, times.shape), np.zeros(80, np.int64)
        score[self.STARTS[1:]] = 1
        at = np.cumsum(score)[None, :] == np.arange(len(self.STARTS))[:, None]
        return [held @ (at & own).T for own in (self.POSITIVE, ~self.POSITIVE)]

    @pytest.mark.parametrize("kind", [np.int64, np.float64])
    def test_rows_bring_their_weights(self, kernels, kind):
        rows = signed_rows(self.POSITIVE, self.STARTS, self.WHOLE, None)
        found = kernels.row_amounts(rows, self.TIMES.astype(kind))
        assert np.array_equal(found, self.added(self.WHOLE, self.TIMES))

    def test_rows_are_there_as_often_as_their_cluster(self, kernels):
        rows = signed_rows(self.POSITIVE, self.STARTS, None, self.UNITS)
        times = self.TIMES[:, :15]
        found = kernels.row_amounts(rows, times[:, ::1])
        assert np.array_equal(found, self.added(1.0, times[:, self.UNITS]))

    def test_weights_that_are_no_whole_numbers_agree_to_the_last_bits(self, kernels):
        weights = self.RNG.random(80)
        rows = signed_rows(self.POSITIVE, self.STARTS, weights, None)
        found = kernels.row_amounts(rows, self.TIMES)
        np.testing.assert_allclose(found, self.added(weights, self.TIMES), rtol=1e-14)

    def test_units_without_a_column_are_refused(self, kernels):
        rows = signed_rows(self.POSITIVE, self.STARTS, None, None)
        with pytest.raises(ValueError, match="each unit needs a column"):
            kernels.row_amounts(rows, self.TIMES[:, :79])

    def test_classes_are_drawn_as_counts_of_distinct_scores_are(self, kernels):
        found = kernels.class_counts(30, 50, 2**64 - 1, 2**40, 2**40 + 3)
        pos, neg = np.repeat([1, 0], [30, 50]), np.repeat([0, 1], [30, 50])
        drawn = resampling.resample_counts(pos, neg, 2**64 - 1, 2**40, 2**40 + 3)
        assert np.array_equal(found, drawn[0] + drawn[1])

    def test_units_drawn_together_are_drawn_as_rows_of_a_pooled_resample(self, kernels):
        classes = np.repeat([2, 1], [30, 50]).astype(np.uint8)
        found = kernels.pooled_counts(classes, 2**64 - 1, 2**40, 2**40 + 3)
        drawn = [_row_counts(30, 50, 2**64 - 1, 2**40 + b, False) for b in range(3)]
        assert found.tolist() == [np.concatenate(both).tolist() for both in drawn]

    def test_units_are_drawn_until_no_class_is_absent(self, kernels):
        classes = np.array([2, 1, 1, 1], np.uint8)
        found = kernels.pooled_counts(classes, 5, 0, 500)
        assert (found.sum(axis=1) == 4).all()
        assert (found[:, 0] > 0).all()
        assert (found[:, 1:].sum(axis=1) > 0).all()
        assert found.tolist() == resampling.pooled_counts(classes, 5, 0, 500).tolist()
        both = kernels.pooled_counts(np.array([3, 3], np.uint8), 5, 0, 500)
        assert np.bincount(both[:, 0]).tolist() == pytest.approx([125, 250, 125], abs=50)

    def test_units_of_which_no_draw_has_every_class_are_refused(self, kernels, monkeypatch):
        monkeypatch.setattr(tables, "MOST_ATTEMPTS", 1)
        with pytest.raises(rw.InputError, match="of 1 resamples of clusters every one lacks"):
            kernels.pooled_counts(np.array([2, 1], np.uint8), 5, 0, 50)
        with pytest.raises(ValueError, match="a class of every unit"):
            kernels.pooled_counts(np.array([2, 0], np.uint8), 5, 0, 50)


class TestRowsOfClasses:
    """Every class draws as many of its own rows as it has."""

    MEMBERS = np.random.default_rng(3).permutation(60)
    SIZES = np.array([1, 20, 39])

    def test_classes_keep_their_sizes(self, kernels):
        for replicate in range(20):
            times = kernels.class_times(self.MEMBERS, self.SIZES, 5, replicate)
            own = np.split(times[self.MEMBERS], np.cumsum(self.SIZES)[:-1])
            assert [each.sum() for each in own] == self.SIZES.tolist()
            assert times.min() >= 0

    def test_both_implementations_draw_the_same(self, kernels):
        found = kernels.class_times(self.MEMBERS, self.SIZES, 2**64 - 1, 2**40)
        assert np.array_equal(
            found, resampling.class_times(self.MEMBERS, self.SIZES, 2**64 - 1, 2**40)
        )

    def test_every_row_is_drawn_equally_often(self, kernels):
        drawn = sum(kernels.class_times(self.MEMBERS, self.SIZES, 1, k) for k in range(2000))
        assert np.abs(drawn / 2000 - 1).max() < 5 / np.sqrt(2000)  # the variance of one is 1 - 1/n
        first, second = (kernels.class_times(self.MEMBERS, self.SIZES, 1, k) for k in (0, 1))
        assert not np.array_equal(first, second)

    @pytest.mark.parametrize(
        ("members", "sizes", "words"),
        [([0, 1], [1, 2], "how many"), ([0, 2], [1, 1], "each row"), ([0, 1], [2, 0], "at least")],
    )
    def test_wrong_classes_are_refused(self, kernels, members, sizes, words):
        with pytest.raises(ValueError, match=words):
            kernels.class_times(np.array(members), np.array(sizes), 1, 0)
