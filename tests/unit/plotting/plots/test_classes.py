"""Plots of several classes."""

import numpy as np
import pytest

import rocwise as rw
from oracles import weighted_classes
from oracles.class_tables import A1
from oracles.ordinal_samples import B1, B3
from rocwise.multiclass import class_weights_under, sample_costs
from rocwise.plotting import compose, save
from rocwise.plotting.spec import Band, Cells, Label, Line, Mesh, Points, Whiskers
from unit.plotting.drawn_results import recorded


@pytest.fixture(scope="module")
def curves():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 4, 80)
    return rw.multiclass.roc(
        y, rng.random((80, 4)) + np.eye(4)[y], bands=True, n_resamples=30, rng=1
    )


def test_one_vs_rest_curves_over_each_other(curves):
    spec = recorded(curves)
    *drawn, entry = spec.layers(Band)
    assert len(drawn) == 4
    assert (entry.label, len(entry.x)) == ("95% joint-regions band", 0)
    lines = [line for line in spec.layers(Line) if line.role == "model"]
    assert [line.slot for line in lines] == [0, 1, 2, 3]
    assert np.array_equal(lines[2].y, curves.curves["2"].tpr)
    assert spec.legend[0].startswith("0, AUC ")
    assert "each class by itself" in spec.caption
    assert not recorded(curves, bands=False).layers(Band)


def test_one_panel_for_each_class(curves):
    panels = recorded(curves, subplots=True)
    assert [panel.spec.title for panel in panels] == [f"{k} against the rest" for k in range(4)]
    for name, panel in zip(curves.curves, panels, strict=True):
        (label,) = panel.layers(Label)
        assert label.text.startswith(f"AUC {curves.areas[name].value:.2f}")
        assert panel.legend == []
    with pytest.raises(rw.InputError, match="must be one of"):
        curves.only("9")


def test_average_and_its_parts():
    spec = recorded(rw.multiclass.auc(*A1))
    rows = [tick.text for tick in spec.spec.y.ticks]
    assert rows == ["Hand-Till M", "0 v 1", "0 v 2", "1 v 2"]
    (whiskers,) = spec.layers(Whiskers)
    pairs = rw.multiclass.auc(*A1).pairwise_intervals().values()
    assert {each.low for each in pairs} < {*whiskers.low}, "as pairwise_intervals has them"
    assert [tick.text for tick in recorded(rw.multiclass.auc(*A1, average="ovr")).spec.y.ticks] == [
        "mean of one-vs-rest", "0 v rest", "1 v rest", "2 v rest",
    ]  # fmt: skip
    single = recorded(rw.multiclass.auc([0, 0, 1, 2], A1[1][[0, 1, 2, 5]]))
    assert not single.layers(Whiskers)
    y = np.arange(14) % 7
    many = recorded(rw.multiclass.auc(y, np.random.default_rng(1).random((14, 7))))
    assert many.spec.rows == 16
    assert "15 pairs with the smallest areas" in many.caption


def test_hypervolume():
    assert not recorded(rw.multiclass.hum(*A1)).layers(Whiskers)
    spec = recorded(rw.multiclass.hum(*A1, n_tuples=100, rng=1), name="model")
    assert len(spec.layers(Whiskers)) == 1
    assert "by chance" in spec.caption


def test_measures_of_ordered_classes():
    spec = recorded({"a": rw.ordinal.auc(*B1), "b": rw.ordinal.auc(*B1, method="logit")})
    assert [tick.text for tick in spec.spec.y.ticks] == ["a", "b"]
    assert "0.167, by chance" in spec.caption
    assert recorded(rw.ordinal.auc(*B1, measure="pairs")).spec.x.title.startswith(
        "Proportion of pairs"
    )
    assert not recorded(rw.ordinal.auc([1, 2, 2], [1, 2, 3])).layers(Whiskers)
    against_chance = rw.ordinal.null_test(*B1)
    test = recorded(against_chance)
    (usual,) = test.layers(Whiskers)
    reach = 1.96 * against_chance.standard_error
    assert usual.low[0] == pytest.approx(1 / 6 - reach)
    assert usual.high[0] == pytest.approx(1 / 6 + reach)
    assert [tick.text for tick in test.spec.y.ticks] == ["observed", "by chance"]


def test_cuts_and_orders():
    cuts = rw.ordinal.thresholds(*B3)
    spec = recorded(cuts)
    (cells,) = spec.layers(Cells)
    np.testing.assert_allclose(cells.shades, cuts.confusion / cuts.confusion.sum(1, keepdims=True))
    counts = [[int(text.split("\n")[0]) for text in row] for row in cells.texts]
    assert counts == cuts.confusion.tolist()
    assert [tick.text for tick in spec.spec.y.ticks] == ["1", "2", "3", "4"]
    orders = rw.ordinal.best_order(*B3)
    found = recorded(orders)
    assert found.spec.rows == 12
    assert found.layers(Points)[0].x[0] == orders.value
    assert found.layers(Line)[0].x.tolist() == [1 / 24, 1 / 24]  # one order of four classes


def test_sections_of_the_surface():
    surface = rw.ordinal.surface(*B1)
    spec = recorded(surface, sections=(0.0, 0.75))
    first, second = [line for line in spec.layers(Line) if line.role == "model"]
    assert spec.legend == ["class 3: any rate", "class 3: ≥ 75% correct"]
    # two of three middle cases are right while two of three low ones and three of four high are
    assert second.y[np.isclose(second.x, 2 / 3)].max() == pytest.approx(2 / 3)
    assert first.y[0] == 1.0
    assert np.all(np.diff(first.y) <= 0)
    with pytest.raises(rw.InputError, match="`sections`"):
        recorded(surface, sections=(2.0,))


def test_the_surface_as_a_map_and_in_three_dimensions(tmp_path):
    pytest.importorskip("matplotlib")
    surface = rw.ordinal.surface(*B1)
    (mesh,) = recorded(surface, kind="map").layers(Mesh)
    np.testing.assert_allclose(
        mesh.values, surface.height(mesh.x[None, :], mesh.y[:, None]), atol=1e-12
    )
    assert compose(surface, kind="3d").projection == "3d"
    for kind in ("map", "3d"):
        target = save(surface, tmp_path / f"{kind}.png", kind=kind, dpi=60)
        assert target.stat().st_size > 1000
    with pytest.raises(rw.InputError, match="`kind` must be one of"):
        recorded(surface, kind="flat")


def test_costs_of_each_class_before_and_after():
    data = weighted_classes.A1
    found = rw.multiclass.class_weights(data.y, data.F, costs=data.C)
    recording = recorded(found)
    before, after = recording.layers(Points)
    assert sum(before.x) == pytest.approx(found.baseline_cost)
    assert sum(after.x) == pytest.approx(found.cost)
    assert sorted(recording.legend) == ["Class weights", "Equal weights"]
    (whiskers,) = recording.layers(Whiskers)
    assert whiskers.low.tolist() == np.minimum(before.x, after.x).tolist()
    assert [tick.text for tick in recording.spec.y.ticks] == [
        "class 0 (weight 1)",
        "class 1 (weight 2.4)",
        "class 2 (weight 2.3)",
    ]
    assert "0.25 per case, 0.375 with equal weights (sweep)" in recording.caption


def test_a_tree_has_its_leaves_and_thresholds():
    data = weighted_classes.A3
    tree = rw.multiclass.metaclass(data.y, data.F, costs=data.C)
    recording = recorded(tree)
    texts = [label.text for label in recording.layers(Label)]
    assert sorted(text for text in texts if text.isdigit()) == ["0", "1", "2", "3"]
    assert [text for text in texts if not text.isdigit()].count("≥ 1.25") == 1
    assert len(recording.layers(Line)) == 6  # two branches at each of three splits
    places = [points.x[0] for points in recording.layers(Points)]
    assert sorted(places) == [0, 1, 2, 3]


def test_regrets_are_a_rising_line():
    data = weighted_classes.drawn(30, 3, 0)
    draws = sample_costs(1, 10, n_classes=3, n_samples=20, rng=0)
    found = class_weights_under(data.y, data.F, cost_samples=draws)
    (line,) = recorded(found).layers(Line)
    assert (np.diff(line.x) >= 0).all()
    assert (np.diff(line.y) >= 0).all()
    assert line.y[-1] == 1
    assert found.regrets.max() in line.x
