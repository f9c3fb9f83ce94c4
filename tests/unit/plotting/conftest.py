import matplotlib
import pytest

matplotlib.use("Agg")
from matplotlib import pyplot

UNUSUAL = {
    "font.size": 11.5,
    "font.family": ["serif"],
    "axes.linewidth": 1.1,
    "pdf.fonttype": 3,
    "svg.fonttype": "path",
    "svg.hashsalt": "own",
    "path.simplify": False,
}


@pytest.fixture(autouse=True)
def settings_of_the_user():
    """Other settings than ours, that must be the same afterwards; and no figure is left open."""
    with matplotlib.rc_context(UNUSUAL):
        before = dict(matplotlib.rcParams)
        yield before
        assert dict(matplotlib.rcParams) == before
    pyplot.close("all")
