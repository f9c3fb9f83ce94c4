"""A nan that reaches a kernel raises: kernel by kernel, argument by argument, place by place."""

import numpy as np
import pytest

from rocwise.kernels.lines.plain import laid_curve
from rocwise.kernels.resampling_tables import signed_rows

MASK = (np.arange(12) % 2).astype(np.uint8)
SCORES = np.linspace(0.05, 0.95, 12)
COUNTS = {"pos": np.array([3, 2, 1]), "neg": np.array([1, 2, 3]), "seed": 7, "first": 0, "last": 3}
ROWS = np.array([0.1, 0.4, 0.7])
RISING = np.linspace(0.0, 1.0, 4)
DRAWN = {
    "rows": signed_rows(np.array([True, False]), np.arange(2), None, None),
    "times": np.array([[1, 3], [2, 2]]),
}

# arguments that work; every float among them, or array of floats, is spoiled in turn
CALLS = {
    "resample_block_tpr": COUNTS | {"fpr_grid": np.array([0.0, 0.5])},
    "resample_block_furthest": {
        "tp_rank": np.array([0, 3, 5, 6]),
        "fp_rank": np.array([0, 1, 3, 6]),
        "seed": 7,
        "first": 0,
        "last": 3,
        "directions": np.ones((2, 2)),
        "with_origin": True,
    },
    "concave_corners": {"x": ROWS, "y": ROWS},
    "resample_crossings": COUNTS | {"slope": 1.0, "lines": np.array([0.5, 1.5])},
    "resample_gaps": COUNTS | {"laid": laid_curve(RISING, RISING, 1.0), "floor": 0.0},
    "row_gaps": DRAWN | {"laid": laid_curve(RISING, RISING, 1.0), "floor": 0.0},
    "row_pair_gaps": DRAWN | {"slope": 1.0, "floor": 0.0},
    "row_crossings": DRAWN | {"slope": 1.0, "lines": np.array([0.5, 1.5])},
    "laid_curve": {"fpr": RISING, "tpr": RISING, "slope": 1.0, "scale": np.ones(4)},
    "resample_pair_gaps": COUNTS | {"slope": 1.0},
}  # fmt: skip
REFUSALS = ValueError  # InputError is one


def spoiled(arguments):
    """Every way to put one nan into one of the arguments."""
    for name, value in arguments.items():
        if isinstance(value, float):
            yield name, arguments | {name: np.nan}
        elif isinstance(value, np.ndarray) and value.dtype.kind == "f":
            for place in (0, value.size // 2, value.size - 1):
                wrong = value.copy()
                wrong.ravel()[place] = np.nan
                yield f"{name}[{place}]", arguments | {name: wrong}


@pytest.mark.parametrize("name", CALLS)
def test_nan_raises(kernels, name):
    ask, arguments = getattr(kernels, name), CALLS[name]
    ask(**arguments)
    cases = list(spoiled(arguments))
    assert cases
    for place, wrong in cases:
        with pytest.raises(REFUSALS, match=r"nan|rates from 0 to 1"):
            pytest.fail(f"{name}({place} = nan) answered {ask(**wrong)}")
