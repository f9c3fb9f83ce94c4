"""A nan that reaches a kernel raises: kernel by kernel, argument by argument, place by place."""

import numpy as np
import pytest

MASK = (np.arange(12) % 2).astype(np.uint8)
SCORES = np.linspace(0.05, 0.95, 12)
COUNTS = {"pos": np.array([3, 2, 1]), "neg": np.array([1, 2, 3]), "seed": 7, "first": 0, "last": 3}
ROWS = np.array([0.1, 0.4, 0.7])

# arguments that work; every float among them, or array of floats, is spoiled in turn
CALLS = {
    "concave_corners": {"x": ROWS, "y": ROWS},
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
