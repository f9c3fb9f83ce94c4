"""Every function for two classes, with every supported form of data."""

import inspect
import pydoc

import numpy as np
import pandas as pd
import pytest

import rocwise as rw
from call_forms import (
    COLUMNS,
    ONE_MODEL,
    PAIRED,
    PATIENT,
    SITE,
    A,
    B,
    Y,
    call_of,
    plain,
    sources,
)

one_model = pytest.mark.parametrize("name", ONE_MODEL)
paired = pytest.mark.parametrize("name", PAIRED)
MODELS = {"a": A, "b": B}
NORTH = SITE == "north"


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    return sources(tmp_path_factory.mktemp("sources"))


def test_no_function_is_forgotten():
    functions = {name: getattr(rw, name) for name in rw.__all__}
    functions = {n: f for n, f in functions.items() if inspect.isfunction(f)}
    takes = {n: set(inspect.signature(f).parameters) for n, f in functions.items()}
    assert {n for n, names in takes.items() if {"data", "y_score", "by"} <= names} == set(ONE_MODEL)
    paired = {n for n, names in takes.items() if {"data", "scores"} <= names - {"y_score"} == names}
    assert paired - {"report", "studio"} == set(PAIRED)  # those two take any kind of data


@one_model
def test_a_tally_and_arrays_by_place_and_by_name(name):
    call = call_of(name, ONE_MODEL[name])
    expected = call(rw.tally(Y, A))
    assert call(data=rw.tally(Y, A)) == expected
    assert call(Y, A) == expected
    assert call(Y, y_score=A) == expected
    assert call(data=Y, y_score=A) == expected
    assert call(y_true=Y, y_score=A) == expected
    assert call(Y.tolist(), A.tolist()) == expected


@one_model
def test_frames_and_files(name, tables):
    call = call_of(name, ONE_MODEL[name])
    expected = call(Y, A)
    for kind, table in tables.items():
        assert call(table, label="ill", score="a") == expected, kind
        assert call(data=table, label="ill", score="a") == expected, kind


@one_model
def test_one_result_for_each_group_of_rows(name, tables):
    function, options = getattr(rw, name), ONE_MODEL[name]
    expected = [plain(function(Y[rows], A[rows], **options)) for rows in (NORTH, ~NORTH)]
    results = {"arrays": function(Y, A, by=SITE, **options)}
    for kind, table in tables.items():
        results[kind] = function(table, label="ill", score="a", by="site", **options)
    for kind, result in results.items():
        assert result.groups == ("north", "south"), kind
        assert [plain(result[group]) for group in result.groups] == expected, kind
        assert result.column == ("group" if kind == "arrays" else "site")


@one_model
def test_options_about_rows_are_used(name):
    call = call_of(name, ONE_MODEL[name])
    labels = np.where(Y, "ill", "well").astype(object)
    assert call([*labels, None], [*A, 0.5], pos_label="ill", missing="drop") == call(Y, A)
    with pytest.raises(rw.InputError, match=r"`y_true` has 1 missing value \(first at row 120\)"):
        call([*labels, None], [*A, 0.5], pos_label="ill")
    with pytest.raises(rw.InputError, match="`direction` must be"):
        call(Y, A, direction=None)


@one_model
def test_a_misspelled_keyword_is_named_with_the_right_one(name):
    for wrong, right in (
        ("y_scores", "y_score"),
        ("pos_labels", "pos_label"),
        ("mising", "missing"),
    ):
        with pytest.raises(TypeError) as caught:
            getattr(rw, name)(Y, **{wrong: A})
        assert str(caught.value) == (
            f"{name}() got an unexpected keyword argument {wrong!r}; did you mean {right!r}?"
        )


@pytest.mark.parametrize(
    ("function", "wrong", "right"),
    [
        (rw.auc, "levl", "level"),
        (rw.auc, "max_fp", "max_fpr"),
        (rw.threshold, "cost", "costs"),
        (rw.compare, "alternativ", "alternative"),
        (rw.auc_covariance, "methods", "method"),
    ],
)
def test_options_of_the_function_itself_are_suggested_too(function, wrong, right):
    with pytest.raises(TypeError, match=f"did you mean '{right}'?"):
        function(Y, A, **{wrong: 1})


def test_a_keyword_like_no_other_is_named_alone():
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'zzz'$"):
        rw.auc(Y, A, zzz=1)


@one_model
def test_too_much_or_too_little_data(name):
    function, options = getattr(rw, name), ONE_MODEL[name]
    for by in ({}, {"by": SITE}):
        with pytest.raises(TypeError):
            function(Y, A, B, **options, **by)
        for data in ((), (Y,), (None, A)):
            with pytest.raises(rw.InputError, match=f"`{name}` needs a tally, or y_true and"):
                function(*data, **options, **by)
        with pytest.raises(rw.InputError, match="`y_true` twice: by place and by name"):
            function(Y, A, y_true=Y, **options, **by)


@one_model
def test_what_does_not_go_with_a_tally(name, tables):
    call, tally = call_of(name, ONE_MODEL[name]), rw.tally(Y, A)
    with pytest.raises(rw.InputError, match=f"`{name}` takes a tally and no other data"):
        call(tally, A)
    with pytest.raises(
        rw.InputError, match="`missing` describes rows; it does not go with a tally"
    ):
        call(tally, missing="drop")
    with pytest.raises(rw.InputError, match="`by` describes rows; it does not go with a Tally"):
        call(tally, by=SITE)
    with pytest.raises(rw.InputError, match="needs both `label` and `score`"):
        call(tables["pandas"], label="ill")


@one_model
def test_several_models_have_a_result_each(name, tables):
    function, options = getattr(rw, name), ONE_MODEL[name]
    expected = [plain(function(Y, scores, **options)) for scores in MODELS.values()]
    forms = {
        "pairs": function(rw.pair(Y, MODELS), **options),
        "pairs by name": function(data=rw.pair(Y, MODELS), **options),
        "a dict": function(Y, MODELS, **options),
        "a dict by name": function(y_true=Y, y_score=MODELS, **options),
    }
    for kind, table in tables.items():
        forms[kind] = function(table, label="ill", score=["a", "b"], **options)
    for kind, results in forms.items():
        assert results.names == ("a", "b"), kind
        assert [plain(results[model]) for model in results.names] == expected, kind
    assert set(pd.DataFrame(forms["pairs"].to_frame())["model"]) == {"a", "b"}


@one_model
def test_what_does_not_go_with_several_models(name):
    call, pairs = call_of(name, ONE_MODEL[name]), rw.pair(Y, MODELS)
    with pytest.raises(rw.InputError, match=f"`{name}` takes pairs and no other data"):
        call(pairs, A)
    with pytest.raises(rw.InputError, match="`missing` describes rows; it does not go with pairs"):
        call(pairs, missing="drop")
    with pytest.raises(rw.InputError, match="`by` describes rows; it does not go with a Pairs"):
        call(pairs, by=SITE)
    with pytest.raises(rw.InputError, match="`resolution` does not go with several models"):
        call(Y, MODELS, resolution=10)


def test_clusters_of_several_models_reach_each_area():
    pairs = rw.pair(Y, MODELS, groups=PATIENT)
    areas = rw.auc(pairs)
    assert plain(areas["b"]) == plain(rw.auc(Y, B, groups=PATIENT))
    assert rw.roc(pairs)["b"].auc == areas["b"].value  # a curve needs no independent rows


def test_scores_out_of_range_name_the_model_and_the_row():
    wrong = np.where(np.arange(len(B)) == 7, 1.5, B)
    with pytest.raises(rw.InputError, match=r"`scores\['b'\]` has 1 value .* at row 7"):
        rw.brier(rw.pair(Y, {"a": A, "b": wrong}))


def test_an_unknown_model_raises():
    with pytest.raises(KeyError, match="'c' is not a model; the models are 'a', 'b'"):
        rw.auc(rw.pair(Y, MODELS))["c"]


def test_areas_of_groups_are_tested_for_equality():
    results = rw.auc(Y, A, by=SITE)
    by_class = np.argsort(Y)  # rows in the same order of classes would seem to be paired
    sites = (by_class[SITE[by_class] == site] for site in ("north", "south"))
    north, south = (rw.tally(Y[rows], A[rows]) for rows in sites)
    assert results.df == 1
    assert results.p_value == pytest.approx(rw.compare(north, south).p_value, abs=0.02)
    assert "all equal: p = " in repr(results)
    one = rw.auc(Y, A, by=np.zeros(len(Y)))
    with pytest.raises(rw.InputError, match="`by` has one group"):
        _ = one.p_value


def test_clusters_of_a_frame_and_of_a_file(tables):
    expected = plain(rw.auc(Y, A, groups=PATIENT))
    assert expected["standard_error"] != rw.auc(Y, A).standard_error
    for kind, table in tables.items():
        assert plain(rw.auc(table, label="ill", score="a", groups="patient")) == expected, kind


@pytest.mark.filterwarnings("ignore:some clusters have rows in several groups")
def test_clusters_within_groups(tables):
    expected = plain(rw.auc(Y[NORTH], A[NORTH], groups=PATIENT[NORTH]))
    assert plain(rw.auc(Y, A, groups=PATIENT, by=SITE)["north"]) == expected
    for kind, table in tables.items():
        named = {"label": "ill", "score": "a", "groups": "patient", "by": "site"}
        assert plain(rw.auc(table, **named)["north"]) == expected, kind


def test_clusters_need_rows():
    tally = rw.tally(Y, A)
    with pytest.raises(rw.InputError, match="`groups` describes rows; it does not go with a tally"):
        rw.auc(tally, groups=PATIENT)
    assert plain(rw.auc(tally, groups=None)) == plain(rw.auc(tally))  # the default, spelled out


def test_clusters_need_every_row():
    with pytest.raises(rw.InputError, match="`resolution` does not go with `groups`"):
        rw.auc(Y, A, groups=PATIENT, by=SITE, resolution=10)


def test_errors_with_clusters_name_the_argument_that_was_given():
    with pytest.raises(rw.InputError, match="`y_score` has 1 missing value"):
        rw.auc(Y, np.where(np.arange(len(A)) == 3, np.nan, A), groups=PATIENT)


def test_resolution_of_each_group():
    results = rw.thresholds(Y, A, by=SITE, resolution=5)
    assert [len(results[site].threshold) for site in results.groups] == [
        len(rw.thresholds(Y[rows], A[rows], resolution=5).threshold) for rows in (NORTH, ~NORTH)
    ]
    with pytest.raises(rw.InputError, match="`resolution` must be"):
        rw.thresholds(Y, A, by=SITE, resolution=1)


@paired
def test_models_in_every_form(name, tables):
    call = call_of(name, PAIRED[name])
    pairs = rw.pair(Y, MODELS)
    expected = call(pairs)
    assert call(data=pairs) == expected
    assert call(Y, MODELS) == expected
    assert call(Y, scores=MODELS) == expected
    assert call(y_true=Y, scores=MODELS) == expected
    assert call(data=Y, scores=MODELS) == expected
    for kind, table in tables.items():
        assert call(table, label="ill", scores=["a", "b"]) == expected, kind
        assert call(data=table, label="ill", scores=["a", "b"]) == expected, kind
        assert call(table, ["a", "b"], label="ill") == expected, kind


@paired
def test_wrong_calls_about_several_models(name):
    call = call_of(name, PAIRED[name])
    with pytest.raises(rw.InputError, match=f"`{name}` needs a Pairs, or y_true and a dict"):
        call()
    with pytest.raises(rw.InputError, match="takes pairs and no other data"):
        call(rw.pair(Y, MODELS), MODELS)
    with pytest.raises(rw.InputError, match="`missing` describes rows; it does not go with pairs"):
        call(rw.pair(Y, MODELS), missing="drop")


def test_clusters_of_several_models(tables):
    expected = plain(rw.compare(rw.pair(Y, MODELS, groups=PATIENT)))
    assert plain(rw.compare(Y, MODELS, groups=PATIENT)) == expected
    for kind, table in tables.items():
        named = {"label": "ill", "scores": ["a", "b"], "groups": "patient"}
        assert plain(rw.compare(table, **named)) == expected, kind


FORMS = {
    "tally": ((rw.tally(Y, A),), {}),
    "by place": ((Y, A), {}),
    "by name": ((), {"y_true": Y, "y_score": A}),
    "first by name": ((), {"data": Y, "y_score": A}),
    "frame": ((COLUMNS,), {"label": "ill", "score": "a"}),
    "described": (
        (Y, A),
        {"pos_label": 1, "sample_weight": Y, "direction": "lower", "missing": "drop"},
    ),
    "binned in groups": ((Y, A), {"by": SITE, "resolution": 4}),
}


@one_model
@pytest.mark.parametrize("form", FORMS)
def test_signatures_take_what_the_functions_take(name, form):
    data, named = FORMS[form]
    inspect.signature(getattr(rw, name)).bind(*data, **named, **ONE_MODEL[name])


@paired
def test_signatures_about_several_models(name):
    signature = inspect.signature(getattr(rw, name))
    signature.bind(rw.pair(Y, MODELS))
    signature.bind(y_true=Y, scores=MODELS, groups=PATIENT)
    signature.bind("cases.csv", label="ill", scores=["a", "b"], missing="drop")


@pytest.mark.parametrize("name", [*ONE_MODEL, *PAIRED])
def test_help_shows_every_option(name):
    text = pydoc.plain(pydoc.render_doc(getattr(rw, name)))
    for option in ("label", "pos_label", "sample_weight", "direction='higher'", "missing='raise'"):
        assert option in text
    assert "**given" not in str(inspect.signature(getattr(rw, name)))
    assert "Examples" in text
