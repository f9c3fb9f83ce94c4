"""The names of `rocwise.estimators`: declared once for running and once for type checkers."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from rocwise import estimators
from rocwise.errors import MissingPackageError


def declared_for_type_checkers():
    tree = ast.parse(Path(estimators.__file__).read_text(encoding="utf-8"))
    (block,) = (
        node
        for node in tree.body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    )
    return {
        alias.asname: line.module.removeprefix("rocwise.estimators.")
        for line in block.body
        for alias in line.names
    }


def test_both_lists_agree():
    assert declared_for_type_checkers() == estimators._HOME_OF


def test_every_name_loads_and_has_an_example():
    for name in estimators.__all__:
        found = getattr(estimators, name)
        assert found.__name__ == name
        assert ">>> " in found.__doc__
    assert dir(estimators) == estimators.__all__


def test_unknown_names_are_attribute_errors():
    with pytest.raises(AttributeError, match="no attribute 'Nobody'"):
        estimators.Nobody  # noqa: B018


def test_without_scikit_learn_the_error_says_what_to_install(monkeypatch):
    import importlib.util

    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingPackageError, match=r"rocwise\[models\]"):
        estimators.__getattr__("ThresholdClassifier")


def test_naming_the_package_does_not_load_scikit_learn():
    code = "import sys, rocwise.estimators as e; e.__all__; assert 'sklearn' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
