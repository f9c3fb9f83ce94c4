import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

import rocwise.kernels as kernels
from rocwise.kernels.selection import COMPILED

BUILT = all(importlib.util.find_spec(f"rocwise.kernels.compiled.{name}") for name in COMPILED)


def result(code, **environment):
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


ACTIVE = "import rocwise.kernels as k; print(k.ACTIVE, k.sort._sort is None)"


def test_numpy_twins_can_be_chosen():
    assert result(ACTIVE, ROCWISE_KERNELS="numpy") == ["numpy", "True"]


def test_compiled_kernels_are_the_default():
    if not BUILT:
        pytest.skip("the compiled kernels are not built")
    assert result(ACTIVE, ROCWISE_KERNELS="") == ["compiled", "False"]


def test_numpy_serves_where_one_extension_is_missing():
    code = f"import sys; sys.modules['rocwise.kernels.compiled._sort'] = None\n{ACTIVE}"
    assert result(code, ROCWISE_KERNELS="") == ["numpy", "True"]


@pytest.mark.parametrize("choice", ["", "numpy"])
def test_nothing_heavy_is_imported(choice):
    code = (
        "import sys, numpy; before = set(sys.modules)\n"
        "import rocwise.kernels\n"
        "print(*{name.partition('.')[0] for name in set(sys.modules) - before})"
    )
    new = {name for name in result(code, ROCWISE_KERNELS=choice) if "cython" not in name}
    assert new <= {"rocwise", "numpy", *sys.stdlib_module_names}
    assert not new & {"asyncio", "email", "multiprocessing", "unittest"}


def test_all_that_is_compiled_is_needed():
    sources = Path(kernels.__file__).parent.glob("compiled/_*.pyx")
    assert sorted(COMPILED) == sorted(path.stem for path in sources)
