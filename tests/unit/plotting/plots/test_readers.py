"""Plots of reader studies and of FROC curves."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.datasets import marked_lesions, reader_study
from rocwise.errors import InputError
from rocwise.plotting import compose
from rocwise.plotting.spec import Band, Line, Points, Whiskers
from unit.plotting.drawn_results import layers

MARKS = {name: name for name in ("case", "score", "lesion", "lesions")}


def compared(separation=(1.2, 1.8), model=None, decimals=8, **options):
    study = reader_study(4, 30, 30, separation=separation, ai=model)
    columns = {name: getattr(study, name) for name in ("case", "reader", "modality")}
    if model is not None:
        del columns["modality"]
    scores = np.round(study.y_score, decimals)
    return rw.readers.compare(study.y_true, scores, **columns, **options)


def thick(spec):
    return [
        each
        for each in layers(spec, Line)
        if each.label and not each.muted and each.role == "model"
    ]


@pytest.mark.parametrize("decimals", [0, 8])
def test_the_area_under_the_average_curve_is_the_mean_area(decimals):
    found = compared(decimals=decimals)
    for name, curves in found.curves().items():
        assert {(x[0], y[0]) for x, y in curves.values()} == {(0, 0)}
        areas = [np.trapezoid(y, x) for x, y in curves.values()]
        own = found.by_reader["modality"] == name
        assert areas[:-1] == pytest.approx(found.by_reader["estimate"][own].tolist())
        assert areas[-1] == pytest.approx(np.mean(areas[:-1]))
        assert areas[-1] == pytest.approx(found.estimates[name])


def test_curves_of_readers_and_their_average():
    found = compared()
    spec = compose(found)
    assert len(layers(spec, Line)) == 1 + 2 * 5  # the chance line, four readers and the average
    assert [line.label[:7] for line in thick(spec)] == ["unaided", "aided, "]
    thin = [line for line in layers(spec, Line) if line.muted]
    assert {line.color for line in thin} == {"#7FB8D8", "#EAAE7F"}


def test_a_standalone_model_has_a_thick_curve():
    spec = compose(compared((1.2,), 1.6, ai="AI"))
    assert [line.label.split(",")[0] for line in thick(spec)] == ["AI", "mean of 4 readers"]
    assert len([line for line in layers(spec, Line) if line.muted]) == 4


def test_a_forest_of_readers():
    found = compared(alternative="non-inferior", margin=0.1)
    spec = compose(found, view="readers")
    assert spec.rows == 5
    assert layers(spec, Whiskers)[0].low[-1] == pytest.approx(found.interval.low)
    assert layers(spec, Points)[0].x[:4] == pytest.approx(found.differences["difference"])
    assert -0.1 in layers(spec, Line)[0].x  # the margin
    assert "random readers and cases, p for 'non-inferior' within 0.1. Readers" in spec.caption[0]
    spec = compose(compared(alternative="equivalent", margin=0.3), view="readers")
    assert [line.label for line in layers(spec, Line)][:2] == ["margin −0.3", "margin 0.3"]
    assert spec.x.limits[0] < -0.3 < 0.3 < spec.x.limits[1]


def test_slopes_of_readers():
    spec = compose(compared(), view="slopes")
    assert len(layers(spec, Line)) == 5
    assert [tick.text for tick in spec.x.ticks] == ["unaided", "aided"]


def test_views_that_need_two_modalities():
    three = compared((1.0, 1.2, 1.5))
    assert len(thick(compose(three))) == 3
    for view in ("readers", "slopes"):
        with pytest.raises(InputError, match="two"):
            compose(three, view=view)


def test_froc_curves():
    marked = marked_lesions(2, 20, 20)
    cells = {"reader": "reader", "modality": "modality"}
    spec = compose(rw.froc(marked.marks, marked.cases, **MARKS, **cells))
    assert (spec.x.title, len(thick(spec))) == ("False positives per case", 2)
    marked = marked_lesions(1, 20, 20, separation=(1.0,))
    found = rw.froc(marked.marks, marked.cases, **MARKS, rng=1, n_resamples=200)
    spec = compose(found)
    band = layers(spec, Band)[0]
    assert (band.lower <= np.interp(band.x, found.nlf, found.llf) + 1e-9).all()


def test_plans():
    plan = rw.readers.plan(compared(), difference=0.2, n_readers=6)
    spec = compose(plan)
    point = layers(spec, Points)[0]
    assert (point.x[0], point.y[0]) == (plan.n_pos, plan.achieved_power)
    assert "6 readers" in [line.label for line in thick(spec)]
