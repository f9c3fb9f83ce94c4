"""Pictures beside each other: one pair of axes for each result, in one figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocwise.errors import InputError
from rocwise.plotting.composing import compose
from rocwise.plotting.matplotlib_backend.axes import draw, import_matplotlib
from rocwise.plotting.painting import Backend
from rocwise.plotting.saving import write_figure
from rocwise.plotting.theme import RC, WIDTHS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PANEL_HEIGHT = 1.12
"""Height of a panel over its width: a square and the words below it."""


def panels_of(results: object) -> Mapping[str, object]:
    """Results by title, or those that a result names as its panels."""
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


def plot_beside(
    panels: Mapping[str, object], *, axes: Sequence[Axes] | None, backend: Backend, **options: Any
) -> list[Any]:
    """Draw results beside each other, each on axes of its own under its title."""
    pictures = [compose(result, title=title, **options) for title, result in panels.items()]
    if backend == "none":
        from rocwise.plotting.recording import record

        return [record(picture) for picture in pictures]
    matplotlib = import_matplotlib()
    with matplotlib.rc_context(RC):
        if axes is None:
            from matplotlib import pyplot

            axes = _panels(pyplot.figure(figsize=_size(panels), layout="constrained"), panels)
        if len(axes) != len(panels):
            raise InputError(
                f"`ax` must hold as many axes as there are panels; got {len(axes)} for "
                f"{len(panels)}."
            )
        for ax, picture in zip(axes, pictures, strict=True):
            draw(picture, ax)
    return list(axes)


def save_beside(panels: Mapping[str, object], path: Path, *, dpi: float, **options: Any) -> Path:
    """Draw results beside each other into a file."""
    matplotlib = import_matplotlib()
    from matplotlib.figure import Figure

    with matplotlib.rc_context(RC):
        figure = Figure(figsize=_size(panels), layout="constrained")
        plot_beside(panels, axes=_panels(figure, panels), backend="matplotlib", **options)
    write_figure(figure, path, dpi)
    return path


def _size(panels: Mapping[str, object]) -> tuple[float, float]:
    width = WIDTHS["page"]
    rows, columns = _grid(len(panels))
    return width, PANEL_HEIGHT * rows * width / max(2, columns)


def _grid(n_panels: int) -> tuple[int, int]:
    """Rows and columns: up to three panels in a row, four as a square."""
    columns = 2 if n_panels == 4 else min(n_panels, 3)
    return -(-n_panels // columns), columns


def _panels(figure: Figure, panels: Mapping[str, object]) -> list[Axes]:
    places = figure.subplots(*_grid(len(panels)), squeeze=False).ravel()
    for spare in places[len(panels) :]:
        spare.remove()
    return list(places[: len(panels)])
