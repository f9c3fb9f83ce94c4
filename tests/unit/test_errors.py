"""Wording of errors and warnings."""

import contextlib
import inspect
import subprocess
import sys
import traceback
import warnings

import numpy as np
import pytest

import rocwise as rw
from rocwise import errors


def test_every_error_is_a_value_error():
    assert issubclass(rw.InputError, ValueError)
    assert issubclass(rw.errors.MissingPackageError, ImportError)
    for kind in (rw.errors.DirectionWarning, rw.errors.MisuseWarning):
        assert issubclass(kind, rw.RocwiseWarning)
    assert issubclass(rw.RocwiseWarning, UserWarning)


def test_counts_have_a_plural_and_separators():
    assert errors.count_of(1, "row") == "1 row"
    assert errors.count_of(0, "row") == "0 rows"
    assert errors.count_of(1234567, "row") == "1,234,567 rows"


def test_lists_show_python_values_and_the_number_omitted():
    assert errors.listed([np.int64(1), np.str_("a"), 2.5, None]) == "1, 'a', 2.5, None"
    assert errors.listed(range(6)) == "0, 1, 2, 3, 4, 5"
    assert errors.listed(range(2006)) == "0, 1, 2, 3, 4, 5 and 2,000 more"
    assert errors.listed(range(5), limit=2) == "0, 1 and 3 more"
    assert errors.listed([]) == ""


def test_a_missing_package_is_named():
    problem = errors.missing_package("duckdb", "files", "reading a.parquet")
    assert isinstance(problem, rw.errors.MissingPackageError)
    assert str(problem) == (
        "reading a.parquet needs the package 'duckdb', which is not installed. "
        "Install it with: pip install 'rocwise[files]'"
    )


@pytest.mark.parametrize(
    ("direction", "scores", "other"), [("higher", [2, 1], "lower"), ("lower", [1, 2], "higher")]
)
@pytest.mark.parametrize("analysis", [rw.auc, rw.roc])
def test_scores_that_point_the_wrong_way_are_reported_where_they_were_given(
    analysis, direction, scores, other
):
    with pytest.warns(rw.errors.DirectionWarning) as caught:
        result = analysis([0] * 9 + [1] * 9, np.repeat(scores, 9), direction=direction)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert str(caught[0].message) == (
        f"The AUC is below 0.5: {direction} scores were taken to mean positive, but positives "
        f"tend to have {other} scores. Nothing was flipped; pass direction={other!r} if that is "
        "what the scores mean."
    )
    assert getattr(result, "value", getattr(result, "auc", None)) == 0.0


@pytest.mark.parametrize("scores", [[1, 2], [1, 1], [2, 1]])
def test_half_and_more_give_no_warning_and_less_only_beyond_chance(scores):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rw.auc([0, 1], scores)
        rw.roc([0, 1], scores)
    assert not caught


def bad_calls():
    """Every public function of labels and scores, with labels of two kinds."""
    data = ["low", 0, 1], [0.1, 0.2, 0.3]
    for module in (rw, rw.multiclass, rw.ordinal, rw.regression):
        for name in module.__all__:
            function = getattr(module, name)
            if inspect.isfunction(function):
                with contextlib.suppress(TypeError):
                    inspect.signature(function).bind(*data)
                    yield f"{module.__name__}.{name}", lambda f=function: f(*data)


CALLS = dict(bad_calls())


@pytest.mark.parametrize("name", CALLS)
def test_the_traceback_of_a_user_error_ends_at_the_call(name):
    try:
        CALLS[name]()
    except rw.InputError as problem:
        frames = traceback.extract_tb(problem.__traceback__)
        inside = [frame for frame in frames if frame.filename.startswith(errors.PACKAGE)]
        assert len(inside) <= 2
    except TypeError:  # an option is required too
        pass


def test_the_traceback_of_a_plot_ends_at_the_call():
    result = rw.auc([0, 1, 0, 1], [1, 2, 3, 4])
    with pytest.raises(rw.InputError) as caught:
        result.plot(no_such_option=True)
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert sum(frame.filename.startswith(errors.PACKAGE) for frame in frames) == 1


def test_the_development_mode_keeps_the_traceback():
    code = "import rocwise as rw; rw.auc(['a', 0], [1, 2])"
    short, long = (
        subprocess.run([sys.executable, *flags, "-c", code], capture_output=True, text=True).stderr
        for flags in ([], ["-X", "dev"])
    )
    assert short.splitlines()[-1] == long.splitlines()[-1]
    assert short.count("rocwise/") <= 2 < long.count("rocwise/")
