"""The names of `rocwise.estimators`, as its stub lists them."""

import subprocess
import sys

import pytest

from rocwise import estimators
from rocwise.errors import MissingPackageError


def test_every_name_loads_and_has_an_example():
    for name in estimators.__all__:
        found = getattr(estimators, name)
        assert found.__name__ == name
        assert ">>> " in found.__doc__
    assert dir(estimators) == estimators.__all__


def test_unknown_names_are_attribute_errors():
    with pytest.raises(AttributeError, match="no attribute 'Missing'"):
        estimators.Missing  # noqa: B018


def test_without_scikit_learn_the_error_names_the_package(monkeypatch):
    import importlib.util

    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingPackageError, match=r"rocwise\[models\]"):
        estimators.__getattr__("ThresholdClassifier")


def test_naming_the_package_does_not_load_scikit_learn():
    code = "import sys, rocwise.estimators as e; e.__all__; assert 'sklearn' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
