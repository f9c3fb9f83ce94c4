"""Tables of text, aligned by the width that characters have on a screen."""

from __future__ import annotations

from collections.abc import Sequence

from rocwise.cli.arguments.option_names import LONGEST, printable

GAP = "  "


def aligned(header: Sequence[str], rows: Sequence[Sequence[str]], sides: str) -> str:
    """A table of cells.

    Parameters
    ----------
    header
        Words above the columns.
    rows
        The cells, as text.
    sides
        For each column "l" (left), "r" (right) or "." (by the decimal point).

    Examples
    --------
    >>> print(aligned(["name", "n"], [["first", "9"], ["second", "10"]], "lr"))
    name     n
    first    9
    second  10
    """
    columns = zip(header, *rows, strict=True)
    padded = [column_of(cells, side) for cells, side in zip(columns, sides, strict=True)]
    return "\n".join(GAP.join(cells).rstrip() for cells in zip(*padded, strict=True))


def column_of(cells: Sequence[str], side: str) -> list[str]:
    """The cells of one column, the first being its title, all made equally wide.

    >>> column_of(["n", "9.5", "10"], ".")
    ['   n', ' 9.5', '10  ']
    """
    everything = "".join(cells)  # numbers need no care: look once, at all of them
    plain = everything.isascii() and everything.isprintable() and max(map(len, cells)) <= LONGEST
    title, *rest = cells if plain else map(printable, cells)
    column = [title, *(by_point(rest) if side == "." else rest)]
    if plain:
        widest = max(map(len, column))
        return [cell.ljust(widest) if side == "l" else cell.rjust(widest) for cell in column]
    widths = [display_width(cell) for cell in column]
    widest = max(widths)
    spaces = [" " * (widest - width) for width in widths]
    if side == "l":
        return [cell + space for cell, space in zip(column, spaces, strict=True)]
    return [space + cell for cell, space in zip(column, spaces, strict=True)]


def by_point(cells: Sequence[str]) -> list[str]:
    """Numbers padded on the right until their points are below each other; words stay as they are.

    >>> by_point(["0.25", "10", "above all"])
    ['0.25', '10   ', 'above all']
    """
    tails = [len(cell) - cell.find(".") if "." in cell else 0 for cell in cells]
    numbers = [cell[-1:].isdigit() for cell in cells]
    longest = max((tail for tail, number in zip(tails, numbers, strict=True) if number), default=0)
    return [
        cell + " " * (longest - tail) if number else cell
        for cell, tail, number in zip(cells, tails, numbers, strict=True)
    ]


def display_width(text: str) -> int:
    """Columns of the screen that a text takes: two for East Asian signs, none for accents.

    >>> display_width("abc"), display_width("模型"), display_width("e\u0301")
    (3, 4, 1)
    """
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(
        0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in text
    )
