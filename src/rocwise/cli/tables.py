"""Tables of text, aligned by the width that characters have on a screen."""

from __future__ import annotations

from collections.abc import Sequence

from rocwise.cli.wording import printable

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
    columns = [[printable(cell) for cell in column] for column in zip(header, *rows, strict=True)]
    for place, side in enumerate(sides):
        if side == ".":
            columns[place][1:] = by_point(columns[place][1:])
    widths = [max(map(display_width, column)) for column in columns]
    lines = [
        GAP.join(map(_padded, cells, widths, sides)).rstrip()
        for cells in zip(*columns, strict=True)
    ]
    return "\n".join(lines)


def by_point(cells: Sequence[str]) -> list[str]:
    """Numbers padded on the right until their points are below each other; words stay as they are.

    >>> by_point(["0.25", "10", "above all"])
    ['0.25', '10   ', 'above all']
    """
    tails = [len(cell) - len(cell.partition(".")[0]) for cell in cells]
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


def _padded(cell: str, width: int, side: str) -> str:
    space = " " * (width - display_width(cell))
    return cell + space if side == "l" else space + cell
