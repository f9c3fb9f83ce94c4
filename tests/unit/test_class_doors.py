"""Every question about several classes has one door, and help shows what it takes."""

import ast
import inspect
from pathlib import Path

import pytest

import rocwise as rw
from rocwise import class_questions

MINE = ("class_cost", "class_weights", "class_weights_under", "metaclass")


def declared_for_type_checkers():
    tree = ast.parse(Path(class_questions.__file__).read_text(encoding="utf-8"))
    (block,) = (
        node
        for node in tree.body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    )
    calls = [line for line in block.body if isinstance(line, ast.Assign)]
    return {
        line.targets[0].id: (ast.unparse(line.value.func), line.value.args[0].value.id)
        for line in calls
    }


def test_both_lists_agree():
    assert declared_for_type_checkers() == class_questions._DOOR_AND_HOME


def test_every_door_is_public_and_opens():
    for name in class_questions._DOOR_AND_HOME:
        assert getattr(rw, name) is getattr(class_questions, name)
        assert getattr(rw, name).__name__ == name


@pytest.mark.parametrize("name", MINE)
def test_help_shows_the_data_and_every_option(name):
    parameters = inspect.signature(getattr(rw, name)).parameters
    assert list(parameters)[:2] == ["y_true", "y_score"]
    assert {"prior", "sample_weight", "missing"} <= set(parameters)
    keyword_only = list(parameters.values())[2:]
    assert all(each.kind is each.KEYWORD_ONLY for each in keyword_only)


def test_unknown_names_and_options_are_errors():
    with pytest.raises(AttributeError, match="no attribute 'class_wieghts'"):
        class_questions.class_wieghts  # noqa: B018
    with pytest.raises(TypeError, match="prevalence"):
        rw.class_weights([0, 1], [[1, 0], [0, 1]], prevalence=0.5)
