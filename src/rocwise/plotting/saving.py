"""Plots in files: svg, pdf, eps, png and tiff, the same bytes for the same plot."""

import io
import os
import re
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwise import checks
from rocwise.atomic_write import atomic_write
from rocwise.errors import InputError, shown
from rocwise.plotting.matplotlib_backend.figure import import_matplotlib
from rocwise.plotting.theme import RC

if TYPE_CHECKING:
    from matplotlib.figure import Figure

METADATA: dict[str, dict[str, Any]] = {
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
    ".eps": {"Creator": "rocwise"},
    ".png": {},
    ".tiff": {},
    ".tif": {},
}
"""File formats, and the metadata that makes the bytes reproducible."""

MOST_PIXELS = 2**15  # of a side, the maximum of matplotlib


def checked_path(path: str | PathLike[str]) -> Path:
    """Return the path of a plot, or raise an error if its format cannot be written.

    Parameters
    ----------
    path : str or path
        Path with the suffix `.svg`, `.pdf`, `.eps`, `.png` or `.tiff`.

    Returns
    -------
    pathlib.Path
        Checked path.

    See Also
    --------
    plotting.save : Write a plot to a file.

    Examples
    --------
    >>> from rocwise.plotting import checked_path
    >>> checked_path("roc.svg").suffix
    '.svg'
    """
    try:
        target = Path(path)
    except TypeError:
        raise InputError(f"`path` must be the name of a file; got {shown(path)}.") from None
    for name in (target, Path(os.path.realpath(target))):  # a link is followed
        if name.suffix.lower() not in METADATA:
            kinds = ", ".join(METADATA)
            ending = repr(name.suffix) if name.suffix else "no ending"
            raise InputError(f"`path` must end in one of {kinds}; {name.name!r} has {ending}.")
    if not target.parent.is_dir():
        raise InputError(f"`path` is in a folder that does not exist: {str(target.parent)!r}.")
    return target


def write(figure: "Figure", path: Path, dpi: float) -> None:
    """Write a figure, whole or not at all."""
    resolution = checks.real(dpi, "dpi")
    if resolution <= 0:
        raise InputError(f"`dpi` must be greater than 0; got {dpi!r}.")
    most = MOST_PIXELS / max(figure.get_size_inches())
    if resolution > most:
        raise InputError(f"`dpi` must be at most {most:,.0f} for this plot; got {dpi!r}.")
    kind = path.suffix.lower()
    drawn = io.BytesIO()
    with import_matplotlib().rc_context(RC):
        if kind in (".tiff", ".tif"):
            _save_tiff(figure, drawn, resolution)
        else:
            if kind == ".eps":
                _make_opaque(figure)
            figure.savefig(drawn, format=kind[1:], dpi=resolution, metadata=METADATA[kind])
    written = drawn.getvalue()
    if kind == ".eps":
        written = re.sub(rb"%%CreationDate: [^\n]*\n", b"", written, count=1)
    atomic_write(path, written)


def _save_tiff(figure: "Figure", target: io.BytesIO, dpi: float) -> None:
    """Write pixels without transparency and without loss, as journals require."""
    from PIL import Image

    dots = io.BytesIO()
    figure.savefig(dots, format="png", dpi=dpi)
    with Image.open(dots) as image:
        plain = image.convert("RGB")
    plain.save(target, format="TIFF", compression="tiff_lzw", dpi=(dpi, dpi))


def _make_opaque(figure: "Figure") -> None:
    """Mix half transparent colors with white: this format has no transparency."""
    from matplotlib.collections import PolyCollection
    from matplotlib.patches import Patch

    filled: list[Any] = figure.findobj(lambda each: isinstance(each, (PolyCollection, Patch)))
    for artist in filled:
        found = artist.get_facecolor()
        color = found[0] if np.ndim(found) == 2 and len(found) else found
        if len(color) == 4 and 0 < color[3] < 1:
            mixed = tuple(1 - color[3] * (1 - part) for part in color[:3])
            artist.set(alpha=1.0, facecolor=mixed)
