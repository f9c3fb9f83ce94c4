"""Pictures of class weights, of trees of classes, and of regret under uncertain costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocwise.arrays import Floats
from rocwise.errors import InputError
from rocwise.plotting.layers import (
    PADDED_UNIT,
    Axis,
    Label,
    Layer,
    Line,
    Picture,
    Points,
    Side,
    Tick,
    Whiskers,
)
from rocwise.plotting.pictures.inference import share_steps
from rocwise.plotting.registry import picture_of

if TYPE_CHECKING:
    from rocwise.multiclass.class_trees import ClassSplit, MetaClass
    from rocwise.multiclass.operating_points import ClassWeights
    from rocwise.multiclass.weights import UncertainClassWeights

MARGIN = 0.06
HEAD = 0.05
"""Room for the legend above the rows, as a share of theirs."""


@picture_of("ClassWeights")
def class_weights_picture(
    found: ClassWeights, *, name: str | None = None, class_names: list[str] | None = None
) -> Picture:
    """Draw what the rows of each class cost, with equal weights and with those found.

    Parameters
    ----------
    found
        The weights.
    name
        What the weights are called in the legend.
    class_names
        Names of the classes in place of their own.
    """
    m = len(found.weights)
    rows = np.arange(m - 1, -1, -1, dtype=np.float64)
    before, after = found.class_costs()
    top = float(max(before.max(), after.max())) or 1.0
    relative = found.weights
    if class_names is None and found.named:
        class_names = list(found.names)
    plain = "the largest confidence" if found.method == "cost-columns" else "equal weights"
    return Picture(
        layers=(
            Whiskers(np.minimum(before, after), np.maximum(before, after), rows, muted=True),
            Points(before, rows, label=plain.removeprefix("the ").capitalize(), muted=True),
            Points(after, rows, label=name or "Class weights"),
        ),
        x=Axis("Expected cost from this class, per case", (-MARGIN * top, (1 + MARGIN) * top)),
        y=Axis("", (-0.5, (1 + HEAD) * m), ticks=_class_ticks(rows, relative, class_names)),
        caption=(
            f"All classes together: {found.cost:.4g} per case; "
            f"{found.baseline_cost:.4g} with {plain} ({found.method}).",
        ),
        legend_places=("upper right", "upper left"),
    )


def _class_ticks(rows: Floats, weights: Floats, names: list[str] | None) -> tuple[Tick, ...]:
    """The classes with their weights, the largest of which is 1."""
    words = [f"class {k}" for k in range(len(rows))] if names is None else names
    if len(words) != len(rows):
        raise InputError(
            f"`class_names` must name each of {len(rows)} classes; got {len(words)} names."
        )
    return tuple(
        Tick(float(row), f"{word} (weight {weight:.2g})")
        for row, word, weight in zip(rows, words, weights, strict=True)
    )


@picture_of("MetaClass")
def tree_picture(tree: MetaClass, *, name: str | None = None) -> Picture:
    """Draw the tree: left when the confidences of the left classes are large enough.

    Parameters
    ----------
    tree
        The tree.
    name
        Title of the picture.
    """
    layers: list[Layer] = []
    n_leaves = len(tree.prior)
    depth = _grow(tree.root, tree.names, 0.0, 0, "above-right", layers)[1]
    return Picture(
        layers=tuple(layers),
        x=Axis("", (-0.6, n_leaves - 0.4), ticks=()),
        y=Axis("", (-depth - 0.6, 0.7), ticks=()),
        title=name,
        bare=True,
        caption=(
            "Left where confidence in the classes on the left, over that in those on the right, "
            "reaches the number at the split.",
            f"Expected cost {tree.cost:.4g} per case.",
        ),
    )


def _grow(
    split: ClassSplit,
    names: tuple[str, ...],
    first: float,
    depth: int,
    side: Side,
    layers: list[Layer],
) -> tuple[float, int]:
    """Add a split and all below it from the leaf place `first`; its place and the depth below."""
    places, deepest, start = [], depth + 1, first
    ways: tuple[tuple[ClassSplit | None, tuple[int, ...], Side], ...] = (
        (split.left, split.left_classes, "above-left"),
        (split.right, split.right_classes, "above-right"),
    )
    for part, classes, outside in ways:
        if part is None:
            place = start
            layers.append(Points(np.array([place]), np.array([-depth - 1.0])))
            layers.append(Label(place, -depth - 1.0, names[classes[0]], side="below-right"))
        else:
            place, below = _grow(part, names, start, depth + 1, outside, layers)
            deepest = max(deepest, below)
        start += len(classes)
        places.append(place)
    middle = sum(places) / 2
    for place in places:
        x, y = np.array([middle, place]), np.array([-float(depth), -depth - 1.0])
        layers.insert(0, Line(x, y, role="reference"))
    layers.append(Label(middle, -float(depth), f"≥ {_short(split.threshold)}", side=side))
    return middle, deepest


def _short(number: float) -> str:
    return f"{number:,.0f}" if 1e3 <= number < 1e15 else f"{number:.4g}"


@picture_of("UncertainClassWeights")
def regret_picture(found: UncertainClassWeights, *, name: str | None = None) -> Picture:
    """Draw how many cost matrices leave at most so much regret.

    Parameters
    ----------
    found
        The weights and their regrets.
    name
        Entry in the legend.
    """
    top = found.largest_regret or 1.0
    edge = top * (1 + MARGIN)
    return Picture(
        layers=(
            Line(*share_steps(found.regrets, ends=(0.0, edge)), label=name or found.criterion),
        ),
        x=Axis("Regret: cost above the least for this cost matrix", (0.0, edge)),
        y=Axis("Share of cost matrices", PADDED_UNIT),
        caption=(
            f"{len(found.regrets)} cost matrices; regret {found.expected_regret:.3g} on average, "
            f"{found.largest_regret:.3g} at worst; mean cost {found.cost:.4g}.",
        ),
        legend_places=("lower right", "upper left"),
    )
