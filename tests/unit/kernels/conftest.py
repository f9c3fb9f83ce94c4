"""Every kernel test runs on both implementations; the compiled one is skipped where absent."""

from importlib import import_module
from types import SimpleNamespace

import pytest

from rocwise import kernels as shared

FUNCTIONS = {
    "hulls": ["concave_corners", "resample_isotonic"],
}
# topics that have a folder, with both twins in it; the others have a file in either folder
FOLDERS = {"hulls"}


def home_of(topic, kind):
    """The module of the topic's kernels, plain or compiled."""
    if topic in FOLDERS:
        return f"{topic}.{kind}"
    return f"{kind}.{topic}"


SHARED = ("argsort", "placement_sums", "placements", "sort_by_class")


@pytest.fixture(scope="session", params=["numpy", "compiled"])
def kernels(request):
    """Namespace of all kernels of one implementation, and its `name`."""
    found = SimpleNamespace(name=request.param, **{name: getattr(shared, name) for name in SHARED})
    kind = "plain" if request.param == "numpy" else "compiled"
    for topic, names in FUNCTIONS.items():
        try:
            module = import_module(f"rocwise.kernels.{home_of(topic, kind)}")
        except ImportError as missing:
            pytest.skip(f"the compiled kernels are not built: {missing}")
        for name in names:
            setattr(found, name, getattr(module, name))
    return found
