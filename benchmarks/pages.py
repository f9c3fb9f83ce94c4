"""The figures of one whole run, written into the README and into the page of measurements."""

import re
from collections.abc import Sequence
from pathlib import Path

from . import report
from .rows import Row, Status, format_figure

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
PAGE = ROOT / "docs" / "explanation" / "measured-speed.md"
BEGIN, END = "<!-- bench: begin -->", "<!-- bench: end -->"
# What the README shows: how the titles of rows begin, and what they are called there.
SHOWN = (
    ("AUC, 100 rows", "AUC, 100 rows"),
    ("AUC, 1,000,000 rows", "AUC, 1,000,000 rows"),
    ("ROC curve, 1,000,000 rows", "ROC curve, 1,000,000 rows"),
    ("AUC and DeLong interval, 1,000,000", "AUC and DeLong interval, 1,000,000 rows"),
    ("Paired DeLong test, 1,000,000", "paired DeLong test, 1,000,000 rows"),
    ("2,000 bootstrap AUCs, 10,000", "2,000 bootstrap AUCs, 10,000 rows"),
    ("Fixed-width band", "fixed-width band of 2,000 resamples, 10,000 rows"),
    ("Studentised", "studentised band of 2,000 resamples, 100,000 rows"),
    ("Bootstrap of a partial area", "bootstrap of a partial area, 100,000 rows"),
    ("Partial areas compared, 1,000,000", "two partial areas compared, 1,000,000 rows"),
    ("50 classes", "50 classes, area and interval, 100,000 rows"),
)
VARIANTS = ("scikit-learn, all points",)  # a second way to ask a peer, left to the page


def write(rows: Sequence[Row], where: str) -> list[Path]:
    """Replace both tables; the paths that were written."""
    whole = f"{report.table(rows)}\n\n{report.METHOD}\n\n{where}"
    for path, table in ((README, f"{short_table(rows)}\n\n{where}"), (PAGE, whole)):
        path.write_text(with_table(path.read_text(encoding="utf-8"), table), encoding="utf-8")
    return [README, PAGE]


def with_table(text: str, table: str) -> str:
    """The page with what is between its marks replaced."""
    if BEGIN not in text or END not in text:
        raise ValueError(f"The page has no {BEGIN} and {END}.")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{table}\n\n{END}{after}"


def short_table(rows: Sequence[Row]) -> str:
    """One line for each task that is shown; peers that did not run are left out."""
    lines = ["| task | rocwise | peers | ratio |", "| --- | --- | --- | --- |"]
    for begins, words in SHOWN:
        found = [row for row in rows if row.task.startswith(begins) and row.ours is not None]
        if not found:
            continue
        found = [row for row in found if row.task == found[0].task]  # not its variants
        raced = [row for row in found if row.ratio is not None and row.peer not in VARIANTS]
        peers = ", ".join(_peer(row.peer) for row in raced) or "–"
        ratios = ", ".join(_ratio(row) for row in raced) or "–"
        own = min(row.ours for row in found if row.ours is not None)
        lines.append(f"| {words} | {format_figure(own, 's')} | {peers} | {ratios} |")
    return "\n".join(lines)


def _peer(name: str) -> str:
    return re.split(r"[, ]", name)[0]


def _ratio(row: Row) -> str:
    assert row.ratio is not None
    return ("~" if row.scaled else "") + format_figure(row.ratio, "x")


def complete(rows: Sequence[Row]) -> bool:
    """Whether a run left nothing out: only such a run is published."""
    unfinished = (Status.BROKEN, Status.DISAGREES, Status.NO_TIME)
    return bool(rows) and not any(row.status in unfinished for row in rows)
