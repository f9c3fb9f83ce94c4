"""Tests of the kernels, on both implementations."""

import pytest

import rocwise.kernels
from rocwise.kernels.selection import COMPILED


@pytest.fixture(params=["numpy", "compiled"])
def implementation(request, monkeypatch):
    """Each test once by the numpy twins, and once by compiled code where it is built."""
    if request.param == "compiled" and rocwise.kernels.ACTIVE == "numpy":
        pytest.skip("the compiled kernels are not built")
    for name in COMPILED if request.param == "numpy" else ():
        monkeypatch.setattr(f"rocwise.kernels.{name[1:]}.{name}", None)
