"""Tables of the containment study."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from .kept_counts import markdown

if TYPE_CHECKING:
    from .containment import Cell

# Table 3 of Macskassy, Provost and Rosset (2005): fixed width, widened by the square root of 2
PUBLISHED = {
    25: (0.86, 0.91, 0.96, 0.83, 0.76, 0.69, 0.86),
    100: (0.94, 0.88, 0.96, 0.95, 0.95, 0.88, 0.86),
    250: (0.93, 0.93, 0.96, 0.89, 0.93, 0.92, 0.93),
    1000: (0.98, 0.97, 0.97, 0.95, 0.91, 0.94, 0.92),
    2500: (0.97, 0.95, 0.95, 0.92, 0.96, 0.94, 0.92),
    10000: (0.99, 0.92, 0.95, 0.96, 0.95, 0.93, 0.89),
}
WITH_TABLES = {
    *("simultaneous", "fixed-width", "working-hotelling", "joint-regions", "pointwise-binormal"),
    *("future", "fixed-width future"),
}


def tables(cells: Iterable[Cell]) -> dict[str, str]:
    """Every table of this study by its name."""
    sums = pooled(cells)
    brief = {place: cell for place, cell in sums.items() if _is_brief(*place)}
    found = {"summary": summary(sums), "kinds": summary(brief), "published": published()}
    kinds = dict.fromkeys(kind for kind, _, _ in sums)
    found |= {kind: by_setting(kind, sums) for kind in kinds if kind in WITH_TABLES}
    return {f"bands {name}": table for name, table in found.items()}


def pooled(cells: Iterable[Cell]) -> dict[tuple[str, float, int], Cell]:
    """All rounds of a setting added up."""
    from dataclasses import replace

    found: dict[tuple[str, float, int], Cell] = {}
    for cell in cells:
        place = (cell.kind, cell.theta, cell.size)
        if place not in found:
            found[place] = replace(cell)
            continue
        total = found[place]
        for name in ("asked", "answered", "shares", "squares", "areas"):
            setattr(total, name, getattr(total, name) + getattr(cell, name))
    return found


def by_setting(kind: str, sums: dict[tuple[str, float, int], Cell]) -> str:
    """Containment with its standard error: rows are sample sizes, columns separations."""
    thetas = sorted({theta for name, theta, _ in sums if name == kind})
    sizes = sorted({size for name, _, size in sums if name == kind})
    rows = []
    for size in sizes:
        cells = [sums.get((kind, theta, size)) for theta in thetas]
        rows.append([f"{size:,}", *map(_share_text, cells), _area_text(cells), _count_text(cells)])
    return markdown(["n", *(f"{theta:g}" for theta in thetas), "mean area", "bands"], rows)


def summary(sums: dict[tuple[str, float, int], Cell]) -> str:
    """One line per kind: containment by sample size, averaged over the separations."""
    kinds = sorted({kind for kind, _, _ in sums})
    sizes = sorted({size for _, _, size in sums})
    rows = []
    for kind in kinds:
        row = [f"`{kind}`"]
        for size in sizes:
            cells = [cell for (k, _, s), cell in sums.items() if (k, s) == (kind, size)]
            row.append(_mean_text(cells))
        rows.append(row)
    return markdown(["kind", *(f"n = {size:,}" for size in sizes)], rows)


def _is_brief(kind: str, _: float, size: int) -> bool:
    """For the page where a kind is chosen: every kind once, and a few sizes."""
    return " from " not in kind and size in (25, 100, 1000, 10000)


def published() -> str:
    """The published table."""
    rows = [[f"{size:,}", *(f"{v:.2f}" for v in values)] for size, values in PUBLISHED.items()]
    return markdown(["n", "0.75", "1", "1.5", "2", "3", "4", "5"], rows)


def _share_text(cell: Cell | None) -> str:
    return "" if cell is None else f"{cell.share:.3f} ± {cell.error:.3f}"


def _mean_text(cells: Sequence[Cell]) -> str:
    if not cells:
        return ""
    share = sum(cell.share for cell in cells) / len(cells)
    error = sum(cell.error**2 for cell in cells) ** 0.5 / len(cells)
    return f"{share:.3f} ± {error:.3f}"


def _area_text(cells: Sequence[Cell | None]) -> str:
    present = [cell for cell in cells if cell is not None]
    total = sum(cell.answered for cell in present)
    return f"{sum(cell.areas for cell in present) / total:.3f}"


def _count_text(cells: Sequence[Cell | None]) -> str:
    """Bands of a setting, and how many samples the method refused in all of them."""
    present = [cell for cell in cells if cell is not None]
    asked = {cell.asked for cell in present}
    refused = sum(cell.asked - cell.answered for cell in present)
    words = " to ".join(f"{n:,}" for n in sorted({min(asked), max(asked)}))
    return f"{words} ({refused} refused)" if refused else words
