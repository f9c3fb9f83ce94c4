"""Plots of costs, abstention and isometrics."""

import numpy as np
import pytest
from matplotlib import pyplot

import rocwise as rw
from rocwise.binary.isometrics import METRICS
from rocwise.plotting import compose, plot, save
from rocwise.plotting.spec import Band, Label, Line, Mesh, Points, Whiskers
from rocwise.plotting.theme import look_of
from unit.plotting.drawn_results import recorded

Y = [0, 0, 1, 0, 1, 0, 1, 1]


M = [-0.9, -0.6, -0.4, -0.1, 0.1, 0.3, 0.3, 0.8]


COSTS = rw.Costs(fp=0.5, fn=1, abstain=0.2)


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
    ax = plot(surface, kind="3d", title="Costs", at=(0.5, 0.2), caption=True)
    assert ax.name == "3d"
    heights = ax.lines[0].get_data_3d()[2]
    assert heights == pytest.approx(
        np.interp(ax.lines[0].get_data_3d()[0], surface.mu, surface.cost[:, -1]), abs=0.02
    )
    assert any("never pays" in text.get_text().replace("\n", " ") for text in ax.figure.texts)
    own = pyplot.figure().add_subplot(projection="3d")
    assert plot(surface, ax=own, kind="3d") is own
    assert save(surface, tmp_path / "surface.svg", kind="3d").stat().st_size > 1000


@pytest.mark.parametrize("kind", ["map", "3d"])
def test_axes_of_the_wrong_kind_raise(kind):
    surface = rw.abstention_surface(Y, M, grid=5)
    ax = pyplot.figure().add_subplot(projection=None if kind == "3d" else "3d")
    with pytest.raises(rw.InputError, match="`ax` must be"):
        plot(surface, ax=ax, kind=kind)


def test_a_heat_map_has_a_plot_of_its_own():
    surface = rw.abstention_surface(Y, M, grid=5)
    with pytest.raises(rw.InputError, match="heat map would hide"):
        compose({"a": surface, "b": surface})
    assert compose({"a": surface}).layers


def test_bad_options_raise():
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
    assert record.legend == ["risk, no decision (25% of cases)"]


def test_a_window_without_abstention_is_one_point():
    window = rw.abstain(Y, M, costs=rw.Costs(fp=0.8, fn=1, abstain=0.6))
    assert [label.text for label in recorded(window).layers(Label)] == ["positive if ≥ −0.5"]
    lower = rw.abstain(Y, [-m for m in M], costs=COSTS, direction="lower")
    texts = [label.text for label in recorded(lower).layers(Label)]
    assert texts == ["positive if ≤ 0", "negative if ≥ 0.5"]
    bounded = rw.abstain(Y, M, costs=rw.Costs(fp=1, fn=1), max_abstention=0.3)
    assert recorded(bounded).legend == ["no decision (25% of cases)"]


def test_intervals_of_the_thresholds():
    result = rw.abstain(Y, M, costs=COSTS).uncertainty(n_resamples=50, rng=1)
    record = recorded(result, name="risk")
    (whiskers,) = record.layers(Whiskers)
    assert np.isfinite(whiskers.low).all()
    assert np.isfinite(whiskers.high).all()
    assert [tick.text for tick in record.spec.y.ticks] == ["risk, lower", "risk, upper"]
    plot(result).figure.canvas.draw()


ISOMETRICS_Y = [0, 0, 1, 0, 0, 1, 0, 1, 1, 1]


S = list(range(10))


def curves(record):
    return [line for line in record.layers(Line) if line.role != "reference"]


@pytest.mark.parametrize("metric", METRICS)
def test_fans_stay_inside_and_have_their_value(metric):
    fan = rw.isometric(metric, np.arange(1, 10) / 10, skew=2, m=0.1)
    record = recorded(fan)
    lines = curves(record)
    assert len(lines) == len(record.layers(Label)) > 5
    for line in lines:
        assert min(line.x.min(), line.y.min()) >= 0
        assert max(line.x.max(), line.y.max()) <= 1
    by_text = {label.text: label for label in record.layers(Label)}
    line = next(each for each in fan.lines if each.value == 0.5)
    label = by_text["0.5"]
    assert line.tpr(label.x) == pytest.approx(label.y, abs=1e-9)
    assert len(record.legend) == 1
    pivot = record.layers(Points)
    assert len(pivot) == (metric.startswith("precision"))
    if metric == "precision+":
        plot(fan).figure.canvas.draw()


def test_one_isometric():
    record = recorded(rw.isometric("f+", 0.7, skew=2), name="target")
    assert record.legend == ["target, f+ = 0.7"]
    (vertical,) = curves(recorded(rw.isometric("precision+", 1, skew=2)))
    assert vertical.x.tolist() == [0, 0]


def test_a_rule_before_and_after():
    rule = rw.reliable(ISOMETRICS_Y, S, positive=0.9, negative=0.9)
    record = recorded(rule, name="risk")
    before, after = curves(record)
    np.testing.assert_array_equal(before.y, rule.hull_tpr)
    np.testing.assert_array_equal(after.y, rule.transformed_tpr)
    assert [label.text for label in record.layers(Label)] == ["a", "b"]
    assert record.legend[2] == "risk, hull of all cases"
    dashed = [line for line in record.layers(Line) if line.role == "reference"]
    assert len(dashed) == 2
    for line, target in zip(dashed, (rule.positive_line, rule.negative_line), strict=True):
        assert line.y == pytest.approx(target.tpr(line.x), abs=1e-9)
    assert "between a and b no decision" in record.caption
    assert record.legend[0] == "precision of positives = 0.9 (skew 1)"
    plot(rule).figure.canvas.draw()


SIX_LABELS, SIX_SCORES = [1, 1, 0, 1, 0, 0], [0.9, 0.7, 0.6, 0.4, 0.3, 0.1]


def test_cost_curve_with_its_lines():
    curve, roc = rw.cost_curve(SIX_LABELS, SIX_SCORES), rw.roc(SIX_LABELS, SIX_SCORES)
    lines = recorded(curve).layers(Line)
    envelope = lines[-1]
    assert envelope.x.tolist() == curve.probability_cost.tolist()
    grey = [line for line in lines if line.muted]
    assert [line.y.tolist() for line in grey] == [
        [f, 1 - t] for f, t in zip(roc.fpr[1:-1], roc.tpr[1:-1], strict=True)
    ]
    (trivial,) = (line for line in lines if line.role == "reference")
    assert trivial.y.tolist() == [0.0, 0.5, 0.0]
    assert len(recorded(curve, lines=False).layers(Line)) == 2
    assert len(recorded({"a": curve, "b": curve}).layers(Line)) == 3  # no gray with a name


def test_decision_curve_is_cut_below():
    curve = rw.decision_curve(SIX_LABELS, SIX_SCORES)
    recording = recorded(curve, name="m")
    assert recording.legend == ["treat all", "treat none", "m"]
    first, second = (line for line in recording.layers(Line) if line.role == "reference")
    assert look_of(first).dash != look_of(second).dash
    for line in recording.layers(Line):
        assert np.nanmin(line.y) >= recording.spec.y.limits[0]


def test_bands_and_differences():
    band = rw.cost_curve(SIX_LABELS, SIX_SCORES).band(grid=5, n_resamples=20, rng=1)
    (area,) = recorded(band).layers(Band)
    assert area.upper.tolist() == band.upper.tolist()
    risk = rw.decision_curve(SIX_LABELS, SIX_SCORES).band(n_resamples=20, rng=1)
    assert recorded(risk).spec.x.title == "Threshold probability"
    result = rw.compare_curves(
        SIX_LABELS, {"a": SIX_SCORES, "b": SIX_SCORES[::-1]}, curve="cost", n_resamples=20, rng=1
    )
    recording = recorded(result)
    assert recording.legend[-1] == "a minus b"
    for line in recording.layers(Line):
        if line.label and "a better" in line.label:
            assert np.array_equal(np.isfinite(line.y), result.upper < 0)
    low, high = recording.spec.y.limits
    assert low <= result.lower.min()
    assert result.upper.max() <= high
    assert "Below 0: a is the cheaper." in recording.caption
    models = {"a": SIX_SCORES, "b": SIX_SCORES[::-1]}
    gain = rw.compare_curves(SIX_LABELS, models, curve="decision", n_resamples=20, rng=1)
    assert "Above 0: a has the larger net benefit." in recorded(gain).caption


def test_several_decision_curves_have_one_entry_for_treating_all():
    risks = {name: np.linspace(0.02, top, 60) for name, top in (("a", 0.6), ("b", 0.9))}
    curves = {name: rw.decision_curve(np.arange(60) % 2, risk) for name, risk in risks.items()}
    assert sorted(recorded(curves).legend) == ["a", "b", "treat all", "treat none"]
