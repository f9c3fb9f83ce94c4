"""What questions have in common: what they refuse, and what they leave alone.

Every form of data is in `test_call_forms`.
"""

import numpy as np
import pytest

import rocwise as rw

Y, S = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
QUESTIONS = (rw.auc, rw.roc, rw.hull, rw.precision_recall, rw.det, rw.thresholds, rw.step_area)
questions = pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.__name__)


@questions
def test_options_that_describe_the_data_go_to_the_tally(question):
    described = question(
        ["no", "no", "yes", "yes", None],
        [-v for v in S] + [0.0],
        pos_label="yes",
        direction="lower",
        missing="drop",
    )
    expected = question(Y, S)
    assert described.origin.n_dropped == 1
    assert described.origin.direction == "lower"
    if hasattr(expected, "fpr"):
        assert described.fpr.tolist() == expected.fpr.tolist()


def test_one_tally_answers_many_questions_without_sorting_again():
    tally = rw.tally(Y, S)
    assert rw.auc(tally).value == rw.roc(tally).auc == 0.75
    assert rw.thresholds(tally).threshold is not None


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        ((), {}, "`auc` needs a tally, or y_true and y_score"),
        ((Y,), {}, "`auc` needs a tally, or y_true and y_score"),
        ((Y, S), {"label": "a", "score": "b"}, "needs both `label` and `score`"),
        (("f.csv",), {"label": "a"}, "needs both `label` and `score`"),
    ],
)
def test_wrong_calls_are_refused_with_the_right_ones(data, options, message):
    with pytest.raises(rw.InputError, match=message):
        rw.auc(*data, **options)


@pytest.mark.parametrize("groups", [None, [0, 1, 0, 1]])
def test_clusters_do_not_change_the_value(groups):
    assert rw.auc(Y, S, groups=groups).value == 0.75


def test_rows_with_clusters_may_be_named():
    assert rw.auc(y_true=Y, y_score=S, groups=[0, 1, 0, 1]).value == 0.75


def test_clusters_need_rows():
    tally = rw.tally(Y, S)
    with pytest.raises(rw.InputError, match="`auc` with `groups` needs the rows"):
        rw.auc(tally, groups=[0, 1, 0, 1])
    assert rw.auc(tally, groups=None).value == 0.75  # the default, spelled out


def test_scores_are_read_once_and_never_written():
    y, s = np.array(Y), np.array(S)
    y.flags.writeable = s.flags.writeable = False
    for question in QUESTIONS:
        question(y, s)
        question(y, s, direction="lower", pos_label=0)
    assert s.tolist() == S
