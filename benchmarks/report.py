"""Rows as a markdown table, with what a reader needs to judge it."""

from collections.abc import Sequence

from .rows import Row, Status, format_figure

HEADER = ("task", "rocwise", "peer", "its figure", "ratio", "bar", "result")
METHOD = (
    "Same data in the same run, interleaved rounds, minimum of the rounds (start-up: median). "
    "Ratio: the peer's figure over rocwise's. Nothing is timed before its value agrees: "
    "to a relative 1e-10; torchmetrics and confidenceinterval to 1e-6 (1e-5 for the curve) "
    "because they compute in float32, the paired test to 1e-8, bootstrap intervals to five Monte "
    "Carlo standard errors. ~: run with fewer replicates and scaled."
)


def table(rows: Sequence[Row]) -> str:
    """The table; notes become numbered lines below it."""
    notes: list[str] = []
    lines = [_line(HEADER), _line(["---", "---:", "---", "---:", "---:", "---:", "---"])]
    lines += [_line(_cells(row, notes)) for row in rows]
    numbered = [f"{number}. {note}" for number, note in enumerate(notes, start=1)]
    return "\n".join([*lines, "", *numbered] if numbered else lines)


def _cells(row: Row, notes: list[str]) -> list[str]:
    status = str(row.status)
    if row.note:
        if row.note not in notes:
            notes.append(row.note)
        status = f"{status} ({notes.index(row.note) + 1})".strip()
    return [
        row.task,
        _figure(row.ours, row),
        row.peer or "–",
        ("~" if row.scaled else "") + _figure(row.theirs, row),
        "–" if row.ratio is None else format_figure(row.ratio, "x"),
        "–" if row.bar is None else str(row.bar),
        status,
    ]


def _figure(figure: float | None, row: Row) -> str:
    return "–" if figure is None else format_figure(figure, row.unit)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def progress(row: Row) -> str:
    """One line for the terminal while the run goes on."""
    figure = "" if row.ours is None else format_figure(row.ours, row.unit)
    ratio = "" if row.ratio is None else f", {format_figure(row.ratio, 'x')} {row.peer}"
    outcome = str(row.status) if row.status is not Status.NOT_JUDGED else ""
    peer = f" [{row.peer}]" if row.ratio is None and row.peer else ""
    return " ".join(f"{row.task}{peer}: {figure}{ratio} {outcome}".split())
