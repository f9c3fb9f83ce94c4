"""Panels: each result on axes of its own, in one figure."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocwise.errors import InputError, shown
from rocwise.plotting.composition import compose
from rocwise.plotting.matplotlib_backend.figure import (
    draw,
    draw_panels,
    import_matplotlib,
    on_new_figure,
)
from rocwise.plotting.recording import record
from rocwise.plotting.saving import write_figure
from rocwise.plotting.spec import PlotSpec
from rocwise.plotting.theme import RC, START_HEIGHT, WIDTHS, Backend, Width

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LONGEST_TITLE = 34
"""Letters of a panel title before it is broken."""


def panels_of(results: object) -> Mapping[str, object]:
    """Results by title, or the panels of a result."""
    named = getattr(results, "panels", None)
    panels = results if isinstance(results, Mapping) else named() if callable(named) else None
    if panels is None:
        raise InputError(
            f"`beside` needs {{title: result}} or a result with panels; a "
            f"{type(results).__name__} has none."
        )
    if not panels:
        raise InputError("`results` is empty: there is nothing to draw. Pass {title: result}.")
    return panels


def plot_panels(
    panels: Mapping[str, object],
    *,
    axes: Sequence[Axes] | None,
    backend: Backend,
    width: Width = "page",
    **options: Any,
) -> list[Any]:
    """Draw each result on axes of its own under its title."""
    specs = _specs(panels, options)
    if backend == "none":
        return [record(spec) for spec in specs]
    matplotlib = import_matplotlib()
    if axes is None:
        with matplotlib.rc_context(RC):
            return on_new_figure(width, lambda figure: draw_panels(figure, specs, width))
    if len(axes) != len(panels):
        raise InputError(
            f"`ax` must hold as many axes as there are panels; got {len(axes)} for {len(panels)}."
        )
    for ax, spec in zip(axes, specs, strict=True):
        draw(spec, ax)
    return list(axes)


def save_panels(
    panels: Mapping[str, object], path: Path, *, dpi: float, width: Width = "page", **options: Any
) -> Path:
    """Draw each result on axes of its own into a file."""
    matplotlib = import_matplotlib()
    from matplotlib.figure import Figure

    specs = _specs(panels, options)
    with matplotlib.rc_context(RC):
        figure = Figure(figsize=(WIDTHS[width], START_HEIGHT))
        draw_panels(figure, specs, width)
    write_figure(figure, path, dpi)
    return path


def _specs(panels: Mapping[str, object], options: Mapping[str, Any]) -> list[PlotSpec]:
    if "title" in options:
        raise InputError(
            f"`title` is for one plot; got {shown(options['title'])} with `beside`, where each "
            "panel is called by its key in {title: result}."
        )
    found = []
    for title, result in panels.items():
        spec = compose(result, title=title, **options)
        broken = "\n".join(textwrap.wrap(spec.title or "", LONGEST_TITLE))
        found.append(replace(spec, title=broken))
    return found
