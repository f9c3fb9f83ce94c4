"""Public names: they pickle, are no tests to pytest, and their warnings point at the caller."""

import inspect
import pickle
import subprocess
import sys
import types

import numpy as np
import pytest

import rocwise as rw
from call_forms import ONE_MODEL, Y
from rocwise import lazy_names

names = pytest.mark.parametrize("name", rw.__all__)


@names
def test_public_names_pickle(name):
    value = getattr(rw, name)
    if isinstance(value, types.ModuleType):
        assert value.__name__ == f"rocwise.{name}"
    else:
        assert pickle.loads(pickle.dumps(value)) is value


def test_names_of_other_outcomes():
    assert rw.multiclass.__all__ == [
        *("Evolution", "auc", "class_cost", "class_weights", "class_weights_under", "compare"),
        *("hum", "metaclass", "micro_auc", "multiclass_brier", "partial_class_areas", "roc"),
        "sample_costs",
    ]
    names = ["auc", "best_order", "compare", "null_test", "surface", "thresholds"]
    assert rw.ordinal.__all__ == names
    assert rw.regression.__all__ == ["band", "block_length", "compare", "filters", "rec", "rroc"]
    assert rw.readers.__all__ == ["compare", "plan"]
    for package in (rw.multiclass, rw.ordinal, rw.readers):
        assert all(callable(getattr(package, name)) for name in package.__all__)


def test_public_names_are_no_tests(tmp_path):
    lines = [f"from rocwise import {name}" for name in rw.__all__]
    lines += ["from rocwise.errors import *", "from rocwise.estimators import *"]
    (tmp_path / "test_of_a_user.py").write_text("\n".join([*lines, ""]))
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, str(tmp_path)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == pytest.ExitCode.NO_TESTS_COLLECTED, done.stdout + done.stderr
    assert "no tests collected" in done.stdout


WRONG_WAY = 1 - 0.5 * Y - 0.001 * np.arange(len(Y))  # positives have the lower scores
FEW, HIGH = np.arange(len(Y)) < 6, 0.9 + 0.0005 * np.arange(len(Y))  # a midpoint above 1
WARNING = {
    "auc": lambda: rw.auc(Y, WRONG_WAY),
    "auc by name": lambda: rw.auc(y_true=Y, y_score=WRONG_WAY),
    "auc in groups": lambda: rw.auc(Y, WRONG_WAY, by=["a", "a", "b", "b"] * 30),
    "auc with clusters": lambda: rw.auc(Y, WRONG_WAY, groups=range(len(Y))),
    "roc": lambda: rw.roc(Y, WRONG_WAY),
    "threshold": lambda: rw.threshold(Y, WRONG_WAY, rule="youden"),
    "smooth curve": lambda: rw.smooth_roc(FEW, HIGH),
    "bootstrap of a smooth curve": lambda: rw.bootstrap(
        FEW, HIGH, statistic="smooth-auc", n_resamples=20, rng=1
    ),
    "comparison of smooth curves": lambda: rw.compare(
        FEW,
        {"a": HIGH, "b": HIGH**2},
        statistic="smooth-auc",
        n_resamples=20,
        rng=1,
    ),
}


@pytest.mark.parametrize("call", WARNING.values(), ids=WARNING)
def test_warnings_point_at_the_line_of_the_caller(call):
    with pytest.warns(rw.RocwiseWarning) as caught:
        call()
    first = call.__code__.co_firstlineno
    lines = range(first, first + len(inspect.getsource(call).splitlines()))
    for warning in caught:
        assert warning.filename == __file__
        assert warning.lineno in lines


def package(folder, stub):
    home = folder / "a_package"
    home.mkdir()
    (home / "__init__.pyi").write_text(stub)
    (home / "places.py").write_text("def here():\n    return 'here'\n")
    (home / "parts.py").write_text("loaded = True\n")
    (home / "__init__.py").write_text(
        "from rocwise.lazy_names import attach\n"
        "__getattr__, __dir__, __all__ = attach(__name__, __file__)\n"
    )


@pytest.fixture
def a_package(tmp_path, monkeypatch):
    package(
        tmp_path,
        '"""Names."""\nfrom . import parts as parts\nfrom .places import here as here\n\nx: int\n',
    )
    monkeypatch.syspath_prepend(tmp_path)
    import a_package

    yield a_package
    for name in [name for name in sys.modules if name.partition(".")[0] == "a_package"]:
        del sys.modules[name]


def test_names_come_from_the_stub(a_package):
    assert a_package.__all__ == ["here", "parts"]
    assert dir(a_package) == ["here", "parts"]
    assert "a_package.places" not in sys.modules
    assert a_package.here() == "here"
    assert "here" in vars(a_package)  # and is not looked up again
    assert a_package.parts.loaded
    with pytest.raises(AttributeError, match="module 'a_package' has no attribute 'there'"):
        _ = a_package.there


def test_a_stub_next_to_compiled_sources(tmp_path):
    package(tmp_path, "from .places import here as here\n")
    _, _, listed = lazy_names.attach("a_package", str(tmp_path / "a_package" / "__init__.pyc"))
    assert listed == ["here"]


def test_every_public_name_is_where_the_stub_has_it():
    for name in rw.__all__:
        assert getattr(rw, name) is not None
    assert {"auc", "tally", "Costs"} < set(dir(rw))
    assert "__version__" in dir(rw)
    assert set(ONE_MODEL) < set(rw.__all__)
