"""Errors that name what was probably meant: options, columns, labels, names of other packages."""

from __future__ import annotations

from typing import get_args

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import StratifiedKFold

import rocwise as rw
from rocwise.binary.threshold_rules import OTHER_NAMES, RULES, RuleName
from rocwise.cli.dispatch import main
from rocwise.errors import InputError, did_you_mean, nearest

LABELS, SCORES = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("yuden", "youden"),
        ("Youden", "youden"),
        ("min_sensitivity", "min-sensitivity"),
        ("min-recall", "min-sensitivity"),
        ("closest.topleft", "closest"),
    ],
)
def test_a_rule_that_is_misspelt_is_guessed_but_not_taken(wrong: str, right: str) -> None:
    with pytest.raises(InputError, match=rf"got '{wrong}'\. Did you mean '{right}'\?$"):
        rw.threshold(LABELS, SCORES, rule=wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("method", ["DeLong", "delongg", "boostrap"])
def test_methods_are_guessed(method: str) -> None:
    with pytest.raises(InputError, match=r"Did you mean '(delong|bootstrap)'\?"):
        rw.auc(LABELS, SCORES, method=method)  # type: ignore[arg-type]


def test_nothing_is_guessed_where_nothing_is_near() -> None:
    assert did_you_mean("qqqq", ["auc", "roc"]) == ""
    assert did_you_mean(7, ["auc", "roc"]) == ""


@given(st.sampled_from(get_args(RuleName)), st.data())
def test_one_letter_wrong_still_finds_a_rule(rule: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(rule) - 1))
    wrong = rule[:place] + "z" + rule[place + 1 :]
    if wrong not in RULES and len(rule) > 4:
        assert nearest(wrong, RULES) is not None


def test_other_names_of_rules_point_to_rules() -> None:
    assert set(OTHER_NAMES.values()) <= set(RULES)
    assert not set(OTHER_NAMES) & set(RULES)


def test_a_column_that_is_misspelt_is_guessed(tmp_path, capsys) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("outcome,logit\n0,0.1\n1,0.7\n0,0.3\n1,0.2\n")
    with pytest.raises(InputError, match=r"no column is called 'outcom'.*Did you mean 'outcome'\?"):
        rw.auc(str(path), label="outcom", score="logit")
    assert main(["auc", str(path), "--label", "outcome", "--score", "logt"]) == 2
    assert "Did you mean 'logit'?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "meant"),
    [(["--rul", "youden"], "--rule"), (["--missing", "dropp"], "drop")],
)
def test_options_at_the_shell_are_guessed(words: list[str], meant: str, capsys) -> None:
    assert main(["threshold", "x.csv", "--label", "y", "--score", "s", *words]) == 2
    assert f"did you mean {meant}?" in capsys.readouterr().err


AUC = ("auc", "x.csv", "--label", "y")


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ((*AUC, "--scores", "a"), "--scores: did you mean --score?"),
        ((*AUC, "-s", "a"), "-s: did you mean --score?"),
        ((*AUC, "--y_pred=a"), "--y_pred: did you mean --score?"),
        (("auc", "x.csv", "--labels", "y", "--score", "a"), "--labels: did you mean --label?"),
        ((*AUC, "--score", "a", "b"), "repeat it for several, as in --score a --score b"),
        ((*AUC, "--score", "a", "--alpha", "0.1"), "did you mean --level (1 - alpha)?"),
        ((*AUC, "--score", "a", "--fail-below", "1"), "did you mean --require?"),
        (("at", *AUC[1:], "--score", "a", "--cutoff", "1"), "did you mean --threshold?"),
        (("costs", *AUC[1:], "--score", "a", "--costs", "1"), ""),
        ((*AUC, "--score", "a", "--costs", "1"), ""),
    ],
)
def test_synonyms_at_the_shell(words: list[str], hint: str, capsys) -> None:
    assert main(list(words)) == 2
    text = capsys.readouterr().err
    assert hint in text
    assert hint or "did you mean" not in text


def test_columns_in_one_word(tmp_path, capsys) -> None:
    path = tmp_path / "t.csv"
    path.write_text("y,a,b\n0,1,2\n1,2,3\n")
    assert main(["auc", str(path), "--label", "y", "--score", "a,b"]) == 2
    assert "Repeat the option for each column." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("y_pred", "'y_score'"),
        ("y_proba", "'y_score'"),
        ("alpha", r"'level \(1 - alpha\)'"),
        ("weights", "'sample_weight'"),
    ],
)
def test_keywords_of_other_packages(wrong: str, right: str) -> None:
    with pytest.raises(TypeError, match=f"did you mean {right}"):
        rw.auc(LABELS, **{wrong: SCORES})  # type: ignore[arg-type]


def test_swapped_labels_and_scores_are_noticed() -> None:
    with pytest.raises(InputError, match="were labels and scores swapped"):
        rw.auc(SCORES, LABELS)
    with pytest.raises(InputError, match="were labels and scores swapped"):
        rw.auc(SCORES, ["ill", "well", "ill", "well"], pos_label=0.1)


def test_errors_for_three_classes_name_the_functions_for_them() -> None:
    with pytest.raises(InputError, match=r"`multiclass\.auc` and `ordinal\.auc`"):
        rw.auc([0, 1, 2, 1], SCORES)


def test_a_label_that_does_not_occur_is_guessed() -> None:
    with pytest.raises(InputError, match="Did you mean 'good'"):
        rw.auc(["good", "bad", "bad", "good"], SCORES, pos_label="god")


def test_a_public_name_that_is_misspelt_is_guessed() -> None:
    with pytest.raises(AttributeError, match=r"no attribute 'thresold'; .*rocwise\.threshold\b"):
        rw.thresold  # noqa: B018


def test_lookups_by_python_itself_get_no_advice() -> None:
    with pytest.raises(AttributeError, match=r"no attribute '__wrapped__'$"):
        rw.__wrapped__  # noqa: B018
    assert not hasattr(rw, "zzzqq")


@pytest.mark.parametrize(
    ("function", "option", "ours"),
    [
        (rw.auc, "min_tpr", "tpr_range"),
        (rw.auc, "conf_level", "level"),
        (rw.auc, "seed", "rng"),
        (rw.bootstrap, "n_boot", "n_resamples"),
        (rw.at, "recall", "sensitivity"),
        (rw.at, "subgroup", "by"),
        (rw.compare, "random_state", "rng"),
    ],
)
def test_options_of_other_packages_lead_to_ours(function, option, ours):
    with pytest.raises(TypeError, match=f"{option!r}; did you mean {ours!r}"):
        function([0, 1], [1, 2], **{option: 1})


def test_scores_of_models_without_names() -> None:
    with pytest.raises(InputError, match="pass a dict of name to scores"):
        rw.compare(LABELS, [SCORES, SCORES[::-1]])
    with pytest.raises(
        TypeError, match="at most 2 positional arguments but 3 were given; pass the"
    ):
        rw.compare(LABELS, SCORES, SCORES[::-1])  # type: ignore[call-arg, misc]
    rows = rw.compare(LABELS * 2, [[score, -score] for score in SCORES * 2])  # one row per case
    assert list(rows.estimates) == ["model 1", "model 2"]


@pytest.mark.parametrize("folds", [5, StratifiedKFold(2)])
def test_folds_are_those_of_the_scores(folds: object) -> None:
    for call in (
        lambda: rw.cross_validated_auc(LABELS, SCORES, folds=folds),
        lambda: rw.compare(LABELS, {"a": SCORES, "b": LABELS}, folds=folds),
    ):
        with pytest.raises(InputError, match=r"Pass list\(cv.split\(X, y\)\)"):
            call()


def test_dates_of_groups_are_text_too() -> None:
    days = pd.to_datetime(["2026-01-04", "2026-01-05"] * 6)
    frame = pd.DataFrame({"y": LABELS * 3, "s": SCORES * 3, "day": days, "site": ["a"] * 12})
    for dates in (days, days.date):
        by_day = rw.auc(frame.assign(day=dates), label="y", score="s", by="day")
        assert by_day["2026-01-04"] is by_day[next(iter(by_day))]
        assert str(by_day).startswith("day 2026-01-04: AUC")
        with pytest.raises(KeyError, match="the groups are '2026-01-04', '2026-01-05'"):
            by_day["2026-01-06"]
        both = rw.auc(frame.assign(day=dates), label="y", score="s", by=["day", "site"])
        assert both["2026-01-05", "a"].value == by_day["2026-01-05"].value


def test_a_warning_in_a_loop_has_one_text() -> None:
    texts = set()
    for score in (-1, -2, 5):
        with pytest.warns(rw.errors.DirectionWarning) as caught:
            rw.auc([0] * 9 + [1] * 9, [*range(3, 12), score, *range(-8, 0)])
        texts.add(str(caught[0].message))
    assert len(texts) == 1


def test_by_with_scores_of_models_without_names() -> None:
    with pytest.raises(InputError, match="pass a dict of name to scores"):
        rw.compare(LABELS, [SCORES, SCORES[::-1]], by=["a", "b", "a", "b"])
