import matplotlib
import pytest


@pytest.fixture(autouse=True)
def no_window_and_no_figure_left_open():
    matplotlib.use("Agg")
    yield
    from matplotlib import pyplot

    pyplot.close("all")
