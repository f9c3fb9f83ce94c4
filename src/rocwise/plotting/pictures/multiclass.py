"""Pictures of several classes: areas of pairs and of classes, and one-vs-rest curves."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from rocwise import printing
from rocwise.plotting.layers import Band as BandLayer
from rocwise.plotting.layers import Label, Layer, Line, Picture
from rocwise.plotting.pictures.inference import Row, forest
from rocwise.plotting.pictures.roc import roc_square
from rocwise.plotting.registry import picture_of
from rocwise.plotting.theme import TEXT_COLOR
from rocwise.plotting.wording import AxisWords, auc_words, entry

if TYPE_CHECKING:
    from rocwise.multiclass.class_areas import MulticlassAuc
    from rocwise.multiclass.curves import MulticlassRoc
    from rocwise.multiclass.hypervolumes import Hum

SHORT = {
    "hand-till": "Hand-Till M",
    "ovr": "mean of one-vs-rest",
    "ovr-weighted": "weighted one-vs-rest",
    "ovo-weighted": "weighted one-vs-one",
}
MOST_PAIRS = 15


@picture_of("MulticlassAuc")
def multiclass_auc_picture(answer: MulticlassAuc, *, name: str | None = None) -> Picture:
    """Draw the average with its interval, and below it the areas it is made of.

    Parameters
    ----------
    answer
        The average.
    name
        What its row is called.
    """
    n = sum(answer.sizes)
    words, limits, caption = printing.rate(answer.value, n), None, "Dashed: chance."
    if answer.has_interval:
        limits = (answer.interval.low, answer.interval.high)
        words = f"{words} ({printing.rate(limits[0], n)} to {printing.rate(limits[1], n)})"
        caption = f"{printing.percent(answer.level)} CI by {answer.interval.method}. {caption}"
    rows = [Row(name or SHORT[answer.average], answer.value, limits, words)]
    if answer.average.startswith("ovr"):
        found = answer.per_class_table()
        for label, area, low, high in zip(
            *(found[name] for name in ("class", "auc", "low", "high")), strict=True
        ):
            ends = f"({printing.rate(low, n)} to {printing.rate(high, n)})"
            words = f"{printing.rate(area, n)} {ends}"
            rows.append(Row(f"{label} v rest", float(area), (float(low), float(high)), words))
        return forest(rows, "AUC", null=0.5, caption=caption)
    table = answer._columns()
    pairs = [
        Row(f"{first} v {second}", float(area), None, printing.rate(area, n))
        for first, second, area in zip(table["first"], table["second"], table["auc"], strict=True)
        if not np.isnan(area)
    ]
    if len(pairs) > MOST_PAIRS:
        pairs = sorted(pairs, key=lambda row: row.value)[:MOST_PAIRS]
        caption = f"The {MOST_PAIRS} pairs with the smallest areas. {caption}"
    return forest([*rows, *pairs], "AUC", null=0.5, caption=caption)


@picture_of("Hum")
def hum_picture(answer: Hum, *, name: str | None = None) -> Picture:
    """Draw the hypervolume and its level by chance; the interval is that of the draws.

    Parameters
    ----------
    answer
        The hypervolume.
    name
        What the row is called.
    """
    interval = answer.interval
    limits = None if interval is None else (interval.low, interval.high)
    words, title = f"{answer.value:.3f}", "HUM"
    if interval is not None:
        words += f" ({interval.low:.3f} to {interval.high:.3f})"
        title += f" ({printing.percent(interval.level)} CI)"
    row = Row(name or "HUM", answer.value, limits, words)
    caption = f"Rule {answer.rule}. Dashed: {answer.chance:.3g}, by chance."
    return forest([row], title, null=answer.chance, caption=caption)


@picture_of("MulticlassRoc")
def multiclass_roc_picture(
    answer: MulticlassRoc,
    *,
    name: str | None = None,
    axis: AxisWords = "ml",
    chance: bool = True,
    bands: bool = True,
) -> Picture:
    """Draw the curve of every class against the rest in one square.

    Parameters
    ----------
    answer
        One-vs-rest curves.
    name
        Put in front of the classes in the legend.
    axis
        "ml" for true and false positive rate, "clinical" for sensitivity and 1 − specificity.
    chance
        Whether to draw the diagonal of a worthless score.
    bands
        Whether to draw the bands, where there are any.
    """
    layers: list[Layer] = []
    alone = len(answer.curves) == 1
    for slot, label in enumerate(answer.curves):
        if bands and answer.bands is not None:
            band = answer.bands[label]
            layers.append(BandLayer(band.fpr, band.lower, band.upper, slot=slot))
    for slot, (label, curve) in enumerate(answer.curves.items()):
        called = label if name is None else f"{name} {label}"
        words = None if alone else entry(called, auc_words(answer.areas[label]))
        layers.append(Line(curve.fpr, curve.tpr, label=words, slot=slot))
    picture = roc_square(tuple(layers), axis, chance)
    if alone:  # a panel among others: the area is written into it, its title names the class
        (area,) = answer.areas.values()
        text = auc_words(area).replace(" (", "\n").rstrip(")")
        corner = Label(1.0, 0.0, text, side="above-left", color=TEXT_COLOR)
        return replace(picture, layers=(*picture.layers, corner))
    sentence = "Each class against the rest."
    if bands and answer.bands is not None:
        kinds = " or ".join(sorted({band.kind for band in answer.bands.values()}))
        sentence += f" Bands: {printing.percent(answer.level)} {kinds}, each class by itself."
    return replace(picture, caption=(sentence,))
