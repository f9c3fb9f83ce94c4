"""Every function raises the same error for bad data: argument, value, row and remedy."""

import numpy as np
import pandas as pd
import pytest

import rocwise as rw

NAN, INF = float("nan"), float("inf")
Y, S, W = [0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4], [1.0, 2.0, 3.0, 4.0]


class Door:
    """One of the four doors: how it is called, and what it calls its arguments in errors."""

    def __init__(self, function, label, score, weight):
        self.call, self.label, self.score, self.weight = function, label, score, weight

    def error(self, y=Y, s=S, w=None, **options):
        with pytest.raises(rw.InputError) as caught:
            self.call(y, s, w, **options)
        return str(caught.value)

    def named(self, message):
        return message.format(label=self.label, score=self.score, weight=self.weight)


def by_tally(y, s, w, **options):
    return rw.tally(y, s, sample_weight=w, **options)


def by_pair(y, s, w, **options):
    return rw.pair(y, {"m": s}, sample_weight=w, **options)


def frame_of(y, s, w):
    columns = {"ill": y, "risk": s} | ({} if w is None else {"mass": w})
    return pd.DataFrame({name: pd.Series(list(values)) for name, values in columns.items()})


def by_tally_frame(y, s, w, **options):
    weight = None if w is None else "mass"
    return rw.tally(frame_of(y, s, w), label="ill", score="risk", sample_weight=weight, **options)


def by_pair_frame(y, s, w, **options):
    weight = None if w is None else "mass"
    return rw.pair(frame_of(y, s, w), label="ill", scores=["risk"], sample_weight=weight, **options)


DOORS = {
    "tally": Door(by_tally, "y_true", "y_score", "sample_weight"),
    "pair": Door(by_pair, "y_true", "scores['m']", "sample_weight"),
    "tally of a frame": Door(by_tally_frame, "ill", "risk", "mass"),
    "pair of a frame": Door(by_pair_frame, "ill", "risk", "mass"),
}
doors = pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
MISSING = "Pass missing='drop' to leave those rows out."
MORE_CLASSES = "For more than two classes there are `multiclass.auc` and `ordinal.auc`."

BAD_DATA = {
    "no positive": (
        {"y": [0, 0, 0, 0]},
        "`{label}` has no positive example, so ROC is undefined: all 4 labels are 0.",
    ),
    "no negative": (
        {"y": [1, 1, 1, 1]},
        "`{label}` has no negative example, so ROC is undefined: all 4 labels are 1.",
    ),
    "no positive, -1": (
        {"y": [-1, -1, -1, -1]},
        "`{label}` has no positive example, so ROC is undefined: all 4 labels are -1.",
    ),
    "declared label alone": (
        {"y": ["a"] * 4, "pos_label": "a"},
        "`{label}` has no negative example, so ROC is undefined: all 4 labels are 'a'.",
    ),
    "nan in scores": (
        {"s": [0.1, NAN, 0.3, NAN]},
        "`{score}` has 2 missing values (first at row 1). " + MISSING,
    ),
    "None in scores": (
        {"s": [0.1, 0.2, 0.3, None]},
        "`{score}` has 1 missing value (first at row 3). " + MISSING,
    ),
    "nan in labels": (
        {"y": [0, 1, NAN, 1]},
        "`{label}` has 1 missing value (first at row 2). " + MISSING,
    ),
    "None in labels": (
        {"y": [None, 1, 0, 1]},
        "`{label}` has 1 missing value (first at row 0). " + MISSING,
    ),
    "nan in weights": (
        {"w": [1, 1, NAN, 1]},
        "`{weight}` has 1 missing value (first at row 2). " + MISSING,
    ),
    "labels come first": (
        {"y": [0, NAN, 0, 1], "s": [NAN, 1, 2, 3]},
        "`{label}` has 1 missing value (first at row 1). " + MISSING,
    ),
    "infinite weight": (
        {"w": [1, 1, 1, INF]},
        "`{weight}` has 1 infinite value (first inf at row 3); "
        "weights must be finite and at least 0.",
    ),
    "negative weights": (
        {"w": [1, -2, 1, -1]},
        "`{weight}` has 2 negative values (first -2 at row 1); "
        "weights must be finite and at least 0.",
    ),
    "no weight on positives": (
        {"w": [1, 0, 1, 0]},
        "`{weight}` is 0 for every positive row, so ROC is undefined.",
    ),
    "no weight on negatives": (
        {"w": [0, 1, 0, 1]},
        "`{weight}` is 0 for every negative row, so ROC is undefined.",
    ),
    "weights of no use": (
        {"w": [1e-200, 1, 1e-200, 1]},
        "`{weight}` goes up to 1e-200 for negative rows, and its squares leave the range of "
        "floating-point numbers. Divide all weights by one number, e.g. by the largest.",
    ),
    "text as weights": (
        {"w": ["a", "b", "c", "d"]},
        "`{weight}` must contain numbers; got <U1 values (first 'a' at row 0).",
    ),
    "three labels": (
        {"y": [0, 1, 2, 1]},
        "`{label}` must have two classes, as 0/1, -1/1 or booleans; got 3 distinct labels: "
        "0, 1, 2. Keep two of them and name the positive one with pos_label=. " + MORE_CLASSES,
    ),
    "three labels, one declared": (
        {"y": ["a", "b", "c", "b"], "pos_label": "b"},
        "`{label}` must have two classes; got 3 distinct labels: 'a', 'b', 'c'. "
        "Keep two of them, or map the others to one negative label. " + MORE_CLASSES,
    ),
    "two labels of unknown meaning": (
        {"y": [1, 2, 1, 2]},
        "`pos_label` is required for the labels 1 and 2 of `{label}`. "
        "Pass pos_label=1 or pos_label=2.",
    ),
    "words without pos_label": (
        {"y": ["no", "yes", "no", "yes"]},
        "`pos_label` is required for the labels 'no' and 'yes' of `{label}`. "
        "Pass pos_label='no' or pos_label='yes'.",
    ),
    "words in the order of the rows": (
        {"y": ["healthy", "control", "healthy", "control"]},
        "`pos_label` is required for the labels 'healthy' and 'control' of `{label}`. "
        "Pass pos_label='healthy' or pos_label='control'.",
    ),
    "one word": (
        {"y": ["yes", "yes", "yes", "yes"]},
        "`{label}` must have two classes, or ROC is undefined: all 4 labels are 'yes'.",
    ),
    "a class written in two ways": (
        {"y": ["negative", "Positive ", "positive", "negative"]},
        "`{label}` must have two classes, as 0/1, -1/1 or booleans; got 3 distinct labels: "
        "'Positive ', 'negative', 'positive'. Keep two of them and name the positive one with "
        "pos_label=. 'Positive ' and 'positive' differ only by blanks or capitals: write them "
        "identically if they are one class.",
    ),
    "a mix of -1 and 0": (
        {"y": [-1, 0, -1, 0]},
        "`pos_label` is required for the labels -1 and 0 of `{label}`. "
        "Pass pos_label=-1 or pos_label=0.",
    ),
    "pos_label that is not there": (
        {"pos_label": 2},
        "`pos_label` 2 does not occur in `{label}`, which contains 0, 1, "
        "so there is no positive example.",
    ),
    "pos_label of another type": (
        {"pos_label": "1"},
        "`pos_label` '1' does not occur in `{label}`, which contains 0, 1, "
        "so there is no positive example. Did you mean 1?",
    ),
    "several pos_labels": ({"pos_label": [1]}, "`pos_label` must be one label; got [1]."),
    "words as scores": (
        {"s": ["low", "high", "low", "high"]},
        "`{score}` must contain numbers; got text (first 'low' at row 0). "
        "Use an ordered categorical if the text is a rating.",
    ),
    "numbers written as text": (
        {"s": ["1", "2", "3", "4"]},
        "`{score}` must contain numbers; got text (first '1' at row 0). "
        "Convert the column to numbers first.",
    ),
    "one word among numbers": (
        {"s": ["1", "2", "?", "4"]},
        "`{score}` must contain numbers; got text (first '?' at row 2). "
        "Use an ordered categorical if the text is a rating.",
    ),
    "complex scores": (
        {"s": [1j, 2j, 3j, 4j]},
        "`{score}` must contain real numbers; got complex128 values (first 1j at row 0).",
    ),
    "wrong direction": (
        {"direction": "up"},
        "`direction` must be one of 'higher', 'lower'; got 'up'.",
    ),
    "wrong missing": ({"missing": "skip"}, "`missing` must be one of 'raise', 'drop'; got 'skip'."),
    "nothing left": (
        {"s": [NAN] * 4, "missing": "drop"},
        "every row has a missing value; nothing is left to analyze.",
    ),
    "one class left": (
        {"s": [0.1, NAN, 0.3, NAN], "missing": "drop"},
        "`{label}` has no positive example, so ROC is undefined: all 2 labels are 0.",
    ),
}


@doors
@pytest.mark.parametrize(("given", "message"), BAD_DATA.values(), ids=BAD_DATA)
def test_bad_data(door, given, message):
    assert door.error(**given) == door.named(message)


@doors
def test_rows_in_errors_are_those_of_the_users_data(door):
    y, s, w = [1, 0, 0, 1, 1], [NAN, 0.2, 0.3, 0.4, 0.5], [1, 1, -3, 1, 1]
    assert "first -3 at row 2" in door.error(y, s, w, missing="drop")


@doors
def test_constant_scores_are_valid(door):
    found = door.call(Y, [0.5] * 4, None)
    assert found.n_pos + found.n_neg == 4


@doors
def test_infinite_scores_are_valid(door):
    found = door.call(Y, [-INF, INF, 0.0, INF], None)
    assert found.n_pos + found.n_neg == 4


@pytest.mark.parametrize("door", [DOORS["tally"], DOORS["pair"]], ids=["tally", "pair"])
@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"s": [1, 2, 3]},
            "`{label}` has 4 values but `{score}` has 3; they must describe the same rows.",
        ),
        (
            {"w": [1] * 1500},
            "`{label}` has 4 values but `{weight}` has 1,500; they must describe the same rows.",
        ),
        (
            {"y": [], "s": []},
            "`{label}` is empty; at least one positive and one negative are needed.",
        ),
        ({"s": []}, "`{score}` is empty; at least one positive and one negative are needed."),
        ({"s": 0.5}, "`{score}` must be one-dimensional; got an array of shape ()."),
        (
            {"y": [[0], [1]]},
            "`{label}` must be one-dimensional; got an array of shape (2, 1). "
            "Pass {label}.ravel().",
        ),
        (
            {"s": np.zeros((4, 2))},
            "`{score}` must be one-dimensional; got an array of shape (4, 2). "
            "For predicted probabilities of two classes pass {score}[:, 1].",
        ),
        (
            {"s": np.zeros((4, 3))},
            "`{score}` must be one-dimensional; got an array of shape (4, 3).",
        ),
        ({"y": "0101"}, "`{label}` must be a sequence of values; got '0101'."),
        ({"y": {0: 1}}, "`{label}` must be a sequence of values; got {{0: 1}}."),
        (
            {"s": pd.DataFrame({"a": S})},
            "`{score}` must be one column; got a DataFrame. "
            "Pick a column, or use tally(frame, label=..., score=...).",
        ),
    ],
)
def test_arrays_that_cannot_be_rows(door, given, message):
    assert door.error(**given) == door.named(message)


def test_ragged_lists_raise():
    with pytest.raises(rw.InputError, match="`y_score` cannot be read as an array: setting an"):
        rw.tally(Y, [[1], [1, 2], [3], [4]])


@pytest.mark.parametrize("value", [0, 1, 2.5, "many", True])
def test_wrong_resolutions(value):
    with pytest.raises(rw.InputError) as caught:
        rw.tally(Y, S, resolution=value)
    assert str(caught.value) == (f"`resolution` must be an integer of at least 2; got {value!r}.")


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ({}, "`scores` is empty; at least one model is needed."),
        (np.zeros((4, 0)), "`scores` is empty; at least one model is needed."),
        (
            S,
            "`scores` must be a dict of name to scores, or a 2-D array with one column per model; "
            "got an array of shape (4,).",
        ),
        ({1: S, "1": S}, "`scores` names '1' more than once; names must differ."),
        (
            {"a": S, "b": S[:3]},
            "`y_true` has 4 values but `scores['b']` has 3; they must describe the same rows.",
        ),
        (
            {"a": S, "b": [1, 2, NAN, 4]},
            "`scores['b']` has 1 missing value (first at row 2). " + MISSING,
        ),
    ],
)
def test_scores_of_several_models_are_checked(scores, message):
    with pytest.raises(rw.InputError) as caught:
        rw.pair(Y, scores)
    assert str(caught.value) == message


def test_groups_are_checked():
    with pytest.raises(rw.InputError, match="`y_true` has 4 values but `groups` has 2"):
        rw.pair(Y, {"a": S}, groups=[1, 2])
    with pytest.raises(rw.InputError, match=r"`groups` has 1 missing value \(first at row 3\)"):
        rw.pair(Y, {"a": S}, groups=["x", "y", "x", None])


def test_frames_are_checked():
    frame = pd.DataFrame({"ill": Y, "risk": S})
    with pytest.raises(rw.InputError) as caught:
        rw.tally(frame, label="ill", score="age")
    assert str(caught.value) == "no column is called 'age'; the columns are 'ill', 'risk'."
    with pytest.raises(rw.InputError, match="`scores` is empty"):
        rw.pair(frame, label="ill", scores=[])
    with pytest.raises(rw.InputError, match="names 'risk' more than once"):
        rw.pair(frame, label="ill", scores=["risk", "risk"])
    with pytest.raises(rw.InputError, match="`ill` is empty"):
        rw.tally(frame[:0], label="ill", score="risk")
    with pytest.raises(rw.InputError, match="both name the column 'risk'"):
        rw.tally(frame, label="risk", score="risk")


def test_one_score_of_a_frame_may_be_a_plain_name():
    frame = pd.DataFrame({"ill": Y, "risk": S})
    assert rw.pair(frame, label="ill", scores="risk").names == ("risk",)


def test_groups_and_weights_of_a_frame_are_columns():
    frame = pd.DataFrame({"ill": Y, "risk": S, "who": list("abab"), "mass": W})
    pairs = rw.pair(
        frame, label="ill", scores=["risk"], groups="who", sample_weight="mass", direction="lower"
    )
    assert pairs.groups.tolist() == [0, 1, 0, 1]
    assert pairs.weights.tolist() == W
    assert pairs.origin.direction == "lower"
    tally = rw.tally(frame, label="ill", score="risk", sample_weight="mass")
    assert (tally.n_pos, tally.n_neg) == (6.0, 4.0)
    assert tally.origin.name == "risk"


@doors
def test_dropped_rows_are_counted(door):
    y, s = [0, 1, None, 1, 0, 1], [0.1, NAN, 0.3, 0.4, 0.5, None]
    result = door.call(y, s, None, missing="drop")
    assert result.origin.n_dropped == 3
    assert (result.n_pos, result.n_neg) == (1, 2)
    assert repr(result).endswith("; 3 rows with missing values left out")


def test_two_arrays_of_scores_are_a_tally():
    found = rw.tally(negative=[1, 3, 3], positive=[2, 3])
    expected = rw.tally([0, 0, 0, 1, 1], [1, 3, 3, 2, 3])
    for name in ("scores", "pos", "neg"):
        assert getattr(found, name).tolist() == getattr(expected, name).tolist()
    lower = rw.tally(negative=[1.0, 2.0], positive=[0.5], direction="lower")
    assert rw.auc(lower).value == 1
    assert rw.tally(negative=[1.0, np.nan], positive=[2.0], missing="drop").n_dropped == 1


@pytest.mark.parametrize(
    ("negative", "positive", "message"),
    [
        ([], [1], "`negative` is empty"),
        ([1], [], "`positive` is empty"),
        ([1, 2], [np.nan, 1], r"`positive` has 1 missing value \(first at row 0\)"),
        ([1, 2], ["high"], "`positive`"),
    ],
)
def test_each_error_names_its_class(negative, positive, message):
    with pytest.raises(rw.InputError, match=message):
        rw.tally(negative=negative, positive=positive)


def test_data_that_do_not_go_together():
    frame = frame_of([0, 1], [1.0, 2.0], None)
    for call, message in {
        lambda: rw.tally(): "`tally` needs y_true and y_score",
        lambda: rw.tally([0, 1]): "`tally` needs y_true and y_score",
        lambda: rw.tally(frame, label="ill"): "needs both `label` and `score`",
        lambda: rw.tally(frame, [1, 2], label="ill", score="risk"): "and no `y_score`",
        lambda: rw.tally(frame, label="ill", score="risk", scores="risk"): "both `score` and",
        lambda: rw.tally([0, 1], [1, 2], memory_limit="1GB"): "`memory_limit` goes with",
        lambda: rw.tally(negative=[1, 2]): "both `negative` and `positive`",
        lambda: rw.tally([0, 1], negative=[1], positive=[2]): "`y_true` does not go with",
        lambda: rw.pair([0, 1]): "`pair` needs y_true and a dict",
        lambda: rw.pair([0, 1], {"a": [1, 2]}, memory_limit="1GB"): "`memory_limit` goes with",
    }.items():
        with pytest.raises(rw.InputError, match=message):
            call()


def test_score_and_scores_name_the_same():
    frame = frame_of([0, 1, 0, 1], [1.0, 2.0, 3.0, 4.0], None)
    assert rw.tally(frame, label="ill", scores="risk").n_pos == 2
    assert rw.pair(frame, label="ill", score="risk").names == ("risk",)
    assert rw.auc(frame, label="ill", scores="risk").value == 0.75
    assert rw.auc(frame, label="ill", scores=["risk"])["risk"].value == 0.75
    assert rw.auc_covariance(frame, label="ill", score=["risk"]).shape == (1, 1)
