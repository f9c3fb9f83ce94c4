"""Pictures of ordered classes: measures, cuts, orders, and sections of the ROC surface."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from rocwise import checks, printing
from rocwise.plotting.layers import PADDED_UNIT, Axis, Cells, Layer, Line, Mesh, Picture
from rocwise.plotting.pictures.inference import Row, forest
from rocwise.plotting.pictures.operating_points import table_picture
from rocwise.plotting.registry import picture_of
from rocwise.plotting.wording import entry, name_of

if TYPE_CHECKING:
    from rocwise.ordinal.cut_points import OrdinalThresholds
    from rocwise.ordinal.measures import OrdinalAuc
    from rocwise.ordinal.null_tests import OrdinalTest
    from rocwise.ordinal.surfaces import ClassOrder, RocSurface

MOST_ORDERS = 12
SECTIONS = (0.0, 0.5, 0.75, 0.9)
STEPS = 100  # of a map along each axis


@picture_of("OrdinalAuc")
def ordinal_auc_picture(answer: OrdinalAuc, *, name: str | None = None) -> Picture:
    """Draw the measure with its interval, and its level by chance.

    Parameters
    ----------
    answer
        The measure.
    name
        What the row is called.
    """
    n = sum(answer.sizes)
    words, limits = printing.rate(answer.value, n), None
    caption = f"Dashed: {answer.chance:.3g}, by chance."
    if answer.has_interval:
        low, high = answer.interval
        limits = (low, high)
        words = f"{words} ({printing.rate(low, n)} to {printing.rate(high, n)})"
        caption = f"Intervals: {answer.interval.method}. {caption}"
    title = {"volume": "VUS", "consecutive": "Mean AUC of cuts", "pairwise": "Mean pairwise AUC"}
    axis = title.get(answer.measure, "Share of pairs in order")
    row = Row(name_of(answer, name) or axis, answer.value, limits, words)
    level = f" ({printing.percent(answer.level)} CI)" if answer.has_interval else ""
    return forest([row], f"{axis}{level}", null=answer.chance, caption=caption)


@picture_of("OrdinalTest")
def ordinal_test_picture(test: OrdinalTest, *, name: str | None = None) -> Picture:
    """Draw the measure beside its level by chance, with the range that chance makes likely.

    Parameters
    ----------
    test
        The measure held against chance.
    name
        What the row is called.
    """
    rows = [
        Row(name or "observed", test.value, None, printing.p_value(test.p_value)),
        Row("by chance", test.chance, test.chance_range, "95 %"),
    ]
    caption = f"{test.alternative.capitalize()} test; z = {test.statistic:.2f}."
    return forest(rows, "VUS" if test.measure == "volume" else "AUC", null=None, caption=caption)


@picture_of("OrdinalThresholds")
def thresholds_picture(cuts: OrdinalThresholds, *, name: str | None = None) -> Picture:
    """Draw what each true class is called, as a table.

    Parameters
    ----------
    cuts
        Cuts between ordered classes.
    name
        Part of the caption.
    """
    texts = tuple(
        tuple(
            f"{printing.count(int(count))}\n{printing.percent(round(float(rate), 3))}"
            for count, rate in zip(counts, rates, strict=True)
        )
        for counts, rates in zip(cuts.confusion, cuts.rates, strict=True)
    )
    sign = "≤" if cuts.origin.direction == "lower" else "≥"
    starts = [
        str(label) if k == 0 else f"{label}\n({sign} {cuts.printed[k - 1]})".replace("-", "−")
        for k, label in enumerate(cuts.labels)
    ]
    of_score = "" if name is None else f" of {name}"
    return table_picture(
        Cells(cuts.rates, texts),
        rows=[str(label) for label in cuts.labels],
        columns=starts,
        caption=(f"Expected cost{of_score} {cuts.cost:.4g} per case; shares of the true class.",),
    )


@picture_of("ClassOrder")
def class_order_picture(found: ClassOrder, *, name: str | None = None) -> Picture:
    """Draw the volume of the best orders of the classes, at most twelve.

    Parameters
    ----------
    found
        All orders.
    name
        Part of the caption.
    """
    ranked = np.argsort(-found.volumes, kind="stable")[:MOST_ORDERS]
    rows = [
        Row(
            " < ".join(map(str, found.orders[k].tolist())),
            float(found.volumes[k]),
            None,
            f"{found.volumes[k]:.3f}",
        )
        for k in ranked
    ]
    of_score = "" if name is None else f" of {name}"
    caption = f"{len(rows)} of {len(found.volumes)} orders{of_score}. Dashed: chance."
    return forest(rows, "VUS", null=found.chance, caption=caption)


@picture_of("RocSurface")
def surface_picture(
    surface: RocSurface,
    *,
    name: str | None = None,
    kind: Literal["sections", "map", "3d"] = "sections",
    sections: tuple[float, ...] = SECTIONS,
    chance: bool = True,
) -> Picture:
    """Draw the best rate of the middle class over the rates of the other two.

    Parameters
    ----------
    surface
        The surface.
    name
        Put in front of the sections in the legend.
    kind
        "sections" at some rates of the highest class, "map" of heights, or "3d".
    sections
        Rates of the highest class that must be reached.
    chance
        Whether to draw the section of a worthless score at rate 0.
    """
    checks.one_of(kind, "kind", ("sections", "map", "3d"))
    low, middle, high = (str(label) for label in surface.labels)
    height = f"Largest share of {middle} called right"
    n = sum(surface.sizes)
    picture = Picture(
        layers=(),
        x=Axis(f"Share of {low} called right", PADDED_UNIT),
        y=Axis(height, PADDED_UNIT),
        square=True,
        caption=(f"Volume under the surface {printing.rate(surface.volume, n)}; chance 0.167.",),
        legend_places=("lower left", "upper right"),
    )
    if kind != "sections":
        grid = np.linspace(0.0, 1.0, STEPS + 1)
        heights = surface.height(grid[None, :], grid[:, None])
        mesh = Mesh(grid, grid, heights, height, levels=(0.25, 0.5, 0.75))
        return replace(
            picture,
            layers=(mesh,),
            x=replace(picture.x, limits=(0.0, 1.0)),
            y=Axis(f"Share of {high} called right", (0.0, 1.0)),
            projection="3d" if kind == "3d" else "plane",
            azimuth=40.0,
        )
    layers: list[Layer] = []
    if chance:
        layers.append(Line(np.array([0.0, 1.0]), np.array([1.0, 0.0]), role="reference"))
    for slot, rate in enumerate(sections):
        wanted = checks.rate(rate, "sections")
        label = f"{printing.percent(wanted)} or more of {high}" if wanted else f"any rate of {high}"
        x_places, y_places = _section(surface, wanted)
        layers.append(Line(x_places, y_places, label=entry(name, label), slot=slot))
    sentence = (f"Dashed: chance at any rate of {high}.",) if chance else ()
    return replace(picture, layers=tuple(layers), caption=(*picture.caption, *sentence))


def _section(surface: RocSurface, rate: float) -> tuple[np.ndarray, np.ndarray]:
    """The staircase of one section: the height holds up to its rate and falls beyond it."""
    steps, heights = surface.section(rate)
    x = np.repeat(steps, 2)[:-1]
    y = np.repeat(heights, 2)[1:]
    return np.append(x, steps[-1]), np.append(y, 0.0)
