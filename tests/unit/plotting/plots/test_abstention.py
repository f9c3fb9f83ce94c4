"""Plots of abstaining, and heat maps in general."""

import numpy as np
import pytest
from matplotlib import pyplot

import rocwise as rw
from rocwise.plotting import compose, plot, save
from rocwise.plotting.spec import Label, Line, Mesh, Points, Whiskers

Y = [0, 0, 1, 0, 1, 0, 1, 1]
M = [-0.9, -0.6, -0.4, -0.1, 0.1, 0.3, 0.3, 0.8]
COSTS = rw.Costs(fp=0.5, fn=1, abstain=0.2)


def recorded(result, **options):
    return plot(result, backend="none", **options)


def test_a_heat_map_of_costs_with_the_never_abstain_line():
    surface = rw.abstention_surface(Y, M, grid=11)
    record = recorded(surface, at=(0.5, 0.2))
    (mesh,) = record.layers(Mesh)
    np.testing.assert_array_equal(mesh.values, surface.cost.T)
    np.testing.assert_array_equal(mesh.x, surface.mu)
    assert mesh.levels
    assert all(0 < level < surface.cost.max() for level in mesh.levels)
    (border,) = record.layers(Line)
    np.testing.assert_allclose(border.y, border.x / (1 + border.x))
    (mark,) = record.layers(Points)
    assert (mark.x[0], mark.y[0]) == (0.5, 0.2)
    assert "never pays" in record.caption


@pytest.mark.parametrize("quantity", ["rate", "lower", "upper"])
def test_other_quantities(quantity):
    surface = rw.abstention_surface(Y, M, grid=11)
    (mesh,) = recorded(surface, quantity=quantity, name="risk").layers(Mesh)
    values = getattr(surface, quantity)
    finite = values[np.isfinite(values)]
    np.testing.assert_array_equal(mesh.values, np.clip(values, finite.min(), finite.max()).T)
    assert mesh.title.endswith(", risk")


def test_differences_part_at_0():
    first, second = (rw.abstention_surface(Y, s, grid=11) for s in (M, M[::-1]))
    (mesh,) = recorded(first.difference(second)).layers(Mesh)
    assert mesh.diverging
    np.testing.assert_array_equal(mesh.values, (first.cost - second.cost).T)
    ax = plot(first.difference(second))
    assert ax.collections[0].get_clim() == pytest.approx(
        (-np.abs(mesh.values).max(), np.abs(mesh.values).max())
    )
    plot(first.difference(first)).figure.canvas.draw()  # 0 everywhere


def test_three_dimensions_on_request(tmp_path):
    surface = rw.abstention_surface(Y, M, grid=11)
    assert recorded(surface, kind="3d").spec.projection == "3d"
    ax = plot(surface, kind="3d", title="Costs", at=(0.5, 0.2))
    assert ax.name == "3d"
    heights = ax.lines[0].get_data_3d()[2]
    assert heights == pytest.approx(
        np.interp(ax.lines[0].get_data_3d()[0], surface.mu, surface.cost[:, -1]), abs=0.02
    )
    assert any("never pays" in text.get_text().replace("\n", " ") for text in ax.texts)
    own = pyplot.figure().add_subplot(projection="3d")
    assert plot(surface, ax=own, kind="3d") is own
    assert save(surface, tmp_path / "surface.svg", kind="3d").stat().st_size > 1000


@pytest.mark.parametrize("kind", ["map", "3d"])
def test_axes_of_the_wrong_kind_are_refused(kind):
    surface = rw.abstention_surface(Y, M, grid=5)
    ax = pyplot.figure().add_subplot(projection=None if kind == "3d" else "3d")
    with pytest.raises(rw.InputError, match="`ax` must be"):
        plot(surface, ax=ax, kind=kind)


def test_a_heat_map_shares_its_plot_with_nobody():
    surface = rw.abstention_surface(Y, M, grid=5)
    with pytest.raises(rw.InputError, match="heat map would hide"):
        compose({"a": surface, "b": surface})
    assert compose({"a": surface}).layers


def test_bad_options_are_refused():
    surface = rw.abstention_surface(Y, M, grid=5)
    for options, words in (
        ({"quantity": "volume"}, "quantity"),
        ({"kind": "4d"}, "kind"),
        ({"at": 0.5}, "pair"),
        ({"at": (0.5, 2)}, "at"),
    ):
        with pytest.raises(rw.InputError, match=words):
            recorded(surface, **options)


def test_a_window_on_the_hull():
    window = rw.abstain(Y, M, costs=COSTS)
    record = recorded(window, name="risk")
    (points,) = record.layers(Points)
    y, decided = np.array(Y), window.decide(M)
    assert points.x[0] == np.mean(decided[y == 0] == 1)
    assert points.y[0] == np.mean(decided[y == 1] == 1)
    assert points.x[1] == np.mean(decided[y == 0] != 0)
    assert points.y[1] == np.mean(decided[y == 1] != 0)
    texts = [label.text for label in record.layers(Label)]
    assert texts == ["positive if ≥ 0", "negative if ≤ −0.5"]
    assert record.legend == ["risk, 0.250 undecided"]


def test_a_window_without_abstention_is_one_point():
    window = rw.abstain(Y, M, costs=rw.Costs(fp=0.8, fn=1, abstain=0.6))
    assert [label.text for label in recorded(window).layers(Label)] == ["positive if ≥ −0.5"]
    lower = rw.abstain(Y, [-m for m in M], costs=COSTS, direction="lower")
    texts = [label.text for label in recorded(lower).layers(Label)]
    assert texts == ["positive if ≤ 0", "negative if ≥ 0.5"]
    bounded = rw.abstain(Y, M, costs=rw.Costs(fp=1, fn=1), max_abstention=0.3)
    assert recorded(bounded).legend == ["0.250 undecided"]


def test_intervals_of_the_thresholds():
    answer = rw.abstain(Y, M, costs=COSTS).uncertainty(n_resamples=50, rng=1)
    record = recorded(answer, name="risk")
    (whiskers,) = record.layers(Whiskers)
    assert np.isfinite(whiskers.low).all()
    assert np.isfinite(whiskers.high).all()
    assert [tick.text for tick in record.spec.y.ticks] == ["risk, lower", "risk, upper"]
    plot(answer).figure.canvas.draw()
