"""Plots of several and of ordered classes, by what they would draw."""

import numpy as np
import pytest

import rocwise as rw
from oracles.class_tables import A1
from oracles.ordinal_samples import B1, B3
from rocwise.plotting import compose, plot, save
from rocwise.plotting.spec import Band, Cells, Label, Line, Mesh, Points, Whiskers


def drawn(result, **options):
    return plot(result, backend="none", **options)


@pytest.fixture(scope="module")
def curves():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 4, 80)
    return rw.multiclass.roc(
        y, rng.random((80, 4)) + np.eye(4)[y], bands=True, n_resamples=30, rng=1
    )


def test_one_vs_rest_curves_over_each_other(curves):
    spec = drawn(curves)
    assert len(spec.layers(Band)) == 4
    lines = [line for line in spec.layers(Line) if line.role == "model"]
    assert [line.slot for line in lines] == [0, 1, 2, 3]
    assert np.array_equal(lines[2].y, curves.curves["2"].tpr)
    assert spec.legend[0].startswith("0, AUC ")
    assert "each class by itself" in spec.caption
    assert not drawn(curves, bands=False).layers(Band)


def test_one_panel_for_each_class(curves):
    panels = drawn(curves, beside=True)
    assert [panel.spec.title for panel in panels] == [f"{k} against the rest" for k in range(4)]
    for name, panel in zip(curves.curves, panels, strict=True):
        (label,) = panel.layers(Label)
        assert label.text.startswith(f"AUC {curves.areas[name].value:.2f}")
        assert panel.legend == []
    with pytest.raises(rw.InputError, match="must be one of"):
        curves.only("9")


def test_average_and_its_parts():
    spec = drawn(rw.multiclass.auc(*A1))
    rows = [tick.text for tick in spec.spec.y.ticks]
    assert rows == ["Hand-Till M", "0 v 1", "0 v 2", "1 v 2"]
    assert len(spec.layers(Whiskers)) == 1
    assert [tick.text for tick in drawn(rw.multiclass.auc(*A1, average="ovr")).spec.y.ticks] == [
        "mean of one-vs-rest", "0 v rest", "1 v rest", "2 v rest",
    ]  # fmt: skip
    single = drawn(rw.multiclass.auc([0, 0, 1, 2], A1[1][[0, 1, 2, 5]]))
    assert not single.layers(Whiskers)
    y = np.arange(14) % 7
    many = drawn(rw.multiclass.auc(y, np.random.default_rng(1).random((14, 7))))
    assert many.spec.rows == 16
    assert "15 pairs with the smallest areas" in many.caption


def test_hypervolume():
    assert not drawn(rw.multiclass.hum(*A1)).layers(Whiskers)
    spec = drawn(rw.multiclass.hum(*A1, n_tuples=100, rng=1), name="model")
    assert len(spec.layers(Whiskers)) == 1
    assert "by chance" in spec.caption


def test_measures_of_ordered_classes():
    spec = drawn({"a": rw.ordinal.auc(*B1), "b": rw.ordinal.auc(*B1, method="logit")})
    assert [tick.text for tick in spec.spec.y.ticks] == ["a", "b"]
    assert "0.167, by chance" in spec.caption
    assert drawn(rw.ordinal.auc(*B1, measure="pairs")).spec.x.title.startswith("Share of pairs")
    assert not drawn(rw.ordinal.auc([1, 2, 2], [1, 2, 3])).layers(Whiskers)
    against_chance = rw.ordinal.null_test(*B1)
    test = drawn(against_chance)
    (usual,) = test.layers(Whiskers)
    reach = 1.96 * against_chance.standard_error
    assert usual.low[0] == pytest.approx(1 / 6 - reach)
    assert usual.high[0] == pytest.approx(1 / 6 + reach)
    assert [tick.text for tick in test.spec.y.ticks] == ["observed", "by chance"]


def test_cuts_and_orders():
    cuts = rw.ordinal.thresholds(*B3)
    spec = drawn(cuts)
    (cells,) = spec.layers(Cells)
    np.testing.assert_allclose(cells.shares, cuts.confusion / cuts.confusion.sum(1, keepdims=True))
    counts = [[int(text.split("\n")[0]) for text in row] for row in cells.texts]
    assert counts == cuts.confusion.tolist()
    assert [tick.text for tick in spec.spec.y.ticks] == ["1", "2", "3", "4"]
    orders = rw.ordinal.best_order(*B3)
    found = drawn(orders)
    assert found.spec.rows == 12
    assert found.layers(Points)[0].x[0] == orders.value
    assert found.layers(Line)[0].x.tolist() == [1 / 24, 1 / 24]  # one order of four classes


def test_sections_of_the_surface():
    surface = rw.ordinal.surface(*B1)
    spec = drawn(surface, sections=(0.0, 0.75))
    first, second = [line for line in spec.layers(Line) if line.role == "model"]
    assert spec.legend == ["any rate of 3", "75 % or more of 3"]
    # two of three middle cases are right while two of three low ones and three of four high are
    assert second.y[np.isclose(second.x, 2 / 3)].max() == pytest.approx(2 / 3)
    assert first.y[0] == 1.0
    assert np.all(np.diff(first.y) <= 0)
    with pytest.raises(rw.InputError, match="`sections`"):
        drawn(surface, sections=(2.0,))


def test_the_surface_as_a_map_and_in_three_dimensions(tmp_path):
    pytest.importorskip("matplotlib")
    surface = rw.ordinal.surface(*B1)
    (mesh,) = drawn(surface, kind="map").layers(Mesh)
    np.testing.assert_allclose(
        mesh.values, surface.height(mesh.x[None, :], mesh.y[:, None]), atol=1e-12
    )
    assert compose(surface, kind="3d").projection == "3d"
    for kind in ("map", "3d"):
        target = save(surface, tmp_path / f"{kind}.png", kind=kind, dpi=60)
        assert target.stat().st_size > 1000
    with pytest.raises(rw.InputError, match="`kind` must be one of"):
        drawn(surface, kind="flat")
