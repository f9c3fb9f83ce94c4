"""Which function draws which class of results."""

import subprocess
import sys
from pathlib import Path

import pytest

import rocwise as rw
from rocwise.plotting import compose, plot_of
from rocwise.plotting.registry import MODULES, function_for, plot_functions
from unit.plotting.drawn_results import MAKE

FOLDER = Path(rw.__file__).parent / "plotting" / "plots"
ONE_CURVE = """
import sys
import rocwise as rw
rw.roc([0, 1, 0, 1], [1, 2, 3, 4]).plot(backend="none")
print("matplotlib" in sys.modules)
"""


def test_every_module_of_plots_is_listed():
    assert {path.stem for path in FOLDER.glob("*.py")} - {"__init__"} == set(MODULES)


def test_every_class_with_a_plot_is_made_and_drawn():
    assert MAKE.keys() == {
        name
        for name, function in plot_functions().items()
        if function.__module__.startswith("rocwise.plotting.plots.")
    }
    for name, make in MAKE.items():
        result = make()
        assert name in {base.__name__ for base in type(result).__mro__}
        assert function_for(result)


def test_a_specification_loads_no_drawing_library():
    done = subprocess.run([sys.executable, "-c", ONE_CURVE], capture_output=True, text=True)
    assert done.stdout.split() == ["False"], done.stderr


@pytest.mark.parametrize("name", ["RocCurve", "ClassOrder"])
def test_a_class_has_one_plot(name):
    with pytest.raises(rw.InputError, match=f"{name} already has a plot: \\w+_plot"):

        @plot_of(name)
        def another_plot(result, *, name=None):
            raise AssertionError("never drawn")

    assert compose(MAKE[name]()).layers
