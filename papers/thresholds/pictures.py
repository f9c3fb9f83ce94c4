"""Mean cost of every copy over the skew: the paper's numbers beside ours."""

from __future__ import annotations

from pathlib import Path

from papers.shared.figures import canvas, keep
from papers.shared.paper import Expected
from papers.thresholds.claims import Means
from papers.thresholds.copies import ALWAYS, CONFIGURATIONS, SKEWS, SOUND_COPY

NAMED = {  # the others are grey
    "Mim0b": "#000000",
    "Mim1Ordb": "#E69F00",
    "Mim2Dirb": "#0072B2",
    "Mim2Ordb": "#D55E00",
    "Mim3": "#009E73",
}
OURS = {SOUND_COPY: ("#CC79A7", "--"), ALWAYS: ("#000000", ":")}


def draw(means: Means, expected: Expected, folder: Path) -> None:
    """One picture, two panels."""
    figure = canvas(7.1, 3.8)
    there, here = figure.subplots(1, 2, sharey=True)
    places = range(len(SKEWS))
    for name in sorted(CONFIGURATIONS, key=lambda name: name in NAMED):
        color = NAMED.get(name, "#CCCCCC")
        label = name if name in NAMED else None
        there.plot(places, expected["table-2"][name][:5], color=color, lw=1.3)
        here.plot(places, means.costs(name), color=color, lw=1.3, label=label)
    for name, (color, style) in OURS.items():
        here.plot(places, means.costs(name), color=color, ls=style, lw=1.5, label=name)
    there.set_title("published", fontsize=10)
    here.set_title("here", fontsize=10)
    there.set_ylabel("mean cost of a tenth of the rows")
    for axes in (there, here):
        axes.set_xticks(places, [str(skew) for skew in SKEWS])
        axes.set_xlabel("a miss costs so many false alarms")
        axes.grid(alpha=0.3)
    here.legend(frameon=False, fontsize=8)
    keep(figure, folder / "costs.svg")
