"""Which function draws which class: the table, the marks in the modules, and what is loaded."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import rocwise as rw
from rocwise.plotting import compose, picture_of
from rocwise.plotting.picture_list import MODULE_OF
from rocwise.plotting.registry import function_for
from unit.plotting.drawn_results import MAKE

FOLDER = Path(rw.__file__).parent / "plotting" / "pictures"
ONE_CURVE = """
import sys
import rocwise as rw
rw.roc([0, 1, 0, 1], [1, 2, 3, 4]).plot(backend="none")
print(*sorted(name for name in sys.modules if name.startswith("rocwise.plotting.pictures.")))
print("matplotlib" in sys.modules)
"""


def marked_classes(path):
    """The classes named by `picture_of` decorators in a module, without importing it."""
    functions = (n for n in ast.parse(path.read_text()).body if isinstance(n, ast.FunctionDef))
    marks = (mark for function in functions for mark in function.decorator_list)
    return [mark.args[0].value for mark in marks if mark.func.id == "picture_of"]


def test_table_and_marks_agree():
    marked = {name: path.stem for path in FOLDER.glob("*.py") for name in marked_classes(path)}
    assert marked == MODULE_OF
    assert list(MODULE_OF) == sorted(MODULE_OF)


def test_every_listed_class_is_made_and_drawn_by_its_module():
    assert MAKE.keys() == MODULE_OF.keys()
    for name, make in MAKE.items():
        answer = make()
        assert name in {base.__name__ for base in type(answer).__mro__}
        assert function_for(answer).__module__ == f"rocwise.plotting.pictures.{MODULE_OF[name]}"


def test_a_curve_loads_its_own_picture_and_no_drawing_library():
    answer = subprocess.run([sys.executable, "-c", ONE_CURVE], capture_output=True, text=True)
    assert answer.stdout.split() == [
        "rocwise.plotting.pictures.roc",
        "rocwise.plotting.pictures.roc_details",
        "False",
    ], answer.stderr


@pytest.mark.parametrize("name", ["RocCurve", "ClassOrder"])
def test_a_class_has_one_picture(name):
    with pytest.raises(rw.InputError, match=f"{name} already has a picture: \\w+_picture"):

        @picture_of(name)
        def another_picture(result, *, name=None):
            raise AssertionError("never drawn")

    assert compose(MAKE[name]()).layers
